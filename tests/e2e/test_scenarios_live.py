"""Irregularities and their recoveries, through devices on ports and the table service's process."""

from __future__ import annotations

import pytest

from tests.e2e.rig import SCENARIOS, Rig

pytestmark = [pytest.mark.process, pytest.mark.timeout(300)]

#: What each must be told, beside what its file expects: it ends as its file says, with these alerts.
CHOSEN = {
    "r2_early_turn": ["N10", "R2"],
    "f1_four_cards_down": ["F1"],
    "x3_exposed_replaced": ["X3"],
    "n1_no_burn_faced": ["N1"],
    "d3_player_away_near": [],
}


def test_irregularities_end_as_their_files_say() -> None:
    """One after the other at one table, as on an evening: a hand leaves nothing behind for the next."""
    with Rig(speed=12) as rig:
        simulator, service = rig.table(*(SCENARIOS / f"{name}.toml" for name in CHOSEN))
        rig.played(simulator)
        raised: dict[str, list[str]] = {}
        for line in simulator.lines():
            if line["what"] == "hand":
                raised[line["hand"]] = []
            elif line["what"] in ("asked", "alert"):
                rules = raised[list(raised)[-1]]
                if line["rule"] not in rules:
                    rules.append(line["rule"])
        assert raised == CHOSEN
        assert service.stop() == 0
        assert "sound" in rig.verified()
