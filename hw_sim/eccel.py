"""The device's side of an Eccel Pepper C1 MUX: eight antennas, one of them on, a list of tags that a count makes and indices read.

Like the real one it says that a request arrived garbled (``FF FF 02``) and, polling by itself, calls about new tags in between. What is
not known of it is made up here and nowhere else: how long each command takes, the kind bytes before a UID, and the bytes of
an event.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

VERSION_TEXT: Final = b"SIM 1.0.0\x00"
ANTENNAS: Final = 8
#: How long a command takes in ms of virtual time: any, a count, and what each tag adds to it.
ANY_MS: Final = 1
COUNT_MS: Final = 12
TAG_MS: Final = 5
#: The two bytes before a UID: what kind of tag, and its parameter.
KIND: Final = b"\x05\x00"
WRONG_CRC: Final = b"\xff\xff\x02"
_ERROR_UNKNOWN: Final = 0x0001
_ERROR_PARAMETER: Final = 0x0003
_ERROR_READ: Final = 0x0004
_LIMIT: Final = 2048


def crc(payload: bytes) -> int:
    """CRC-16, polynomial 1021, from FFFF."""
    value = 0xFFFF
    for byte in payload:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value


def framed(payload: bytes) -> bytes:
    """A payload as it goes over the line."""
    size = len(payload) + 2
    low, high, check = size & 0xFF, size >> 8, crc(payload)
    return (
        b"\xf5" + bytes((low, high, ~low & 0xFF, ~high & 0xFF)) + payload + bytes((check & 0xFF, check >> 8))
    )


class EccelBoard:
    """``tags`` says what an antenna (1 to 8) reads at this moment. Times are virtual ms.

    ``multiplexed``: False for a board with one antenna, which does not know the command that selects one.
    """

    def __init__(self, tags: Callable[[int], tuple[bytes, ...]], *, multiplexed: bool = True) -> None:
        self._tags = tags
        self._multiplexed = multiplexed
        self._antenna = 1
        self._listed: tuple[bytes, ...] = ()
        self._polls = False
        self._calls = 0
        self._interval_ms = 100
        self._poll_ms = 0
        self._polled: frozenset[bytes] = frozenset()
        self._failing: set[int] = set()
        self._heard = b""
        self._answers: list[tuple[int, bytes]] = []
        self._free_ms = 0

    def receive(self, data: bytes, now_ms: int) -> None:
        """Take bytes from the host and begin to work on what they ask."""
        self._heard += data
        while self._heard:
            at = self._heard.find(b"\xf5")
            if at < 0:
                self._heard = b""
                return
            self._heard = self._heard[at:]
            if len(self._heard) < 5:
                return
            low, high, not_low, not_high = self._heard[1:5]
            size = low | high << 8
            if low ^ not_low != 0xFF or high ^ not_high != 0xFF or not 3 <= size <= _LIMIT + 2:
                self._heard = self._heard[1:]
                continue
            if len(self._heard) < 5 + size:
                return
            payload, check = self._heard[5 : 3 + size], self._heard[3 + size : 5 + size]
            if check != bytes((crc(payload) & 0xFF, crc(payload) >> 8)):
                self._heard = self._heard[1:]
                self._later(WRONG_CRC, now_ms, ANY_MS)
                continue
            self._heard = self._heard[5 + size :]
            self._obey(payload, now_ms)

    def fail(self, antenna: int) -> None:
        """The next count of this antenna comes to nothing."""
        self._failing.add(antenna)

    def outgoing(self, now_ms: int) -> bytes:
        """What has been worked out by now, and what the board calls of its own accord."""
        if self._polls and now_ms >= self._poll_ms:
            self._poll_ms = now_ms + self._interval_ms
            present = self._tags(self._antenna)
            for uid in present:
                if uid not in self._polled and self._calls:
                    self._answers.append((now_ms, framed(b"\xfe" + KIND + uid)))
            self._polled = frozenset(present)
        due = b"".join(answer for when, answer in self._answers if when <= now_ms)
        self._answers = [(when, answer) for when, answer in self._answers if when > now_ms]
        return due

    def due_ms(self) -> int | None:
        """When there will be something to say, as far as that is known."""
        return min((when for when, _ in self._answers), default=None)

    def _later(self, payload: bytes, now_ms: int, work_ms: int) -> None:
        """One thing after the other."""
        self._free_ms = max(self._free_ms, now_ms) + work_ms
        self._answers.append((self._free_ms, framed(payload)))

    def _error(self, command: int, code: int, now_ms: int) -> None:
        self._later(bytes((0xFF, command, code & 0xFF, code >> 8)), now_ms, ANY_MS)

    def _obey(self, payload: bytes, now_ms: int) -> None:
        command, data = payload[0], payload[1:]
        done = bytes((0x00, command))
        match command:
            case 0x01 | 0x05:
                self._later(done, now_ms, ANY_MS)
            case 0x02 if self._antenna in self._failing:
                self._failing.remove(self._antenna)
                self._error(command, _ERROR_READ, now_ms)
            case 0x02:
                self._listed = self._tags(self._antenna)
                work_ms = COUNT_MS + TAG_MS * len(self._listed)
                self._later(done + bytes((len(self._listed),)), now_ms, work_ms)
            case 0x03 if len(data) == 1 and data[0] < len(self._listed):
                self._later(done + KIND + self._listed[data[0]], now_ms, ANY_MS)
            case 0x06 if data in (b"\x00", b"\x01"):
                self._polls = data == b"\x01"
                self._later(done, now_ms, ANY_MS)
            case 0x0A:
                self._antenna, self._polls, self._listed = 1, False, ()
                self._later(done, now_ms, ANY_MS)
            case 0x0B:
                self._later(done + VERSION_TEXT, now_ms, ANY_MS)
            case 0x0F if self._multiplexed and len(data) == 1 and 1 <= data[0] <= ANTENNAS:
                self._antenna = data[0]
                self._listed = ()
                self._later(done, now_ms, ANY_MS)
            case 0x16 if len(data) == 3 and data[0] in (0x03, 0x06):
                if data[0] == 0x03:
                    self._interval_ms = max(1, data[1] | data[2] << 8)
                else:
                    self._calls = data[2]
                self._later(done, now_ms, ANY_MS)
            case 0x03 | 0x06 | 0x16:
                self._error(command, _ERROR_PARAMETER, now_ms)
            case 0x0F if self._multiplexed:
                self._error(command, _ERROR_PARAMETER, now_ms)
            case _:
                self._error(command, _ERROR_UNKNOWN, now_ms)
