"""The one big line: what comes next, from the plan, a recovery that is running, or the award."""

from __future__ import annotations

from typing import Any, Final

from dealer_assist import betting
from dealer_assist.domain import facts as fx
from dealer_assist.domain.alerts import Step
from dealer_assist.domain.zones import BOARDS
from dealer_assist.table.hand import Hand


def now_fact(hand: Hand) -> fx.NowFact:
    """The one big line."""
    state = hand.procedure
    if hand.result or state.ended:
        return fx.NowFact("idle", {"result": hand.result or state.ended})
    if state.alerts:
        step = _recovery_step(hand)
        if step is not None:
            return step
    if state.misdeal:
        return fx.NowFact("step", {"step": "gather_all"})
    if hand.settlement is not None:
        return fx.NowFact("push", {}, hand.pushes)
    plan = state.step
    match plan.kind:
        case "deal" if state.deck in ("used", "shuffling", "short") and not state.pitches:
            return fx.NowFact("deck_not_ready", {"deck": state.deck})
        case "deal":
            return fx.NowFact("deal", {"seat": _next_seat(hand)})
        case "bet":
            legal = betting.legal(hand.betting)
            if legal is None:
                return fx.NowFact("wait", {"street": plan.street})
            if not hand.betting.setup.amounts:
                return fx.NowFact("betting", {"street": plan.street, **_clock(hand)})
            return fx.NowFact("act", {"seat": legal.seat, "call": legal.call, **_clock(hand)})
        case "burn":
            if _hands_to_turn_up(hand):
                return fx.NowFact("show", {"seats": _hands_to_turn_up(hand)})
            return fx.NowFact("burn", {"street": plan.street, **_run(hand)})
        case "board":
            if _hands_to_turn_up(hand):
                return fx.NowFact("show", {"seats": _hands_to_turn_up(hand)})
            count = plan.count - sum(
                slot.street == plan.street and slot.zone == plan.zone and not slot.early
                for slot in state.board
            )
            return fx.NowFact(
                "board",
                {
                    "street": plan.street,
                    "count": plan.count if count <= 0 else count,
                    "board": BOARDS.index(plan.zone) + 1,
                    **_run(hand),
                },
            )
        case "discard":
            waiting = [
                seat for seat in hand.bets.live if len(state.held.get(seat, ())) > state.due - plan.count
            ]
            return fx.NowFact("discard", {"seats": waiting, "count": plan.count})
        case "point":
            return fx.NowFact(
                "point", {"seats": [seat for seat in hand.bets.live if seat not in state.chosen]}
            )
        case "window":
            price = sum(hand.betting.fund.antes) if hand.betting.fund is not None else 0
            return fx.NowFact("window", {"seats": _may_unfold(hand), "price": price})
        case "gather":
            return fx.NowFact("step", {"step": "gather_board"})
        case "shuffle":
            return fx.NowFact("step", {"step": "shuffle_cut_stub"})
        case _:
            order = [
                seat
                for seat in (*betting.showdown_order(hand.betting), *hand.for_the_fund())
                if seat not in hand.tabled and seat not in hand.mucked
            ]
            return _not_read(hand) if not order else fx.NowFact("show", {"seats": order})


#: Of a complete board.
_BOARD_CARDS: Final = 5


def _not_read(hand: Hand) -> fx.NowFact:
    """Everybody has shown or given up, and a card that decides is not known: all of a hand is tabled to win (P6), or entered.

    A face that the table is about to turn up is not asked for.
    """
    state = hand.procedure
    shown = [seat for seat in (*hand.bets.live, *hand.for_the_fund()) if seat not in hand.mucked]
    seats = [
        seat for seat in shown if state.kept not in (len(hand.tabled.get(seat, ())), len(hand.faces_of(seat)))
    ]
    if seats:
        return fx.NowFact("cards_unread", {"seats": seats})
    coming = state.asked - state.faces.keys()
    if not coming and any(len(hand.board_faces(zone)) != _BOARD_CARDS for zone in hand.boards()):
        return fx.NowFact("board_unread")
    return fx.NowFact("show", {"seats": []})


def _clock(hand: Hand) -> dict[str, Any]:
    """The clock on the seat to act."""
    clock = hand.running_clock()
    if clock is None:
        return {}
    return {"clock": clock.until_ms, "clock_s": clock.seconds, "clock_over": hand.clock_over}


def _run(hand: Hand) -> dict[str, int]:
    """Which board a street is of, in a hand that is run more than once."""
    state = hand.procedure
    return {"run": state.run} if state.times > 1 else {}


def _hands_to_turn_up(hand: Hand) -> list[int]:
    """Everybody is all-in: hands still face down, before the burn and while they are asked about (a house that wants them up, A12).

    Before the board is run more than once they are turned up in every house: who wins which board is seen as it is dealt.
    """
    state = hand.procedure
    if state.times > 1 and state.cards_out == state.agreed_at:
        return [seat for seat in betting.showdown_order(hand.betting) if seat not in hand.tabled]
    alert = next((alert for alert in hand.procedure.alerts.values() if alert.rule == "A12"), None)
    asked = state.hands_up and hand.bets.runout if alert is None else alert.state in ("open", "fixing")
    if not asked or (alert is None and state.step.kind != "burn"):
        return []
    return [seat for seat in betting.showdown_order(hand.betting) if seat not in hand.tabled]


def _may_unfold(hand: Hand) -> list[int]:
    state = hand.betting
    return [seat for seat in state.setup.seats if betting.unfold_refusal(state, seat) is None]


def _next_seat(hand: Hand) -> int:
    """The seat that the next pitch goes to."""
    state = hand.procedure
    held = [len(state.held.get(seat, ())) for seat in state.order]
    return state.order[held.index(min(held))]


#: Steps that the plan's own line says better: who acts, or which street is due.
_PLAN_SAYS: Final = frozenset(
    {"finish_betting", "deal_on", "leave_burn", "no_second_burn", "exposed_is_burn", "extra_is_burn"}
)

#: … but where the plan says "burn" and a certain card is the burn, the step says which.
_SET_BURN: Final = frozenset({"exposed_is_burn", "extra_is_burn"})


def _recovery_step(hand: Hand) -> fx.NowFact | None:
    rank = {"high": 2, "medium": 1, "low": 0}
    running = [
        alert for alert in hand.procedure.alerts.values() if alert.state in ("open", "fixing") and alert.steps
    ]
    for alert in sorted(running, key=lambda alert: -rank[alert.priority]):
        current = next((step for step in alert.steps if step.state == "current"), None)
        if current is None or _waits(hand, current):
            continue
        if hand.settlement is not None and not any(
            step.seen and step.state != "done" for step in alert.steps
        ):
            continue  # the award is what is left to do, and says how much
        set_burn_due = current.code in _SET_BURN and hand.procedure.step.kind == "burn"
        if set_burn_due or current.code not in _PLAN_SAYS:
            return fx.NowFact("step", {"step": current.code, **_public(current.params)})
    return None


#: Steps about what a seat may do, once it is its turn.
_IN_TURN: Final = frozenset({"call_or_fold", "stands_if_unchanged"})


def _waits(hand: Hand, step: Step) -> bool:
    """Whether a step is about a seat whose turn is still to come: until then the line says who acts."""
    to_act = hand.betting.to_act
    return step.code in _IN_TURN and to_act is not None and to_act != step.params["seat"]


def _public(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name not in ("attempt", "card")}
