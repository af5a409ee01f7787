"""Soft sounds for the dealer alone. A station without a player is silent, and that is no error."""

from __future__ import annotations

import io
import math
import shutil
import struct
import subprocess
import tempfile
import wave
from pathlib import Path
from typing import Final

_RATE: Final = 22050
#: name → (frequencies in Hz, one tone each); gentle, falling for a question, rising for a stop
_TONES: Final = {
    "question": (587.0,),
    "medium": (587.0, 494.0),
    "high": (523.0, 659.0, 784.0),
    "lost": (392.0, 330.0),
}
_PLAYERS: Final = (("paplay",), ("pw-play",), ("aplay", "-q"))


def tone(name: str, *, volume: float = 0.22) -> bytes:
    """A WAV file of a named sound: 16 bit, mono."""
    samples = []
    for frequency in _TONES[name]:
        length = int(_RATE * 0.16)
        for index in range(length):
            swell = math.sin(math.pi * index / length) ** 2
            samples.append(int(32767 * volume * swell * math.sin(2 * math.pi * frequency * index / _RATE)))
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes(struct.pack(f"<{len(samples)}h", *samples))
    return buffer.getvalue()


class Sounds:
    """Plays through whatever player of the system is there, never waiting for it."""

    def __init__(self, *, enabled: bool = True) -> None:
        self._player: list[str] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._running: list[subprocess.Popen[bytes]] = []
        if enabled:
            for name, *options in _PLAYERS:
                found = shutil.which(name)
                if found:
                    self._player = [found, *options]
                    break

    def play(self, name: str) -> None:
        """Start a sound; nothing when there is no player."""
        self._running = [process for process in self._running if process.poll() is None]
        if self._player is None or name not in _TONES or len(self._running) > 1:
            return
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="station-sounds-")
        path = Path(self._folder.name) / f"{name}.wav"
        if not path.exists():
            path.write_bytes(tone(name))
        try:
            self._running.append(
                subprocess.Popen(
                    [*self._player, str(path)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )
        except OSError:
            self._player = None

    def close(self) -> None:
        """Let running sounds end, and remove what was written."""
        for process in self._running:
            process.wait()
        self._running.clear()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
