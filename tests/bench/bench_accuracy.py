"""Accuracy under noise: real hands through simulated readers, judged by the product and by a debounce-and-timeout decider.

Run from the project's root: ``python -m tests.bench.bench_accuracy [--hands N] [--profiles P,...] [--jobs N] [--page FILE] [--json FILE]``.
Results of each chunk of hands are kept under ``var/accuracy``; the same command goes on where it was stopped, as long as the code is the
same. docs/accuracy.md says what the figures mean.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any, Final

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench import accuracy_page
from tests.bench.accuracy_run import (
    ROOT,
    Chunk,
    ChunkResult,
    Judged,
    chunks,
    fingerprint,
    judge_peer,
    judge_product,
    make_trace,
)
from tests.bench.accuracy_score import Score
from tests.bench.debounce_decider import FIXED, GRID, Settings
from tests.bench.sensing_profiles import WRONG

PROFILES: Final = ("fine", "table", "bad")
DATA: Final = ROOT.parent / "shared" / "data"
WHOLE: Final = (DATA / "pluribus.phhs", DATA / "cash.ohh.jsonl")
SAMPLES: Final = (
    ROOT / "tests" / "data" / "pluribus_sample.phhs",
    ROOT / "tests" / "data" / "cash_sample.ohh.jsonl",
)
#: The peer is tuned on hands of other seeds than it is measured on.
TRAINING_SEED: Final = 900_000
#: One chunk in so many is judged with the wrong parameters too.
WRONG_EVERY: Final = 8


class Job(msgspec.Struct, frozen=True):
    """One chunk for one process."""

    chunk: Chunk
    profile: str
    irregular: float
    tuned: Settings
    wrong: bool
    result: str


def run_job(job: Job) -> str:
    """Judge a chunk in every way and keep the result."""
    trace = make_trace(job.chunk, job.profile, job.irregular)
    judged = {"product": judge_product(trace, job.profile)}
    if job.wrong:
        judged[wrong_name(job.profile)] = judge_product(trace, WRONG[job.profile])
    judged[f"peer, {FIXED}"] = judge_peer(trace, FIXED)
    judged["peer, tuned"] = judge_peer(trace, job.tuned)
    for each in judged.values():
        each.wrong = [f"{job.chunk.name} {line}" for line in each.wrong]
    path = Path(job.result)
    part = path.with_suffix(".part")
    part.write_bytes(msgspec.json.encode(ChunkResult(job.chunk, job.profile, judged)))
    part.replace(path)
    return job.result


def wrong_name(profile: str) -> str:
    """How the product with the parameters of another profile is called."""
    return f"product told `{WRONG[profile]}`"


def tune(files: tuple[Path, ...], profile: str, irregular: float, hands: int, folder: Path) -> Settings:
    """The setting of the peer with the most found less falsely told on training hands; kept for the next time."""
    kept = folder / f"tuned-{profile}-{hands}.json"
    if kept.exists():
        return msgspec.json.decode(kept.read_bytes(), type=Settings)
    scores = {settings: Score() for settings in GRID}
    for chunk in chunks(files, hands, TRAINING_SEED):
        trace = make_trace(chunk, profile, irregular)
        for settings, score in scores.items():
            score.add(judge_peer(trace, settings).score)

    def worth(settings: Settings) -> float:
        score = scores[settings]
        return score.found / max(1, score.irregular) - score.clean_any / max(1, score.clean)

    best = max(GRID, key=worth)
    kept.write_bytes(msgspec.json.encode(best))
    return best


def goals(profile: str, figures: dict[str, Any], cost: dict[str, Any]) -> list[str]:
    """What the goals say of a profile's figures."""
    wanted: list[tuple[str, float | None, float, bool]] = []
    if profile == "table":
        wanted.append(
            ("false proven in 1,000 clean hands", figures["false_proven_per_1000"]["value"], 0.5, False)
        )
        wanted.append(("questions in 1,000 clean hands", figures["questions_per_1000"]["value"], 4.0, False))
    if profile in ("table", "fine"):
        least = 0.93 if profile == "table" else 0.96
        found = figures["deal_found_before_next_step"]["value"]
        wanted.append(("departures of the deal found before the next step", found, least, True))
    if profile != "bad":
        told = figures["first_word_s"]
        wanted.append(("seconds to the first word, median", told.get("median"), 1.0, False))
        wanted.append(("seconds to the first word, 95th percentile", told.get("p95"), 2.0, False))
    wanted.append(("ms of processor time a scan, 99th percentile", cost["p99_ms"], 10.0, False))
    verdicts = []
    for name, value, goal, at_least in wanted:
        met = value is not None and (value >= goal if at_least else value <= goal)
        sign = "at least" if at_least else "at most"
        verdicts.append(
            f"{name}: {accuracy_page.number(value)}, goal {sign} {goal:g}: {'met' if met else 'not met'}"
        )
    return verdicts


def gathered(results: Iterable[Path]) -> tuple[int, dict[str, Judged]]:
    """The chunks of a profile, added up."""
    hands = 0
    whole: dict[str, Judged] = {}
    for path in results:
        result = msgspec.json.decode(path.read_bytes(), type=ChunkResult)
        hands += result.chunk.count
        for name, judged in result.judged.items():
            whole.setdefault(name, Judged()).add(judged)
    order = sorted(whole, key=lambda name: (name != "product", name.startswith("peer"), name))
    return hands, {name: whole[name] for name in order}


