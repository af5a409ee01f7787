"""Soft sounds for the dealer alone, made by the station itself and played by whatever player the system has.

A station without a player, or whose player finds no loudspeaker, is silent: it says so on the screen (:attr:`Sounds.able`), and tries
again at the next sound.
"""

from __future__ import annotations

import contextlib
import io
import math
import shutil
import struct
import subprocess
import tempfile
import time
import wave
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from dealer_assist.station.signals import URGENCY

_RATE: Final = 22050
#: loudness 1 to 5 → part of full scale; it cannot be turned off, only paused for a while
_LOUDNESS: Final = (0.06, 0.12, 0.22, 0.38, 0.6)
LOUDEST: Final = len(_LOUDNESS)
#: the strength of the tone and of those two and three times as high: a pure tone is hard to place in a noisy room
_OVERTONES: Final = (0.75, 0.18, 0.07)


class _Pulse(NamedTuple):
    """A tone of ``hz`` for ``on_ms``, and silence for ``off_ms`` behind it."""

    hz: float
    on_ms: int
    off_ms: int


_FIVE: Final = (
    *[_Pulse(hz, 110, 90) for hz in (523.0, 523.0)],
    _Pulse(523.0, 110, 240),
    _Pulse(659.0, 110, 90),
    _Pulse(784.0, 110, 500),
)
#: name → pulses. High: ten, in twice five, rising; medium: three, falling; low: one; a question: two, rising like a voice that asks.
_PULSES: Final[dict[str, tuple[_Pulse, ...]]] = {
    "high": (*_FIVE, *_FIVE),
    "medium": (_Pulse(587.0, 180, 160), _Pulse(494.0, 180, 160), _Pulse(440.0, 180, 0)),
    "low": (_Pulse(440.0, 160, 0),),
    "question": (_Pulse(494.0, 160, 110), _Pulse(587.0, 160, 0)),
    "lost": (_Pulse(392.0, 300, 150), _Pulse(294.0, 400, 0)),
}
#: No sound of ours lasts longer, with what a player needs to begin, in seconds.
_LONGEST_S: Final = 5.0
#: Players and what makes them keep quiet about themselves, the sound server of today first.
_PLAYERS: Final = (("pw-play",), ("paplay",), ("aplay", "-q"))


def pulses(name: str) -> int:
    """How many pulses a sound has."""
    return len(_PULSES[name])


def tone(name: str, *, loudness: int = 3) -> bytes:
    """A WAV file of a named sound: 16 bit, mono. ``loudness``: 1 to 5."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes(b"".join(_frames(pulse, loudness) for pulse in _PULSES[name]))
    return buffer.getvalue()


@lru_cache(maxsize=64)
def _frames(pulse: _Pulse, loudness: int) -> bytes:
    """A pulse and the silence behind it. A sound repeats its pulses: each is reckoned once."""
    peak = 32767 * _LOUDNESS[loudness - 1]
    length = _RATE * pulse.on_ms // 1000
    step = 2 * math.pi * pulse.hz / _RATE
    samples = []
    for index in range(length):
        swell = math.sin(math.pi * index / length) ** 2  # no click at either end
        parts = [part * math.sin(step * index * times) for times, part in enumerate(_OVERTONES, start=1)]
        samples.append(int(peak * swell * sum(parts)))
    samples += [0] * (_RATE * pulse.off_ms // 1000)
    return struct.pack(f"<{len(samples)}h", *samples)


class Sounds:
    """Plays one sound at a time, never waiting for it: the more urgent one is heard, another one after it.

    ``clock``: seconds that only go forward.
    """

    def __init__(
        self, *, enabled: bool = True, loudness: int = 3, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.loudness = loudness
        self._clock = clock
        self._players: list[list[str]] = []
        if enabled:
            for name, *options in _PLAYERS:
                found = shutil.which(name)
                if found:
                    self._players.append([found, *options])
        #: the player that played last, or is tried first
        self._chosen = 0
        self._tried = 0
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._running: subprocess.Popen[bytes] | None = None
        self._began_s = 0.0
        #: players that were told to end: nobody waits for them
        self._ending: list[subprocess.Popen[bytes]] = []
        self._name = ""
        self._next = ""
        #: whether a sound can be made, as far as is known: a player is there, and none of them failed the last time
        self.able = bool(self._players)

    def prepare(self) -> None:
        """Make every sound now: the first alert must not wait for its sound to be reckoned."""
        if self._players:
            with contextlib.suppress(OSError):  # no room for the files: said when a sound is to be heard
                for name in _PULSES:
                    self._file(name)

    def play(self, name: str) -> None:
        """Start a sound; nothing when there is no player. A less urgent one waits, a more urgent one breaks in."""
        self.poll()
        if not self._players or name not in _PULSES:
            return
        if self._running is not None:
            if URGENCY.index(name) >= URGENCY.index(self._name):
                self._next = min(filter(None, (self._next, name)), key=URGENCY.index)
                return
            self._stop()
        self._name, self._tried = name, 0
        self._start()

    def poll(self) -> bool:
        """See what became of the sound that was started: another player is tried when one failed. Whether anything is being played."""
        self._ending = [player for player in self._ending if player.poll() is None]
        while self._running is not None:
            code = self._running.poll()
            if code is None:
                if self._clock() - self._began_s < _LONGEST_S:
                    return True
                self._stop()  # it hangs on its loudspeaker: what asks for the dealer next must not wait behind it
                self._failed()
                continue
            self._running = None
            if code == 0:
                self.able = True
                name, self._next = self._next, ""
                if name:
                    self._name, self._tried = name, 0
                    self._start()
            else:
                self._failed()
        return False

    def hush(self) -> None:
        """End what is being played, and forget what waits."""
        self._next = ""
        self._stop()

    def close(self) -> None:
        """Let a running sound end, and remove what was written. A player that hangs is not waited for long."""
        self._next = ""
        for player in (*self._ending, *([] if self._running is None else [self._running])):
            with contextlib.suppress(subprocess.TimeoutExpired):
                player.wait(_LONGEST_S)
            player.kill()
            player.wait()
        self._ending, self._running = [], None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _stop(self) -> None:
        if self._running is not None:
            self._running.kill()
            self._ending.append(self._running)
            self._running = None

    def _start(self) -> None:
        self._began_s = self._clock()
        try:
            self._running = subprocess.Popen(
                [*self._players[self._chosen], str(self._file(self._name))],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError:  # no such program any more, or no room for the file
            self._running = None
            self._failed()

    def _failed(self) -> None:
        """No loudspeaker, or no sound server: another player may reach one. When none does, that is so until the next sound."""
        self._tried += 1
        self._chosen = (self._chosen + 1) % len(self._players)
        if self._tried < len(self._players):
            self._start()
        else:
            self.able = False
            self._next = ""

    def _file(self, name: str) -> Path:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="station-sounds-")
        path = Path(self._folder.name) / f"{name}-{self.loudness}.wav"
        if not path.exists():
            path.write_bytes(tone(name, loudness=self.loudness))
        return path
