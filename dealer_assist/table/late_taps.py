"""Where a tap belongs that came late: among the reads of the last seconds, in the order of the acts (entry by exception).

Dealers tap after the fact, the cards do not wait. A tap can be up to the house's ``tap_grace_s`` late and never overtakes the one
before it. Of the places where it fits it gets the one that asks least of the players' hands: each act takes its time, and what was
done between two reads must fit between them. Where several fit it is taken for the least late.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.zones import BOARDS, BURN, MUCK, seat_of
from dealer_assist.procedure.rules.entry import ACTION_MS
from dealer_assist.procedure.rules.muck import holds_cards
from dealer_assist.table import inputs as inp
from dealer_assist.table.decide import decide
from dealer_assist.table.hand import Hand
from dealer_assist.table.opening import Rules

#: An input of the running hand, with the hand before it.
Past = Sequence[tuple[inp.Input, Hand]]

#: The least time that acts take, in ms: a bet is announced, counted and put in; a hand is turned up.
BET_MS: Final = 1500
SHOW_MS: Final = 800
#: The least time from the act before to the read of a card: it is carried to the muck, burned, turned.
READ_MS: Final = {MUCK: 400, BURN: 600, **dict.fromkeys(BOARDS, 600)}
#: What makes a place unlikely counts like so much time that was not there: an alert of its own, a shown hand that need not be.
UNLIKELY_MS: Final = 3000


def place(past: Past, hand: Hand, told: inp.Told, rules: Rules) -> int | None:
    """The number of the input before which the tap belongs; None where it was not late, or fits nowhere else."""
    if not isinstance(told.command, cmd.Act | cmd.Tabled):
        return None
    grace_ms = int(rules.house.parameters.tap_grace_s.value * 1000)
    begin = _begin(past, told.t_ms - grace_ms)
    last_tap = max((number for number, (given, _) in enumerate(past) if _is_act(given)), default=-1)
    reads = [
        number for number in range(max(begin, last_tap) + 1, len(past)) if _read_ms(*past[number]) is not None
    ]
    best: tuple[int, int] | None = None
    for number in (len(past), *reversed(reads)):
        course = _with_tap(past, hand, number, told, rules)
        if course is None:
            continue
        strain = _strain([*past[begin:number], *course])
        if best is None or strain < best[0]:
            best = (strain, number)
        if strain == 0:
            break
    return None if best is None or best[1] == len(past) else best[1]


def _begin(past: Past, from_ms: int) -> int:
    """The last read before ``from_ms``: what was done after it counts."""
    for number in range(len(past) - 1, 0, -1):
        given = past[number][0]
        if isinstance(given, inp.CardPlaced) and given.first_ms < from_ms:
            return number
    return 0


def _is_act(given: inp.Input) -> bool:
    return isinstance(given, inp.Told) and isinstance(given.command, cmd.Act | cmd.Tabled)


def _read_ms(given: inp.Input, before: Hand) -> int | None:
    """When a card was read that tells of an act: a fold, a burn, the first card of a street; None for everything else."""
    if not isinstance(given, inp.CardPlaced):
        return None
    state = before.procedure
    if given.zone == MUCK:
        owner = state.owner.get(given.ref)
        return given.first_ms if owner is not None and holds_cards(state, owner) else None
    if given.zone == BURN and given.ref not in (*state.burns, *state.spare_burns):
        return given.first_ms
    if given.zone in BOARDS and all(slot.ref != given.ref for slot in state.board):
        last_ms = max((slot.first_ms for slot in state.board), default=0)
        return given.first_ms if given.first_ms - last_ms > READ_MS[given.zone] else None
    return None


def _with_tap(
    past: Past, hand: Hand, number: int, told: inp.Told, rules: Rules
) -> list[tuple[inp.Input, Hand]] | None:
    """The course from input ``number`` on with the tap before it, closed by the hand as it is then; None where a tap no longer fits."""
    before = past[number][1] if number < len(past) else hand
    at_ms = past[number][0].t_ms if number < len(past) else told.t_ms
    course: list[tuple[inp.Input, Hand]] = []
    for given in (inp.Told(told.command, told.actor, at_ms), *[given for given, _ in past[number:]]):
        after, _, refused = decide(before, given, rules)
        if refused is not None and isinstance(given, inp.Told):
            return None
        course.append((given, before))
        before = after
    course.append((inp.TimePassed(told.t_ms), before))
    return course


def _strain(course: Past) -> int:
    """How much time is missing for what was done between the reads, in ms; the last input closes the course."""
    missing = 0
    since_ms = course[0][1].procedure.t_ms
    needed = 0
    ahead: set[int] = set()
    for (given, before), (_, after) in pairwise(course):
        for taken in after.betting.log[len(before.betting.log) :]:
            if taken.kind in ("bet", "raise") or (taken.all_in and not taken.assumed):
                needed += BET_MS
            elif taken.kind != "fold" and taken.seat not in ahead:
                needed += ACTION_MS
            ahead.discard(taken.seat)
        if isinstance(given, inp.Told) and isinstance(given.command, cmd.Tabled):
            needed += SHOW_MS + (UNLIKELY_MS if before.bets.over else 0)
        read_ms = _read_ms(given, before)
        if isinstance(given, inp.CardPlaced) and seat_of(given.zone) is not None:
            since_ms, needed = given.first_ms, 0
        elif isinstance(given, inp.CardPlaced) and read_ms is not None:
            if given.zone == MUCK:
                waiting = _before_fold(before, before.procedure.owner[given.ref]) - ahead
                needed += ACTION_MS * len(waiting)
                ahead |= waiting
            else:
                ahead.clear()
            needed += READ_MS[given.zone]
            missing += max(0, needed - (read_ms - since_ms))
            since_ms, needed = read_ms, 0
    closing, end = course[-1]
    missing += max(0, needed - (closing.t_ms - since_ms))
    troubles = sum(name.startswith("mucked") for name in end.procedure.deadlines)
    return missing + UNLIKELY_MS * troubles


def _before_fold(hand: Hand, seat: int) -> set[int]:
    """The seats that have to act before this one, and hold their cards."""
    out: set[int] = set()
    for other in hand.bets.pending:
        if other == seat:
            return out
        if holds_cards(hand.procedure, other):
            out.add(other)
    return set()
