"""Every driver × every line × whatever a line can do to its bytes: nothing lost, doubled or invented, order kept."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.devices.contract import MISCHIEFS, parity_errors, run_in_memory
from tests.devices.contract_ports import anything, play
from tests.devices.contract_subjects import SUBJECTS, VARIANTS


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.parametrize("line", [*MISCHIEFS, "parity errors"])
def test_the_contract_in_memory(name: str, line: str) -> None:
    run_in_memory(SUBJECTS[name], {**MISCHIEFS, "parity errors": parity_errors}[line], seed=1)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("line", ["whole", "20 % loss", "duplicated"])
def test_the_contract_holds_whatever_the_settings(name: str, line: str) -> None:
    run_in_memory(VARIANTS[name], MISCHIEFS[line], seed=2)


@pytest.mark.parametrize("port", ["pty", "tcp"])
def test_the_contract_on_real_ports_with_all_families_at_once(port: str, tmp_path: Path) -> None:
    before = set(threading.enumerate())

    def folder(name: str) -> Path:
        made = tmp_path / name
        made.mkdir()
        return made

    play(list(SUBJECTS.values()), port, folder, anything)
    assert set(threading.enumerate()) == before, "a thread was left"
