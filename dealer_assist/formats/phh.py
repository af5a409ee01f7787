"""PHH, the poker hand history format of the University of Toronto (its standard's version 0.0.2): numbered tables of one file (.phhs).

Amounts are whole smallest units, ``_unit`` says what one is. A hand that was not tabled is ``????``. The format has no rake and no
side pots, no second run of a board, and no burns; of these only the final stacks tell.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from typing import Final

from dealer_assist.domain.table import STREETS
from dealer_assist.formats.finished import FinishedHand, NotInFormat, PlayedAction
from dealer_assist.formats.money import NO_CURRENCY, Money

#: What the format has a name for.
_VARIANTS: Final = {
    ("holdem", "no_limit"): "NT",
    ("holdem", "fixed_limit"): "FT",
    ("short_deck", "no_limit"): "NS",
    ("omaha", "pot_limit"): "PO",
}
_UNKNOWN: Final = "??"


def phh_table(hand: FinishedHand, number: int) -> str:
    """One hand as table ``number`` of a .phhs file. Raises :class:`NotInFormat`: game (name), result (result), amounts, runs."""
    if hand.result != "completed":
        raise NotInFormat("result", result=hand.result)
    variant = _VARIANTS.get((hand.game_type, hand.structure))
    first_street = next((action.street for action in hand.actions), "preflop")
    if variant is None or hand.boards > 1 or not hand.has_blind() or first_street != "preflop":
        raise NotInFormat("game", name=hand.game)
    if not hand.amounts:
        raise NotInFormat("amounts")
    if hand.runs > 1:
        raise NotInFormat("runs")
    lines = [f"[{number}]", *(f"{name} = {value}" for name, value in _fields(hand, variant))]
    return "\n".join(lines) + "\n"


def _fields(hand: FinishedHand, variant: str) -> Iterator[tuple[str, str]]:
    order = [seat.seat for seat in hand.seats]
    antes = dict.fromkeys(order, 0)
    blinds = dict.fromkeys(order, 0)
    newcomers: set[int] = set()
    big = False
    for post in hand.posts:
        if post.kind in ("ante", "dead", "unfold_ante"):
            antes[post.seat] += post.paid
            continue
        if post.kind == "big_blind" and big and not blinds[post.seat]:
            newcomers.add(post.seat)
        big = big or post.kind == "big_blind"
        blinds[post.seat] += _owed(hand, post.kind, post.paid, all_in=post.all_in)
    forced = [-blinds[seat] if seat in newcomers else blinds[seat] for seat in order]
    if len(order) == 2:
        forced.reverse()  # heads-up the format names the small blind first, which the second player has
    yield "variant", _text(variant)
    yield "ante_trimming_status", "true" if len(set(antes.values())) == 1 else "false"
    yield "antes", _list([str(antes[seat]) for seat in order])
    yield "blinds_or_straddles", _list([str(amount) for amount in forced])
    if hand.structure == "fixed_limit":
        yield "small_bet", str(hand.bets[0])
        yield "big_bet", str(hand.bets[1])
    else:
        yield "min_bet", str(hand.bets[0])
    # a stack that nobody knew has no end
    stacks = ["inf" if seat.stack is None else str(seat.stack) for seat in hand.seats]
    yield "starting_stacks", _list(stacks)
    yield "actions", _list([_text(action) for action in _actions(hand)])
    if all(seat.stack is not None and seat.end is not None for seat in hand.seats):
        yield "finishing_stacks", _list([str(seat.end) for seat in hand.seats])
    yield "seats", _list([str(seat) for seat in order])
    yield "seat_count", str(max(hand.max_seats, *order))
    yield "players", _list([_text(f"Seat {seat}") for seat in order])
    yield "table", _text(hand.table)
    money = Money.of(hand.unit)
    if money.currency != NO_CURRENCY:
        yield "currency", _text(money.currency)
    if hand.started_ms is not None:
        when = dt.datetime.fromtimestamp(hand.started_ms / 1000, dt.UTC)
        yield "year", str(when.year)
        yield "month", str(when.month)
        yield "day", str(when.day)
        yield "time", when.strftime("%H:%M:%S")
        yield "time_zone", _text("UTC")
    yield "_source", _text(hand.hand)
    yield "_unit", _text(hand.unit)
    yield "_house", _text(hand.house)
    yield "_button", str(hand.button)
    if hand.rake or hand.drops:
        yield "_rake", str(hand.rake)
        yield "_drops", str(sum(drop.amount for drop in hand.drops))


def _owed(hand: FinishedHand, kind: str, paid: int, *, all_in: bool) -> int:
    """A blind that is all-in for less is told in full: the stack says that it is short."""
    full = {"small_blind": hand.small_blind, "big_blind": hand.big_blind}.get(kind, 0)
    return max(paid, full) if all_in else paid


def _actions(hand: FinishedHand) -> Iterator[str]:
    order = [seat.seat for seat in hand.seats]
    player = {seat: f"p{number}" for number, seat in enumerate(order, 1)}
    hidden = _UNKNOWN * {"omaha": 4}.get(hand.game_type, 2)
    for seat in hand.seats:
        yield f"d dh {player[seat.seat]} {''.join(seat.shown) or hidden}"
    for street in STREETS:
        for part in hand.board:
            if part.street == street:
                yield f"d db {''.join(part.faces)}"
        for action in hand.actions:
            if action.street == street:
                yield f"{player[action.seat]} {_act(action)}"
    if hand.showdown():
        live = [seat for seat in hand.seats if not seat.folded]
        for seat in [*(seat for seat in live if seat.shown), *(seat for seat in live if not seat.shown)]:
            yield f"{player[seat.seat]} sm {''.join(seat.shown)}".rstrip()


def _act(action: PlayedAction) -> str:
    match action.kind:
        case "fold":
            return "f"
        case "check" | "call":
            return "cc"
        case _:
            return f"cbr {action.to}"


def _text(text: str) -> str:
    """A basic string of TOML: JSON's escapes are among its own, except for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _list(values: list[str]) -> str:
    return f"[{', '.join(values)}]"
