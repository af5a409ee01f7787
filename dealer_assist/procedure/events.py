"""What the procedure decided, past tense. Folding these gives the state again; none holds a card that is not public."""

from __future__ import annotations

import msgspec

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.cards import CardRef, Face
from dealer_assist.domain.table import Entry, ForcedBet, HandOpening, HandResult, SeatStack, Street
from dealer_assist.domain.zones import BOARD, Zone
from dealer_assist.procedure.alignment.sensing import SensingParameters
from dealer_assist.procedure.state import DeckState, Exit, Folds, PlanStep, RunItRule


class HandOpened(msgspec.Struct, frozen=True, tag="hand_opened", tag_field="event"):
    """A hand began: the opening as given, the seats in the order of the deal, and the plan.

    ``house`` and ``fingerprint``: the rules that it is judged by (:func:`~dealer_assist.procedure.house.fingerprint`).
    """

    opening: HandOpening
    order: tuple[int, ...]
    hole: int
    plan: tuple[PlanStep, ...]
    readers: tuple[Zone, ...]
    settle_ms: int
    t_ms: int
    kept: int
    folds: Folds = "muck"
    entry: Entry = "every_action"
    deck: DeckState = "unknown"
    house: str = ""
    fingerprint: str = ""
    cards: int = 52
    run_it: RunItRule = RunItRule()
    #: whether the house wants all hands up once everybody is all-in (A12)
    hands_up: bool = False


class ReadersChanged(msgspec.Struct, frozen=True, tag="readers_changed", tag_field="event"):
    """Which zones have a working reader."""

    zones: tuple[Zone, ...]


class CardPitched(msgspec.Struct, frozen=True, tag="card_pitched", tag_field="event"):
    """A card came to a seat and belongs to its hand."""

    ref: CardRef
    seat: int
    since_ms: int
    first_ms: int


class CardLies(msgspec.Struct, frozen=True, tag="card_lies", tag_field="event"):
    """A card lies at a zone; what it is there for is told by other events."""

    ref: CardRef
    zone: Zone
    #: the first read of it there, in table ms; 0 in journals that were written before it was kept
    first_ms: int = 0


class CardGlimpsed(msgspec.Struct, frozen=True, tag="card_glimpsed", tag_field="event"):
    """A card that lies nowhere was read once at a zone, at ``first_ms``, and no second time."""

    ref: CardRef
    zone: Zone
    first_ms: int


class CardLeft(msgspec.Struct, frozen=True, tag="card_left", tag_field="event"):
    """A card left a zone at ``t_ms``: it is in a hand, or on its way."""

    ref: CardRef
    zone: Zone
    t_ms: int = 0
    #: its last read there, in table ms; 0 where it is not known
    last_ms: int = 0


class CardBurned(msgspec.Struct, frozen=True, tag="card_burned", tag_field="event"):
    """A card lies on the burn spot as a burn. ``spare``: it was taken before its time."""

    ref: CardRef
    spare: bool


class MuckedTakenBack(msgspec.Struct, frozen=True, tag="mucked_taken_back", tag_field="event"):
    """A card that was read at the muck was none of it: it lay at its edge."""

    ref: CardRef


class BurnTakenBack(msgspec.Struct, frozen=True, tag="burn_taken_back", tag_field="event"):
    """A burn went back to the stub."""

    ref: CardRef


class SpareBurnUsed(msgspec.Struct, frozen=True, tag="spare_burn_used", tag_field="event"):
    """A burn taken before its time now counts as its street's burn."""

    ref: CardRef


class BoardCardLaid(msgspec.Struct, frozen=True, tag="board_card_laid", tag_field="event"):
    """A card was put on the board for a street. ``early``: before its time."""

    ref: CardRef
    street: Street
    first_ms: int
    early: bool
    zone: Zone = BOARD


class BoardJudged(msgspec.Struct, frozen=True, tag="board_judged", tag_field="event"):
    """Cards of the board play from now on, or do not."""

    refs: tuple[CardRef, ...]
    early: bool


class BoardCardGone(msgspec.Struct, frozen=True, tag="board_card_gone", tag_field="event"):
    """A card was taken off the board."""

    ref: CardRef


class CardMucked(msgspec.Struct, frozen=True, tag="card_mucked", tag_field="event"):
    """A card reached the muck."""

    ref: CardRef
    seat: int | None


class FaceAsked(msgspec.Struct, frozen=True, tag="face_asked", tag_field="event"):
    """These cards are public by the procedure: the vault is asked for their faces."""

    refs: tuple[CardRef, ...]


