"""Which inventory requests of a host are answered, and whether completely."""

from __future__ import annotations

from typing import Final

import msgspec

from firmware_protocol.messages import ALL_ANTENNAS, Inventory, InventoryDone, Message, ScanFailed

TIMEOUT_MS: Final = 5000
"""A request of whose answer nothing comes for so long is asked anew."""
MAX_TRIES: Final = 3
_LAST_ID: Final = 0xFFFF


class _Request(msgspec.Struct):
    """A request. ``parts``: the last part of each antenna that came in order; ``told``: antennas that are complete."""

    antenna: int
    deadline_ms: int
    tries: int
    parts: dict[int, int] = {}
    told: set[int] = set()


class Snapshots:
    """The open requests of a host. A request that fails is replaced by one with an id of its own, so that answers cannot mix."""

    def __init__(self) -> None:
        self._open: dict[int, _Request] = {}
        self._last_id = 0

    def ask(self, antenna: int, now_ms: int, tries: int = 1) -> int:
        """Open a request; its id."""
        self._last_id = self._last_id % _LAST_ID + 1
        self._open[self._last_id] = _Request(antenna, now_ms + TIMEOUT_MS, tries)
        return self._last_id

    def clear(self) -> None:
        """Forget all requests: their answers are lost."""
        self._open.clear()

    def postpone(self, now_ms: int) -> None:
        """No answer can be expected yet."""
        for request in self._open.values():
            request.deadline_ms = now_ms + TIMEOUT_MS

    def forget(self, request_id: int) -> None:
        """Forget a request that could not be sent."""
        del self._open[request_id]

    def deadline_ms(self) -> int | None:
        """When the next request is late."""
        return min((request.deadline_ms for request in self._open.values()), default=None)

    def late(self, now_ms: int) -> list[tuple[int, int]]:
        """Close the requests that are late; the antenna of each and its tries."""
        late = [request_id for request_id, request in self._open.items() if now_ms >= request.deadline_ms]
        return [self._close(request_id) for request_id in late]

    def take(self, message: Message, antennas: int, now_ms: int) -> tuple[int, int] | int | None:
        """Note a message of a device of so many antennas.

        The id of the request that it completes; antenna and tries of one that it ends incomplete; None otherwise.
        """
        match message:
            case Inventory():
                request = self._open.get(message.request_id)
                if request is not None:
                    request.deadline_ms = now_ms + TIMEOUT_MS
                    _note_part(request, message)
            case ScanFailed():
                for request in self._open.values():
                    request.told.add(message.antenna)
            case InventoryDone():
                request = self._open.get(message.request_id)
                if request is None:
                    return None
                if request.antenna == ALL_ANTENNAS:
                    complete = len(request.told) >= antennas
                else:
                    complete = request.antenna in request.told
                closed = self._close(message.request_id)
                return message.request_id if complete else closed
        return None

    def _close(self, request_id: int) -> tuple[int, int]:
        request = self._open.pop(request_id)
        return request.antenna, request.tries


def _note_part(request: _Request, message: Inventory) -> None:
    antenna = message.antenna
    if message.part != 1 and message.part != request.parts.get(antenna, 0) + 1:
        request.parts.pop(antenna, None)
        request.told.discard(antenna)
        return
    request.parts[antenna] = message.part
    if message.part == message.parts:
        request.told.add(antenna)
