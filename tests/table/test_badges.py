"""A dealer's badge pushes the one before; and readers at which cards pass say nothing of where they lie."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealer_assist.domain import facts as fx
from dealer_assist.domain.zones import CHECK, SHOE
from dealer_assist.table import events as te
from dealer_assist.table.core import Core
from dealer_assist.table.ports import BadgeSeen, TagArrived, TagPlaced
from dealer_assist.table.trace import Entry
from tests.table.driver import Driver
from tests.table.recorded import recorded
from tests.table.test_recording import trace

TESTS = Path(__file__).parents[1]

OLENA, PETAR = "9f3c-21b0-77aa", "0042-1111-aaaa"


@pytest.fixture
def table() -> Driver:
    made = Driver()
    made.core.setup = msgspec.structs.replace(made.core.setup, dealers={OLENA: "Olena", PETAR: "Petar"})
    return made


def shown(table: Driver, badge: str) -> list[Any]:
    return table.core.observe(BadgeSeen("badges", table.core.t_ms + 1000, badge))


def pushes(changes: list[Any]) -> list[str]:
    return [
        event.dealer for change in changes for event in change.events if isinstance(event, te.DealerPushed)
    ]


def notices(changes: list[Any]) -> list[fx.NoticeFact]:
    return [fact for change in changes for fact in change.facts if isinstance(fact, fx.NoticeFact)]


def test_a_badge_pushes_the_dealer_before_and_shown_again_nobody(table: Driver) -> None:
    changes = shown(table, OLENA)
    assert pushes(changes) == ["Olena"]
    assert [change.input.command.dealer for change in changes if change.input is not None] == ["Olena"]
    assert shown(table, OLENA) == []
    assert pushes(shown(table, PETAR)) == ["Petar"]
    assert table.core.seats.ledger.pushes == 2


def test_a_badge_that_nobody_has_is_told_by_its_name_until_one_is_known(table: Driver) -> None:
    changes = shown(table, "1111-2222-3333")
    assert notices(changes)[-1:] == [fx.NoticeFact("badge", "unknown_badge", {"badge": "1111-2222-3333"})]
    assert not [change for change in changes if change.events or change.input is not None]
    again = notices(shown(table, "1111-2222-3333"))
    assert [notice.code for notice in again] == ["", "unknown_badge"], "who waits for it hears of it again"
    told = notices(shown(table, OLENA))
    assert fx.NoticeFact("badge", "", {}) in told
    assert table.core.seats.ledger.dealer == "Olena"


@pytest.mark.parametrize("zone", [SHOE, CHECK])
def test_a_card_that_passes_a_reader_lies_nowhere(table: Driver, zone: str) -> None:
    table.deal()
    before = table.hand.procedure
    uid = next(iter(table.core.vault._cards))
    t_ms = table.core.t_ms
    table.core._placed(TagPlaced(zone, uid, t_ms, t_ms, t_ms))
    assert table.hand.procedure == before
    assert zone not in {place for places in table.core.vault._zones.values() for place in places}


def test_a_push_by_a_badge_is_in_the_recording_as_if_it_had_been_tapped() -> None:
    entries = list(trace(TESTS / "scenarios" / "clean_showdown.toml"))
    middle = next(k for k, entry in enumerate(entries) if isinstance(entry.what, TagArrived)) + 20
    shown_ms = entries[middle].t_ms
    entries.insert(middle, Entry(shown_ms, 0, BadgeSeen("badges", shown_ms, OLENA)))

    def plant(core: Core) -> None:
        core.setup = msgspec.structs.replace(core.setup, dealers={OLENA: "Olena"})

    left = recorded(entries, plant=plant)
    assert left.replayed == left.live
    taps = [json.loads(line)["tap"] for line in left.lines if b"dealer_push" in line]
    assert taps == [{"kind": "dealer_push", "dealer": "Olena"}]
    assert not [line for line in left.lines if OLENA.encode() in line]
