"""A reader that answers one request at a time, as a script: ask, take the answer or its absence, go on. No port, no clock.

What a family of readers says is written down in the order in which it happens; waiting, time-outs and what comes uncalled are here.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Final, Protocol

import msgspec

from dealer_assist.devices.driver import Note, Seen

ROUND_MS: Final = 100
"""No antenna is looked at more often than this: cards are not dealt faster than two a second, and the reader's line has other uses."""


class Ask(msgspec.Struct, frozen=True):
    """A request, to be written whole. ``takes`` says whether a frame is its answer; without one in ``answer_ms`` it has none.

    An empty ``frame`` asks nothing and waits: for what a request that was only acknowledged brings in the end.
    """

    frame: bytes
    takes: Callable[[bytes], bool]
    answer_ms: int


class Pause(msgspec.Struct, frozen=True):
    """Nothing is asked for ``ms``. ``until_called``: a frame that nobody asked for ends it."""

    ms: int
    until_called: bool = False


Script = Generator[Ask | Pause, bytes | None, None]
"""Runs for ever. Of an Ask comes back the frame that answered it, or None; of a Pause None."""


class Frames(Protocol):
    """Cuts a stream of bytes into frames whose check is right."""

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes, cut anywhere."""

    def give_up(self) -> list[bytes]:
        """What looks like the beginning of a frame is none, for its rest never came: what was hidden in it."""

    def clear(self) -> None:
        """Forget what has come."""


class Conversation:
    """The part of a driver (:class:`dealer_assist.devices.driver.Driver`) that all of them share.

    A subclass is a :meth:`script` that puts what it has seen into ``seen``, and may look at every frame in :meth:`uncalled`.
    """

    def __init__(self, frames: Frames, note: Note) -> None:
        self.now_ms = 0
        self.seen: list[Seen] = []
        self.note = note
        self.counts: dict[str, int] = {}
        self._frames = frames
        self._running: Script | None = None
        self._asked: Ask | None = None
        self._pausing: Pause | None = None
        self._due_ms: int | None = None
        self._unsent = b""

    # ------------------------------------------------------------ what a family says

    def script(self) -> Script:
        """What is said from the moment that a port is open."""
        raise NotImplementedError

    def asking(self, ask: Ask) -> None:
        """A request is about to be written."""

    def uncalled(self, frame: bytes) -> bool:
        """Whether a frame was sent of the reader's own accord; any other that is no answer comes too late or twice."""
        return False

    def rest(self, began_ms: int) -> Iterator[Pause]:
        """The rest of a round that began then, when it was a short one."""
        left_ms = began_ms + ROUND_MS - self.now_ms
        if left_ms > 0:
            yield Pause(left_ms)

    # ------------------------------------------------------------ Driver

    def opened(self, now_ms: int) -> None:
        """Begin the script anew."""
        self.now_ms = now_ms
        self._frames.clear()
        self._unsent = b""
        self._running = self.script()
        self._go_on(None)

    def receive(self, data: bytes, now_ms: int) -> list[Seen]:
        """Take what came; let what is overdue be overdue."""
        self.now_ms = now_ms
        for frame in self._frames.feed(data) if data else ():
            self._take(frame)
        while self._due_ms is not None and self._due_ms <= now_ms:
            ask = self._asked
            if ask is not None:
                for frame in self._frames.give_up():
                    self._take(frame)
                if self._asked is not ask:
                    continue
                self.count("timeouts")
            self._go_on(None)
        seen, self.seen = self.seen, []
        return seen

    def outgoing(self, now_ms: int) -> bytes:
        """The request that is due. The time for its answer runs from here."""
        data, self._unsent = self._unsent, b""
        if data and self._asked is not None:
            self._due_ms = now_ms + self._asked.answer_ms
        return data

    def next_deadline_ms(self) -> int | None:
        """When an answer is overdue or a pause over; now while something is to be written."""
        return self.now_ms if self._unsent else self._due_ms

    def counters(self) -> dict[str, int]:
        """Faults by name."""
        return dict(self.counts)

    # ------------------------------------------------------------ the script's progress

    def count(self, name: str, by: int = 1) -> None:
        """One fault more."""
        self.counts[name] = self.counts.get(name, 0) + by

    def _take(self, frame: bytes) -> None:
        ask = self._asked
        if ask is not None and not self._unsent and ask.takes(frame):
            self._go_on(frame)
        elif self.uncalled(frame):
            if self._pausing is not None and self._pausing.until_called:
                self._go_on(None)
        else:
            self.count("stale_answers")

    def _go_on(self, answer: bytes | None) -> None:
        script = self._running
        assert script is not None
        step = script.send(answer)
        if isinstance(step, Ask):
            self._asked, self._pausing = step, None
            self._due_ms = None if step.frame else self.now_ms + step.answer_ms
            self.asking(step)
            self._unsent = step.frame
        else:
            self._asked, self._pausing, self._due_ms = None, step, self.now_ms + step.ms
