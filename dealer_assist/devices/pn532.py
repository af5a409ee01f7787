"""NXP PN532 on its serial line (HSU): a hobby reader with one antenna, ISO 14443 A, two tags at once.

Frames and commands are those of the PN532 user manual (UM0701-02) and of nfcpy's drivers (src/nfc/clf/pn53x.py, pn532.py); nothing here
was run on hardware: [unverified]. Every request is acknowledged within 100 ms and answered later; an acknowledgement by the host
cancels what goes on, a NACK has the last answer repeated.

The reader lists two tags at most. Where it lists two, a third may lie there unlisted, so a tag that was known and is not among them
is asked for by its UID before it counts as gone. Between two scans the field is off for a moment: a tag that was halted answers
again only then.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

from dealer_assist.config.readers import Pn532Keys
from dealer_assist.devices.conversation import Ask, Conversation, Pause, Script
from dealer_assist.devices.driver import NO_ANSWER, Failed, Identified, Note, Scanned
from dealer_assist.devices.pn532_frames import (
    ACK,
    ACK_FRAME,
    ERROR,
    FROM_READER,
    NACK_FRAME,
    TO_READER,
    WAKE_UP,
    Pn532Frames,
    frame,
)

GET_FIRMWARE_VERSION: Final = 0x02
SAM_CONFIGURATION: Final = 0x14
RF_CONFIGURATION: Final = 0x32
IN_LIST_PASSIVE_TARGET: Final = 0x4A

ACK_MS: Final = 100
"""How long the reader may take to acknowledge a request (nfcpy, pn53x.py)."""
MAX_TARGETS: Final = 2
"""More are not listed at once (UM0701-02, 7.3.5)."""
MAX_ASKED: Final = 4
"""So many tags are asked for by their UID in one scan."""
RETRY_MS: Final = 200
"""How long a reader that says nothing at all is left alone."""
_TYPE_A_106: Final = 0x00
_NORMAL_MODE: Final = (0x01, 0x00, 0x00)
_FIELD: Final = 0x01
_RETRIES: Final = 0x05
_CASCADE: Final = 0x88
_HAS_ATS: Final = 0x20

_Answer = Generator[Ask | Pause, bytes | None, bytes | None]


class Pn532Driver(Conversation):
    """The driver of one reader (see :class:`dealer_assist.devices.driver.Driver`). ``antennas``: its number at the table, one."""

    def __init__(self, antennas: Sequence[int], keys: Pn532Keys, *, note: Note) -> None:
        counts: dict[str, int] = {}
        super().__init__(Pn532Frames(counts), note)
        self.counts = counts
        self._antenna = next(iter(antennas), 1)
        self._keys = keys
        self._known: tuple[bytes, ...] = ()
        self._unfinished = False

    def request_inventory(self, now_ms: int) -> None:
        """Nothing is held back: every scan asks for all tags, and every tag answers again after the field was off."""

    # ------------------------------------------------------------ what is said

    def script(self) -> Script:
        """Wake it, set it up, scan for ever; a reader that freezes is set up anew."""
        self._known = ()
        self._unfinished = False
        while True:
            while not (yield from self._set_up()):
                self.seen.append(Failed(self._antenna, self.now_ms, NO_ANSWER))
                yield Pause(RETRY_MS)
            began_ms = self.now_ms
            while (reason := (yield from self._scan())) != NO_ANSWER:
                if reason:
                    self._fail(reason)
                yield from self.rest(began_ms)
                began_ms = self.now_ms
            self._fail(NO_ANSWER)
            # Two cards one on the other can freeze a PN532 (tlfong01.blog, "can RFID read stacked cards", 2020).
            self.count("set_up_again")

    def _fail(self, reason: str) -> None:
        self.note(f"scan: {reason}")
        self.seen.append(Failed(self._antenna, self.now_ms, reason))

    def _ask(self, command: int, *data: int, awake: bool = True, tries: int | None = None) -> _Answer:
        """The payload behind the answer's code; None when there is none or the reader refuses."""
        request = frame(bytes((TO_READER, command, *data)))
        for attempt in range(tries or self._keys.tries):
            if attempt:
                self.count("retries")
            begin = b"" if awake else WAKE_UP
            if self._unfinished:
                begin += ACK_FRAME  # whatever it is still about is over
            self._unfinished = True
            taken = yield Ask(begin + request, lambda got: got in (ACK, ERROR), ACK_MS)
            if taken == ERROR:
                self._unfinished = False
                self.count("reader_errors")
                return None
            if taken is None:
                self.note(f"command {command:02X}: not acknowledged")
                continue
            answer = yield Ask(b"", lambda got: _answers(got, command), self._keys.answer_ms)
            if answer is None:
                answer = yield Ask(NACK_FRAME, lambda got: _answers(got, command), self._keys.answer_ms)
            if answer is not None:
                self._unfinished = False
                return answer[2:]
            self.note(f"command {command:02X}: no answer")
        return None

    def _set_up(self) -> Generator[Ask | Pause, bytes | None, bool]:
        """Normal mode, who it is, and how often it looks for a tag before it says that there is none."""
        if (yield from self._ask(SAM_CONFIGURATION, *_NORMAL_MODE, awake=False)) is None:
            return False
        version = yield from self._ask(GET_FIRMWARE_VERSION)
        if version is None or len(version) != 4:
            return False
        ic, major, minor, _ = version
        self.seen.append(Identified(model=f"PN5{ic:02X}", firmware=f"{major}.{minor}"))
        # Without this it looks until a tag comes, and gives no answer before.
        retries = self._keys.activation_retries
        return (yield from self._ask(RF_CONFIGURATION, _RETRIES, 0xFF, 0x01, retries)) is not None

    def _scan(self) -> Generator[Ask | Pause, bytes | None, str]:
        """One scan, or several tries of one; the reason when all failed."""
        reason = NO_ANSWER
        for attempt in range(self._keys.tries):
            if attempt:
                self.count("retries")
            listed = yield from self._look()
            if not isinstance(listed, str):
                self._known = listed
                self.note(f"{len(listed)} tags")
                self.seen.append(Scanned(self._antenna, listed, self.now_ms))
                return ""
            reason = listed
        return reason

    def _look(self) -> Generator[Ask | Pause, bytes | None, tuple[bytes, ...] | str]:
        """The tags that lie there, or the reason why they are not known. A look that failed begins with the field again."""
        if (yield from self._ask(RF_CONFIGURATION, _FIELD, 0x00)) is None:
            return NO_ANSWER
        if self._keys.field_off_ms:
            yield Pause(self._keys.field_off_ms)
        listed = yield from self._list(MAX_TARGETS)
        if isinstance(listed, str) or len(listed) < MAX_TARGETS:
            return listed
        for uid in [uid for uid in self._known if uid not in listed][:MAX_ASKED]:
            self.count("asked_by_uid")
            found = yield from self._list(1, *_with_cascade(uid))
            if isinstance(found, str):
                return found
            if found == (uid,):
                listed = (*listed, uid)
        return listed

    def _list(self, most: int, *uid: int) -> Generator[Ask | Pause, bytes | None, tuple[bytes, ...] | str]:
        """The tags, each once, or the reason why they are not known."""
        answer = yield from self._ask(IN_LIST_PASSIVE_TARGET, most, _TYPE_A_106, *uid, tries=1)
        if answer is None:
            return NO_ANSWER
        found = targets(answer)
        once = tuple(dict.fromkeys(found or ()))
        if found is None or len(once) > MAX_TARGETS:
            return "malformed"
        if len(once) < len(found):
            # Clones list one tag several times (github.com/nfc-tools/mfoc/issues/80).
            self.count("repeated_uids", len(found) - len(once))
        return once


