"""A16: the stub has fewer cards than the street that is due needs, as after boxed cards in a game with many hole cards.

Counted from below: a card that was not read and whose hand is over counts as still in the stub, so that this is never said too soon.
"""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.alerts import Why
from dealer_assist.domain.zones import BOARDS
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.state import Bets, State

#: What an event puts in the place of a burn whose card is somewhere else now.
_STANDS_FOR: Final = "gone."


def watch(draft: Draft) -> None:
    """A street is due: are there cards for it? Said once in a deal; what comes of it is the floor's."""
    state = draft.state
    if state.misdeal or draft.bets.over or draft.alert("A16", open_only=False) is not None:
        return
    needed = _needed(state)
    here = left(state, draft.bets)
    if here < needed:
        draft.raise_alert(
            "A16",
            "proven",
            params={"count": here, "needed": needed},
            why=(Why("stub_count", {"count": here, "needed": needed}, weight=500),),
        )


def left(state: State, bets: Bets) -> int:
    """How many cards the stub has at most."""
    return max(0, state.cards - _out(state, bets))


def _needed(state: State) -> int:
    """The cards from here to the end of the street's board, less those that lie there: behind a burn that was not read as well."""
    needed = 0
    for step in state.plan[state.at :]:
        if step.kind not in ("burn", "board"):
            break
        needed += step.count
    here = sum(slot.street == state.street and not slot.early for slot in state.board)
    return needed - here


def _out(state: State, bets: Bets) -> int:
    """How many cards of the deck are out of the stub, at least."""
    out = {ref for ref, zone in state.where.items() if zone not in BOARDS}
    out |= {slot.ref for slot in state.slots}
    out |= {ref for refs in state.held.values() for ref in refs}
    out |= {*state.mucked, *state.burns, *state.spare_burns, *state.dead_burns}
    read = sum(not ref.startswith(_STANDS_FOR) for ref in out - state.scrapped)
    hands = [seat for seat in bets.live if seat not in state.dead]
    unread = sum(max(0, state.due - len(state.held.get(seat, ()))) for seat in hands)
    jokers = sum(
        alert.rule == "K3" for alert in state.alerts.values()
    )  # set aside, but no cards of the game's
    aside = max(0, len(state.scrapped) + state.scrap_due - jokers)
    return read + unread + aside
