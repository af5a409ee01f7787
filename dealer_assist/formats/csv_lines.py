"""CSV for a spreadsheet: a line for all that moved chips or turned cards. A column can be summed, a hand read from top to bottom.

Amounts are money of the table (12.50), cards as in AsKd, one header line, commas, lines that end as RFC 4180 wants them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from dealer_assist.domain.table import STREETS
from dealer_assist.formats.finished import FinishedHand, utc
from dealer_assist.formats.money import Money

#: ``in``: chips from the seat into the pots, ``out``: chips to it; the sums of a completed hand are equal, rake and drops included.
COLUMNS: Final = (
    "hand",
    "started_utc",
    "table",
    "game",
    "result",
    "line",
    "street",
    "seat",
    "what",
    "in",
    "out",
    "total_in_front",
    "stack_after",
    "cards",
    "notes",
)
#: A spreadsheet takes a cell that begins so for a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_table(hands: Iterable[FinishedHand]) -> str:
    """The header and the lines of all hands, of every game and result."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for hand in hands:
        for number, line in enumerate(_lines(hand), 1):
            cells = {**_of_hand(hand), "line": number, **line}
            writer.writerow({name: _safe(value) for name, value in cells.items()})
    return out.getvalue()


def _safe(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _of_hand(hand: FinishedHand) -> dict[str, Any]:
    return {
        "hand": hand.hand,
        "started_utc": "" if hand.started_ms is None else utc(hand.started_ms),
        "table": hand.table,
        "game": hand.game,
        "result": hand.result,
    }


def _lines(hand: FinishedHand) -> Iterator[dict[str, Any]]:
    money = Money.of(hand.unit)
    stacks = {seat.seat: seat.stack for seat in hand.seats}

    def moved(seat: int, what: str, *, put: int = 0, got: int = 0, **more: object) -> dict[str, Any]:
        if not hand.amounts:
            return {"seat": seat, "what": what, **more, "total_in_front": ""}
        before = stacks.get(seat)
        if before is not None:
            stacks[seat] = before - put + got
        after = stacks.get(seat)
        return {
            "seat": seat,
            "what": what,
            "in": money.text(put) if put else "",
            "out": money.text(got) if got else "",
            "stack_after": "" if after is None else money.text(after),
            **more,
        }

    for seat in hand.seats:
        yield {
            **moved(seat.seat, "dealt in"),
            "street": "preflop",
            "notes": "button" if seat.seat == hand.button else "",
        }
    for post in hand.posts:
        note = "all-in" if post.all_in else ""
        yield {
            **moved(post.seat, f"post {post.kind.replace('_', ' ')}", put=post.paid),
            "street": "preflop",
            "notes": note,
        }
    for street in STREETS:
        for part in hand.board:
            if part.street == street:
                which = f"board {part.run}" if max(hand.boards, hand.runs) > 1 else "board"
                yield {"street": street, "what": which, "cards": "".join(part.faces)}
        for action in hand.actions:
            if action.street != street:
                continue
            notes = [name for name in ("all_in", "assumed") if getattr(action, name)]
            yield {
                **moved(action.seat, action.kind, put=action.added),
                "street": street,
                "total_in_front": money.text(action.to) if action.added else "",
                "notes": " ".join(notes).replace("_", "-"),
            }
    for line in hand.fund:
        if line.what == "unfold":
            yield {**moved(line.seat, line.what, put=line.amount), "street": "flop"}
    for seat_no, amount in hand.returned:
        yield moved(seat_no, "returned", got=amount)
    for seat in hand.seats:
        if seat.shown or seat.mucked:
            yield {
                "seat": seat.seat,
                "what": "shows" if seat.shown else "mucks",
                "cards": "".join(seat.shown),
            }
    if hand.rake:
        yield {"what": "rake", "out": money.text(hand.rake)}
    for drop in hand.drops:
        yield {"what": f"drop {drop.name}", "out": money.text(drop.amount)}
    for pot in hand.pots:
        name = "main pot" if pot.number == 0 else f"side pot {pot.number}"
        for seat_no, share in pot.shares:
            yield moved(seat_no, f"wins {name}", got=share)
    for line in hand.fund:
        if line.what != "unfold":
            yield moved(line.seat, line.what, got=line.amount)
    if hand.result != "completed":
        yield from _given_back(hand, moved)


def _given_back(hand: FinishedHand, moved: Callable[..., dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A misdeal, a void hand or a chop: all that was put in goes back."""
    for seat in hand.seats:
        put = sum(post.paid for post in hand.posts if post.seat == seat.seat)
        put += sum(action.added for action in hand.actions if action.seat == seat.seat)
        put += sum(line.amount for line in hand.fund if line.seat == seat.seat and line.what == "unfold")
        if put:
            yield moved(seat.seat, "given back", got=put)
