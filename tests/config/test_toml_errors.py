"""Mistakes in TOML files: each is found, all at once, at its line and column, with what was expected there."""

from __future__ import annotations

import string
import tomllib
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_protocol.toml_errors import ConfigError, Problem, dotted, parse, unreadable


class Antenna(msgspec.Struct, frozen=True):
    zone: str
    power: Annotated[int, msgspec.Meta(ge=1, le=10)] = 5


class Gate(msgspec.Struct, frozen=True, tag="gate", tag_field="role"):
    reader: str


class Reader(msgspec.Struct, frozen=True, tag="reader", tag_field="role"):
    serial: Annotated[str, msgspec.Meta(pattern="^[A-Z]+$", description="a serial number in capitals")]
    antennas: dict[int, Antenna] = {}


class Rules(msgspec.Struct, frozen=True):
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"low: expected at most high ({self.high})")


class Example(msgspec.Struct, frozen=True):
    title: str
    rules: Rules
    mode: Literal["full", "pot", "cards"] = "full"
    speed: Annotated[float, msgspec.Meta(gt=0, le=50)] = 1.0
    on: bool = True
    seats: Annotated[tuple[int, ...], msgspec.Meta(max_length=3)] = ()
    stacks: int | tuple[int, ...] = 0
    port: str | None = None
    pair: tuple[int, str] = (1, "x")
    devices: tuple[Gate | Reader, ...] = ()


GOOD = """\
title = "Ігри"
mode = "pot"

[rules]
low = 1
high = 2
"""


def complaints(text: str) -> list[str]:
    with pytest.raises(ConfigError) as raised:
        parse(text, "x.toml").convert(Example)
    return str(raised.value).split("\n")


def test_a_good_file_is_its_value() -> None:
    value = parse(GOOD, "x.toml").convert(Example)
    assert value == Example("Ігри", Rules(1, 2), "pot")


def test_optional_unions_and_tagged_tables_convert() -> None:
    text = GOOD.replace("[rules]", 'port = "a"\nstacks = [1, 2]\nspeed = 2\npair = [3, "y"]\n[rules]')
    text += '[[devices]]\nrole = "gate"\nreader = "r"\n'
    text += '[[devices]]\nrole = "reader"\nserial = "A"\nantennas.7 = { zone = "z" }\n'
    value = parse(text, "x.toml").convert(Example)
    assert value.devices == (Gate("r"), Reader("A", {7: Antenna("z")}))
    assert (value.port, value.stacks, value.speed, value.pair) == ("a", (1, 2), 2.0, (3, "y"))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (
            ('mode = "pot"', 'mode = "pott"'),
            "x.toml:2:8: key 'mode': expected one of \"cards\", \"full\", \"pot\" (did you mean 'pot'?), found \"pott\"",
        ),
        (("low = 1", "low = true"), "x.toml:5:7: key 'rules.low': expected a whole number, found true"),
        (("low = 1", "low = 3"), "x.toml:5:7: key 'rules.low': expected at most high (2), found 3"),
        (
            ("low = 1", "lowe = 1"),
            "x.toml:4:2: key 'rules.low': expected a whole number, found nothing: the key is missing",
        ),
        (
            ("[rules]", "sped = 1\n[rules]"),
            "x.toml:4:1: key 'sped': expected a known key (did you mean 'speed'?), found an unknown key",
        ),
        (
            ("[rules]", "speed = 0\n[rules]"),
            "x.toml:4:9: key 'speed': expected a number of 50 or less above 0, found 0",
        ),
        (("[rules]", "speed = nan\n[rules]"), "x.toml:4:9: key 'speed': expected a number of 50 or less above 0, found nan"),
        (("[rules]", 'on = "yes"\n[rules]'), "x.toml:4:6: key 'on': expected true or false, found \"yes\""),
        (
            ("[rules]", "seats = [1,\n 2, 'x']\n[rules]"),
            "x.toml:5:5: key 'seats[3]': expected a whole number, found \"x\"",
        ),
        (
            ("[rules]", "seats = [1, 2, 3, 4]\n[rules]"),
            "x.toml:4:9: key 'seats': expected a list of at most 3 entries, found a list of 4",
        ),
        (("[rules]", "seats = 4\n[rules]"), "x.toml:4:9: key 'seats': expected a list of at most 3 entries, found 4"),
        (
            ("[rules]", "stacks = '4'\n[rules]"),
            "x.toml:4:10: key 'stacks': expected a whole number or a list, found \"4\"",
        ),
        (
            ("[rules]", "stacks = [1, '4']\n[rules]"),
            "x.toml:4:14: key 'stacks[2]': expected a whole number, found \"4\"",
        ),
        (("[rules]", "pair = [1]\n[rules]"), "x.toml:4:8: key 'pair': expected a list of 2, found a list of 1"),
        (("[rules]", "port = 1\n[rules]"), "x.toml:4:8: key 'port': expected a text, found 1"),
        (
            ("high = 2", "high = 2\n[[devices]]\nrole = 'gat'"),
            "x.toml:8:8: key 'devices[1].role': expected one of \"gate\", \"reader\", found \"gat\"",
        ),
        (
            ("high = 2", "high = 2\n[[devices]]\nrole = []"),
            "x.toml:8:8: key 'devices[1].role': expected one of \"gate\", \"reader\", found an empty list",
        ),
        (
            ("high = 2", "high = 2\n[[devices]]\nrole = 'gate'\nreader = ''\n[[devices]]\nreader = 'x'"),
            "x.toml:10:3: key 'devices[2].role': expected one of \"gate\", \"reader\", found nothing: the key is missing",
        ),
        (
            ("high = 2", "high = 2\n[[devices]]\nrole = 'reader'\nserial = 'a'"),
            "x.toml:9:10: key 'devices[1].serial': expected a serial number in capitals, found \"a\"",
        ),
        (
            ("high = 2", "high = 2\n[[devices]]\nrole = 'reader'\nserial = 'A'\nantennas.x.zone = ''"),
            "x.toml:10:10: key 'devices[1].antennas.x': expected a whole number as a key, found \"x\"",
        ),
        (
            ("high = 2", "high = 2\n[[devices]]\nrole = 'reader'\nserial = 'A'\n[devices.antennas.1]\nzone = ''\npower = 11"),
            "x.toml:12:9: key 'devices[1].antennas.1.power': expected a whole number from 1 to 10, found 11",
        ),
        (("high = 2", 'high = "' + "9" * 99 + '"'), None),
    ],
)  # fmt: skip
def test_each_mistake_names_its_place(change: tuple[str, str], complaint: str | None) -> None:
    text = GOOD.replace(*change)
    assert text != GOOD
    found = complaints(text)
    if complaint is None:
        assert len(found[0]) < 140, "a long value is cut short"
    else:
        assert complaint in found


