"""Every canned page in every language, at both sizes, with larger text: nothing is cut off or overlaps, every key is a thumb wide."""

from __future__ import annotations

from itertools import combinations

import pytest

from dealer_assist.domain.link import LINK_VERSION, Hello, Snapshot
from dealer_assist.station.canned_pages import STATES
from dealer_assist.station.keys import Key
from dealer_assist.station.pages.registry import PAGES
from dealer_assist.station.shots import act, fill
from dealer_assist.station.viewmodel import ViewState, fold
from dealer_assist.station.window import StationWindow

#: one window for each is enough: sizes, languages and text sizes all come up, the widest texts at the narrowest place
WINDOWS = [
    ((1280, 800), "en", 1.0),
    ((1280, 800), "uk", 1.5),
    ((1280, 800), "bg", 1.0),
    ((1920, 1080), "ru", 1.5),
]


@pytest.fixture(params=WINDOWS, ids=lambda given: f"{given[0][0]}-{given[1]}-{round(100 * given[2])}")
def window(request, qtbot, dressed):
    size, language, text = request.param
    made = StationWindow(language=language, animated=False, clock=lambda: "21:47", size=size, text=text)
    made.show()
    fill(made, STATES["page-decks-register"].facts())
    act(made, "page-decks-register")
    qtbot.wait(1)
    yield made
    made.shut()
    qtbot.wait(1)


def opened(window, name):
    """A page in its canned state, in its place in the window; the rest of the window stays as it was."""
    wanted, state = STATES[name], ViewState()
    for message in (Hello(LINK_VERSION, "7", simulated=False), Snapshot(1, wanted.facts())):
        state = fold(state, message)
    host = window.pages
    host.close()
    host.show_state(window.tr_, state, ready=True)
    host.set_entry(wanted.typed)
    page = host.open_page(wanted.page)
    assert page is not None, name
    for code in wanted.taps:
        page.keys[code].click()
    if wanted.then is not None:
        wanted.then(page)
    return page


def test_every_page_fits(window, qtbot):
    least = 56 if window.width() < 1900 else 72
    wrong, seen = [], 0
    for name in STATES:
        page = opened(window, name)
        if not page.isVisible():
            assert window.pages.open is page and not page.beside_alert, name  # put aside: there is an alert
            continue
        seen += 1
        assert not page.geometry().intersects(window.pad.geometry()), name
        assert not page.geometry().intersects(window.lamps.geometry()), name
        if window.tr_.language == "en":
            page.grab()  # once: that it can be painted at all
        if not page.text_fits():
            wrong.append((name, [fitted.lines for fitted, _, _, _ in page._labels if not fitted.fits]))
        keys = [key for key in page.keys.values() if key.isVisible()]
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
    assert seen > len(STATES) * 0.8


def test_the_head_line_and_the_menu_have_room(window):
    for name in ("page-decks-register", "page-shift-closed"):
        fill(window, STATES[name].facts())
        head = [box for _, box, _ in window.header._placed]
        assert window.header.text_fits(), name
        assert not any(one.intersects(other) for one, other in combinations(head, 2)), name
    assert {wanted.page for wanted in STATES.values()} == {kind.name for kind in PAGES}
    window.header.table_key.click()
    for kind in PAGES:
        key = window.table_sheet.keys[f"page-{kind.name}"]
        assert isinstance(key, Key) and key.isVisible() and key.text_fits(), kind.name
