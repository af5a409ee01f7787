"""What docs/devices.md shows of a table's file is loaded as it stands there, and has a driver."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dealer_assist.config.sections import SerialDevice
from dealer_assist.devices.families import FAMILIES, driver_of
from dealer_assist.service import devices_of
from tests.config.test_table_config import EXAMPLE, folder, loaded

__all__ = ["folder"]

PAGE = (Path(__file__).parents[2] / "docs" / "devices.md").read_text(encoding="utf-8")
BLOCKS = [block for block in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL) if "[[devices]]" in block]
DEVICES = EXAMPLE[EXAMPLE.index("[[devices]]") : EXAMPLE.index("# Whose badge")]


def test_the_page_has_examples() -> None:
    assert len(BLOCKS) >= 4


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_an_example_is_a_table_s_device_with_a_driver(folder: Path, block: str) -> None:
    config = loaded(folder, EXAMPLE.replace(DEVICES, block + "\n"))
    for device in config.devices:
        assert device.antennas
    for made in devices_of(config, simulate=False).serial:
        if made.family != "own":
            notes: list[str] = []
            driver = driver_of(made, notes.append)
            driver.opened(0)
            assert driver.next_deadline_ms() is not None or FAMILIES[made.family].listens


def test_what_an_example_calls_a_default_is_one(folder: Path) -> None:
    checked = 0
    for block in BLOCKS:
        sparse = "\n".join(
            line for line in block.split("\n") if "default" not in line or line.startswith("[")
        )
        if sparse == block:
            continue
        checked += 1
        full, bare = (loaded(folder, EXAMPLE.replace(DEVICES, text + "\n")) for text in (block, sparse))
        assert full.devices == bare.devices
    assert checked


def test_every_family_is_in_both_tables() -> None:
    for family, facts in FAMILIES.items():
        rows = [line for line in PAGE.split("\n") if line.startswith(f"| `{family}`")]
        assert len(rows) == 2, family
        p = facts.zones
        assert f"| {p.slack_ms} ms |" in rows[1]
        assert f" {p.leave_ms} ms and {p.leave_misses}" in rows[1]
        assert rows[1].rstrip(" |").split("|")[-1].strip().startswith(str(p.failing_after))
        assert f"{facts.period_ms} ms" in rows[1]


def test_an_address_takes_the_place_of_a_port(folder: Path) -> None:
    tcp = [block for block in BLOCKS if "\naddress =" in block]
    assert tcp
    for block in tcp:
        (device,) = loaded(folder, EXAMPLE.replace(DEVICES, block + "\n")).devices
        assert isinstance(device, SerialDevice)
        assert device.address
