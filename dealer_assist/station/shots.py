"""The contact sheet: ``python -m dealer_assist.station.shots OUTDIR`` draws the canned states in both sizes and languages, offscreen."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter

from dealer_assist.domain.facts import Fact
from dealer_assist.domain.link import LINK_VERSION, Hello, Result, Snapshot
from dealer_assist.station import canned, canned_pad, canned_pages, canned_signals, theme
from dealer_assist.station.app import application
from dealer_assist.station.i18n import LANGUAGES
from dealer_assist.station.sound import Sounds
from dealer_assist.station.window import StationWindow

#: every canned state by name
STATES: Final = {**canned.STATES, **canned_signals.STATES, **canned_pad.STATES}
SIZES: Final = ((1280, 800), (1920, 1080))
#: states that need something done to the window: name → (canned state, what to do)
ACTIONS: Final = {
    "report": "play",
    "report-alert": "stop",
    "report-deal": "deal",
    "report-more": "play",
    "report-more-alert": "stop",
    "report-action": "play",
    "report-which-seat": "play",
    "seat-correct": "play",
    "seat-point": "point",
    "seat-window": "window",
    "push-otherwise": "award",
    "game-choice": "games",
    "card-entry": "trouble",
    "seat": "play",
    "refused": "play",
    "lost": "play",
    "table-menu": "idle",
    "first-button": "idle",
    "dealer-by-number": "idle",
    "mirrored": "stop",
}
PAGES: Final = canned_pages.STATES
#: every picture of the contact sheet
NAMES: Final = (*STATES, *ACTIONS, *canned_pad.ACTIONS, *PAGES)


def fill(window: StationWindow, facts: tuple[Fact, ...]) -> None:
    """Show a snapshot in a window."""
    window.receive((Hello(LINK_VERSION, "7", simulated=False), Snapshot(1, facts)))


def act(window: StationWindow, name: str) -> None:
    """Bring a window into one of the states of ``ACTIONS``."""
    match name:
        case "report" | "report-alert" | "report-deal":
            window.pad.keys["report"].click()
        case "report-more" | "report-more-alert" | "report-action" | "report-which-seat":
            window.pad.keys["report"].click()
            sheet = window.report_sheet
            sheet.keys["irregular" if name == "report-action" else "more"].click()
            if name == "report-more":
                sheet.keys["family-deal"].click()
            if name == "report-which-seat":
                sheet.keys["family-deal"].click()
                sheet.keys["row-X3"].click()
        case "seat-correct":
            window.table.seat_tapped.emit(2)
        case "seat-point":
            window.table.seat_tapped.emit(1)
        case "seat-window":
            window.table.seat_tapped.emit(3)
        case "push-otherwise":
            window.pad.keys["pushed_otherwise"].click()
            window.push_sheet.on_key("to-5")
            for digit in ("3", "8", "0"):
                window.push_sheet.on_key(f"digit-{digit}")
            window.push_sheet.on_key("to-2")
        case "game-choice":
            window.pad.keys["other_game"].click()
        case "card-entry":
            window.table.board_tapped.emit()
            window.card_sheet.on_key("rank-T")
            window.card_sheet.on_key("suit-h")
        case "seat":
            window.table.seat_tapped.emit(4)
        case "refused":
            window.pad.keys["1"].click()
            window.set_sender(lambda _command, _after: "1")
            window.pad.keys["fold"].click()
            window.receive((Result("1", ok=False, code="stale"),))
        case "table-menu":
            window.header.table_key.click()
        case "first-button":
            window.header.table_key.click()
            window.table_sheet.keys["draw"].click()
            for code in ("draw-2", "rank-K", "suit-s", "draw-5"):
                window.table_sheet.on_key(code)
        case "dealer-by-number":
            window.header.table_key.click()
            window.table_sheet.keys["dealer_push"].click()
            for digit in ("1", "7"):
                window.pad.keys[digit].click()
        case "lost":
            window.service_lost()
        case "why":
            window.panel.keys["why"].click()
        case "paused":
            window.audio.toggle_pause()
        case _ if name in canned_pad.ACTIONS:
            canned_pad.ACTIONS[name][1](window)
        case _ if name in PAGES:
            _act_on_page(window, PAGES[name])


class _Unheard(Sounds):
    """A loudspeaker for pictures: it could be heard."""

    def __init__(self) -> None:
        super().__init__(enabled=False)
        self.able = True


def facts_of(name: str) -> tuple[Fact, ...]:
    """What a picture shows."""
    if name in PAGES:
        return PAGES[name].facts()
    if name in canned_pad.ACTIONS:
        return canned_pad.ACTIONS[name][0]()
    return STATES[ACTIONS.get(name, name)]()


def _act_on_page(window: StationWindow, wanted: canned_pages.PageState) -> None:
    window.set_sender(lambda _command, _after: "page")  # a page may ask for what it shows as it opens
    page = window.pages.open_page(wanted.page)
    assert page is not None
    for digit in wanted.typed:
        window.pad.keys[digit].click()
    for code in wanted.taps:
        page.keys[code].click()
    if wanted.then is not None:
        wanted.then(page)


def make(name: str, size: tuple[int, int], language: str, text_scale: int = 100) -> StationWindow:
    """A window in a canned state; ``text_scale`` in percent. The caller closes it."""
    window = StationWindow(
        language=language,
        mirrored=name.endswith("mirrored"),
        animated=False,
        clock=lambda: "21:47",
        size=size,
        text=text_scale / 100,
        sounds=_Unheard(),
    )
    window.show()
    fill(window, facts_of(name))
    act(window, name)
    return window


def main(arguments: list[str] | None = None) -> int:
    """Write every picture; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m dealer_assist.station.shots",
        description="The contact sheet: draws the station's canned states in both sizes and languages, offscreen.",
    )
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--only", default="", help="names that contain this")
    parser.add_argument(
        "--sheet", action="store_true", help="all of a size and language on one picture as well"
    )
    parser.add_argument("--text-scale", type=int, default=100, help="percent (default 100)")
    given = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = application()
    given.folder.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        for language in LANGUAGES:
            drawn = []
            for name in NAMES:
                target = given.folder / f"{name}-{size[0]}x{size[1]}-{language}.png"
                if given.only not in target.name:
                    continue
                window = make(name, size, language, given.text_scale)
                app.processEvents()
                drawn.append(window.grab_png(target))
                window.shut()
                app.processEvents()
            if given.sheet and drawn:
                together(drawn).save(str(given.folder / f"all-{size[0]}x{size[1]}-{language}.png"))
    return 0


def together(pictures: list[Path]) -> QImage:
    """All pictures on one, small, each with its name, in the order in which they are given."""
    width, height, across = 480, 300, 6
    sheet = QImage(across * width, -(-len(pictures) // across) * (height + 24), QImage.Format.Format_RGB32)
    sheet.fill(theme.WELL)
    painter = QPainter(sheet)
    painter.setFont(theme.font(16, 600))
    painter.setPen(QColor(theme.QUIET))
    for number, file in enumerate(pictures):
        left, top = number % across * width, number // across * (height + 24)
        small = QImage(str(file)).scaled(
            width - 8, height - 4, mode=Qt.TransformationMode.SmoothTransformation
        )
        painter.drawImage(left + 4, top, small)
        painter.drawText(left + 6, top + height + 14, file.stem)
    painter.end()
    return sheet


if __name__ == "__main__":
    sys.exit(main())
