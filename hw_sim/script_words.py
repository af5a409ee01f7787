"""The words that script lines are made of: numbers, seats, times, places, rules; and the mistake that a line can be."""

from __future__ import annotations

import re
from typing import Final

#: A row of the catalogue of irregularities.
ROW: Final = re.compile(r"X3b|[XDKNFRAP][1-9][0-9]?")
#: The rule of an alert.
RULE: Final = re.compile(r"[A-Z][0-9]{1,2}b?")
#: Codes of notices, marks, options, steps and custom events.
CODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
PLACES: Final = (
    "seatN, seatN:K, board, board:K, board2, board2:K, board3, board3:K, burn, gate, muck, aside, off, stub"
)
STREETS: Final = ("preflop", "flop", "turn", "river")

_SPOT: Final = r"seat(?:1[01]|[1-9])|board[23]?|burn|gate|muck|aside|off|stub"
_PLACE: Final = re.compile(rf"(?:{_SPOT})|(?:seat(?:1[01]|[1-9])|board[23]?):[1-9]")
_WHOLE_PLACE: Final = re.compile(_SPOT)


class Bad(ValueError):
    """A line is no step. Says what was expected."""

    def __init__(self, expected: str) -> None:
        self.expected = expected
        super().__init__(expected)


def number(text: str, low: int = 1, high: int = 10**9) -> int:
    """A whole number from ``low`` to ``high``."""
    if not re.fullmatch("[0-9]{1,12}", text) or not low <= int(text) <= high:
        raise Bad(f"a number from {low} to {high}")
    return int(text)


def seat(text: str) -> int:
    """A seat of the table."""
    return number(text, 1, 11)


def ms(text: str) -> int:
    """A time as 2s, 1.5s or 500ms, in ms."""
    found = re.fullmatch(r"([0-9]{1,7}(?:\.[0-9]{1,6})?)(ms|s)", text)
    if found is None:
        raise Bad("a time, as 2s or 500ms")
    return int(float(found[1]) * (1000 if found[2] == "s" else 1))


def place(text: str, *, whole: bool = False) -> str:
    """A place of cards; ``whole``: not a single card of it."""
    if not (_WHOLE_PLACE if whole else _PLACE).fullmatch(text):
        raise Bad(
            f"a place: {'seatN, board, board2, board3, burn, gate, muck, aside, off, stub' if whole else PLACES}"
        )
    return text


def code(text: str) -> str:
    """A code: letters, digits and underscores."""
    if not CODE.fullmatch(text):
        raise Bad("a code of letters, digits and underscores")
    return text


def rule_of(words: list[str], usage: str) -> str:
    """The rule that a line may name at its end; "" when it names none."""
    if not words:
        return ""
    if len(words) != 1 or not RULE.fullmatch(words[0]):
        raise Bad(usage)
    return words[0]


def suffixes(words: list[str]) -> tuple[list[str], int, int]:
    """Words without ``unread [k]`` and ``late T``; how many are unread, and how late the reads are."""
    rest, unread, late = [], 0, 0
    index = 0
    while index < len(words):
        if words[index] == "unread":
            unread = 1
            if index + 1 < len(words) and words[index + 1].isdigit() and index > 0:
                unread = number(words[index + 1], 1, 5)
                index += 1
        elif words[index] == "late":
            if index + 1 >= len(words):
                raise Bad("late TIME, as late 800ms")
            late = ms(words[index + 1])
            index += 1
        else:
            rest.append(words[index])
        index += 1
    return rest, unread, late
