"""The journal as the table's session wants it: rows, seals, and one kind of failure."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from dealer_assist.journal.errors import JournalAhead, JournalError
from dealer_assist.journal.sealing import Sealer
from dealer_assist.journal.store import Journal, Row
from dealer_assist.table.session import StoreFailed

#: A hand's name in a seal has room for so many bytes.
HAND_BYTES = 24


class JournalStore:
    """A :class:`~dealer_assist.table.session.Store` on a journal.

    After an append that had failed, the rows may turn out to be stored (:class:`JournalAhead`): they are not written twice.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def append(self, rows: Sequence[Row], seals: Sequence[tuple[str, bytes]] = ()) -> int:
        """One durable commit; raises StoreFailed with the reason to show."""
        try:
            return self._journal.append(rows, seals)
        except JournalAhead:
            return self._after_ahead(rows, seals)
        except JournalError as error:
            raise StoreFailed(getattr(error, "reason", error.code)) from error

    def _after_ahead(self, rows: Sequence[Row], seals: Sequence[tuple[str, bytes]]) -> int:
        """The failed commit did reach the disk; what is new since then is stored now."""
        seq = self._journal.head[0]
        stored = [(row.kind, row.name, row.payload) for row in self._journal.read(max(0, seq - len(rows)))]
        count = next(
            (
                n
                for n in range(len(rows), 0, -1)
                if stored[-n:] == [(r.kind, r.name, r.payload) for r in rows[:n]]
            ),
            0,
        )
        try:
            return self._journal.append(rows[count:], () if count else seals)
        except JournalError as error:
            raise StoreFailed(getattr(error, "reason", error.code)) from error

    def checkpoint(self, hand: str) -> None:
        """Sign where the chains stand; raises StoreFailed."""
        try:
            self._journal.checkpoint(hand)
        except JournalError as error:
            raise StoreFailed(getattr(error, "reason", error.code)) from error


def row(kind: str, name: str, hand: str, value: object) -> Row:
    """A journal row. Keys that are numbers (seats) become text: JSON has no others."""
    return Row.of(kind, name, hand, msgspec.to_builtins(value, str_keys=True))  # type: ignore[arg-type]


class TableSealer:
    """Seals sightings; a hand's name that is too long for a seal is replaced by its digest."""

    def __init__(self, public_key: bytes) -> None:
        self._sealer = Sealer(public_key)

    def seal(self, *, hand: str, zone: str, card: str, uid: bytes, time_ms: int) -> bytes:
        """Return the sealed box, 112 bytes."""
        name = (
            hand
            if len(hand.encode()) <= HAND_BYTES
            else hashlib.sha256(hand.encode()).hexdigest()[:HAND_BYTES]
        )
        return self._sealer.seal(name, zone, card, uid, time_ms)
