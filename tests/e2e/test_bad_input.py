"""What is wrong with a file is told with its place and nothing is changed; what is wrong with a cable or a line does no harm to a hand."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from dealer_assist.demo import program
from tests.e2e.rig import PLURIBUS, ROOT, SCENARIOS, Client, Rig, chosen_hands, refused

pytestmark = [pytest.mark.process, pytest.mark.timeout(180)]

PROCEDURE = ROOT / "dealer_assist" / "procedure"
PRODUCT, SIMULATOR = program("dealer-assist"), program("hw-sim")


def changed(source: Path, target: Path, old: str, new: str) -> Path:
    """A copy of a file with one mistake; the mistake's line is where ``new`` stands."""
    text = source.read_text()
    assert text.count(old) == 1, f"{old!r} in {source}"
    target.write_text(text.replace(old, new))
    return target


def line_of(path: Path, text: str) -> int:
    [number] = [number for number, line in enumerate(path.read_text().splitlines(), start=1) if text in line]
    return number


def said_at(path: Path, place: str | int, said: str) -> None:
    """Every line says file, line and perhaps column, and what was expected; one is about this line, or the line with this text."""
    found = [
        re.fullmatch(rf"{re.escape(str(path))}:(\d+)(?::\d+)?: .*expected .*", line)
        for line in said.splitlines()
    ]
    assert all(found), said
    number = place if isinstance(place, int) else line_of(path, place)
    assert number in [int(line[1]) for line in found if line], said


def everything(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


# -- files of the simulator ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("\nburn\nboard 3\n", "\nbrun\nboard 3\n", "brun"),
        ('house = "seed"', 'house = "sead"', "seed"),
        ("stacks = 200", "stacks = 0", "chips above 0"),
        ("button = 7", "buton = 7", "button"),
    ],
)
def test_a_scenario(tmp_path: Path, old: str, new: str, expected: str) -> None:
    path = changed(SCENARIOS / "clean_showdown.toml", tmp_path / "bad.toml", old, new)
    before = everything(tmp_path)
    said = refused(SIMULATOR, "trace", path, "-o", tmp_path / "out.jsonl")
    assert expected in said
    if "house" not in old:
        said_at(path, new.strip().splitlines()[0], said)
    run = refused(SIMULATOR, "run", path, "--folder", tmp_path / "ports", "--socket", tmp_path / "t.sock")
    assert run == said
    assert everything(tmp_path) == before
    assert not (tmp_path / "ports").exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("variant = 'NT'", "variant = 'PO'"),
        ("antes = [0, 0, 0, 0, 0, 0]", "antes = [0, 0, 0, 0, 0]"),
        ("min_bet = 100", "min_bet = = 100"),
    ],
)
def test_a_hand_history(tmp_path: Path, old: str, new: str) -> None:
    path = changed(chosen_hands(tmp_path, [14]), tmp_path / "bad.phhs", old, new)
    before = everything(tmp_path)
    said_at(path, new, refused(SIMULATOR, "trace", path, "-o", tmp_path / "out.jsonl"))
    assert everything(tmp_path) == before


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    for command in ((SIMULATOR, "trace"), (PRODUCT, "replay"), (PRODUCT, "table"), (PRODUCT, "verify")):
        said = refused(*command, path)
        assert str(path) in said
        assert len(said.splitlines()) == 1
    assert everything(tmp_path) == {}


