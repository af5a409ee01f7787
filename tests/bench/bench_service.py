"""What the table service and the station cost: start, memory, processor time at rest, with the simulated devices connected.

Run from the project's root: ``python tests/bench/bench_service.py [--rounds N] [--rest S]``. A start is counted from the process's
beginning to its ``ready`` (looked for every 30 ms); memory is what is resident after the rest.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.e2e.rig import Part, Rig


def status_mb(part: Part, name: str) -> float:
    """A figure of the process's status, in MB."""
    for line in Path(f"/proc/{part.process.pid}/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    raise LookupError(name)


def used_s(part: Part) -> float:
    """Processor time that the process has used."""
    fields = Path(f"/proc/{part.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def timed(start: Callable[[], Part]) -> tuple[Part, float]:
    """A part and the seconds until it was ready."""
    begin = time.perf_counter()
    part = start()
    return part, time.perf_counter() - begin


def measured(rest_s: float) -> dict[str, float]:
    """One table of its own."""
    with Rig(speed=1.0) as rig:
        rig.simulator()
        rig.write_config()
        service, service_start = timed(rig.service)
        client = rig.client()
        rig.until(lambda: set(client.lamps().values()) == {"ok"}, "every device's lamp", service)
        before = used_s(service)
        time.sleep(rest_s)
        found = {
            "service start, s": service_start,
            "service idle, % of a core": (used_s(service) - before) / rest_s * 100,
            "service resident, MB": status_mb(service, "VmRSS"),
        }
        _, found["station start, s"] = timed(rig.station)
    return found


def main() -> int:
    """Measure and print medians and worst."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rest", type=float, default=10.0)
    arguments = parser.parse_args()
    rounds = [measured(arguments.rest) for _ in range(arguments.rounds)]
    for name in rounds[0]:
        values = [found[name] for found in rounds]
        print(f"{name:<28} median {statistics.median(values):6.2f}   worst {max(values):6.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
