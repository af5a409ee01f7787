"""The receipt of a deck check: what a card inspection machine prints (N.J.A.C. 13:69E-1.18A(b), 205 CMR 146.50(2))."""

from __future__ import annotations

import msgspec

from dealer_assist.domain.cards import Face


class Receipt(msgspec.Struct, frozen=True):
    """One check of a deck. ``t_utc``: when it was finished, as 2026-11-30T14:43:00Z; ``dealer``: who checked.

    ``maker``, ``model``, ``serial``, ``firmware``: of the device that read the cards, as it says itself. ``dead``: faces that were not
    read, where they are few enough to be named; ``foreign``: deck → cards of it that were among them, "" for none of the table's.
    """

    number: int
    table: str
    t_utc: str
    deck: str
    back: str
    dealer: str
    maker: str
    model: str
    serial: str
    firmware: str
    result: str
    read: int
    of: int
    dead: tuple[Face, ...] = ()
    foreign: dict[str, int] = {}
    twice: int = 0
    simulated: bool = False
