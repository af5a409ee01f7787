"""What a service tells systemd: ready, stopping, and that it lives, which it has to prove (sd_notify(3), sd_watchdog_enabled(3)).

A watchdog that is fed by a timer proves that the timer lives. This one is fed only while every part that a table stands on has
made another turn since, and every thread is there.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from typing import Final

#: Of the watchdog's time a part may be silent for this share, and word is sent that often within what is left.
_SHARE: Final = 0.5
_OFTEN: Final = 5


class ProofOfLife:
    """Whether all parts turn. ``patience_s``: how long a part may stand still; in a watchdog's service half of its time."""

    def __init__(self, patience_s: float) -> None:
        self._patience_s = patience_s
        self._turned: dict[str, tuple[int, float]] = {}

    def stuck(self, turns: Mapping[str, int], now_s: float) -> list[str]:
        """The parts whose count of ``turns`` has stood still for too long at ``now_s`` (monotonic seconds)."""
        out = []
        for part, count in turns.items():
            before = self._turned.get(part)
            if before is None or before[0] != count:
                self._turned[part] = (count, now_s)
            elif now_s - before[1] > self._patience_s:
                out.append(part)
        return out


class ServiceManager:
    """The manager that started this process, if one did and wants to be told. Telling never raises: the table goes on without."""

    def __init__(self, environment: Mapping[str, str], pid: int) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        watched = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
        micros = environment.get("WATCHDOG_USEC", "")
        #: how soon the manager ends a service that says nothing, in seconds; None: never
        self.watchdog_s = int(micros) / 1e6 if watched and micros.isdigit() and int(micros) else None
        self._fed_s: float | None = None

    @property
    def patience_s(self) -> float:
        """How long a part may stand still before the manager is told nothing any more."""
        return (self.watchdog_s if self.watchdog_s is not None else 10.0) * _SHARE

    def ready(self, status: str) -> None:
        """The service can be used."""
        self._tell(f"READY=1\nSTATUS={status}")

    def stopping(self) -> None:
        """It ends because it was asked to."""
        self._tell("STOPPING=1")

    def lives(self, now_s: float) -> None:
        """It lives, at ``now_s``; told no oftener than needed."""
        if self.watchdog_s is None:
            return
        if self._fed_s is None or now_s - self._fed_s >= self.watchdog_s * (1 - _SHARE) / _OFTEN:
            self._fed_s = now_s
            self._tell("WATCHDOG=1")

    def _tell(self, message: str) -> None:
        if not self._address.startswith(("/", "@")):
            return
        name = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
                channel.setblocking(False)
                channel.sendto(message.encode(), name)
        except OSError:
            return  # a manager that is gone, or does not read: nothing at the table depends on it


def manager_of_this_process() -> ServiceManager:
    """The manager named in this process's environment."""
    return ServiceManager(os.environ, os.getpid())
