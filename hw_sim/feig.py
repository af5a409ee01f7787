"""The device's side of a FEIG OBID i-scan reader in ISO host mode, with an antenna multiplexer before it or with one antenna.

Its manners: a request that is garbled, or for another address, is met with silence; long lists come in pages; and, when it is set
to list new tags only, a tag that was listed keeps quiet until it leaves, the field is reset or its antenna is switched off. Made up here:
how long things take, and what lies in the answer to the software version.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

CHANNELS: Final = 8
#: How long things take in ms of virtual time: any request, an inventory, what each tag adds to it, a reset of the field.
ANY_MS: Final = 2
INVENTORY_MS: Final = 18
TAG_MS: Final = 6
RESET_MS: Final = 12
#: A frame whose bytes come further apart than this is none.
GAP_MS: Final = 60
_TAG_KIND, _DSFID = 0x03, 0x00
_OK, _NONE, _UNKNOWN, _RANGE, _MORE, _ISO = 0x00, 0x01, 0x80, 0x11, 0x94, 0x95


def crc(data: bytes) -> bytes:
    """CRC-16, reflected 8408, from FFFF; low byte first."""
    value = 0xFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ 0x8408 if value & 1 else value >> 1
    return bytes((value & 0xFF, value >> 8))


class FeigReader:
    """``tags`` says what an antenna reads at this moment. Work is counted in virtual ms.

    ``address``: its COM-ADR. ``only_new``: the ONT bit. ``page``: how many tags one answer lists at most. ``high_first``: the order of
    the bytes of its check. ``gap_ms``: what ends a frame that is not whole.
    """

    def __init__(
        self,
        tags: Callable[[int], tuple[bytes, ...]],
        *,
        multiplexer: bool = True,
        address: int = 0,
        only_new: bool = True,
        page: int = 24,
        high_first: bool = False,
        gap_ms: int = GAP_MS,
    ) -> None:
        self._tags = tags
        self._multiplexer = multiplexer
        self._address = address
        self._only_new = only_new
        self._page = page
        self._high_first = high_first
        self._gap_ms = gap_ms
        self._channel = 1
        self._quiet: set[bytes] = set()
        self._more: list[bytes] = []
        self._failing: set[int] = set()
        self._heard = b""
        self._heard_ms = 0
        self._answers: list[tuple[int, bytes]] = []
        self._free_ms = 0

    def receive(self, data: bytes, now_ms: int) -> None:
        """Take bytes from the host. What cannot be a frame is dropped whole, without a word."""
        if now_ms - self._heard_ms > self._gap_ms:
            self._heard = b""
        if data:
            self._heard_ms = now_ms
        self._heard += data
        while self._heard:
            advanced = self._heard[0] == 0x02
            head = 3 if advanced else 1
            if len(self._heard) < head:
                return
            size = int.from_bytes(self._heard[1:3], "big") if advanced else self._heard[0]
            if not 5 <= size <= 1024:
                self._heard = b""
                return
            if len(self._heard) < size:
                return
            frame, self._heard = self._heard[:size], self._heard[size:]
            if frame[-2:] != self._check(frame[:-2]) or len(frame) < head + 4:
                self._heard = b""
                return
            if frame[head] in (self._address, 255):
                self._obey(frame[head + 1], frame[head + 2 : -2], advanced, now_ms)

    def fail(self, antenna: int) -> None:
        """The next inventory of this antenna meets with an error of a tag."""
        self._failing.add(antenna)

    def outgoing(self, now_ms: int) -> bytes:
        """What has been worked out by now."""
        due = b"".join(answer for when, answer in self._answers if when <= now_ms)
        self._answers = [(when, answer) for when, answer in self._answers if when > now_ms]
        return due

    def due_ms(self) -> int | None:
        """When there will be something to say."""
        return min((when for when, _ in self._answers), default=None)

    def _check(self, data: bytes) -> bytes:
        check = crc(data)
        return check[::-1] if self._high_first else check

    def _answer(
        self, control: int, status: int, data: bytes, advanced: bool, now_ms: int, work_ms: int
    ) -> None:
        body = bytes((self._address, control, status)) + data
        if advanced or len(body) + 3 > 255:
            frame = b"\x02" + (len(body) + 5).to_bytes(2, "big") + body
        else:
            frame = bytes((len(body) + 3,)) + body
        self._free_ms = max(self._free_ms, now_ms) + work_ms
        self._answers.append((self._free_ms, frame + self._check(frame)))

    def _obey(self, control: int, data: bytes, advanced: bool, now_ms: int) -> None:
        match control:
            case 0xB0 if len(data) == 2 and data[0] == 0x01 and not data[1] & 0x7F:
                status, listed = self._inventory(more=bool(data[1] & 0x80))
                work_ms = INVENTORY_MS + TAG_MS * (len(listed) // 10)
                self._answer(control, status, listed, advanced, now_ms, work_ms)
            case 0x69:
                self._quiet.clear()
                self._more.clear()
                self._answer(control, _OK, b"", advanced, now_ms, RESET_MS)
            case 0x65:
                self._answer(control, _OK, b"\x01\x00\x00\x54\x31\x00\x00", advanced, now_ms, ANY_MS)
            case 0xDD if self._multiplexer:
                status = self._select(data)
                self._answer(control, status, b"", advanced, now_ms, ANY_MS)
            case 0xB0:
                self._answer(control, _RANGE, b"", advanced, now_ms, ANY_MS)
            case _:
                self._answer(control, _UNKNOWN, b"", advanced, now_ms, ANY_MS)

    def _select(self, data: bytes) -> int:
        if len(data) != 3 or max(data[1:]) > CHANNELS or data[1] == data[2]:
            return _RANGE
        if data[1] != self._channel:
            # the tags of the antenna that is switched off lose their power, and their silence with it
            self._quiet.clear()
            self._more.clear()
        self._channel = data[1]
        return _OK

    def _inventory(self, *, more: bool) -> tuple[int, bytes]:
        if self._channel in self._failing:
            self._failing.remove(self._channel)
            return _ISO, b"\x0f"
        present = self._tags(self._channel) if self._channel else ()
        if not more:
            if not self._only_new:
                self._quiet.clear()
            self._quiet.intersection_update(present)
            self._more = [uid for uid in present if uid not in self._quiet]
            self._quiet.update(self._more)
        page, self._more = self._more[: self._page], self._more[self._page :]
        if not page:
            return _NONE, b""
        sets = b"".join(bytes((_TAG_KIND, _DSFID)) + uid for uid in page)
        return (_MORE if self._more else _OK), bytes((len(page),)) + sets
