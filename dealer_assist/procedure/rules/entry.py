"""Taps are late, and a burn speaks: when the seats that are still to act may be taken to have acted (DESIGN §4).

By exception only bets, raises, all-ins, shown and pushed hands are entered. A burn, a board card or the next bet says that those
before it have folded (their cards are gone), checked or called. That is asked about only when more seats with cards are pending
than could have acted since the last entry.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dealer_assist.procedure.draft import Draft

#: The time that an action without a tap takes, in ms (about one a second).
ACTION_MS: Final = 1000
#: The same of a check before a hand is turned up: the dealer says that it was, and four players check a river in two seconds.
SHOWN_CHECK_MS: Final = 500
#: From where a dealer reaches for the burn or a board card to its first read, at least.
REACH_MS: Final = 600
#: A dealer who taps one act after the other makes no longer pauses: until then he is catching up [assumption].
TAPPING_MS: Final = 1500


def closes_round(draft: Draft, t_ms: int) -> bool:
    """Whether the burn or board card that came at ``t_ms`` closes the round; then it is judged again as what follows."""
    state = draft.state
    if state.entry != "by_exception" or state.step.kind != "bet":
        return False
    if state.held_open == state.street and t_ms <= state.held_at_ms:
        return False
    if draft.bets.complete or draft.bets.over or draft.bets.street != state.street:
        return False
    if not could_have_acted(draft, t_ms):
        return False
    draft.closed_by_card = True
    return True


def grace_ms(draft: Draft) -> int:
    """How long an early read waits for taps: by exception none of a check, call or fold comes, and the question is asked at once."""
    if draft.state.entry == "by_exception" or draft.state.held_open == draft.state.street:
        return 0
    return _tap_grace_ms(draft)


def waited_ms(draft: Draft, begun_ms: int) -> int:
    """When taps have had their time, of a street whose first sign, its burn or else its card, was first read at ``begun_ms``.

    The acts that they tell of were over when the dealer reached for that card.
    """
    return begun_ms + max(0, grace_ms(draft) - REACH_MS)


def tapping(draft: Draft, deadline: str) -> bool:
    """Whether the dealer is still catching up with the taps of an open round; then ``deadline`` is put off until he has stopped."""
    until_ms = draft.bets.entered_ms + TAPPING_MS
    if not draft.bets.actions or not grace_ms(draft) or draft.now_ms >= until_ms:
        return False
    draft.deadline(deadline, until_ms)
    return True


def _tap_grace_ms(draft: Draft) -> int:
    return int(draft.house.parameters.tap_grace_s.value * 1000)


def could_have_acted(draft: Draft, t_ms: int, *, action_ms: int = ACTION_MS) -> bool:
    """Whether every pending seat that still holds its cards can have acted since the last entry, ``action_ms`` each.

    That entry may have been late itself, but not so much that what came before it does not fit behind the last card.
    """
    state = draft.state
    waiting = _with_cards(draft, draft.bets.pending)
    last_card_ms = max(
        [pitch.first_ms for pitch in state.pitches[-1:]]
        + [slot.first_ms for slot in state.board if not slot.early],
        default=0,
    )
    acted = sum(kind != "fold" for kind in draft.bets.actions)
    since_ms = max(draft.bets.entered_ms - _tap_grace_ms(draft), last_card_ms + acted * action_ms)
    return len(waiting) * action_ms <= t_ms - since_ms


def could_have_played(draft: Draft, time_ms: int) -> bool:
    """Whether the betting of a street without a single tap fits into ``time_ms``: all act who can; in a run-out nobody does."""
    able = _with_cards(draft, [seat for seat in draft.bets.live if seat not in draft.bets.all_in])
    return draft.bets.runout or len(able) * ACTION_MS <= time_ms


def _with_cards(draft: Draft, seats: Iterable[int]) -> list[int]:
    """Those of the seats none of whose cards is in the muck."""
    state = draft.state
    return [seat for seat in seats if state.mucked.isdisjoint(state.held.get(seat, ()))]
