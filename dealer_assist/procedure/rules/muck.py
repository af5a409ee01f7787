"""What reaches the muck and should not: an all-in or betting hand (A9), the board (R7), every hand at once (A18).

And hands that come back from it (A11). Any other hand reaching the muck is a fold, in or out of turn, and silent (TDA 58).
"""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.alerts import Why
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.state import State
from dealer_assist.procedure.substantial import reached

#: How long an antenna has to have been empty before its cards are taken to be given up: a look at one's cards takes up to 3.5 s
#: [assumption, as in the noise profiles].
GIVEN_UP_MS: Final = 4000


def holds_cards(state: State, seat: int) -> bool:
    """Whether no card of the seat has reached the muck."""
    return state.mucked.isdisjoint(state.held.get(seat, ()))


def given_up_unread(state: State, seat: int, t_ms: int) -> bool:
    """Whether every card dealt to the seat was read there, and all have lain nowhere that is read for longer than players look at them."""
    held = state.held.get(seat, ())
    return len(held) >= state.due and all(t_ms - state.away_ms.get(ref, t_ms) >= GIVEN_UP_MS for ref in held)


def protected(draft: Draft, seat: int) -> bool:
    """Whether this hand cannot have folded: it is all-in or tabled, or its own bet is the one to be called, while another holds cards."""
    bets, state = draft.bets, draft.state
    if state.misdeal or state.step.kind == "show" or _showing(draft, seat):
        return False
    if not (seat in bets.all_in or seat in bets.shown or (seat == bets.aggressor and bets.pending)):
        return False
    return any(holds_cards(state, other) for other in bets.live if other != seat)


def _showing(draft: Draft, seat: int) -> bool:
    """Whether others have tabled their hands over a whole board, although its last burn was not read: this one gives up, untabled."""
    bets, state = draft.bets, draft.state
    due = sum(step.count for step in state.base if step.kind == "board")
    laid = sum(not slot.early for slot in state.board)
    return laid >= due and not bets.pending and seat not in bets.shown and bool(bets.shown)


def tabled_hand_mucked(draft: Draft, seat: int) -> None:
    """The best hand shown so far lies in the muck while others still have to show (TDA 13-C): no taps can explain that."""
    _killed(draft, seat)


def hand_mucked(draft: Draft, seat: int, t_ms: int) -> None:
    """A protected hand lies in the muck. Taps that come late may still explain it: where seats are to act it waits for them."""
    if draft.bets.pending:
        draft.deadline(f"mucked {seat}", t_ms + int(draft.house.parameters.tap_grace_s.value * 1000))
    else:
        still_mucked(draft, seat)


def still_mucked(draft: Draft, seat: int) -> None:
    """The taps had their time."""
    if seat not in draft.bets.live or holds_cards(draft.state, seat) or not protected(draft, seat):
        return
    _killed(draft, seat)


def _killed(draft: Draft, seat: int) -> None:
    refs = tuple([ref for ref in draft.state.held.get(seat, ()) if ref in draft.state.mucked])
    draft.raise_alert(
        "A9",
        "proven",
        seat=seat,
        params={"seat": seat},
        why=(Why("hand_in_muck", {"seat": seat}, reads=refs, weight=800),),
    )


def board_swept(draft: Draft, ref: str, zone: str) -> None:
    """A card of the board was read in the muck, or lies in the place of another: asked once, while two hands or more are live."""
    state = draft.state
    if state.misdeal or state.step.kind == "show":
        return
    if sum(holds_cards(state, seat) for seat in draft.bets.live) < 2:
        return
    draft.raise_alert(
        "R7",
        "probable",
        question="board_swept",
        params={"zone": zone},
        why=(Why("board_card_at", {"zone": zone}, reads=(ref,), weight=400),),
    )


#: The deadline that a sweep of all hands waits for: late taps may still say that they were folded.
SWEPT: Final = "swept"


def everything_swept(draft: Draft, t_ms: int) -> None:
    """A card of every hand that is in lies in the muck."""
    if _misdeal_called(draft) and SWEPT not in draft.state.deadlines:
        draft.deadline(SWEPT, t_ms + int(draft.house.parameters.tap_grace_s.value * 1000))


def _misdeal_called(draft: Draft) -> bool:
    """All hands reached the muck before substantial action, two or more of them live: nobody folds like that."""
    state, live = draft.state, draft.bets.live
    if state.misdeal or len(live) < 2 or state.step.kind not in ("deal", "bet"):
        return False
    if reached(draft) or draft.alert("A18", open_only=False) is not None:
        return False
    return all(state.held.get(seat) and not holds_cards(state, seat) for seat in live)


def still_swept(draft: Draft) -> None:
    """The taps had their time: somebody has called a misdeal."""
    if not _misdeal_called(draft):
        return
    draft.raise_alert(
        "A18",
        "probable",
        question="misdeal_called",
        why=(Why("hands_in_muck", {"count": len(draft.state.mucked)}, weight=400),),
    )


def misdeal_asked(state: State) -> bool:
    """Whether that is asked or about to be: nobody is taken to have folded before it."""
    return SWEPT in state.deadlines or any(
        alert.rule == "A18" and alert.question for alert in state.alerts.values()
    )


def came_back(draft: Draft, ref: str, seat: int) -> None:
    """A card of a hand that was given up lies at its seat again after the betting: does the player claim it?"""
    state = draft.state
    if state.step.kind != "show" or ref not in state.mucked or seat not in draft.bets.live:
        return
    if any((alert := draft.alert(rule)) is not None and alert.seat == seat for rule in ("A9", "A10")):
        return  # the floor is asked about this hand already
    if draft.bets.awarded and not all(state.where.get(card) == f"seat{seat}" for card in state.held[seat]):
        return  # cards are collected over the seats, too: a claim brings the whole hand back
    draft.raise_alert(
        "A11",
        "probable",
        question="hand_back",
        seat=seat,
        params={"seat": seat},
        why=(Why("read_at", {"zone": f"seat{seat}", "count": 1}, reads=(ref,), weight=300),),
    )


def identified(draft: Draft, ref: str) -> bool:
    """A card is shown to the single-card reader while the floor asks whose hand it is: the answer is a yes or a no, never a card."""
    state = draft.state
    for rule in ("A9", "A10", "A11", "D8", "D10"):
        alert = draft.alert(rule)
        if alert is None or alert.seat is None or alert.evidence != "proven":
            continue
        draft.emit(ev.HandIdentified(alert.seat, is_hand=ref in state.held.get(alert.seat, ())))
        return True
    return False
