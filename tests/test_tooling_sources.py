"""The checks of the sources find what they are for, and the project passes them."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
LOCK = "pkg==1.0 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\n    # via -r x.in\n"


@pytest.fixture(scope="module")
def checks() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_sources", ROOT / "scripts" / "check_sources.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_project_passes() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/check_sources.py"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("lock", "finding"),
    [
        (LOCK, None),
        ("--index-url x\n" + LOCK, (1, "address")),
        (LOCK + "# see https:" + "//example.org\n", (5, "address")),
        ("pkg==1.0 \\\n", (1, "no hash")),
        ("pkg>=1.0 \\\n    --hash=sha256:00\n", (1, "expected `package==version")),
        ("pkg @ file:" + "///x\n", (1, "address")),
        ("pkg==1.0\n", (1, "expected `package==version")),
    ],
)
def test_a_lock_has_hashes_and_no_address(checks: Any, lock: str, finding: tuple[int, str] | None) -> None:
    found = list(checks.check_lock(ROOT / "requirements" / "x.txt", lock))
    if finding is None:
        assert found == []
    else:
        assert any(line == finding[0] and finding[1] in what for _, line, what in found), found


@pytest.mark.parametrize(
    "text", ["see /ro" + "ot/x", "'/wo" + "rk/main'", "/ho" + "me/jo/x", "/tm" + "p/brief/x.md"]
)
def test_folders_of_one_machine_are_found(checks: Any, text: str) -> None:
    assert next(checks.check_text(ROOT / "x.md", f"fine\n{text}\n"))[1] == 2


@pytest.mark.parametrize(
    "text", ["/dev/serial/by-id", "/home/...", "docs/work/x", "var/tmp/x", "$HOME/root/x", "/tmp"]
)
def test_folders_of_every_machine_are_not(checks: Any, text: str) -> None:
    assert list(checks.check_text(ROOT / "x.md", text)) == []


def test_a_pure_package_opens_nothing(checks: Any) -> None:
    source = "def f(path):\n    return open(path)\n"
    assert list(checks.check_module(ROOT / "dealer_assist/betting/x.py", source)) == [
        ("dealer_assist/betting/x.py", 2, "open() in a pure package")
    ]
    assert list(checks.check_module(ROOT / "dealer_assist/journal/x.py", source)) == []


def test_a_long_module_is_found_unless_it_is_generated(checks: Any) -> None:
    body = "X = 1\n" * (checks.MAX_LINES + 1)
    path = ROOT / "dealer_assist/betting/x.py"
    [(_, size, what)] = checks.check_module(path, body)
    assert size == checks.MAX_LINES + 1
    assert "split it" in what
    made = '"""Values.\n\nMade from x.toml by y; do not edit.\n"""\n'
    assert list(checks.check_module(path, made + body)) == []


@pytest.mark.parametrize(
    ("call", "right"),
    [
        ("_log.info('link_changed', state=state)", True),
        ("_log.info(f'link {state}')", False),
        ("_log.info('Link changed')", False),
        ("_log.info('link_changed', state)", False),
        ("_log.info(event)", False),
        ("self.info(event)", True),
    ],
)
def test_log_events_are_written_out(checks: Any, call: str, right: bool) -> None:
    assert (list(checks.check_module(ROOT / "dealer_assist/x.py", call + "\n")) == []) is right


def test_a_module_that_grew_too_long_is_found(checks: Any) -> None:
    assert list(checks.check_module(ROOT / "dealer_assist/x.py", "x = 1\n" * 1000))


PLANTED = {
    "dealer_assist/domain/planted.py": ("import time", "The pure core"),
    "dealer_assist/betting/planted.py": ("from dealer_assist import procedure", "One direction"),
    "dealer_assist/journal/planted.py": ("import PySide6", "Qt lives in the station"),
    "dealer_assist/table/planted.py": ("import sqlite3", "The database is the journal's"),
    "dealer_assist/station/planted.py": ("import serial", "Serial ports and card readers"),
    "dealer_assist/devices/planted.py": ("from dealer_assist import station", "Nobody but the command line"),
    "hw_sim/planted.py": ("import dealer_assist", "The product and the simulator"),
}


@pytest.mark.timeout(300)
def test_every_import_rule_has_teeth(tmp_path: Path) -> None:
    """Each rule is broken on purpose in a copy, and all of them say so."""
    for package in ("dealer_assist", "firmware_protocol", "hw_sim"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name, (line, _) in PLANTED.items():
        (tmp_path / name).write_text(f"{line}  # planted\n")
    (tmp_path / "dealer_assist" / "stray.py").write_text("")
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command as c; c()",
            "--no-cache",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    said = " ".join(done.stdout.split())
    assert done.returncode == 1, said + done.stderr
    for _, rule in PLANTED.values():
        start = said.index(rule)
        assert said[start:].split(" KEPT")[0].find("BROKEN") in range(1, 120), rule
    assert "dealer_assist.stray" in said, "a module that has no place in the order is named"
