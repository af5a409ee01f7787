"""The engine: one input at a time against the plan. An input that fulfils the step that is due meets no rule.

Every function takes a :class:`Draft`, emits what it decides and leaves the plan and the checklists settled. Times are table
milliseconds. What people say is in :mod:`said`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from dealer_assist.domain.table import Entry, HandOpening
from dealer_assist.domain.zones import BOARD, BOARDS, BURN, MUCK, seat_of
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.game import Game
from dealer_assist.procedure.remedies.checks import checked
from dealer_assist.procedure.rules import (
    board,
    burns,
    deal_order,
    deck,
    early,
    exposed,
    extra_cards,
    muck,
    same_card,
    showdown,
)
from dealer_assist.procedure.state import DeckState, State


def open_hand(
    opening: HandOpening,
    order: tuple[int, ...],
    game: Game,
    readers: frozenset[str],
    settle_ms: int,
    t_ms: int,
    *,
    entry: Entry = "every_action",
    deck_state: DeckState = "unknown",
) -> ev.HandOpened:
    """The event that opens a hand. ``order``: dealt-in seats clockwise from the first left of the button."""
    return ev.HandOpened(
        opening,
        order,
        game.hole,
        game.plan(),
        tuple(sorted(readers)),
        settle_ms,
        t_ms,
        game.kept,
        game.folded,
        entry,
        deck_state,
    )


# -- movements -------------------------------------------------------------------------------------------------------------


def placed(
    draft: Draft,
    ref: str,
    zone: str,
    since_ms: int,
    first_ms: int,
    t_ms: int,
    *,
    same_face: bool = False,
    in_game: bool = True,
) -> None:
    """A card lies at a zone: it came after ``since_ms`` and by ``first_ms``.

    ``same_face``: another card has its face. ``in_game`` False: the game of this hand does not have it.
    """
    state = draft.state
    if state.ended:
        return
    seat = seat_of(zone)
    if state.misdeal and state.gathered and seat is not None:
        _deal_again(draft)
        state = draft.state
    if state.where.get(ref) == zone:
        return
    if zone == "gate" and muck.identified(draft, ref):
        return
    draft.emit(ev.CardLies(ref, zone))
    if ref in state.scrapped:
        settle(draft, t_ms)
        return
    if not in_game:
        deck.not_in_game(draft, ref, zone)
        settle(draft, t_ms)
        return
    if same_face:
        same_card.same_card(draft, ref, zone)
    if seat is not None:
        _at_seat(draft, ref, seat, since_ms, first_ms)
    elif zone in BOARDS:
        _at_board(draft, ref, zone, first_ms, t_ms)
    elif zone in (BURN, "gate"):
        _at_burn(draft, ref, t_ms)
    elif zone == MUCK:
        _at_muck(draft, ref)
    settle(draft, t_ms)


def _deal_again(draft: Draft) -> None:
    """The first card of a new deal: what was asked about the old one has no object any more, and its misdeal is mended."""
    for alert in draft.state.alerts.values():
        if (
            alert.state in ("open", "fixing")
            and alert.remedy != "misdeal"
            and alert.rule not in ("K1", "D12")
        ):
            draft.withdraw(alert)
    draft.emit(ev.DealBegunAgain(draft.state.attempt + 1))
    _tick_checklists(draft)


def _at_seat(draft: Draft, ref: str, seat: int, since_ms: int, first_ms: int) -> None:
    state = draft.state
    owner = state.owner.get(ref)
    if owner == seat:
        muck.came_back(draft, ref, seat)
        return  # lifted and laid down again
    if ref in state.burns and _back_from_burn(draft, ref):
        return
    if ref in state.mucked or ref in state.burns:
        draft.mark(seat, "doubtful", on=True)
        if not state.misdeal:
            deck.came_back(draft, ref, f"seat{seat}")
        return
    if owner is not None or any(slot.ref == ref for slot in state.board):
        draft.mark(seat, "doubtful", on=True)  # a card of another place: the floor's eye, not a verdict
        if any(slot.ref == ref and slot.ref in state.faces for slot in state.board):
            muck.board_swept(draft, ref, f"seat{seat}")  # a public card swapped with a hole card
        return
    if not state.pitches:
        deck.first_card(draft)
    deal_order.pitched(draft, ref, seat, since_ms, first_ms)


def _back_from_burn(draft: Draft, ref: str) -> bool:
    """Whether the burn is only the exposed card of this seat, given back (the alert was a misread)."""
    return ref == draft.state.preset_burn and draft.state.step.kind == "deal"


def _at_burn(draft: Draft, ref: str, t_ms: int) -> None:
    if _nobody_left(draft):
        showdown.dealt_on(draft, ref)
    burns.burn_card(draft, ref, t_ms)
    if draft.state.step.kind == "burn" and draft.state.burns:
        board.burn_read_late(draft)


def _nobody_left(draft: Draft) -> bool:
    return draft.bets.over and not draft.bets.playing_on and not draft.state.misdeal


def _at_muck(draft: Draft, ref: str) -> None:
    state = draft.state
    if any(slot.ref == ref and not slot.early and ref in state.faces for slot in state.board):
        muck.board_swept(draft, ref, MUCK)
        return
    owner = state.owner.get(ref)
    if owner is not None and _is_discard(draft, ref, owner):
        draft.emit(ev.HoleCardTaken(ref, owner))
        return
    draft.emit(ev.CardMucked(ref, owner))


def _is_discard(draft: Draft, ref: str, seat: int) -> bool:
    """Whether a card in the muck is one that its player gives up and not his hand: it is time for that, and he keeps enough."""
    state = draft.state
    step = state.step
    if seat not in draft.bets.live or not state.mucked.isdisjoint(state.held.get(seat, ())):
        return False
    if step.kind == "bet" and state.at + 1 < len(state.plan) and state.plan[state.at + 1].kind == "discard":
        if not draft.bets.complete and draft.bets.street == step.street:
            return False
        step = state.plan[state.at + 1]
    return step.kind == "discard" and len(state.held.get(seat, ())) > state.due - step.count


def _at_board(draft: Draft, ref: str, zone: str, first_ms: int, t_ms: int) -> None:
    state = draft.state
    if state.misdeal or any(slot.ref == ref for slot in state.board):
        return
    if _nobody_left(draft):
        showdown.dealt_on(draft, ref)
        return
    if not _may_be_board(draft, ref, zone):
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
    elif step.kind in ("board", "burn") or (step.kind == "bet" and board.read_late(state)):
        _lay(draft, ref, zone, first_ms, t_ms)
    elif step.kind in ("bet", "deal") and _was_entered(state):
        return
    elif step.kind in _ON_STREET and not state.spare_burns and _one_more(draft):
        _lay(draft, ref, zone, first_ms, t_ms)
    elif step.kind in ("bet", "deal") and step.street != "river":
        early.early_board_card(draft, ref, zone, first_ms, t_ms)


_ON_STREET: Final = ("bet", "point", "window", "discard")


def _one_more(draft: Draft) -> bool:
    """Whether a new board card is one too many of this street (F1, R6): nobody has acted, and no burn lies between."""
    state = draft.state
    return not draft.bets.actions and any(
        slot.street == state.street and not slot.early for slot in state.board
    )


def _lay(draft: Draft, ref: str, zone: str, first_ms: int, t_ms: int) -> None:
    draft.emit(ev.BoardCardLaid(ref, draft.state.step.street, first_ms, early=False, zone=zone))
    draft.deadline("board", max(first_ms + draft.state.settle_ms, t_ms))
    burns.board_card_after_two(draft)


def _may_be_board(draft: Draft, ref: str, zone: str) -> bool:
    """Whether a card on the board can be one of its cards: it came from the stub. Any other is shown as a back."""
    state = draft.state
    owner = state.owner.get(ref)
    if owner is not None and ref not in state.mucked:
        gone = [
            slot for slot in state.board if slot.ref in state.faces and state.where.get(slot.ref) != slot.zone
        ]
        if gone and not draft.bets.runout and seat_of(state.where.get(gone[0].ref, "")) is not None:
            muck.board_swept(draft, ref, zone)
        return False
    if ref in state.burns and draft.alert("N5") is not None and ref == state.burns[-1]:
        draft.emit(ev.BurnTakenBack(ref))  # of two burns one was the board card: the dealer puts it right
        return True
    if ref in state.mucked or ref in state.burns or ref in state.spare_burns:
        deck.came_back(draft, ref, zone)
        return False
    return True


def _was_entered(state: State) -> bool:
    """Whether a card that is read on the board now can be one that a person put there by entry or tap, not taken up yet."""
    slots = {slot.ref for slot in state.board}
    by_hand = sum(ref.startswith(("entered", "tapped")) for ref in slots)
    if not by_hand:
        return False
    read = sum(zone in BOARDS and ref not in slots for ref, zone in state.where.items())
    return read <= by_hand


def foreign(draft: Draft, zone: str, t_ms: int, *, other_deck: bool) -> None:
    """A tag of no deck in play lies at a zone."""
    if draft.state.ended or draft.state.misdeal:
        return
    deck.foreign(draft, zone, other_deck=other_deck)
    settle(draft, t_ms)


def left_lying(draft: Draft, ref: str, seat: int) -> None:
    """A card of the last hand lies at a seat (K13)."""
    deck.left_lying(draft, ref, seat)


def deck_known(draft: Draft, state: DeckState, count: int | None, expected: int | None, t_ms: int) -> None:
    """What is known of the deck in play."""
    if not draft.state.ended:
        deck.deck_known(draft, state, count, expected)
        settle(draft, t_ms)


def removed(draft: Draft, ref: str, zone: str, t_ms: int) -> None:
    """A card has left a zone. From a seat it is in the player's hand; a pile that falls silent has not left (burn, muck)."""
    state = draft.state
    if state.ended or state.where.get(ref) != zone:
        return
    if zone == MUCK:
        return
    draft.emit(ev.CardLeft(ref, zone))
    if ref in state.scrapped:
        deck.taken_up(draft, ref, zone)
    elif zone in BOARDS:
        _left_board(draft, ref, t_ms)
    elif zone == BURN:
        burns.burn_left(draft, ref)
    elif seat_of(zone) is not None:
        extra_cards.extra_left(draft, ref)
    settle(draft, t_ms)