class FaceShown(msgspec.Struct, frozen=True, tag="face_shown", tag_field="event"):
    """The face of a public card."""

    ref: CardRef
    face: Face


class StepReached(msgspec.Struct, frozen=True, tag="step_reached", tag_field="event"):
    """The plan moved on to the step at this index."""

    at: int


class PlanRewritten(msgspec.Struct, frozen=True, tag="plan_rewritten", tag_field="event"):
    """A remedy replaced the rest of the plan."""

    plan: tuple[PlanStep, ...]
    at: int


class PlanShelved(msgspec.Struct, frozen=True, tag="plan_shelved", tag_field="event"):
    """The plan as it was before this alert's remedy, kept in case the alert falls away."""

    alert: str
    plan: tuple[PlanStep, ...]


class OrderCorrected(msgspec.Struct, frozen=True, tag="order_corrected", tag_field="event"):
    """A seat's status was wrong: these are the dealt-in seats, in the order of the deal.

    ``joined``: who came in, with chips. ``posts``: the forced bets as they are now.
    """

    order: tuple[int, ...]
    joined: tuple[SeatStack, ...] = ()
    posts: tuple[ForcedBet, ...] = ()


class Exposed(msgspec.Struct, frozen=True, tag="exposed", tag_field="event"):
    """The dealer reported a hole card of this seat exposed by a dealing fault."""

    seat: int


class PresetBurn(msgspec.Struct, frozen=True, tag="preset_burn", tag_field="event"):
    """The card that must be the flop's burn; "?" until it is known which; None: no longer."""

    ref: CardRef | None
    replacing: int | None


class HoleCardTaken(msgspec.Struct, frozen=True, tag="hole_card_taken", tag_field="event"):
    """A card no longer belongs to a seat's hand."""

    ref: CardRef
    seat: int


class AlertSet(msgspec.Struct, frozen=True, tag="alert_set", tag_field="event"):
    """An alert as it stands now; it replaces the one with the same id."""

    alert: Alert


class QuestionAsked(msgspec.Struct, frozen=True, tag="question_asked", tag_field="event"):
    """A question about the order of the deal came up at ``t_ms``: what a dealer does soon after is no answer to it."""

    alert: str
    t_ms: int


class RuleSilenced(msgspec.Struct, frozen=True, tag="rule_silenced", tag_field="event"):
    """The dealer deals on: this rule says nothing more in this hand."""

    rule: str


class SeatMarked(msgspec.Struct, frozen=True, tag="seat_marked", tag_field="event"):
    """The quiet marks of a seat."""

    seat: int
    marks: tuple[str, ...]


class DeadlineSet(msgspec.Struct, frozen=True, tag="deadline_set", tag_field="event"):
    """Something is judged at this time, in table milliseconds; None: no longer."""

    name: str
    t_ms: int | None


class MisdealDeclared(msgspec.Struct, frozen=True, tag="misdeal_declared", tag_field="event"):
    """The cards are to be gathered and dealt again; ``on`` False: the declaration was taken back."""

    on: bool


class CardsGathered(msgspec.Struct, frozen=True, tag="cards_gathered", tag_field="event"):
    """Every card has left the seats and the board."""


class DealBegunAgain(msgspec.Struct, frozen=True, tag="deal_begun_again", tag_field="event"):
    """The hand is dealt again with the same button and posts."""

    attempt: int


class HandEnded(msgspec.Struct, frozen=True, tag="hand_ended", tag_field="event"):
    """The procedure of the hand is over. ``chopped``: the blinds agreed to take their bets back (A17)."""

    result: HandResult


class BurnDiscounted(msgspec.Struct, frozen=True, tag="burn_discounted", tag_field="event"):
    """A burn too many stays where it lies and counts for no street."""

    ref: CardRef


class HandKilled(msgspec.Struct, frozen=True, tag="hand_killed", tag_field="event"):
    """The hand of a seat is dead by ruling; its chips stay in the pot."""

    seat: int


class HandRevived(msgspec.Struct, frozen=True, tag="hand_revived", tag_field="event"):
    """The floor gives a hand back that was on its way to the muck."""

    seat: int


class ButtonCorrected(msgspec.Struct, frozen=True, tag="button_corrected", tag_field="event"):
    """The button belongs at this seat: the hand is dealt again from there."""

    seat: int


