"""From a hand to facts: each section of the screen from public state, and which sections an event can have changed.

Nothing here can leak a hidden card: a hand holds none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec.structs import replace

from dealer_assist import betting
from dealer_assist.betting import BettingState
from dealer_assist.domain import facts as fx
from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.zones import BOARDS, SEATS
from dealer_assist.procedure import events as pe
from dealer_assist.table import events as te
from dealer_assist.table.events import TableEvent
from dealer_assist.table.hand import Hand
from dealer_assist.table.now_line import now_fact
from dealer_assist.table.pad_fact import pad_fact

Section = tuple[str, str]

HAND: Final[Section] = ("hand", "")
BOARD: Final[Section] = ("board", "")
POT: Final[Section] = ("pot", "")
NOW: Final[Section] = ("now", "")
PAD: Final[Section] = ("pad", "")
#: drawn by the screen: it is the table's, not the hand's
SAVES: Final[Section] = ("saves", "")

_STEP: Final = (HAND, NOW, PAD)
_BOARD_NOW: Final = (BOARD, NOW)
_BOARD_POT_NOW: Final = (BOARD, POT, NOW)  # with the flop the pot is raked
_NOTHING: Final[tuple[Section, ...]] = ()
_CHIPS: Final = (POT, NOW, PAD, HAND)

#: Event → the sections it can change, apart from seats.
_TOUCHED: Final[dict[type, tuple[Section, ...]]] = {
    pe.CardPitched: (NOW, PAD),
    pe.CardLies: _NOTHING,
    pe.CardGlimpsed: _NOTHING,
    pe.AntennasKnown: _NOTHING,
    pe.CardLeft: _NOTHING,
    pe.CardBurned: _BOARD_NOW,
    pe.BurnTakenBack: _BOARD_NOW,
    pe.SpareBurnUsed: _BOARD_NOW,
    pe.BoardCardLaid: _BOARD_POT_NOW,
    pe.BoardJudged: _BOARD_POT_NOW,
    pe.BoardCardGone: _BOARD_POT_NOW,
    pe.CardMucked: (BOARD,),
    pe.MuckedTakenBack: (BOARD,),
    pe.FaceAsked: _NOTHING,
    pe.FaceShown: _BOARD_NOW,
    pe.StepReached: _STEP,
    pe.PlanRewritten: _STEP,
    pe.PlanShelved: _NOTHING,
    pe.Exposed: _NOTHING,
    pe.PresetBurn: (NOW,),
    pe.HoleCardTaken: _NOTHING,
    pe.AlertSet: (NOW,),
    pe.RuleSilenced: _NOTHING,
    pe.QuestionAsked: _NOTHING,
    pe.SeatMarked: _NOTHING,
    pe.DeadlineSet: _NOTHING,
    pe.ReadersChanged: (NOW,),
    pe.RemedyBegun: _NOTHING,
    pe.StubShuffled: _NOTHING,
    pe.CardScrapped: _BOARD_NOW,
    pe.CardFreed: _NOTHING,
    pe.ScrapExpected: _NOTHING,
    pe.PickExpected: _NOTHING,
    pe.HeldOpen: _NOTHING,
    pe.BurnDiscounted: _BOARD_NOW,
    pe.ActionCorrected: _NOTHING,
    pe.HandIdentified: _NOTHING,
    pe.CardExited: _NOTHING,
    pe.DeckChanged: (NOW,),
    pe.CardsChosen: _STEP,
    te.EventLogged: _NOTHING,
    te.RulingEntered: _NOTHING,
    te.FoldAwaited: _NOTHING,
    te.FloorCalled: _NOTHING,
    te.ClockCalled: (NOW,),
    te.ClockRanOut: (NOW,),
    te.ActionTaken: _CHIPS,
    te.FoldedOutOfTurn: _CHIPS,
}

#: Events after which every seat is drawn anew.
_ALL_SEATS: Final = (
    te.StackRebased, te.AllInSaid,
    pe.HandOpened, pe.OrderCorrected, pe.MisdealDeclared, pe.CardsGathered, pe.DealBegunAgain, pe.HandEnded, te.BettingStarted,
    te.StreetBegun, te.PotsAwarded, te.HandClosed, te.AwardTakenBack, te.HandDead, te.Unfolded, pe.HandRevived, pe.ButtonCorrected,
    te.Straddled,
)  # fmt: skip
_EVERYTHING: Final = (HAND, BOARD, POT, NOW, PAD)


#: Events that change one seat, named by their own ``seat``.
_ONE_SEAT: Final = frozenset(
    {pe.CardPitched, pe.SeatMarked, pe.HoleCardTaken, te.SeatTabled, te.SeatMucked, te.FoldedOutOfTurn}
)
_SEAT: Final[dict[int, Section]] = {seat: ("seat", str(seat)) for seat in SEATS}


def touched(hand: Hand, events: list[TableEvent]) -> dict[Section, None]:
    """The sections that ``events`` can have changed, now that ``hand`` is the state; in the order of the events, each once."""
    sections: dict[Section, None] = {}
    for event in events:
        kind = type(event)
        own = _TOUCHED.get(kind, _EVERYTHING)
        if own:
            sections.update(dict.fromkeys(own))
        if kind in _ONE_SEAT:
            sections[_SEAT[event.seat]] = None  # type: ignore[union-attr, index]
        other = _OTHER.get(kind)
        if other is not None:
            sections.update(dict.fromkeys(other(hand, event)))
    return sections


def _turn_moved(hand: Hand, seat: int) -> tuple[Section, ...]:
    """The seat that acted, and the one whose turn it is now."""
    to_act = hand.betting.to_act
    if to_act is None:  # the bets are pulled in
        return tuple([_SEAT[other] for other in hand.betting.setup.seats])
    return (_SEAT[seat], _SEAT[to_act])


def _every_seat(hand: Hand, event: Any) -> list[Section]:
    state = hand.procedure
    out = [record.seat for record in state.opening.seats if record.seat not in state.order]
    return [_SEAT[seat] for seat in (*state.order, *out)]


def _owner(hand: Hand, event: Any) -> tuple[Section, ...]:
    owner = hand.procedure.owner.get(event.ref)
    return () if owner is None else (_SEAT[owner],)


def _at_another_step(hand: Hand, event: Any) -> Iterable[Section]:
    """The seat to act glows only while it may; in a game with discards the plan's place also says how many cards are due."""
    state = hand.procedure
    if state.kept != state.hole:
        return _every_seat(hand, event)
    to_act = hand.betting.to_act
    return () if to_act is None else (_SEAT[to_act],)


