"""The one contract of all drivers: cards are laid, moved and taken before antennas; what the table hears of it must be the truth.

Nothing lost: a card that lay long enough was told, and told as gone after it was taken. Nothing doubled: once for each stay. Nothing
invented: never where it did not lie, never gone while it lay. Order kept: cards laid one well after the other are told in that order.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from dealer_assist.devices.values import SerialDevice
from dealer_assist.table.ports import InventorySeen, Observation, TagArrived, TagLeft
from hw_sim.antennas import SCAN_PERIOD_MS, Field
from hw_sim.physics import Movement

#: A chunk of bytes takes so long over a line in memory.
LATENCY_MS = 2
#: What is held back so that the next chunk overtakes it comes at the latest after this.
HELD_BACK_MS = 30


class Host(Protocol):
    """The product's side of a line: a driver, and what the table hears of it."""

    def opened(self, now_ms: int) -> None: ...
    def receive(self, data: bytes, now_ms: int) -> list[Observation]: ...
    def outgoing(self, now_ms: int) -> bytes: ...
    def next_deadline_ms(self) -> int | None: ...


class Twin(Protocol):
    """The simulator's side: takes what the host wrote, says what is due. Its antennas are those of a Field."""

    def exchange(self, data: bytes, now_ms: int) -> bytes: ...
    def due_ms(self) -> int | None: ...


@dataclass(frozen=True)
class Subject:
    """A family under the contract.

    ``stay_ms``: how long a card must lie to be told for certain, over the worst line. ``most``: cards on an antenna at once.
    ``uid``: the n-th UID of the kind it reads. ``device``: as the product is configured for real ports.
    """

    name: str
    antennas: tuple[int, ...]
    uid: Callable[[int], bytes]
    host: Callable[[], Host]
    twin: Callable[[Field], Twin]
    device: SerialDevice
    stay_ms: int = 4000
    real_stay_ms: int = 1200
    most: int = 3


# ---------------------------------------------------------------- lines

Mischief = Callable[[bytes, random.Random], list[tuple[int, bytes]]]
"""What becomes of a chunk on the line: parts, each with the ms by which it is late."""


def whole(chunk: bytes, rng: random.Random) -> list[tuple[int, bytes]]:
    return [(0, chunk)]