# -- files of the product ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"action": "raise"', '"action": "razz"'),
        ('"antenna": 12', '"antenna": "twelve"'),
        ('{"t": ', '{"t": ,'),
    ],
)
def test_a_trace(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "bad.jsonl"
    command = [*SIMULATOR, "trace", str(PLURIBUS), "--hands", "1"]
    made = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [json.dumps(json.loads(line)) for line in made.stdout.splitlines()]
    number = next(index for index, line in enumerate(lines) if old in line and index > 0)
    lines[number] = lines[number].replace(old, new)
    path.write_text("\n".join(lines) + "\n")
    said = refused(PRODUCT, "replay", path)
    assert re.match(rf"{re.escape(str(path))}:{number + 1}(:\d+)?: ", said), said
    assert "xpected" in said


@pytest.mark.parametrize(
    ("kind", "source", "old", "new", "expected"),
    [
        # A parameter that is none, a value of another kind; a row that is none.
        ("house", "seed", "exposed_total_misdeal = {", "exposed_total_misdeel = {", "a known key"),
        (
            "house",
            "seed",
            "exposed_total_misdeal = { value = 2",
            'exposed_total_misdeal = { value = "two"',
            "a whole number",
        ),
        ("house", "seed", "\nP7 = {", "\nP77 = {", "a row of the catalogue"),
        # A ruling without a remedy, or with one whose steps nobody would ever see; one that may not say STOP.
        ("house", "seed", '\nA15 = { remedy = "refuse_chips", ', "\nA15 = { ", "A15.remedy"),
        (
            "house",
            "seed",
            '\nF2 = { remedy = "reflop_no_burn"',
            '\nF2 = { remedy = "river_as_turn"',
            "verified",
        ),
        (
            "house",
            "seed",
            '\nA15 = { remedy = "refuse_chips", ',
            '\nA15 = { remedy = "refuse_chips", stop = true, ',
            "may say STOP",
        ),
        ("game", "nlhe", "max_seats = 11", "max_seats = 99", "2 to 11"),
        ("game", "nlhe", 'betting = "no_limit"', 'betting = "no limit"', "did you mean 'no_limit'"),
        # Plans that cannot be dealt: more cards than the deck has, a street that comes twice.
        ("game", "nlhe", "\nhole = 2 ", "\nhole = 5 ", "the plan needs 63"),
        ("game", "nlhe", 'name = "turn"', 'name = "flop"', "each street once"),
    ],
)
def test_a_house_or_a_game(tmp_path: Path, kind: str, source: str, old: str, new: str, expected: str) -> None:
    """The check names the mistake with its place."""
    path = _of_ones_own(tmp_path, kind, source, old, new)
    checked = refused(PRODUCT, "config", "check", path)
    # What is wrong with the plan as a whole is told where it begins.
    streets = path.read_text().splitlines().index("[[street]]") + 1 if "key 'street'" in checked else None
    said_at(path, streets or new.strip(), checked)
    assert expected in checked


def _of_ones_own(folder: Path, kind: str, source: str, old: str, new: str) -> Path:
    """A house or game with one mistake, and a name of its own."""
    path = changed(PROCEDURE / f"{kind}s" / f"{source}.toml", folder / f"{kind}.toml", old, new)
    return changed(path, path, f'name = "{source}"', 'name = "mine"')


@pytest.mark.parametrize(
    ("kind", "source", "old", "new"),
    [
        ("house", "seed", "\nP7 = {", "\nP77 = {"),
        ("game", "nlhe", "max_seats = 11", "max_seats = 99"),
    ],
)
def test_a_table_with_a_bad_house_or_game(kind: str, source: str, old: str, new: str) -> None:
    """A table service that is given the file says the same; it leaves no trace of having been there."""
    with Rig() as rig:
        rig.simulator()
        path = _of_ones_own(rig.folder, kind, source, old, new)
        checked = refused(PRODUCT, "config", "check", path)
        if kind == "house":
            assert refused(PRODUCT, "houses", "check", path) == checked
        named = {"house": 'house = "seed"', "game": 'game = "nlhe"'}[kind]
        rig.write_config(lambda text: text.replace(named, f'{kind} = "{kind}.toml"'))
        before = everything(rig.folder)
        assert refused(PRODUCT, "table", rig.config, "--simulate") == checked
        assert everything(rig.folder) == before


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"board"', '"bord"', "board"),
        ("big_blind = 2", 'big_blind = "two"', "number"),
        ("[journal]", "[jurnal]", "journal"),
        ("surveillance.pub", "surveillance.key", "a readable file"),
        ("seats = [1, 2, 3, 4, 5, 6, 7, 8, 9]", "seats = [1, 2, 3, 4, 5, 6, 7, 8, 8]", "a seat once"),
    ],
)
def test_a_table(old: str, new: str, expected: str) -> None:
    with Rig() as rig:
        rig.simulator()
        rig.write_config(lambda text: text.replace(old, new))
        before = everything(rig.folder)
        said = refused(PRODUCT, "table", rig.config, "--simulate")
        assert expected in said
        said_at(rig.config, new, said)
        assert everything(rig.folder) == before


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (lambda text: text.replace('"deck"', "deck", 1), r":2:\d+: .*expected"),
        (lambda text: text.replace('"Ks"', '"Kx"', 1), r": cards, entry \d+: expected a card"),
        (lambda text: re.sub(r'  "[0-9A-Fa-f]+": "2c",?\n', "", text), r": .*expected"),
        (lambda text: text.replace("true", "false", 1), r": simulated: "),
    ],
)
def test_a_deck(spoil: Callable[[str], str], expected: str) -> None:
    """A deck file in the clear names every hidden card: the refusal tells the place, never a card."""
    with Rig() as rig:
        rig.simulator()
        rig.write_config()
        deck = rig.folder / "deck.json"
        text = deck.read_text()
        assert spoil(text) != text
        deck.write_text(spoil(text))
        before = everything(rig.folder)
        said = refused(PRODUCT, "table", rig.config, "--simulate")
        assert re.match(re.escape(str(deck)) + expected, said), said
        assert not any(uid in said for uid in json.loads(text)["cards"])
        assert "Kx" not in said
        assert everything(rig.folder) == before


