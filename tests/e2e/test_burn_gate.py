"""Burns shown to a real PC/SC reader: Debian's pcscd with a virtual card, beside the table's own antennas."""

from __future__ import annotations

from itertools import groupby

import pytest

from tests.e2e.rig import SCENARIOS, Rig, chosen_hands

pytestmark = [
    pytest.mark.pcsc,
    pytest.mark.process,
    pytest.mark.xdist_group("pcsc"),
    pytest.mark.timeout(240),
]


def test_burns_come_by_the_gate() -> None:
    """A hand to the river and the showdown, then one that ends on the flop; neither says anything."""
    with Rig(speed=10, gate=True) as rig:
        simulator, service = rig.table(SCENARIOS / "clean_showdown.toml", chosen_hands(rig.folder, [16]))
        [gate] = [device for device in rig.devices()["devices"] if device["transport"] == "pcsc"]
        assert 'transport = "pcsc"' in rig.config.read_text()
        assert "burn" not in rig.config.read_text()  # no antenna reads burns
        client = rig.client()
        rig.played(simulator)
        assert service.alive()

        lamp = client.lamps_seen(gate["serial"])
        # the simulator takes its reader away when it ends
        assert [state for state, _ in groupby(lamp[lamp.index("ok") :])] in (["ok"], ["ok", "lost"])
        burns: dict[str, list[int]] = {}
        hand = ""
        for message in client.messages:
            for fact in message.get("facts", ()):
                if fact["kind"] == "hand":
                    hand = fact["hand"]
                elif fact["kind"] == "board" and hand:
                    counts = burns.setdefault(hand, [])
                    if not counts or counts[-1] != fact["burns"]:
                        counts.append(fact["burns"])
        assert [counts for counts in burns.values() if counts != [0]] == [[0, 1, 2, 3], [0, 1]]
        assert service.stop() == 0
        assert "sound" in rig.verified()
