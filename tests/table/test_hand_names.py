"""A hand is opened only by a name that the journal can keep: one that it cannot would end the table's service at the first row."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.table import HAND_NAME_CHARS, HandOpening, SeatStack
from tests.table.driver import Driver
from tests.table.floor_rig import FloorRig

SEATS = (SeatStack(1, 100), SeatStack(2, 100))


@pytest.fixture
def rig(tmp_path: Path) -> FloorRig:
    table = Driver()
    table.core.hand = None
    return FloorRig(tmp_path, table.core, staffed=False)


@pytest.mark.parametrize(
    "name", ["", "a\0b", "two\nlines", "\u202e", "x" * (HAND_NAME_CHARS + 1), "x" * 20_000]
)
def test_a_name_that_cannot_be_kept_is_refused_and_the_table_goes_on(rig: FloorRig, name: str) -> None:
    try:
        refused = rig.ask(cmd.OpenHand(HandOpening(name, 1, SEATS)))
        assert (refused.code, refused.params) == ("bad_command", {"reason": "hand_name"})
        assert rig.ask(cmd.OpenHand(HandOpening("1", 1, SEATS))).ok
    finally:
        rig.close()


@pytest.mark.parametrize("name", ["x" * HAND_NAME_CHARS, "роздача № 7", "h 1"])
def test_a_name_that_can_be_kept_is_in_every_row(rig: FloorRig, name: str) -> None:
    try:
        assert rig.ask(cmd.OpenHand(HandOpening(name, 1, SEATS))).ok
        assert name in {stored.hand for stored in rig.rows()}
    finally:
        rig.close()
