"""Verification: every kind of tampering is found, by someone who has taken the guards off first.

A sound journal has no problems.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from dealer_assist.journal import notes
from dealer_assist.journal.chain import row_hash
from dealer_assist.journal.errors import JournalCorrupt
from dealer_assist.journal.reader import JournalReader
from dealer_assist.journal.schema import STATEMENTS, expected_schema
from dealer_assist.journal.sealing import Sealer
from dealer_assist.journal.store import SEGMENT_STARTED, Journal, Row
from dealer_assist.journal.verify import Report, verify
from tests.journal.kit import ORIGIN, PUBLIC_KEY, Opener, play_hand, settings

OTHER_KEY = SigningKey(b"\x55" * 32)


def tamper(path: Path, *statements: str | tuple[str, tuple[object, ...]]) -> None:
    """Change a journal the way someone with the file would: guards off, change, guards back on."""
    db = sqlite3.connect(path, isolation_level=None)
    guards = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")]
    for name in guards:
        db.execute(f"DROP TRIGGER {name}")
    db.execute("PRAGMA ignore_check_constraints=1")
    for statement in statements:
        text, values = (statement, ()) if isinstance(statement, str) else statement
        db.execute(text, values)
    for statement in STATEMENTS:
        if statement.startswith("CREATE TRIGGER"):
            db.execute(statement)
    db.close()


def rehash(path: Path, from_seq: int) -> None:
    """Make the chain agree with itself again from ``from_seq`` on, as a careful forger would."""
    with JournalReader(path) as reader:
        rows = list(reader.rows())
    changes: list[tuple[str, tuple[object, ...]]] = []
    prev = rows[from_seq - 2].hash
    for row in rows[from_seq - 1 :]:
        digest = row_hash(
            prev,
            row.seq,
            row.t_mono_ns,
            row.t_utc_ns,
            row.kind,
            row.simulated,
            row.name,
            row.hand,
            row.payload,
        )
        changes.append(("UPDATE rows SET prev = ?, hash = ? WHERE seq = ?", (prev, digest, row.seq)))
        prev = digest
    tamper(path, *changes)


@pytest.fixture
def journal(open_journal: Opener, sealer: Sealer, path: Path) -> Path:
    """Two closed hands (rows 1-10 and 11-20, seals 1-4 and 5-8, two checkpoints) and two rows of a third, file closed."""
    opened = open_journal()
    play_hand(opened, "h1", sealer)
    play_hand(opened, "h2", sealer)
    opened.append([Row.of("input", "open_hand", "h3", {}), Row.of("event", "opened", "h3", {})])
    opened.close()
    return path


def reasons(report: Report) -> str:
    return "; ".join(f"{problem.table} {problem.seq}: {problem.reason}" for problem in report.problems)


def test_a_sound_journal_has_no_problems(journal: Path) -> None:
    report = verify(journal, PUBLIC_KEY)
    assert report == Report(
        ok=True,
        rows=22,
        seals=8,
        checkpoints=2,
        problems=(),
        rows_after_checkpoint=2,
        origin=ORIGIN,
        simulated=False,
    )
    tamper(journal)
    assert verify(journal, PUBLIC_KEY).ok, "taking the guards off and putting them back is no change"


TAMPERINGS: dict[str, tuple[str, ...]] = {
    "payload altered": ("UPDATE rows SET payload = '{\"button\":4}' WHERE seq = 1",),
    "payload spaced": ("UPDATE rows SET payload = payload || ' ' WHERE seq = 5",),
    "name altered": ("UPDATE rows SET name = 'other' WHERE seq = 5",),
    "kind altered": ("UPDATE rows SET kind = 'mark' WHERE seq = 5",),
    "hand altered": ("UPDATE rows SET hand = 'h2' WHERE seq = 5",),
    "time altered": ("UPDATE rows SET t_utc_ns = t_utc_ns + 1 WHERE seq = 5",),
    "monotonic time altered": ("UPDATE rows SET t_mono_ns = t_mono_ns - 1 WHERE seq = 5",),
    "simulated flag of a row": ("UPDATE rows SET simulated = 1 WHERE seq = 5",),
    "simulated flag of the segment": ("UPDATE segment SET simulated = 1",),
    "simulated flag everywhere": ("UPDATE rows SET simulated = 1", "UPDATE segment SET simulated = 1"),
    "origin": ("UPDATE segment SET origin = 'house/table-8'",),
    "hash altered": ("UPDATE rows SET hash = zeroblob(32) WHERE seq = 5",),
    "prev altered": ("UPDATE rows SET prev = zeroblob(32) WHERE seq = 5",),
    "first row removed": ("DELETE FROM rows WHERE seq = 1",),
    "middle row removed": ("DELETE FROM rows WHERE seq = 5",),
    "row removed and renumbered": (
        "DELETE FROM rows WHERE seq = 5",
        "UPDATE rows SET seq = seq - 1 WHERE seq > 5",
    ),
    "cut off before the checkpoint": ("DELETE FROM rows WHERE seq >= 20",),
    "all rows removed": ("DELETE FROM rows",),
    "two rows swapped": (
        "UPDATE rows SET seq = -5 WHERE seq = 5",
        "UPDATE rows SET seq = 5 WHERE seq = 6",
        "UPDATE rows SET seq = 6 WHERE seq = -5",
    ),
    "two payloads swapped": (
        "UPDATE rows SET payload = (SELECT payload FROM rows AS o WHERE o.seq = 9 - rows.seq) WHERE seq IN (4, 5)",
    ),
    "row inserted at the end": (
        "INSERT INTO rows SELECT 23, t_mono_ns, t_utc_ns, kind, name, hand, simulated, payload, hash, hash FROM rows WHERE seq = 22",
    ),
    "row inserted before the first": (
        "INSERT INTO rows SELECT 0, t_mono_ns, t_utc_ns, kind, name, hand, simulated, payload, prev, hash FROM rows WHERE seq = 1",
    ),
    "row inserted far below": (
        "INSERT INTO rows SELECT -9223372036854775808, 0, 0, kind, name, hand, simulated, '{}', prev, hash FROM rows WHERE seq = 1",
    ),
    "seal removed": ("DELETE FROM seals WHERE seq = 3",),
    "last seal removed": ("DELETE FROM seals WHERE seq = 8",),
    "all seals removed": ("DELETE FROM seals",),
    "seal moved to another hand": ("UPDATE seals SET hand = 'h1' WHERE seq = 5",),
    "seal boxes swapped": (
        "UPDATE seals SET box = (SELECT box FROM seals AS o WHERE o.seq = 5 - seals.seq) WHERE seq IN (2, 3)",
    ),
    "seal shortened": ("UPDATE seals SET box = zeroblob(111) WHERE seq = 2",),
    "first checkpoint removed": ("DELETE FROM checkpoints WHERE seq = 1",),
    "first checkpoint removed and renumbered": (
        "DELETE FROM checkpoints WHERE seq = 1",
        "UPDATE checkpoints SET seq = 1 WHERE seq = 2",
    ),
    "checkpoint root altered": ("UPDATE checkpoints SET journal_root = zeroblob(32) WHERE seq = 2",),
    "checkpoint size altered": ("UPDATE checkpoints SET journal_seq = 19 WHERE seq = 2",),
    "checkpoint hand altered": ("UPDATE checkpoints SET hand = 'h9' WHERE seq = 2",),
    "signature removed": (
        "UPDATE checkpoints SET note = substr(note, 1, instr(note, '—') - 1) WHERE seq = 2",
    ),
    "signature of the other checkpoint": (
        """UPDATE checkpoints SET note = substr(note, 1, instr(note, '—') - 1) ||
        (SELECT substr(o.note, instr(o.note, '—')) FROM checkpoints AS o WHERE o.seq = 1) WHERE seq = 2""",
    ),
    "seals note of the other checkpoint, seals cut": (
        """UPDATE checkpoints SET seals_note = (SELECT o.seals_note FROM checkpoints AS o WHERE o.seq = 1), seals_seq = 4,
        seals_root = (SELECT o.seals_root FROM checkpoints AS o WHERE o.seq = 1) WHERE seq = 2""",
        "DELETE FROM seals WHERE seq > 4",
    ),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_tampering_is_found(name: str, journal: Path) -> None:
    tamper(journal, *TAMPERINGS[name])
    report = verify(journal, PUBLIC_KEY)
    assert not report.ok and report.problems


def test_each_guard_is_missed(journal: Path) -> None:
    guards = [name for name, sql in expected_schema().items() if sql.startswith("CREATE TRIGGER")]
    assert len(guards) == 12
    for name in guards:
        copy = journal.with_name(name)
        shutil.copy(journal, copy)
        db = sqlite3.connect(copy)
        db.execute(f"DROP TRIGGER {name}")
        db.close()
        assert name in reasons(verify(copy, PUBLIC_KEY))


def test_a_forger_who_mends_the_chain_is_caught_by_the_checkpoint(journal: Path) -> None:
    tamper(journal, "UPDATE rows SET payload = '{\"button\":4}' WHERE seq = 3")
    rehash(journal, 3)
    found = reasons(verify(journal, PUBLIC_KEY))
    assert "rows 10: does not match the checkpoint" in found
    assert "rows 3:" not in found, "the chain itself is whole again"


def test_a_forger_with_a_key_of_his_own_is_caught_by_the_signature(journal: Path) -> None:
    tamper(journal, "UPDATE rows SET payload = '{\"button\":4}' WHERE seq = 3")
    rehash(journal, 3)
    with JournalReader(journal) as reader:
        hashes = {row.seq: row.hash for row in reader.rows()}
        checkpoints = list(reader.checkpoints())
    changes: list[tuple[str, tuple[object, ...]]] = []
    for old in checkpoints:
        root = hashes[old.journal_seq]
        at = notes.Checkpoint(old.seq, old.hand, old.journal_seq, root, old.seals_seq, old.seals_root)
        note = notes.sign(notes.journal_text(ORIGIN, False, at), ORIGIN, OTHER_KEY)
        changes.append(
            ("UPDATE checkpoints SET journal_root = ?, note = ? WHERE seq = ?", (root, note, old.seq)),
        )
    tamper(journal, *changes)
    assert verify(journal, None).ok, "without the table's key nothing is left to see"
    assert "another key" in reasons(verify(journal, PUBLIC_KEY))


def test_rows_cut_after_the_last_checkpoint_are_found_by_a_witness_only(journal: Path) -> None:
    with JournalReader(journal) as reader:
        head = max((row.seq, row.hash) for row in reader.rows())
    tamper(journal, "DELETE FROM rows WHERE seq = 22")
    report = verify(journal, PUBLIC_KEY)
    assert report.ok and report.rows_after_checkpoint == 1
    assert "witnessed" in reasons(verify(journal, PUBLIC_KEY, witnessed=head))


def test_a_row_replaced_after_the_last_checkpoint_is_found_by_a_witness(journal: Path) -> None:
    with JournalReader(journal) as reader:
        head = max((row.seq, row.hash) for row in reader.rows())
    assert verify(journal, PUBLIC_KEY, witnessed=head).ok
    tamper(journal, "UPDATE rows SET payload = '{\"x\":1}' WHERE seq = 22")
    rehash(journal, 22)
    assert verify(journal, PUBLIC_KEY).ok
    assert "witnessed" in reasons(verify(journal, PUBLIC_KEY, witnessed=head))


def test_a_checkpoint_without_a_signature_is_no_checkpoint_to_who_has_the_key(
    open_journal: Opener,
    path: Path,
) -> None:
    play_hand(open_journal(signing_key=None), "h1")
    assert verify(path, None).ok
    assert "not signed" in reasons(verify(path, PUBLIC_KEY))


def test_a_file_that_is_no_journal_is_reported_not_raised(path: Path) -> None:
    for content in (b"", b"not a database, surely, but long enough to be looked at" * 100):
        path.write_bytes(content)
        assert not verify(path, PUBLIC_KEY).ok
    path.unlink()
    assert not verify(path, PUBLIC_KEY).ok
    assert not path.exists()


def test_every_single_flipped_byte_of_a_row_is_found(journal: Path) -> None:
    """On the file itself, below SQLite: payloads, hashes, boxes and notes wherever they lie."""
    whole = journal.read_bytes()
    with JournalReader(journal) as reader:
        needles = [row.payload for row in reader.rows() if len(row.payload) > 4][:3]
        needles += [row.hash for row in reader.rows(19)] + [seal.box for seal in reader.seals(6)]
        needles += [checkpoint.note.encode() for checkpoint in reader.checkpoints()]
    copy = journal.with_name("copy")
    for needle in needles:
        at = whole.index(needle) + len(needle) // 2
        copy.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert not verify(copy, PUBLIC_KEY).ok


def test_verify_reads_a_journal_that_is_being_written(open_journal: Opener, path: Path) -> None:
    journal = open_journal()
    play_hand(journal, "h1")
    assert verify(path, PUBLIC_KEY).rows == 10
    play_hand(journal, "h2")
    assert verify(path, PUBLIC_KEY).rows == 20


@pytest.mark.parametrize(
    ("statement", "seq", "good"),
    [
        ("UPDATE rows SET payload = '{\"x\":1}' WHERE seq = 22", 22, 21),
        ("DELETE FROM rows WHERE seq = 21", 22, 20),
        ("DELETE FROM rows WHERE seq >= 20", 20, None),
        ("UPDATE checkpoints SET journal_root = zeroblob(32) WHERE seq = 2", 20, None),
        ("UPDATE checkpoints SET note = 'x' WHERE seq = 2", 20, None),
        ("DELETE FROM seals WHERE seq = 8", 8, None),
        ("CREATE TABLE extra (x)", 0, None),
    ],
)
def test_opening_checks_the_tail_and_rotation_links_the_last_good_row(
    statement: str,
    seq: int,
    good: int | None,
    journal: Path,
    open_journal: Opener,
) -> None:
    with JournalReader(journal) as reader:
        hashes = {row.seq: row.hash for row in reader.rows()}
    tamper(journal, statement)
    with pytest.raises(JournalCorrupt) as corrupt:
        open_journal()
    assert corrupt.value.seq == seq
    assert corrupt.value.last_good == (None if good is None else (good, hashes[good]))

    content = journal.read_bytes()
    fresh, notice = Journal.open_or_rotate(journal, **settings())
    assert notice is not None and notice.seq == seq and notice.reason == corrupt.value.reason
    assert notice.aside.read_bytes() == content, "what was there is kept as it was"
    first = next(fresh.read())
    assert (first.kind, first.name) == ("mark", SEGMENT_STARTED)
    if good is not None:
        assert hashes[good].hex().encode() in first.payload
    play_hand(fresh, "h9")
    fresh.close()
    assert verify(journal, PUBLIC_KEY).ok
    again, second_notice = Journal.open_or_rotate(journal, **settings())
    again.close()
    assert second_notice is None


def test_two_rotations_in_one_second_keep_both(journal: Path) -> None:
    asides = []
    for _ in range(2):
        journal.write_bytes(b"rubbish" * 1000)
        fresh, notice = Journal.open_or_rotate(journal, **settings(clock_utc_ns=lambda: 10**18))
        fresh.close()
        assert notice is not None
        asides.append(notice.aside)
    assert len(set(asides)) == 2 and all(aside.exists() for aside in asides)


def test_a_log_left_behind_between_the_two_renames_is_kept(open_journal: Opener, path: Path) -> None:
    aside = path.with_name(f"{path.name}.corrupt-5-0")
    aside.write_bytes(b"the database")
    log = path.with_name(f"{path.name}-wal")
    log.write_bytes(b"its log")
    open_journal()
    assert aside.with_name(aside.name + "-wal").read_bytes() == b"its log"


def test_a_journal_signed_by_another_key_is_not_written_on(journal: Path, open_journal: Opener) -> None:
    with pytest.raises(JournalCorrupt) as corrupt:
        open_journal(signing_key=bytes(OTHER_KEY))
    assert "another key" in corrupt.value.reason


def test_the_unsealed_columns_do_not_depend_on_the_hidden_cards(tmp_path: Path, sealer: Sealer) -> None:
    """Same hand, same times, other cards and UIDs.

    Every column but the seals' own is the same to the byte.
    """

    def written(
        name: str,
        card: Callable[[int], str],
        uid: Callable[[int], bytes],
    ) -> list[list[tuple[object, ...]]]:
        path = tmp_path / name
        opened = Journal.open(path, **settings())
        for number in range(8):
            box = sealer.seal("h1", f"seat{number + 1}", card(number), uid(number), number)
            opened.append([Row.of("event", "card_dealt", "h1", {"seat": number + 1})], [("h1", box)])
        opened.append([Row.of("mark", "hand_closed", "h1", {})])
        opened.checkpoint("h1")
        opened.close()
        db = sqlite3.connect(path)
        columns = (
            "* FROM rows",
            "* FROM segment",
            "seq, hand FROM seals",
            "seq, hand, journal_seq, journal_root, note, seals_seq FROM checkpoints",
        )
        found = [db.execute(f"SELECT {what}").fetchall() for what in columns]
        db.close()
        return found

    first = written("a", lambda number: f"{'23456789'[number]}c", lambda number: bytes([number] * 7))
    second = written("b", lambda number: f"{'98765432'[number]}h", lambda number: bytes([number + 9] * 7))
    assert first == second
