"""What judging a hand costs: wire frames to facts in memory, against PokerKit playing the same hands, in one run.

Run from the project's root: ``python tests/bench/bench_replay.py [FILE.phhs] [--hands N] [--rounds N]``. Both sides are timed after
parsing and take turns in short blocks, so that a slow moment of the machine hits both alike. PokerKit is measured in its two forms:
``for state in hand_history`` as its documentation shows, and its ``State`` driven by calls that were prepared before (no text is
parsed while the time runs); the goal is measured against the faster one. Results are compared to the chip.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pokerkit import Automation, Card, HandHistory, Poker, State

from dealer_assist.composition import core_for_trace
from dealer_assist.devices.zones import Zones
from dealer_assist.replay import HandResult, Replay, run_timed
from dealer_assist.table.ports import TagArrived, TagLeft
from dealer_assist.table.trace import Entry, Expect, Header, read

GOAL = 1.0
BLOCK = 100
ROOT = Path(__file__).parent.parent.parent
WHOLE = ROOT.parent / "shared" / "data" / "pluribus.phhs"
SAMPLE = ROOT / "tests" / "data" / "pluribus_sample.phhs"

Call = tuple[Callable[..., Any], tuple[Any, ...]]
Game = tuple[Poker, tuple[int, ...], list[Call]]


def entries_of(file: Path, hands: int) -> list[list[Entry]]:
    """The trace of the hands, read, in blocks of whole hands."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.jsonl"
        command = [
            Path(sys.executable).with_name("hw-sim"),
            "trace",
            file,
            "--hands",
            str(hands),
            "-o",
            trace,
        ]
        subprocess.run(command, check=True)
        with trace.open("rb") as lines:
            blocks: list[list[Entry]] = [[]]
            ended = 0
            for entry in read(file.name, lines):
                blocks[-1].append(entry)
                ended += isinstance(entry.what, Expect)
                if isinstance(entry.what, Expect) and ended % BLOCK == 0:
                    blocks.append([])
    return [block for block in blocks if block]


def prepared(history: HandHistory) -> Game:
    """A hand as calls of PokerKit's ``State``, cards and amounts parsed."""
    calls: list[Call] = []
    unknown = tuple(Card.parse("??"))
    for action in history.actions:
        words = action.split()
        match words:
            case ["d", "dh", player, cards]:
                calls.append((State.deal_hole, (tuple(Card.parse(cards)), int(player[1:]) - 1)))
            case ["d", "db", cards]:
                calls.append((State.burn_card, unknown))
                calls.append((State.deal_board, (tuple(Card.parse(cards)),)))
            case [_, "f"]:
                calls.append((State.fold, ()))
            case [_, "cc"]:
                calls.append((State.check_or_call, ()))
            case [_, "cbr", amount]:
                calls.append((State.complete_bet_or_raise_to, (int(amount),)))
            case [player, "sm"]:
                calls.append((State.show_or_muck_hole_cards, (False, int(player[1:]) - 1)))
            case [player, "sm", cards]:
                shown = (tuple(Card.parse(cards)), int(player[1:]) - 1)
                calls.append((State.show_or_muck_hole_cards, shown))
            case _:
                raise ValueError(f"an action that was not expected here: {action}")
    assert Automation.CHIPS_PULLING in history.automations
    return history.create_game(), tuple(history.starting_stacks), calls


def drive(games: Iterable[Game]) -> list[State]:
    """Play prepared hands; the last state of each."""
    ends = []
    for game, stacks, calls in games:
        state = game(stacks, len(stacks))
        for call, arguments in calls:
            call(state, *arguments)
        ends.append(state)
    return ends


def iterate(histories: Iterable[HandHistory]) -> None:
    """Play hands as the documentation shows."""
    for history in histories:
        for _ in history:
            pass


def timed(work: Callable[[], Any]) -> float:
    """Seconds of processor time of one call: other work on the machine takes from neither side."""
    gc.collect()
    begin = time.process_time()
    work()
    return time.process_time() - begin


def differences(results: list[HandResult], ends: list[State]) -> list[str]:
    """Hands that the two sides end otherwise, or that ours has something to say about; PokerKit may split a chip."""
    found = []
    for result, end in zip(results, ends, strict=True):
        theirs = [float(stack) for stack in end.stacks]
        ours = [result.stacks[seat] for seat in sorted(result.stacks, key=int)]
        if (
            result.differences
            or result.alerts
            or any(abs(a - b) >= 1 for a, b in zip(ours, theirs, strict=True))
        ):
            found.append(f"{result.hand}: {ours} {theirs} {result.differences} {result.alerts}")
    return found


def zone_cost_us(entries: list[Entry]) -> list[float]:
    """Microseconds that the zone filter alone takes for an observation, one figure a run."""
    header = entries[0].what
    assert isinstance(header, Header)
    antennas = {
        (device.id, int(number)): zone
        for device in header.devices
        for number, zone in device.antennas.items()
    }
    seen = [entry.what for entry in entries if isinstance(entry.what, TagArrived | TagLeft)]

    def run() -> None:
        zones = Zones(antennas)
        for observation in seen:
            zones.feed(observation)

    return [timed(run) / len(seen) * 1e6 for _ in range(9)]


def main() -> int:
    """Measure; return 1 when the two sides disagree. Whether the goal is met is printed: docs/measurements.md keeps the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=WHOLE if WHOLE.exists() else SAMPLE)
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    blocks = entries_of(arguments.file, arguments.hands)
    with arguments.file.open("rb") as file:
        histories = [
            history for history, _ in zip(HandHistory.load_all(file), range(arguments.hands), strict=False)
        ]
    games = [prepared(history) for history in histories]
    wrong = differences(
        list(Replay(lambda header: core_for_trace(header, None)).feed(itertools.chain(*blocks))), drive(games)
    )
    for line in wrong:
        print(line)
    entries = sum(len(block) for block in blocks)
    count = len(histories)
    print(
        f"{count} hands of {arguments.file.name}, {entries} observations and taps, {len(wrong)} ended otherwise"
    )
    zones = zone_cost_us(list(itertools.chain(*blocks)))
    print(
        f"zones alone: median {statistics.median(zones):.2f} us an observation, {min(zones):.2f} to {max(zones):.2f}"
    )
    ratios = []
    for number in range(1, arguments.rounds + 1):
        replay = Replay(lambda header: core_for_trace(header, None))
        ours = driven = iterated = 0.0
        for index, block in enumerate(blocks):
            part = slice(index * BLOCK, (index + 1) * BLOCK)
            ours += run_timed(replay, block, time.process_time)[1]
            driven += timed(lambda part=part: drive(games[part]))
            iterated += timed(lambda part=part: iterate(histories[part]))
        ratios.append(ours / min(driven, iterated))
        print(
            f"round {number}: ours {count / ours:6.0f} hands/s ({ours / count * 1000:.3f} ms a hand), "
            f"PokerKit driven {count / driven:6.0f} hands/s ({driven / count * 1000:.3f} ms), "
            f"iterated {count / iterated:6.0f} hands/s ({iterated / count * 1000:.3f} ms), ratio {ratios[-1]:.2f}"
        )
    middle = statistics.median(ratios)
    print(
        f"ratio to the faster form {middle:.2f}; goal: at most {GOAL:.1f} ({'met' if middle <= GOAL else 'not met'})"
    )
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
