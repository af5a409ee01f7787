"""How often a dealer taps in a hand: real hands entered on the station's own keys, by exception and with every action.

``python tests/bench/bench_taps.py [--hands N] [--page FILE]``. The simulated dealer says what has to be told (``hw-sim trace``), the
station's keys are pressed for it, and what the station sends goes to the table in its place: a hand counts only when it ends as
its source says, to the chip. Beside it an every-action tracker on the same hands, counted from what was done and nothing else.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from dealer_assist.composition import core_for_trace
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.facts import Fact, HandFact, NowFact, SeatFact
from dealer_assist.domain.table import HandOpening
from dealer_assist.replay import Replay
from dealer_assist.table.core import Core
from dealer_assist.table.trace import Entry, Expect, Header, read
from hw_sim import steps as st
from hw_sim.director import play
from hw_sim.hands import load_hands
from hw_sim.trace import TraceWorld
from tests.bench.accuracy_run import source_hands
from tests.bench.presser import NoKey, Presser

ROOT: Final = Path(__file__).parents[2]
#: by exception every shown hand is tapped, or only those that win, which is all that has to be said; the first run says who won
MODES: Final = ("by_exception", "winners_only", "every_action")
GOALS: Final = {"mean": 5.0, "p90": 9}
#: moments of a hand in which no tap may be needed
HANDS_FULL: Final = ("between first pitch and last", "burn and turn")
CHUNK: Final = 250
#: differences that are none of the pots: who gets an odd chip, that a big blind who is all-in for less is called with change, a
#: call that is told twice
BESIDE_THE_POT: Final = ("odd chip", ": returned ", "refused, hand_complete")
#: hands played one after the other: a table has its habits
STRETCH: Final = 50
WHOLE: Final = ROOT.parent / "shared" / "data"
SAMPLES: Final = ROOT / "tests" / "data"
FILES: Final = (("pluribus.phhs", "pluribus_sample.phhs"), ("cash.ohh.jsonl", "cash_sample.ohh.jsonl"))


class Counted(msgspec.Struct):
    """What was pressed in some hands."""

    hands: list[int] = []
    keys: Counter[str] = msgspec.field(default_factory=Counter)
    moments: Counter[str] = msgspec.field(default_factory=Counter)
    amounts: Counter[int] = msgspec.field(default_factory=Counter)
    #: taps of a tracker on the same hands: one that is told no cards, and one that is told each group of them
    tracker: list[int] = []
    tracker_cards: list[int] = []
    wrong: list[str] = []

    def add(self, other: Counted) -> None:
        """Add other hands."""
        for name in ("hands", "tracker", "tracker_cards", "wrong"):
            getattr(self, name).extend(getattr(other, name))
        for name in ("keys", "moments", "amounts"):
            getattr(self, name).update(getattr(other, name))


def quantile(values: list[int], share: float) -> int:
    """The smallest value that ``share`` of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 1).__int__() - 1)]


def moment(facts: tuple[Fact, ...]) -> str:
    """What the dealer's hands are doing, as the screen tells it."""
    hand = next(fact for fact in facts if isinstance(fact, HandFact))
    now = next(fact for fact in facts if isinstance(fact, NowFact))
    cards = any(isinstance(fact, SeatFact) and fact.cards for fact in facts)
    if hand.phase == "deal":
        return HANDS_FULL[0] if cards else "before the deal"
    if now.code == "board":
        return HANDS_FULL[1]
    if hand.phase in ("showdown", "runout"):
        return "showdown"
    return {"award": "award", "betting": "betting"}.get(hand.phase, hand.phase)


class _Tracker:
    """An every-action tracker: a tap for each action, more for the digits of each amount, and one that ends the hand.

    ``cards``: one more for the hole cards and for each street's cards, where no antenna reads them.
    """

    def __init__(self) -> None:
        self.taps = 1
        self.groups = 1
        self._streets = 0

    def take(self, command: cmd.Command) -> None:
        """An act of the hand; shown hands and the push cost it nothing."""
        if isinstance(command, cmd.Act | cmd.Straddle | cmd.RunIt):
            self.taps += 1
        if isinstance(command, cmd.Act) and command.to is not None and command.action in ("bet", "raise"):
            self.taps += len(str(command.to))

    def street(self, number: int) -> None:
        """So many streets are on the board."""
        self._streets = max(self._streets, number)

    def with_cards(self) -> int:
        """With each group of cards typed."""
        return self.taps + self.groups + self._streets