class CardScrapped(msgspec.Struct, frozen=True, tag="card_scrapped", tag_field="event"):
    """A card does not play and counts as nothing. ``burned``: it was a burn, and that street's burn stays behind it."""

    ref: CardRef
    burned: bool = False


class ScrapExpected(msgspec.Struct, frozen=True, tag="scrap_expected", tag_field="event"):
    """So many cards that were set aside are still to be read."""

    count: int


class PickExpected(msgspec.Struct, frozen=True, tag="pick_expected", tag_field="event"):
    """The floor draws one of too many flop cards; it will be the next burn."""

    on: bool


class MuckShuffledIn(msgspec.Struct, frozen=True, tag="muck_shuffled_in", tag_field="event"):
    """Muck and burns went into the stub: these cards can come again."""

    refs: tuple[CardRef, ...] = ()


class CardFreed(msgspec.Struct, frozen=True, tag="card_freed", tag_field="event"):
    """A card that did not play was taken up; it may come again."""

    ref: CardRef


class HeldOpen(msgspec.Struct, frozen=True, tag="held_open", tag_field="event"):
    """The dealer says that the round of this street is not closed, whatever a burn or board card that came by ``t_ms`` says."""

    street: Street
    t_ms: int = 0


class StubShuffled(msgspec.Struct, frozen=True, tag="stub_shuffled", tag_field="event"):
    """The stub was shuffled in the middle of the hand."""


class AntennasKnown(msgspec.Struct, frozen=True, tag="antennas_known", tag_field="event"):
    """How well each zone's antenna reads."""

    sensing: dict[Zone, SensingParameters]


class DeckChanged(msgspec.Struct, frozen=True, tag="deck_changed", tag_field="event"):
    """What is known of the deck in play."""

    deck: DeckState


class ActionCorrected(msgspec.Struct, frozen=True, tag="action_corrected", tag_field="event"):
    """An earlier action of this seat was amended."""

    seat: int


class CardsChosen(msgspec.Struct, frozen=True, tag="cards_chosen", tag_field="event"):
    """A seat named its point card, or its discards as far as they were read."""

    seat: int
    refs: tuple[CardRef, ...]


class RemedyBegun(msgspec.Struct, frozen=True, tag="remedy_begun", tag_field="event"):
    """What had happened when the remedy of this alert began: for the steps that no reader sees."""

    alert: str
    street: str
    actions: int


class HandIdentified(msgspec.Struct, frozen=True, tag="hand_identified", tag_field="event"):
    """The single-card reader was asked whether a card is one of this seat's hand: yes or no, never which card."""

    seat: int
    is_hand: bool


class RunItAgreed(msgspec.Struct, frozen=True, tag="run_it_agreed", tag_field="event"):
    """All agreed: from ``street`` on the board is dealt ``times`` times; 1: only once after all."""

    times: int
    street: Street


class BoardBegun(msgspec.Struct, frozen=True, tag="board_begun", tag_field="event"):
    """A board is finished and the next one, number ``run``, is dealt below it."""

    run: int


class FirstBoardCounts(msgspec.Struct, frozen=True, tag="first_board_counts", tag_field="event"):
    """There is a dispute about a board run more than once: only the first one counts; ``on`` False: all of them do after all."""

    on: bool


class CardExited(msgspec.Struct, frozen=True, tag="card_exited", tag_field="event"):
    """A card left the shoe: one more of this deal, whichever it is."""

    exit: Exit


ProcedureEvent = (
    HandOpened | ReadersChanged | CardPitched | CardLies | CardGlimpsed | CardLeft | CardBurned | BurnTakenBack | SpareBurnUsed
    | BoardCardLaid | BoardJudged | BoardCardGone | CardMucked | FaceAsked | FaceShown | StepReached | PlanRewritten
    | PlanShelved | OrderCorrected | Exposed | PresetBurn | HoleCardTaken | AlertSet | RuleSilenced | SeatMarked | DeadlineSet
    | MisdealDeclared | CardsGathered | DealBegunAgain | HandEnded | BurnDiscounted | HandKilled | HandRevived | ButtonCorrected
    | CardScrapped | ScrapExpected | PickExpected | MuckShuffledIn | StubShuffled | DeckChanged | ActionCorrected | CardsChosen
    | RemedyBegun | CardFreed | AntennasKnown | HeldOpen | HandIdentified | RunItAgreed | BoardBegun | FirstBoardCounts
    | CardExited | QuestionAsked | MuckedTakenBack
)  # fmt: skip
