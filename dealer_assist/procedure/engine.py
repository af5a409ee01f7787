"""The engine: one input at a time against the plan. An input that fulfils the step that is due meets no rule.

Every function takes a :class:`Draft`, emits what it decides and leaves the plan and the checklists settled. Times are table
milliseconds. What people say is in :mod:`said`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from dealer_assist.domain.alerts import Why
from dealer_assist.domain.table import Entry, HandOpening, HandResult
from dealer_assist.domain.zones import BOARD, BOARDS, BURN, MUCK, seat_of
from dealer_assist.procedure import arrivals
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.game import Game
from dealer_assist.procedure.remedies.checks import checked
from dealer_assist.procedure.rules import (
    board,
    burns,
    deal_order,
    deal_watch,
    deck,
    early,
    exposed,
    extra_cards,
    muck,
    run_it,
    same_card,
    shoe,
    short_flop,
    showdown,
    stands,
    stub,
)
from dealer_assist.procedure.state import DeckState, Exit, RunItRule, State

#: A house that deals every board once.
ONCE: Final = RunItRule()


def open_hand(
    opening: HandOpening,
    order: tuple[int, ...],
    game: Game,
    readers: frozenset[str],
    settle_ms: int,
    t_ms: int,
    *,
    entry: Entry = "every_action",
    house: str = "",
    fingerprint: str = "",
    run_it_rule: RunItRule = ONCE,
    hands_up: bool = False,
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
        house=house,
        fingerprint=fingerprint,
        cards=len(game.faces),
        run_it=run_it_rule,
        hands_up=hands_up,
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
        return  # where it lies does not change: it is shown there and taken away again
    if zone in BOARDS and arrivals.at_edge_of_muck(state, ref, first_ms):
        draft.emit(ev.MuckedTakenBack(ref))
    draft.emit(ev.CardLies(ref, zone, first_ms))
    if ref in state.scrapped:
        settle(draft, t_ms)
        return
    if not in_game:
        deck.not_in_game(draft, ref, zone)
        settle(draft, t_ms)
        return
    if same_face:
        same_card.same_card(draft, (ref,), zone)
    if seat is not None:
        arrivals.at_seat(draft, ref, seat, since_ms, first_ms, t_ms)
    elif zone in BOARDS:
        arrivals.at_board(draft, ref, zone, first_ms, t_ms)
    elif zone in (BURN, "gate"):
        arrivals.at_burn(draft, ref, t_ms)
    elif zone == MUCK:
        arrivals.at_muck(draft, ref)
    settle(draft, t_ms)


def glimpsed(draft: Draft, ref: str, zone: str, first_ms: int, t_ms: int) -> None:
    """A card that lies nowhere was read once at a zone: kept as evidence until it is read somewhere for good."""
    state = draft.state
    if state.ended or state.misdeal or ref in state.where:
        return
    draft.emit(ev.CardGlimpsed(ref, zone, first_ms))
    deal_watch.glimpsed(draft, zone, t_ms)
    if zone == BURN:
        board.burn_glimpsed(draft, t_ms)
    settle(draft, t_ms)


def _deal_again(draft: Draft) -> None:
    """The first card of a new deal: what was asked about the old one has no object any more, and its misdeal is mended."""
    for alert in draft.state.alerts.values():
        if (
            alert.state in ("open", "fixing")
            and alert.remedy != "misdeal"
            and alert.rule not in ("K1", "K2", "K5", "D12")
        ):
            draft.withdraw(alert)
    draft.emit(ev.DealBegunAgain(draft.state.attempt + 1))
    _tick_checklists(draft)


def foreign(draft: Draft, ref: str, zone: str, t_ms: int, *, other_deck: bool) -> None:
    """A tag of no deck in play lies at a zone."""
    if draft.state.ended or draft.state.misdeal:
        return
    deck.foreign(draft, ref, zone, other_deck=other_deck)
    settle(draft, t_ms)


def foreign_gone(draft: Draft, ref: str, t_ms: int) -> None:
    """A tag of no deck in play has left the zone where it lay."""
    if not draft.state.ended:
        deck.foreign_gone(draft, ref)
        settle(draft, t_ms)


def left_lying(draft: Draft, ref: str, seat: int) -> None:
    """A card of the last hand lies at a seat (K13)."""
    deck.left_lying(draft, ref, seat)


def deck_known(draft: Draft, state: DeckState, count: int | None, expected: int | None, t_ms: int) -> None:
    """What is known of the deck in play."""
    if not draft.state.ended:
        deck.deck_known(draft, state, count, expected)
        settle(draft, t_ms)


def exited(draft: Draft, exit_: Exit, t_ms: int) -> None:
    """A card left the shoe, a moment before it lies anywhere."""
    if not draft.state.ended:
        shoe.exited(draft, exit_)
        settle(draft, t_ms)


def removed(draft: Draft, ref: str, zone: str, t_ms: int, *, last_ms: int = 0) -> None:
    """A card has left a zone, where it was last read at ``last_ms`` (0: not known).

    From a seat it is in the player's hand; a pile that falls silent has not left (burn, muck).
    """
    state = draft.state
    if state.ended or state.where.get(ref) != zone:
        return
    if zone == MUCK:
        return
    draft.emit(ev.CardLeft(ref, zone, t_ms, last_ms))
    if ref in state.scrapped:
        deck.taken_up(draft, ref, zone)
    elif zone in BOARDS:
        _left_board(draft, ref, t_ms)
    elif zone == BURN:
        burns.burn_left(draft, ref)
    elif seat_of(zone) is not None:
        extra_cards.extra_left(draft, ref, zone, t_ms)
    settle(draft, t_ms)


def _left_board(draft: Draft, ref: str, t_ms: int) -> None:
    state = draft.state
    slot = next((slot for slot in state.board if slot.ref == ref), None)
    if slot is None:
        return
    if state.pick_due and slot.street == "flop" and not slot.early:
        draft.emit(ev.BoardCardGone(ref))
        draft.deadline("picked", t_ms + board.PICK_STILL_MS)
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
        if draft.state.step.kind == "board" or not slot.early:
            draft.deadline("board", t_ms + draft.state.settle_ms)  # one too many may have lain there


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
        run_it.lapse(draft)
        stands.after_action(draft)
        early.still_pending(draft)
        settle(draft, t_ms)


#: Steps of a street between its cards and its betting. The first action passes them.
BEFORE_BET: Final = ("discard", "point", "window")


def board_acted_on(draft: Draft, t_ms: int) -> bool:
    """A player acts on a street whose cards lie there but were not judged yet: they stand (N2), whatever was asked about them.

    Behind its burn even where no card of the street was read: the antenna of the board is out, and nobody acts on no cards (K10).

    Returns whether the plan now waits for that street's betting.
    """
    _left_lying(draft)
    if not draft.state.ended:
        if draft.state.pick_due:
            board.pick_seen(draft)  # who acts has seen the flop: the card that is away was drawn
            _tick_checklists(draft)
        stands.before_action(draft)
    state = draft.state
    if state.ended or state.step.kind not in ("burn", "board", *BEFORE_BET):
        return False
    if state.step.kind not in ("burn", "board"):
        draft.pass_unseen()
        settle(draft, t_ms)
        return draft.state.step.kind == "bet"
    step = state.step
    laid = [slot for slot in state.board if slot.street == step.street and not slot.early]
    if not laid and BOARD in state.readers and (step.kind == "burn" or _asks(state)):
        return False
    short_flop.lapse(draft)
    for rule in ("F2", "R6"):
        if draft.withdraw_asked(rule):
            board.first_play(draft, step.street)
    state = draft.state
    laid = [slot for slot in state.board if slot.street == step.street and not slot.early]
    bet = next(index for index in range(state.at, len(state.plan)) if state.plan[index].kind == "bet")
    refs = tuple([slot.ref for slot in laid if slot.ref not in state.asked])
    due = board.due(state)
    if refs and len(laid) == due:
        draft.emit(ev.FaceAsked(refs))
    unknown = due if board.unsure_which(draft, step.street) else due - len(laid)
    if step.kind == "burn":
        burns.skip_unread(draft)
    draft.emit(ev.StepReached(bet))
    if unknown > 0:
        read = tuple([slot.ref for slot in laid])
        seen = Why("read_at", {"zone": BOARD, "count": len(read)}, reads=read, weight=200)
        none = Why("not_read", {"zone": BOARD}, weight=200)
        draft.note("K10", seen if read else none, params={"count": unknown})
    settle(draft, t_ms)
    return True


def _asks(state: State) -> bool:
    """Whether the dealer owes an answer."""
    return any(alert.question and alert.state == "open" for alert in state.alerts.values())


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
    draft.now_ms = t_ms
    state = draft.state
    if state.ended:
        return
    due = sorted((when, name) for name, when in state.deadlines.items() if when <= t_ms)
    if not due:
        return
    for _, name in due:
        draft.deadline(name, None)
        key, _, seat = name.partition(" ")
        if name == deal_watch.DEADLINE:
            deal_watch.watch(draft, t_ms)
        elif seat:
            muck.still_mucked(draft, int(seat))
        else:
            _DEADLINES[key](draft)
    settle(draft, t_ms)


_DEADLINES: Final[dict[str, Callable[[Draft], None]]] = {
    "board": board.board_settled,
    "picked": board.pick_seen,
    "burn_early": burns.burned_early,
    "board_early": early.board_early,
    "burn_late": board.burn_still_unread,
    "hands_down": showdown.hands_down,
    "astray": run_it.still_astray,
    short_flop.DEADLINE: short_flop.still_short,
    shoe.DEADLINE: lambda draft: None,  # settling asks then
    muck.SWEPT: muck.still_swept,
}


def face_shown(draft: Draft, ref: str, face: str, t_ms: int) -> None:
    """The face of a card that is public now."""
    draft.emit(ev.FaceShown(ref, face))
    settle(draft, t_ms)


def end(draft: Draft, result: HandResult) -> None:
    """Close the hand: open questions fall away, steps that no reader sees are done, the rest of a checklist stands as it is."""
    _tick_checklists(draft)
    for alert in draft.state.alerts.values():
        if alert.state not in ("open", "fixing"):
            continue
        if alert.evidence == "possible" or all(not step.seen or step.state == "done" for step in alert.steps):
            draft.set_alert(
                alert,
                state="closed" if alert.evidence != "probable" else "withdrawn",
                question=None,
                steps=tuple([replace(step, state="done") for step in alert.steps]),
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
    if (kind == "bet" and draft.round_complete) or (kind == "board" and draft.state.run > 1 and draft.done):
        early.round_closed(draft)  # on a further board nobody bets: its cards are its round
        kind = draft.state.step.kind
    draft.advance()
    state = draft.state
    if state.at != before:
        _moved_on(draft, kind, t_ms)
    if state.step.kind in ("burn", "board") and draft.bets.runout:
        showdown.watch_hands(draft, t_ms)
    if state.exits:
        shoe.ask_exposed(draft, t_ms)
    if state.alerts:
        _tick_checklists(draft)
    if run_it.next_board_due(draft):
        draft.emit(ev.BoardBegun(draft.state.run + 1))
        _moved_on(draft, "show", t_ms)
        settle(draft, t_ms)


def _moved_on(draft: Draft, kind: str, t_ms: int) -> None:
    state = draft.state
    if kind == "deal" and state.step.kind != "deal":
        deal_order.deal_over(draft)
    step = state.step
    if step.kind in ("board", "burn"):
        laid = [slot.first_ms for slot in state.board if slot.street == step.street and not slot.early]
        if laid and "board" not in state.deadlines:
            draft.deadline("board", max(max(laid) + state.settle_ms, t_ms))
        if kind not in ("board", "burn"):
            stub.watch(draft)


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


def refunded(draft: Draft) -> None:
    """A void hand is closed, and with it all that was said in it: every chip went back."""
    for alert in draft.state.alerts.values():
        if alert.state not in ("open", "fixing"):
            continue
        if alert.remedy == "void":
            steps = tuple([replace(step, state="done") for step in alert.steps])
            draft.set_alert(alert, steps=steps, state="closed", question=None)
        elif alert.evidence != "proven":
            draft.withdraw(alert)
