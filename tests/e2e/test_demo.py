"""The demo as a person runs it: a hand to its end, and an end in the middle of one that leaves nothing running."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dealer_assist.demo import program
from tests.e2e.rig import ROOT

pytestmark = [pytest.mark.process, pytest.mark.timeout(180)]

PATIENCE_S = 20.0


def demo(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    env = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.Popen(
        [*program("dealer-assist"), "demo", "--folder", str(folder), "--speed", "16", *arguments],
        cwd=ROOT,
        env=env,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def running(folder: Path) -> list[str]:
    """The command lines that name a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if any(str(folder) in word for word in words):
            found.append(" ".join(words))
    return found


def test_a_scenario_of_ones_own(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    done = demo(folder, str(ROOT / "tests" / "scenarios" / "x1_first_card_exposed.toml"))
    said, complaints = done.communicate()
    assert (done.returncode, complaints) == (0, "")
    assert "STOP · The first card off the deck was turned up" in said
    assert "The demo went as scripted." in said
    [first, *_] = [line for line in said.splitlines() if line.startswith("screenshot: ")]
    assert Path(first.removeprefix("screenshot: ")).read_bytes().startswith(b"\x89PNG")
    assert running(folder) == []


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT as in a terminal: tests that a script starts in the background have it ignored, and so would what they start."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ended_in_the_middle_it_leaves_nothing_running(tmp_path: Path, number: signal.Signals) -> None:
    folder = tmp_path / "demo"
    with demo(folder, "--no-pcsc") as begun:
        assert begun.stdout is not None
        for line in begun.stdout:
            if "Hand " in line:
                break
        assert len(running(folder)) >= 4, "demo, simulator, table service, station"
        begun.send_signal(number)
        assert begun.wait(PATIENCE_S) == 130
    end = time.monotonic() + PATIENCE_S
    while running(folder) and time.monotonic() < end:
        time.sleep(0.05)
    assert running(folder) == []
