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
from dealer_assist.procedure.rules.entry import REACH_MS
from dealer_assist.procedure.rules.muck import holds_cards
from dealer_assist.table import inputs as inp
from dealer_assist.table.decide import decide
from dealer_assist.table.hand import Hand
from dealer_assist.table.opening import Rules

#: An input of the running hand, with the hand before it.
Past = Sequence[tuple[inp.Input, Hand]]

#: The least time that acts take, in ms: a check or call; a bet, which is announced, counted and put in; a hand that is turned up.
ACT_MS: Final = 700
BET_MS: Final = 1500
SHOW_MS: Final = 800
#: The same of checks and bets behind a board card. Players have made up their minds while it came, and who has burned and turned
#: himself seldom has a tap of the street before still to make: only a bet that comes at once is one.
QUICK_ACT_MS: Final = 400
QUICK_BET_MS: Final = 900
#: The least time from the act before to the read of a card: it is carried to the muck, burned, turned.
READ_MS: Final = {MUCK: 400, **dict.fromkeys((BURN, *BOARDS), REACH_MS)}
#: So much time may be missing for an act that follows a fold at once and is tapped at once.
SNAP_MS: Final = 900
#: What makes a place unlikely counts like so much time that was not there: an alert of its own, a shown hand that need not be.
UNLIKELY_MS: Final = 3000


def place(past: Past, hand: Hand, told: inp.Told, rules: Rules) -> int | None:
    """The number of the input before which the tap belongs; None where it was not late, or fits nowhere else."""
    if not isinstance(told.command, cmd.Act | cmd.Tabled):
        return None
    return _best(past, hand, told, rules, now=len(past))


def place_again(past: Past, hand: Hand, rules: Rules) -> tuple[int, int] | None:
    """Whether a tap was late after all, now that more is known: its number, and that of the input it goes before.

    What was done after it must fit, too, before the next tap or card. Only the running street is looked at, and the card that ends it.
    """
    for now in _taps_of_street(past):
        told = past[now][0]
        assert isinstance(told, inp.Told)
        number = _best(past, hand, told, rules, now=now)
        if number is not None:
            return now, number
    return None


def _taps_of_street(past: Past) -> list[int]:
    """The taps that no burn or board card follows but the last input, oldest first; one that was placed before a read stays there."""
    first = next((number for number in range(len(past) - 2, -1, -1) if _is_street_card(past[number][0])), -1)
    return [
        number
        for number in range(first + 1, len(past) - 1)
        if _is_act(past[number][0]) and not _was_placed(past, number)
    ]


def _was_placed(past: Past, number: int) -> bool:
    return number > 0 and past[number][0].t_ms == past[number - 1][0].t_ms


def _is_street_card(given: inp.Input) -> bool:
    return isinstance(given, inp.CardPlaced) and given.zone in (BURN, *BOARDS)


def _best(past: Past, hand: Hand, told: inp.Told, rules: Rules, *, now: int) -> int | None:
    """The best place of a tap that stands at ``now``, behind all inputs or among them; None where that is the best."""
    grace_ms = int(rules.house.parameters.tap_grace_s.value * 1000)
    begin = _begin(past[:now], told.t_ms - grace_ms)
    last_tap = max((number for number in range(now) if _is_act(past[number][0])), default=-1)
    first = max(begin, last_tap, _last_pitch(past)) + 1
    reads = [number for number in range(first, now) if _read_ms(*past[number]) is not None]
    best: tuple[int, int] | None = None
    gone: int | None = None
    for number in (now, *reversed(reads)):
        course = _with_tap(past, hand, number, told, rules, now)
        if course is None:
            continue
        strain = _strain([*past[begin:number], *course])
        if now == len(past):
            strain += _unexplained(course[-1][1])  # once taken, a tap that is still to come may explain it
        if number == now:
            gone = _live_and_gone(course[-1][1]) if strain <= SNAP_MS else None
        elif gone is not None and _same_street(past[number:now]) and _live_and_gone(course[-1][1]) > gone:
            continue  # a hand that lies in the muck has folded, if the tap fits where it came: it did not call before
        if best is None or strain < best[0]:
            best = (strain, number)
        if strain == 0:
            break
    return None if best is None or best[1] == now else best[1]


def counts_from_ms(past: Past, number: int) -> int:
    """From when a tap counts that belongs before input ``number``: the act may have followed what came before it at once."""
    return past[max(0, number - 1)][0].t_ms


def _same_street(inputs: Past) -> bool:
    """Whether no burn and no board card was read."""
    return not any(isinstance(given, inp.CardPlaced) and given.zone in (BURN, *BOARDS) for given, _ in inputs)


def _live_and_gone(hand: Hand) -> int:
    """How many live hands lie in the muck although nobody has shown yet: who gives up at the showdown has called."""
    if hand.procedure.step.kind == "show":
        return 0
    return sum([not holds_cards(hand.procedure, seat) for seat in hand.bets.live])