def test_a_second_service_for_the_same_table() -> None:
    with Rig() as rig:
        _, service = rig.table()
        client = rig.client()
        rig.until(lambda: set(client.lamps().values()) == {"ok"}, "the lamps")
        seq = client.seq
        said = refused(PRODUCT, "table", rig.config, "--simulate")
        assert str(rig.socket) in said or str(rig.journal.parent) in said
        assert service.alive()
        client.screen()
        assert client.seq == seq
        assert rig.client().fact("table")["simulated"]
        assert service.stop() == 0
        assert "sound" in rig.verified()


# -- cables and lines ----------------------------------------------------------------------------------------------------------------


def noisy_flop(folder: Path) -> Path:
    """The clean hand, with time for mischief before and after the flop."""
    text = (SCENARIOS / "clean_showdown.toml").read_text()
    path = folder / "clean_showdown.toml"
    path.write_text(text.replace("\nburn\nboard 3\n", "\nwait 5s\nburn\nboard 3\nwait 20s\n"))
    return path


def street_is(client: Client, street: str) -> bool:
    return client.fact("hand").get("street") == street


def test_noise_on_the_lines_is_counted_and_does_no_harm() -> None:
    with Rig(speed=10) as rig:
        simulator, service = rig.table(noisy_flop(rig.folder))
        client = rig.client()
        devices = [device["serial"] for device in rig.devices()["devices"]]
        for street in ("preflop", "flop", "turn"):
            rig.until(partial(street_is, client, street), street, simulator)
            for device in devices:
                rig.control("garbage", device=device, count=700)
        rig.played(simulator)
        assert service.stop() == 0
        log = service.out + service.err
        for device in devices:
            noise = [line for line in log.splitlines() if "device_line_faults" in line and device in line]
            counted = re.search(r"'?garbage_bytes'?[:=] ?(\d+)", noise[-1]) if noise else None
            assert counted is not None, log
            assert int(counted[1]) >= 3 * 690  # all but the zeros, which end frames
        assert "sound" in rig.verified()


def test_a_reader_pulled_out_in_mid_hand_is_seen_lost_and_the_hand_goes_on() -> None:
    with Rig(speed=10) as rig:
        simulator, service = rig.table(noisy_flop(rig.folder))
        client = rig.client()
        reader = rig.devices()["devices"][0]["serial"]
        rig.until(lambda: street_is(client, "flop"), "the flop", simulator)
        rig.control("pause")
        rig.control("unplug", device=reader)
        rig.until(lambda: client.lamps()[reader] == "lost", "the lamp", service)
        rig.control("plug", device=reader)
        rig.until(lambda: client.lamps()[reader] == "ok", "the lamp", service)
        rig.control("resume")
        rig.played(simulator)
        assert service.stop() == 0
        assert "sound" in rig.verified()
