"""``dealer-assist staff``: the staff file is written and read back, mistakes are told, and a PIN is nowhere but in its hash."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.cli import main
from dealer_assist.config.staff import Person, Staff, as_toml, load_staff, save_staff
from dealer_assist.config.table import ConfigError
from dealer_assist.journal.pins import pin_fits, pin_hash
from firmware_protocol import toml_errors

EXAMPLE = Path(__file__).parents[1] / "docs" / "examples" / "table.toml"
PETAR, OLENA = "9f3c-21b0-77aa", "0042-1111-aaaa"
KEY = bytes(range(32))
READER = '[[devices]]\ntransport = "pcsc"\nrole = "badge"\nserial = "badges"\nreader = "OMNIKEY"\n\n'


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A table's configuration with a reader of badges; there is no staff file yet."""
    text = EXAMPLE.read_text().replace("# badge_key", "badge_key")
    text = text.replace("# [staff]\n# file", "[staff]\nfile").replace(
        "# Whose badge", READER + "# Whose badge"
    )
    (tmp_path / "keys").mkdir()
    (tmp_path / "decks").mkdir()
    for name, content in (
        ("surveillance.pub", "07" * 32),
        ("table.key", "11" * 32),
        ("badge.key", KEY.hex()),
    ):
        (tmp_path / "keys" / name).write_text(content + "\n")
    for name in ("red", "blue"):
        (tmp_path / "decks" / f"{name}.deck").write_text("")
    path = tmp_path / "table.toml"
    path.write_text(text)
    return path


@pytest.fixture
def staff(config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    def run(*words: str, pin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(pin + "\n"))
        code = main(["staff", *words, "--config", str(config)])
        out, error = capsys.readouterr()
        return code, out, error

    return run


def test_people_come_get_a_badge_and_a_pin_and_leave(staff, config: Path) -> None:
    assert staff("add", "40", "Petar D.", "--role", "floor", "--badge", PETAR)[0] == 0
    assert staff("add", "12", "Олена «О.»", "--language", "uk", "--hand", "left", "--badge", OLENA)[0] == 0
    code, out, error = staff("pin", "40", "--stdin", pin="190374")
    assert (code, out, error) == (0, "40 Petar D. has a new PIN\n", "")
    path = config.parent / "staff.toml"
    known = load_staff(path)
    assert [person.number for person in known.staff] == [12, 40]
    petar = known.of_badge(PETAR)
    assert petar is not None and petar.pin is not None and petar.role == "floor"
    assert pin_fits(KEY, PETAR, "190374", petar.pin)
    assert not pin_fits(KEY, OLENA, "190374", petar.pin), "a hash is its badge's"
    assert not pin_fits(bytes(32), PETAR, "190374", petar.pin), "without the key it says nothing"
    assert "190374" not in path.read_text() and path.stat().st_mode & 0o007 == 0
    listed = staff("list")[1]
    assert "Олена «О.»" in listed and "argon2" not in listed
    assert staff("badge", "40", "--badge", "1111-2222-3333")[1].endswith("the PIN has to be set anew\n")
    assert load_staff(path).of_badge("1111-2222-3333").pin is None
    assert staff("retire", "40")[0] == 0
    assert load_staff(path).of_badge("1111-2222-3333") is None
    assert staff("add", "41", "Maria", "--badge", "1111-2222-3333")[0] == 0, (
        "his badge may be somebody else's"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("add", "12", "Other"), "staff number 12: expected a number that nobody has, or has had"),
        (("add", "13", "Olena"), "expected one that nobody else has, found 'Olena' again"),
        (("add", "0", "Nobody"), "staff number: expected 1 to 999999, found 0"),
        (("add", "14", " "), "name: expected 1 to 60 printable characters"),
        (("add", "14", "X", "--badge", "04A1"), 'expected a badge as a table names it, "9f3c-21b0-77aa"'),
        (("add", "14", "X", "--badge", OLENA), f"expected one that nobody has, {OLENA} is Olena's (12)"),
        (("badge", "12"), "badge: expected --badge NAME or --tap"),
        (("pin", "99", "--stdin"), "staff number 99: expected one of those there are: 12, 15"),
        (("pin", "15", "--stdin"), "staff number 15: expected a badge first"),
        (("retire", "99"), "staff number 99: expected one of those there are: 12, 15"),
    ],
)
def test_what_cannot_be_done_is_told(staff, words, said) -> None:
    assert staff("add", "12", "Olena", "--badge", OLENA)[0] == 0
    assert staff("add", "15", "Ivo")[0] == 0
    code, out, error = staff(*words, pin="190374")
    assert (code, out) == (2, "")
    assert said in error


