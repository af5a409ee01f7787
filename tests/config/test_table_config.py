"""A table's configuration: the example holds, and each mistake is told with its place and expectation."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.composition import table_rules
from dealer_assist.config.files import ConfigError, load, read_hex_key
from dealer_assist.config.table import PcscDevice, SerialDevice, TableConfig, load_table_config
from dealer_assist.domain.table import Limits

EXAMPLE = (Path(__file__).parents[2] / "docs" / "examples" / "table.toml").read_text(encoding="utf-8")
SIMULATION = '\n[simulation]\nfolder = "ports"\npcsc_socket = "pcscd.comm"\nspeed = 4\n'
HOUSES = ("seed", "roberts")
GAMES = ("nlhe",)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which everything lies that the example names."""
    for name in ("keys/surveillance.pub", "keys/table.key", "decks/red.deck", "decks/blue.deck"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("0f" * 32 + "\n")
    return tmp_path


def loaded(folder: Path, text: str, *, simulate: bool = False) -> TableConfig:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return load_table_config(path, simulate=simulate, houses=HOUSES, games=GAMES)


def complaints(folder: Path, text: str, *, simulate: bool = False) -> list[str]:
    before = sorted(path.name for path in folder.rglob("*"))
    with pytest.raises(ConfigError) as raised:
        loaded(folder, text, simulate=simulate)
    after = sorted(path.name for path in folder.rglob("*") if path.name != "table.toml")
    assert [name for name in before if name != "table.toml"] == after, "a bad file changes nothing"
    return [line.removeprefix(f"{folder}/") for line in str(raised.value).split("\n")]


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_the_example_is_in_order(folder: Path) -> None:
    config = loaded(folder, EXAMPLE)
    assert (config.table.name, config.house, config.game) == ("Table 7", "seed", "nlhe")
    assert config.stakes() == Limits(100, 200, 0, chips=(25, 100, 500, 2500))
    assert config.seats == tuple(range(1, 10))
    assert config.simulation is None


def test_what_the_example_says_is_the_default_is_the_default(folder: Path) -> None:
    spare = "\n".join(
        line for line in EXAMPLE.split("\n") if "default: " not in line or "default: none" in line
    )
    assert spare != EXAMPLE
    sparse = loaded(folder, spare)
    full = loaded(folder, EXAMPLE)
    for part in ("house", "game", "entry", "tracking", "zones", "log"):
        assert getattr(sparse, part) == getattr(full, part)
    assert sparse.devices[0] == full.devices[0]
    assert sparse.devices[2] == full.devices[2]
    assert sparse.table.language == full.table.language


@pytest.mark.parametrize(
    ("tracking", "entry", "plays"),
    [
        ("pot", "every_action", "every_action"),
        ("full", "by_exception", "by_exception"),
        ("cards", "every_action", "by_exception"),
    ],
)
def test_a_table_tracks_what_its_file_says(folder: Path, tracking: str, entry: str, plays: str) -> None:
    text = EXAMPLE.replace('tracking = "full"', f'tracking = "{tracking}"')
    config = loaded(folder, text.replace('entry = "every_action"', f'entry = "{entry}"'))
    rules = table_rules(config)
    assert (rules.tracking, rules.entry) == (tracking, plays)


def test_names_of_files_are_made_absolute_from_the_file_itself(folder: Path) -> None:
    config = loaded(folder, EXAMPLE)
    assert config.keys.surveillance_public_key == str(folder / "keys/surveillance.pub")
    assert config.journal.folder == str(folder / "journal")
    assert config.socket == str(folder / "run/table-7.sock")
    assert [deck.file for deck in config.decks] == [
        str(folder / "decks/red.deck"),
        str(folder / "decks/blue.deck"),
    ]


def test_antennas_by_device_and_number(folder: Path) -> None:
    antennas = loaded(folder, EXAMPLE.replace('10 = "board"', '10 = "board1", 11 = "board2"')).antennas()
    assert antennas["TR-000123", 3] == "seat3"
    assert antennas["TR-000123", 10] == antennas["TR-000123", 11] == "board"
    assert antennas["gate", 1] == "gate"
    assert len(antennas) == 9 + 2 + 1 + 1


def test_the_second_and_the_third_board_have_antennas_of_their_own(folder: Path) -> None:
    boards = EXAMPLE.replace('10 = "board"', '10 = "board", 21 = "board2", 22 = "board3"')
    antennas = loaded(folder, boards).antennas()
    assert [antennas["TR-000123", number] for number in (10, 21, 22)] == ["board", "board2", "board3"]
    five = ", ".join(f'{20 + number} = "board{number}"' for number in range(1, 6))
    antennas = loaded(folder, EXAMPLE.replace('10 = "board"', five)).antennas()
    assert {antennas["TR-000123", 20 + number] for number in range(1, 6)} == {"board"}


def test_folders_and_antennas_of_devices_are_filled_in(folder: Path) -> None:
    plain = EXAMPLE.replace('folder = "/dev/serial/by-id"', "")
    reader, shuffler, gate = loaded(folder, plain).devices
    assert isinstance(reader, SerialDevice)
    assert isinstance(shuffler, SerialDevice)
    assert isinstance(gate, PcscDevice)
    assert (reader.folder, shuffler.folder) == ("/dev/serial/by-id", "/dev/serial/by-id")
    assert (shuffler.transport, gate.transport, gate.antennas) == ("serial", "pcsc", {1: "gate"})
    reader = loaded(folder, plain + SIMULATION, simulate=True).devices[0]
    assert isinstance(reader, SerialDevice)
    assert reader.folder == str(folder / "ports")


def test_simulated_devices_need_the_flag(folder: Path) -> None:
    text = EXAMPLE + SIMULATION
    config = loaded(folder, text, simulate=True)
    assert config.simulation is not None
    assert config.simulation.speed == 4.0
    assert config.simulation.pcsc_socket == str(folder / "pcscd.comm")
    line = line_of(text, "\n[simulation]") + 1
    (complaint,) = complaints(folder, text)
    assert complaint == (
        f"table.toml:{line}:2: key 'simulation': expected no simulated devices, or the flag --simulate, "
        "found simulated devices"
    )


def test_the_flag_alone_simulates_nothing(folder: Path) -> None:
    assert loaded(folder, EXAMPLE, simulate=True).simulation is None


@pytest.mark.parametrize("place", ["/tmp/ports", "/dev/serial/../shm/ports", "ports"])
def test_ports_elsewhere_than_udev_puts_them_need_the_flag(folder: Path, place: str) -> None:
    text = EXAMPLE.replace('folder = "/dev/serial/by-id"', f'folder = "{place}"')
    (complaint,) = complaints(folder, text)
    assert "key 'devices[1].folder': expected a folder below /dev/serial" in complaint
    loaded(folder, text, simulate=True)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            "small_blind = 100",
            "small_blind = 300",
            "15: key 'limits.small_blind': expected at most the big blind of 200, found 300",
        ),
        ("big_blind = 200", "big_blind = 0", "13: key 'limits.big_blind': expected a whole number from 1 to 1000000000000, found 0"),
        ("ante = 0 ", "ante = -1 ", "8: key 'limits.ante': expected a whole number from 0 to 1000000000000, found -1"),
        (
            'house = "seed"',
            'house = "sead"',
            "9: key 'house': expected one of \"roberts\", \"seed\" or a .toml file (did you mean 'seed'?), found \"sead\"",
        ),
        ('game = "nlhe"', 'game = "plo"', "8: key 'game': expected \"nlhe\" or a .toml file, found \"plo\""),
        ('game = "nlhe"', 'game = "plo.toml"', "8: key 'game': expected a readable file, found no such file or directory"),
        (
            'entry = "every_action"',
            'entry = "all"',
            "9: key 'entry': expected one of \"by_exception\", \"every_action\", found \"all\"",
        ),
        ('language = "en"', 'language = "de"', "12: key 'table.language': expected one of \"bg\", \"en\", \"ru\", \"uk\", found \"de\""),
        ("seats = [1, 2, 3", "seats = [1, 2, 2", "16: key 'seats[3]': expected a seat once, found 2 again"),
        ("max_seats = 9", "max_seats = 6", None),
        (
            '10 = "board"',
            '10 = "bord"',
            "shoe, check, button or badge (did you mean 'board'?), found \"bord\"",
        ),
        (
            '10 = "board"',
            '10 = "seat1"',
            "key 'devices[1].antennas.10': expected one antenna a zone, found \"seat1\", which antenna 1 of TR-000123 reads",
        ),
        ('10 = "board"', '10 = "seat11"', 'expected a seat of the table: 1, 2, 3, 4, 5, 6, 7, 8, 9, found "seat11"'),
        ('10 = "board"', '10 = "gate"', "key 'devices[3].antennas.1': expected one antenna a zone, found \"gate\", which antenna 10 of"),
        ('10 = "board"', 'ten = "board"', 'expected a whole number from 0 to 255 as a key, found "ten"'),
        (
            'serial = "SH-000045"',
            'serial = "TR-000123"',
            "10: key 'devices[2].serial': expected a serial number that no other device has, found \"TR-000123\" again",
        ),
        (
            'serial = "SH-000045"',
            'serial = "../../tty"',
            "key 'devices[2].serial': expected 1 to 64 letters, digits and . _ : - that begin with a letter or digit",
        ),
        (
            'serial = "SH-000045"',
            'serial = "SH-000045"\nantennas = { 1 = "stub" }',
            "12: key 'devices[2].antennas': expected no antennas at a shuffler: it reports counts and states, found a table",
        ),
        ('role = "shuffler"', 'role = "reader"', "3: key 'devices[2].antennas': expected which zone each antenna reads"),
        ('transport = "pcsc"', 'transport = "usb"', "key 'devices[3].transport': expected one of \"serial\", \"pcsc\", found \"usb\""),
        ("scan_period_ms = 0 ", "baud = 9600 ", "1: key 'devices[3].baud': expected a known key"),
        ("baud = 115200", "baud = 115201", "key 'devices[1].baud': expected one of 9600, 19200,"),
        ("arrive_reads = 2", "arrive_reads = 0", "16: key 'zones.arrive_reads': expected a whole number from 1 to 10, found 0"),
        ("red.deck", "green.deck", "8: key 'decks[1].file': expected a readable file, found no such file or directory"),
        ("red.deck", "blue.deck", "8: key 'decks[2].file': expected a deck file once"),
        ("keys/table.key", "keys", "13: key 'keys.table_key': expected a readable file, found is a directory"),
        ("surveillance.pub", "other.pub", "27: key 'keys.surveillance_public_key': expected a readable file"),
        ('folder = "journal"', 'folder = "table.toml"', "10: key 'journal.folder': expected a folder, found something else"),
        ('name = "Table 7"', 'name = ""', "8: key 'table.name': expected a name of 1 to 60 characters, found \"\""),
        ('format = "console"', 'format = "xml"', "10: key 'log.format': expected one of \"console\", \"json\", found \"xml\""),
        ("[zones]", "[zone]", "2: key 'zone': expected a known key (did you mean 'zones'?), found an unknown key"),
    ],
)  # fmt: skip
def test_each_mistake_is_told_with_its_place(folder: Path, old: str, new: str, complaint: str | None) -> None:
    text = EXAMPLE.replace(old, new, 1)
    assert text != EXAMPLE
    found = complaints(folder, text)
    if complaint is None:
        assert "key 'seats': expected at most 6 seats (limits.max_seats), found 9" in found[0]
        return
    if complaint[0].isdigit():
        # The mistake is in the line that was changed, or in the line that repeats it.
        start, end = line_of(EXAMPLE, old), line_of(EXAMPLE, old) + new.count("\n")
        near = range(start - 2, end + 4)
        assert any(f":{complaint}" in line and int(line.split(":")[1]) in near for line in found), found
    else:
        assert any(complaint in line for line in found), found


