"""TOML files as typed values, and the place of every wrong key or value in them.

Every TOML kind of the project (table, house, game, scenario, message declarations) goes through here, so that each mistake is
reported the same way: file, line and column, what was expected there, what was found. All mistakes of a file are reported at
once. Nothing here opens a file: the caller passes its bytes and the name to call it by.

    table = parse(path.read_bytes(), str(path)).convert(TableConfig)
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from firmware_protocol.toml_check import MISSING, KeyPath, check, dotted, shown
from firmware_protocol.toml_places import Place, Places

T = TypeVar("T")

_AT_LINE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_AT_END = " (at end of document)"


class Problem(msgspec.Struct, frozen=True):
    """One mistake. ``line`` and ``column`` count from 1, columns in characters; ``path`` is empty where no key is meant."""

    line: int
    column: int
    path: str
    expected: str
    found: str

    def sentence(self) -> str:
        """The mistake without its place."""
        key = f"key {self.path!r}: " if self.path else ""
        return f"{key}expected {self.expected}, found {self.found}"


class ConfigError(Exception):
    """A file that cannot be used as it is. ``problems`` has every mistake in the order of the file, at least one.

    Prints as one line a mistake: ``file:line:column: key 'x.y': expected …, found …``.
    """

    def __init__(self, file: str, problems: Iterable[Problem]) -> None:
        self.file = file
        self.problems = tuple(
            sorted(problems, key=lambda problem: (problem.line, problem.column, problem.path))
        )
        super().__init__(file, self.problems)

    def __str__(self) -> str:
        return "\n".join(
            f"{self.file}:{problem.line}:{problem.column}: {problem.sentence()}" for problem in self.problems
        )

    @property
    def line(self) -> int:
        """Line of the first mistake."""
        return self.problems[0].line

    @property
    def column(self) -> int:
        """Column of the first mistake."""
        return self.problems[0].column

    @property
    def path(self) -> str:
        """Key path of the first mistake."""
        return self.problems[0].path

    @property
    def expected(self) -> str:
        """What the first mistake should have been."""
        return self.problems[0].expected

    @property
    def found(self) -> str:
        """What was there instead."""
        return self.problems[0].found


class Document:
    """A TOML file that parses: its raw ``data``, and the place of each key in ``file``."""

    def __init__(self, file: str, text: str, data: dict[str, Any]) -> None:
        self.file = file
        self.data = data
        self._text = text
        self._places = Places(text)

    def with_data(self, data: dict[str, Any]) -> Document:
        """The same file with other data: where it builds on another file. What is not written here is placed at the table around it."""
        return Document(self.file, self._text, data)

    def beside(self, name: str) -> str:
        """What another file is called that this one names: a path that ends in .toml goes from this file's folder."""
        folder, slash, _ = self.file.rpartition("/")
        return f"{folder}{slash}{name}" if name.endswith(".toml") and not name.startswith("/") else name

    def place(self, path: KeyPath, *, key: bool = False) -> Place:
        """The place of the value at ``path``, or of its key; of the nearest table around it when it is not written."""
        return self._places.of(path, key=key)

    def line_of_text(self, path: KeyPath, index: int) -> int:
        """The line of the file that holds line ``index`` (from 0) of the text at ``path``: scripts within a scenario."""
        return self._places.line_of_text(path, index)

    def problem(
        self, path: KeyPath, expected: str, found: str | None = None, *, key: bool = False
    ) -> Problem:
        """A mistake at ``path``; ``found`` is the value there unless given. ``key``: the key is wrong, not its value."""
        place = self.place(path, key=key)
        return Problem(
            place.line, place.column, dotted(path), expected, self._found(path) if found is None else found
        )

    def error_at(self, path: KeyPath, expected: str, found: str | None = None) -> ConfigError:
        """The error for a single mistake at ``path``."""
        return ConfigError(self.file, (self.problem(path, expected, found),))

    def convert(self, kind: type[T]) -> T:
        """The data as a ``kind``; raise :class:`ConfigError` with every wrong, missing or unknown key.

        A ``ValueError`` that a Struct raises in ``__post_init__`` is placed by its text: ``some.key: expected …`` names a
        key of that Struct, any other text the Struct itself; each line of the text is a mistake of its own.
        """
        wrongs = check(kind, self.data)
        if wrongs:
            raise ConfigError(
                self.file,
                [self.problem(wrong.path, wrong.expected, wrong.found, key=wrong.key) for wrong in wrongs],
            )
        return msgspec.convert(self.data, kind, str_keys=True)

    def _found(self, path: KeyPath) -> str:
        value: Any = self.data
        for step in path:
            try:
                value = value[step]
            except (KeyError, IndexError, TypeError):
                return MISSING
        return shown(value)


def parse(source: bytes | str, file: str) -> Document:
    """Read TOML; raise :class:`ConfigError` with the place of what is not TOML (or not UTF-8)."""
    if isinstance(source, bytes):
        try:
            text = source.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            before = source[: error.start]
            line = before.count(b"\n") + 1
            column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
            found = f"byte 0x{source[error.start]:02x}"
            raise ConfigError(file, (Problem(line, column, "", "text in UTF-8", found),)) from None
    else:
        text = source
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(file, (_not_toml(text, str(error)),)) from None
    except RecursionError:
        raise ConfigError(
            file, (Problem(1, 1, "", "lists and tables nested less deep", "too many levels"),)
        ) from None
    return Document(file, text, data)


def refuse(mistakes: Iterable[str]) -> None:
    """Raise the ``ValueError`` of a Struct's ``__post_init__`` with all that it finds wrong, each led by its key, if anything."""
    told = "\n".join(mistakes)
    if told:
        raise ValueError(told)


def unreadable(file: str, error: OSError) -> ConfigError:
    """The error for a file that the caller could not read."""
    return ConfigError(file, (Problem(1, 1, "", "a readable file", (error.strerror or str(error)).lower()),))


def _not_toml(text: str, message: str) -> Problem:
    lines = text.splitlines() or [""]
    line, column = len(lines), len(lines[-1]) + 1
    if match := _AT_LINE.search(message):
        line, column = int(match[1]), int(match[2])
        message = message[: match.start()]
    message = message.removesuffix(_AT_END)
    return Problem(line, column, "", "TOML", f"a mistake in it: {message[:1].lower()}{message[1:]}")
