"""Faults on real ports and a real pcscd: what the dealer sees of each, lamps and notices, is in its file."""

from __future__ import annotations

import pytest

from tests.e2e.rig import ROOT, Rig

pytestmark = [pytest.mark.process, pytest.mark.timeout(300)]

LIVE = ROOT / "tests/faults/live"


#: What the service's own log must tell besides: without it nothing has been broken.
LOGGED = {
    "line": ("device_line_faults", "crc_errors", "garbage_bytes"),
    "half_open": ("state=stale detail=no_heartbeat",),
    "port": ("detail=unplugged", "detail=wrong_serial", "detail=no_port"),
    "reader": ("device_overflow", "forbidden_data", "detail=protocol_version", "detail=no_heartbeat"),
    "shuffler": ("state=stale detail=no_heartbeat",),
    "shoe": ("state=stale detail=no_heartbeat",),
    "pcsc": ("detail=no_service", "detail=no_reader"),
}


def run(name: str, *, speed: float, gate: bool = False) -> None:
    """A hand dealt with its faults: it ends as its file says, and the journal is sound."""
    with Rig(speed=speed, gate=gate) as rig:
        simulator, service = rig.table(LIVE / f"{name}.toml")
        rig.played(simulator)
        assert service.alive()
        assert service.stop() == 0
        assert [word for word in LOGGED[name] if word not in service.err] == []
        assert "sound" in rig.verified()


@pytest.mark.parametrize("name", ["line", "half_open", "port", "reader", "shuffler", "shoe"])
def test_what_the_dealer_sees(name: str) -> None:
    run(name, speed=12)


@pytest.mark.pcsc
@pytest.mark.xdist_group("pcsc")
def test_what_the_dealer_sees_of_pcscd() -> None:
    run("pcsc", speed=8, gate=True)