def test_an_unlike_key_lists_the_known_ones() -> None:
    (line,) = complaints(GOOD.replace("high = 2", "high = 2\nzzz = 1"))
    assert line == "x.toml:7:1: key 'rules.zzz': expected a known key: low, high, found an unknown key"


def test_all_mistakes_are_told_in_the_order_of_the_file() -> None:
    text = 'titel = "x"\nmode = 3\n[rules]\nlow = 1.5\n'
    assert [line.split(":")[1] for line in complaints(text)] == ["1", "1", "2", "3", "4"]


def test_the_attributes_are_those_of_the_first_mistake() -> None:
    with pytest.raises(ConfigError) as raised:
        parse(GOOD.replace("low = 1", 'low = "é"'), "dir/x.toml").convert(Example)
    error = raised.value
    assert (error.file, error.line, error.column, error.path) == ("dir/x.toml", 5, 7, "rules.low")
    assert (error.expected, error.found) == ("a whole number", '"é"')


def test_columns_count_characters_not_bytes() -> None:
    with pytest.raises(ConfigError) as raised:
        parse('a = { "ключ" = "é", b = 1 }', "x").convert(dict[str, dict[str, str]])
    assert (raised.value.column, raised.value.path) == (25, "a.b")


def test_keys_that_need_quotes_are_shown_with_them() -> None:
    assert dotted(("a", "b c", 0, "ключ", "d")) == 'a."b c"[1]."ключ".d'


