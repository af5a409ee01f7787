"""The table of irregularities finds what no scenario shows, and says what each house does."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dealer_assist.composition import load_house
from dealer_assist.houses_command import names
from dealer_assist.procedure.catalogue import ROWS

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def table() -> ModuleType:
    spec = importlib.util.spec_from_file_location("catalogue_table", ROOT / "scripts" / "catalogue_table.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scenario(folder: Path, name: str, keys: str) -> None:
    (folder / f"{name}.toml").write_text(f'title = "A hand"\n{keys}\n')


def everything(folder: Path, table: Any) -> None:
    """A folder in which nothing is missing."""
    houses = "houses = [" + ", ".join(f'"{house}"' for house in table.HOUSES) + "]"
    for row in ROWS:
        scenario(folder, f"{row}_shown", f'{houses}\nrows = ["{row}"]')
        scenario(folder, f"{row}_near", f'house = "seed"\nnear = ["{row}"]')
    for name in table.INCIDENTS:
        scenario(folder, name, f'incident = "{name}"')
    for name in table.CASES:
        scenario(folder, name, f'{houses}\ncase = "{name}"')


def test_a_complete_folder_has_no_finding(table: Any, tmp_path: Path) -> None:
    everything(tmp_path, table)
    assert list(table.missing(table.scenarios(tmp_path))) == []
    assert "**?**" not in table.page(table.scenarios(tmp_path)).split("## Cards exposed", 1)[1]


@pytest.mark.parametrize(
    ("name", "keys", "finding"),
    [
        ("D6_shown", "", "D6: no scenario"),
        ("D6_near", "", "D6: no near miss"),
        ("D6_shown", 'house = "seed"\nrows = ["D6"]', "D6: no scenario of it is played under roberts, "),
        (
            "D6_shown",
            'houses = ["seed", "roberts"]\nrows = ["D6"]\nnot_for = { tda2024 = "why" }',
            "wsop_cash",
        ),
        ("I6", "", "I6: no scenario"),
        ("E-05", 'incident = "I6"', "E-05: no scenario"),
        ("E-02", 'house = "seed"\ncase = "E-02"', "script 1: no scenario of E-02"),
        ("other", 'rows = ["D99"]', "other.toml: expected one of "),
        ("other", 'case = "E-99"', "other.toml: expected one of E-01"),
        ("other", 'houses = ["elsewhere"]', "other.toml: expected one of seed"),
    ],
)
def test_one_gap_is_one_finding(table: Any, tmp_path: Path, name: str, keys: str, finding: str) -> None:
    everything(tmp_path, table)
    scenario(tmp_path, name, keys)
    [found] = table.missing(table.scenarios(tmp_path))
    assert finding in found
    assert "tda2024" not in found or "not_for" not in keys


def test_what_a_house_does_is_on_the_page_with_its_source_and_gaps_marked(table: Any) -> None:
    page = table.page(table.scenarios())
    assert sorted(table.HOUSES) == names()
    houses = {name: load_house(name) for name in table.HOUSES}
    for row in ROWS:
        [section] = [part for part in page.split("\n### ") if part.startswith(f"{row} ")]
        for name in table.HOUSES:
            ruling = houses[name].rules[row]
            source = f"gap: {ruling.source}" if ruling.gap else ruling.source
            assert any(
                f"`{name}`" in line and line.endswith(f"| {source} |") for line in section.splitlines()
            ), (row, name)


def test_a_stale_page_is_told(
    table: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    everything(tmp_path, table)
    monkeypatch.setattr(table, "SCENARIOS", tmp_path)
    monkeypatch.setattr(table.scenarios, "__defaults__", (tmp_path,))
    monkeypatch.setattr(table, "TARGET", tmp_path / "page.md")
    monkeypatch.setattr(table.sys, "argv", ["catalogue_table.py"])
    assert table.main() == 0
    monkeypatch.setattr(table.sys, "argv", ["catalogue_table.py", "--check"])
    assert table.main() == 0
    table.TARGET.write_text(table.TARGET.read_text() + "a word\n")
    assert table.main() == 1
    assert "stale" in capsys.readouterr().err
