"""Pots, who can win them, showdown order and awards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dealer_assist.betting.pot_split import best, by_board, split
from dealer_assist.betting.rake import taken, taken_of_each
from dealer_assist.betting.rounds import live, uncalled
from dealer_assist.betting.unfold import fund_awards
from dealer_assist.betting.values import BettingState, Pot, PotAward, Settlement, Unawardable
from dealer_assist.betting.winners import winners


def pots(state: BettingState) -> tuple[Pot, ...]:
    """The pots, main first, bets in front included, after the uncalled bet is back and before rake.

    A live seat can win from every other seat at most what it put in itself (TDA 21). A seat that could not pay its whole ante
    wins of every ante at most its own; dead posts and the antes of others belong to all. Folded chips stay in the layer they
    reached; above the highest live one they fall into the last pot. Layers that the same seats can win are one pot.
    """
    staked = list(state.contributed)
    excess = uncalled(state)
    if excess is not None:
        staked[state.setup.seats.index(excess[0])] -= excess[1]
    return _layers(state, staked)


def gathered_pots(state: BettingState) -> tuple[Pot, ...]:
    """The pots of the chips in the middle alone, without the bets in front; main first. For the screen."""
    return _layers(state, [whole - bet for whole, bet in zip(state.contributed, state.bets, strict=True)])


def house_take(state: BettingState, *, flop_seen: bool) -> tuple[int, tuple[tuple[str, int], ...]]:
    """Rake and drops of the chips that are in the middle now, by the schedule of the set-up; nothing without one.

    While a round is open the bets in front do not count; once it is complete all but the uncalled bet does. The figure never falls
    while the hand goes on. ``flop_seen``: the flop lies there.
    """
    schedule = state.setup.rake
    if schedule is None:
        return 0, ()
    formed = pots(state) if state.to_act is None else gathered_pots(state)
    return taken(schedule, sum([pot.amount for pot in formed]), len(state.setup.seats), flop_seen)


def chop_taken(state: BettingState) -> dict[int, int]:
    """Seat → what the house takes when the blinds chop, from the largest bet first, at most the whole bet.

    Who pays is in no set of rules that was read [inferred]; another order is made here.
    """
    left = state.setup.rake.chop if state.setup.rake is not None else 0
    paid: dict[int, int] = {}
    for staked, seat in sorted(zip(state.contributed, state.setup.seats, strict=True), reverse=True):
        share = min(left, staked)
        if share:
            paid[seat] = share
            left -= share
    return paid


def award(
    state: BettingState,
    strength: Mapping[int, int] | Sequence[Mapping[int, int]],
    rake: int = 0,
    fund_strength: Mapping[int, int] | None = None,
    *,
    drops: tuple[tuple[str, int], ...] = (),
    given_up: tuple[int, ...] = (),
) -> Settlement | Unawardable:
    """Award every pot, the last formed first (WLA 153).

    ``strength``: seat → value of its tabled hand, lower is better; a seat that tabled nothing does not appear and cannot win a
    pot that another seat can. Several of them, one a board in the order of the boards: each board awards its part of every pot,
    equal parts, every odd chip to the first board (WLA 217). ``rake``, ``drops``: what the house takes, in the smallest unit, out of
    the main pot first; ValueError if the pots do not hold it. Each part is split in units of the smallest chip; odd chips go one each,
    clockwise from the button (TDA 20-A). ``fund_strength``: the same for the hands bought back from the unfold fund.
    ``given_up``: seats that mucked at the showdown, in that order: a pot in which one other is left is that one's, and the last who
    could win it cannot give it away (TDA 17-B).
    """
    if state.to_act is not None:
        return Unawardable(None, "betting_open")
    if not state.setup.amounts:
        return winners(state, strength, given_up)
    boards = (strength,) if isinstance(strength, Mapping) else tuple(strength)
    if not boards:
        raise ValueError("no board to award the pots by")
    formed = pots(state)
    to_take = rake + sum([amount for _, amount in drops])
    if not 0 <= to_take <= sum([pot.amount for pot in formed]) or min([rake, *dict(drops).values()]) < 0:
        raise ValueError(f"rake {rake} and drops {drops} are not between 0 and the pots")
    awarded: list[PotAward] = []
    awards: dict[int, int] = {}
    takes = taken_of_each([pot.amount for pot in formed], to_take)
    for number, (pot, take) in enumerate(zip(formed, takes, strict=True)):
        parts = _award_pot(state, number, pot, take, boards, given_up)
        if isinstance(parts, Unawardable):
            return parts
        for part in parts:
            awarded.append(part)
            for seat, share in zip(part.winners, part.shares, strict=True):
                awards[seat] = awards.get(seat, 0) + share
    awarded.reverse()
    stacks = dict(zip(state.setup.seats, state.stacks, strict=True))
    returned = state.returned
    excess = uncalled(state)
    if excess is not None:
        returned = (*returned, excess)
        stacks[excess[0]] += excess[1]
    for seat, amount in awards.items():
        stacks[seat] += amount
    fund: tuple[PotAward, ...] = ()
    back: tuple[tuple[int, int], ...] = ()
    if state.fund is not None:
        found = fund_awards(state, state.fund, fund_strength)
        if isinstance(found, Unawardable):
            return found
        fund, back = found
    for each in fund:
        for seat, share in zip(each.winners, each.shares, strict=True):
            stacks[seat] += share
    for seat, amount in back:
        stacks[seat] += amount
    for seat in state.setup.unknown:
        del stacks[seat]
    return Settlement(returned, tuple(awarded), awards, stacks, rake, fund, back, drops)


def _award_pot(
    state: BettingState,
    number: int,
    pot: Pot,
    take: int,
    boards: tuple[Mapping[int, int], ...],
    given_up: tuple[int, ...],
) -> tuple[PotAward, ...] | Unawardable:
    """The awards of one pot, those of the last board first; one award when no showdown is needed."""
    unit = state.setup.unit
    left = tuple([seat for seat in pot.eligible if seat not in given_up])
    if not left:
        left = (max(pot.eligible, key=given_up.index),)
    if len(left) == 1:
        return (PotAward(number, pot, left, (pot.amount - take,), taken=take),)
    if len(boards) == 1:
        winners = best(left, boards[0])
        if not winners:
            return Unawardable(pot)
        shares = split(pot.amount - take, len(winners), unit)
        return (PotAward(number, pot, winners, shares, taken=take),)
    parts: list[PotAward] = []
    nets = by_board(pot.amount - take, len(boards), unit)
    takes = by_board(take, len(boards), 1)
    for board, (strength, net, share) in enumerate(zip(boards, nets, takes, strict=True), 1):
        winners = best(left, strength)
        if not winners:
            return Unawardable(pot)
        part = Pot(net + share, pot.eligible)
        parts.append(PotAward(number, part, winners, split(net, len(winners), unit), board, share))
    parts.reverse()
    return tuple(parts)


def showdown_order(state: BettingState) -> tuple[int, ...]:
    """The live seats in the order in which they show (TDA 17-A).

    The last to bet or raise in the last round first, otherwise the first left of the button; then clockwise. When the board is
    run out, the last round is the last in which a bet was possible. Where the house says so, those who play for a side pot show
    before those who are all-in for less (RROP showdown).
    """
    seats = live(state)
    if state.aggressor in seats:
        first = seats.index(state.aggressor)
        seats = seats[first:] + seats[:first]
    if not state.setup.side_pots_show_first or True not in state.all_in:
        return seats
    last = {seat: number for number, pot in enumerate(pots(state)) for seat in pot.eligible}
    return tuple(sorted(seats, key=lambda seat: -last.get(seat, 0)))


def _layers(state: BettingState, staked: list[int]) -> tuple[Pot, ...]:
    """Pots of ``staked``. Only all-in seats limit a layer: the others match what is bet, or fold and win nothing."""
    total = sum(staked)
    if not total:
        return ()
    eligible = live(state)
    if len(eligible) == 1 or True not in state.all_in:
        return (Pot(total, eligible),)
    merged: dict[tuple[int, ...], int] = {}
    stakes = staked
    if any(state.antes) or any(state.dead):
        stakes = [
            whole - ante - dead for whole, ante, dead in zip(staked, state.antes, state.dead, strict=True)
        ]
        _add(merged, eligible, sum(state.dead))
        _slice(state, state.antes, _short_antes(state), merged)
    limits = {index: stakes[index] for index, shoved in enumerate(state.all_in) if shoved}
    _slice(state, stakes, limits, merged)
    return tuple([Pot(amount, can_win) for can_win, amount in merged.items()])


def _slice(
    state: BettingState, stakes: Sequence[int], limits: Mapping[int, int], merged: dict[tuple[int, ...], int]
) -> None:
    """Add ``stakes`` to ``merged`` in layers: the seat at an index in ``limits`` wins of each stake no more than that."""
    seats, folded = state.setup.seats, state.folded
    top = max(stakes)
    below = 0
    for level in sorted({*limits.values(), top}):
        amount = sum([min(stake, level) - below for stake in stakes if stake > below])
        can_win = tuple(
            [
                seat
                for index, seat in enumerate(seats)
                if not folded[index] and limits.get(index, top) >= level
            ]
        )
        # Folded chips above what any live seat can win go to the last pot.
        _add(merged, can_win or next(reversed(merged), live(state)), amount)
        below = level


def _add(merged: dict[tuple[int, ...], int], can_win: tuple[int, ...], amount: int) -> None:
    if amount:
        merged[can_win] = merged.get(can_win, 0) + amount


def _short_antes(state: BettingState) -> dict[int, int]:
    """Index → ante paid, of the seats that could not pay their whole ante."""
    wanted = [0] * len(state.antes)
    for post in state.setup.posts:
        if post.kind == "ante":
            wanted[state.setup.seats.index(post.seat)] += post.amount
    return {
        index: paid for index, (paid, want) in enumerate(zip(state.antes, wanted, strict=True)) if paid < want
    }