@pytest.mark.parametrize(
    ("text", "place", "found"),
    [
        ("a = 1\nb = ?\n", (2, 5), "invalid value"),
        ("a = 1\na = 2\n", (2, 6), "cannot overwrite a value"),
        ("[a]\nb = 1\n[a]\n", (3, 3), "cannot declare ('a',) twice"),
        ('a = """\nb\nc', (3, 2), "unterminated string"),
        ("a", (1, 2), "expected '=' after a key in a key/value pair"),
    ],
)
def test_what_is_not_toml_is_told_with_its_place(text: str, place: tuple[int, int], found: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse(text, "x.toml")
    error = raised.value
    assert (error.line, error.column) == place
    assert (error.expected, error.path) == ("TOML", "")
    assert found in error.found


def test_what_is_not_utf_8_is_told_with_its_place() -> None:
    with pytest.raises(ConfigError) as raised:
        parse("a = 1\nb = 'é".encode() + b"\xff'\n", "x.toml")
    assert str(raised.value) == "x.toml:2:7: expected text in UTF-8, found byte 0xff"


def test_nesting_without_end_is_told() -> None:
    with pytest.raises(ConfigError):
        parse("a = " + "[" * 5000 + "]" * 5000, "x.toml")


def test_a_file_that_cannot_be_read_is_told_the_same_way() -> None:
    error = unreadable("x.toml", FileNotFoundError(2, "No such file or directory"))
    assert str(error) == "x.toml:1:1: expected a readable file, found no such file or directory"


def test_a_file_that_begins_with_a_byte_order_mark_is_read() -> None:
    assert parse(b"\xef\xbb\xbfa = 1", "x").data == {"a": 1}


def test_error_at_names_the_nearest_table_for_a_key_that_is_not_there() -> None:
    document = parse(GOOD, "x.toml")
    assert str(document.error_at(("rules", "cap"), "a cap")) == (
        "x.toml:4:2: key 'rules.cap': expected a cap, found nothing: the key is missing"
    )
    assert str(document.error_at((), "seats", "none")).startswith("x.toml:1:1: expected seats")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('s = """\none\ntwo\n"""\n', [2, 3]),
        ('\n\ns = """one\ntwo"""\n', [3, 4]),
        ("s = '''\none\ntwo\\\nthree'''\n", [2, 3, 4]),
        ('s = """\none \\\n\n   still one\ntwo\\nthree\nfour"""\n', [2, 5, 5, 6]),
        ('s = """\r\none\r\ntwo"""\r\n', [2, 3]),
        ('s = "one\\ntwo"\n', [1, 1]),
        ('s = """\na\\\\\nb"""', [2, 3]),
    ],
)
def test_lines_of_a_long_text_are_lines_of_the_file(text: str, lines: list[int]) -> None:
    document = parse(text, "x.toml")
    assert [document.line_of_text(("s",), index) for index in range(len(lines))] == lines


KEYS = st.text(string.ascii_letters + "0123456789_- .é#\"'", min_size=1, max_size=6)
SCALARS = st.booleans() | st.integers(-(2**40), 2**40) | st.text("ab\n\"'\\é#=[]", max_size=6)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)
TABLES = st.dictionaries(
    KEYS, TREES | st.lists(st.dictionaries(KEYS, SCALARS, min_size=1, max_size=3), min_size=1, max_size=3)
)


def inline(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return msgspec.json.encode(value).decode()
        case list():
            return "[ " + ", ".join(map(inline, value)) + ("\n# c\n]" if len(value) > 1 else "]")
        case dict():
            return "{ " + ", ".join(f"{inline(key)} = {inline(item)}" for key, item in value.items()) + " }"
        case _:
            return str(value)


def written(table: dict[str, Any], path: tuple[str, ...] = ()) -> str:
    """TOML for ``table``, tables as headers where that is possible."""
    pairs, tables = "", ""
    for key, value in table.items():
        header = ".".join(map(inline, (*path, key)))
        if isinstance(value, dict):
            tables += f"\n[ {header} ] # c\n" + written(value, (*path, key))
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            tables += "".join(f"[[{header}]]\n" + written(item, (*path, key)) for item in value)
        else:
            pairs += f"{inline(key)}={inline(value)}\n"
    return pairs + tables


def every_key(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in items for found in [(*path, key), *every_key(item, (*path, key))]]


@given(TABLES)
def test_every_key_of_every_file_has_its_own_place(table: dict[str, Any]) -> None:
    text = written(table)
    document = parse(text, "x.toml")
    assert document.data == table
    lines = text.split("\n")
    for path in every_key(table):
        if isinstance(path[-1], str):
            line, column = document.place(path, key=True)
            assert lines[line - 1][column - 1 :].startswith(inline(path[-1]))
        value: Any = table
        for step in path:
            value = value[step]
        if isinstance(value, bool | int | str):
            line, column = document.place(path)
            assert lines[line - 1][column - 1 :].startswith(inline(value))


@given(st.binary(max_size=80) | st.text("ab=.\"[]{}'#\n\\1,", max_size=60).map(str.encode))
def test_no_bytes_raise_anything_but_an_error_with_a_place(source: bytes) -> None:
    problems: tuple[Problem, ...] = ()
    try:
        parse(source, "x.toml").convert(Example)
    except ConfigError as error:
        problems = error.problems
    lines = source.decode("utf-8", "replace").count("\n") + 1
    assert all(1 <= problem.line <= lines and problem.column >= 1 for problem in problems)


@given(TABLES)
def test_a_file_without_complaint_is_one_that_converts(table: dict[str, Any]) -> None:
    """The check is no laxer than the conversion that follows it: it would raise an error without a place."""
    text = written(table)
    data = tomllib.loads(text)
    for kind in (Example, dict[str, int], dict[str, dict[str, int | str]], dict[int, bool]):
        try:
            parse(text, "x.toml").convert(kind)
        except ConfigError:
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert(data, kind if kind is not Example else Strict, str_keys=True)


class Strict(Example, frozen=True, forbid_unknown_fields=True):
    pass