def _last_pitch(past: Past) -> int:
    """The last card of the deal: nobody acts before it."""
    pitches = [number for number, (given, before) in enumerate(past) if _is_pitch(given, before)]
    return pitches[-1] if pitches else -1


def _is_pitch(given: inp.Input, before: Hand) -> bool:
    if not isinstance(given, inp.CardPlaced) or seat_of(given.zone) is None:
        return False
    return given.ref not in before.procedure.owner


def _begin(past: Past, from_ms: int) -> int:
    """The last read of an act before ``from_ms``: what was done after it counts."""
    for number in range(len(past) - 1, 0, -1):
        read_ms = _read_ms(*past[number])
        if read_ms is not None and read_ms < from_ms:
            return number
    return 0


def _is_act(given: inp.Input) -> bool:
    return isinstance(given, inp.Told) and isinstance(given.command, cmd.Act | cmd.Tabled)


def _read_ms(given: inp.Input, before: Hand) -> int | None:
    """When a card was read that tells of an act: a pitch, a fold, a burn, the first card of a street; None for everything else."""
    if not isinstance(given, inp.CardPlaced):
        return None
    state = before.procedure
    if _is_pitch(given, before):
        return given.first_ms
    if given.zone == MUCK:
        owner = state.owner.get(given.ref)
        return given.first_ms if owner is not None and holds_cards(state, owner) else None
    if given.zone == BURN and given.ref not in (*state.burns, *state.spare_burns):
        return given.first_ms
    if given.zone in BOARDS and all(slot.ref != given.ref for slot in state.slots):
        last_ms = max((slot.first_ms for slot in state.board), default=0)
        return given.first_ms if given.first_ms - last_ms > READ_MS[given.zone] else None
    return None


def _with_tap(
    past: Past, hand: Hand, number: int, told: inp.Told, rules: Rules, now: int
) -> list[tuple[inp.Input, Hand]] | None:
    """The course from input ``number`` on with the tap before it instead of at ``now``; None where a tap no longer fits.

    It is closed by the hand as it is then.
    """
    before = past[number][1] if number < len(past) else hand
    at_ms = counts_from_ms(past, number) if number < now else told.t_ms
    later = [given for place, (given, _) in enumerate(past) if place >= number and place != now]
    course: list[tuple[inp.Input, Hand]] = []
    for given in (inp.Told(told.command, told.actor, at_ms), *later):
        after, _, refused = decide(before, given, rules)
        if refused is not None and isinstance(given, inp.Told):
            return None
        course.append((given, before))
        before = after
    closing = past[-1][0] if now < len(past) else told
    at_ms = closing.first_ms if isinstance(closing, inp.CardPlaced) else closing.t_ms
    course.append((inp.TimePassed(at_ms), before))
    return course


def _strain(course: Past) -> int:
    """How much time is missing for what was done between the reads, in ms; the last input closes the course."""
    missing = 0
    since_ms = course[0][1].procedure.t_ms
    needed = 0
    act_ms, bet_ms = ACT_MS, BET_MS
    ahead: set[int] = set()
    for (given, before), (_, after) in pairwise(course):
        for taken in after.betting.log[len(before.betting.log) :]:
            if taken.kind in ("bet", "raise") or (taken.all_in and not taken.assumed):
                needed += bet_ms
            elif taken.kind != "fold" and taken.seat not in ahead:
                needed += act_ms
            ahead.discard(taken.seat)
        if isinstance(given, inp.Told) and isinstance(given.command, cmd.Tabled):
            needed += SHOW_MS + (UNLIKELY_MS if before.bets.over else 0)
        read_ms = _read_ms(given, before)
        if isinstance(given, inp.CardPlaced) and seat_of(given.zone) is not None:
            since_ms, needed = (since_ms, needed) if read_ms is None else (read_ms, 0)
        elif isinstance(given, inp.CardPlaced) and read_ms is not None:
            if given.zone == MUCK:
                waiting = _before_fold(before, before.procedure.owner[given.ref]) - ahead
                needed += act_ms * len(waiting)
                ahead |= waiting
            else:
                ahead.clear()
            needed += READ_MS[given.zone]
            missing += max(0, needed - (read_ms - since_ms))
            since_ms, needed = read_ms, 0
            quick = given.zone in BOARDS
            act_ms, bet_ms = (QUICK_ACT_MS, QUICK_BET_MS) if quick else (ACT_MS, BET_MS)
    return missing + max(0, needed - (course[-1][0].t_ms - since_ms))


def _unexplained(hand: Hand) -> int:
    """What hands in the muck count that cannot have folded as the taps are."""
    return UNLIKELY_MS * sum(name.startswith("mucked") for name in hand.procedure.deadlines)


def _before_fold(hand: Hand, seat: int) -> set[int]:
    """The seats that have to act before this one, and hold their cards."""
    out: set[int] = set()
    for other in hand.bets.pending:
        if other == seat:
            return out
        if holds_cards(hand.procedure, other):
            out.add(other)
    return set()
