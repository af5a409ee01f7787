"""PC/SC readers of the tests' own on the real pcscd: they can be pulled, fail and dawdle (the driver is pcsc_driver.c)."""

from __future__ import annotations

import mmap
import subprocess
from pathlib import Path

SIZE = 256
PLUGGED, CARD, MODE, PARAMETER, TIMES, MUTE, SILENT, UID, ANSWER, LOOKS, EXCHANGES, POWERED, COMMANDS = (
    0, 1, 2, 3, 4, 5, 6, 8, 32, 236, 240, 244, 248,
)  # fmt: skip
ALWAYS = 255
FIXED, ERROR, SLOW, PULLED, TAKEN = 1, 2, 3, 4, 5


def compiled(folder: Path) -> Path:
    """The driver, made once a folder."""
    library = folder / "pcsc_driver.so"
    if not library.exists():
        source = Path(__file__).parent / "pcsc_driver.c"
        flags = ["-shared", "-fPIC", "-std=c99", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Werror"]
        subprocess.run(
            ["gcc", *flags, "-I/usr/include/PCSC", "-o", str(library), str(source)], check=True, timeout=60
        )
    return library


class OwnReader:
    """One reader as a test handles it."""

    def __init__(self, folder: Path, name: str, number: int) -> None:
        self.name = name
        self.file = folder / f"reader{number}.state"
        self.file.write_bytes(bytes(SIZE))
        with self.file.open("r+b") as file:
            self._state = mmap.mmap(file.fileno(), SIZE)
        self._state[PLUGGED] = 1

    def lay(self, uid: bytes) -> None:
        """A card is laid on it."""
        self._state[UID : UID + 1 + len(uid)] = bytes((len(uid), *uid))
        self._state[CARD] = 1

    def take(self) -> None:
        """The card is taken away."""
        self._state[CARD] = 0

    def plug(self, *, on: bool) -> None:
        """The cable."""
        self._state[PLUGGED] = int(on)

    def mute(self, *, on: bool) -> None:
        """Whether a card answers when it is powered."""
        self._state[MUTE] = int(on)

    def silent(self, *, on: bool) -> None:
        """Whether the reader fails when it is asked for a card."""
        self._state[SILENT] = int(on)

    def exchanges(self, mode: int, *, times: int = ALWAYS, parameter: int = 0, answer: bytes = b"") -> None:
        """How the next ``times`` exchanges go."""
        self._state[TIMES] = 0
        self._state[MODE] = mode
        self._state[PARAMETER] = parameter
        self._state[ANSWER : ANSWER + 1 + len(answer)] = bytes((len(answer), *answer))
        self._state[TIMES] = times

    def well(self) -> None:
        """Exchanges go well again."""
        self._state[TIMES] = 0

    def count(self, place: int) -> int:
        """LOOKS, EXCHANGES, POWERED or COMMANDS so far."""
        return int.from_bytes(self._state[place : place + 4], "little")


def configured(folder: Path, names: list[str]) -> tuple[Path, list[OwnReader]]:
    """reader.conf with these readers, and the readers."""
    library = compiled(folder)
    readers = [OwnReader(folder, name, number) for number, name in enumerate(names)]
    conf = folder / "own.conf"
    conf.write_text(
        "".join(
            f'FRIENDLYNAME "{each.name}"\nDEVICENAME {each.file}\nLIBPATH {library}\nCHANNELID {number}\n\n'
            for number, each in enumerate(readers)
        )
    )
    return conf, readers
