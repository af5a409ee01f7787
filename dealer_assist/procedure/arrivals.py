"""Where a card arrives decides what it can be: a seat, the burn spot, the muck, a board. The rules take it from there."""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.table import Street
from dealer_assist.domain.zones import BOARDS, MUCK, seat_of
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.remedies.base import lies_right
from dealer_assist.procedure.rules import board, burns, deal_order, deck, early, entry, muck, run_it, showdown
from dealer_assist.procedure.state import State

#: A board card may be read at the edge of the muck for so long before it is read on the board [assumption]: as long as a hand or chips
#: mostly cover the board's antenna.
EDGE_OF_MUCK_MS: Final = 5000


def at_seat(draft: Draft, ref: str, seat: int, since_ms: int, first_ms: int, t_ms: int) -> None:
    """A card lies at a seat: dealt, laid down again, or come from where it cannot come from."""
    state = draft.state
    owner = state.owner.get(ref)
    if owner == seat:
        muck.came_back(draft, ref, seat)
        return  # lifted and laid down again
    if ref in state.burns and _given_back(draft, ref, seat):
        return
    if ref in state.mucked or ref in state.burns or ref in state.dead_burns:
        draft.mark(seat, "doubtful", on=True)
        if not state.misdeal and not _may_be_its_own(state, ref, seat):
            deck.came_back(draft, ref, f"seat{seat}")
        return
    if owner is not None or any(slot.ref == ref for slot in state.slots):
        draft.mark(seat, "doubtful", on=True)  # a card of another place: the floor's eye, not a verdict
        if any(slot.ref == ref and slot.ref in state.faces for slot in state.slots):
            muck.board_swept(draft, ref, f"seat{seat}")  # a public card swapped with a hole card
        return
    if not state.pitches:
        deck.first_card(draft)
    deal_order.pitched(draft, ref, seat, since_ms, first_ms, t_ms)


def _may_be_its_own(state: State, ref: str, seat: int) -> bool:
    """Whether a mucked card that no seat was seen to get is the one that this seat lacks: read there once before, or its hand is mucked.

    A player who gives up a hand puts one of its cards back for a moment, or it is read beside the muck: no card of another hand.
    """
    if ref not in state.mucked or ref in state.owner or len(state.held.get(seat, ())) >= state.due:
        return False
    seen = any(glimpse.ref == ref and seat_of(glimpse.zone) == seat for glimpse in state.glimpses)
    return seen or not state.mucked.isdisjoint(state.held.get(seat, ()))


def _given_back(draft: Draft, ref: str, seat: int) -> bool:
    """The exposed card of this seat lay on the burn spot and is its player's again (the report was a mistake), while the deal goes on."""
    state = draft.state
    pitch = next((pitch for pitch in state.pitches if pitch.ref == ref), None)
    if state.step.kind != "deal" or pitch is None or pitch.seat != seat:
        return False
    if len(state.held.get(seat, ())) >= state.due:
        return ref == state.preset_burn  # it has its cards: this one still is to be the burn
    draft.emit(ev.BurnTakenBack(ref))
    if ref == state.preset_burn:
        draft.emit(ev.PresetBurn("?", seat))
    draft.emit(ev.CardPitched(ref, seat, pitch.since_ms, pitch.first_ms))
    return True


def at_burn(draft: Draft, ref: str, t_ms: int) -> None:
    """A card lies on the burn spot."""
    if _nobody_left(draft):
        showdown.dealt_on(draft, ref)
    burns.burn_card(draft, ref, t_ms)
    if draft.state.step.kind == "burn" and draft.state.burns:
        board.burn_read_late(draft)


def _nobody_left(draft: Draft) -> bool:
    return draft.bets.over and not draft.bets.playing_on and not draft.state.misdeal


def at_muck(draft: Draft, ref: str) -> None:
    """A card reached the muck: a fold, a discard, or a board card that has no business there."""
    state = draft.state
    if any(slot.ref == ref and not slot.early and ref in state.faces for slot in state.slots):
        muck.board_swept(draft, ref, MUCK)
        return
    owner = state.owner.get(ref)
    if owner is not None and _is_discard(draft, ref, owner):
        draft.emit(ev.HoleCardTaken(ref, owner))
        return
    draft.emit(ev.CardMucked(ref, owner))


def at_edge_of_muck(state: State, ref: str, first_ms: int) -> bool:
    """Whether a card that is read on the board lay at the edge of the muck a moment ago, and is the board's: no seat was seen to get it.

    A card that the dealer takes from the muck lay there longer, or is known from its seat.
    """
    if ref not in state.mucked or ref in state.owner or state.step.kind not in ("board", "burn"):
        return False
    came_ms = state.came_ms.get(ref)
    return came_ms is not None and first_ms - came_ms < EDGE_OF_MUCK_MS


def _is_discard(draft: Draft, ref: str, seat: int) -> bool:
    """Whether a card in the muck is one that its player gives up and not his hand: the game has him give up so many, and he keeps enough.

    The taps of the round may come later than the discards, a discard may come or be read when the play goes on: a hand that goes to
    the muck there is a fold from the first card on that is no discard.
    """
    state = draft.state
    held = state.held.get(seat, ())
    if seat not in draft.bets.live or not state.mucked.isdisjoint(held):
        return False
    if not any(step.kind == "discard" for step in state.plan):
        return False
    to_come = state.plan[state.at : state.at + 2]
    step = next((step for step in to_come if step.kind == "discard" and step.street == state.street), None)
    return len(held) > state.due - (step.count if step is not None else 0)