def test_a_key_file_that_is_no_key_is_told_without_its_content(folder: Path) -> None:
    (folder / "keys/surveillance.pub").write_text("secret")
    (complaint,) = complaints(folder, EXAMPLE)
    assert complaint.endswith(
        "expected a file with a public key of 64 hex digits, found something else in it"
    )


SECURED = 'serial = "TR-000123"\nkeys = { 3 = "keys/reader.key", 4 = "keys/next.key" }'


def with_device_keys(folder: Path) -> str:
    for name in ("reader.key", "next.key"):
        (folder / "keys" / name).write_text("1e" * 32 + "\n")
    return EXAMPLE.replace('serial = "TR-000123"', SECURED, 1)


def test_keys_of_a_device_by_their_numbers(folder: Path) -> None:
    reader, shuffler, _ = loaded(folder, with_device_keys(folder)).devices
    assert isinstance(reader, SerialDevice)
    assert isinstance(shuffler, SerialDevice)
    assert reader.keys == {3: str(folder / "keys/reader.key"), 4: str(folder / "keys/next.key")}
    assert shuffler.keys == {}


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("3 =", "300 =", "expected a whole number from 1 to 255"),
        ("reader.key", "lost.key", "key 'devices[1].keys.3': expected a readable file, found no such file"),
        ("next.key", "reader.key", "expected a key that no other device and number has"),
        ("next.key", "../table.toml", "key 'devices[1].keys.4': expected a file with a key of 64 hex digits"),
    ],
)
def test_mistakes_in_keys_of_a_device(folder: Path, old: str, new: str, complaint: str) -> None:
    text = with_device_keys(folder).replace(old, new, 1)
    found = complaints(folder, text)
    assert any(complaint in line for line in found), found
    assert "1e1e" not in "".join(found)