@pytest.mark.parametrize(
    "pin", ["", "12345", "1234567890123", "19o374", "111111", "123456", "987654", "١٢٣٤٥٦"]
)
def test_a_pin_that_is_none_or_too_easy_is_refused_and_not_repeated(staff, pin) -> None:
    staff("add", "12", "Olena", "--badge", OLENA)
    code, out, error = staff("pin", "12", "--stdin", pin=pin)
    assert code == 2 and "PIN: expected" in error
    assert not pin or pin not in out + error


def test_a_mistake_in_the_file_has_its_place(staff, config: Path) -> None:
    path = config.parent / "staff.toml"
    staff("add", "12", "Olena", "--badge", OLENA)
    path.write_text(path.read_text() + f'\n[[staff]]\nnumber = 12\nname = "Ivo"\nbadge = "{OLENA}"\n')
    code, _, error = staff("list")
    assert code == 2
    assert (
        f"{path}:10:10: key 'staff[2].number': expected a number that nobody else has, found 12 again"
        in error
    )
    assert f"{path}:12:9: key 'staff[2].badge': expected a badge that nobody else has" in error


def test_a_table_needs_its_staff_file_and_a_reader_and_a_key(config: Path, capsys) -> None:
    assert main(["config", "check", str(config)]) == 2
    assert "key 'staff.file': expected a readable file" in capsys.readouterr().err
    save_staff(config.parent / "staff.toml", Staff())
    assert main(["config", "check", str(config)]) == 0
    text = config.read_text()
    config.write_text(text.replace(READER, "").replace('badge_key = "', '# badge_key = "'))
    assert main(["config", "check", str(config)]) == 2
    error = capsys.readouterr().err
    assert 'expected a device with role = "badge" beside it: nobody could sign in' in error
    assert "expected badge_key" in error


def test_a_hash_that_asks_for_more_memory_than_we_give_is_not_tried() -> None:
    kept = pin_hash(KEY, PETAR, "190374")
    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    for greedy in (kept.replace("m=19456", "m=4194304"), kept.replace("t=2", "t=900")):
        assert not pin_fits(KEY, PETAR, "190374", greedy)


NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=60)
PEOPLE = st.builds(
    Person,
    number=st.integers(1, 999_999),
    name=NAMES,
    role=st.sampled_from(["dealer", "floor"]),
    language=st.sampled_from([None, "bg", "uk", "ru", "en"]),
    hand=st.sampled_from([None, "left", "right"]),
    retired=st.sampled_from([None, "2026-11-30"]),
)


@given(st.lists(PEOPLE, max_size=4))
def test_whoever_is_on_the_staff_is_read_back_as_written(people: list[Person]) -> None:
    staff = Staff(staff=tuple(people))
    try:
        found = toml_errors.parse(as_toml(staff), "staff.toml").convert(Staff)
    except ConfigError as error:
        raise AssertionError(str(error)) from error
    assert found == staff


def test_a_demo_has_badges_only_where_somebody_can_show_them(capsys, monkeypatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    assert main(["demo", "--badges"]) == 2
    assert "--badges: expected --by-hand" in capsys.readouterr().err
