"""Decks and antennas: what people tell the table about them, and what may be shown of them.

Nothing here says which card lies where: of antennas only how many cards they see, of a deck only what is written in its register.
Faces are named in two cases, both with the deck open on the table: at a registration, where the order says them, those that are
registered and the next one to lay down; and the dead cards of a deck that was checked. While a check goes on none is: whoever lays down
a single card would learn what it is.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

#: A deck's life: being registered; may be dealt; being dealt from; off the table; kept intact for an investigation; destroyed.
DeckLife = Literal["unfinished", "registered", "in_use", "out", "quarantine", "retired"]
DeckName = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._\-]{0,39}\Z")]
#: A short text that a person typed: a name, a reason.
Words = Annotated[str, msgspec.Meta(max_length=80)]

# -- commands ------------------------------------------------------------------------------------------------------------------


class RegisterDeck(msgspec.Struct, frozen=True, tag="register_deck", tag_field="kind"):
    """Begin to register a deck, or go on where a registration was interrupted: each card once on ``zone``, in the announced order.

    ``again``: a deck of this name is known, and its file is made anew.
    """

    deck: DeckName
    back: Words = ""
    zone: str = "muck"
    again: bool = False


class CheckDeck(msgspec.Struct, frozen=True, tag="check_deck", tag_field="kind"):
    """Begin to check a deck: every card is read once, anywhere or at ``zone``. ``deck`` "": that of the first card that is read.

    ``dealer``: who checks, for the receipt.
    """

    deck: str = ""
    zone: str = ""
    dealer: Words = ""


class Calibrate(msgspec.Struct, frozen=True, tag="calibrate", tag_field="kind"):
    """Begin to calibrate: each antenna is touched with any card. ``zones``: only theirs; none: all."""

    zones: tuple[str, ...] = ()


class SetupStep(msgspec.Struct, frozen=True, tag="setup_step", tag_field="kind"):
    """Of a registration, check or calibration that is going on.

    skip: this card, this antenna is missing. back: the last step does not count. face: go on with this ``face``. finish: all that is
    there has been read. pause: leave off; a registration is taken up again later. cancel: forget it.
    """

    do: Literal["skip", "back", "face", "finish", "pause", "cancel"]
    face: str = ""


class SetDeck(msgspec.Struct, frozen=True, tag="set_deck", tag_field="kind"):
    """A deck comes into use, goes off the table, is kept for an investigation, is destroyed."""

    deck: str
    state: Literal["registered", "in_use", "out", "quarantine", "retired"]
    reason: Words = ""


class Diagnose(msgspec.Struct, frozen=True, tag="diagnose", tag_field="kind"):
    """Show for so many seconds what each antenna and each link does; 0: no longer."""

    seconds: Annotated[int, msgspec.Meta(ge=0, le=600)] = 30


class AskReceipt(msgspec.Struct, frozen=True, tag="ask_receipt", tag_field="kind"):
    """The receipt of a deck check; ``number`` 0: the last one. The result's ``params`` hold it."""

    number: Annotated[int, msgspec.Meta(ge=0)] = 0


class SaveTrace(msgspec.Struct, frozen=True, tag="save_trace", tag_field="kind"):
    """Write the recording of the last minutes to a file of the table's own. The result's ``params`` say where it lies."""


EquipmentCommand = (
    RegisterDeck | CheckDeck | Calibrate | SetupStep | SetDeck | Diagnose | AskReceipt | SaveTrace
)

# -- facts ---------------------------------------------------------------------------------------------------------------------


#: An antenna of a calibration: to be touched later or now, or what it came to.
TouchState = Literal["waiting", "now", "good", "poor", "unmeasured", "missing"]


class TouchView(msgspec.Struct, frozen=True):
    """An antenna of a calibration that is going on."""

    device: str
    antenna: int
    zone: str
    state: TouchState


class SetupFact(msgspec.Struct, frozen=True, tag="setup", tag_field="kind"):
    """What is being set up. ``what`` "": nothing.

    ``done`` of ``of`` cards or antennas. ``next``: the face to lay down next, or the zone to touch next. ``note`` with ``params``: what
    was last seen or refused, a code. ``faces``: of a registration, the cards that are registered, as decks come out of their box.
    ``touches``: of a calibration, its antennas in their order.
    """

    what: Literal["", "registration", "check", "calibration"] = ""
    deck: str = ""
    zone: str = ""
    done: int = 0
    of: int = 0
    next: str = ""
    note: str = ""
    params: dict[str, str | int] = {}
    faces: tuple[str, ...] = ()
    touches: tuple[TouchView, ...] = ()


class DeckView(msgspec.Struct, frozen=True):
    """A deck as its register has it. Times in seconds of UTC, 0: never. ``long_in_use``: for more than 24 hours.

    ``cards``: how many are registered; ``wrong_counts``: how often a shuffler counted it otherwise.
    """

    deck: str
    back: str
    state: DeckLife
    cards: int = 52
    since_s: int = 0
    registered_s: int = 0
    in_use_since_s: int = 0
    checked_s: int = 0
    long_in_use: bool = False
    wrong_counts: int = 0
    reason: str = ""


class DecksFact(msgspec.Struct, frozen=True, tag="decks", tag_field="kind"):
    """The decks of the table."""

    decks: tuple[DeckView, ...] = ()


class AntennaView(msgspec.Struct, frozen=True):
    """An antenna: what was measured of it, and how many cards it sees now (None while nobody diagnoses).

    ``state``: good, poor, unmeasured, missing (skipped at the calibration). ``scans``: what the figures rest on.
    ``hit_per_10k`` of 10,000 scans read a card that lies well; ``badly_placed_per_10k`` of 10,000 cards are hardly read;
    ``ghost_per_10k`` of 10,000 cards are read here although they lie elsewhere. ``bleeds_to``: zones that also read the card that lay
    here.
    """

    device: str
    antenna: int
    zone: str
    state: Literal["good", "poor", "unmeasured", "missing"] = "unmeasured"
    cards: int | None = None
    scans: int = 0
    hit_per_10k: int = 0
    badly_placed_per_10k: int = 0
    ghost_per_10k: int = 0
    scan_period_ms: int = 0
    bleeds_to: tuple[str, ...] = ()


class AntennasFact(msgspec.Struct, frozen=True, tag="antennas", tag_field="kind"):
    """The antennas of the table. ``fingerprint``: of the calibration in force, "" for none."""

    antennas: tuple[AntennaView, ...] = ()
    fingerprint: str = ""


class LinkView(msgspec.Struct, frozen=True):
    """A device's link: its state, what the device says it is, how often it was lost, its counters of faults."""

    device: str
    role: str
    state: str
    detail: str = ""
    losses: int = 0
    maker: str = ""
    model: str = ""
    serial: str = ""
    firmware: str = ""
    counters: dict[str, int] = {}


class LinksFact(msgspec.Struct, frozen=True, tag="links", tag_field="kind"):
    """The links, while somebody diagnoses."""

    links: tuple[LinkView, ...] = ()


EquipmentFact = SetupFact | DecksFact | AntennasFact | LinksFact
