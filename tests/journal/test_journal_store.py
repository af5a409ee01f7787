"""The store: rows go in together, come back as they were, and cannot be changed.

A second writer, a full or read-only disk are said.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.journal.chain import genesis, row_hash
from dealer_assist.journal.errors import (
    JournalCorrupt,
    JournalFull,
    JournalMismatch,
    JournalUnavailable,
    RowRefused,
)
from dealer_assist.journal.reader import JournalReader
from dealer_assist.journal.sealing import Sealer
from dealer_assist.journal.store import Journal, Row, canonical
from dealer_assist.journal.verify import verify
from tests.journal.kit import ORIGIN, PUBLIC_KEY, Opener, play_hand, settings

INPUT = Row.of("input", "tap", "h1", {"seat": 3})


def test_rows_come_back_as_they_were_in_order(open_journal: Opener) -> None:
    journal = open_journal()
    assert journal.append([INPUT, Row.of("event", "bet", "h1", {"b": 1, "a": "€"})]) == 2
    assert journal.append([Row.of("mark", "note", "", {})]) == 3
    found = list(journal.read())
    assert [(row.seq, row.kind, row.name, row.hand, row.payload) for row in found] == [
        (1, "input", "tap", "h1", b'{"seat":3}'),
        (2, "event", "bet", "h1", '{"a":"€","b":1}'.encode()),
        (3, "mark", "note", "", b"{}"),
    ]
    assert found[0].t_mono_ns == found[1].t_mono_ns < found[2].t_mono_ns
    assert journal.head == (3, found[2].hash)
    assert [row.seq for row in journal.read(1)] == [2, 3]
    assert [row.seq for row in journal.read(hand="h1")] == [1, 2]


def test_the_chain_is_the_documented_one(open_journal: Opener) -> None:
    journal = open_journal()
    assert journal.head == (0, genesis("rows", ORIGIN))
    journal.append([INPUT])
    row = next(journal.read())
    assert row.prev == genesis("rows", ORIGIN)

    kind, name, hand, payload = b"input", b"tap", b"h1", b'{"seat":3}'
    covered = b"v1row" + row.prev
    covered += (
        b"".join(number.to_bytes(8, "big") for number in (row.seq, row.t_mono_ns, row.t_utc_ns)) + b"\x00"
    )
    covered += b"".join(len(text).to_bytes(4, "big") for text in (kind, name, hand, payload))
    covered += kind + name + hand + payload
    assert row.hash == hashlib.sha256(covered).digest()


@given(
    st.tuples(st.text(), st.text(), st.text(), st.binary()),
    st.tuples(st.text(), st.text(), st.text(), st.binary()),
)
def test_two_different_rows_never_hash_alike(
    one: tuple[str, str, str, bytes],
    other: tuple[str, str, str, bytes],
) -> None:
    def digest(texts: tuple[str, str, str, bytes]) -> bytes:
        return row_hash(b"\0" * 32, 1, 2, 3, texts[0], False, texts[1], texts[2], texts[3])

    def encodable(texts: tuple[str, str, str, bytes]) -> bool:
        return all(text.isprintable() for text in texts[:3])

    if encodable(one) and encodable(other):
        assert (digest(one) == digest(other)) == (one == other)


def test_bytes_moved_between_fields_change_the_hash() -> None:
    def digest(kind: str, name: str, hand: str, payload: bytes) -> bytes:
        return row_hash(b"\0" * 32, 1, 2, 3, kind, True, name, hand, payload)

    assert (
        len(
            {
                digest("ab", "c", "", b""),
                digest("a", "bc", "", b""),
                digest("a", "b", "c", b""),
                digest("a", "b", "", b"c"),
            },
        )
        == 4
    )


def test_a_hand_in_progress_is_what_comes_after_the_last_closed_one(open_journal: Opener, path: Path) -> None:
    journal = open_journal()
    assert journal.last_hand_rows() == []
    play_hand(journal, "h1")
    assert journal.last_hand_rows() == []
    journal.append([Row.of("input", "open_hand", "h2", {}), Row.of("event", "opened", "h2", {})])
    head = journal.head
    journal.close()
    resumed = open_journal()
    assert [row.hand for row in resumed.last_hand_rows()] == ["h2", "h2"]
    assert resumed.head == head
    resumed.append([INPUT])
    resumed.close()
    assert verify(path, PUBLIC_KEY).ok


def test_only_a_mark_closes_a_hand(open_journal: Opener) -> None:
    journal = open_journal()
    journal.append([Row.of("event", "hand_closed", "h1", {})])
    assert len(journal.last_hand_rows()) == 1


def test_files_are_ours_alone(open_journal: Opener, path: Path) -> None:
    before = os.umask(0)
    try:
        journal = open_journal()
        journal.append([INPUT])
    finally:
        os.umask(before)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert set(modes) >= {path.name, f"{path.name}-wal", f"{path.name}-shm"}
    assert set(modes.values()) == {0o600}


def test_a_loosened_mode_is_tightened(open_journal: Opener, path: Path) -> None:
    open_journal().close()
    path.chmod(0o644)
    open_journal()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_connection_is_durable_and_distrusts_schemas(open_journal: Opener) -> None:
    db = open_journal()._connection()
    values = {
        name: db.execute(f"PRAGMA {name}").fetchone()[0]
        for name in (
            "journal_mode",
            "synchronous",
            "trusted_schema",
            "foreign_keys",
            "wal_autocheckpoint",
            "busy_timeout",
        )
    }
    assert values == {
        "journal_mode": "wal",
        "synchronous": 2,
        "trusted_schema": 0,
        "foreign_keys": 1,
        "wal_autocheckpoint": 1000,
        "busy_timeout": 2000,
    }


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE rows SET payload = '{}'",
        "UPDATE rows SET simulated = 1 WHERE seq = 1",
        "DELETE FROM rows WHERE seq = 1",
        "DELETE FROM rows",
        "INSERT OR REPLACE INTO rows SELECT seq, 0, 0, kind, name, hand, simulated, '{}', prev, hash FROM rows WHERE seq = 1",
        "INSERT INTO rows SELECT seq + 50, 0, 0, kind, name, hand, simulated, '{}', prev, hash FROM rows WHERE seq = 1",
        "INSERT INTO rows SELECT -5, 0, 0, kind, name, hand, simulated, '{}', prev, hash FROM rows WHERE seq = 1",
        "UPDATE seals SET hand = 'x'",
        "DELETE FROM seals",
        "INSERT OR REPLACE INTO seals SELECT * FROM seals WHERE seq = 1",
        "UPDATE checkpoints SET note = ''",
        "DELETE FROM checkpoints",
        "UPDATE segment SET simulated = 1",
        "DELETE FROM segment",
        "INSERT OR REPLACE INTO segment VALUES (1, 'x', 1)",
    ],
)
def test_stored_rows_cannot_be_changed_by_sql(
    statement: str,
    open_journal: Opener,
    sealer: Sealer,
    path: Path,
) -> None:
    play_hand(open_journal(), "h1", sealer)
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError):
        db.execute(statement)
    db.rollback()
    db.close()
    assert verify(path, PUBLIC_KEY).ok


@pytest.mark.parametrize(
    ("row", "field"),
    [
        (Row("guess", "x", "h", b"{}"), "kind"),  # type: ignore[arg-type]
        (Row("input", "", "h", b"{}"), "name"),
        (Row("input", "two\nlines", "h", b"{}"), "name"),
        (Row("input", "x", "h\n1", b"{}"), "hand"),
        (Row("input", "x", "\ud800", b"{}"), "hand"),
        (Row("input", "x" * 101, "h", b"{}"), "name"),
        (Row("input", "x", "h", b"{"), "payload"),
        (Row("input", "x", "h", b""), "payload"),
        (Row("input", "x", "h", b"\xff"), "payload"),
    ],
)
def test_a_malformed_row_takes_its_whole_batch_with_it_and_nothing_else(
    row: Row,
    field: str,
    open_journal: Opener,
) -> None:
    journal = open_journal()
    journal.append([INPUT])
    with pytest.raises(RowRefused) as refused:
        journal.append([INPUT, row])
    assert refused.value.field == field
    assert journal.append([INPUT]) == 2
    assert len(list(journal.read())) == 2


def test_a_box_of_another_size_is_refused(open_journal: Opener) -> None:
    journal = open_journal()
    with pytest.raises(RowRefused):
        journal.append([INPUT], [("h1", b"\0" * 111)])
    assert list(journal.read()) == []


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_canonical_form_does_not_depend_on_order_and_keeps_the_value(value: Any) -> None:
    try:
        stored = canonical(value)
    except UnicodeEncodeError:
        return  # a lone surrogate is no text
    assert json.loads(stored) == value
    if isinstance(value, dict):
        assert canonical(dict(reversed(value.items()))) == stored
    assert canonical(json.loads(stored)) == stored


def test_another_writer_is_refused_and_readers_are_not(open_journal: Opener, path: Path) -> None:
    journal = open_journal()
    journal.append([INPUT])
    with pytest.raises(JournalUnavailable) as refused:
        open_journal()
    assert refused.value.reason == "in_use"
    with JournalReader(path) as reader:
        assert [row.seq for row in reader.rows()] == [1]
        journal.append([INPUT])
        assert [row.seq for row in reader.rows(1)] == [2]
    journal.close()
    open_journal().append([INPUT])


def test_a_long_read_does_not_see_half_a_batch_nor_hold_the_log(open_journal: Opener, path: Path) -> None:
    journal = open_journal()
    journal.append([INPUT] * 1200)
    with JournalReader(path) as reader:
        rows = reader.rows()
        assert next(rows).seq == 1
        journal.append([INPUT])
        busy, _, _ = journal._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        assert busy == 0
        assert [row.seq for row in rows] == list(range(2, 1202))


@pytest.mark.parametrize(
    ("changed", "what"),
    [({"simulated": True}, "kind of table"), ({"origin": "house/table-8"}, "origin")],
)
def test_a_journal_of_another_table_is_refused_not_rotated(
    changed: dict[str, Any],
    what: str,
    open_journal: Opener,
    path: Path,
) -> None:
    journal = open_journal()
    play_hand(journal, "h1")
    journal.close()
    with pytest.raises(JournalMismatch) as refused:
        Journal.open_or_rotate(path, **settings(**changed))
    assert refused.value.what == what
    assert verify(path, PUBLIC_KEY).ok


def test_an_origin_that_could_forge_a_note_is_refused(open_journal: Opener) -> None:
    with pytest.raises(RowRefused):
        open_journal(origin="table\n99")


def test_a_size_limit_says_full_and_keeps_what_was_acknowledged(open_journal: Opener, path: Path) -> None:
    journal = open_journal(max_bytes=200_000)
    acknowledged = 0
    with pytest.raises(JournalFull) as full:  # noqa: PT012 - which append fails is for the journal to say
        while True:
            acknowledged = journal.append([Row.of("input", "filler", "h1", {"text": "x" * 500})])
    assert full.value.code == "journal_full"
    assert acknowledged > 100
    with pytest.raises(JournalFull):
        journal.append([Row.of("input", "filler", "h1", {"text": "x" * 5000})])
    assert journal.head[0] == acknowledged
    journal.close()
    bigger = open_journal(max_bytes=400_000)
    assert bigger.append([INPUT]) == acknowledged + 1
    report = verify(path, PUBLIC_KEY)
    assert report.ok and report.rows == acknowledged + 1


def test_a_journal_that_was_moved_away_is_not_written_on(open_journal: Opener, path: Path) -> None:
    journal = open_journal()
    journal.append([INPUT])
    path.rename(path.with_name("moved"))
    for _ in range(2):
        with pytest.raises(JournalUnavailable) as refused:
            journal.append([INPUT])
        assert refused.value.reason == "cannot_open"
    assert not path.exists()


def test_a_journal_that_was_replaced_by_an_older_copy_is_noticed(open_journal: Opener, path: Path) -> None:
    journal = open_journal()
    play_hand(journal, "h1")
    journal.close()
    older = path.read_bytes()
    journal = open_journal()
    journal.append([INPUT])
    copy = path.with_name("copy")
    copy.write_bytes(older)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink()
    copy.rename(path)
    with pytest.raises(JournalUnavailable):
        journal.append([INPUT])
    with pytest.raises(JournalCorrupt) as corrupt:
        journal.append([INPUT])
    assert "acknowledged" in corrupt.value.reason


def test_a_locked_journal_says_busy_and_goes_on_afterwards(
    open_journal: Opener,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dealer_assist.journal.schema.BUSY_TIMEOUT_MS", 50)
    journal = open_journal()
    journal.append([INPUT])
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalUnavailable) as busy:
        journal.append([INPUT])
    assert busy.value.reason == "busy"
    other.execute("ROLLBACK")
    other.close()
    assert journal.append([INPUT]) == 2
    assert verify(path, PUBLIC_KEY).rows == 2


def test_a_closed_journal_says_so(open_journal: Opener) -> None:
    journal = open_journal()
    journal.close()
    journal.close()
    for attempt in (lambda: journal.append([INPUT]), lambda: journal.head, lambda: list(journal.read())):
        with pytest.raises(JournalUnavailable) as closed:
            attempt()
        assert closed.value.reason == "closed"


def test_errors_of_rows_do_not_repeat_what_they_hold(open_journal: Opener) -> None:
    with pytest.raises(RowRefused) as refused:
        open_journal().append([Row("input", "tap", "h1", b'{"secret": "KsQd"')])
    assert "KsQd" not in repr(refused.value) + str(refused.value)
    assert refused.value.__cause__ is None


def test_a_link_in_place_of_the_journal_is_not_followed(open_journal: Opener, path: Path) -> None:
    target = path.with_name("elsewhere")
    target.write_bytes(b"")
    path.symlink_to(target)
    with pytest.raises(JournalUnavailable):
        open_journal()
    assert target.read_bytes() == b""
