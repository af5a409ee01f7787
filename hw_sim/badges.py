"""Badges of people, and the reader they are shown to: a second virtual PC/SC reader beside the burn gate's.

A badge has a name of the simulation's own ("floor", "olena") and the same UID whenever it is used with the same seed. Times are real: a
hand that shows a badge is not faster in a simulation that runs faster.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, Final

from hw_sim.gate import BADGE_SLOT, BurnGate

#: How long a badge is held to the reader: pcscd looks every 0.4 s.
TAP_MS: Final = 900
#: How long it is away before the next one comes.
AWAY_MS: Final = 600
#: Badges that the window offers.
KNOWN: Final = ("dealer 1", "dealer 2", "floor")
_NAME: Final = re.compile(r"[\w .-]{1,40}")


def badge_uid(name: str, seed: int) -> bytes:
    """The UID of a badge: seven bytes, as an NFC Forum type 2 tag of NXP has them."""
    return b"\x04" + hashlib.sha256(f"badge/{seed}/{name}".encode()).digest()[:6]


class BadgeReader:
    """A reader of badges. ``readers`` has the slot for it; :meth:`tick` at every turn."""

    def __init__(self, readers: BurnGate, seed: int) -> None:
        self._readers = readers
        self._seed = seed
        self._due: list[tuple[int, str]] = []
        #: the badge that lies on the reader, "" for none
        self.lies = ""

    def known(self) -> dict[str, bytes]:
        """The UIDs of the badges that the window offers."""
        return {name: badge_uid(name, self._seed) for name in KNOWN}

    def tap(self, name: str, now_ms: int) -> int:
        """Show a badge, behind those that are to be shown; returns when it will be away again (real ms)."""
        begin = max([now_ms, *[at_ms + AWAY_MS for at_ms, _ in self._due[-1:]]])
        if self.lies and not self._due:
            self._due.append((now_ms, ""))
            begin = now_ms + AWAY_MS
        self._due += [(begin, name), (begin + TAP_MS, "")]
        return begin + TAP_MS

    def lay(self, name: str) -> None:
        """Lay a badge on the reader and leave it there; "": take it away."""
        self._due.clear()
        self._put(name)

    def tick(self, now_ms: int) -> None:
        """Do what is due."""
        while self._due and self._due[0][0] <= now_ms:
            self._put(self._due.pop(0)[1])

    def _put(self, name: str) -> None:
        if name == self.lies:
            return
        if name:
            self._readers.insert(badge_uid(name, self._seed), BADGE_SLOT)
        else:
            self._readers.remove(BADGE_SLOT)
        self.lies = name

    def asked(self, request: dict[str, Any], now_ms: int) -> dict[str, Any]:
        """A request of the control channel: tap_badge, lay_badge, take_badge."""
        what, name = request["do"], request.get("badge", "")
        if what == "take_badge":
            self.lay("")
            return {"ok": True}
        if not isinstance(name, str) or _NAME.fullmatch(name) is None:
            return {"ok": False, "expected": 'a badge\'s name, as "floor"'}
        if what == "lay_badge":
            self.lay(name)
            return {"ok": True}
        return {"ok": True, "away_ms": self.tap(name, now_ms) - now_ms}
