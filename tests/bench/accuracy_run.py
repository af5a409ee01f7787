"""Noisy hands made, judged and scored, a chunk of source hands at a time; each chunk's result is a file, so that a run can go on later.

A chunk is some hands of one source file with one seed. Its trace is written by the command ``hw-sim trace``, called in this process (to
start one would cost as much as to deal the hands), read once, and then judged by the product's core and by the peer, in memory. What was
injected is known from the side file alone.
"""

from __future__ import annotations

import gc
import hashlib
import math
import random
import re
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from dealer_assist.domain.facts import AlertFact
from dealer_assist.domain.table import HandOpening
from dealer_assist.replay import Replay
from dealer_assist.table.change import Change
from dealer_assist.table.core import Core
from dealer_assist.table.trace import Entry, Header, read
from hw_sim.cli import main as hw_sim
from tests.bench.accuracy_score import Score, Slip, Truth, Word
from tests.bench.debounce_decider import Settings, words_of
from tests.bench.sensing_profiles import core_with

ROOT: Final = Path(__file__).parents[2]
CHUNK: Final = 100
#: So many seeds are a pass's own.
SEEDS: Final = 1000
#: Costs of a scan are counted in classes of this ratio: a quantile is right to 2 %.
COST_RATIO: Final = 1.02


class Chunk(msgspec.Struct, frozen=True):
    """Hands ``first`` to ``first + count - 1`` of a file, dealt with a seed."""

    file: str
    first: int
    count: int
    seed: int

    @property
    def name(self) -> str:
        """A file name for its result."""
        return f"{Path(self.file).name.split('.')[0]}-{self.first}-{self.count}-s{self.seed}"


class Costs(msgspec.Struct):
    """Times, counted in classes that grow by ``COST_RATIO`` from 1 µs."""

    classes: dict[int, int] = {}
    most_us: float = 0.0

    def take(self, us: float) -> None:
        """Count one."""
        number = max(0, math.ceil(math.log(max(us, 1.0), COST_RATIO)))
        self.classes[number] = self.classes.get(number, 0) + 1
        self.most_us = max(self.most_us, us)

    def add(self, other: Costs) -> None:
        """Add the counts of another."""
        for number, count in other.classes.items():
            self.classes[number] = self.classes.get(number, 0) + count
        self.most_us = max(self.most_us, other.most_us)

    def count(self) -> int:
        """How many."""
        return sum(self.classes.values())

    def quantile_ms(self, q: float) -> float:
        """The upper edge of the class in which the quantile lies."""
        wanted = q * self.count()
        seen = 0
        for number, count in sorted(self.classes.items()):
            seen += count
            if seen >= wanted:
                return float(min(COST_RATIO**number, self.most_us)) / 1000
        return 0.0

    def told(self) -> dict[str, Any]:
        """The figures."""
        return {
            "n": self.count(),
            "p50_ms": self.quantile_ms(0.5),
            "p99_ms": self.quantile_ms(0.99),
            "max_ms": self.most_us / 1000,
        }


class Judged(msgspec.Struct):
    """What one way of judging made of some hands."""

    score: Score = msgspec.field(default_factory=Score)
    #: of a scan by the clock on the wall, and in processor time: what other work on the machine does not change
    scan_cost: Costs = msgspec.field(default_factory=Costs)
    scan_cpu: Costs = msgspec.field(default_factory=Costs)
    #: clean hands that ended otherwise than their source says
    differ: int = 0
    differences: list[str] = []
    seconds: float = 0.0
    #: hands that were told falsely, and irregular ones that were not found in time: chunk, hand, what was injected, what was said
    wrong: list[str] = []

    def add(self, other: Judged) -> None:
        """Add other hands."""
        self.score.add(other.score)
        self.scan_cost.add(other.scan_cost)
        self.scan_cpu.add(other.scan_cpu)
        self.differ += other.differ
        self.differences = [*self.differences, *other.differences][:20]
        self.seconds += other.seconds
        self.wrong += other.wrong


