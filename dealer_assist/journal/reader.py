"""Reading a journal, also while another process writes it.

Reads are short: a long read would keep the log from being folded in.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import msgspec

from dealer_assist.journal.errors import JournalCorrupt, JournalUnavailable
from dealer_assist.journal.schema import HAND_CLOSED, connect_reader

PAGE_ROWS: Final = 500
#: The range of SQLite's row numbers. Verification starts at the lowest, so that nothing hides below row 1.
FIRST_POSSIBLE_SEQ: Final = -(2**63)
LAST_POSSIBLE_SEQ: Final = 2**63 - 1


class StoredRow(msgspec.Struct, frozen=True):
    """A row as it is stored. Times in nanoseconds; ``payload`` is canonical JSON."""

    seq: int
    t_mono_ns: int
    t_utc_ns: int
    kind: str
    name: str
    hand: str
    simulated: bool
    payload: bytes
    prev: bytes
    hash: bytes


class StoredSeal(msgspec.Struct, frozen=True):
    """A sealed card as it is stored."""

    seq: int
    hand: str
    box: bytes
    prev: bytes
    hash: bytes


class StoredCheckpoint(msgspec.Struct, frozen=True):
    """A checkpoint as it is stored; both notes in full."""

    seq: int
    hand: str
    journal_seq: int
    journal_root: bytes
    note: str
    seals_seq: int
    seals_root: bytes
    seals_note: str


_ROWS = "SELECT seq, t_mono_ns, t_utc_ns, kind, name, hand, simulated, payload, prev, hash FROM rows WHERE seq >= ?"
_SEALS = "SELECT seq, hand, box, prev, hash FROM seals WHERE seq >= ?"
_CHECKPOINTS = "SELECT seq, hand, journal_seq, journal_root, note, seals_seq, seals_root, seals_note FROM checkpoints WHERE seq >= ?"


def iter_rows(db: sqlite3.Connection, from_seq: int, hand: str | None = None) -> Iterator[StoredRow]:
    """Rows from ``from_seq`` on in order, page by page, each page its own short read.

    May raise sqlite3.Error.
    """
    for row in _paged(db, _ROWS + (" AND hand = ?" if hand is not None else ""), from_seq, hand):
        yield _stored(row)


def _stored(row: tuple[Any, ...]) -> StoredRow:
    seq, mono, utc, kind, name, of_hand, simulated, payload, prev, digest = row
    return StoredRow(
        seq,
        mono,
        utc,
        kind,
        name,
        of_hand,
        simulated == 1,
        str(payload).encode(),
        prev,
        digest,
    )


def iter_seals(db: sqlite3.Connection, from_seq: int) -> Iterator[StoredSeal]:
    """Seals from ``from_seq`` on in order. May raise sqlite3.Error."""
    for row in _paged(db, _SEALS, from_seq, None):
        yield StoredSeal(*row)


def iter_checkpoints(db: sqlite3.Connection, from_seq: int) -> Iterator[StoredCheckpoint]:
    """Checkpoints from ``from_seq`` on in order. May raise sqlite3.Error."""
    for row in _paged(db, _CHECKPOINTS, from_seq, None):
        yield StoredCheckpoint(*row)


def _paged(db: sqlite3.Connection, select: str, from_seq: int, hand: str | None) -> Iterator[tuple[Any, ...]]:
    query = f"{select} ORDER BY seq LIMIT {PAGE_ROWS}"
    while True:
        page = db.execute(query, (from_seq,) if hand is None else (from_seq, hand)).fetchall()
        yield from page
        if len(page) < PAGE_ROWS or page[-1][0] == LAST_POSSIBLE_SEQ:
            return
        from_seq = page[-1][0] + 1


def last_closed_seq(db: sqlite3.Connection) -> int:
    """The seq of the last ``hand_closed`` mark, 0 when no hand was closed."""
    query = f"SELECT coalesce(max(seq), 0) FROM rows WHERE kind = 'mark' AND name = '{HAND_CLOSED}'"
    return int(db.execute(query).fetchone()[0])


def _unreadable(path: Path, error: sqlite3.Error) -> JournalUnavailable | JournalCorrupt:
    if isinstance(error, sqlite3.OperationalError) and "no such table" not in str(error):
        return JournalUnavailable(path, "cannot_open", str(error))
    return JournalCorrupt(path, 0, str(error))


class JournalReader:
    """A read-only view for the uplink, surveillance and reports. Not for two threads at once."""

    def __init__(self, path: Path) -> None:
        """Open ``path``.

        Raise :class:`JournalUnavailable` or :class:`JournalCorrupt` when it cannot be read.
        """
        self.path = path
        try:
            self._db = connect_reader(path)
        except sqlite3.Error as error:
            raise _unreadable(path, error) from None
        try:
            origin, simulated = self._db.execute("SELECT origin, simulated FROM segment").fetchone() or (
                "",
                0,
            )
        except sqlite3.Error as error:
            self._db.close()
            raise _unreadable(path, error) from None
        #: The table the journal belongs to, and whether its cards come from simulated devices.
        self.origin: str = origin
        self.simulated: bool = simulated == 1

    def rows(self, after_seq: int = 0, *, hand: str | None = None) -> Iterator[StoredRow]:
        """Rows after ``after_seq``, of one hand if given, in order. Raises JournalUnavailable or JournalCorrupt on the way."""
        try:
            yield from iter_rows(self._db, after_seq + 1, hand)
        except sqlite3.Error as error:
            raise _unreadable(self.path, error) from None

    def seals(self, after_seq: int = 0) -> Iterator[StoredSeal]:
        """Sealed cards after ``after_seq``, in order."""
        return iter_seals(self._db, after_seq + 1)

    def checkpoints(self, after_seq: int = 0) -> Iterator[StoredCheckpoint]:
        """Checkpoints after ``after_seq``, in order."""
        return iter_checkpoints(self._db, after_seq + 1)

    def closings(self, before_seq: int, count: int) -> list[int]:
        """The numbers of the newest rows that closed a hand, the newest first; ``before_seq`` 0: of all.

        Raises JournalUnavailable or JournalCorrupt.
        """
        query = (
            f"SELECT seq FROM rows WHERE kind = 'mark' AND name = '{HAND_CLOSED}' AND seq < ? "
            "ORDER BY seq DESC LIMIT ?"
        )
        try:
            found = self._db.execute(query, (before_seq or LAST_POSSIBLE_SEQ, count)).fetchall()
        except sqlite3.Error as error:
            raise _unreadable(self.path, error) from None
        return [int(seq) for (seq,) in found]

    def rows_between(self, first_seq: int, last_seq: int) -> list[StoredRow]:
        """The rows with these numbers, both included: few. Raises JournalUnavailable or JournalCorrupt."""
        query = f"{_ROWS} AND seq <= ? ORDER BY seq"
        try:
            return [_stored(row) for row in self._db.execute(query, (first_seq, last_seq)).fetchall()]
        except sqlite3.Error as error:
            raise _unreadable(self.path, error) from None

    def is_closed(self, hand: str) -> bool:
        """Whether ``hand`` has its ``hand_closed`` mark, and no hand has been opened by the same name since then."""
        query = (
            f"SELECT kind FROM rows WHERE hand = ? AND ((kind = 'mark' AND name = '{HAND_CLOSED}') OR "
            "(kind = 'input' AND json_extract(payload, '$.command.kind') = 'open_hand')) ORDER BY seq DESC LIMIT 1"
        )
        return bool(self._db.execute(query, (hand,)).fetchone() == ("mark",))

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
