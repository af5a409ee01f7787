"""The page about devices names tests: each of them exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_test_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs" / "devices.md").read_text("utf-8")))
    sources = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    defined = set(re.findall(r"^def (test_\w+)", sources, re.MULTILINE))
    assert len(named) > 40
    assert sorted(named - defined) == []


def test_every_fault_of_serial_lines_and_of_pcsc_has_a_line() -> None:
    page = (ROOT / "docs" / "devices.md").read_text("utf-8")
    assert re.findall(r"^\| F(\d\d) \|", page, re.MULTILINE) == [f"{number:02}" for number in range(1, 30)]
