"""What the two commands say to somebody who meets them for the first time, and to mistakes on the command line."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from dealer_assist.cli import main as assist
from dealer_assist.composition import demo_hands
from dealer_assist.demo_folder import emptied
from hw_sim.cli import main as sim
from hw_sim.games import plan_of

ROOT = Path(__file__).parents[1]
Main = Callable[[Sequence[str]], int]

COMMANDS = [
    (assist, ""), (assist, "demo"), (assist, "station"), (assist, "table"), (assist, "replay"), (assist, "verify"),
    (assist, "config"), (assist, "config check"), (assist, "houses"), (assist, "houses list"), (assist, "houses show"),
    (assist, "houses diff"), (assist, "houses check"), (assist, "export"), (sim, ""), (sim, "trace"), (sim, "run"),
    *((assist, f"deck {name}") for name in ("register", "check", "list", "use", "out", "retire", "quarantine", "release", "receipt")),
    (assist, "deck"), (assist, "staff"),
    *((assist, f"staff {name}") for name in ("add", "badge", "list", "retire", "pin")),
    (assist, "calibrate"), (assist, "diagnose"), (assist, "trace"), (assist, "trace save"), (assist, "practice"), (assist, "doctor"),
    (sim, "table"), (sim, "drill"),
]  # fmt: skip


def refused(main: Main, line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command line that must end with 2 and say why on standard error only."""
    try:
        code = main(shlex.split(line))
    except SystemExit as ended:
        code = int(str(ended.code))
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    return err


@pytest.mark.parametrize(("main", "command"), COMMANDS)
def test_every_command_explains_itself(main: Main, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    usage, rest = said.split("\n\n", 1)
    assert usage.startswith("usage: ")
    assert len(rest.split("\n\n")[0]) > 20, "a description"
    # files of the project that a help text names are there; those under var/ and run/ are made by running things
    for word in said.replace("`", " ").replace("(", " ").replace(")", " ").split():
        name = word.rstrip(".,;:")
        if name.startswith(("docs/", "tests/", "dealer_assist/")):
            assert (ROOT / name).exists(), name


@pytest.mark.parametrize("main", [assist, sim])
def test_without_a_command_the_help_is_shown(main: Main, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--help` says more about each" in refused(main, " ", capsys)


@pytest.mark.parametrize("speed", ["0", "-1", "fast", "21", "nan"])
def test_demo_speed_is_a_number_that_the_table_can_follow(
    speed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(assist, f"demo --speed={speed}", capsys)
    assert f"expected a number above 0, at most 20, found '{speed}'" in said


def test_demo_empties_no_folder_but_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "letters" / "one.txt"
    kept.parent.mkdir()
    kept.write_text("dear")
    assert "it would be emptied" in refused(assist, f"demo --folder {kept.parent}", capsys)
    assert kept.read_text() == "dear"
    assert "it would be emptied" in refused(assist, f"demo --folder {kept}", capsys)
    assert kept.read_text() == "dear"


def test_a_screen_without_a_display_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    said = refused(assist, f"station --socket {tmp_path / 'table.sock'}", capsys)
    assert said.startswith("station: expected a display")


def test_a_mistyped_file_costs_no_earlier_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "demo" / "kept.png"
    kept.parent.mkdir()
    (kept.parent / "DEMO").touch()
    kept.touch()
    said = refused(assist, f"demo nothing.toml --folder {kept.parent}", capsys)
    assert said == "nothing.toml: expected a scenario, found no such file\n"
    assert kept.exists()


def test_a_demo_keeps_off_the_folder_of_one_that_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "demo"
    running = emptied(folder)
    assert running is not None
    with running:
        journal = folder / "journal.sqlite"
        journal.touch()
        said = refused(assist, f"demo {demo_hands()[0]} --folder {folder}", capsys)
        assert said == f"{folder}: a demo runs here; expected that it is ended first, or another --folder\n"
        assert journal.exists()
    again = emptied(folder)
    assert again is not None and not journal.exists()
    again.close()


def test_demo_names_the_mistake_in_a_scenario(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(demo_hands()[0].read_text().replace("burn\n", "burm\n", 1))
    said = refused(assist, f"demo {wrong} --folder {tmp_path / 'demo'}", capsys)
    assert said.startswith(f"{wrong}:")
    assert "burm" in said


def test_a_scenario_is_no_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(assist, f"config check {demo_hands()[0]}", capsys)
    assert said.rstrip().endswith(
        ":1:1: expected a table configuration, a house or a game, found a scenario (`hw-sim trace` checks it)"
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('extends = "omaha"', "game x"),  # nothing of its own: still a game
        ('extends = "nlhe"\nmax_seats = 6', "game x"),
        ('extends = "seed"', "house x"),
        ('extends = "seed"\n[parameters]\nmax_seats = { value = 9, source = "ours" }', "house x"),
    ],
)
def test_a_file_is_checked_as_what_it_is(
    text: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.toml"
    path.write_text(f'name = "x"\ntitle = "X"\n{text}\n')
    assert assist(["config", "check", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: {what}, in order\n"


@pytest.mark.parametrize(
    ("base", "own"),
    [
        ('extends = "nlhe"\nmax_seats = 6', "betting = 'pot_limit'"),
        ('extends = "seed"\n[rules]', "[parameters]\nmax_seats = { value = 9, source = 'ours' }"),
    ],
)
def test_a_file_extends_another_beside_it(
    base: str, own: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "base.toml").write_text(f'name = "base"\ntitle = "Base"\n{base}\n')
    path = tmp_path / "own.toml"
    path.write_text(f'name = "own"\ntitle = "Own"\nextends = "base.toml"\n{own}\n')
    assert assist(["config", "check", str(path)]) == 0
    if "rules" in base:
        assert assist(["houses", "show", str(path)]) == 0
    else:
        assert plan_of(str(path)).hole == 2
    (tmp_path / "base.toml").write_text('name = "base"\nextends = "own.toml"\n')
    assert assist(["config", "check", str(path)]) == 2
    assert f"{tmp_path}/base.toml:2:11: key 'extends': expected " in capsys.readouterr().err


def test_every_game_is_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    games = sorted((ROOT / "dealer_assist" / "procedure" / "games").glob("*.toml"))
    assert assist(["config", "check", *map(str, games)]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{path}: game {path.stem}, in order" for path in games]


@pytest.mark.parametrize("text", ["", "abc", "00" * 31, "zz" * 32])
def test_a_key_that_is_none(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "key").write_text(text)
    (tmp_path / "journal").write_bytes(b"")
    said = refused(assist, f"verify {tmp_path / 'journal'} --key {tmp_path / 'key'}", capsys)
    assert said == f"{tmp_path / 'key'}: expected a public key of 64 hex digits\n"
