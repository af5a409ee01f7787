"""The bounded run of every fuzz target: the kept corpus, some blind changes of it, and what Hypothesis thinks of; `make fuzz` goes on."""

from __future__ import annotations

import random
import subprocess
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.firmware_protocol.c_kit import SANITIZERS, SOURCES, WARNINGS
from tests.fuzz import run
from tests.fuzz.mutation import LARGEST, changed
from tests.fuzz.seeds import seeds
from tests.fuzz.targets import ROOT, TARGETS, Target

#: Files are slower than bytes on a line.
CHANGES = {"scenario": 12, "configuration": 12, "phh": 12, "ohh": 12, "replay": 25, "dump": 60, "deck": 60}
CHANGES |= {name: 30 for name in TARGETS if name.endswith("_talk")}


@pytest.mark.parametrize("name", TARGETS)
def test_the_corpus_and_changes_of_it(name):
    kept = run.corpus(name)
    assert len(kept) > 1, "a target without a kept input"
    rng = random.Random(name)
    for data in kept:
        TARGETS[name].run(data)
    for _ in range(CHANGES.get(name, 250)):
        data = changed(rng.choice(kept), kept, TARGETS[name].words, rng)
        try:
            TARGETS[name].run(data)
        except Exception as error:
            error.add_note(f"input: {data.hex()}")
            raise


@pytest.mark.parametrize("name", [name for name in TARGETS if name not in CHANGES])
def test_any_bytes(name):
    words = TARGETS[name].words or (b"\0",)
    pieces = st.one_of(st.binary(max_size=60), st.sampled_from(words), st.sampled_from(run.corpus(name)))

    @settings(
        max_examples=40,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    @given(st.lists(pieces, max_size=6).map(b"".join))
    def takes(data):
        TARGETS[name].run(data)

    takes()


def test_the_seeds_of_the_corpus_are_those_that_its_sources_make():
    for name, inputs in seeds().items():
        found = sorted(file.name for file in (run.CORPUS / name).glob("seed-*"))
        assert found == [f"seed-{number:02}.bin" for number in range(len(inputs))], name


def test_the_corpus_of_the_c_reference_and_changes_of_it():
    folder = TemporaryDirectory(prefix="fuzz-c-")
    program = f"{folder.name}/replay"
    sources = [str(ROOT / "tests" / "fuzz" / "c" / "fuzz_decoder.c"), *map(str, sorted(SOURCES.glob("*.c")))]
    made = subprocess.run(
        [
            "gcc",
            *WARNINGS,
            *SANITIZERS,
            "-g",
            "-O1",
            "-DFUZZ_REPLAY",
            f"-I{SOURCES}",
            *sources,
            "-o",
            program,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    for pattern, copies in (("seed-*", 800), ("find-*", 12)):
        files = sorted((run.CORPUS / "c").glob(pattern))
        played = subprocess.run([program, str(copies), *files], capture_output=True, text=True, check=False)
        assert (played.returncode, played.stderr) == (0, "")
        assert int(played.stdout) == (copies + 1) * len(files) > 0
    folder.cleanup()


# ---------------------------------------------------------------- the fuzzer itself


def test_changes_are_the_same_for_the_same_seed_and_bounded():
    first, second = (
        [changed(b"abc" * 99, [b"other"], [b"word"], rng) for _ in range(500)]
        for rng in (random.Random(1), random.Random(1))
    )
    assert first == second
    assert len(set(first)) > 400
    assert max(map(len, first)) <= LARGEST
    assert any(b"word" in data for data in first)


def test_a_target_that_fails_is_told_once_a_place_and_its_input_kept(monkeypatch, tmp_path):
    def fails(data: bytes) -> None:
        if b"x" in data:
            raise KeyError("x")

    monkeypatch.setitem(TARGETS, "wrong", Target(fails, (b"x",)))
    monkeypatch.setattr(run, "CRASHES", tmp_path / "crashes")
    monkeypatch.setattr(run, "ROOT", tmp_path)
    result = run.fuzz("wrong", 0.3, 1)
    (what, where), *more = result["failures"].items()
    assert what.startswith("KeyError at test_fuzz.py:")
    assert more == []
    assert b"x" in (tmp_path / where).read_bytes()
    assert result["runs"] > 10
