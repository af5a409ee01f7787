"""Faults of antennas and cards: between the antennas as they are and what their reader tells.

Below lies any :class:`~hw_sim.antennas.Field`. What an antenna reads is looked at anew at each of its scans while something is broken, and
told as changes; with nothing broken every report goes through as it comes.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from hw_sim.antennas import Field, TagEvent
from hw_sim.faults import Fault, Unsupported
from hw_sim.physics import Movement

#: A tag of no deck.
GHOST: Final = bytes.fromhex("E00401500BADF00D")
_WHOLE: Final = 10_000


class _Antenna:
    """``lies``: what the field below reads here, with when it came; ``told``: what the host was told. ``due_ms``: its next scan."""

    def __init__(self) -> None:
        self.lies: dict[bytes, int] = {}
        self.told: dict[bytes, bytes] = {}
        self.quiet: set[bytes] = set()
        self.due_ms: int | None = None


class FaultyField(Field):
    """A field with faults on top. ``seed`` draws what is missed."""

    def __init__(
        self, below: Field, antennas: Mapping[str, int], tags: Mapping[str, bytes], *, seed: int
    ) -> None:
        super().__init__(antennas, tags)
        self.scan_period_ms = below.scan_period_ms
        self._below = below
        self._rng = random.Random(f"faults/{seed}")
        self._at: dict[str, list[str]] = {}
        self._views = {number: _Antenna() for number in antennas.values()}
        #: the faults by what they are of: an antenna's number (0: the whole reader) and the fault, or a card's tag and the fault
        self._of_antennas: dict[tuple[int, str], tuple[Fault, int]] = {}
        self._of_cards: dict[tuple[bytes, str], Fault] = {}
        self._swapped: dict[bytes, bytes] = {}
        #: while this lies ahead antennas are looked at, faults or none
        self._settled_ms = -1

    # -- faults ----------------------------------------------------------------------------------------------------------------------

    def set_fault(self, fault: Fault, now_ms: int) -> None:
        """A fault of the components antenna, card or reader begins, or (``ok``) all of an instance end. Raises Unsupported."""
        match fault.component:
            case "antenna":
                self._set_antenna(fault, now_ms)
            case "card":
                self._set_card(fault)
            case _:
                if fault.fault == "ok":
                    self._clear_antenna(0)
                else:
                    self._of_antennas[0, fault.fault] = (fault, now_ms)
        self._look_again(now_ms)

    def end_fault(self, fault: Fault, now_ms: int) -> None:
        """One fault ends."""
        if fault.component == "card":
            for (uid, name), own in list(self._of_cards.items()):
                if own is fault:
                    del self._of_cards[uid, name]
            if fault.fault == "wrong":
                self._swapped.clear()
        else:
            for (number, name), (own, _) in list(self._of_antennas.items()):
                if own is fault:
                    del self._of_antennas[number, name]
        self._look_again(now_ms)

    def _set_antenna(self, fault: Fault, now_ms: int) -> None:
        if fault.fault == "ok" and not fault.instance:
            for number in self._views:
                self._clear_antenna(number)
            return
        number = self._number(fault.instance)
        if fault.fault == "ok":
            self._clear_antenna(number)
            return
        if fault.fault == "neighbour":
            self._number(fault.word("of"))
        self._of_antennas[number, fault.fault] = (fault, now_ms)

    def _set_card(self, fault: Fault) -> None:
        if fault.fault == "ok":
            uid = self._card(fault.instance) if fault.instance else None
            for key in [key for key in self._of_cards if uid in (None, key[0])]:
                del self._of_cards[key]
            self._swapped.clear()
            return
        uid = self._card(fault.instance)
        if fault.fault == "echo":
            self._number(fault.word("at"))
        if fault.fault == "wrong":
            other = self._card(fault.word("with"))
            self._swapped |= {uid: other, other: uid}
        self._of_cards[uid, fault.fault] = fault

    def _clear_antenna(self, number: int) -> None:
        for key in [key for key in self._of_antennas if key[0] == number]:
            del self._of_antennas[key]

    def _number(self, zone: str) -> int:
        number = self._antennas.get(zone)
        if number is None:
            raise Unsupported(f"a place that this reader has an antenna at: {', '.join(self._antennas)}")
        return number

    def _card(self, place: str) -> bytes:
        zone, _, count = place.partition(":")
        self._number(zone)
        cards = self._at.get(zone, [])
        if int(count) > len(cards):
            raise Unsupported(f"a card that lies there: {len(cards)} at {zone}")
        return self._tags[cards[int(count) - 1]]

    def _look_again(self, now_ms: int) -> None:
        """From now on, and for one scan at least, every antenna is looked at."""
        self._settled_ms = now_ms + 2 * self.scan_period_ms
        for number, view in self._views.items():
            if view.due_ms is None:
                view.due_ms = self._next_scan(number, now_ms + 1)

    @property
    def _broken(self) -> bool:
        return bool(self._of_antennas or self._of_cards or self._swapped)

    # -- Field -----------------------------------------------------------------------------------------------------------------------

    def begin_hand(self, now_ms: int) -> None:
        """A hand begins."""
        self._below.begin_hand(now_ms)

    def read_for_ms(self, face: str, zone: str, now_ms: int) -> int:
        """What the antennas below the faults have read."""
        return self._below.read_for_ms(face, zone, now_ms)

    def move(self, movement: Movement) -> None:
        """A card moves; a fault of a card where it lies ends when it leaves."""
        cards = self._at.get(movement.source, [])
        if movement.face in cards:
            cards.remove(movement.face)
            uid = self._tags[movement.face]
            for name in ("off", "echo", "intermittent"):
                self._of_cards.pop((uid, name), None)
        if movement.target:
            self._at.setdefault(movement.target, []).append(movement.face)
        self._below.move(movement)

    def due_ms(self) -> int | None:
        """When the next report may be due."""
        times = [self._below.due_ms(), *(view.due_ms for view in self._views.values())]
        return min([time for time in times if time is not None], default=None)

    def until(self, t_ms: int) -> list[TagEvent]:
        """The reports up to ``t_ms``, in order."""
        out: list[TagEvent] = []
        for event in self._below.until(t_ms):
            self._scan_up_to(event.t_ms - 1, out)
            self._take(event, out)
        self._scan_up_to(t_ms, out)
        return out

    def inventory(self, antenna: int) -> tuple[bytes, ...]:
        """The tags an antenna reads now; those that it kept quiet about, too."""
        view = self._views.get(antenna)
        return () if view is None else tuple(dict.fromkeys([*view.told.values(), *view.quiet]))

    # -- what is read, what is told --------------------------------------------------------------------------------------------------

    def _take(self, event: TagEvent, out: list[TagEvent]) -> None:
        view = self._views.get(event.antenna)
        match event.kind:
            case "tag_arrived":
                assert view is not None
                view.lies.setdefault(event.uid, event.t_ms)
            case "tag_left":
                assert view is not None
                view.lies.pop(event.uid, None)
            case "inventory":
                assert view is not None
                view.lies = {uid: view.lies.get(uid, event.t_ms) for uid in event.uids}
        if self._broken or event.t_ms <= self._settled_ms:
            if event.kind in ("scan_failed", "restarted", "inventory"):
                out.append(event)
            elif view is not None and view.due_ms is None:
                view.due_ms = event.t_ms
            if view is not None and view.due_ms is not None and view.due_ms <= event.t_ms:
                self._scan(event.antenna, event.t_ms, out)
            return
        out.append(event)
        if view is not None:
            view.told = {uid: uid for uid in view.lies}

    def _scan_up_to(self, t_ms: int, out: list[TagEvent]) -> None:
        while True:
            due = [(view.due_ms, number) for number, view in self._views.items() if view.due_ms is not None]
            if not due or min(due)[0] > t_ms:
                return
            when, number = min(due)
            self._scan(number, when, out)

    def _scan(self, number: int, now_ms: int, out: list[TagEvent]) -> None:
        """One scan of an antenna while something is broken, or was until now."""
        view = self._views[number]
        going_on = self._broken or now_ms <= self._settled_ms
        view.due_ms = self._next_scan(number, now_ms + 1) if going_on else None
        if self._has(0, "stuck") or self._has(number, "stuck"):
            return
        scan = now_ms // self.scan_period_ms
        if self._has(number, "garbage"):
            out.append(TagEvent(now_ms, "scan_failed", number, b"", scan))
            return
        read = self._read(number, now_ms)
        view.quiet &= read.keys()
        for uid in [uid for uid, told in view.told.items() if read.get(uid) != told]:
            told = view.told.pop(uid)
            if told not in view.told.values():
                out.append(TagEvent(now_ms, "tag_left", number, told, scan))
        for uid, shown in read.items():
            if uid in view.told:
                continue
            if self._has(0, "quiet"):
                view.quiet.add(shown)
                continue
            known = shown in view.told.values()
            view.told[uid] = shown
            view.quiet.discard(shown)
            if not known:
                times = 2 if self._has(number, "double") else 1
                out += [TagEvent(now_ms, "tag_arrived", number, shown, scan)] * times

    def _has(self, number: int, fault: str) -> bool:
        return (number, fault) in self._of_antennas

    def _read(self, number: int, now_ms: int) -> dict[bytes, bytes]:
        """What a scan reads: tag → the UID that is reported for it."""
        if self._has(number, "off"):
            return {}
        view = self._views[number]
        lies = dict(view.lies)
        if neighbour := self._of_antennas.get((number, "neighbour")):
            lies |= self._views[self._number(neighbour[0].word("of"))].lies
        for (uid, name), fault in self._of_cards.items():
            if name == "echo" and self._number(fault.word("at")) == number:
                for other in self._views.values():
                    if uid in other.lies:
                        lies[uid] = other.lies[uid]
        if delayed := self._of_antennas.get((number, "delayed")):
            fault, since_ms = delayed
            late = fault.number("ms")
            lies = {uid: came for uid, came in lies.items() if came < since_ms or now_ms - came >= late}
        uids = [uid for uid in lies if not self._missed(number, uid)]
        if depth := self._of_antennas.get((number, "depth")):
            uids = uids[-depth[0].number("cards") :] if depth[0].number("cards") else []
        read = {uid: self._shown(number, self._swapped.get(uid, uid), lies[uid]) for uid in uids}
        if self._has(number, "ghost"):
            read[GHOST] = GHOST
        return read

    def _missed(self, number: int, uid: bytes) -> bool:
        if (uid, "off") in self._of_cards:
            return True
        shares = [
            fault.number("share")
            for fault in (
                self._of_cards.get((uid, "intermittent")),
                self._of_antennas.get((number, "intermittent"), (None, 0))[0],
            )
            if fault is not None
        ]
        return any(self._rng.randrange(_WHOLE) < share for share in shares)

    def _shown(self, number: int, uid: bytes, came_ms: int) -> bytes:
        """The UID as it is reported: of cards that came after the antenna began to mangle, mangled."""
        wrong = self._of_antennas.get((number, "wrong"))
        if wrong is None or came_ms < wrong[1]:
            return uid
        return mangled(uid, wrong[0].word("how"))


def mangled(uid: bytes, how: str) -> bytes:
    """A UID as a bad read gives it: cut short, back to front, with the cascade tag left in, or only ones."""
    match how:
        case "truncated":
            return uid[:-3]
        case "reversed":
            return uid[::-1]
        case "cascade":
            return (b"\x88" + uid[1:4] + b"\xff\xff\xff")[:7]
        case _:
            return b"\xff" * len(uid)