def machine() -> str:
    """What it ran on, in words."""
    model = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    return f"{os.cpu_count()} cores of {model}, Python {platform.python_version()}"


def revision() -> str:
    """The commit, and whether the files are another state than it."""
    head = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    changed = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=no"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    return (head or "unknown") + (" with changes" if changed else "")


def command_of(arguments: argparse.Namespace) -> str:
    """What makes the same hands and judges them so; where results are put is left out."""
    words = ["python -m tests.bench.bench_accuracy", *(file.name for file in arguments.files)]
    for name in ("hands", "profiles", "irregular", "seed", "training"):
        words += [f"--{name}", str(getattr(arguments, name))]
    return " ".join(words)


def parse(argv: list[str] | None) -> argparse.Namespace:
    """The arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "files", nargs="*", type=Path, help="hand histories (default: the whole sets, else the samples)"
    )
    parser.add_argument("--hands", type=int, default=300, help="of each profile (default 300)")
    parser.add_argument("--profiles", default=",".join(PROFILES))
    parser.add_argument(
        "--irregular", type=float, default=0.1, help="share of hands with an irregularity (default 0.1)"
    )
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--training", type=int, default=200, help="hands on which the peer is tuned (default 200)"
    )
    parser.add_argument("--minutes", type=float, default=None, help="begin no further chunk after so long")
    parser.add_argument("--folder", type=Path, default=ROOT / "var" / "accuracy")
    parser.add_argument("--page", type=Path, default=None, help="put a dated section on this page")
    parser.add_argument("--json", type=Path, default=None, help="write the figures here")
    parser.add_argument(
        "--wrong", action="store_true", help="list the hands that the product was wrong about"
    )
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Measure; 0 when it could be done, whether or not the goals are met."""
    arguments = parse(argv)
    begin, load = time.monotonic(), os.getloadavg()[0]
    files = tuple(arguments.files) or (WHOLE if all(file.exists() for file in WHOLE) else SAMPLES)
    profiles = [name for name in arguments.profiles.split(",") if name]
    folder = arguments.folder / fingerprint()
    folder.mkdir(parents=True, exist_ok=True)
    tuned = {}
    for profile in profiles:
        tuned[profile] = tune(files, profile, arguments.irregular, arguments.training, folder)
        print(f"{profile}: the peer's own setting is {tuned[profile]}", flush=True)
    jobs = [
        Job(
            chunk,
            profile,
            arguments.irregular,
            tuned[profile],
            number % WRONG_EVERY == 0,
            str(folder / f"{profile}-i{arguments.irregular:g}-{chunk.name}.json"),
        )
        for number, chunk in enumerate(chunks(files, arguments.hands, arguments.seed))
        for profile in profiles
    ]
    run_all([job for job in jobs if not Path(job.result).exists()], arguments.jobs, arguments.minutes, begin)
    done = [job for job in jobs if Path(job.result).exists()]
    left = sum(job.chunk.count for job in jobs) - sum(job.chunk.count for job in done)
    run: dict[str, Any] = {
        "date": dt.datetime.now(dt.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "command": command_of(arguments),
        "revision": revision(),
        "sources": [file.name for file in files],
        "irregular": arguments.irregular,
        "seed": arguments.seed,
        "machine": machine(),
        "load": f"{load:.1f} at the beginning, {os.getloadavg()[0]:.1f} at the end",
        "missing": f"{left:,} of the hands that were asked for were not played yet." if left else "",
        "profiles": {},
    }
    for profile in profiles:
        hands, judged = gathered(Path(job.result) for job in done if job.profile == profile)
        told = {
            name: {
                "score": each.score.figures(),
                "scan_cost": each.scan_cost.told(),
                "scan_cpu": each.scan_cpu.told(),
                "seconds": each.seconds,
                "differ": each.differ,
                "differences": each.differences,
                "wrong": each.wrong,
            }
            for name, each in judged.items()
        }
        run["profiles"][profile] = {
            "hands": hands,
            "tuned": str(tuned[profile]),
            "trained_on": arguments.training,
            "judged": told,
            "goals": goals(profile, told["product"]["score"], told["product"]["scan_cpu"]) if told else [],
        }
    text = accuracy_page.section(run)
    print(text)
    if arguments.wrong:
        for name, profile in run["profiles"].items():
            for line in profile["judged"]["product"]["wrong"] if profile["judged"] else ():
                print(f"{name} {line}")
    if arguments.json is not None:
        arguments.json.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=1) + b"\n")
    if arguments.page is not None:
        accuracy_page.write_into(arguments.page, text)
    return 0


def run_all(jobs: list[Job], processes: int, minutes: float | None, begin: float) -> None:
    """Play what is missing; after ``minutes`` nothing new is begun."""
    waiting = iter(jobs)
    finished = 0
    with ProcessPoolExecutor(max_workers=processes) as pool:
        running = set()
        while True:
            late = minutes is not None and time.monotonic() - begin > minutes * 60
            while len(running) < processes and not late and (job := next(waiting, None)) is not None:
                running.add(pool.submit(run_job, job))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
            finished += len(done)
            if finished % 20 == 0:
                print(
                    f"{finished} of {len(jobs)} chunks, {time.monotonic() - begin:.0f} s",
                    file=sys.stderr,
                    flush=True,
                )


if __name__ == "__main__":
    raise SystemExit(main())
