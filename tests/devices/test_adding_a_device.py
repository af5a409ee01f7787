"""What docs/adding_a_device.md shows is whole: its driver and its twin are taken from the page and run through the contract."""

from __future__ import annotations

import importlib.util
import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.devices import families
from dealer_assist.devices.families import FamilyFacts
from dealer_assist.devices.spots import ZoneParameters
from dealer_assist.devices.values import SerialDevice
from tests.devices.contract import MISCHIEFS, Subject, parity_errors, run_in_memory
from tests.devices.contract_ports import anything, play
from tests.devices.contract_subjects import iso_15693, of_driver

PAGE = (Path(__file__).parents[2] / "docs" / "adding_a_device.md").read_text(encoding="utf-8")
BLOCKS = [re.sub(r"(?m)^   ", "", block) for block in re.findall(r"(?ms)^ *```python\n(.*?)^ *```$", PAGE)]


def module(name: str, source: str, folder: Path, **names: Any) -> types.ModuleType:
    file = folder / f"{name}.py"
    file.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    vars(made).update(names)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Subject]:
    driver, twin, facts, maker, entry = BLOCKS
    folder = tmp_path_factory.mktemp("page")
    where = module(
        "page_where",
        f"FACTS = {{{facts}}}\nDRIVERS = {{{maker}}}\nSUBJECT = {entry}",
        folder,
        FamilyFacts=FamilyFacts,
        ZoneParameters=ZoneParameters,
        SerialDevice=SerialDevice,
        of_driver=of_driver,
        iso_15693=iso_15693,
        LanternDriver=module("page_lantern", driver, folder).LanternDriver,
        LanternReader=module("page_lantern_twin", twin, folder).LanternReader,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(families.FAMILIES, "lantern", where.FACTS["lantern"])  # type: ignore[arg-type]
        patch.setitem(families._DRIVERS, "lantern", where.DRIVERS["lantern"])  # type: ignore[arg-type]
        yield where.SUBJECT
    for name in ("page_lantern", "page_lantern_twin", "page_where"):
        del sys.modules[name]


def test_the_page_has_what_the_test_takes_from_it() -> None:
    assert len(BLOCKS) == 5
    assert "import" not in BLOCKS[1].replace("\n", " ").split("WORK_MS")[0].split('"""')[2], (
        "the twin stands alone"
    )


@pytest.mark.parametrize("line", [*MISCHIEFS, "parity errors"])
def test_the_driver_and_its_twin_keep_the_contract(subject: Subject, line: str) -> None:
    run_in_memory(subject, {**MISCHIEFS, "parity errors": parity_errors}[line], seed=3)


def test_on_a_real_port(subject: Subject, tmp_path: Path) -> None:
    play([subject], "pty", lambda _: tmp_path, anything)


def test_every_file_that_the_page_names_is_there() -> None:
    root = Path(__file__).parents[2]
    named = set(re.findall(r"`((?:dealer_assist|hw_sim|tests|firmware_protocol)/[\w/]+(?:\.\w+)?)`", PAGE))
    assert len(named) >= 8
    assert not [name for name in named if not (root / name).exists()]