def byte_at_a_time(chunk: bytes, rng: random.Random) -> list[tuple[int, bytes]]:
    return [(k // 12, chunk[k : k + 1]) for k in range(len(chunk))]


def split_anywhere(chunk: bytes, rng: random.Random) -> list[tuple[int, bytes]]:
    cuts = sorted({0, len(chunk), *(rng.randrange(len(chunk) + 1) for _ in range(rng.randrange(4)))})
    return [(k, chunk[a:b]) for k, (a, b) in enumerate(itertools.pairwise(cuts))]


def lossy(chunk: bytes, rng: random.Random) -> list[tuple[int, bytes]]:
    return [] if rng.random() < 0.2 else [(0, chunk)]


def duplicated(chunk: bytes, rng: random.Random) -> list[tuple[int, bytes]]:
    return [(0, chunk), (rng.randrange(3), chunk)] if rng.random() < 0.3 else [(0, chunk)]


def reordered(chunk: bytes, rng: random.Random) -> list[tuple[int, bytes]]:
    return [(rng.randrange(1, HELD_BACK_MS) if rng.random() < 0.3 else 0, chunk)]


def garbage_between(chunk: bytes, rng: random.Random) -> list[tuple[int, bytes]]:
    return [(0, rng.randbytes(rng.randrange(1, 40)) + chunk if rng.random() < 0.2 else chunk)]


def parity_errors(chunk: bytes, rng: random.Random) -> list[tuple[int, bytes]]:
    """A byte that came with a wrong parity comes all the same, wrong."""
    if rng.random() < 0.8:
        return [(0, chunk)]
    at = rng.randrange(len(chunk))
    return [(0, chunk[:at] + bytes((chunk[at] ^ 1 << rng.randrange(8),)) + chunk[at + 1 :])]


MISCHIEFS: dict[str, Mischief] = {
    "whole": whole,
    "byte at a time": byte_at_a_time,
    "split anywhere": split_anywhere,
    "20 % loss": lossy,
    "duplicated": duplicated,
    "reordered": reordered,
    "garbage between": garbage_between,
}


class Line:
    """One direction. Parts of a chunk keep their order; chunks keep theirs unless the mischief is to reorder."""

    def __init__(self, mischief: Mischief, rng: random.Random) -> None:
        self._mischief = mischief
        self._rng = rng
        self._under_way: list[tuple[int, int, bytes]] = []
        self._count = 0
        self._last_ms = 0

    def send(self, data: bytes, now_ms: int) -> None:
        if not data:
            return
        at_ms = now_ms + LATENCY_MS
        if self._mischief is not reordered:
            at_ms = max(at_ms, self._last_ms)
        for late_ms, part in self._mischief(data, self._rng):
            self._count += 1
            self._last_ms = max(self._last_ms, at_ms + late_ms)
            self._under_way.append((at_ms + late_ms, self._count, part))
        self._under_way.sort()

    def arrived(self, now_ms: int) -> list[bytes]:
        due = [part for at_ms, _, part in self._under_way if at_ms <= now_ms and part]
        self._under_way = [item for item in self._under_way if item[0] > now_ms]
        return due

    def due_ms(self) -> int | None:
        return self._under_way[0][0] if self._under_way else None


# ---------------------------------------------------------------- cards


@dataclass
class Stay:
    """A card on an antenna."""

    uid: bytes
    antenna: int
    laid_ms: int
    taken_ms: int | None = None
    told: list[tuple[int, int]] = field(default_factory=list)

    def long(self, stay_ms: int, end_ms: int) -> bool:
        return (end_ms if self.taken_ms is None else self.taken_ms) - self.laid_ms >= stay_ms


class Table:
    """Cards before the antennas of one reader: a move now and then, some right after another, and rest at the end."""

    def __init__(
        self, subject: Subject, rng: random.Random, *, moves: int, stay_ms: int, begin_ms: int
    ) -> None:
        zones = {f"zone{number}": number for number in subject.antennas}
        self.cards = [f"card{k}" for k in range(6)]
        self.tags = {card: subject.uid(k) for k, card in enumerate(self.cards)}
        self.field = Field(zones, self.tags)
        self.stays: list[Stay] = []
        where: dict[str, int] = {}
        now_ms, card = begin_ms, ""
        for k in range(moves):
            # one in five comes right after the one before: that one may go unseen
            hasty = k % 5 == 4
            now_ms += rng.randrange(60, 300) if hasty else stay_ms + rng.randrange(300)
            # but never the same card: one that is lifted for less than a scan has not been away
            free = {
                one: [
                    number
                    for number in (0, *subject.antennas)
                    if number != where.get(one, 0)
                    and (number == 0 or list(where.values()).count(number) < subject.most)
                ]
                for one in self.cards
                if not hasty or one != card
            }
            movable = [one for one, places in free.items() if places]
            if not movable:
                continue
            card = rng.choice(movable)
            self._move(card, where.get(card, 0), rng.choice(free[card]), now_ms)
            where[card] = self._last
        self.end_ms = now_ms + stay_ms + 500

    def _move(self, card: str, source: int, target: int, at_ms: int) -> None:
        self._last = target
        uid = self.tags[card]
        for stay in self.stays:
            if stay.uid == uid and stay.taken_ms is None:
                stay.taken_ms = at_ms
        if target:
            self.stays.append(Stay(uid, target, at_ms))
        self.field.move(Movement(card, f"zone{source}", f"zone{target}", at_ms, at_ms))

    def lies(self) -> dict[int, set[bytes]]:
        out: dict[int, set[bytes]] = {}
        for stay in self.stays:
            if stay.taken_ms is None:
                out.setdefault(stay.antenna, set()).add(stay.uid)
        return out


# ---------------------------------------------------------------- the judgement


def judge(
    table: Table, heard: Sequence[Observation], subject: Subject, *, stay_ms: int, slop_ms: int = 150
) -> None:
    """Raise AssertionError where what was heard is not what was done. ``slop_ms``: scans and clocks are that coarse."""
    told = _told(heard)
    for (antenna, uid), spans in told.items():
        stays = [stay for stay in table.stays if (stay.antenna, stay.uid) == (antenna, uid)]
        for began, from_ms, to_ms in spans:
            own = [
                stay
                for stay in stays
                if stay.laid_ms - slop_ms
                <= from_ms
                <= (table.end_ms if stay.taken_ms is None else stay.taken_ms) + stay_ms
            ]
            assert own, f"invented: antenna {antenna} at {from_ms} ms"
            stay = own[-1]
            stay.told.append((began, from_ms))
            if to_ms is not None:
                assert stay.taken_ms is not None, (
                    f"told as gone at {to_ms} ms, but it lies there since {stay.laid_ms}"
                )
                assert to_ms >= stay.taken_ms - slop_ms, f"gone at {to_ms} ms, but taken at {stay.taken_ms}"
            else:
                gone = stay.taken_ms is not None and table.end_ms - stay.taken_ms >= stay_ms
                assert not gone, f"taken at {stay.taken_ms} ms, never told as gone from antenna {antenna}"
    certain = [stay for stay in table.stays if stay.long(stay_ms, table.end_ms)]
    assert certain, "nothing lay long enough: the test tests nothing"
    for stay in table.stays:
        assert len(stay.told) <= 1, f"doubled: antenna {stay.antenna}, laid {stay.laid_ms}: {stay.told}"
    for stay in certain:
        assert stay.told, f"lost: antenna {stay.antenna}, laid {stay.laid_ms}, taken {stay.taken_ms}"
    for one in certain:
        for other in certain:
            if other.laid_ms - one.laid_ms >= stay_ms:
                assert one.told[0][0] < other.told[0][0], (
                    f"told in another order than laid: {one.laid_ms}, {other.laid_ms}"
                )
    lies = {antenna: uids for antenna, uids in _lies(told).items() if uids}
    assert lies == table.lies(), "another picture at the end than on the table"


def _told(heard: Sequence[Observation]) -> dict[tuple[int, bytes], list[tuple[int, int, int | None]]]:
    """Of each card on each antenna the spans: index and time of its coming, time of its going."""
    spans: dict[tuple[int, bytes], list[tuple[int, int, int | None]]] = {}

    def comes(antenna: int, uid: bytes, index: int, t_ms: int) -> None:
        before = spans.setdefault((antenna, uid), [])
        assert not before or before[-1][2] is not None, f"arrived twice at antenna {antenna}, {t_ms} ms"
        before.append((index, t_ms, None))

    def goes(antenna: int, uid: bytes, t_ms: int) -> None:
        before = spans.get((antenna, uid), [])
        assert before and before[-1][2] is None, f"left antenna {antenna} at {t_ms} ms without having arrived"
        before[-1] = (*before[-1][:2], t_ms)

    latest: dict[int, int] = {}
    for index, seen in enumerate(heard):
        match seen:
            case TagArrived(_, antenna, uid, t_ms):
                comes(antenna, uid, index, t_ms)
            case TagLeft(_, antenna, uid, t_ms):
                goes(antenna, uid, t_ms)
            case InventorySeen(_, antenna, uids, t_ms):
                assert len(set(uids)) == len(uids), "one card twice in an inventory"
                there = set(_lies(spans).get(antenna, set()))
                for uid in there - set(uids):
                    goes(antenna, uid, t_ms)
                for uid in set(uids) - there:
                    comes(antenna, uid, index, t_ms)
            case _:
                continue
        assert t_ms >= latest.get(antenna, t_ms), f"antenna {antenna}: time runs back to {t_ms} ms"
        latest[antenna] = t_ms
    return spans


def _lies(spans: dict[tuple[int, bytes], list[tuple[int, int, int | None]]]) -> dict[int, set[bytes]]:
    out: dict[int, set[bytes]] = {}
    for (antenna, uid), told in spans.items():
        if told and told[-1][2] is None:
            out.setdefault(antenna, set()).add(uid)
    return out


# ---------------------------------------------------------------- in memory


def run_in_memory(subject: Subject, mischief: Mischief, seed: int, *, moves: int = 10) -> list[Observation]:
    """Play a table over a line in memory, in virtual time, and judge it; returns what was heard."""
    rng = random.Random(f"{subject.name}/{mischief.__name__}/{seed}")
    table = Table(subject, rng, moves=moves, stay_ms=subject.stay_ms, begin_ms=1500)
    host, twin = subject.host(), subject.twin(table.field)
    down, up = Line(mischief, rng), Line(mischief, rng)
    heard: list[Observation] = []
    now_ms = 0
    host.opened(now_ms)
    while now_ms < table.end_ms:
        for part in up.arrived(now_ms):
            heard += host.receive(part, now_ms)
        heard += host.receive(b"", now_ms)
        down.send(host.outgoing(now_ms), now_ms)
        for part in down.arrived(now_ms):
            up.send(twin.exchange(part, now_ms), now_ms)
        up.send(twin.exchange(b"", now_ms), now_ms)
        times = [host.next_deadline_ms(), twin.due_ms(), down.due_ms(), up.due_ms(), now_ms + SCAN_PERIOD_MS]
        now_ms = max(now_ms + 1, min(time for time in times if time is not None))
    judge(table, heard, subject, stay_ms=subject.stay_ms)
    return heard
