"""One PC/SC reader: what lies on it, what that means at its place, and what to try when a card gives no UID."""

from __future__ import annotations

import hmac
from typing import Final

from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.lamp import Lamp, Sink
from dealer_assist.devices.pcsc_families import OTHER, family_of
from dealer_assist.devices.scard import (
    STATE_GONE,
    STATE_PRESENT,
    STATE_UNAWARE,
    CardFault,
    Context,
)
from dealer_assist.devices.values import PcscDevice
from dealer_assist.table.ports import BadgeLeft, BadgeSeen, InventorySeen, ScanFailed, TagArrived, TagLeft

ANTENNA: Final = 1
RETRY_MS: Final = 100
MAX_QUICK_RETRIES: Final = 10
POWER_OFF_AFTER: Final = 3
"""From so many failures in a row on, the card's power is taken away after each try: the reader then selects it anew."""
HELD_BACK: Final = 5
"""So many failures with a card that was read before say nothing: it has just been taken, and pcscd looks only every 0.4 s."""
IN_USE_AFTER: Final = 3
"""So many refusals in a row because another program holds the reader for itself are no coincidence."""
BADGE_AGAIN_MS: Final = 2000
"""How long a badge must be away to count as shown anew: one held at an angle comes and goes."""
_RANDOM_UID: Final = 0x08
"""First byte of a four-byte UID that is drawn anew each time (ISO 14443-3): a phone, no badge."""


def badge_id(key: bytes, uid: bytes) -> str:
    """A badge's name: the first 48 bits of HMAC-SHA256 over its UID, as ``9f3c-21b0-77aa``. The UID cannot be had from it."""
    digest = hmac.digest(key, b"badge" + uid, "sha256").hex()
    return f"{digest[:4]}-{digest[4:8]}-{digest[8:12]}"


def _is_random(uid: bytes) -> bool:
    return len(uid) == 4 and uid[0] == _RANDOM_UID