def needed(command: cmd.Command, mode: str) -> bool:
    """Whether the table may have to be told. By exception folds and mucked hands are read at the muck, and the first card of the next
    hand says that the pots of a decided hand are pushed.
    """
    if mode == "every_action":
        return True
    return not isinstance(command, cmd.Mucked | cmd.PushPots) and getattr(command, "action", "") != "fold"


def count(entries: Iterator[Entry], mode: str, presser: Presser, won: dict[str, set[int]]) -> Counted:
    """Press every tap of a trace at the station and play the hands with what it sends."""
    counted = Counted()
    core: Core | None = None
    taps = 0
    tracker = _Tracker()
    failed: set[str] = set()
    hand = ""

    def build(header: Header) -> Core:
        nonlocal core
        core = core_for_trace(header, None)
        return core

    def pressed() -> Iterator[Entry]:
        nonlocal tracker, hand
        waiting: deque[cmd.Command] = deque()
        for entry in entries:
            what = entry.what
            if core is not None and waiting:
                yield from told(waiting, entry)
            if isinstance(what, HandOpening):
                tracker, hand = _Tracker(), what.hand
            if not isinstance(what, cmd.Command):
                if isinstance(what, Expect) and waiting:
                    counted.wrong.append(f"{hand}: no key for {waiting[0]}")
                    failed.add(hand)
                    waiting.clear()
                yield entry
                continue
            tracker.take(what)
            if needed(what, mode):
                waiting.append(what)
                yield from told(waiting, entry)

    def told(waiting: deque[cmd.Command], entry: Entry) -> Iterator[Entry]:
        """Press what the station can be told by now, in the order of the acts."""
        nonlocal taps
        assert core is not None
        core.tick(entry.t_ms)
        while waiting:
            facts = core.snapshot()
            presser.look(facts)
            if presser.knows(waiting[0]):
                waiting.popleft()
                continue
            if (first := presser.first(waiting[0])) is not None:
                waiting.appendleft(first)
            if not presser.offers(waiting[0]):
                return
            wanted = waiting.popleft()
            try:
                found = presser.press(wanted)
            except NoKey as missing:
                counted.wrong.append(f"{hand}: {missing}")
                failed.add(hand)
                continue
            taps += len(found.keys)
            counted.keys.update(kind_of(key) for key in found.keys)
            counted.moments[moment(facts)] += len(found.keys)
            if isinstance(wanted, cmd.Act) and wanted.to is not None:
                counted.amounts[len(found.keys)] += 1
            yield msgspec.structs.replace(entry, what=found.sent)
            presser.look(core.snapshot())

    for result in Replay(build).feed(pressed()):
        said = [line for line in result.differences if not any(small in line for small in BESIDE_THE_POT)]
        if result.hand not in failed and said:
            counted.wrong.append(f"{result.hand}: {said[0]}")
        if mode == "by_exception":
            won[result.hand] = {int(seat) for seat, amount in result.awards.items() if amount}
        counted.hands.append(taps)
        taps = 0
        tracker.street(_streets(core))
        counted.tracker.append(tracker.taps)
        counted.tracker_cards.append(tracker.with_cards())
    return counted


def _streets(core: Core | None) -> int:
    assert core is not None
    assert core.hand is not None
    cards = len(core.hand.procedure.board)
    return 0 if cards < 3 else cards - 2


def kind_of(key: str) -> str:
    """Keys of one kind, under one name."""
    if key.isdigit():
        return "digits of amounts"
    if key.startswith(("tabled", "mucked", "ask")):
        return key.partition("-")[0]
    return {"act-raise": "raise", "act-all_in": "all_in", "go": "push", "call": "check or call"}.get(key, key)


def trace_of(source: Path, hands: list[str], mode: str, won: dict[str, set[int]]) -> Iterator[Entry]:
    """The trace of some hands of a file. ``won``: who won, for a dealer who taps winners only."""
    with tempfile.TemporaryDirectory(prefix="taps-") as folder:
        part = Path(folder) / source.name
        joint = "\n\n" if source.suffix == ".phhs" else ""
        part.write_text(joint.join(hands) + joint)
        entry = "every_action" if mode == "every_action" else "by_exception"
        played = list(load_hands([part], None, None, entry))
    lines: list[str] = []
    world = TraceWorld(lines.append)
    now_ms = 1000
    for hand in played:
        if any(isinstance(step, st.Tap) and step.command.get("ruled") for step in hand.steps):
            continue  # a wrong raise that the floor let stand is entered on the sheet of its seat
        told = winners_only(hand, won[hand.name]) if mode == "winners_only" and hand.name in won else hand
        now_ms = play(told, world, now_ms)
    return read(source.name, lines)


