"""Does a piece of TOML fit a type? Every mistake in it, by key path and in words, without places.

The types are msgspec's: Structs of plain values, lists, tables and unions. msgspec itself stops at the first mistake and names no
keys of tables; here all are found, a misspelt key gets a hint, and an unknown key is always one.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import inspect

#: Where a key is: names of tables and keys, numbers of list entries (from 0).
KeyPath = tuple[str | int, ...]

_SHOWN_CHARS = 60
_PATH_PREFIX = re.compile(r"^([A-Za-z0-9_.\-]+): (.+)$", re.DOTALL)
_BARE_KEY = re.compile(r"^[A-Za-z0-9_\-]+$")
#: What is found where a key must be and is not.
MISSING = "nothing: the key is missing"


class Wrong(msgspec.Struct, frozen=True):
    """What does not fit at ``path``. ``key``: the key itself is wrong, not its value."""

    path: KeyPath
    expected: str
    found: str
    key: bool = False


def check(kind: type[Any], data: object) -> list[Wrong]:
    """Every mistake of ``data`` as a ``kind``; empty when it converts."""
    checker = _Checker()
    checker.check(inspect.type_info(kind), data, ())
    return checker.wrongs


def dotted(path: KeyPath) -> str:
    """A key path as TOML writes it, list entries in brackets counted from 1: ``devices[2].antennas.1``."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step + 1}]"
        else:
            text += ("." if text else "") + (
                step if _BARE_KEY.match(step) else json.dumps(step, ensure_ascii=False)
            )
    return text


def shown(value: object) -> str:
    """A value as a person would name it in a sentence."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            quoted = json.dumps(value, ensure_ascii=False)
            return quoted if len(quoted) <= _SHOWN_CHARS else quoted[: _SHOWN_CHARS - 2] + '…"'
        case list():
            return "an empty list" if not value else f"a list of {len(value)}"
        case dict():
            return "an empty table" if not value else "a table"
        case _:
            return str(value)[:_SHOWN_CHARS]


def nearest(word: str, known: Iterable[str]) -> str:
    """`` (did you mean 'x'?)`` when a known word is close, else nothing."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def one_of(values: Iterable[object]) -> str:
    """``one of "a", "b"``, or the single value."""
    names = [shown(value) for value in values]
    return names[0] if len(names) == 1 else "one of " + ", ".join(names)


