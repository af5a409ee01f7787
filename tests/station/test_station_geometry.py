"""Nothing is cut off, nothing overlaps, the pad does not move, and what is written can be read."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from dealer_assist.station import canned, lettering, theme
from dealer_assist.station.i18n import LANGUAGES
from dealer_assist.station.keys import Key
from dealer_assist.station.scene.geometry import lay_out, positions_of
from dealer_assist.station.shots import NAMES, SIZES, fill, make
from dealer_assist.station.theme import contrast, metrics_for
from tests.station.looks import faults
from tests.station.references import Gallery


@pytest.mark.parametrize("boards", [1, 2, 3])
@pytest.mark.parametrize("count", range(2, 12))
@pytest.mark.parametrize("size", [(851, 700), (1277, 930), (390, 700), (588, 905), (1277, 880), (390, 640)])
def test_no_two_things_on_the_felt_overlap(size, count, boards):
    for text in (1.0, 1.5):
        apart(lay_out(*size, count, boards, text), size, boards)


def apart(place, size, boards):
    boxes = {f"board{i}": box for i, box in enumerate([*chain(*place.boards), *place.board_names])}
    assert len(boxes) == (5 if boards == 1 else 6 * boards)
    boxes |= {"street": place.street, "pots": place.pots, "counters": place.counters, "tray": place.tray}
    boxes["notices"] = place.notices
    for pile in (place.burns, place.muck):
        assert place.counters.adjusted(-0.5, -0.5, 0.5, 0.5).contains(pile)
    assert place.tray.adjusted(-0.5, -0.5, 0.5, 0.5).contains(place.stub)
    for seat, spots in place.seats.items():
        boxes |= {f"plate{seat}": spots.plate, f"cards{seat}": spots.cards, f"bet{seat}": spots.bet}
    for (one, first), (other, second) in combinations(boxes.items(), 2):
        assert not first.adjusted(0.5, 0.5, -0.5, -0.5).intersects(second), (one, other)
    for name, box in boxes.items():
        assert box.left() >= 0 and box.top() >= 0 and box.right() <= size[0] and box.bottom() <= size[1], name
    for seat, spots in place.seats.items():
        others = [box for name, box in boxes.items() if not name.startswith("notices")]
        assert not any(spots.disc.intersects(box) for box in others), seat


def test_seat_one_is_at_the_dealers_left_and_seats_go_clockwise():
    place = lay_out(851, 700, 9)
    one, five, nine = (place.seats[seat].plate.center() for seat in (1, 5, 9))
    assert one.x() < nine.x() and one.y() > five.y() and nine.y() > five.y()
    assert place.seats[3].plate.center().x() < place.seats[7].plate.center().x()


def test_a_table_has_six_nine_or_as_many_places_as_its_highest_seat():
    assert [positions_of(seats) for seats in ((1, 6), (1, 7), (2, 9), (1, 10), (11,), ())] == [
        6,
        9,
        9,
        10,
        11,
        9,
    ]


def visible_rect(widget: QWidget) -> QRect:
    return QRect(widget.mapTo(widget.window(), widget.rect().topLeft()), widget.size())


def siblings_apart(parent: QWidget) -> None:
    children = [child for child in parent.children() if isinstance(child, Key) and child.isVisible()]
    for one, other in combinations(children, 2):
        assert not one.geometry().intersects(other.geometry()), (one.objectName(), other.objectName())
    for child in children:
        assert parent.rect().contains(child.geometry()), (parent.objectName(), child.objectName())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_every_word_is_inside_its_box_and_no_key_touches_another(dressed, size, language):
    gallery = Gallery(size, language)
    found = {}
    for name in NAMES:
        if wrong := faults(gallery.show(name)):
            found[name] = wrong
    gallery.close()
    assert found == {}


@pytest.mark.parametrize("size", SIZES)
def test_text_at_150_percent_is_larger_and_whole(qtbot, dressed, size):
    """In the language with the longest words; the other three have the same boxes."""
    sizes = {}
    for text in (1.0, 1.5):
        window = make("full-ring", size, "ru", round(text * 100))
        sizes[text] = smallest_texts(window)
        for name in ("full-ring", "stop", "several", "trouble", "award", "run-three-times", "idle"):
            fill(window, canned.STATES[name]())
            qtbot.wait(1)
            parts = (window.header, window.lamps, window.now_line, window.pad.display, window.panel)
            for part in (*parts, window.banner, window.pad.showdown):
                assert not part.isVisible() or part.text_fits(), (name, part.objectName())
            for key in window.findChildren(Key):
                assert not key.isVisible() or key.text_fits(), (name, key.objectName(), key.text())
            for item in window.table.shown_items():
                assert item.fits, (name, item.value)
        window.shut()
        qtbot.wait(1)
    least = {"lamp": 1.25, "key": 1.4, "plate": 1.0}  # ten seats leave a plate no more room
    for what, before in sizes[1.0].items():
        assert sizes[1.5][what] >= before * least[what], (what, before)


def smallest_texts(window):
    """Pixels of some of the smallest texts there are, and of the plates' widths, which hold the stacks."""
    return {
        "lamp": min(fitted.font.pixelSize() for _, fitted, _ in window.lamps.shown),
        "key": lettering.fit("C", 500, 500, window.pad.keys["ready-0"].px).font.pixelSize(),
        "plate": window.table.geometry_now.seats[2].plate.width(),
    }


