"""One hand of an accuracy run, line by line: what was read, tapped, injected and said.

``python -m tests.bench.look PROFILE CHUNK HAND``, as ``bench_accuracy --wrong`` lists them, for example
``table pluribus-200-100-s1000 pluribus/103b/89``. The chunk is dealt again; the same seed gives the same reads.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from dealer_assist.domain.facts import AlertFact, SeatFact
from dealer_assist.domain.table import HandOpening
from dealer_assist.replay import Replay
from dealer_assist.table.change import Change
from dealer_assist.table.ports import TagArrived, TagLeft
from dealer_assist.table.trace import Entry, Header
from tests.bench.accuracy_run import Chunk, make_trace
from tests.bench.bench_accuracy import SAMPLES, WHOLE
from tests.bench.sensing_profiles import core_with

_NAME = re.compile(r"(?P<file>.+)-(?P<first>\d+)-(?P<count>\d+)-s(?P<seed>\d+)")


def chunk_of(name: str) -> Chunk:
    """The chunk of a name."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise SystemExit(f"{name!r} is no chunk: expected a name like pluribus-200-100-s1000")
    files = [
        file for file in (*WHOLE, *SAMPLES) if file.exists() and file.name.split(".")[0] == found["file"]
    ]
    if not files:
        raise SystemExit(f"no hand history is called {found['file']}")
    return Chunk(str(files[0]), int(found["first"]), int(found["count"]), int(found["seed"]))


def main() -> int:
    """Print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profile")
    parser.add_argument("chunk", type=chunk_of)
    parser.add_argument("hand")
    parser.add_argument("--irregular", type=float, default=0.1, help="as in the run (default 0.1)")
    arguments = parser.parse_args()
    trace = make_trace(arguments.chunk, arguments.profile, arguments.irregular)
    print(trace.truths.get(arguments.hand, "clean"), *trace.slips.get(arguments.hand, ()), sep="\n")
    zones: dict[tuple[str, int], str] = {}
    cards: dict[bytes, int] = {}
    here = False

    def watch(change: Change) -> None:
        for fact in change.facts if here else ():
            if isinstance(fact, AlertFact):
                alert = fact.alert
                print(
                    f"    {change.t_ms:>9} {alert.rule} seat {alert.seat} {alert.evidence} {alert.state} {alert.question or ''}"
                )
                for why in alert.why:
                    print(f"              {why.code} {why.params} {why.weight}")
            elif isinstance(fact, SeatFact) and fact.marks:
                print(f"    {change.t_ms:>9} seat {fact.seat}: marks {', '.join(fact.marks)}")

    def told(entry: Entry) -> None:
        what = entry.what
        if isinstance(what, TagArrived | TagLeft):
            card = cards.setdefault(what.uid, len(cards) + 1)
            does = "+" if isinstance(what, TagArrived) else "-"
            print(f"{entry.t_ms:>9} {what.t_ms:>9} {does} {zones[what.device, what.antenna]} card {card}")
        else:
            print(f"{entry.t_ms:>9} {what}")

    def spied() -> object:
        nonlocal here
        for entry in trace.entries:
            if isinstance(entry.what, Header):
                zones.clear()
                for device in entry.what.devices:
                    zones.update({(device.id, int(number)): zone for number, zone in device.antennas.items()})
            elif isinstance(entry.what, HandOpening):
                here = entry.what.hand == arguments.hand
            if here:
                told(entry)
            yield entry

    for _ in Replay(lambda header: core_with(header, arguments.profile), watch=watch).feed(spied()):  # type: ignore[arg-type]
        pass
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
