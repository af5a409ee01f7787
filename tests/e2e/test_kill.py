"""Power cuts in mid-hand: a service or a station that is killed and started again shows the same, and the hand ends as it should."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.rig import SCENARIOS, Client, Rig

pytestmark = [pytest.mark.process, pytest.mark.timeout(240)]

Section = dict[str, Any]


def long_pause_after(scenario: str, line: str, folder: Path) -> Path:
    """A copy of a scenario whose dealer waits after ``line``, long enough to be held there."""
    text = (SCENARIOS / f"{scenario}.toml").read_text()
    assert text.count(f"\n{line}\n") == 1
    path = folder / f"{scenario}.toml"
    path.write_text(text.replace(f"\n{line}\n", f"\n{line}\nwait 30s\n"))
    return path


def flop_is_open(client: Client) -> bool:
    board = client.fact("board").get("cards", [])
    return (
        client.fact("hand").get("street") == "flop"
        and len(board) == 3
        and all(card["face"] for card in board)
        and client.fact("pad").get("seat") is not None
    )


def deal_is_on(client: Client) -> bool:
    return client.fact("hand").get("phase") == "deal" and client.fact("seat", "3").get("cards") == 1


def step_is_open(client: Client) -> bool:
    return client.fact("now").get("code") == "step"


def paused(rig: Rig, client: Client, there: Callable[[Client], bool]) -> dict[tuple[str, str], Section]:
    """Hold the hand where ``there`` says; the screen as it stands then."""
    rig.until(lambda: there(client), "the place of the cut")
    rig.control("pause")
    screen = client.screen()
    assert there(client)
    return screen


@pytest.mark.parametrize(
    ("scenario", "line", "there"),
    [
        pytest.param("clean_showdown", "expect street flop", flop_is_open, id="on the flop"),
        pytest.param("x3_exposed_replaced", "deal 9 1 2 3", deal_is_on, id="in the deal"),
        pytest.param(
            "r2_early_turn",
            "move board aside     # the early card is set aside",
            step_is_open,
            id="in a recovery",
        ),
    ],
)
def test_a_killed_service_takes_the_hand_up_where_it_was(
    scenario: str, line: str, there: Callable[[Client], bool]
) -> None:
    with Rig(speed=10) as rig:
        simulator, service = rig.table(long_pause_after(scenario, line, rig.folder))
        before = paused(rig, rig.client(), there)
        service.kill()
        rig.until(lambda: any(said["what"] == "service_gone" for said in simulator.lines()), "the loss seen")
        again = rig.service()
        client = rig.client()
        lamps = [device["serial"] for device in rig.devices()["devices"]]
        rig.until(lambda: client.lamps() == dict.fromkeys(lamps, "ok"), "the lamps of the new service")
        after = client.screen()
        assert before.keys() == after.keys()
        for section, fact in before.items():
            if (
                section[0] != "device"
            ):  # of a device, how its link is: what a shuffler said of its last deck it says once
                assert after[section] == fact
        rig.control("resume")
        rig.played(simulator)
        assert again.alive()
        assert again.stop() == 0
        assert "sound" in rig.verified()


def test_a_killed_station_is_missed_by_nobody_and_a_new_one_sees_the_same() -> None:
    with Rig(speed=10) as rig:
        simulator, service = rig.table(long_pause_after("clean_showdown", "expect street flop", rig.folder))
        station = rig.station()
        watcher = rig.client()
        before = paused(rig, watcher, flop_is_open)
        station.kill()
        new = rig.station()
        newcomer = rig.client()
        assert newcomer.screen() == before == watcher.screen()
        assert newcomer.seq == watcher.seq
        rig.control("resume")
        rig.played(simulator)
        assert newcomer.screen() == watcher.screen()
        assert new.alive()
        assert service.alive()
        assert new.stop() == 0
