"""``dealer-assist export``: from a journal that its table still writes, from a recording, one hand or all; what it says of the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dealer_assist.cli import main
from dealer_assist.composition import core_for_trace
from dealer_assist.journal.adapter import JournalStore, row
from dealer_assist.journal.reader import JournalReader
from dealer_assist.journal.rows import Row
from dealer_assist.journal.store import Journal
from dealer_assist.replay import Replay
from dealer_assist.table.change import Change
from dealer_assist.table.core import Core
from dealer_assist.table.session import Session
from dealer_assist.table.trace import Header, read
from hw_sim.hands import load_hands
from tests.formats.export_kit import DATA, SCENARIOS, trace_lines
from tests.journal.kit import settings

CASH = DATA / "cash_sample.ohh.jsonl"
NAMES = ("clean_showdown", "x1_first_card_exposed", "p3_mucked_hand_near", "undo_near", "r2_early_turn")


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = [SCENARIOS / f"{name}.toml" for name in NAMES]
    path = tmp_path_factory.mktemp("export") / "recording.jsonl"
    path.write_text("".join(trace_lines(load_hands(files, None, None))))
    return path


@pytest.fixture
def journal(tmp_path: Path, recording: Path) -> Iterator[Path]:
    """The same hands as a table journals them; the journal is still open."""
    path = tmp_path / "journal.sqlite"
    store = Journal.open(path, **settings())
    cores: list[Core] = []

    def build(header: Header) -> Core:
        cores.append(core_for_trace(header, None))
        return cores[-1]

    def watch(change: Change) -> None:
        session = Session(cores[-1], JournalStore(store), row, now_ms=lambda: 0)
        session._commit([change])

    for _ in Replay(build, watch=watch).feed(read("recording", recording.read_text().splitlines())):
        pass
    yield path
    store.close()


def exported(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["export", *words])
    out, error = capsys.readouterr()
    return code, out, error


@pytest.mark.parametrize("name", ["ohh", "phh", "csv"])
def test_a_journal_and_a_recording_of_the_same_hands_give_the_same_but_for_the_time(
    journal: Path, recording: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    code, from_journal, _ = exported(capsys, "--format", name, str(journal))
    assert code == 0
    code, from_recording, _ = exported(capsys, "--format", name, str(recording))
    assert code == 0
    match name:
        case "ohh":
            ours, theirs = (
                [json.loads(line)["ohh"] for line in text.splitlines()]
                for text in (from_journal, from_recording)
            )
            assert [hand.pop("start_date_utc")[:4] for hand in ours] == ["2023"] * len(ours)
            assert [hand.pop("start_date_utc")[:4] for hand in theirs] == ["1970"] * len(theirs)
            assert ours == theirs
            assert ours
        case "phh":
            dated = [line for line in from_journal.splitlines() if line not in from_recording.splitlines()]
            names = {line.split(" = ")[0] for line in dated}
            assert names == {"year", "month", "day", "time", "time_zone"}
        case _:
            assert len(from_journal.splitlines()) == len(from_recording.splitlines()) > 60


def test_one_hand_into_a_file(recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "one.ohh.jsonl"
    code, text, _ = exported(
        capsys, "--format", "ohh", "--hand", "clean_showdown", str(recording), "-o", str(out)
    )
    assert (code, text) == (0, "")
    [hand] = [json.loads(line)["ohh"] for line in out.read_text().splitlines()]
    assert hand["game_number"] == "clean_showdown"
    assert list(tmp_path.iterdir()) == [out]


def test_hands_that_the_format_does_not_have_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cash.jsonl"
    path.write_text("".join(trace_lines(load_hands([CASH], None, None))))
    code, text, error = exported(capsys, "--format", "phh", str(path))
    assert code == 0
    assert text.count("variant = ") == 59
    assert error == f"{path}: 6 hands with more than one board left out\n"


def test_a_hand_that_is_not_there_or_was_given_back_is_told(
    recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text, error = exported(capsys, "--format", "ohh", "--hand", "nobody", str(recording))
    assert (code, text) == (1, "")
    assert error == f"{recording}: no finished hand 'nobody'\n"


@pytest.mark.parametrize("content", [b"", b"not a trace\n", b'{"t":1}\n'])
def test_what_is_neither_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    code, text, error = exported(capsys, "--format", "csv", str(path))
    if not content:
        assert (code, error) == (0, "")  # a recording without a line has no hand
        return
    assert (code, text) == (2, "")
    assert error.startswith(f"{path}:1: expected")


def test_a_journal_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"SQLite format 3\0" + b"\0" * 200)
    code, text, error = exported(capsys, "--format", "csv", str(path))
    assert (code, text) == (2, "")
    assert str(path) in error


def test_a_journal_that_is_damaged_on_the_way_is_refused(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = tmp_path / "damaged.sqlite"
    with JournalReader(journal) as reader:
        reader._db.execute("PRAGMA query_only=0")
        reader._db.execute(f"VACUUM INTO '{damaged}'")
    content = bytearray(damaged.read_bytes())
    for page in range(8, len(content) // 4096):  # behind the schema
        content[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    damaged.write_bytes(content)
    code, text, error = exported(capsys, "--format", "csv", str(damaged))
    assert (code, text) == (2, "")
    assert str(damaged) in error


def test_a_file_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, error = exported(capsys, "--format", "csv", str(tmp_path / "none"))
    assert code == 2
    assert "No such file" in error


def test_a_hand_that_another_version_wrote_is_named_and_the_others_are_exported(
    tmp_path: Path, recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "older.sqlite"
    store = Journal.open(path, **settings())
    cores: list[Core] = []

    def build(header: Header) -> Core:
        cores.append(core_for_trace(header, None))
        return cores[-1]

    older: list[str] = []

    def first_as_before(kind: str, name: str, hand: str, value: object) -> Row:
        if name != "hand_played" or older:
            return row(kind, name, hand, value)
        older.append(hand)
        return row(kind, name, hand, {"hand": hand, "words": "of another version"})

    def watch(change: Change) -> None:
        session = Session(cores[-1], JournalStore(store), first_as_before, now_ms=lambda: 0)
        session._commit([change])

    for _ in Replay(build, watch=watch).feed(read("recording", recording.read_text().splitlines())):
        pass
    store.close()
    code, out, error = exported(capsys, "--format", "csv", str(path))
    assert code == 0
    assert "as another version wrote it, left out" in error
    assert older[0] in error
    assert len({line.split(",")[0] for line in out.splitlines()[1:]}) == len(NAMES) - 1