_OTHER: Final[dict[type, Callable[[Hand, Any], Iterable[Section]]]] = {
    te.ActionTaken: lambda hand, event: _turn_moved(hand, event.action.seat),
    te.FoldedOutOfTurn: lambda hand, event: _turn_moved(hand, event.seat),
    pe.FaceShown: _owner,
    pe.StepReached: _at_another_step,
    pe.PlanRewritten: _at_another_step,
    te.CardEntered: lambda hand, event: () if event.seat is None else (_SEAT[event.seat],),
    pe.AlertSet: lambda hand, event: (("alert", event.alert.id), SAVES),
    **dict.fromkeys(_ALL_SEATS, _every_seat),
}


# -- the sections ------------------------------------------------------------------------------------------------------------


def hand_fact(hand: Hand) -> fx.HandFact:
    """Where the hand is."""
    state = hand.procedure
    blinds: dict[str, int] = {}
    for post in hand.betting.setup.posts:
        blinds.setdefault(post.kind, post.seat)  # a later big blind is a new player's post
    return fx.HandFact(
        hand=state.hand,
        attempt=state.attempt,
        phase=hand.phase,
        street=state.street,
        button=state.opening.button,
        small_blind_seat=blinds.get("small_blind"),
        big_blind_seat=blinds.get("big_blind", blinds.get("button_blind")),
        game=state.opening.game,
        kill=state.opening.kill,
    )