def winners_only(hand: st.Hand, won: set[int]) -> st.Hand:
    """The hand with no tap for a shown hand that wins nothing: the dealer throws it into the muck, where it is read."""
    steps: list[st.Step] = []
    beaten: list[int] = []
    for step in hand.steps:
        told = step.command if isinstance(step, st.Tap) else {}
        if told.get("kind") == "tabled" and told["seat"] not in won:
            steps.append(st.Wait(step.after_ms if isinstance(step, st.Tap) else 0))
            beaten.append(told["seat"])
            continue
        if told.get("kind") == "push_pots":
            steps += [st.Fold(seat, showdown=True) for seat in beaten]
            beaten = []
        steps.append(step)
    return msgspec.structs.replace(hand, steps=tuple(steps))


def main() -> int:
    """Count and print; 1 where a hand ended otherwise, or a tap was needed with both hands full."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hands", type=int, default=150, help="of each file, spread over it; 0: all of them")
    parser.add_argument("--only", default="", help="files whose name contains this")
    parser.add_argument("--modes", nargs="*", choices=MODES, default=MODES, help="ways of entry")
    given = parser.parse_args()
    presser = Presser()
    failed = False
    for whole, sample in FILES:
        file = WHOLE / whole if (WHOLE / whole).exists() else SAMPLES / sample
        if given.only not in file.name:
            continue
        hands = source_hands(file)
        if given.hands:
            hands = stretches(hands, given.hands)
        won: dict[str, set[int]] = {}
        for mode in given.modes:
            counted = Counted()
            for first in range(0, len(hands), CHUNK):
                part = hands[first : first + CHUNK]
                counted.add(count(trace_of(file, part, mode, won), mode, presser, won))
            failed |= tell(file.name, mode, counted)
    presser.close()
    return int(failed)


def stretches(hands: list[str], wanted: int) -> list[str]:
    """So many hands in stretches of hands that were played one after the other, spread over all of them."""
    count = max(1, wanted // STRETCH)
    starts = [len(hands) * number // count for number in range(count)]
    return [hand for start in starts for hand in hands[start : start + STRETCH]][:wanted]


def tell(name: str, mode: str, counted: Counted) -> bool:
    """Print the figures; whether something was not as it must be."""

    def figures(values: list[int]) -> str:
        return (
            f"mean {sum(values) / len(values):.2f}, median {quantile(values, 0.5)}, "
            f"90th percentile {quantile(values, 0.9)}, most {max(values)}"
        )

    print(f"{name}, {len(counted.hands)} hands, {mode}: {figures(counted.hands)}")
    if mode == "every_action":
        print(f"  an every-action tracker: {figures(counted.tracker)}")
        print(f"  … that is told the cards, too: {figures(counted.tracker_cards)}")
    total = len(counted.hands)
    print("  a hand: " + ", ".join(f"{key} {n / total:.2f}" for key, n in counted.keys.most_common()))
    print("  when: " + ", ".join(f"{when} {n}" for when, n in counted.moments.most_common()))
    print(
        "  taps of one amount: " + ", ".join(f"{n}: {times}" for n, times in sorted(counted.amounts.items()))
    )
    for line in counted.wrong[:10]:
        print(f"  {line}")
    # where every action is told, a fold may be tapped before the last card of the deal has lain for long enough to be known
    busy = sum(counted.moments[when] for when in HANDS_FULL) if mode != "every_action" else 0
    met = sum(counted.hands) / total <= GOALS["mean"] and quantile(counted.hands, 0.9) <= GOALS["p90"]
    if mode == "winners_only":
        print(
            f"  goal: mean at most {GOALS['mean']:.0f}, 90th percentile at most {GOALS['p90']}: {'met' if met else 'not met'}"
        )
    return bool(counted.wrong or busy)


if __name__ == "__main__":
    sys.exit(main())
