"""Wrong PINs: so many in a row lock a badge, each further one for longer. Times in seconds of UTC, so that a restart forgets nothing."""

from __future__ import annotations

from typing import Final

import msgspec

#: How long a badge is locked, the first time and then each time another PIN was wrong.
LOCKS_S: Final = (60, 300, 900, 3600)


class Tries(msgspec.Struct, frozen=True):
    """Of one badge: wrong PINs in a row, and until when it takes none."""

    wrong: int = 0
    locked_until_s: int = 0


class Locks:
    """The badges whose last PIN was wrong, by staff number. ``tries``: so many wrong PINs in a row lock one."""

    def __init__(self, tries: int) -> None:
        self._most = tries
        self._tries: dict[int, Tries] = {}

    def of(self, number: int) -> Tries:
        """How a badge stands."""
        return self._tries.get(number, Tries())

    def put(self, number: int, tries: Tries) -> None:
        """It stands so."""
        self._tries[number] = tries

    def left(self, number: int) -> int:
        """So many wrong PINs more lock it."""
        return max(1, self._most - self.of(number).wrong)

    def wrong(self, number: int, now_s: int) -> Tries:
        """Another PIN was wrong."""
        wrong = self.of(number).wrong + 1
        over = wrong - self._most
        until_s = 0 if over < 0 else now_s + LOCKS_S[min(over, len(LOCKS_S) - 1)]
        tries = self._tries[number] = Tries(wrong, until_s)
        return tries

    def set_back(self, by_s: int) -> None:
        """The clock was set back by so much: each lock ends when it would have."""
        for number, tries in self._tries.items():
            if tries.locked_until_s:
                self._tries[number] = Tries(tries.wrong, tries.locked_until_s - by_s)

    def no_longer_than_due(self, now_s: int) -> None:
        """After a restart: none lasts longer than the longest there is. A clock that lost its battery must not lock a badge for years."""
        for number, tries in self._tries.items():
            self._tries[number] = Tries(tries.wrong, min(tries.locked_until_s, now_s + LOCKS_S[-1]))

    def right(self, number: int) -> None:
        """The PIN was right: nothing is held against the badge any more."""
        self._tries.pop(number, None)
