"""Hands at tables with bought readers, from their own wire through the table service's process: silent, right, on record."""

from __future__ import annotations

import contextlib

import pytest

from tests.e2e.rig import SCENARIOS, Client, Part, Rig

pytestmark = [pytest.mark.process, pytest.mark.timeout(240)]

#: A round of eight antennas takes a bought reader some 0.3 s of real time, so that a table may not run much faster than that.
SPEED = 1.5
#: The scenario, and the rules that it must be told of.
PLAYED = {
    "eccel": ("clean_showdown", []),
    "feig": ("f1_four_cards_down", ["F1"]),
}
#: Hobby readers: how many of them, beside a board for the rest.
SMALL = {
    "pn532": ("clean_heads_up", [], 9),
    "ascii_uid": ("r2_early_turn", ["N10", "R2"], 1),
}


def test_a_hand_at_a_table_of_each_family() -> None:
    """Tables at once, each with processes of its own."""
    boards = {family: [family] * 2 for family in PLAYED}
    _play(PLAYED, boards)


def test_a_hand_at_a_table_with_hobby_readers() -> None:
    """A PN532 at each seat; a module that writes lines of text where the burns lie."""
    played = {family: (scenario, told) for family, (scenario, told, _) in SMALL.items()}
    _play(
        played,
        {
            family: [family] * count + ["eccel"] * (1 if count > 1 else 2)
            for family, (*_, count) in SMALL.items()
        },
    )


def _play(played: dict[str, tuple[str, list[str]]], readers_of: dict[str, list[str]]) -> None:
    with contextlib.ExitStack() as stack:
        tables: dict[str, tuple[Rig, Part, Part, Client]] = {}
        for family, (scenario, _) in played.items():
            rig = stack.enter_context(Rig(speed=SPEED))
            simulator = rig.simulator(SCENARIOS / f"{scenario}.toml", arguments=("--reader", family))
            rig.write_config()
            service = rig.service()
            tables[family] = rig, simulator, service, rig.client()
        for family, (rig, simulator, service, client) in tables.items():
            rig.played(simulator)
            told = [line["rule"] for line in simulator.lines() if line["what"] in ("asked", "alert")]
            assert list(dict.fromkeys(told)) == played[family][1]
            readers = [device for device in rig.devices()["devices"] if device["role"] == "reader"]
            assert [device["family"] for device in readers] == readers_of[family]
            for device in readers:
                assert "ok" in client.lamps_seen(device["serial"])
            assert service.stop() == 0
            assert "sound" in rig.verified()
