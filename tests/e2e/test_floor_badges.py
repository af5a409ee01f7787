"""Badges on the real pcscd, from the simulator's reader to floor mode: enrolled, signed in, signed out, and no PIN left behind."""

from __future__ import annotations

import subprocess
import time
from typing import Any

import pytest

from dealer_assist.demo import program
from hw_sim.badges import badge_uid
from tests.e2e.rig import PATIENCE_S, Rig

pytestmark = [
    pytest.mark.pcsc,
    pytest.mark.process,
    pytest.mark.xdist_group("pcsc"),
    pytest.mark.timeout(240),
]
#: Long, so that no number of a run is them by chance.
PIN, WRONG = "7302864159", "1113335502"


def test_a_badge_is_enrolled_and_opens_floor_mode_with_its_pin() -> None:
    with Rig(speed=10, gate=True, badges=True) as rig:
        rig.simulator()
        rig.write_config()
        rig.staff("add", "12", "Olena", "--language", "uk")
        service = rig.service()
        client = rig.client()
        rig.until(lambda: client.lamps().get("SIM-BADGES-1") == "ok", "the reader of badges")

        # a dealer's badge: the command waits for it at the reader
        command = [*program("dealer-assist"), "staff", "badge", "12", "--tap", "--config", str(rig.config)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as waits:
            assert waits.stderr is not None and waits.stdout is not None
            assert "show the badge" in waits.stderr.readline()
            rig.control("tap_badge", badge="olena")
            assert waits.wait(PATIENCE_S) == 0
            assert "Olena has badge" in waits.stdout.read()

        # the floor's: by the name that the table gives it
        rig.control("tap_badge", badge="floor")
        olenas = client.fact("notice", "badge")["params"]["badge"]
        rig.until(lambda: client.fact("notice", "badge")["params"].get("badge", olenas) != olenas, "its name")
        name = client.fact("notice", "badge")["params"]["badge"]
        rig.staff("add", "40", "Petar", "--role", "floor", "--badge", name)
        rig.staff("pin", "40", "--stdin", pin=PIN)

        def shown() -> bool:
            """The table takes the staff file over within a second."""
            rig.control("tap_badge", badge="floor")
            return _comes(lambda: client.fact("floor_mode")["badge"] == "Petar")

        assert shown() or shown()
        assert client.ask({"kind": "diagnose", "seconds": 0})["code"] == "floor_not_signed_in"
        assert client.ask({"kind": "sign_in", "pin": WRONG})["code"] == "wrong_pin"
        assert client.ask({"kind": "sign_in", "pin": PIN})["ok"]
        assert client.fact("floor_mode")["number"] == 40
        assert client.ask({"kind": "diagnose", "seconds": 0})["ok"]
        assert client.ask({"kind": "sign_out"})["ok"]

        # one that stays at the reader: floor mode ends when it leaves
        rig.control("take_badge")
        time.sleep(1.0)  # pcscd looks every 0.4 s; a badge that it never saw leave does not come
        rig.control("lay_badge", badge="floor")
        rig.until(lambda: client.fact("floor_mode")["badge"] == "Petar", "the badge on the reader")
        assert client.ask({"kind": "sign_in", "pin": PIN})["ok"]
        rig.control("take_badge")
        rig.until(lambda: client.fact("floor_mode")["note"] == "badge_left", "the sign-out")
        assert client.fact("floor_mode")["name"] == ""

        rig.control("tap_badge", badge="olena")
        rig.until(
            lambda: (
                client.fact("dealer") == {"kind": "dealer", "name": "Olena", "language": "uk", "hand": None}
            ),
            "the push",
        )
        assert service.stop() == 0
        assert "sound" in rig.verified()
        left: list[Any] = [path for path in rig.folder.rglob("*") if path.is_file()]
        for path in left:
            content = path.read_bytes()
            for pin in (PIN, WRONG):
                assert pin.encode() not in content, path
            if path.name == "devices.json":
                continue  # the simulator's own, which knows its badges as it knows its cards
            for badge in ("floor", "olena"):
                assert badge_uid(badge, 1).hex().encode() not in content.lower(), path
        said = "".join(str(message) for message in client.messages)
        assert PIN not in said
        assert PIN not in service.out + service.err


def _comes(holds: Any) -> bool:
    from tests.e2e.rig import waited

    return waited(holds, 5.0)