@pytest.mark.parametrize("size", SIZES)
def test_the_pad_is_where_it_is_with_and_without_an_alert(qtbot, dressed, size):
    found = []
    for name in ("play", "stop-question", "several", "lost", "trouble", "exposed", "report"):
        window = make(name, size, "uk")
        keys = {code: visible_rect(key) for code, key in window.pad.keys.items()}
        found.append((keys, visible_rect(window.now_line), visible_rect(window.pad.display)))
        window.shut()
        qtbot.wait(1)
    assert all(other == found[0] for other in found)


@pytest.mark.parametrize(("size", "least"), [((1280, 800), 56), ((1920, 1080), 72)])
def test_keys_are_large_enough_and_apart(qtbot, dressed, size, least):
    for name in ("play", "stop-question", "report", "card-entry", "showdown", "trouble"):
        window = make(name, size, "en")
        for key in window.findChildren(Key):
            if key.isVisible():
                assert key.height() >= least - (2 if key.parent() is window.lamps else 0), (
                    name,
                    key.objectName(),
                )
                assert key.width() >= least, (name, key.objectName())
        window.shut()
        qtbot.wait(1)
    metrics = metrics_for(*size)
    assert metrics.gap >= 8 and metrics.key_h >= least and metrics.action_h >= least


def test_text_has_seven_to_one_on_every_ground_it_stands_on():
    pairs = [(text, ground) for role, (ground, _, text) in theme.KEYS.items()]
    pairs += [(theme.TEXT, down) for _, down, text in theme.KEYS.values() if text == theme.TEXT]
    grounds = [theme.GROUND, theme.PANEL, theme.WELL, theme.PILL, theme.PLATE]
    pairs += [(ink, ground) for ink in (theme.TEXT, theme.QUIET, theme.GOLD) for ground in grounds]
    for accent, ground, _ in theme.LEVELS.values():
        pairs += [(theme.TEXT, ground), (theme.QUIET, ground), (theme.GOLD, ground)]
        assert contrast(accent, ground) >= 4.5  # the large word and the frame beside text that says the same
    pairs += [
        (theme.INK, theme.MEDIUM),
        (theme.INK, theme.TEXT),
        (theme.MEDIUM, theme.PLATE),
        ("#ff9aa4", theme.WELL),
    ]
    low = {pair: round(contrast(*pair), 2) for pair in pairs if contrast(*pair) < 7}
    assert low == {}


def test_levels_and_lamps_differ_in_shape_and_not_only_in_colour():
    assert len({shape for _, _, shape in theme.LEVELS.values()}) == len(theme.LEVELS)
    assert theme.DEVICE_STATES["ok"][1] not in {
        shape for state, (_, shape) in theme.DEVICE_STATES.items() if state != "ok"
    }