def seat_fact(hand: Hand, seat: int) -> fx.SeatFact:
    """A seat of the hand."""
    state = hand.procedure
    cards = hand.betting
    seats = cards.setup.seats
    if seat not in seats:
        return fx.SeatFact(
            seat,
            "in",
            "live",
            None,
            0,
            len(state.held.get(seat, ())),
            state.due,
            to_act=False,
            marks=state.marks.get(seat, ()),
        )
    index = seats.index(seat)
    ended = hand.settlement is not None and not hand.chips_back
    if cards.folded[index]:
        status: fx.HandStatus = "folded"
    elif seat in hand.tabled:
        status = "tabled"
    elif seat in hand.mucked:
        status = "mucked"
    elif cards.all_in[index]:
        status = "all_in"
    else:
        status = "live"
    settlement = hand.settlement
    stack = cards.known_stack_of(seat)
    bet = cards.bets[index] if cards.to_act is not None else _uncalled_of(cards, seat)
    won = 0
    if ended and settlement is not None:
        stack = settlement.stacks.get(seat)
        bet = 0
        won = settlement.pushed().get(seat, 0)
    elif state.ended in ("void", "chopped"):
        # every contribution goes back
        stack = None if stack is None else cards.setup.stacks[index] - hand.chop_paid().get(seat, 0)
        bet = 0
    marks = state.marks.get(seat, ())
    if seat in hand.rebased:
        marks = (*marks, "rebased")
    if not cards.setup.amounts:
        stack, bet = None, 0
    last_action = ""
    for taken in reversed(cards.log[cards.street_starts[-1] :]):
        if taken.seat == seat:
            last_action = "all_in" if taken.all_in else taken.kind
            if taken.assumed:
                marks = (*marks, "assumed")
            break
    return fx.SeatFact(
        seat,
        "in",
        status,
        stack,
        bet,
        0 if _cards_gone(hand, seat, status) else len(state.held.get(seat, ())),
        state.due,
        cards.to_act == seat and not ended and not state.misdeal and state.step.kind in ("bet", "deal"),
        last_action,
        hand.faces_of(seat) if hand.tabled else (),
        marks,
        won,
    )


def _cards_gone(hand: Hand, seat: int, status: str) -> bool:
    """Whether a seat has no cards any more: they lie in the muck, or stay at the seat where the game keeps them there."""
    if status == "folded":
        return hand.procedure.folds == "muck" or seat in hand.procedure.dead
    return status == "mucked"


def _uncalled_of(state: BettingState, seat: int) -> int:
    """What is still in front of a seat once the round is complete and the bets are pulled in."""
    uncalled = betting.uncalled(state)
    return uncalled[1] if uncalled is not None and uncalled[0] == seat else 0


def board_fact(hand: Hand) -> fx.BoardFact:
    """The board, faces only where they are public."""
    state = hand.procedure
    slots = sorted(state.slots, key=lambda slot: (slot.early, slot.first_ms if slot.early else 0))
    cards = tuple(
        [
            fx.BoardCard(
                None if slot.early else state.faces.get(slot.ref), slot.early, BOARDS.index(slot.zone) + 1
            )
            for slot in slots
        ]
    )
    return fx.BoardFact(
        cards,
        len(state.burns) + len(state.spare_burns) + len(state.dead_burns),
        len(state.mucked),
        state.times,
        sum([state.common(slot.street) for slot in state.slots if not slot.early]) if state.times > 1 else 0,
    )


