"""A drill from end to end: dealt on real ports to a real table service, put right by hand in the window, scored."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from hw_sim.drill import drill_of
from hw_sim.hands import load_hands
from hw_sim.report import Reporter
from hw_sim.window.drill_run import DrillRun, DrillWorld
from hw_sim.window.model import HandTable
from hw_sim.window.table_window import TableWindow
from tests.e2e.rig import Rig
from tests.hw_sim.test_table_window import drag

pytestmark = [pytest.mark.process, pytest.mark.timeout(300)]
DEMO = Path(__file__).parents[2] / "hw_sim" / "demo"


def test_an_exposed_card_is_replaced_by_hand(qtbot, capsys) -> None:
    (hand,) = load_hands([DEMO / "3_exposed_hole_card.toml"], None, None)
    drill = drill_of(hand)
    with Rig(speed=6) as rig:
        world = DrillWorld(
            rig.folder,
            rig.socket,
            speed=6,
            seed=1,
            gate=False,
            reporter=Reporter(io.StringIO()),
            hands=[drill.hand],
        )
        rig.write_config()
        rig.service()
        window = TableWindow(world, HandTable(world.seats, 1), seed=1, button=1)
        window.resize(1180, 760)
        window.show()
        run = DrillRun(world, window, [drill])
        try:
            world.dealer.wait_ready()
            run.begin()
            (exposed,) = window.table.places["seat5"]
            assert exposed.face_up
            assert window.table.empty == {3, 7}
            window.keys["deal"].click()
            qtbot.waitUntil(lambda: len(window.table.places["stub"]) == 52 - 14, timeout=30_000)
            alerts = world.dealer.alerts
            (alert,) = alerts.values()

            def step_is(number, state):
                return alerts[alert["id"]]["steps"][number]["state"] == state

            qtbot.waitUntil(lambda: step_is(0, "done"), timeout=20_000)
            drag(window, exposed.card, "aside")  # which card it was shows when the other one lies there
            drag(window, window.table.top(), "seat5")
            qtbot.waitUntil(lambda: step_is(2, "done"), timeout=20_000)
            drag(window, exposed.card, "burn")
            qtbot.waitUntil(lambda: bool(run.scores), timeout=20_000)
            (score,) = run.scores
            assert (score.outcome, score.steps_done, score.steps, score.further) == ("put_right", 4, 4, ())
            assert score.points == 100
            assert "X3: put right, 100 points" in capsys.readouterr().out
            assert "100 points" in window.stripe.text()
            run.next_key.click()
            assert not window.isVisible()
        finally:
            run.stop()
            window.close()
            world.close()
