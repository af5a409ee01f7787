"""How a person proves that he is who his badge says: one interface, so that another kind of badge can take the place of today's.

A badge whose UID is read can be copied by anybody who has held a phone to it. A card that answers a challenge cannot (a PIV or Java card
that signs, with its PIN checked on the card): such a card would be another :class:`BadgeCheck`, which talks to the card while
:meth:`BadgeCheck.prove` runs; nothing else of the table would change.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Protocol

from dealer_assist.config.staff import Person


class BadgeCheck(Protocol):
    """Proves a person. ``prove`` is slow, and is called on a thread of its own."""

    def prove(self, person: Person, pin: str) -> bool:
        """Whether the person at the reader has the badge of ``person``, and this PIN."""


class Prover(Protocol):
    """Runs a check away from the table's thread."""

    def start(self, person: Person, pin: str, done: Callable[[bool], None]) -> None:
        """Check; ``done`` is called once, from any thread."""

    def stop(self) -> None:
        """Nothing more is checked. Returns when the thread has ended."""


class ProverThread:
    """One thread that checks one PIN after the other. A check that fails is a PIN that is wrong."""

    def __init__(self, check: BadgeCheck) -> None:
        self._check = check
        self._jobs: queue.SimpleQueue[tuple[Person, str, Callable[[bool], None]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="badge check", daemon=True)
        self._thread.start()

    def start(self, person: Person, pin: str, done: Callable[[bool], None]) -> None:
        """Check behind those that wait."""
        self._jobs.put((person, pin, done))

    def stop(self) -> None:
        """End once what waits has been checked."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            person, pin, done = job
            try:
                right = self._check.prove(person, pin)
            except Exception:  # noqa: BLE001 - whatever a card or a library does, nobody gets in by it, and nothing of it is told
                right = False
            done(right)
            del job, pin
