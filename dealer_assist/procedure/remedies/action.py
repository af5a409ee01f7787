"""Remedies of action, showdown and pots: mostly a checklist, because people and not readers see whether it was done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dealer_assist.domain.alerts import Alert, Step
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.remedies.base import Remedy, checklist, rows, unseen

if TYPE_CHECKING:
    from dealer_assist.procedure.draft import Draft


def _back_up(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The action goes back to the seat whose turn it is; what was done out of turn waits (A1: it stands if nobody bets before it)."""
    return (*_backed_up(draft, alert), *_out_of_turn(draft, alert, "stands_if_unchanged"))


def _passive_only(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """A seat that acted out of turn (A1), or was passed over and said nothing in time (A2), may only check, call or fold."""
    if alert.rule == "A1":
        return (*_backed_up(draft, alert), *_out_of_turn(draft, alert, "call_or_fold"))
    return (unseen("call_floor"), Step("call_or_fold", {"seat": alert.seat, "street": draft.bets.street}))


def _backed_up(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    first = draft.bets.pending[:1]
    if not first or (alert.rule == "A1" and first[0] == alert.seat):
        return (unseen("stop_action"),)
    return (unseen("stop_action"), Step("acts_in_turn", {"seat": first[0]}))


def _out_of_turn(draft: Draft, alert: Alert, code: str) -> tuple[Step, ...]:
    """What becomes of the action of a seat that acted out of turn (A1); others have done nothing."""
    if alert.rule != "A1" or alert.seat not in draft.bets.pending:
        return ()
    return (Step(code, {"seat": alert.seat, "street": draft.bets.street}),)


def _refuse_raise(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    return (Step("call_or_fold", {"seat": alert.seat, "street": draft.bets.street}),)


def _fix_amount(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """Noticed before it was entered, the seat just acts with the right amount; afterwards its action is corrected."""
    return (Step("fix_amount", {"seat": alert.seat, "entered": alert.seat not in draft.bets.pending}),)


def _hand_live(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    assert alert.seat is not None
    draft.emit(ev.HandRevived(alert.seat))
    shown = alert.seat in draft.bets.shown
    return (unseen("freeze_muck"), Step("hand_back", {"seat": alert.seat, "shown": shown}))


def _chop(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    draft.emit(ev.HandEnded("chopped"))
    return ()


def _first_board_counts(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """WLA 210: the first board is finished, the others count for nothing and no more cards are dealt to them."""
    if draft.state.times > 1:
        draft.emit(ev.FirstBoardCounts(on=True))
    return (unseen("call_floor"), unseen("first_board_counts"))


def _all_boards_count(draft: Draft, alert: Alert) -> None:
    """There is no dispute after all: what was still to be dealt is due again."""
    if draft.state.first_only:
        draft.emit(ev.FirstBoardCounts(on=False))


def _card_to_board(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The order of the stub says which board a card is of: it goes there (WLA 126, 169: until the pot is awarded)."""
    return (Step("card_to_board", {"board": alert.params["board"]}),)


REMEDIES: Final[dict[str, Remedy]] = {
    "back_up": Remedy(rows("A1 A2 A3"), _back_up),
    "finish_betting_first": Remedy(rows("A3"), checklist(unseen("stop_action"), Step("betting_done"))),
    "passive_only": Remedy(rows("A1 A2 R4"), _passive_only, of_seat=True),
    "fix_amount": Remedy(rows("A4 A5"), _fix_amount, of_seat=True),
    "announce": Remedy(rows("A6 A13 X8 P1 P5 P7"), checklist(unseen("announce"))),
    "refuse_raise": Remedy(rows("A7 A8"), _refuse_raise, of_seat=True),
    "hand_live": Remedy(rows("A9 A10 A11"), _hand_live, of_seat=True),
    "turn_up": Remedy(rows("A12"), checklist(Step("turn_hands_up"))),
    "refuse_chips": Remedy(rows("A15"), checklist(unseen("refuse_chips"))),
    "chop": Remedy(rows("A17"), _chop),
    "show_all": Remedy(rows("X8 A13"), checklist(unseen("show_all"))),
    "re_stack": Remedy(rows("P2 P4"), checklist(unseen("re_stack"))),
    "re_push": Remedy(rows("P3"), checklist(unseen("call_floor"), unseen("re_push"))),
    "table_both": Remedy(rows("P6"), checklist(Step("table_both")), of_seat=True),
    "right_figure": Remedy(rows("P5 P7"), checklist(unseen("right_figure"))),
    "show_next": Remedy(rows("P1"), checklist(unseen("show_next"))),
    "first_board_counts": Remedy(rows("P8"), _first_board_counts, _all_boards_count),
    "card_to_board": Remedy(rows("P8"), _card_to_board),
    "stop_dealing": Remedy(rows("P9"), checklist(unseen("stop_dealing"), unseen("push_pot"))),
}