class ChunkResult(msgspec.Struct):
    """Of each way of judging, by its name."""

    chunk: Chunk
    profile: str
    judged: dict[str, Judged]


def chunks(files: Iterable[Path], hands: int, seed: int, size: int = CHUNK) -> Iterator[Chunk]:
    """``hands`` hands in chunks: every file once, in mixed order, then once more with the next ``seed``.

    Each chunk is dealt with a seed of its own: with the same one, the antennas of all of them would fail at the same moments.
    """
    counts = {str(file): len(source_hands(file)) for file in files}
    while hands > 0:
        places = [(file, count, first) for file, count in counts.items() for first in range(0, count, size)]
        of_pass = [
            Chunk(file, first, min(size, count - first), seed * SEEDS + number)
            for number, (file, count, first) in enumerate(places)
        ]
        random.Random(f"order/{seed}").shuffle(of_pass)
        for chunk in of_pass:
            take = min(chunk.count, hands)
            if take <= 0:
                return
            yield msgspec.structs.replace(chunk, count=take)
            hands -= take
        seed += 1


def source_hands(file: Path) -> list[str]:
    """The hands of a file as its text has them: sections of a .phhs, lines of Open Hand History."""
    text = file.read_text("utf-8")
    if file.suffix == ".phhs":
        return re.split(r"(?m)^(?=\[\d+\]\s*$)", text)[1:]
    return [line + "\n" for line in text.splitlines() if line.strip()]


class Trace(msgspec.Struct):
    """A chunk's trace, read, and what was injected by hand."""

    entries: list[Entry]
    truths: dict[str, Truth] = {}
    slips: dict[str, list[Slip]] = {}


def make_trace(chunk: Chunk, profile: str, irregular: float) -> Trace:
    """Let the simulator deal a chunk."""
    source = Path(chunk.file)
    with tempfile.TemporaryDirectory(prefix="accuracy-") as folder:
        part = Path(folder) / source.name
        hands = source_hands(source)[chunk.first : chunk.first + chunk.count]
        part.write_text(
            "".join(hand.rstrip() + "\n\n" for hand in hands) if source.suffix == ".phhs" else "".join(hands)
        )
        trace, side = Path(folder) / "trace.jsonl", Path(folder) / "truth.jsonl"
        arguments = ["trace", part, "--noise", profile, "--seed", chunk.seed, "--irregular", irregular]
        done = hw_sim([str(word) for word in (*arguments, "--truth", side, "-o", trace)])
        if done != 0:
            raise RuntimeError(f"hw-sim made no trace of {chunk.name}: exit code {done}")
        with trace.open("rb") as lines:
            entries = list(read(source.name, lines))
        return Trace(entries, *read_side_file(side.read_bytes()))


def read_side_file(side: bytes) -> tuple[dict[str, Truth], dict[str, list[Slip]]]:
    """What was injected, and what was tapped wrongly or not at all, by hand."""
    truths: dict[str, Truth] = {}
    slips: dict[str, list[Slip]] = {}
    for line in side.splitlines():
        if b'"slip"' in line:
            slip = msgspec.json.decode(line, type=Slip)
            slips.setdefault(slip.hand, []).append(slip)
        elif line.strip():
            truth = msgspec.json.decode(line, type=Truth)
            truths[truth.hand] = truth
    return truths, slips


class _TimedCore:
    """A core whose ``observe`` is timed, summed by scan of the table: all that a device tells of one moment of its own."""

    def __init__(self, core: Core, judged: Judged) -> None:
        self._core = core
        self._judged = judged
        self._scan: tuple[str, int] | None = None
        self._wall_ns = 0
        self._cpu_ns = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._core, name)

    def observe(self, observation: Any) -> Any:
        scan = (observation.device, observation.t_ms)
        if scan != self._scan:
            self.flush()
            self._scan = scan
        wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
        changes = self._core.observe(observation)
        self._cpu_ns += time.thread_time_ns() - cpu
        self._wall_ns += time.perf_counter_ns() - wall
        return changes

    def flush(self) -> None:
        """The scan is over."""
        if self._scan is not None:
            self._judged.scan_cost.take(self._wall_ns / 1000)
            self._judged.scan_cpu.take(self._cpu_ns / 1000)
        self._scan = None
        self._wall_ns = self._cpu_ns = 0