class _Checker:
    """Walks a type and the data beside it and collects what does not fit."""

    def __init__(self) -> None:
        self.wrongs: list[Wrong] = []

    def check(self, kind: inspect.Type, value: Any, path: KeyPath) -> None:
        """Collect what is wrong with ``value`` at ``path``."""
        description: str | None = None
        if isinstance(kind, inspect.Metadata):
            description = (kind.extra_json_schema or {}).get("description")
            kind = kind.type
        match kind:
            case inspect.AnyType():
                pass
            case inspect.UnionType():
                self._check_union(kind, value, path, description)
            case inspect.StructType() if isinstance(value, dict):
                self._check_struct(kind, value, path)
            case inspect.DictType() if isinstance(value, dict):
                self._check_dict(kind, value, path, description)
            case inspect.CollectionType() if isinstance(value, list):
                if not _length_fits(kind, len(value)):
                    self._wrong(path, description or describe(kind), shown(value))
                for index, item in enumerate(value):
                    self.check(kind.item_type, item, (*path, index))
            case inspect.TupleType() if isinstance(value, list):
                if len(value) != len(kind.item_types):
                    self._wrong(path, description or describe(kind), shown(value))
                    return
                for index, (item_kind, item) in enumerate(zip(kind.item_types, value, strict=True)):
                    self.check(item_kind, item, (*path, index))
            case inspect.LiteralType() if isinstance(value, str) and value not in kind.values:
                words = [word for word in kind.values if isinstance(word, str)]
                self._wrong(path, (description or describe(kind)) + nearest(value, words), shown(value))
            case _ if not _scalar_fits(kind, value):
                self._wrong(path, description or describe(kind), shown(value))

    def _wrong(self, path: KeyPath, expected: str, found: str, *, key: bool = False) -> None:
        self.wrongs.append(Wrong(path, expected, found, key))

    def _check_union(
        self, kind: inspect.UnionType, value: Any, path: KeyPath, description: str | None
    ) -> None:
        structs = [
            member
            for member in kind.types
            if isinstance(member, inspect.StructType) and member.tag is not None
        ]
        if isinstance(value, dict) and structs:
            tag_field = structs[0].tag_field or "type"
            tags = {member.tag: member for member in structs}
            tag = value.get(tag_field)
            if isinstance(tag, str | int) and tag in tags:
                self._check_struct(tags[tag], value, path)
            else:
                self._wrong((*path, tag_field), one_of(tags), shown(tag) if tag_field in value else MISSING)
            return
        # TOML has no null: of `X | None` only X can be written.
        members = [member for member in kind.types if not isinstance(member, inspect.NoneType)]
        attempts = []
        for member in members:
            attempt = _Checker()
            attempt.check(member, value, path)
            if not attempt.wrongs:
                return
            attempts.append(attempt.wrongs)
        if len(members) == 1 and description is None:
            self.wrongs += attempts[0]
            return
        # A table or list of the right shape whose inside is wrong is reported inside, not as a wrong whole.
        inside = [wrongs for wrongs in attempts if all(wrong.path != path for wrong in wrongs)]
        if inside:
            self.wrongs += inside[0]
        else:
            expected = description or " or ".join(describe(member) for member in members)
            self._wrong(path, expected, shown(value))

    def _check_struct(self, kind: inspect.StructType, value: dict[str, Any], path: KeyPath) -> None:
        fields = {field.encode_name: field for field in kind.fields}
        before = len(self.wrongs)
        for key in value:
            if key not in fields and key != kind.tag_field:
                rest = [name for name in fields if name not in value]
                expected = f"a known key{nearest(key, rest)}"
                if not nearest(key, rest) and fields:
                    expected = "a known key: " + ", ".join(fields)
                self._wrong((*path, key), expected, "an unknown key", key=True)
        for name, field in fields.items():
            if name in value:
                self.check(field.type, value[name], (*path, name))
            elif field.required:
                self._wrong((*path, name), describe(field.type), MISSING)
        if len(self.wrongs) > before:
            return
        # What the Struct itself says about its fields together. Its parts have passed, so nothing else can fail here.
        try:
            msgspec.convert(value, kind.cls, str_keys=True)
        except msgspec.ValidationError as error:
            reason = error.__cause__ if isinstance(error.__cause__, ValueError) else error
            for line in str(reason).splitlines():
                self._refused(line, value, path)

    def _refused(self, message: str, value: Any, path: KeyPath) -> None:
        match = _PATH_PREFIX.match(message)
        if match:
            message = match[2]
            for step in match[1].split("."):
                number = isinstance(value, list) and step.isdigit()
                path = (*path, int(step) if number else step)
                value = _inside(value, path[-1])
        message = message.removeprefix("expected ")
        expected, separator, found = message.rpartition(", found ")
        if separator:
            self._wrong(path, expected, found)
        else:
            self._wrong(path, message, MISSING if value is None else shown(value))

    def _check_dict(
        self, kind: inspect.DictType, value: Mapping[str, Any], path: KeyPath, description: str | None
    ) -> None:
        if not _length_fits(kind, len(value)):
            self._wrong(path, description or describe(kind), shown(value))
        for key, item in value.items():
            if not _key_fits(kind.key_type, key):
                self._wrong((*path, key), f"{describe(kind.key_type)} as a key", shown(key), key=True)
            self.check(kind.value_type, item, (*path, key))


