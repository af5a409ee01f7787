"""FEIG OBID i-scan readers in ISO host mode: one antenna, or up to eight behind an antenna multiplexer.

Inventory: ``B0 01 MODE``, answered by the number of data sets and the sets, each TR-TYPE, DSFID, UID with its first byte first
(ID ISC.MR200 manual p. 88); status 94: there is more, ask again with bit 7 of MODE (ID ISC.PR101 manual p. 60).

The quiet trap: with ONT = 1 a tag that was listed keeps quiet until it leaves the field or the field is reset (same p. 60). Which setting
a reader has cannot be seen, so no tag is believed gone before it was missed in a freshly reset field, and the field is
reset now and then besides. For the same reason every inventory that is tried again is tried in a reset field: what a lost answer
listed is quiet now.

A request that reaches the reader garbled is not answered at all (PR101 manual p. 16).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

from dealer_assist.config.readers import FeigKeys
from dealer_assist.devices.conversation import Ask, Conversation, Pause, Script
from dealer_assist.devices.driver import NO_ANSWER, Failed, Identified, Note, Scanned
from dealer_assist.devices.feig_frames import Answer, FeigFrames, answer_of, request

MODEL: Final = "OBID i-scan"
INVENTORY: Final = 0xB0
RF_RESET: Final = 0x69
SOFTWARE_VERSION: Final = 0x65
"""[unverified] What its answer holds beyond the first two bytes, taken as the revision."""
SELECT_CHANNEL: Final = 0xDD
"""Of the function unit: multiplexer address, channel for input 1, channel for input 2 (ID ISC.ANT.MUX manual p. 13). [unverified]
how readers pass it on: here as a request of its own with this control byte."""
INPUT_2_OFF: Final = 0

OK: Final = 0x00
NO_TRANSPONDER: Final = 0x01
"""[unverified] Not found in the manuals that were read."""
PARAMETER_RANGE: Final = 0x11
MORE_DATA: Final = 0x94
ISO_ERROR: Final = 0x95
_DATA_FOLLOW: Final = frozenset((OK, MORE_DATA))

_INVENTORY_COMMAND: Final = 0x01
_NEW, _MORE = 0x00, 0x80
_ISO_15693: Final = 0x03
_SET_BYTES: Final = 10
_MAX_PAGES: Final = 40
RETRY_MS: Final = 200
"""How long a reader that says nothing at all is left alone."""

_Reply = Generator[Ask | Pause, bytes | None, Answer | None]


class FeigDriver(Conversation):
    """The driver of one reader (see :class:`dealer_assist.devices.driver.Driver`). ``antennas``: those that are used.

    With a multiplexer they are its channels, 1 to 8; without, number 1 is the only one.
    """

    def __init__(self, antennas: Sequence[int], keys: FeigKeys, *, note: Note) -> None:
        counts: dict[str, int] = {}
        self._answers = FeigFrames(keys.bus_address, keys.crc_order, counts)
        super().__init__(self._answers, note)
        self.counts = counts
        self._keys = keys
        self._antennas = tuple(antennas) or (1,)
        self._known: dict[int, frozenset[bytes]] = {}
        self._reset_ms: dict[int, int] = {}

    def request_inventory(self, now_ms: int) -> None:
        """The next scan of each antenna is made in a reset field."""
        self._reset_ms.clear()

    def opened(self, now_ms: int) -> None:
        """Nothing that was seen before counts."""
        self._known.clear()
        self._reset_ms.clear()
        super().opened(now_ms)

    def asking(self, ask: Ask) -> None:
        """Answers have no number: only one that comes after its request, with its control byte, is one."""
        self._answers.expect(ask.frame[4 if self._keys.frames == "advanced" else 2])

    # ------------------------------------------------------------ what is said

    def script(self) -> Script:
        """Who it is, then antenna by antenna, for ever."""
        while True:
            answer = yield from self._ask(SOFTWARE_VERSION)
            if answer is not None:
                break
            self.seen += [Failed(antenna, self.now_ms, NO_ANSWER) for antenna in self._antennas]
            yield Pause(RETRY_MS)
        revision = ".".join(f"{byte:02X}" for byte in answer.data[:2]) if answer.status == OK else ""
        self.seen.append(Identified(model=MODEL, firmware=revision))
        while True:
            began_ms = self.now_ms
            for antenna in self._antennas:
                found = yield from self._scan(antenna)
                if isinstance(found, str):
                    self.note(f"antenna {antenna}: {found}")
                    self.seen.append(Failed(antenna, self.now_ms, found))
                else:
                    self.note(f"antenna {antenna}: {len(found)} tags")
                    self._known[antenna] = frozenset(found)
                    self.seen.append(Scanned(antenna, found, self.now_ms))
            yield from self.rest(began_ms)

    def _once(self, control: int, data: bytes = b"") -> _Reply:
        keys = self._keys
        frame = request(keys.bus_address, control, data, form=keys.frames, order=keys.crc_order)
        answer = yield Ask(frame, lambda _: True, keys.answer_ms)
        if answer is None:
            self.note(f"control {control:02X}: no answer")
            return None
        return answer_of(answer)

    def _ask(self, control: int, data: bytes = b"") -> _Reply:
        """For requests that do no harm when they are done twice."""
        for attempt in range(self._keys.tries):
            if attempt:
                self.count("retries")
            answer = yield from self._once(control, data)
            if answer is not None:
                return answer
        return None

    def _done(self, control: int, data: bytes = b"") -> Generator[Ask | Pause, bytes | None, str]:
        """The reason why something was not done; "" when it was."""
        answer = yield from self._ask(control, data)
        if answer is None:
            return NO_ANSWER
        if answer.status != OK:
            self.count("reader_errors")
            return "reader_error"
        return ""

    def _scan(self, antenna: int) -> Generator[Ask | Pause, bytes | None, tuple[bytes, ...] | str]:
        """All tags of an antenna, or the reason why they are not known."""
        keys = self._keys
        if keys.multiplexer:
            channel = bytes((keys.multiplexer_address, antenna, INPUT_2_OFF))
            reason = yield from self._done(SELECT_CHANNEL, channel)
            if reason:
                return reason
            if keys.settle_ms:
                yield Pause(keys.settle_ms)
        reset = self.now_ms >= self._reset_ms.get(antenna, self.now_ms)
        found: tuple[bytes, ...] | str = NO_ANSWER
        # The first look may be followed by one in a reset field without anything having gone wrong.
        for attempt in range(keys.tries + 1):
            if reset:
                reason = yield from self._done(RF_RESET)
                if reason:
                    return reason
                self._reset_ms[antenna] = self.now_ms + keys.reset_every_ms
            found = yield from self._inventory()
            if isinstance(found, str):
                if attempt:
                    self.count("retries")
            elif reset or self._known.get(antenna, frozenset()) <= set(found):
                return found
            else:
                # Gone, or only quiet: a reset field tells.
                self.count("missed_without_reset")
            reset = True
        return found

    def _inventory(self) -> Generator[Ask | Pause, bytes | None, tuple[bytes, ...] | str]:
        """One inventory with all its pages."""
        uids: list[bytes] = []
        mode = _NEW
        for _ in range(_MAX_PAGES):
            answer = yield from self._once(INVENTORY, bytes((_INVENTORY_COMMAND, mode)))
            if answer is None:
                return NO_ANSWER
            if answer.status == NO_TRANSPONDER and mode == _NEW:
                return ()
            if answer.status not in _DATA_FOLLOW:
                # Among them none at all where more were promised: the answer to a request that arrived twice.
                self.count("reader_errors")
                return "reader_error"
            page = self._page(answer.data)
            if isinstance(page, str):
                return page
            if set(page) & set(uids):
                # A doubled answer: whatever page it hides would be missed.
                self.count("repeated_uids")
                return "malformed"
            uids += page
            if answer.status == OK:
                return tuple(uids)
            mode = _MORE
        self.count("malformed")
        return "malformed"

    def _page(self, data: bytes) -> list[bytes] | str:
        """The UIDs of one answer. Data sets of other kinds of tags have other lengths: a card of a player's, not one of the deck."""
        sets = [data[at : at + _SET_BYTES] for at in range(1, len(data), _SET_BYTES)]
        if any(one[0] != _ISO_15693 for one in sets):
            self.count("foreign_tags")
            return "foreign_tag"
        if not data or len(sets) != data[0] or any(len(one) != _SET_BYTES for one in sets):
            self.count("malformed")
            return "malformed"
        return [one[2:] for one in sets]