def _left_board(draft: Draft, ref: str, t_ms: int) -> None:
    state = draft.state
    slot = next((slot for slot in state.board if slot.ref == ref), None)
    if slot is None:
        return
    if state.pick_due and slot.street == "flop" and not slot.early:
        draft.emit(ev.BoardCardGone(ref))
        board.picked(draft, ref)
        draft.deadline("board", t_ms + state.settle_ms)
        return
    if slot.early or state.misdeal or slot.ref not in state.faces:
        draft.emit(ev.BoardCardGone(ref))
        for rule in ("F1", "F2", "F4", "R6"):
            extra = draft.alert(rule)
            if extra is not None and extra.evidence == "probable" and extra.remedy is None:
                laid = [
                    other
                    for other in draft.state.board
                    if other.street == slot.street and other.zone == slot.zone
                ]
                if len(laid) <= extra.params["count"] - extra.params["extra"]:
                    draft.set_alert(extra, state="closed", question=None)  # the dealer's save
        if draft.state.step.kind == "board":
            draft.deadline("board", t_ms + draft.state.settle_ms)


def _anything_out(state: State) -> bool:
    """Whether a reader still sees a card at a seat or on the board; a card of a zone without a reader is never seen to leave."""
    return any(
        (zone in BOARDS or seat_of(zone) is not None) and zone in state.readers
        for zone in state.where.values()
    )


