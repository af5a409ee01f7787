"""The page of faults: made from what is there, and every row that promises too much is noticed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
ROW = {
    "what": "A jam",
    "source": "x",
    "faults": ["fault shuffler jam"],
    "sees": "x",
    "tests": ["tests/faults/shuffler_jam.toml"],
}


@pytest.fixture(scope="module")
def table() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fault_table", ROOT / "scripts/fault_table.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_catalogue_makes(table: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["fault_table.py", "--check"])
    assert table.main() == 0


def of_rows(table: ModuleType, rows: list[dict[str, Any]]) -> list[str]:
    """The mistakes of the rows themselves, without the faults that no row has."""
    return [line for line in table.mistakes_in(rows) if "no row has" not in line]


def test_a_fault_that_no_row_has_is_named(table: ModuleType) -> None:
    lines = list(table.mistakes_in([ROW]))
    assert any("no row has the fault 'line wrong'" in line for line in lines)
    assert not any("'shuffler jam'" in line for line in lines)
    assert of_rows(table, [ROW]) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"tests": []}, "expected a test"),
        ({"tests": ["tests/faults/nothing.toml"]}, "there is no test"),
        ({"tests": ["tests/devices/test_pcsc.py::test_nothing", *ROW["tests"]]}, "there is no test"),
        (
            {
                "tests": [
                    "tests/doctor/test_judge.py::test_a_problem_is_told_once_with_what_to_do[none]",
                    *ROW["tests"],
                ]
            },
            "there is no",
        ),
        ({"tests": ["tests/faults/shuffler_door.toml"]}, "none of its files has a line 'fault shuffler jam'"),
        ({"faults": ["fault shuffler melt"]}, "expected a fault of shuffler"),
    ],
)
def test_a_row_that_promises_too_much_is_noticed(
    table: ModuleType, change: dict[str, Any], told: str
) -> None:
    (line, *_) = of_rows(table, [{**ROW, **change}])
    assert told in line
