"""Faults of antennas, cards and the shuffler's word, through the whole core: what the dealer sees of each is in its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.composition import core_for_trace
from dealer_assist.replay import Replay
from dealer_assist.table.trace import read
from firmware_protocol.toml_errors import ConfigError
from hw_sim.cli import main
from hw_sim.director import play
from hw_sim.scenario import load_scenario
from hw_sim.trace import TraceWorld, live_only

FOLDER = Path(__file__).parent
FILES = sorted(path for path in FOLDER.glob("*.toml") if path.name != "rows.toml")
LIVE = sorted((FOLDER / "live").glob("*.toml"))


def traced(path: Path) -> list[str]:
    lines: list[str] = []
    play(load_scenario(path), TraceWorld(lines.append), 1000)
    return lines


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_the_dealer_sees(path: Path) -> None:
    assert live_only(load_scenario(path)) is None
    replay = Replay(lambda header: core_for_trace(header, None))
    (result,) = replay.feed(read(path.name, [line.encode() for line in traced(path)]))
    assert result.differences == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_fault_is_in_the_trace(path: Path, tmp_path: Path) -> None:
    """The same hand without its faults is another trace: a file that broke nothing would prove nothing."""
    whole = tmp_path / path.name
    whole.write_text(
        "".join(line for line in path.read_text().splitlines(True) if not line.startswith("fault "))
    )
    said = [[line for line in traced(file) if '"dev"' in line] for file in (path, whole)]
    assert said[0] != said[1]


@pytest.mark.parametrize("path", LIVE, ids=lambda path: path.stem)
def test_no_trace_is_written_of_what_happens_on_ports_only(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trace", str(path)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert f"{path.name}:" in told.err
    assert "hw-sim run" in told.err


def test_without_the_key_a_file_breaks_nothing(tmp_path: Path) -> None:
    path = tmp_path / FILES[0].name
    path.write_text(FILES[0].read_text().replace("faults = true\n", ""))
    with pytest.raises(ConfigError, match=r"faults = true"):
        load_scenario(path)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("fault card off seat5:3", "a card that lies there: 2 do"),
        ("fault antenna melt seat5", "a fault of antenna"),
        ("fault antenna off seat5 for=soon", "a time"),
        ("expect lamp toaster lost", "expect RULE"),
    ],
)
def test_a_line_that_cannot_be_done_is_told_with_its_place(line: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(FILES[0].read_text().replace("deal\n", f"deal\n{line}\n", 1))
    at = path.read_text().splitlines().index(line) + 1
    with pytest.raises(ConfigError) as refused:
        load_scenario(path)
    assert f"a.toml:{at}:" in str(refused.value)
    assert expected in str(refused.value)