def judge_product(trace: Trace, sensing: str | None) -> Judged:
    """Stream a trace through the product's core, told that its antennas read as a profile does (None: as the product assumes)."""
    judged = Judged()
    words: dict[str, list[Word]] = {}
    known: set[tuple[str, str, str]] = set()
    core: Any = None

    def build(header: Header) -> Any:
        nonlocal core
        if core is not None:
            core.flush()
        core = _TimedCore(core_with(header, sensing), judged)
        return core

    def watch(change: Change) -> None:
        for fact in change.facts:
            if not isinstance(fact, AlertFact) or fact.alert.evidence == "possible":
                continue
            alert = fact.alert
            hand = core.hand.procedure.hand
            key = (hand, alert.id, alert.evidence)
            if key not in known:
                known.add(key)
                strength = "proven" if alert.evidence == "proven" else "question"
                words.setdefault(hand, []).append(Word(change.t_ms, strength, alert.rule, alert.seat))  # type: ignore[arg-type]

    gc.freeze()  # the trace: no table service has one in its memory to look through for garbage
    try:
        begin = time.perf_counter()
        for result in Replay(build, watch=watch).feed(iter(trace.entries)):
            clean = result.hand not in trace.truths
            if clean and result.differences:
                judged.differ += 1
                judged.differences = [*judged.differences, f"{result.hand}: {result.differences[0]}"][:20]
        judged.seconds = time.perf_counter() - begin
    finally:
        gc.unfreeze()
    if core is not None:
        core.flush()
    _score(judged, trace, words)
    return judged


def judge_peer(trace: Trace, settings: Settings) -> Judged:
    """Let the peer judge a trace."""
    judged = Judged()
    begin = time.perf_counter()
    words = words_of(trace.entries, settings)
    judged.seconds = time.perf_counter() - begin
    _score(judged, trace, words)
    return judged


def _score(judged: Judged, trace: Trace, words: dict[str, list[Word]]) -> None:
    for entry in trace.entries:
        if isinstance(entry.what, HandOpening):
            hand = entry.what.hand
            before = msgspec.structs.replace(judged.score)
            judged.score.take(words.get(hand, ()), trace.truths.get(hand), trace.slips.get(hand, ()))
            judged.wrong += _wrong(hand, trace.truths.get(hand), words.get(hand, []), before, judged.score)


def _wrong(hand: str, truth: Truth | None, words: list[Word], before: Score, after: Score) -> list[str]:
    """A line about a hand that was told falsely, or not in time."""
    said = " ".join(f"{word.rule}/{word.seat}/{word.strength}@{word.t_ms}" for word in words) or "nothing"
    if truth is None:
        return [f"{hand}: clean, said {said}"] if after.clean_any > before.clean_any else []
    late = after.irregular > before.irregular and after.found_in_time == before.found_in_time
    early = after.irregular_false > before.irregular_false
    if not late and not early:
        return []
    where = f"{truth.kind} {truth.rule}/{truth.seat}@{truth.t} next {truth.next_step_t} void {truth.void_t}"
    return [f"{hand}: {where}, said {said}"]


def fingerprint() -> str:
    """Of everything that a result depends on: results of other code are not gone on with."""
    digest = hashlib.sha256()
    folders = [ROOT / name for name in ("dealer_assist", "firmware_protocol", "hw_sim")]
    files = [
        file
        for folder in folders
        for file in folder.rglob("*")
        if file.suffix in (".py", ".toml") and "station" not in file.relative_to(ROOT).parts
    ]
    own = ("accuracy_run", "accuracy_score", "debounce_decider", "sensing_profiles")
    files += [ROOT / "tests" / "bench" / f"{name}.py" for name in own]
    for file in sorted(files):
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
