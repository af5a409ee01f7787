"""Every canned page in every language, at both sizes, with larger text: nothing is cut off or overlaps, every key is a thumb wide."""

from __future__ import annotations

from itertools import combinations

import pytest

from dealer_assist.station.canned_pages import STATES
from dealer_assist.station.keys import Key
from dealer_assist.station.pages.registry import PAGES
from dealer_assist.station.shots import act, fill
from dealer_assist.station.window import StationWindow

#: one window for each is enough: sizes, languages and text sizes all come up, the widest texts at the narrowest place
WINDOWS = [
    ((1280, 800), "en", 1.0),
    ((1280, 800), "uk", 1.5),
    ((1280, 800), "bg", 1.0),
    ((1920, 1080), "ru", 1.5),
]


def keys_of(page):
    return [key for key in page.keys.values() if key.isVisible()]


@pytest.fixture(params=WINDOWS, ids=lambda given: f"{given[0][0]}-{given[1]}-{round(100 * given[2])}")
def window(request, qtbot, dressed):
    size, language, text = request.param
    made = StationWindow(language=language, animated=False, clock=lambda: "21:47", size=size, text=text)
    made.show()
    yield made
    made.shut()
    qtbot.wait(1)


def test_every_page_fits(window, qtbot):
    least = 56 if window.width() < 1900 else 72
    wrong = []
    for name, wanted in STATES.items():
        window.pages.close()
        for _ in range(9):
            window.pad.keys["delete"].click()
        fill(window, wanted.facts())
        act(window, name)
        qtbot.wait(1)
        page = window.pages.open
        assert page is not None and page.isVisible(), name
        assert not page.geometry().intersects(window.pad.geometry()), name
        assert not page.geometry().intersects(window.lamps.geometry()), name
        window.grab()
        head = [box for _, box, _ in window.header._placed]
        assert not any(one.intersects(other) for one, other in combinations(head, 2)), name
        if not page.text_fits():
            wrong.append((name, [fitted.lines for fitted, _, _, _ in page._labels if not fitted.fits]))
        keys = keys_of(page)
        assert keys and all(key.accessibleName() for key in keys), name
        wrong += [(name, key.code, key.text()) for key in keys if not key.text_fits()]
        wrong += [
            (name, key.code, key.width(), key.height())
            for key in keys
            if key.height() < least or key.width() < least
        ]
        wrong += [
            (name, one.code, other.code)
            for one, other in combinations(keys, 2)
            if one.geometry().intersects(other.geometry())
        ]
        wrong += [(name, key.code, "outside") for key in keys if not page.rect().contains(key.geometry())]
        hints = [key.shortcut_hint for key in keys if key.shortcut_hint]
        wrong += [(name, hint, "two keys") for hint in set(hints) if hints.count(hint) > 1]
    assert wrong == []


def test_every_page_has_a_canned_state_and_a_key_in_the_menu(window):
    assert {wanted.page for wanted in STATES.values()} == {kind.name for kind in PAGES}
    fill(window, STATES["page-decks"].facts())
    window.header.table_key.click()
    sheet = window.table_sheet
    for kind in PAGES:
        key = sheet.keys[f"page-{kind.name}"]
        assert isinstance(key, Key) and key.isVisible() and key.text_fits(), kind.name
