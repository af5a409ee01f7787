"""Frames cut out of a stream of bytes that may begin, break off or be damaged anywhere: what every family's frames have in common."""

from __future__ import annotations


class Resync:
    """Whole frames of one format. One that is rejected loses its first byte only: a true one may begin inside.

    A format gives :meth:`_cut`. ``counts`` gets the bytes that were no frame, as ``garbage_bytes``.
    """

    def __init__(self, counts: dict[str, int]) -> None:
        self._buffer = bytearray()
        self._counts = counts

    def clear(self) -> None:
        """Forget what has come."""
        self._buffer.clear()

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes, cut anywhere; return what whole frames carry."""
        self._buffer += data
        return self._cut()

    def give_up(self) -> list[bytes]:
        """The rest of what has begun will not come."""
        out: list[bytes] = []
        while self._buffer:
            self._drop(1)
            out += self._cut()
        return out

    def _cut(self) -> list[bytes]:
        """Take the whole frames from the front of the buffer, and drop what is none; leave one that has begun."""
        raise NotImplementedError

    def _drop(self, size: int) -> None:
        """So many bytes at the front are no frame."""
        garbage = self._garbage(size)
        del self._buffer[:size]
        if garbage:
            self._counts["garbage_bytes"] = self._counts.get("garbage_bytes", 0) + garbage

    def _garbage(self, size: int) -> int:
        """How many of the first ``size`` bytes are garbage."""
        return size
