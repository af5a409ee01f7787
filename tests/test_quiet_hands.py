"""Hands in which nothing is wrong: nothing is proven about them, with clean reads or missed ones, on time or late, in any house."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "quiet_hands.py"


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("quiet_hands", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


QUIET = _script()
RUNS = [
    (options, house, may_ask)
    for options, every_house, may_ask in QUIET.RUNS
    for house in (QUIET.HOUSES if every_house else QUIET.HOUSES[:1])
]


def _name(value: object) -> str:
    return " ".join(value) or "clean" if isinstance(value, tuple) else str(value)


@pytest.mark.parametrize(("options", "house", "may_ask"), RUNS, ids=_name)
def test_nothing_is_proven_about_the_sample(options: tuple[str, ...], house: str, may_ask: bool) -> None:
    hands, differ, said = QUIET.run(QUIET.SAMPLE, house, options)
    assert (hands, differ, said["proven"]) == (64, 0, 0)
    assert may_ask or not said["probable"]


@pytest.mark.parametrize(
    ("options", "house", "may_ask"), [run for run in RUNS if run[1] in ("seed", "wsop_cash")], ids=_name
)
def test_nothing_is_proven_about_cash_hands(options: tuple[str, ...], house: str, may_ask: bool) -> None:
    hands, differ, said = QUIET.run(QUIET.CASH_SAMPLE, house, options)
    assert (hands, differ, said["proven"]) == (65, 0, 0)
    assert may_ask or not said["probable"]


def test_what_is_wrong_is_counted(tmp_path: Path) -> None:
    """The count would see it: the same hands with a stack that the history does not say."""
    path = tmp_path / "wrong.phhs"
    text = QUIET.SAMPLE.read_text()
    first = text.index("finishing_stacks = [") + len("finishing_stacks = [")
    end = text.index(",", first)
    path.write_text(f"{text[:first]}{int(text[first:end]) + 1}{text[end:]}")
    _, differ, _ = QUIET.run(path, "seed", ())
    assert differ == 1
