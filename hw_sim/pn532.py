"""The device's side of a PN532 on a serial line: it acknowledges, works, answers; lists two tags of ISO 14443 A at most.

Like the real one it sleeps until it is woken, looks for ever where it was not told how often, repeats its last answer on a NACK, and
gives up on an acknowledgement by the host. Made up here and nowhere else: how long each command takes, which two of several tags are
listed (those with the least UIDs), that a stack of tags above ``freezes_above`` has it say nothing until it is woken again, and that
with ``halts`` the tags it has listed do not answer until its field was off (of other chips that is known; of this one it is not).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

#: IC, version, revision, what it supports.
VERSION: Final = bytes((0x32, 0x01, 0x06, 0x07))
ACKNOWLEDGED: Final = bytes.fromhex("0000FF00FF00")
NOT_UNDERSTOOD: Final = bytes.fromhex("0000FF01FF7F8100")
#: ms of virtual time: until the acknowledgement, of any command, of a look for tags, and what each tag adds.
ACK_MS: Final = 1
ANY_MS: Final = 2
LOOK_MS: Final = 12
TAG_MS: Final = 6
LISTED: Final = 2
_SENS_RES: Final = {4: b"\x00\x04", 7: b"\x00\x44", 10: b"\x00\x84"}


def information(payload: bytes) -> bytes:
    """A payload in a frame, an extended one where it is long."""
    count = len(payload)
    if count < 256:
        length = bytes((count, (256 - count) % 256))
    else:
        most, least = count >> 8, count & 255
        length = b"\xff\xff" + bytes((most, least, (512 - most - least) % 256))
    return b"\x00\x00\xff" + length + payload + bytes(((65536 - sum(payload)) % 256, 0))


def listing(uids: tuple[bytes, ...]) -> bytes:
    """An answer to InListPassiveTarget."""
    out = bytes((0xD5, 0x4B, len(uids)))
    for number, uid in enumerate(uids, start=1):
        out += bytes((number,)) + _SENS_RES[len(uid)] + bytes((0x00, len(uid))) + uid
    return out


class Pn532Reader:
    """``tags`` says what antenna 1 reads at this moment. Times are virtual ms.

    ``freezes_above``: so many tags it can take, 0: any. ``lists_each``: how often it lists a tag, 3 for a clone of that kind.
    """

    def __init__(
        self,
        tags: Callable[[int], tuple[bytes, ...]],
        *,
        freezes_above: int = 0,
        lists_each: int = 1,
        halts: bool = False,
    ) -> None:
        self._tags = tags
        self._freezes_above = freezes_above
        self._lists_each = lists_each
        self._halts = halts
        self._awake = False
        self._looks_for_ever = True
        self._halted: set[bytes] = set()
        self._heard = b""
        self._due: list[tuple[int, bytes]] = []
        self._last = b""
        #: what is looked for without an end: how many, which
        self._looking: tuple[int, bytes] | None = None
        self._failing = False
        self.wakes = 0

    def fail(self, antenna: int) -> None:
        """The next look is answered by something that is no list."""
        self._failing = True

    def receive(self, data: bytes, now_ms: int) -> None:
        """Take bytes from the host and begin to work on what they ask."""
        self._heard += data
        while True:
            if not self._awake:
                at = self._heard.find(b"\x55\x55\x00")
                if at < 0:
                    self._heard = self._heard[-2:]
                    return
                self._heard = self._heard[at + 2 :]
                self._awake = True
                self._looks_for_ever = True
                self._due = []
                self.wakes += 1
            at = self._heard.find(b"\x00\xff")
            if at < 0:
                self._heard = self._heard[-1:]
                return
            rest = self._heard[at + 2 :]
            if len(rest) < 2:
                return
            if rest[:2] == b"\x00\xff":
                self._due, self._looking = [], None
                self._heard = rest[2:]
                continue
            if rest[:2] == b"\xff\x00":
                self._heard = rest[2:]
                if self._last:
                    self._due.append((now_ms + ANY_MS, self._last))
                continue
            payload, used = self._payload(rest)
            if used < 0:
                return
            if used == 0:
                self._heard = rest
                continue
            self._heard = rest[used:]
            self._obey(payload, now_ms)

    @staticmethod
    def _payload(rest: bytes) -> tuple[bytes, int]:
        """What follows a start: the payload and how many bytes it took; -1 where more must come, 0 where it is no frame."""
        count, check, head = rest[0], rest[1], 2
        if (count, check) == (255, 255):
            if len(rest) < 5:
                return b"", -1
            if (rest[2] + rest[3] + rest[4]) % 256:
                return b"", 0
            count, head = rest[2] * 256 + rest[3], 5
            if count > 265:
                return b"", 0
        elif (count + check) % 256:
            return b"", 0
        if len(rest) < head + count + 1:
            return b"", -1
        payload = rest[head : head + count]
        if (sum(payload) + rest[head + count]) % 256 or payload[:1] != b"\xd4":
            return b"", 0
        return payload, head + count + 1

    def outgoing(self, now_ms: int) -> bytes:
        """What has been worked out by now."""
        if self._looking is not None and self._present(self._looking[1]):
            most, wanted = self._looking
            self._looking = None
            self._list(most, wanted, now_ms)
        out = b"".join(frame for when, frame in self._due if when <= now_ms)
        self._due = [(when, frame) for when, frame in self._due if when > now_ms]
        return out

    def due_ms(self) -> int | None:
        """When there will be something to say, as far as that is known."""
        return min((when for when, _ in self._due), default=None)

    def _obey(self, payload: bytes, now_ms: int) -> None:
        command, data = payload[1], payload[2:]
        self._looking = None
        # a new request takes the place of the one before, whose answer is not sent any more
        self._due = [(now_ms + ACK_MS, ACKNOWLEDGED)]
        match command:
            case 0x02:
                self._answer(b"\xd5\x03" + VERSION, now_ms, ANY_MS)
            case 0x14 if len(data) >= 1:
                self._answer(b"\xd5\x15", now_ms, ANY_MS)
            case 0x32 if len(data) == 2 and data[0] == 0x01:
                if not data[1] & 1:
                    self._halted.clear()
                self._answer(b"\xd5\x33", now_ms, ANY_MS)
            case 0x32 if len(data) == 4 and data[0] == 0x05:
                self._looks_for_ever = data[3] == 0xFF
                self._answer(b"\xd5\x33", now_ms, ANY_MS)
            case 0x4A if len(data) >= 2 and 1 <= data[0] <= LISTED and data[1] == 0x00:
                self._look(data[0], data[2:], now_ms)
            case _:
                self._due = [(now_ms + ACK_MS, NOT_UNDERSTOOD)]

    def _answer(self, payload: bytes, now_ms: int, work_ms: int) -> None:
        self._last = information(payload)
        self._due.append((now_ms + ACK_MS + work_ms, self._last))

    def _present(self, wanted: bytes) -> tuple[bytes, ...]:
        """The tags that answer now. ``wanted``: the UID of one, with its cascade tags."""
        lying = self._tags(1)
        if wanted:
            name = (
                wanted if len(wanted) == 4 else wanted[1:8] if len(wanted) == 8 else wanted[1:4] + wanted[5:]
            )
            return tuple(uid for uid in lying if uid == name)
        return tuple(uid for uid in sorted(lying) if uid not in self._halted)

    def _look(self, most: int, wanted: bytes, now_ms: int) -> None:
        if 0 < self._freezes_above < len(self._tags(1)):
            self._awake = False
            self._due = []
            return
        if self._looks_for_ever and not self._present(wanted):
            self._looking = (most, wanted)
            return
        self._list(most, wanted, now_ms)

    def _list(self, most: int, wanted: bytes, now_ms: int) -> None:
        if self._failing:
            self._failing = False
            self._answer(b"\xd5\x4b\x02\x01", now_ms, LOOK_MS)
            return
        found = self._present(wanted)[:most]
        if self._halts:
            self._halted |= set(found)
        each = tuple(uid for uid in found for _ in range(self._lists_each))
        self._answer(listing(each), now_ms, LOOK_MS + TAG_MS * len(found))