def at_board(draft: Draft, ref: str, zone: str, first_ms: int, t_ms: int) -> None:
    """A card lies on a board: the one that is due, one too many, or one before its time."""
    _at_board(draft, ref, run_it.board_for(draft.state, zone), first_ms, t_ms)
    run_it.laid(draft, ref, t_ms)


def _at_board(draft: Draft, ref: str, zone: str, first_ms: int, t_ms: int) -> None:
    state = draft.state
    if state.misdeal or any(slot.ref == ref for slot in state.slots):
        return
    if _nobody_left(draft):
        showdown.dealt_on(draft, ref)
        return
    lacks = board.lacks(state)
    if lacks is not None and burns.edge_taken_back(draft, ref):
        _lay(draft, ref, zone, first_ms, t_ms, street=lacks)  # it lay there unread but for the burn spot
        return
    if not _may_be_board(draft, ref, zone):
        return
    if state.pick_due or (ref == state.preset_burn and board.scrambled(state)):
        board.laid_back(draft, ref, t_ms)
        _lay(draft, ref, zone, first_ms, t_ms)
        return
    if state.step.kind == "gather":
        for slot in state.board:
            if slot.early:
                draft.emit(ev.BoardCardGone(slot.ref))
        draft.advance()
    draft.pass_unseen() if draft.state.step.kind in ("shuffle", "discard") else None
    state = draft.state
    step = state.step
    if step.kind == "board" and state.spare_burns and board.complete(state):
        early.early_board_card(
            draft, ref, zone, first_ms, t_ms
        )  # a card after another burn is the next street's (F1)
    elif (late := board.read_late(state)) is not None:
        _lay(draft, ref, zone, first_ms, t_ms, street=late)
    elif step.kind in ("board", "burn"):
        _lay(draft, ref, zone, first_ms, t_ms)
    elif step.kind in ("bet", "deal") and _was_entered(state):
        return
    elif step.kind == "bet" and _no_burn_due(state) and entry.closes_round(draft, t_ms):
        return  # the next street's card, which comes without a burn
    elif step.kind in _ON_STREET and not state.spare_burns and _one_more(draft):
        _lay(draft, ref, zone, first_ms, t_ms)
    elif step.kind in ("bet", "deal") and step.street != "river":
        early.early_board_card(draft, ref, zone, first_ms, t_ms)


_ON_STREET: Final = ("bet", "point", "window", "discard")


def _no_burn_due(state: State) -> bool:
    """Whether the next street's cards come without a burn, after a remedy that says so."""
    coming = next((step.kind for step in state.plan[state.at :] if step.kind in ("burn", "board")), "")
    return coming == "board"


def _one_more(draft: Draft) -> bool:
    """Whether a new board card is one too many of this street (F1, R6): nobody has acted, and no burn lies between."""
    state = draft.state
    return not draft.bets.actions and any(
        slot.street == state.street and not slot.early for slot in state.board
    )


def _lay(
    draft: Draft, ref: str, zone: str, first_ms: int, t_ms: int, *, street: Street | None = None
) -> None:
    draft.emit(ev.BoardCardLaid(ref, street or draft.state.step.street, first_ms, early=False, zone=zone))
    draft.deadline("board", max(first_ms + draft.state.settle_ms, t_ms))


def _may_be_board(draft: Draft, ref: str, zone: str) -> bool:
    """Whether a card on the board can be one of its cards: it came from the stub. Any other is shown as a back."""
    state = draft.state
    owner = state.owner.get(ref)
    if owner is not None and ref not in state.mucked:
        gone = [slot for slot in state.slots if slot.ref in state.faces and not lies_right(state, slot)]
        if gone and not draft.bets.runout and seat_of(state.where.get(gone[0].ref, "")) is not None:
            muck.board_swept(draft, ref, zone)
        return False
    if ref in state.burns and draft.alert("N5") is not None and ref == state.burns[-1]:
        draft.emit(ev.BurnTakenBack(ref))  # of two burns one was the board card: the dealer puts it right
        return True
    if ref in state.dead_burns and state.step.kind in ("gather", "shuffle"):
        draft.emit(ev.BurnTakenBack(ref))  # it went into the stub with the cards that are dealt again
        return True
    if ref in state.mucked or ref in state.burns or ref in state.spare_burns or ref in state.dead_burns:
        if state.step.kind in ("board", "burn"):
            deck.came_back(draft, ref, zone)
        else:
            deck.read_beside(draft, ref, zone)
        return False
    return True


def _was_entered(state: State) -> bool:
    """Whether a card that is read on the board now can be one that a person put there by entry or tap, not taken up yet."""
    slots = {slot.ref for slot in state.slots}
    by_hand = sum(ref.startswith(("entered", "tapped")) for ref in slots)
    if not by_hand:
        return False
    read = sum(zone in BOARDS and ref not in slots for ref, zone in state.where.items())
    return read <= by_hand
