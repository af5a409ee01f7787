"""The station: from a read to the frame that shows it, frames of a full table in motion, and its start.

Run from the project's root: ``python -m tests.bench.bench_station [--alerts N] [--reads N] [--hands N] [--starts N]``.

Read → painted: as in ``bench_latency`` a reader on a pseudo-terminal of 115,200 baud reports 100 reads a second to the real table
service; the real station, in a process of its own, offscreen at 1920 × 1080, keeps everything on its felt moving. Counted from the last
byte of the read on the line to the end of the painting of the first frame that shows what came of it. The durable commit of as many rows
is taken in the same run. A burn is read by a gate, one read is enough; a card at a seat waits for the filter, whose time is in its figure.

Frames: the station's window with 11 seats and 52 cards (44 in hands, 5 on the board, 3 burnt), all of them in motion; a frame is the
time from the timer's call to the end of painting, on the wall and in processor time. Starts: from the beginning of the process to its
first whole frame.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import time
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[2]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from dealer_assist.domain.facts import (
    BoardCard,
    BoardFact,
    Fact,
    HandFact,
    NowFact,
    PadFact,
    PotFact,
    PotView,
    SeatFact,
    TableFact,
    UndoFact,
)
from dealer_assist.domain.link import LINK_VERSION, Hello, Snapshot, Update
from dealer_assist.domain.zones import SEATS
from dealer_assist.station.app import application, freeze_memory
from dealer_assist.station.window import StationWindow
from firmware_protocol.secure import KEY_BYTES
from tests.bench.bench_latency import (
    SERIAL,
    Bench,
    Journalled,
    Line,
    Reader,
    Screen,
    config_of,
    figures,
)
from tests.bench.intervals import quantile
from tests.e2e.rig import ROOT, Part, Rig

PAINTED_MS: Final = 50.0
FRAME_MS: Final = 16.0
#: the question stands for half a second; a round takes longer
ROUND_S: Final = 1.2
START_S: Final = 3.0
SIZE: Final = (1920, 1080)
FRAME_S: Final = 0.016
_BOARD: Final = tuple(BoardCard(face) for face in ("As", "Td", "9c", "9h", "2h"))


# -- frames --------------------------------------------------------------------------------------------------------------------


def state(
    hand: int,
    street: str,
    *,
    cards: int,
    bet: int = 0,
    board: int = 0,
    burns: int = 0,
    pot: int = 0,
    folded: bool = False,
) -> tuple[Fact, ...]:
    """Facts of a table of eleven that plays four cards."""
    seats = [
        SeatFact(
            seat,
            "in",
            "folded" if folded else "live",
            12_000 + seat * 111 - bet,
            bet,
            cards,
            4,
            to_act=seat == 2,
            last_action="call" if bet else "",
        )
        for seat in SEATS
    ]
    pots = (PotView(pot, SEATS), PotView(pot // 3, (1, 2, 3, 5))) if pot else ()
    return (
        TableFact(
            "7", "seed", "plo", 5, 10, 0, "1 chip", SEATS, "every_action", simulated=False, language="en"
        ),
        HandFact(str(hand), 1, "betting" if cards else "deal", street, hand % 11 + 1, 1, 2),
        *seats,
        BoardFact(_BOARD[:board], burns, 44 if folded else 0),
        PotFact(pots, bet * len(SEATS), pot + pot // 3 + bet * len(SEATS)),
        NowFact("act", {"seat": 2, "call": 10}),
        PadFact(2, can_check=False, call=10, min_to=20, max_to=500, pot_to=100, half_pot_to=50),
        UndoFact(),
    )


def hand_of(number: int) -> tuple[tuple[Fact, ...], ...]:
    """A hand in which everything moves: 44 cards at once, eleven bets, the pot, the board, 44 cards to the muck."""
    return (
        state(number, "preflop", cards=0),
        state(number, "preflop", cards=4),
        state(number, "preflop", cards=4, bet=1250),
        state(number, "flop", cards=4, board=3, burns=1, pot=13_750),
        state(number, "flop", cards=4, bet=2500, board=3, burns=1, pot=13_750),
        state(number, "river", cards=4, board=5, burns=3, pot=41_000),
        state(number, "river", cards=0, board=5, burns=3, pot=41_000, folded=True),
    )


def frames(hands: int) -> list[float]:
    """Play hands; print what frames and new states cost; the frames' times on the wall, in seconds."""
    app = application()
    window = StationWindow(language="en", animated=True, clock=lambda: "21:47", size=SIZE)
    window.show()
    motion = window.table.motion
    motion.set_clock(lambda: time.monotonic() * 1000)
    window.receive((Hello(LINK_VERSION, "7", simulated=False), Snapshot(1, hand_of(0)[0])))
    app.processEvents()
    freeze_memory()  # as the station does
    seq = 1
    wall_s: list[float] = []
    used_s: list[float] = []
    states_s: list[float] = []
    for number in range(1, hands + 1):
        for facts in hand_of(number):
            seq += 1
            begin, used = time.perf_counter(), time.thread_time()
            window.receive((Update(seq, 0, facts),))
            app.processEvents()
            states_s.append(time.perf_counter() - begin)
            while motion.moving:
                begin, used = time.perf_counter(), time.thread_time()
                motion.step()
                app.processEvents()  # paints what moved
                wall_s.append(time.perf_counter() - begin)
                used_s.append(time.thread_time() - used)
                time.sleep(max(0.0, FRAME_S - wall_s[-1]))
    window.shut()
    app.processEvents()
    print(
        f"frames of 11 seats and 52 cards in motion, {SIZE[0]} x {SIZE[1]}, {hands} hands; load {load():.1f}"
    )
    figures("a frame, on the wall", wall_s)
    figures("a frame, processor time", used_s)
    figures("a new state of every section, and its first frame", states_s)
    return wall_s


