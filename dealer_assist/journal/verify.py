"""Checking a whole journal: every row, every seal, every checkpoint, from the first to the last. Reads only.

What it finds: rows altered, removed, inserted, put in another order, cut off before the last checkpoint,
marked simulated or real against the rest; seals likewise; checkpoints altered, removed from the middle,
unsigned or signed by another key; guards taken off; damaged pages.

What no file can show by itself: that rows after its last checkpoint were cut off, or that the whole file was
rolled back to an earlier checkpoint. For that, someone else must remember a head: give it as ``witnessed``.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

import msgspec

from dealer_assist.journal.chain import genesis
from dealer_assist.journal.reader import (
    FIRST_POSSIBLE_SEQ,
    StoredCheckpoint,
    iter_checkpoints,
    iter_rows,
    iter_seals,
)
from dealer_assist.journal.schema import APPLICATION_ID, FORMAT, connect_reader, expected_schema, schema_of
from dealer_assist.journal.tail import Head, fault_of_checkpoint, fault_of_row, fault_of_seal

#: One broken link makes many; the first ones tell the story.
MAX_PROBLEMS: Final = 200


class Problem(msgspec.Struct, frozen=True):
    """Something that is not as it was written.

    ``seq`` in ``table`` (rows, seals, checkpoints), 0 for the file as a whole.
    """

    seq: int
    reason: str
    table: str = "rows"


class Report(msgspec.Struct, frozen=True):
    """What was checked and found.

    ``rows_after_checkpoint`` rows at the end are covered by no checkpoint yet.
    """

    ok: bool
    rows: int
    seals: int
    checkpoints: int
    problems: tuple[Problem, ...]
    rows_after_checkpoint: int = 0
    origin: str = ""
    simulated: bool = False


def verify(path: Path, public_key: bytes | None, witnessed: Head | None = None) -> Report:
    """Check the journal at ``path``.

    ``public_key``: 32 bytes, Ed25519, of the table; with None signatures are not checked, only what the notes
    say. ``witnessed``: a head, (seq, hash), that was seen earlier and must still be there. Never raises for
    what is wrong with the file: that is in the report.
    """
    path = Path(path)
    check = _Check(public_key, witnessed)
    try:
        db = connect_reader(path)
    except sqlite3.Error as error:
        return check.unreadable(error)
    try:
        check.run(db)
    except (sqlite3.Error, UnicodeError) as error:
        return check.unreadable(error)
    finally:
        db.close()
    return check.report()


class _Check:
    """One pass over a journal."""

    def __init__(self, public_key: bytes | None, witnessed: Head | None) -> None:
        self._public_key = public_key
        self._witnessed = witnessed
        self._problems: list[Problem] = []
        self._origin = ""
        self._simulated = False
        self._rows = 0
        self._seals = 0
        self._checkpoints = 0
        self._last_row = 0
        self._covered = 0

    def run(self, db: sqlite3.Connection) -> None:
        # One snapshot for the whole pass: rows that a live writer adds meanwhile belong to the next one.
        db.execute("BEGIN")
        self._check_file(db)
        checkpoints = list(iter_checkpoints(db, FIRST_POSSIBLE_SEQ))
        row_marks, seal_marks = self._check_checkpoints(checkpoints)
        self._check_rows(db, row_marks)
        self._check_seals(db, seal_marks)

    def report(self) -> Report:
        return Report(
            ok=not self._problems,
            rows=self._rows,
            seals=self._seals,
            checkpoints=self._checkpoints,
            problems=tuple(self._problems),
            rows_after_checkpoint=max(0, self._last_row - self._covered),
            origin=self._origin,
            simulated=self._simulated,
        )

    def unreadable(self, error: Exception) -> Report:
        self._found("file", 0, f"cannot be read: {error}")
        return self.report()

    def _found(self, table: str, seq: int, reason: str) -> None:
        if len(self._problems) < MAX_PROBLEMS:
            self._problems.append(Problem(seq, reason, table))

    def _check_file(self, db: sqlite3.Connection) -> None:
        for (line,) in db.execute("PRAGMA quick_check(10)"):
            if line != "ok":
                self._found("file", 0, f"damaged: {line}")
        marked = (
            db.execute("PRAGMA application_id").fetchone()[0],
            db.execute("PRAGMA user_version").fetchone()[0],
        )
        if marked != (APPLICATION_ID, FORMAT):
            self._found("file", 0, "is not marked as a journal of this format")
        found, expected = schema_of(db), expected_schema()
        for name in sorted(found.keys() | expected.keys()):
            if found.get(name) != expected.get(name):
                what = (
                    "missing" if name not in found else "not expected" if name not in expected else "altered"
                )
                self._found("file", 0, f"table, index or guard {name} is {what}")
        segment = db.execute("SELECT origin, simulated FROM segment").fetchall()
        if len(segment) != 1:
            self._found("file", 0, "the segment's own row is missing")
        else:
            self._origin, self._simulated = segment[0][0], segment[0][1] == 1

    def _check_checkpoints(
        self,
        checkpoints: list[StoredCheckpoint],
    ) -> tuple[dict[int, bytes], dict[int, bytes]]:
        row_marks, seal_marks = {}, {}
        expected, last = 1, (0, 0)
        for stored in checkpoints:
            self._checkpoints += 1
            if stored.seq != expected:
                self._found(
                    "checkpoints",
                    stored.seq,
                    f"checkpoints {expected} to {stored.seq - 1} are missing",
                )
            expected = stored.seq + 1
            fault = fault_of_checkpoint(stored, self._origin, self._simulated, self._public_key)
            if fault is not None:
                self._found("checkpoints", stored.seq, fault)
            sizes = (stored.journal_seq, stored.seals_seq)
            if sizes[0] < last[0] or sizes[1] < last[1]:
                self._found("checkpoints", stored.seq, "is smaller than the one before it")
            last = sizes
            row_marks[stored.journal_seq] = stored.journal_root
            seal_marks[stored.seals_seq] = stored.seals_root
            self._covered = max(self._covered, stored.journal_seq)
        return row_marks, seal_marks

    def _check_rows(self, db: sqlite3.Connection, marks: dict[int, bytes]) -> None:
        before: Head = (0, genesis("rows", self._origin))
        self._check_mark("rows", before, marks)
        witnessed = self._witnessed
        for row in iter_rows(db, FIRST_POSSIBLE_SEQ):
            self._rows += 1
            fault = fault_of_row(row, before, self._simulated)
            if fault is not None:
                self._found("rows", row.seq, fault)
            before = (row.seq, row.hash)
            self._check_mark("rows", before, marks)
            if witnessed is not None and witnessed[0] == row.seq and witnessed[1] != row.hash:
                self._found("rows", row.seq, "is not the row that was witnessed")
        self._last_row = before[0]
        self._check_cut("rows", before[0], marks)
        if witnessed is not None and witnessed[0] > before[0]:
            self._found(
                "rows",
                before[0],
                f"rows up to {witnessed[0]} were witnessed, the journal ends at {before[0]}",
            )

    def _check_seals(self, db: sqlite3.Connection, marks: dict[int, bytes]) -> None:
        before: Head = (0, genesis("seals", self._origin))
        self._check_mark("seals", before, marks)
        for seal in iter_seals(db, FIRST_POSSIBLE_SEQ):
            self._seals += 1
            fault = fault_of_seal(seal, before)
            if fault is not None:
                self._found("seals", seal.seq, fault)
            before = (seal.seq, seal.hash)
            self._check_mark("seals", before, marks)
        self._check_cut("seals", before[0], marks)

    def _check_mark(self, table: str, head: Head, marks: dict[int, bytes]) -> None:
        if marks.get(head[0], head[1]) != head[1]:
            self._found(table, head[0], "does not match the checkpoint made after it")

    def _check_cut(self, table: str, last: int, marks: dict[int, bytes]) -> None:
        covered = max(marks, default=0)
        if covered > last:
            self._found(table, last, f"a checkpoint covers {covered} {table}, the journal ends at {last}")
