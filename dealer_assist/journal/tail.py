"""Checking the end of a journal before writing on.

Everything since the last checkpoint, which takes milliseconds.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec

from dealer_assist.journal import notes
from dealer_assist.journal.chain import genesis, row_hash, seal_hash
from dealer_assist.journal.errors import JournalCorrupt, JournalMismatch
from dealer_assist.journal.reader import (
    StoredCheckpoint,
    StoredRow,
    StoredSeal,
    iter_checkpoints,
    iter_rows,
    iter_seals,
)
from dealer_assist.journal.schema import APPLICATION_ID, FORMAT, expected_schema, schema_of

Head = tuple[int, bytes]


class Heads(msgspec.Struct, frozen=True):
    """The last row, the last seal and the number of checkpoints."""

    rows: Head
    seals: Head
    checkpoints: int


def fault_of_row(row: StoredRow, before: Head, simulated: bool) -> str | None:
    """Why ``row`` cannot be the one after ``before`` in a journal with this flag, or None.

    No text of the row is repeated.
    """
    seq, prev = before
    if row.seq != seq + 1:
        return f"rows {seq + 1} to {row.seq - 1} are missing" if row.seq > seq else "out of order"
    if row.prev != prev:
        return "does not follow the row before it"
    if row.hash != _hash_of(row):
        return "its content does not match its hash"
    if row.simulated != simulated:
        return f"is marked {'simulated' if row.simulated else 'real'} in a journal that is not"
    return None


def _hash_of(row: StoredRow) -> bytes:
    return row_hash(
        row.prev,
        row.seq,
        row.t_mono_ns,
        row.t_utc_ns,
        row.kind,
        row.simulated,
        row.name,
        row.hand,
        row.payload,
    )


def fault_of_seal(seal: StoredSeal, before: Head) -> str | None:
    """Why ``seal`` cannot be the one after ``before``, or None."""
    seq, prev = before
    if seal.seq != seq + 1:
        return f"seals {seq + 1} to {seal.seq - 1} are missing" if seal.seq > seq else "out of order"
    if seal.prev != prev:
        return "does not follow the seal before it"
    if seal.hash != seal_hash(seal.prev, seal.seq, seal.hand, seal.box):
        return "its content does not match its hash"
    return None


def fault_of_checkpoint(
    stored: StoredCheckpoint,
    origin: str,
    simulated: bool,
    public_key: bytes | None,
) -> str | None:
    """Why the notes of ``stored`` are not to be believed, or None."""
    at = notes.Checkpoint(
        seq=stored.seq,
        hand=stored.hand,
        journal_seq=stored.journal_seq,
        journal_root=stored.journal_root,
        seals_seq=stored.seals_seq,
        seals_root=stored.seals_root,
    )
    try:
        notes.check(stored.note, notes.journal_text(origin, simulated, at), origin, public_key)
        notes.check(stored.seals_note, notes.seals_text(origin, simulated, at), origin, public_key)
    except notes.NoteRefused as refused:
        return refused.reason
    return None


def check_identity(db: sqlite3.Connection, path: Path, origin: str, simulated: bool) -> None:
    """Raise unless the file is an untouched journal of this table. May raise sqlite3.Error."""
    application = db.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION_ID:
        raise JournalCorrupt(path, 0, "the file is not a journal of this product")
    found_format = db.execute("PRAGMA user_version").fetchone()[0]
    if found_format != FORMAT:
        raise JournalMismatch(path, "format", str(FORMAT), str(found_format))
    if schema_of(db) != expected_schema():
        raise JournalCorrupt(path, 0, "the tables or their guards were altered")
    segment = db.execute("SELECT origin, simulated FROM segment").fetchall()
    if len(segment) != 1:
        raise JournalCorrupt(path, 0, "the segment's own row is missing")
    if segment[0][0] != origin:
        raise JournalMismatch(path, "origin", origin, str(segment[0][0]))
    if (segment[0][1] == 1) != simulated:
        names = ("real", "simulated")
        raise JournalMismatch(path, "kind of table", names[simulated], names[segment[0][1]])


def check_tail(
    db: sqlite3.Connection,
    path: Path,
    origin: str,
    simulated: bool,
    public_key: bytes | None,
) -> Heads:
    """Verify rows and seals since the last checkpoint; return where the chains stand.

    Raise :class:`JournalCorrupt` with the last row that still follows from the checkpoint. May raise
    sqlite3.Error.
    """
    count = int(db.execute("SELECT coalesce(max(seq), 0) FROM checkpoints").fetchone()[0])
    rows: Head = (0, genesis("rows", origin))
    seals: Head = (0, genesis("seals", origin))
    if count:
        last = next(iter_checkpoints(db, count))
        fault = fault_of_checkpoint(last, origin, simulated, public_key)
        if fault is not None:
            raise JournalCorrupt(path, last.journal_seq, fault)
        _check_root(db, path, "rows", last.journal_seq, last.journal_root, rows)
        rows = (last.journal_seq, last.journal_root)
        _check_root(db, path, "seals", last.seals_seq, last.seals_root, seals)
        seals = (last.seals_seq, last.seals_root)
    for row in iter_rows(db, rows[0] + 1):
        fault = fault_of_row(row, rows, simulated)
        if fault is not None:
            raise JournalCorrupt(path, row.seq, fault, last_good=rows)
        rows = (row.seq, row.hash)
    for seal in iter_seals(db, seals[0] + 1):
        fault = fault_of_seal(seal, seals)
        if fault is not None:
            raise JournalCorrupt(path, rows[0], f"seal {seal.seq}: {fault}", last_good=rows)
        seals = (seal.seq, seal.hash)
    return Heads(rows=rows, seals=seals, checkpoints=count)


def _check_root(db: sqlite3.Connection, path: Path, table: str, seq: int, root: bytes, first: Head) -> None:
    """Raise unless the row that the last checkpoint names is there with that hash."""
    if seq == 0:
        found: bytes | None = first[1]
    else:
        found = next((row[0] for row in db.execute(f"SELECT hash FROM {table} WHERE seq = ?", (seq,))), None)
    if found is None:
        raise JournalCorrupt(path, seq, f"{table} were cut off before their last checkpoint")
    if found != root:
        raise JournalCorrupt(path, seq, f"{table} do not match their last checkpoint")