def test_a_socket_path_that_the_system_would_cut_is_told(folder: Path) -> None:
    (complaint,) = complaints(folder, EXAMPLE.replace("run/table-7.sock", "x" * 108))
    assert "key 'socket': expected a socket whose whole path has at most 107 bytes" in complaint


def test_many_mistakes_are_told_at_once(folder: Path) -> None:
    text = EXAMPLE.replace("small_blind = 100", "small_blind = 300").replace("red.deck", "green.deck")
    assert len(complaints(folder, text)) == 2


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"table\.toml:1:1: expected a readable file, found no such file"):
        load(tmp_path / "table.toml", TableConfig)


def test_a_file_without_end_is_not_read_to_its_end() -> None:
    with pytest.raises(ConfigError, match="expected a file of at most"):
        load(Path("/dev/zero"), TableConfig)


def test_a_relative_path_of_the_file_will_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded(folder, EXAMPLE)
    monkeypatch.chdir(folder)
    config = load_table_config(Path("table.toml"), simulate=False, houses=HOUSES, games=GAMES)
    assert Path(config.journal.folder) == folder / "journal"
    assert Path(config.socket).is_absolute()


@pytest.mark.parametrize(
    "content", ["", "0f" * 31, "0f" * 33, "0f" * 16 + " " + "0f" * 16, "zz" * 32, "ы" * 32]
)
def test_a_key_file_is_exactly_its_digits(tmp_path: Path, content: str) -> None:
    path = tmp_path / "key"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"^expected 64 hex digits$"):
        read_hex_key(path)


def test_a_key_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("0F" * 32 + "\n")
    assert read_hex_key(path) == b"\x0f" * 32


def test_houses_and_games_are_by_default_those_that_are_shipped(folder: Path) -> None:
    loaded(folder, EXAMPLE)
    path = folder / "table.toml"
    assert load_table_config(path, simulate=False).house == "seed"
    path.write_text(EXAMPLE.replace('house = "seed"', 'house = "nowhere"'), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"key 'house': expected .*\"seed\""):
        load_table_config(path, simulate=False)


def test_a_set_that_only_fills_gaps_is_no_house_of_a_table(folder: Path) -> None:
    loaded(folder, EXAMPLE)
    path = folder / "table.toml"
    path.write_text(EXAMPLE.replace('house = "seed"', 'house = "practice"'), encoding="utf-8")
    with pytest.raises(
        ConfigError, match=r"key 'house': expected one of (?!.*\"practice\".*found).*found \"practice\""
    ):
        load_table_config(path, simulate=False)
