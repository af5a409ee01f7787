"""Inputs of a table: all that can change its state, in the order in which they are judged. The journal keeps every one.

No input holds a hidden card: cards come as references that are random per hand, a face only once it is public. ``t_ms`` is table
time in milliseconds.
"""

from __future__ import annotations

import msgspec

from dealer_assist.domain.commands import Actor, Command
from dealer_assist.procedure.alignment.sensing import SensingParameters
from dealer_assist.procedure.state import CardFace, DeckState


class CardPlaced(msgspec.Struct, frozen=True, tag="card_placed", tag_field="input"):
    """A card lies at a zone; it came after ``since_ms`` and by ``first_ms``. ``same_face``: another card of the hand has its face.

    ``in_game`` False: a card that the game of this hand does not have.
    """

    ref: str
    zone: str
    since_ms: int
    first_ms: int
    t_ms: int
    same_face: bool = False
    in_game: bool = True


class CardGlimpsed(msgspec.Struct, frozen=True, tag="card_glimpsed", tag_field="input"):
    """A card of the deck in play was read once at a zone, at ``first_ms``, and no second time; it lies nowhere."""

    ref: str
    zone: str
    first_ms: int
    t_ms: int


class CardRemoved(msgspec.Struct, frozen=True, tag="card_removed", tag_field="input"):
    """A card has left a zone, where it was last read at ``last_ms``; 0 in journals that were written before it was kept."""

    ref: str
    zone: str
    t_ms: int
    last_ms: int = 0


class FaceRevealed(msgspec.Struct, frozen=True, tag="face_revealed", tag_field="input"):
    """The vault gives the face of a card that is public by the procedure."""

    ref: str
    face: str
    t_ms: int


class TimePassed(msgspec.Struct, frozen=True, tag="time_passed", tag_field="input"):
    """A deadline has come."""

    t_ms: int


class Told(msgspec.Struct, frozen=True, tag="told", tag_field="input"):
    """A person's command."""

    command: Command
    actor: Actor
    t_ms: int


class ReadersKnown(msgspec.Struct, frozen=True, tag="readers_known", tag_field="input"):
    """The zones that have a working reader from now on."""

    zones: tuple[str, ...]
    t_ms: int


class Superseded(msgspec.Struct, frozen=True, tag="superseded", tag_field="input"):
    """The input with this number (counted from the hand's opening, 0) no longer counts; later ones were judged again.

    ``instead``: this command counts in its place. ``before``: nothing is taken out, the command counts just before that input: a
    tap that came late. ``without``: the later input that it was, when it had counted there at first.
    """

    index: int
    actor: Actor
    t_ms: int
    instead: Command | None = None
    before: bool = False
    without: int | None = None


class DeckKnown(msgspec.Struct, frozen=True, tag="deck_known", tag_field="input"):
    """What is known of the deck of this hand; ``count`` and ``expected`` of a shuffler's verdict."""

    state: DeckState
    t_ms: int
    count: int | None = None
    expected: int | None = None


class StrangeCard(msgspec.Struct, frozen=True, tag="strange_card", tag_field="input"):
    """A tag of no deck in play lies at a zone, or is ``gone`` from it; ``other_deck``: it belongs to the table's other deck."""

    zone: str
    other_deck: bool
    t_ms: int
    ref: str = ""
    gone: bool = False


class SensingKnown(msgspec.Struct, frozen=True, tag="sensing_known", tag_field="input"):
    """How well each zone's antenna reads, as it was known when the hand was opened: what is said in it is judged by this."""

    sensing: dict[str, SensingParameters]
    t_ms: int


class CardLeftLying(msgspec.Struct, frozen=True, tag="card_left_lying", tag_field="input"):
    """A card of the last hand still lay at a seat when this one began."""

    ref: str
    seat: int
    t_ms: int


class CardExited(msgspec.Struct, frozen=True, tag="card_exited", tag_field="input"):
    """A card left the shoe at ``exit_ms``. ``missed``: so many exits before it are known to have happened, but not when."""

    exit_ms: int
    face: CardFace
    t_ms: int
    missed: int = 0


Input = (
    CardPlaced
    | CardGlimpsed
    | CardRemoved
    | FaceRevealed
    | TimePassed
    | Told
    | ReadersKnown
    | Superseded
    | DeckKnown
    | SensingKnown
    | StrangeCard
    | CardLeftLying
    | CardExited
)