class PcscReader:
    """Used by its thread alone, but for its lamp. ``name``: at pcscd, "" while it is away; ``known``: what pcscd said last of it."""

    def __init__(
        self, device: PcscDevice, lamp: Lamp, sink: Sink, clock: TableClock, *, badge_key: bytes = b""
    ) -> None:
        self.device = device
        self.lamp = lamp
        self._sink = sink
        self._clock = clock
        self._badge_key = badge_key
        self._scan = 0
        self._uid: bytes | None = None
        self._counters: dict[str, int] = {}
        self._left_ms: dict[str, int] = {}
        self._period_ms = 0
        self.forget()

    def forget(self) -> None:
        """The reader is away; what lay on it is for the next inventory to say."""
        self.name = ""
        self.known = STATE_UNAWARE
        self._cards = -1
        self._failures = 0
        self._in_use = 0
        self._seen = False
        self._look_again = False
        self._set_up = False

    def bind(self, name: str) -> None:
        """This is its name at pcscd."""
        self.name = name
        family = family_of(name)
        self._period_ms = self.device.scan_period_ms or family.scan_period_ms
        model = name if family is OTHER else f"{family.name}: {name}"
        self.lamp.identify(model=model, serial="", firmware="")

    def retell(self) -> None:
        """Say everything at the next look, as after a connection."""
        self._seen = False

    def look_again(self) -> None:
        """Ask for the state as it is, and read the card that lies there anew: another may lie there that nobody saw come."""
        self.known = STATE_UNAWARE
        self._look_again = True

    def patience_ms(self, most_ms: int) -> int:
        """How long pcscd may be waited for, because nothing is to be tried again sooner."""
        return min(most_ms, RETRY_MS) if 0 < self._failures <= MAX_QUICK_RETRIES else most_ms

    def see(self, context: Context, state: int) -> None:
        """Take the reader's state, and read its card where that says something new. Raises ServiceLost."""
        if state & STATE_GONE:
            listed = self.name in context.readers()
            self.forget()
            self.lamp.show(*(("fault", "reader_stuck") if listed else ("lost", "no_reader")))
            return
        self.known = state
        cards = state >> 16 & 0xFFFF
        if not state & STATE_PRESENT:
            self._failures = self._in_use = 0
            self._cards = cards
            self._settle(None)
        elif self._cards != cards or self._failures or self._look_again or not self._seen:
            self._look_again = False
            self._read(context, state, cards)
        else:
            self.lamp.show("ok")

    # ------------------------------------------------------------ a card

    def _read(self, context: Context, state: int, cards: int) -> None:
        if self._seen and self._cards not in (cards, -1):
            self._settle(None)  # what lay here came away in between, whatever is read next
        known = self._seen and self._uid is not None and self._cards == cards
        try:
            uid = context.uid(
                self.name,
                state,
                self._counters,
                lsb_first=self.device.uid_order == "lsb_first",
                power_off=self._failures >= POWER_OFF_AFTER,
                setup=() if self._set_up else self.device.setup,
            )
        except CardFault as fault:
            self._fail(fault.reason, known=known)
            return
        self._set_up = True
        self._failures = self._in_use = 0
        self._cards = cards
        self._settle(uid)

    def _fail(self, reason: str, *, known: bool) -> None:
        self._counters[reason] = self._counters.get(reason, 0) + 1
        self.lamp.count(dict(self._counters))
        self._failures += 1
        self._in_use = self._in_use + 1 if reason == "in_use" else 0
        if reason in ("removed", "reader_gone") or (
            known and self._failures <= HELD_BACK and reason != "in_use"
        ):
            return  # the status will say so; where it does not, the card is read again
        if self._in_use < IN_USE_AFTER:
            self.lamp.show("ok")
        else:
            self.lamp.show("fault", "reader_in_use")
        if self.device.role == "gate":
            self._scan += 1
            t_ms = self._clock.table_ms()
            self._sink(ScanFailed(self.device.id, ANTENNA, t_ms, self._scan, self._period_ms, reason))

    def _settle(self, uid: bytes | None) -> None:
        """Tell what lies on the reader now: everything the first time, the difference later."""
        self._scan += 1
        first, before = not self._seen, self._uid
        self._seen, self._uid = True, uid
        self.lamp.count(dict(self._counters))
        self.lamp.show("ok")
        if self.device.role == "badge":
            if not first:
                self._tell_badge(before, uid)
        else:
            self._tell_card(before, uid, first=first)

    def _tell_card(self, before: bytes | None, uid: bytes | None, *, first: bool) -> None:
        t_ms, period, device = self._clock.table_ms(), self._period_ms, self.device.id
        if first:
            uids = () if uid is None else (uid,)
            self._sink(InventorySeen(device, ANTENNA, uids, t_ms, self._scan, period))
        elif uid != before:
            if before is not None:
                self._sink(TagLeft(device, ANTENNA, before, t_ms, self._scan, period))
            if uid is not None:
                self._sink(TagArrived(device, ANTENNA, uid, t_ms, self._scan, period))

    def _tell_badge(self, before: bytes | None, uid: bytes | None) -> None:
        """A badge counts when it comes; one that lay there when the reader was found was not shown to it."""
        now_ms = self._clock.host_ms()
        if before is not None and uid != before and not _is_random(before):
            gone = badge_id(self._badge_key, before)
            self._left_ms = {gone: now_ms}
            self._sink(BadgeLeft(self.device.id, self._clock.table_ms(), gone))
        if uid is None or uid == before:
            return
        if _is_random(uid):
            self._counters["random_uid"] = self._counters.get("random_uid", 0) + 1
            return
        badge = badge_id(self._badge_key, uid)
        left_ms = self._left_ms.get(badge)
        back = left_ms is not None and now_ms - left_ms < BADGE_AGAIN_MS
        self._sink(BadgeSeen(self.device.id, self._clock.table_ms(), badge, back=back))
