"""Fuzz the Python parsers: ``python -m tests.fuzz.run [TARGET...] [--seconds S] [--seed N]``. `make fuzz` runs it beside libFuzzer.

Each target gets the same share of the time: its kept corpus, then blind changes of it. An input on which a target fails is written under
``var/fuzz/crashes`` and told; it belongs into the corpus, and what it shows into a test. Counts are printed at the end, as JSON too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from tests.fuzz.mutation import changed
from tests.fuzz.targets import ROOT, TARGETS

CORPUS = Path(__file__).with_name("corpus")
CRASHES = ROOT / "var" / "fuzz" / "crashes"
SLOW_S = 2.0


def corpus(name: str) -> list[bytes]:
    """The kept inputs of a target, and the empty one."""
    folder = CORPUS / name
    kept = [file.read_bytes() for file in sorted(folder.iterdir())] if folder.is_dir() else []
    return [b"", *kept, *TARGETS[name].seeds] if name in TARGETS else [b"", *kept]


def fuzz(name: str, seconds: float, seed: int) -> dict[str, Any]:
    """Fuzz one target; counts, and what failed."""
    target = TARGETS[name]
    rng = random.Random(f"{name}/{seed}")
    kept = corpus(name)
    waiting = list(reversed(kept))
    runs = 0
    slowest_s = 0.0
    failures: dict[str, str] = {}
    end = time.monotonic() + seconds
    while waiting or time.monotonic() < end:
        data = waiting.pop() if waiting else changed(rng.choice(kept), kept, target.words, rng)
        begin = time.process_time()  # what it costs, not what else the machine does
        try:
            target.run(data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            place = traceback.extract_tb(error.__traceback__)[-1]
            what = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
            if what not in failures:
                failures[what] = _keep(name, data)
        took_s = time.process_time() - begin
        if took_s > max(SLOW_S, slowest_s):
            failures[f"slow: {took_s:.1f} s"] = _keep(name, data)
        slowest_s = max(slowest_s, took_s)
        runs += 1
    return {
        "target": name,
        "corpus": len(kept),
        "runs": runs,
        "slowest_ms": round(slowest_s * 1000, 1),
        "failures": failures,
    }


def _keep(name: str, data: bytes) -> str:
    CRASHES.mkdir(parents=True, exist_ok=True)
    path = CRASHES / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    return str(path.relative_to(ROOT))


def main() -> int:
    """Run; 1 when something failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help=f"of {', '.join(TARGETS)} (default: all)")
    parser.add_argument("--seconds", type=float, default=60.0, help="for all of them together (default 60)")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    names = arguments.targets or list(TARGETS)
    results = []
    for name in names:
        result = fuzz(name, arguments.seconds / len(names), arguments.seed)
        results.append(result)
        found = "".join(f"\n    {what}: {where}" for what, where in result["failures"].items())
        print(
            f"{name:<16} {result['runs']:>10,} runs, slowest {result['slowest_ms']:.1f} ms{found}", flush=True
        )
    print(f"{sum(result['runs'] for result in results):,} runs, seed {arguments.seed}")
    if arguments.json is not None:
        arguments.json.write_text(json.dumps({"seed": arguments.seed, "targets": results}, indent=1) + "\n")
    return int(any(result["failures"] for result in results))


if __name__ == "__main__":
    sys.exit(main())