def pot_fact(hand: Hand) -> fx.PotFact:
    """Chips in the middle and in front."""
    state = hand.betting
    if not state.setup.amounts:
        return fx.PotFact((), 0, 0)
    if hand.result in ("misdeal", "void", "chopped") or hand.procedure.ended in ("void", "chopped"):
        return fx.PotFact((), 0, 0, sum(hand.chop_paid().values()))
    if hand.settlement is not None:
        return pots_shown(betting.pots(state), 0, hand.settlement.rake, hand.settlement.drops)
    rake, drops = betting.house_take(state, flop_seen=hand.flop_seen)
    if state.to_act is None:
        uncalled = betting.uncalled(state)
        return pots_shown(betting.pots(state), uncalled[1] if uncalled is not None else 0, rake, drops)
    in_front = sum(state.bets)
    if in_front == sum(state.contributed):
        return fx.PotFact((), in_front, in_front)
    return pots_shown(betting.gathered_pots(state), in_front, rake, drops)


def pots_shown(
    pots: tuple[betting.Pot, ...], in_front: int, rake: int, drops: tuple[tuple[str, int], ...]
) -> fx.PotFact:
    """The pots without what the house takes of them, main first."""
    takes = betting.taken_of_each([pot.amount for pot in pots], rake + sum([amount for _, amount in drops]))
    views = tuple(
        [fx.PotView(pot.amount - take, pot.eligible) for pot, take in zip(pots, takes, strict=True)]
    )
    return fx.PotFact(views, in_front, in_front + sum([view.amount for view in views]), rake, drops)


def alert_fact(alert: Alert) -> fx.AlertFact:
    """An alert as it stands; which card a step waits for is the table's own, and another one in every run."""
    if not any("card" in step.params for step in alert.steps):
        return fx.AlertFact(alert)
    steps = [
        replace(step, params={name: value for name, value in step.params.items() if name != "card"})
        for step in alert.steps
    ]
    return fx.AlertFact(replace(alert, steps=tuple(steps)))


Noticed = te.FloorCalled | te.EventLogged | pe.HandIdentified | te.AmountRuled | te.KeptActionDue


def notice(event: Noticed) -> fx.NoticeFact:
    """A quiet notice: the floor was called, a power card was played, whose hand a card is of, what chips and words came to."""
    if isinstance(event, te.AmountRuled):
        return _amount(event)
    if isinstance(event, te.KeptActionDue):
        code = "kept_binding" if event.binding else "kept_free"
        return fx.NoticeFact(f"kept/{event.seat}", code, {"seat": event.seat})
    if isinstance(event, te.FloorCalled):
        return fx.NoticeFact("floor", "floor_called", {})
    if isinstance(event, pe.HandIdentified):
        code = "hand_identified" if event.is_hand else "hand_not_identified"
        return fx.NoticeFact("identified", code, {"seat": event.seat})
    params = {"seat": event.seat, "name": event.name, "target": event.target or 0}
    return fx.NoticeFact(f"event/{event.seat}", "event", params)


#: Readings that settle nothing yet → what the screen says of them.
_OPEN_AMOUNTS: Final = {
    "undercall_floor": "amount_floor",
    "check_facing_bet": "amount_check",
    "unclear": "amount_unclear",
}


def _amount(event: te.AmountRuled) -> fx.NoticeFact:
    code = "amount_back" if event.back else "amount_ruled"
    if event.action is None:
        code = _OPEN_AMOUNTS[event.reason]
    params = {
        "action": event.action or "",
        "to": event.to,
        "back": event.back,
        "owes": event.owes,
        "rule": event.rule,
        "reason": event.reason,
        "string": event.string,
    }
    return fx.NoticeFact(f"amount/{event.seat}", code, {"seat": event.seat, **params})


def render(hand: Hand, section: Section) -> fx.Fact:
    """The fact of one section of a hand."""
    kind, key = section
    match kind:
        case "seat":
            return seat_fact(hand, int(key))
        case "alert":
            return alert_fact(hand.procedure.alerts[key])
        case "hand":
            return hand_fact(hand)
        case "board":
            return board_fact(hand)
        case "pot":
            return pot_fact(hand)
        case "now":
            return now_fact(hand)
        case _:
            return pad_fact(hand)
