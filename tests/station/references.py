"""Pictures of every screen, in English, as somebody has looked at them and found them right.

``python -m tests.station.references [NAME …]`` draws those anew that no longer look like the station, after a change that was meant; look
at what it names before it is committed. A reference is small, 480 × 300 with 16 steps a colour: enough for the eye, and a few megabytes
for all.

What is compared is coarser still, so that another version of FreeType or Qt makes no difference: both pictures are brought down to cells
of 8 × 8 pixels of the window, in which a hinted letter and an unhinted one are nearly as bright. A cell differs when a colour of it is
more than ``CELL`` steps (of 255) away; a picture does when more than ``CELLS`` of its 16,000 cells differ. One key that is gone
changes more than a hundred, a word that is another on two keys 45, the same screen drawn again none. The fonts are Debian's
(scripts/apt-packages.txt); without them nothing is like it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from dealer_assist.station.app import application
from dealer_assist.station.shots import NAMES, act, facts_of, fill, make
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.window import StationWindow

FOLDER: Final = Path(__file__).parent / "references"
WINDOW: Final = (1280, 800)
KEPT: Final = QSize(480, 300)
CELLS_OF: Final = QSize(160, 100)
CELL: Final = 20
CELLS: Final = 24
#: the low bits of a colour are not kept: pictures without them are a third as large
_STEPS: Final = bytes((value & 0xF0) | (value >> 4) for value in range(256))


def small(picture: QImage) -> QImage:
    """A picture of the window as it is kept."""
    shrunk = picture.scaled(KEPT, mode=Qt.TransformationMode.SmoothTransformation)
    shrunk = shrunk.convertToFormat(QImage.Format.Format_RGB32)
    steps = bytes(shrunk.constBits()).translate(_STEPS)
    return QImage(steps, KEPT.width(), KEPT.height(), QImage.Format.Format_RGB32).copy()


class Gallery:
    """One window for all screens: what the one before has opened and typed is put away."""

    def __init__(self, size: tuple[int, int] = WINDOW, language: str = "en", text: int = 100) -> None:
        self._make = (size, language, text)
        self._window: StationWindow | None = None
        self._name = ""

    def show(self, name: str) -> StationWindow:
        """The window in a canned state."""
        special = name.endswith("mirrored") or name in ("lost", "refused", "paused")
        if self._window is None or special or self._name:
            self.close()
            self._window = make(name, *self._make)
            self._name = name if special else ""
            return self._window
        window = self._window
        window.pages.close()
        if window.open_sheet is not None:
            window.open_sheet.close_sheet()
        window._pending.clear()
        window.set_sender(lambda _command, _after: None)
        window.pad.say("")
        window.pad.clear_entry()
        window.pad.choose(None)
        window.state = ViewState()
        fill(window, facts_of(name))
        act(window, name)
        return window

    def close(self) -> None:
        """Let the window go."""
        if self._window is not None:
            self._window.shut()
            self._window = None


def drawn(gallery: Gallery, name: str) -> QImage:
    """A screen as it looks now."""
    return small(gallery.show(name).grab().toImage())


def kept(name: str) -> QImage | None:
    """A screen as it looked when somebody looked at it; None where nobody has."""
    file = FOLDER / f"{name}.png"
    return QImage(str(file)).convertToFormat(QImage.Format.Format_RGB32) if file.exists() else None


def differing(one: QImage, other: QImage) -> int:
    """In how many cells two pictures are not alike."""
    first, second = [
        bytes(picture.scaled(CELLS_OF, mode=Qt.TransformationMode.SmoothTransformation).constBits())
        for picture in (one, other)
    ]
    apart = {place // 4 for place, (a, b) in enumerate(zip(first, second, strict=True)) if abs(a - b) > CELL}
    return len(apart)


def main() -> int:
    """Draw what looks otherwise, and what is new; forget what is no more."""
    app = application()
    FOLDER.mkdir(exist_ok=True)
    gallery = Gallery()
    for name in sys.argv[1:] or NAMES:
        now, before = drawn(gallery, name), kept(name)
        app.processEvents()
        apart = differing(now, before) if before is not None else None
        if apart is None or apart > CELLS or name in sys.argv[1:]:
            now.save(str(FOLDER / f"{name}.png"), "PNG", 0)  # 0: as small as can be
            print(f"{name}: {'new' if apart is None else f'{apart} cells'}")
    for file in FOLDER.glob("*.png"):
        if file.stem not in NAMES:
            file.unlink()
            print(f"{file.stem}: gone")
    gallery.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
