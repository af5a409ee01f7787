"""A table that is opened, set up otherwise and killed: the service that comes back knows both, over the real socket and journal."""

from __future__ import annotations

import pytest

from tests.e2e.rig import SCENARIOS, Rig

pytestmark = [pytest.mark.process, pytest.mark.timeout(200)]


def test_the_shift_and_the_limits_outlive_the_service() -> None:
    with Rig(speed=20.0) as rig:
        rig.simulator(SCENARIOS / "clean_showdown.toml")
        rig.control("pause")
        rig.write_config()
        part = rig.service()
        client = rig.client()
        configured = client.fact("table")
        assert client.ask({"kind": "open_table", "tray": 5000})["ok"]
        assert client.ask({"kind": "set_table", "house": "tda2024", "small_blind": 10, "big_blind": 20})["ok"]
        rig.until(lambda: client.fact("table")["big_blind"] == 20, "the new limits")
        client.close()
        part.kill()
        part = rig.service()
        client = rig.client()
        shift, table = client.fact("shift"), client.fact("table")
        assert (shift["open"], shift["tray"]) == (True, 5000)
        assert (table["house"], table["small_blind"], table["big_blind"]) == ("tda2024", 10, 20)
        assert client.ask({"kind": "open_table"})["code"] == "table_is_open"
        client.close()
        assert part.stop() == 0
        rig.write_config(lambda text: text.replace('house = "seed"', 'house = "roberts"'))
        rig.service()
        client = rig.client()
        table = client.fact("table")
        assert (table["house"], table["big_blind"]) == ("roberts", configured["big_blind"])
        client.close()
