"""Every screen looks as it did when somebody looked at it; in the other languages, with larger text, nothing is cut off or overlaps."""

from __future__ import annotations

import os

import pytest

from dealer_assist.station.shots import NAMES, SIZES
from tests.station.looks import faults
from tests.station.references import CELLS, FOLDER, Gallery, differing, drawn, kept, small

#: `make looks` goes through the larger window too, where there is more room for every word
WIDTHS = SIZES if os.environ.get("LOOKS") == "all" else SIZES[:1]


@pytest.fixture
def gallery():
    made = Gallery()
    yield made
    made.close()


def test_every_screen_looks_as_it_did(dressed, gallery):
    """After a change that was meant: ``python -m tests.station.references``, and look at the pictures that it names."""
    apart = {}
    for name in NAMES:
        before = kept(name)
        assert before is not None, f"{name}: nobody has looked at this screen"
        cells = differing(drawn(gallery, name), before)
        if cells > CELLS:
            apart[name] = cells
    assert apart == {}
    assert {file.stem for file in FOLDER.glob("*.png")} == set(NAMES)


def test_a_key_that_is_gone_and_a_word_that_is_another_are_seen(dressed, gallery):
    window = gallery.show("play")
    before = kept("play")
    window.pad.keys["ready-1"].hide()
    assert differing(small(window.grab().toImage()), before) > CELLS
    window.pad.keys["ready-1"].show()
    assert differing(small(window.grab().toImage()), before) <= CELLS
    window.pad.keys["undo"].say("Undo: seat 3 all-in 45")
    window.pad.keys["report"].say("Reporting")
    assert differing(small(window.grab().toImage()), before) > CELLS
    window.pad.refresh()


@pytest.mark.parametrize("language", ["uk", "bg", "ru"])
@pytest.mark.parametrize("size", WIDTHS, ids=lambda size: str(size[0]))
def test_at_150_percent_nothing_is_cut_off_and_nothing_overlaps(dressed, size, language):
    gallery = Gallery(size, language, 150)
    found = {}
    for name in NAMES:
        if wrong := faults(gallery.show(name)):
            found[name] = wrong
    gallery.close()
    assert found == {}