# -- read → painted, start -----------------------------------------------------------------------------------------------------


def load() -> float:
    """The machine's load over the last minute."""
    return os.getloadavg()[0]


class Station:
    """The watched station in a process of its own."""

    def __init__(self, rig: Rig) -> None:
        self.begin_s = time.monotonic()
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [
            sys.executable,
            "-m",
            "tests.bench.watched_station",
            str(rig.socket),
            f"{SIZE[0]}x{SIZE[1]}",
        ]
        self.part = Part(f"watched-{self.begin_s:.0f}", command, rig.folder, env)

    def started_s(self) -> float:
        """Seconds from the beginning of the process to its first whole frame."""
        return float(self.first("whole")["at_s"]) - self.begin_s

    def first(self, what: str) -> dict[str, Any]:
        """The first line of a kind; waits for it."""
        end = time.monotonic() + 30
        while time.monotonic() < end and self.part.alive():
            for line in self.part.lines():
                if line["what"] == what:
                    return line
            time.sleep(0.02)
        raise TimeoutError(self.part.tail())

    def stop(self) -> list[dict[str, Any]]:
        """End it; everything that it told."""
        self.part.stop()
        return self.part.lines()


def painted(
    told: list[dict[str, Any]], marks: dict[object, tuple[float, int]]
) -> tuple[list[float], list[float]]:
    """Seconds from the last byte of each burn's read to its question, and of each card's first read to its back, as painted."""
    asked = sorted(line["at_s"] for line in told if line["what"] == "alert" and line["rule"] == "N10")
    backs = sorted(
        (line["at_s"], line["seat"], line["backs"])
        for line in told
        if line["what"] == "backs" and line["backs"]
    )
    alerts, seats = [], []
    for mark, (written_s, _) in marks.items():
        assert isinstance(mark, tuple)
        if mark[0] == "burn":
            shown = [at_s for at_s in asked if at_s > written_s]
            found = alerts
        else:
            wanted = (mark[2] % 9 + 1, mark[2] // 9 + 1)
            shown = [at_s for at_s, seat, count in backs if at_s > written_s and (seat, count) == wanted]
            found = seats
        if shown and shown[0] - written_s < ROUND_S:  # later: what is shown is of another round
            found.append(shown[0] - written_s)
    return alerts, seats


def reads(alerts: int, reads_s: int, starts: int) -> tuple[list[float], int, float, list[float]]:
    """Rounds at a table: seconds to the painted question, how many were not, the median durable commit, seconds of the starts."""
    key = secrets.token_bytes(KEY_BYTES)
    with Rig(speed=1.0) as rig:
        line = Line(rig.folder / "by-id" / SERIAL)
        config_of(rig, key)
        reader = Reader(line, key, reads_s)
        journal = Journalled(rig.folder / "beside.sqlite")
        service = rig.service()
        screen = Screen(rig.socket)
        begun: list[float] = []
        try:
            screen.until(lambda: screen.lamps.get(SERIAL) == "ok", "the reader's lamp")
            for _ in range(starts - 1):
                station = Station(rig)
                begun.append(station.started_s())
                station.stop()
            station = Station(rig)
            begun.append(station.started_s())
            bench = Bench(reader, screen, journal)
            bench.linger_s = 0.5
            begin, sent = time.monotonic(), reader.frames
            for number in range(alerts):
                bench.round(number)
            lasted = time.monotonic() - begin
            told = station.stop()
        finally:
            reader.stop()
            screen.close()
            journal.close()
            line.close()
            service.stop()
    took = [ms / 1000 for found in told if found["what"] == "frames" for ms in found["took_ms"]]
    shown, seats = painted(told, reader.written)
    lost = sum(mark[0] == "burn" for mark in reader.written if isinstance(mark, tuple)) - len(shown)
    print(
        f"read to painted: {alerts} rounds in {lasted:.0f} s, {(reader.frames - sent) / lasted:.0f} reads a second over all, {reads_s} "
        f"while cards lie; {len(took) / lasted:.0f} frames a second; {lost} questions never painted, "
        f"{bench.unmeasured} not measured (another frame beside); load {load():.1f}"
    )
    commit, _ = figures("one durable commit of its rows, beside it", journal.took_s)
    figures("painting of the felt in the station's process", took)
    figures("last byte of a card's first read to its back painted (with filter)", seats)
    figures("last byte of a burn's read to the question at the socket", bench.alerts)
    figures("last byte of a burn's read to the question painted", shown)
    return shown, lost, commit, begun


def verdict(what: str, found: float, limit: float, unit: str) -> bool:
    """Print whether a goal is met."""
    met = found <= limit
    print(f"goal: {what} at most {limit:.1f} {unit}: {found:.2f} {unit}, {'met' if met else 'not met'}")
    return met


def main() -> int:
    """Measure; 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alerts", type=int, default=40, help="rounds, each with one alert (default 40)")
    parser.add_argument("--reads", type=int, default=100, help="reads a second (default 100)")
    parser.add_argument("--hands", type=int, default=20, help="hands played for the frames (default 20)")
    parser.add_argument("--starts", type=int, default=5, help="starts of the station (default 5)")
    arguments = parser.parse_args()
    wall_s = sorted(frames(arguments.hands))
    shown, lost, commit, begun = reads(arguments.alerts, arguments.reads, arguments.starts)
    print(f"start to the first whole frame: {', '.join(f'{seconds:.2f}' for seconds in begun)} s")
    goals = [
        verdict("frames, p99", quantile(wall_s, 0.99) * 1000, FRAME_MS, "ms"),
        verdict(
            "read to painted, p99, with the median durable commit",
            quantile(sorted(shown), 0.99) * 1000,
            PAINTED_MS + commit,
            "ms",
        ),
        verdict("start, median", sorted(begun)[len(begun) // 2], START_S, "s"),
    ]
    return int(not all(goals) or lost > 0)


if __name__ == "__main__":
    raise SystemExit(main())
