"""What the journal costs: appends against plain SQLite with the same rows a commit, in one run; then opening and verifying.

Run from the project's root: ``python -m tests.bench.bench_journal [--commits N] [--folder PATH]``. The folder
must be on the disk that is to be measured. Batches of both sides alternate in short blocks, so that a slow
moment of the disk hits both alike.
"""

from __future__ import annotations

import argparse
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from nacl.public import PrivateKey
from nacl.signing import SigningKey

from dealer_assist.journal.sealing import Sealer
from dealer_assist.journal.store import Journal, Row
from dealer_assist.journal.verify import verify

BLOCK = 25
GOAL = 1.5
SIGNING_KEY = bytes(range(32))
INPUT = Row.of(
    "input", "card_placed", "h1", {"zone": "seat4", "ref": "c17", "t_ms": 123456, "since_ms": 123400}
)
EVENT = Row.of("event", "card_dealt", "h1", {"seat": 4, "ref": "c17", "round": 1, "t_ms": 123456})


class Plain:
    """The same columns and settings, in two plain tables, without chain, guards or checks."""

    def __init__(self, path: Path) -> None:
        self._db = db = sqlite3.connect(path, isolation_level=None)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA wal_autocheckpoint=1000")
        db.execute(
            "CREATE TABLE rows (seq INTEGER PRIMARY KEY, t_mono_ns INTEGER, t_utc_ns INTEGER, kind TEXT, name TEXT, hand TEXT, "
            "simulated INTEGER, payload TEXT)"
        )
        db.execute("CREATE TABLE seals (seq INTEGER PRIMARY KEY, hand TEXT, box BLOB)")

    def append(self, rows: list[Row], seals: list[tuple[str, bytes]]) -> None:
        """One durable commit."""
        mono, utc = time.monotonic_ns(), time.time_ns()
        values = [(mono, utc, row.kind, row.name, row.hand, 0, row.payload.decode()) for row in rows]
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(
            "INSERT INTO rows (t_mono_ns, t_utc_ns, kind, name, hand, simulated, payload) VALUES (?, ?, ?, ?, ?, ?, ?)",
            values,
        )
        self._db.executemany("INSERT INTO seals (hand, box) VALUES (?, ?)", seals)
        self._db.execute("COMMIT")


def timed(block: Callable[[], object]) -> list[int]:
    """Nanoseconds of each of a block of calls."""
    found = []
    for _ in range(BLOCK):
        start = time.perf_counter_ns()
        block()
        found.append(time.perf_counter_ns() - start)
    return found


def compare(folder: Path, name: str, events: int, seals: int, commits: int) -> float:
    """Print one line; return the journal's cost as a ratio of the sums."""
    rows = [INPUT] + [EVENT] * events
    box = Sealer(bytes(PrivateKey(b"\x07" * 32).public_key)).seal("h1", "seat4", "Ks", b"\x04" * 7, 123456)
    boxes = [("h1", box)] * seals
    plain = Plain(folder / f"plain-{name}.sqlite")
    journal = open_journal(folder / f"journal-{name}.sqlite")
    costs: tuple[list[int], list[int]] = ([], [])
    for _ in range(commits // BLOCK):
        costs[0].extend(timed(lambda: plain.append(rows, boxes)))
        costs[1].extend(timed(lambda: journal.append(rows, boxes)))
    journal.close()
    ratio = sum(costs[1]) / sum(costs[0])
    middle = [statistics.median(cost) / 1000 for cost in costs]
    tail = [statistics.quantiles(cost, n=100)[98] / 1000 for cost in costs]
    print(
        f"{name:<22} plain {middle[0]:7.0f} us p99 {tail[0]:7.0f}   journal {middle[1]:7.0f} us p99 {tail[1]:7.0f}   "
        f"ratio {ratio:.2f} (medians {middle[1] / middle[0]:.2f})"
    )
    return ratio


def open_journal(path: Path) -> Journal:
    """A real-time journal at ``path``."""
    return Journal.open(
        path,
        clock_mono_ns=time.monotonic_ns,
        clock_utc_ns=time.time_ns,
        simulated=True,
        origin="bench",
        signing_key=SIGNING_KEY,
    )


def reading(folder: Path) -> None:
    """Print what opening with a tail of one long hand, and verifying everything, cost."""
    path = folder / "reading.sqlite"
    journal = open_journal(path)
    for _ in range(500):
        journal.append([INPUT] + [EVENT] * 99)
    journal.checkpoint("h1")
    for _ in range(400):
        journal.append([INPUT, EVENT])
    journal.close()
    start = time.perf_counter()
    open_journal(path).close()
    opened = time.perf_counter() - start
    start = time.perf_counter()
    report = verify(path, bytes(SigningKey(SIGNING_KEY).verify_key))
    whole = time.perf_counter() - start
    print(
        f"open with 800 rows since the last checkpoint: {opened * 1000:.1f} ms; verify {report.rows / whole:,.0f} rows/s"
    )


def main() -> int:
    """Measure; return 1 when the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=2000)
    parser.add_argument("--folder", type=Path, default=None)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        where = Path(folder)
        ratios = [
            compare(where, "input alone", 0, 0, arguments.commits),
            compare(where, "input, event", 1, 0, arguments.commits),
            compare(where, "input, event, seal", 1, 1, arguments.commits),
            compare(where, "input, 9 events", 9, 0, arguments.commits),
        ]
        reading(where)
    print(f"goal: at most {GOAL}; worst {max(ratios):.2f}")
    return int(max(ratios) > GOAL)


if __name__ == "__main__":
    raise SystemExit(main())
