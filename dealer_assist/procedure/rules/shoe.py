"""What a shoe adds to the antennas: how many cards left it, when, and, with a face sensor, which of them face up.

A shoe is a witness of its own: a card that left it and that no antenna has read was dealt and not seen; where as many left as were
read, a seat without a card got none. It misses a card now and then (two that stick together count as one), so it only ever asks, and
once it has counted fewer than were read it is no witness of that deal any more. Which card left it says nobody.
"""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.alerts import Why
from dealer_assist.domain.zones import seat_of
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.rules import exposed
from dealer_assist.procedure.state import Exit, State

SHOE: Final = "shoe"
#: How long a pitched card is on its way at most, from the shoe until its seat has read it, in ms.
FLIGHT_MS: Final = 1500
#: The deadline at which a card that left face up and that no seat has read is asked about by the order of the deal.
DEADLINE: Final = "faced"
#: What a card that left face up is asked with, and the parameter that says which exit of the deal it was.
QUESTION: Final = "exposed"
EXIT: Final = "exit"


def exited(draft: Draft, exit_: Exit) -> None:
    """A card left the shoe."""
    draft.emit(ev.CardExited(exit_))


def unread(state: State, t_ms: int) -> int | None:
    """How many cards had left the shoe by ``t_ms`` that no reader has seen by then.

    None: nobody can say. There is no shoe, it counts nothing, or it has counted fewer cards than were read.
    """
    if not state.exits or SHOE not in state.readers:
        return None
    left = sum([1 + exit_.missed for exit_ in state.exits if exit_.t_ms <= t_ms])
    pitched = {pitch.ref for pitch in state.pitches}
    seen = sum([pitch.first_ms <= t_ms for pitch in state.pitches])
    # at a seat that is not dealt in; what is first read in the muck is one of those that were not read before
    seen += sum([ref not in pitched and seat_of(zone) is not None for ref, zone in state.where.items()])
    return left - seen if left >= seen else None


def why(state: State, t_ms: int) -> Why:
    """What the shoe counted by ``t_ms``, as evidence."""
    left = sum([1 + exit_.missed for exit_ in state.exits if exit_.t_ms <= t_ms])
    return Why("shoe_count", {"count": left}, weight=400)


def ask_exposed(draft: Draft, t_ms: int) -> None:
    """Ask about the next card that left face up, once it is known whose it is: "Exposed?" No reader sees which way a card faces."""
    state = draft.state
    if state.misdeal or state.street != "preflop" or state.folds == "face_up":
        return
    if any(alert.question == QUESTION for alert in state.alerts.values()):
        return  # one after the other
    done = {alert.params.get(EXIT) for alert in state.alerts.values()}
    number = 0
    for index, exit_ in enumerate(state.exits):
        number += 1 + exit_.missed
        if exit_.face != "up" or _name(state, number) in done:
            continue
        seat = _whose(state, index, number)
        if seat is None and t_ms < exit_.t_ms + FLIGHT_MS:
            draft.deadline(DEADLINE, exit_.t_ms + FLIGHT_MS)
            return
        if seat is None:
            seat = _by_plan(state, number)
        if seat is None or exposed.told_already(state, seat):
            continue
        exposed.ask(draft, seat, number, _name(state, number))
        return


def _name(state: State, number: int) -> str:
    """Names the exit of a deal: the deal again counts anew."""
    return f"{state.attempt}.{number}"


def _whose(state: State, index: int, number: int) -> int | None:
    """The seat that read a card soon after this exit; of several in one scan the one whose turn it was."""
    exit_ = state.exits[index]
    later = state.exits[index + 1].t_ms if index + 1 < len(state.exits) else None
    reads = [
        pitch
        for pitch in state.pitches
        if exit_.t_ms <= pitch.first_ms <= exit_.t_ms + FLIGHT_MS and pitch.seat in state.order
    ]
    if not reads:
        return None
    first_ms = min([pitch.first_ms for pitch in reads])
    if later is not None and later < first_ms:
        return None  # it may be the next card's
    among = [pitch.seat for pitch in reads if pitch.first_ms == first_ms]
    due = _by_plan(state, number)
    return due if due in among else among[0]


def _by_plan(state: State, number: int) -> int | None:
    """The seat that the card of this number is due to; None behind the deal."""
    order = state.order
    return order[(number - 1) % len(order)] if number <= len(order) * state.hole else None
