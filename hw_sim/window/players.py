"""The players of a table dealt by hand: they sit down with chips, and the dealer's button lies where the table service has it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hw_sim.client import Client, ServiceGone

#: What each sits down with, in big blinds.
BUY_IN_BLINDS: Final = 100
RETRY_S: Final = 0.5


class Players:
    """Sits players down at the table service's socket once it answers. ``seats``: where; :meth:`pump` never blocks."""

    def __init__(self, socket: Path, seats: Iterable[int]) -> None:
        self._client = Client(socket, retry_s=RETRY_S)
        self._seats = tuple(seats)
        self._seated = False

    def pump(self) -> None:
        """Take what the service says; look for it where there is no connection."""
        try:
            self._client.keep_up()
            if self._client.connected and not self._seated:
                self._sit_down()
        except ServiceGone:
            return  # it may come back: the next turn looks again

    def _sit_down(self) -> None:
        self._seated = True
        blind = self._client.section("table")["big_blind"]
        for seat in self._seats:
            if self._client.section("seat", str(seat)).get("status") != "in":
                self._client.request({"kind": "sit_down", "seat": seat, "buy_in": blind * BUY_IN_BLINDS})

    def button(self) -> int | None:
        """The seat with the dealer button; None while that is not known."""
        seat = self._client.section("hand").get("button")
        return seat if isinstance(seat, int) and seat > 0 else None

    def close(self) -> None:
        """Leave."""
        self._client.close()
