"""The journal of one table: rows go in together, in one durable commit, or not at all.

One process writes a journal, one thread of it calls :class:`Journal`. Times, keys and the origin are given;
nothing here reads a clock.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from nacl.signing import SigningKey

from dealer_assist.journal import notes
from dealer_assist.journal.chain import row_hash, seal_hash
from dealer_assist.journal.errors import (
    JournalAhead,
    JournalCorrupt,
    JournalUnavailable,
    RowRefused,
)
from dealer_assist.journal.faults import translated, unavailable
from dealer_assist.journal.files import (
    adopt_orphan_log,
    create_file,
    identity,
    put_aside,
    sync_folder,
    take_lock,
)
from dealer_assist.journal.reader import StoredRow, iter_rows, last_closed_seq
from dealer_assist.journal.rows import Row, canonical, check_text, checked_payload
from dealer_assist.journal.schema import (
    APPLICATION_ID,
    FORMAT,
    SEAL_BYTES,
    STATEMENTS,
    connect_writer,
)
from dealer_assist.journal.tail import Head, Heads, check_identity, check_tail

Clock = Callable[[], int]
Seal = tuple[str, bytes]
T = TypeVar("T")

__all__ = ["Journal", "RotationNotice", "Row", "canonical"]

SEGMENT_STARTED: Final = "segment_started"

_INSERT_ROW = (
    "INSERT INTO rows (seq, t_mono_ns, t_utc_ns, kind, name, hand, simulated, payload, prev, hash) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_SEAL = "INSERT INTO seals (seq, hand, box, prev, hash) VALUES (?, ?, ?, ?, ?)"
_INSERT_CHECKPOINT = (
    "INSERT INTO checkpoints (seq, hand, journal_seq, journal_root, note, seals_seq, seals_root, seals_note) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)


class RotationNotice(msgspec.Struct, frozen=True):
    """A corrupt journal was put aside and a new segment begun.

    ``last_good_*`` link the two; -1 and empty when nothing was sound.
    """

    aside: Path
    seq: int
    reason: str
    last_good_seq: int
    last_good_hash: str


class Journal:
    """The open journal. Any error of :meth:`append` means that nothing of that call is acknowledged."""

    def __init__(
        self,
        path: Path,
        lock: int,
        clock_mono_ns: Clock,
        clock_utc_ns: Clock,
        simulated: bool,
        origin: str,
        signing_key: bytes | None,
        max_bytes: int | None,
    ) -> None:
        """Used by :meth:`open`, which is what others call.

        ``lock`` is an open descriptor that holds the writer's lock.
        """
        self.path = path
        self.origin = origin
        self.simulated = simulated
        self._lock = lock
        self._clock_mono_ns = clock_mono_ns
        self._clock_utc_ns = clock_utc_ns
        self._signing_key = None if signing_key is None else SigningKey(signing_key)
        self._max_bytes = max_bytes
        self._db: sqlite3.Connection | None = None
        self._heads: Heads | None = None
        self._file: tuple[int, int] = (0, 0)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        clock_mono_ns: Clock,
        clock_utc_ns: Clock,
        simulated: bool,
        origin: str,
        signing_key: bytes | None,
        max_bytes: int | None = None,
    ) -> Journal:
        """Create the journal at ``path``, or resume it after verifying everything since its last checkpoint.

        ``origin`` names the table (letters, digits, ``. _ / -``) and the signing key; ``signing_key`` is a
        32-byte Ed25519 seed, None leaves checkpoints unsigned; ``max_bytes`` bounds the file. Raise
        :class:`JournalCorrupt`, :class:`JournalMismatch` (another table, format, or simulated against real)
        or :class:`JournalUnavailable`.
        """
        if notes.ORIGIN.fullmatch(origin) is None:
            raise RowRefused("origin", "expected letters, digits and . _ / - only, at most 100")
        path = Path(path)
        lock = take_lock(path)
        journal = cls(path, lock, clock_mono_ns, clock_utc_ns, simulated, origin, signing_key, max_bytes)
        try:
            journal._heads = journal._guarded(journal._start)
        except BaseException:
            journal.close()
            raise
        return journal

    @classmethod
    def open_or_rotate(
        cls,
        path: Path,
        *,
        clock_mono_ns: Clock,
        clock_utc_ns: Clock,
        simulated: bool,
        origin: str,
        signing_key: bytes | None,
        max_bytes: int | None = None,
    ) -> tuple[Journal, RotationNotice | None]:
        """As :meth:`open`, but a corrupt file is renamed aside and a new segment begun whose first row links the last good row.

        The notice, when there is one, is to be shown: nothing is repaired silently.
        """

        def attempt() -> Journal:
            return cls.open(
                path,
                clock_mono_ns=clock_mono_ns,
                clock_utc_ns=clock_utc_ns,
                simulated=simulated,
                origin=origin,
                signing_key=signing_key,
                max_bytes=max_bytes,
            )

        try:
            return attempt(), None
        except JournalCorrupt as corrupt:
            seq, reason, last_good = corrupt.seq, corrupt.reason, corrupt.last_good
        path = Path(path)
        aside = put_aside(path, clock_utc_ns())
        good_seq, good_hash = (-1, "") if last_good is None else (last_good[0], last_good[1].hex())
        notice = RotationNotice(aside, seq, reason, good_seq, good_hash)
        journal = attempt()
        link = {
            "previous": aside.name,
            "corrupt_seq": seq,
            "reason": reason,
            "last_good_seq": good_seq,
            "last_good_hash": good_hash,
        }
        try:
            journal.append((Row.of("mark", SEGMENT_STARTED, "", link),))
        except BaseException:
            journal.close()
            raise
        return journal, notice

    @property
    def head(self) -> Head:
        """(seq, hash) of the last acknowledged row; (0, genesis) in an empty journal."""
        if self._heads is None:
            raise JournalUnavailable(self.path, "closed")
        return self._heads.rows

    def append(self, rows: Sequence[Row], seals: Sequence[Seal] = ()) -> int:
        """Store ``rows`` and ``seals`` (hand, 112-byte box) in one durable commit; return the last row's seq.

        Raise :class:`JournalFull` or :class:`JournalUnavailable` when the device refuses,
        :class:`JournalCorrupt` when the file is damaged, :class:`JournalAhead` when an append that had failed
        turns out to be stored, :class:`RowRefused` for a malformed row.
        """
        heads = self._ready()
        (seq, prev), (seal_seq, seal_prev) = heads.rows, heads.seals
        mono, utc = self._clock_mono_ns(), self._clock_utc_ns()
        row_values = []
        for row in rows:
            payload = checked_payload(row)
            seq += 1
            digest = row_hash(prev, seq, mono, utc, row.kind, self.simulated, row.name, row.hand, payload)
            row_values.append(
                (
                    seq,
                    mono,
                    utc,
                    row.kind,
                    row.name,
                    row.hand,
                    self.simulated,
                    payload.decode(),
                    prev,
                    digest,
                ),
            )
            prev = digest
        seal_values = []
        for hand, box in seals:
            check_text("hand", hand)
            if len(box) != SEAL_BYTES:
                raise RowRefused("seal", f"{len(box)} bytes, expected {SEAL_BYTES}")
            seal_seq += 1
            digest = seal_hash(seal_prev, seal_seq, hand, box)
            seal_values.append((seal_seq, hand, box, seal_prev, digest))
            seal_prev = digest
        after = Heads((seq, prev), (seal_seq, seal_prev), heads.checkpoints)
        self._commit(((_INSERT_ROW, row_values), (_INSERT_SEAL, seal_values)), after)
        return seq

    def checkpoint(self, hand: str) -> None:
        """Sign where both chains stand, at the end of ``hand``.

        A durable commit of its own; raises as :meth:`append` does.
        """
        heads = self._ready()
        check_text("hand", hand)
        at = notes.Checkpoint(heads.checkpoints + 1, hand, *heads.rows, *heads.seals)
        values = (
            at.seq,
            at.hand,
            at.journal_seq,
            at.journal_root,
            notes.sign(notes.journal_text(self.origin, self.simulated, at), self.origin, self._signing_key),
            at.seals_seq,
            at.seals_root,
            notes.sign(notes.seals_text(self.origin, self.simulated, at), self.origin, self._signing_key),
        )
        self._commit(((_INSERT_CHECKPOINT, [values]),), Heads(heads.rows, heads.seals, at.seq))

    def read(self, after_seq: int = 0, *, hand: str | None = None) -> Iterator[StoredRow]:
        """Rows after ``after_seq``, of one hand if given, in order. Raises as :meth:`append` does."""
        self._ready()
        rows = iter_rows(self._connection(), after_seq + 1, hand)
        while (row := self._guarded(lambda: next(rows, None))) is not None:
            yield row

    def last_hand_rows(self) -> list[StoredRow]:
        """The rows since the last ``hand_closed`` mark, which is not among them: what recovery folds."""
        self._ready()
        db = self._connection()
        return self._guarded(lambda: list(iter_rows(db, last_closed_seq(db) + 1)))

    def close(self) -> None:
        """Let go of the file and of the writer's lock. May be called twice."""
        self._heads = None
        self._disconnect()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _ready(self) -> Heads:
        """Where the chains stand.

        After a failed commit the file is opened again and its tail verified first.
        """
        if self._heads is None:
            raise JournalUnavailable(self.path, "closed")
        if self._db is None:
            known, found = self._heads, self._guarded(self._reconnect)
            self._heads = found
            if found.rows != known.rows:
                raise JournalAhead(self.path, known.rows[0], found.rows[0])
        return self._heads

    def _reconnect(self) -> Heads:
        """Open the file again and prove that everything acknowledged is still in it.

        May raise sqlite3.Error and OSError.
        """
        assert self._heads is not None
        seq, digest = self._heads.rows
        found = self._connect()
        kept = self._connection().execute("SELECT hash FROM rows WHERE seq = ?", (seq,)).fetchone()
        if (seq > 0 and kept != (digest,)) or found.rows[0] < seq:
            raise JournalCorrupt(self.path, seq, "an acknowledged row is gone", last_good=found.rows)
        return found

    def _commit(self, inserts: Sequence[tuple[str, list[tuple[Any, ...]]]], after: Heads) -> None:
        db = self._connection()

        def store() -> None:
            db.execute("BEGIN IMMEDIATE")
            for statement, values in inserts:
                if values:
                    db.executemany(statement, values)
            db.execute("COMMIT")
            # A file that was moved or removed while open takes rows that nobody will find again.
            if identity(self.path) != self._file:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))

        self._guarded(store)
        self._heads = after

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            raise JournalUnavailable(self.path, "closed")
        return self._db

    def _start(self) -> Heads:
        """Create the file if there is none, and open it. May raise sqlite3.Error and OSError."""
        adopt_orphan_log(self.path)
        create_file(self.path)
        return self._connect()

    def _connect(self) -> Heads:
        """Open the file; prove that it is ours and sound. May raise sqlite3.Error and OSError."""
        self._file = identity(self.path)
        db = self._db = connect_writer(self.path)
        if self._max_bytes is not None:
            page_bytes = db.execute("PRAGMA page_size").fetchone()[0]
            db.execute(f"PRAGMA max_page_count={max(1, self._max_bytes // page_bytes)}")
        if not db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
            self._create_schema(db)
        check_identity(db, self.path, self.origin, self.simulated)
        public_key = None if self._signing_key is None else bytes(self._signing_key.verify_key)
        return check_tail(db, self.path, self.origin, self.simulated, public_key)

    def _create_schema(self, db: sqlite3.Connection) -> None:
        db.execute("BEGIN IMMEDIATE")
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={FORMAT}")
        for statement in STATEMENTS:
            db.execute(statement)
        db.execute(
            "INSERT INTO segment (id, origin, simulated) VALUES (1, ?, ?)",
            (self.origin, self.simulated),
        )
        db.execute("COMMIT")
        sync_folder(self.path.parent)

    def _disconnect(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            with contextlib.suppress(sqlite3.Error):
                db.close()

    def _guarded(self, action: Callable[[], T]) -> T:
        """Run ``action``.

        After any failure drop the connection, so that nothing half done is built upon, and translate the
        error.
        """
        try:
            return action()
        except sqlite3.Error as error:
            self._disconnect()
            raise translated(self.path, error) from None
        except OSError as error:
            self._disconnect()
            raise unavailable(self.path, error) from None
        except BaseException:
            self._disconnect()
            raise