# -- the betting, time, faces ------------------------------------------------------------------------------------------------


def bets_changed(draft: Draft, t_ms: int) -> None:
    """The betting moved on: ``draft.bets`` is the new view."""
    if not draft.state.ended:
        settle(draft, t_ms)


def board_acted_on(draft: Draft, t_ms: int) -> bool:
    """A player acts on a street whose cards lie there but were not judged yet: they stand (N2), whatever was asked about them.

    Returns whether the plan now waits for that street's betting.
    """
    _left_lying(draft)
    state = draft.state
    if state.ended or state.step.kind not in ("burn", "board", "discard", "point", "window"):
        return False
    if state.step.kind not in ("burn", "board"):
        draft.pass_unseen()
        settle(draft, t_ms)
        return draft.state.step.kind == "bet"
    step = state.step
    laid = [slot for slot in state.board if slot.street == step.street and not slot.early]
    if not laid and BOARD in state.readers:
        return False
    for rule in ("N1", "N3", "F1", "F2", "R6"):
        alert = draft.alert(rule)
        if alert is not None and alert.evidence == "probable":
            draft.withdraw(alert)
    bet = next(index for index in range(state.at, len(state.plan)) if state.plan[index].kind == "bet")
    refs = tuple([slot.ref for slot in laid if slot.ref not in state.asked])
    due = board.due(state)
    if refs and len(laid) == due:
        draft.emit(ev.FaceAsked(refs))
    if len(laid) < due:
        draft.raise_alert("K10", "possible", params={"count": due - len(laid)})
    if step.kind == "burn":
        burns.skip_unread(draft)
    draft.emit(ev.StepReached(bet))
    settle(draft, t_ms)
    return True


