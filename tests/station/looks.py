"""What must hold of every screen, whatever it shows: nothing is cut off, no key touches another, no part lies on one beside it."""

from __future__ import annotations

from itertools import combinations

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from dealer_assist.station.keys import Key
from dealer_assist.station.window import StationWindow


def faults(window: StationWindow) -> list[str]:
    """What is wrong with a window as it is now; nothing where all is well."""
    page = window.pages.open
    parts = [window.header, window.lamps, window.now_line, window.pad.display]
    parts += [window.banner, window.panel, window.lost_panel, window.pad.showdown, *window.sheets]
    parts += [page] if page is not None else []
    visible = [part for part in parts if part.isVisible()]
    found = [f"{part.objectName()}: text" for part in visible if not part.text_fits()]
    shown = [key for key in window.findChildren(Key) if key.isVisible()]
    found += [f"{key.objectName()}: {key.text()!r}" for key in shown if not key.text_fits()]
    found += [f"{key.objectName()} has no name" for key in shown if not key.accessibleName()]
    by_parent: dict[QWidget, list[Key]] = {}
    for key in shown:
        by_parent.setdefault(key.parentWidget(), []).append(key)
    for parent, keys in by_parent.items():
        found += [
            f"{one.objectName()} on {other.objectName()}"
            for one, other in combinations(keys, 2)
            if one.geometry().intersects(other.geometry())
        ]
        found += [
            f"{key.objectName()} leaves {parent.objectName()}"
            for key in keys
            if not parent.rect().contains(key.geometry())
        ]
    if page is None or not page.isVisible():
        found += [type(item).__name__ for item in window.table.shown_items() if not item.fits]
    areas = [
        window.header,
        window.lamps,
        window.now_line,
        window.pad,
        window.table,
        window.panel,
        window.banner,
    ]
    seen = [area for area in areas if area.isVisible()]
    found += [
        f"{one.objectName()} on {other.objectName()}"
        for one, other in combinations(seen, 2)
        if _place(one).intersects(_place(other))
    ]
    found += [
        f"{area.objectName()} leaves the window" for area in seen if not window.rect().contains(_place(area))
    ]
    over = [sheet for sheet in (*window.sheets, page) if sheet is not None and sheet.isVisible()]
    for sheet in over:
        beside = [window.pad, window.lamps, *([window.panel] if window.panel.isVisible() else [])]
        found += [
            f"{sheet.objectName()} on {part.objectName()}"
            for part in beside
            if _place(sheet).intersects(_place(part))
        ]
    return found


def _place(widget: QWidget) -> QRect:
    return QRect(widget.mapTo(widget.window(), widget.rect().topLeft()), widget.size())
