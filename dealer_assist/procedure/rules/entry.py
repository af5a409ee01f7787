"""Taps are late, and a burn speaks: when the seats that are still to act may be taken to have acted (DESIGN §4).

By exception only bets, raises, all-ins, shown and pushed hands are entered. A burn, a board card or the next bet says that those
before it have folded (their cards are gone), checked or called. That is asked about only when more seats with cards are pending
than could have acted since the last entry.
"""

from __future__ import annotations

from typing import Final

from dealer_assist.procedure.draft import Draft

#: The time that an action without a tap takes, in ms (about one a second).
ACTION_MS: Final = 1000


def assume_closed(draft: Draft, t_ms: int) -> bool:
    """Let the burn or board card that came at ``t_ms`` close the round, where that can be. Returns whether it does."""
    state = draft.state
    if state.entry != "by_exception" or state.held_open == state.street or state.step.kind != "bet":
        return False
    if draft.bets.complete or draft.bets.over or draft.bets.street != state.street:
        return False
    if not could_have_acted(draft, t_ms):
        return False
    draft.assume_closed = True
    return True


def could_have_acted(draft: Draft, t_ms: int) -> bool:
    """Whether every pending seat that still holds its cards can have acted since the last entry or card."""
    state = draft.state
    waiting = [seat for seat in draft.bets.pending if state.mucked.isdisjoint(state.held.get(seat, ()))]
    last_card_ms = max(
        [pitch.first_ms for pitch in state.pitches[-1:]]
        + [slot.first_ms for slot in state.board if not slot.early],
        default=0,
    )
    since_ms = max(draft.bets.entered_ms, last_card_ms)
    return len(waiting) * ACTION_MS <= t_ms - since_ms