def _inside(value: Any, step: str | int) -> Any:
    try:
        return value[step]
    except (KeyError, IndexError, TypeError):
        return None


def _length_fits(kind: Any, length: int) -> bool:
    return (kind.min_length or 0) <= length and (kind.max_length is None or length <= kind.max_length)


def _key_fits(kind: inspect.Type, key: str) -> bool:
    bare = kind.type if isinstance(kind, inspect.Metadata) else kind
    if isinstance(bare, inspect.IntType):
        return re.fullmatch(r"0|[1-9][0-9]{0,17}", key) is not None and _scalar_fits(bare, int(key))
    return _scalar_fits(bare, key)


def _scalar_fits(kind: inspect.Type, value: Any) -> bool:
    match kind:
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool) and _in_range(kind, value)
        case inspect.FloatType():
            # nan fits no range and no meaning that a file of ours has.
            return (
                isinstance(value, int | float)
                and not isinstance(value, bool)
                and value == value  # noqa: PLR0124
                and _in_range(kind, value)
            )
        case inspect.StrType():
            return (
                isinstance(value, str)
                and _length_fits(kind, len(value))
                and (kind.pattern is None or re.search(kind.pattern, value) is not None)
            )
        case inspect.LiteralType():
            return any(value == known and type(value) is type(known) for known in kind.values)
        case inspect.StructType() | inspect.DictType() | inspect.CollectionType() | inspect.TupleType():
            return False
        case _:
            raise TypeError(f"no check is written for {type(kind).__name__}")


def _in_range(kind: inspect.IntType | inspect.FloatType, value: float) -> bool:
    return (
        (kind.ge is None or value >= kind.ge)
        and (kind.gt is None or value > kind.gt)
        and (kind.le is None or value <= kind.le)
        and (kind.lt is None or value < kind.lt)
        and (kind.multiple_of is None or value % kind.multiple_of == 0)
    )


def describe(kind: inspect.Type) -> str:
    """What a type asks for, in words: ``a whole number from 1 to 11``."""
    match kind:
        case inspect.Metadata():
            return str((kind.extra_json_schema or {}).get("description") or describe(kind.type))
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "a whole number" + _range_in_words(kind)
        case inspect.FloatType():
            return "a number" + _range_in_words(kind)
        case inspect.StrType():
            return (
                "a text"
                + _length_in_words(kind, "characters")
                + (f" like {kind.pattern}" if kind.pattern else "")
            )
        case inspect.LiteralType():
            return one_of(kind.values)
        case inspect.StructType():
            return "a table"
        case inspect.DictType():
            return "a table" + _length_in_words(kind, "keys")
        case inspect.TupleType():
            return f"a list of {len(kind.item_types)}"
        case inspect.CollectionType():
            return "a list" + _length_in_words(kind, "entries")
        case inspect.UnionType():
            members = [member for member in kind.types if not isinstance(member, inspect.NoneType)]
            return " or ".join(describe(member) for member in members)
        case _:
            return "a value"


def _range_in_words(kind: inspect.IntType | inspect.FloatType) -> str:
    words = []
    if kind.ge is not None and kind.le is not None:
        words.append(f"from {kind.ge} to {kind.le}")
    else:
        words += [f"of {kind.ge} or more"] if kind.ge is not None else []
        words += [f"of {kind.le} or less"] if kind.le is not None else []
    words += [f"above {kind.gt}"] if kind.gt is not None else []
    words += [f"below {kind.lt}"] if kind.lt is not None else []
    words += [f"that {kind.multiple_of} divides"] if kind.multiple_of is not None else []
    return "".join(f" {word}" for word in words)


def _length_in_words(kind: Any, what: str) -> str:
    low, high = kind.min_length, kind.max_length
    if low is not None and high is not None:
        return f" of {low} to {high} {what}" if low != high else f" of {low} {what}"
    if low is not None:
        return f" of at least {low} {what}"
    return f" of at most {high} {what}" if high is not None else ""
