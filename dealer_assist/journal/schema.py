"""The SQLite schema and how a connection to a journal is set up.

The triggers stop honest mistakes (a stray UPDATE, an INSERT OR REPLACE); against someone who drops them
stands the chain.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

#: "DAJ1": marks the file as a journal of this product.
APPLICATION_ID: Final = 0x44414A31
FORMAT: Final = 1
SEAL_BYTES: Final = 112
HAND_CLOSED: Final = "hand_closed"
BUSY_TIMEOUT_MS: Final = 2000
WAL_AUTOCHECKPOINT_PAGES: Final = 1000

# Checks are spelled out with OR: SQLite builds a table for each evaluation of IN, which doubles the cost of
# an insert.
_TABLES: Final = (
    """CREATE TABLE segment (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  origin TEXT NOT NULL,
  simulated INTEGER NOT NULL CHECK (simulated = 0 OR simulated = 1)
) STRICT""",
    """CREATE TABLE rows (
  seq INTEGER PRIMARY KEY,
  t_mono_ns INTEGER NOT NULL,
  t_utc_ns INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind = 'input' OR kind = 'event' OR kind = 'mark'),
  name TEXT NOT NULL,
  hand TEXT NOT NULL,
  simulated INTEGER NOT NULL CHECK (simulated = 0 OR simulated = 1),
  payload TEXT NOT NULL,
  prev BLOB NOT NULL CHECK (length(prev) = 32),
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT""",
    f"""CREATE TABLE seals (
  seq INTEGER PRIMARY KEY,
  hand TEXT NOT NULL,
  box BLOB NOT NULL CHECK (length(box) = {SEAL_BYTES}),
  prev BLOB NOT NULL CHECK (length(prev) = 32),
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT""",
    # Two notes a checkpoint: `note` covers the rows and depends on no hidden card; `seals_note` covers the
    # sealed boxes.
    """CREATE TABLE checkpoints (
  seq INTEGER PRIMARY KEY,
  hand TEXT NOT NULL,
  journal_seq INTEGER NOT NULL,
  journal_root BLOB NOT NULL CHECK (length(journal_root) = 32),
  note TEXT NOT NULL,
  seals_seq INTEGER NOT NULL,
  seals_root BLOB NOT NULL CHECK (length(seals_root) = 32),
  seals_note TEXT NOT NULL
) STRICT""",
    f"CREATE INDEX rows_closed ON rows (seq) WHERE kind = 'mark' AND name = '{HAND_CLOSED}'",
)

_GUARDED: Final = (("segment", "id"), ("rows", "seq"), ("seals", "seq"), ("checkpoints", "seq"))


def _guards() -> list[str]:
    statements = []
    for table, key in _GUARDED:
        for verb in ("UPDATE", "DELETE"):
            statements.append(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table}: {verb} is not allowed'); END",
            )
        # REPLACE removes a row without firing a DELETE trigger; only the next number may come in.
        statements.append(
            f"CREATE TRIGGER {table}_only_next BEFORE INSERT ON {table} "
            f"WHEN NEW.{key} IS NOT (SELECT coalesce(max({key}), 0) + 1 FROM {table}) "
            f"BEGIN SELECT RAISE(ABORT, '{table}: not the next row'); END",
        )
    return statements


STATEMENTS: Final = (*_TABLES, *_guards())


def schema_of(db: sqlite3.Connection) -> dict[str, str]:
    """Every table, index and trigger of a database, name to SQL."""
    return dict(db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))


def expected_schema() -> dict[str, str]:
    """What :func:`schema_of` gives for an untouched journal."""
    db = sqlite3.connect(":memory:")
    try:
        for statement in STATEMENTS:
            db.execute(statement)
        return schema_of(db)
    finally:
        db.close()


def connect_writer(path: Path) -> sqlite3.Connection:
    """Open an existing file for writing: WAL, a sync on every commit, autocommit off our hands.

    May raise sqlite3.Error.
    """
    db = sqlite3.connect(
        f"file:{quote(str(path))}?mode=rw",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=64,
    )
    try:
        db.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        db.execute("PRAGMA trusted_schema=0")
        db.execute("PRAGMA foreign_keys=1")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute(f"PRAGMA wal_autocheckpoint={WAL_AUTOCHECKPOINT_PAGES}")
    except BaseException:
        db.close()
        raise
    return db


def connect_reader(path: Path) -> sqlite3.Connection:
    """Open a journal to read it, also while it is being written, also from a read-only medium.

    May raise sqlite3.Error.
    """
    uri = f"file:{quote(str(path))}?mode=ro"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        _read_pragmas(db)
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        return db
    except sqlite3.OperationalError:
        db.close()
        wal = path.with_name(path.name + "-wal")
        if not path.exists() or (wal.exists() and wal.stat().st_size > 0):
            raise
    except BaseException:
        db.close()
        raise
    # No log beside the file and none can be made: a copy on a read-only medium, which nobody changes while we
    # read.
    db = sqlite3.connect(uri + "&immutable=1", uri=True, isolation_level=None, check_same_thread=False)
    try:
        _read_pragmas(db)
    except BaseException:
        db.close()
        raise
    return db


def _read_pragmas(db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    db.execute("PRAGMA trusted_schema=0")
    db.execute("PRAGMA query_only=1")
