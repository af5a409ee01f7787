"""Nothing acknowledged is lost: not by ``kill -9``, not by a full, failing or read-only disk."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dealer_assist.journal.reader import JournalReader
from dealer_assist.journal.store import Journal
from dealer_assist.journal.verify import verify
from tests.journal.kit import PUBLIC_KEY, Opener, play_hand, settings

ROOT = Path(__file__).parents[2]
Lines = list[list[str]]


def command(mode: str, path: Path, seed: int) -> list[str]:
    """The command line of a writing child."""
    return [sys.executable, "-m", "tests.journal.child", mode, str(path), str(seed)]


def run(mode: str, path: Path, seed: int = 1, **environment: str) -> Lines:
    """Let a child run to its end; what it said, split into words."""
    done = subprocess.run(
        command(mode, path, seed),
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()]


def kinds(lines: Lines) -> list[str]:
    """The first word of each line."""
    return [line[0] for line in lines]


def assert_kept(path: Path, acknowledged: Lines) -> None:
    """Every acknowledged head is a row with that hash, and the whole journal verifies."""
    with JournalReader(path) as reader:
        hashes = {row.seq: row.hash.hex() for row in reader.rows()}
    lost = [line for line in acknowledged if hashes.get(int(line[1])) != line[2]]
    assert not lost
    report = verify(path, PUBLIC_KEY)
    assert report.ok, report.problems


@pytest.mark.process
def test_kill_9_at_random_moments_loses_nothing_acknowledged(path: Path) -> None:
    randomness = random.Random(20260101)
    acknowledged: Lines = []
    for turn in range(15):
        child = subprocess.Popen(command("forever", path, turn), cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        said = [child.stdout.readline() for _ in range(randomness.randrange(1, 60))]
        time.sleep(randomness.random() * 0.003)
        child.send_signal(signal.SIGKILL)
        # The kill may have cut the last line short: that one is no acknowledgement.
        said += [line for line in child.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
        lines = [line.split() for line in said]
        child.stdout.close()
        assert child.wait() == -signal.SIGKILL
        acknowledged += [line for line in lines if line[0] == "ack"]
        assert_kept(path, acknowledged)
    assert len(acknowledged) > 300
    Journal.open(path, **settings()).close()
    assert_kept(path, acknowledged)


@pytest.mark.process
def test_a_file_that_may_not_grow_says_so_and_loses_nothing(path: Path) -> None:
    lines = run("file_limit", path)
    refusals = [line for line in lines if line[0] == "refused"]
    assert len(refusals) >= 2 and all(line[2] in ("full", "io") for line in refusals)
    assert kinds(lines)[-2:] == ["ack", "ack"]
    assert "stuck" not in kinds(lines)
    assert_kept(path, [line for line in lines if line[0] == "ack"])


@pytest.mark.process
def test_a_read_only_file_says_so(open_journal: Opener, path: Path) -> None:
    journal = open_journal()
    play_hand(journal, "h1")
    journal.close()
    path.chmod(0o400)
    assert run("read_only", path) == [["refused", "journal_unavailable", "readonly"]]
    path.chmod(0o600)
    assert verify(path, PUBLIC_KEY).rows == 10


@pytest.mark.process
def test_a_read_only_folder_says_so(open_journal: Opener, path: Path) -> None:
    path.parent.chmod(0o500)
    try:
        assert run("read_only", path) == [["refused", "journal_unavailable", "readonly"]]
    finally:
        path.parent.chmod(0o700)


@pytest.fixture(scope="module")
def faulty_disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that makes writes and syncs fail on command, built with the system's C compiler."""
    library = tmp_path_factory.mktemp("shim") / "faulty_disk.so"
    source = Path(__file__).with_name("faulty_disk.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-Wall", "-Werror", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.mark.process
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_failing_disk_loses_nothing_acknowledged_and_nothing_failed_is_hidden(
    seed: int, path: Path, faulty_disk: Path
) -> None:
    lines = run("faulty_disk", path, seed, LD_PRELOAD=str(faulty_disk))
    said = kinds(lines)
    assert "stuck" not in said and "corrupt" not in said
    assert "ahead" in said, "a failed sync has left rows behind at least once"
    assert sum(int(line[3]) for line in lines if line[0] == "fault") > 20, "the disk did fail"
    assert ["refused", "journal_full", "full"] in lines
    assert ["refused", "journal_unavailable", "io"] in lines
    # An append that had failed but is stored is announced before anything is written after it.
    position = 0
    for line in lines:
        if line[0] == "ack":
            assert int(line[1]) - position <= 6, "rows came in that nobody was told of"
            position = int(line[1])
        elif line[0] == "ahead":
            assert int(line[1]) == position
            position = int(line[2])
    assert_kept(path, [line for line in lines if line[0] == "ack"])
    Journal.open(path, **settings()).close()
    assert_kept(path, [line for line in lines if line[0] == "ack"])