def _left_lying(draft: Draft) -> None:
    """Cards that were to go back on the stub in order and come again were left where they lay: they are that street's."""
    state = draft.state
    if state.ended or state.step.kind != "gather" or state.plan[state.at + 1].kind != "board":
        return
    early_cards = tuple([slot.ref for slot in state.board if slot.early])
    if len(early_cards) == state.plan[state.at + 1].count:
        draft.emit(ev.BoardJudged(early_cards, early=False))
        draft.advance()


def time_passed(draft: Draft, t_ms: int) -> None:
    """Judge every deadline that is due by ``t_ms``."""
    state = draft.state
    if state.ended:
        return
    due = sorted((when, name) for name, when in state.deadlines.items() if when <= t_ms)
    if not due:
        return
    for _, name in due:
        draft.deadline(name, None)
        key, _, seat = name.partition(" ")
        if seat:
            muck.still_mucked(draft, int(seat))
        else:
            _DEADLINES[key](draft)
    settle(draft, t_ms)


_DEADLINES: Final[dict[str, Callable[[Draft], None]]] = {
    "board": board.board_settled,
    "burn_early": burns.burned_early,
    "board_early": early.board_early,
    "burn_late": board.burn_still_unread,
    "hands_down": showdown.hands_down,
}


def face_shown(draft: Draft, ref: str, face: str, t_ms: int) -> None:
    """The face of a card that is public now."""
    draft.emit(ev.FaceShown(ref, face))
    settle(draft, t_ms)


def end(draft: Draft, result: Literal["completed", "misdeal", "void", "chopped"]) -> None:
    """Close the hand: open questions fall away, steps that no reader sees are done, the rest of a checklist stands as it is."""
    for alert in draft.state.alerts.values():
        if alert.state not in ("open", "fixing"):
            continue
        if alert.evidence == "possible" or all(not step.seen or step.state == "done" for step in alert.steps):
            draft.set_alert(
                alert, state="closed" if alert.evidence != "probable" else "withdrawn", question=None
            )
        elif alert.evidence != "proven":
            draft.withdraw(alert)
    draft.emit(ev.HandEnded(result))


# -- after every input ---------------------------------------------------------------------------------------------------------


def settle(draft: Draft, t_ms: int) -> None:
    """Move the plan on, let checklists tick, let questions fall away that the plan has answered."""
    state = draft.state
    if state.ended:
        return
    if state.misdeal and not state.gathered and not _anything_out(state):
        draft.emit(ev.CardsGathered())
    if state.replacing is not None:
        exposed.exposed_card_found(draft)
    before = state.at
    kind = draft.state.step.kind
    if kind == "bet" and draft.round_complete:
        early.round_closed(draft)
        kind = draft.state.step.kind
    draft.advance()
    state = draft.state
    if state.at != before:
        _moved_on(draft, kind, t_ms)
    if state.step.kind in ("burn", "board") and draft.bets.runout:
        showdown.watch_hands(draft, t_ms)
    if state.alerts:
        _tick_checklists(draft)


def _moved_on(draft: Draft, kind: str, t_ms: int) -> None:
    state = draft.state
    if kind == "deal" and state.step.kind != "deal":
        deal_order.deal_over(draft)
    step = state.step
    if step.kind in ("board", "burn"):
        laid = [slot.first_ms for slot in state.board if slot.street == step.street and not slot.early]
        if laid and "board" not in state.deadlines:
            draft.deadline("board", max(max(laid) + state.settle_ms, t_ms))


def _tick_checklists(draft: Draft) -> None:
    for alert in draft.state.alerts.values():
        if alert.remedy is None or alert.state not in ("open", "fixing"):
            continue
        steps = checked(draft, alert)
        done = bool(steps) and all(step.state in ("done", "skipped") for step in steps)
        if steps != alert.steps or done:
            draft.set_alert(
                alert,
                steps=steps,
                state="closed" if done else alert.state,
                question=alert.question if not done else None,
            )
