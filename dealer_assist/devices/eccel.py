"""Eccel Pepper C1 and Pepper C1 MUX: binary frames over UART, RS-232 or TCP; up to eight antennas, one after the other.

The facts are those of the maker's own Python package `pepper_c1` 0.2.0 (protocol.py, commands.py, client.py, README), read, not run on
hardware. Of an antenna the reader is asked how many tags lie there, then for each by its index. An answer names the command but not
the index, so that a late or doubled answer could pass for the next: after a request without an answer a `dummy` clears the line, and a
UID that comes twice makes the scan begin again.
"""

from __future__ import annotations

import binascii
from collections.abc import Generator, Sequence
from typing import Final

from dealer_assist.config.readers import EccelKeys
from dealer_assist.devices.conversation import Ask, Conversation, Pause, Script
from dealer_assist.devices.driver import NO_ANSWER, Failed, Identified, Note, Scanned, canonical, printable
from dealer_assist.devices.resync import Resync

SYNC: Final = 0xF5
HEADER_BYTES: Final = 5
CHECK_BYTES: Final = 2
MAX_PAYLOAD: Final = 2048
MODEL: Final = "Pepper C1"

ACK: Final = 0x00
DUMMY: Final = 0x01
TAG_COUNT: Final = 0x02
GET_UID: Final = 0x03
SET_POLLING: Final = 0x06
VERSION: Final = 0x0B
SELECT_ANTENNA: Final = 0x0F
POLLING_SETUP: Final = 0x16
EVENT: Final = 0xFE
ERROR: Final = 0xFF
WRONG_CRC: Final = bytes((ERROR, 0xFF))
"""How an answer to a request begins that reached the reader garbled: ``FF FF 02``."""

MAX_TAGS: Final = 64
"""More cannot lie on an antenna of a table: such a count is garbled."""
RETRY_MS: Final = 200
"""How long a reader that says nothing at all is left alone."""
_POLL_INTERVAL: Final = 0x03
_EVENT_FORMAT: Final = 0x06
_KNOWN, _UNKNOWN = 0x00, 0x01
_BINARY: Final = 0x01

_Answer = Generator[Ask | Pause, bytes | None, bytes | None]


def frame(payload: bytes) -> bytes:
    """A frame: sync byte, length of payload and check, its complement, payload, CRC-16 0x1021/FFFF of the payload, low byte first."""
    length = (len(payload) + CHECK_BYTES).to_bytes(2, "little")
    check = binascii.crc_hqx(payload, 0xFFFF).to_bytes(2, "little")
    return bytes((SYNC, *length, length[0] ^ 0xFF, length[1] ^ 0xFF)) + payload + check


class EccelFrames(Resync):
    """The payloads of the frames in a stream."""

    def _cut(self) -> list[bytes]:
        buffer = self._buffer
        out: list[bytes] = []
        while buffer:
            start = buffer.find(SYNC)
            if start:
                self._drop(len(buffer) if start < 0 else start)
                continue
            if len(buffer) < HEADER_BYTES:
                break
            length = int.from_bytes(buffer[1:3], "little")
            inverted = int.from_bytes(buffer[3:5], "little") ^ 0xFFFF
            if length != inverted or not CHECK_BYTES < length <= MAX_PAYLOAD + CHECK_BYTES:
                self._drop(1)
                continue
            end = HEADER_BYTES + length
            if len(buffer) < end:
                break
            payload = bytes(buffer[HEADER_BYTES : end - CHECK_BYTES])
            if binascii.crc_hqx(payload, 0xFFFF) != int.from_bytes(buffer[end - CHECK_BYTES : end], "little"):
                self._counts["crc_errors"] = self._counts.get("crc_errors", 0) + 1
                self._drop(1)
                continue
            del buffer[:end]
            out.append(payload)
        return out


