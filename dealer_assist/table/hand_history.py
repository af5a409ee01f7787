"""Answers what is asked about past hands, on a thread of its own: the table never waits for a list that somebody looks through."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any, Final, Protocol, get_args

import msgspec
from msgspec.structs import replace

from dealer_assist.domain.commands import Refused
from dealer_assist.domain.history import (
    AskHands,
    AskReplay,
    HandsPage,
    HistoryCommand,
    ReplayPage,
    ReplayStep,
)
from dealer_assist.domain.link import Request, Result
from dealer_assist.table.chronicle import Chronicle, Shown

OF_THE_HISTORY: Final = get_args(HistoryCommand)
#: So many questions wait at most; one more is refused.
MOST_WAITING: Final = 16
#: A page of a replay is not much longer, in bytes of JSON. It has one step at least.
PAGE_BYTES: Final = 256 * 1024


class PastHands(Protocol):
    """Where hands that are over are found. Raises :class:`HistoryFailed`."""

    def hands(self, before: int, count: int) -> HandsPage:
        """The newest ``count`` that were closed before row ``before``; 0: of all."""

    def shown(self, row: int) -> Shown | None:
        """The hand that row ``row`` closed; None where there is none, or no replay of it."""


class HistoryFailed(Exception):
    """Past hands cannot be read; carries the reason to show."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class HandHistory:
    """``chronicle``: of the session that tells it; ``past``: what was stored. :meth:`ask` may be called from any thread."""

    def __init__(self, chronicle: Chronicle, past: PastHands) -> None:
        self.chronicle = chronicle
        self._past = past
        self._queue: queue.Queue[tuple[Request, Callable[[Result], None]] | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._run, name="history", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Answer what waits, then end."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def ask(self, request: Request, reply: Callable[[Result], None]) -> None:
        """A question; ``reply`` is called once, from the history's thread."""
        try:
            self._queue.put_nowait((request, reply))
        except queue.Full:
            reply(Result(request.id, ok=False, code="history_busy"))

    def _run(self) -> None:
        while (asked := self._queue.get()) is not None:
            request, reply = asked
            told = self.answer(request.command)
            if isinstance(told, Refused):
                reply(Result(request.id, ok=False, code=told.code, params=told.params))
            else:
                reply(Result(request.id, ok=True, params=told))

    def answer(self, command: Any) -> dict[str, Any] | Refused:
        """What the result of a question holds, or why there is none."""
        try:
            match command:
                case AskHands():
                    return _params(self._hands(command))
                case AskReplay():
                    page = self._replay(command)
                    return Refused("no_such_hand") if page is None else _params(page)
                case _:
                    return Refused("bad_command", {"reason": "command"})
        except HistoryFailed as failed:
            return Refused("history_unavailable", {"reason": failed.reason})

    def _hands(self, command: AskHands) -> HandsPage:
        running = None if command.before else self.chronicle.running()
        if running is None:
            return self._past.hands(command.before, command.count)
        page = self._past.hands(0, command.count)
        others = [
            line for line in page.hands if line.hand != running.line.hand
        ]  # it may have ended meanwhile
        return replace(page, hands=(running.line, *others))

    def _replay(self, command: AskReplay) -> ReplayPage | None:
        shown = self._past.shown(command.row) if command.row else self.chronicle.running()
        if shown is None or (command.hand and command.hand != shown.line.hand):
            return None
        steps: list[ReplayStep] = []
        room = PAGE_BYTES
        for step in shown.steps[command.first :]:
            room -= len(msgspec.json.encode(step))
            if steps and room < 0:
                break
            steps.append(step)
        return ReplayPage(command.row, shown.line.hand, command.first, len(shown.steps), tuple(steps))


def _params(page: HandsPage | ReplayPage) -> dict[str, Any]:
    params: dict[str, Any] = msgspec.to_builtins(page, str_keys=True)
    return params