def _answers(payload: bytes, command: int) -> bool:
    return len(payload) >= 2 and payload[0] == FROM_READER and payload[1] == command + 1


def _with_cascade(uid: bytes) -> bytes:
    """A UID as the reader wants it named: a cascade tag before each three bytes but the last four."""
    if len(uid) == 7:
        return bytes((_CASCADE,)) + uid
    if len(uid) == 10:
        return bytes((_CASCADE,)) + uid[:3] + bytes((_CASCADE,)) + uid[3:]
    return uid


def targets(answer: bytes) -> tuple[bytes, ...] | None:
    """The UIDs of an answer to InListPassiveTarget at 106 kbit/s type A; None where it is not put together as it must be.

    Of each target: its number, SENS_RES (2), SEL_RES, length of the UID, the UID; and, where SEL_RES says ISO 14443-4, the ATS, whose
    first byte is its own length (UM0701-02, 7.3.5).
    """
    if not answer:
        return None
    uids: list[bytes] = []
    rest = answer[1:]
    for _ in range(answer[0]):
        if len(rest) < 5:
            return None
        sel_res, size = rest[3], rest[4]
        uid, rest = rest[5 : 5 + size], rest[5 + size :]
        if size not in (4, 7, 10) or len(uid) != size:
            return None
        if sel_res & _HAS_ATS and rest:
            if not 0 < rest[0] <= len(rest):
                return None
            rest = rest[rest[0] :]
        uids.append(uid)
    return tuple(uids) if not rest else None