class EccelDriver(Conversation):
    """The driver of one board (see :class:`dealer_assist.devices.driver.Driver`). ``antennas``: those that are used, 1 to 8."""

    def __init__(self, antennas: Sequence[int], keys: EccelKeys, *, note: Note) -> None:
        counts: dict[str, int] = {}
        super().__init__(EccelFrames(counts), note)
        self.counts = counts
        self._antennas = tuple(antennas) or (1,)
        self._keys = keys
        self._one_antenna = False

    def request_inventory(self, now_ms: int) -> None:
        """Nothing is held back: every scan asks for all tags."""

    def uncalled(self, payload: bytes) -> bool:
        """An event of the reader's own polling. What it says of a tag is not read: the layout of its bytes is [unverified]."""
        if payload[0] != EVENT:
            return False
        self.count("events")
        self.note("event")
        return True

    # ------------------------------------------------------------ what is said

    def script(self) -> Script:
        """Who it is, then antenna by antenna, for ever."""
        while not (yield from self._identify()):
            self._fail_all(NO_ANSWER)
            yield Pause(RETRY_MS)
        polling = self._keys.polling_ms
        if polling:
            yield from self._poll_by_itself(polling)
        while True:
            began_ms = self.now_ms
            for antenna in self._antennas:
                yield from self._scan(antenna)
            if polling:
                yield Pause(polling, until_called=True)
            else:
                yield from self.rest(began_ms)

    def _ask(self, command: int, *data: int) -> _Answer:
        """The payload of the answer, an acknowledgement or an error; None when there is none."""
        payload = bytes((command, *data))
        ask = Ask(frame(payload), lambda answer: _answers(answer, command), self._keys.answer_ms)
        for attempt in range(self._keys.tries):
            if attempt:
                self.count("retries")
            answer = yield ask
            if answer is None:
                self.note(f"command {command:02X}: no answer")
                yield from self._clear_line()
            elif answer[:2] == WRONG_CRC:
                self.count("garbled_requests")
                self.note(f"command {command:02X}: arrived garbled")
            else:
                return answer
        return None

    def _clear_line(self) -> _Answer:
        """Whatever answers are under way come before the one to a dummy."""
        return (
            yield Ask(frame(bytes((DUMMY,))), lambda answer: _answers(answer, DUMMY), self._keys.answer_ms)
        )

    def _identify(self) -> Generator[Ask | Pause, bytes | None, bool]:
        answer = yield from self._ask(VERSION)
        if answer is None:
            return False
        # The text follows the acknowledgement; a reader that does not know the command still is one.
        firmware = printable(answer[2:]) if answer[0] == ACK else ""
        self.seen.append(Identified(model=MODEL, firmware=firmware))
        return True

    def _poll_by_itself(self, interval_ms: int) -> Generator[Ask | Pause, bytes | None, None]:
        """Let the reader look by itself and call: an event brings the next scan forward. Refusals cost only that."""
        for command, *data in (
            (POLLING_SETUP, _POLL_INTERVAL, interval_ms & 0xFF, interval_ms >> 8),
            (POLLING_SETUP, _EVENT_FORMAT, _KNOWN, _BINARY),
            (POLLING_SETUP, _EVENT_FORMAT, _UNKNOWN, _BINARY),
            (SET_POLLING, 1),
        ):
            answer = yield from self._ask(command, *data)
            if answer is None or answer[0] != ACK:
                self.count("reader_errors")

    def _scan(self, antenna: int) -> Generator[Ask | Pause, bytes | None, None]:
        reason = yield from self._select(antenna)
        if not reason:
            uids = yield from self._list(careful=False)
            if not isinstance(uids, str) and len(set(uids)) != len(uids):
                # A doubled answer took the place of another; or the reader lists a tag twice, which is believed when nothing else can be.
                self.count("repeated_uids")
                yield from self._clear_line()
                uids = yield from self._list(careful=True)
            if not isinstance(uids, str):
                self.note(f"antenna {antenna}: {len(uids)} tags")
                self.seen.append(Scanned(antenna, uids, self.now_ms))
                return
            reason = uids
        self.note(f"antenna {antenna}: {reason}")
        self.seen.append(Failed(antenna, self.now_ms, reason))

    def _select(self, antenna: int) -> Generator[Ask | Pause, bytes | None, str]:
        """Switch an antenna on; the reason when that fails. A board without a multiplexer does not know the command."""
        if self._one_antenna:
            # What parts one scan's answers from the next's is a dummy then.
            return "" if (yield from self._clear_line()) is not None else NO_ANSWER
        answer = yield from self._ask(SELECT_ANTENNA, antenna)
        if answer is None:
            return NO_ANSWER
        if answer[0] == ERROR:
            if self._antennas != (1,):
                self.count("reader_errors")
                return "reader_error"
            self._one_antenna = True
        elif self._keys.dwell_ms:
            yield Pause(self._keys.dwell_ms)
        return ""

    def _list(self, *, careful: bool) -> Generator[Ask | Pause, bytes | None, tuple[bytes, ...] | str]:
        """All tags of the antenna that is on, or the reason why they are not known. ``careful``: no answer can pass for another."""
        answer = yield from self._ask(TAG_COUNT)
        if answer is None:
            return NO_ANSWER
        if answer[0] == ERROR:
            self.count("reader_errors")
            return "reader_error"
        if len(answer) != 3 or answer[2] > MAX_TAGS:
            self.count("malformed")
            return "malformed"
        uids = []
        for index in range(answer[2]):
            answer = yield from self._ask(GET_UID, index)
            if answer is None:
                return NO_ANSWER
            if answer[0] == ERROR:
                self.count("reader_errors")
                return "reader_error"
            # Two bytes, kind and parameter of the tag, stand before its UID.
            if len(answer) < 5:
                self.count("malformed")
                return "malformed"
            uids.append(canonical(answer[4:]))
            if careful:
                yield from self._clear_line()
        return tuple(uids)

    def _fail_all(self, reason: str) -> None:
        self.seen += [Failed(antenna, self.now_ms, reason) for antenna in self._antennas]


def _answers(payload: bytes, command: int) -> bool:
    """Whether a payload answers a command: its acknowledgement or its error, or the word that the request arrived garbled."""
    return len(payload) >= 2 and (
        (payload[0] in (ACK, ERROR) and payload[1] == command) or payload[:2] == WRONG_CRC
    )
