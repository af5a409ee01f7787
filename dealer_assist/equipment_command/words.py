"""Refusals, cards and lines in words."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from dealer_assist.domain.link import Result

if TYPE_CHECKING:
    from dealer_assist.station.i18n import Translator

BAD_INPUT: Final = 2
FAILED: Final = 1
INTERRUPTED: Final = 130
SUITS: Final = {"s": "♠", "h": "♥", "c": "♣", "d": "♦"}


class Told:
    """Prints lines, each only when it is another one than before."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, line: str) -> None:
        """Print it, unless it was the last line."""
        if line and line != self._last:
            print(line, flush=True)
        self._last = line or self._last


def done(result: Result, tr: Translator, then: Callable[[], int] = lambda: 0) -> int:
    """The exit code of a command; why it was refused goes to standard error."""
    if result.ok:
        return then()
    print(refusal(tr, result), file=sys.stderr)
    return FAILED


def refusal(tr: Translator, result: Result) -> str:
    """Why a command was not carried out."""
    return tr.coded(
        "refusal", result.code, {key: value for key, value in result.params.items() if value != ""}
    )


def card(face: str) -> str:
    """A face as people write it: ♠A."""
    return (
        f"{SUITS[face[1]]}{'10' if face[0] == 'T' else face[0]}"
        if len(face) == 2 and face[1] in SUITS
        else face
    )
