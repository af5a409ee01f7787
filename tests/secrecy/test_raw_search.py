"""A search through everything that a run leaves, byte by byte: no tag in any notation, no face that nobody saw."""

from __future__ import annotations

import base64
import random
import re

import pytest
from PySide6.QtWidgets import QApplication

from dealer_assist.station.app import application
from dealer_assist.station.window import StationWindow
from tests.secrecy.hands import ON_ONE_WORKER
from tests.secrecy.search import FORMS, Tags, faces_in, tags_in
from tests.secrecy.table_run import SURVEILLANCE

UIDS = [b"\xe0\x04\x01\x50" + random.Random(7).randbytes(4) for _ in range(1)] + [
    b"\xe0\x04\x01\x50" + random.Random(seed).randbytes(4) for seed in range(300)
]


@pytest.mark.parametrize("name", FORMS)
def test_the_search_finds_a_tag_in_each_notation(name: str) -> None:
    noise = random.Random(name).randbytes(200_000)
    tags = Tags(UIDS)
    assert tags.found(noise) == []
    hidden = noise[:70_001] + FORMS[name](UIDS[150]) + noise[70_001:]
    assert name in tags.found(hidden)
    other = noise[:70_001] + FORMS[name](b"\xe0\x04\x01\x50no-t") + noise[70_001:]
    assert name not in tags.found(other)


@pytest.mark.parametrize("before", range(4))
def test_the_search_finds_a_tag_inside_base64_and_as_a_number(before: int) -> None:
    tags = Tags(UIDS)
    inside = base64.b64encode(b"\xff" * before + UIDS[5] + b"\xaa\xbb")
    assert tags.found(b'{"x":"' + inside + b'"}') == [f"base64 +{before % 3}"]
    for order in ("big", "little"):
        assert tags.found(b'{"x":%d}' % int.from_bytes(UIDS[9], order)) == ["number"]


@ON_ONE_WORKER
def test_no_tag_and_no_unseen_face_in_what_is_left(two_runs, qapp: QApplication, tmp_path) -> None:
    left = two_runs.first
    names = {name for name, _ in left.files}
    assert {"hand.key during the hand", "journal.sqlite-wal running", "journal.sqlite stopped"} <= names
    assert tags_in(left, two_runs.hands, _pictures(left, qapp, tmp_path)) == []
    assert faces_in(left, two_runs.hands) == []
    socket = b"".join(line.text for line in left.lines)
    assert len(re.findall(rb'"[2-9TJQKA][cdhs]"', socket)) > 200, (
        "public cards were shown, and the search saw them"
    )


@ON_ONE_WORKER
def test_only_the_hand_key_is_kept_in_ram_and_not_longer_than_the_hand(two_runs) -> None:
    left = two_runs.first
    running = [content for name, content in left.files if name == "hand.key during the hand"]
    assert len(running) == len(two_runs.hands)
    assert len(set(running)) == len(running)
    assert {name for name, _ in left.files if "hand" in name} == {"hand.key during the hand"}


@ON_ONE_WORKER
def test_no_key_that_opens_a_seal_is_left(two_runs) -> None:
    secret = bytes(SURVEILLANCE)
    for name, content in two_runs.first.files:
        assert secret not in content, name
        assert secret.hex().encode() not in content.lower(), name


def _pictures(left, qapp: QApplication, folder) -> list[tuple[str, bytes]]:
    """Screens of three moments, as files."""
    application()
    window = StationWindow(language="en", animated=False, clock=lambda: "21:47")
    window.show()
    pictures = []
    for until in sorted(left.moments.values())[:3]:
        window.receive(left.messages(until))
        qapp.processEvents()
        pictures.append((f"screen {until}", window.grab_png(folder / f"{until}.png").read_bytes()))
    window.shut()
    qapp.processEvents()
    return pictures
