"""Real hands through simulated readers: what was said about hands in which nothing was wrong, for each house and way of entry.

    python scripts/quiet_hands.py                      # the samples of the tests
    python scripts/quiet_hands.py pluribus.phhs        # any hand histories: PHH, Open Hand History

Each row is one run of `hw-sim trace … | dealer-assist replay - --check --json`. Nothing may be proven, and no stack may be otherwise than
the history says; questions are counted. By exception nothing at all may be said. Exit code 1 when that does not hold.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Final

DATA: Final = Path(__file__).parents[1] / "tests" / "data"
SAMPLE: Final = DATA / "pluribus_sample.phhs"
CASH_SAMPLE: Final = DATA / "cash_sample.ohh.jsonl"
HOUSES: Final = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")
#: Notes of a replay: who gets an odd chip.
ODD_CHIPS: Final = ("splits a chip", "gives an odd chip")
LATE: Final = ("--late-taps", "3000")
NOISY: Final = (*LATE, "--miss-rate", "0.02")
EXCEPTION: Final = ("--entry", "by_exception")
#: options of a run, whether every house plays it, whether questions may be asked
RUNS: Final = (
    ((), True, False),
    (NOISY, True, True),
    (EXCEPTION, False, False),
    ((*EXCEPTION, *LATE), True, False),
    ((*EXCEPTION, *LATE, "--pace", "1"), False, False),
    ((*EXCEPTION, *NOISY), False, False),
)


def run(history: Path, house: str, options: tuple[str, ...]) -> tuple[int, int, Counter[str]]:
    """Hands, hands that end otherwise than the history says, and what was said, by strength."""
    trace = [sys.executable, "-m", "hw_sim.cli", "trace", str(history), "--house", house, *options]
    replay = [sys.executable, "-m", "dealer_assist.cli", "replay", "-", "--check", "--json"]
    with subprocess.Popen(trace, stdout=subprocess.PIPE) as writer:
        done = subprocess.run(replay, stdin=writer.stdout, capture_output=True, text=True, check=False)
    if writer.returncode or done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    said = Counter(alert["evidence"] for result in results for alert in result["alerts"])
    told = [line for line in done.stderr.splitlines() if ": hand " in line]
    # the source splits chips that the product does not, and a question is counted as one, not as a difference
    wrong = [line for line in told if not any(odd in line for odd in (*ODD_CHIPS, ": alerts ["))]
    return len(results), len({line.split(": line ")[0] for line in wrong}), said


def main() -> int:
    """Run them all and print a row for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "histories",
        nargs="*",
        type=Path,
        default=[SAMPLE, CASH_SAMPLE],
        help="hand histories (default: the samples)",
    )
    print("| history | run | house | hands | differ | proven | questions |\n|---|---|---|---|---|---|---|")
    failed = False
    for history in parser.parse_args().histories:
        for options, every_house, may_ask in RUNS:
            for house in HOUSES if every_house else HOUSES[:1]:
                hands, differ, said = run(history, house, options)
                counts = (differ, said["proven"], said["probable"])
                row = (history.name, " ".join(options) or "clean", house, hands, *counts)
                print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
                failed |= bool(differ or said["proven"] or (said["probable"] and not may_ask))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
