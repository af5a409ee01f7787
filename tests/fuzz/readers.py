"""Bought readers under fuzzing: each family of the contract, driver and twin, on lines and in conversations with interference.

``reader_NAME_line``: any bytes come, between time that passes and requests that are written. ``reader_NAME_talk``: driver and twin
talk, and the input says what becomes of each answer: a bit, a byte, a cut, a piece more, or other content under a right check, which no
blind change of a whole frame would leave right.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from hw_sim import eccel, feig, pn532
from hw_sim.antennas import Field
from hw_sim.physics import Movement
from tests.devices.contract import Subject
from tests.devices.contract_subjects import SUBJECTS

WIRE: Final = Path(__file__).parents[1] / "data" / "wire"

#: The check of each family goes over a part of the frame: how to take the content out, and how to frame it anew.
_Reframe = Callable[[bytes, Callable[[bytes], bytes]], bytes]


def _eccel(chunk: bytes, change: Callable[[bytes], bytes]) -> bytes:
    return eccel.framed(change(chunk[5:-2]))


def _feig(chunk: bytes, change: Callable[[bytes], bytes]) -> bytes:
    if chunk[:1] == b"\x02":
        body = change(chunk[3:-2])
        whole = b"\x02" + (len(body) + 5).to_bytes(2, "big") + body
    else:
        body = change(chunk[1:-2])[:250]
        whole = bytes((len(body) + 3,)) + body
    return whole + feig.crc(whole)


def _pn532(chunk: bytes, change: Callable[[bytes], bytes]) -> bytes:
    return pn532.information(change(chunk[5:-2]))


REFRAME: Final[dict[str, _Reframe]] = {"eccel": _eccel, "feig": _feig, "pn532": _pn532}


def _changed(order: int, at: int, value: int) -> Callable[[bytes], bytes]:
    """One change of some bytes."""

    def change(data: bytes) -> bytes:
        place = at % (len(data) + 1)
        match order % 4:
            case 0:
                return data[:place] + bytes((value,)) + data[place + 1 :]
            case 1:
                return data[:place]
            case 2:
                return data[:place] + bytes((value,)) * (value % 40) + data[place:]
            case _:
                return data[:place] + data[place + 1 + value % 8 :]

    return change


def line(subject: Subject) -> Callable[[bytes], None]:
    """The driver on a line of any bytes. No input raises."""

    def run(data: bytes) -> None:
        host = subject.host()
        now_ms = 0
        host.opened(now_ms)
        at = 0
        while at + 1 < len(data):
            order, value = data[at] % 5, data[at + 1]
            at += 2
            match order:
                case 0 | 1:
                    host.receive(data[at : at + value], now_ms)
                    at += value
                case 2:
                    host.outgoing(now_ms)
                case 3:
                    now_ms += value
                    host.receive(b"", now_ms)
                case _:
                    now_ms += value * 20
                    host.opened(now_ms)

    return run


def talk(subject: Subject) -> Callable[[bytes], None]:
    """Driver and twin; the input interferes, both ways. Afterwards the line is left alone, and what lies there is told."""

    def run(data: bytes) -> None:
        zones = {f"zone{number}": number for number in subject.antennas}
        tags = {f"card{number}": subject.uid(number) for number in range(1, 4)}
        field = Field(zones, tags)
        first, *others = zones
        for number, card in enumerate(tags):
            place = first if number == 0 or not others else others[0]
            field.move(Movement(card, "", place, number * 50, number * 50))
        host, twin = subject.host(), subject.twin(field)
        host.opened(0)
        orders = iter(data)
        now_ms = 0
        for _ in range(min(len(data), 60) + 4):
            now_ms += 10
            down = host.outgoing(now_ms)
            up = twin.exchange(_interfered(down, orders, subject.name, False), now_ms)
            host.receive(_interfered(up, orders, subject.name, True), now_ms)
        host.next_deadline_ms()
        assert twin.due_ms() is None or isinstance(twin.due_ms(), int)

    return run


def _interfered(chunk: bytes, orders: Iterator[int], name: str, upward: bool) -> bytes:
    """What comes of a chunk: three bytes of the input say it. None left, or nothing written: as it is."""
    if not chunk:
        return chunk
    order, at, value = next(orders, 255), next(orders, 0), next(orders, 0)
    if order >= 192:
        return chunk
    change = _changed(order, at, value)
    if order >= 64 and upward and name in REFRAME and len(chunk) > 7:
        return REFRAME[name](chunk, change)
    return change(chunk)


def seeds(name: str) -> tuple[bytes, ...]:
    """What a target begins from: the family's published frames, one after the other; talks of which nothing, or each answer, is changed."""
    family, _, form = name.removeprefix("reader_").rpartition("_")
    if form == "talk":
        return b"\xff" * 60, bytes((0x40, 4, 3)) * 20, bytes((0, 9, 255, *(255,) * 9)) * 8
    file = WIRE / f"{family}.json"
    vectors = json.loads(file.read_text("utf-8")) if file.exists() else {}
    wires = [
        bytes.fromhex(vector["wire"])
        for group in vectors.values()
        if isinstance(group, list)
        for vector in group
        if "wire" in vector
    ]
    coming = b"".join(b"\2\0\0" + bytes((len(wire),)) + wire + b"\3\x08" for wire in wires)
    return (coming or b"\2\0\0\4\1\2\3\4\3\x08",)


def targets() -> dict[str, Callable[[bytes], None]]:
    """Name → target, two a family."""
    found = {}
    for name, subject in SUBJECTS.items():
        if name != "own":  # it has targets of its own
            found[f"reader_{name}_line"] = line(subject)
        found[f"reader_{name}_talk"] = talk(subject)
    return found
