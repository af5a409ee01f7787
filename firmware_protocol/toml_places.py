"""Where every key and value of a TOML text is written.

The standard library's parser gives values without places. The syntax tree of the same text gives the places; both walk the text
in the same order, so that a key path of the one is a key path of the other.
"""

from __future__ import annotations

import tomllib
from typing import NamedTuple

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

_LANGUAGE = Language(tree_sitter_toml.language())
_KEYS = ("bare_key", "quoted_key")


class Place(NamedTuple):
    """A place in a text: line and column from 1, the column in characters."""

    line: int
    column: int


class Places:
    """The places of one text. Paths are names of keys and numbers of list entries (from 0)."""

    def __init__(self, text: str) -> None:
        self._source = text.encode()
        self._lines = self._source.split(b"\n")
        self._keys: dict[tuple[str | int, ...], Node] = {}
        self._values: dict[tuple[str | int, ...], Node] = {}
        #: How many entries each list of tables has so far.
        self._entries: dict[tuple[str | int, ...], int] = {}
        # A Parser is cheap, and one each keeps this safe on any thread. The tree must outlive its nodes.
        self._tree = Parser(_LANGUAGE).parse(self._source)
        self._walk_tables(self._tree.root_node)

    def of(self, path: tuple[str | int, ...], *, key: bool = False) -> Place:
        """The place of the value at ``path``, or of its key; of what is nearest around it when ``path`` is not written."""
        first, second = (self._keys, self._values) if key else (self._values, self._keys)
        for length in range(len(path), 0, -1):
            node = first.get(path[:length]) or second.get(path[:length])
            if node is not None:
                row, column = node.start_point
                return Place(row + 1, len(self._lines[row][:column].decode("utf-8", "replace")) + 1)
        return Place(1, 1)

    def line_of_text(self, path: tuple[str | int, ...], index: int) -> int:
        """The line that holds line ``index`` (from 0) of the text at ``path``, by the rules of TOML's long strings."""
        node = self._values.get(path)
        if node is None or node.text is None:
            return self.of(path).line
        raw = node.text.decode("utf-8", "replace")
        line = node.start_point[0] + 1
        if raw[:3] not in ('"""', "'''"):
            return line
        escapes = raw[0] == '"'
        at = 3
        # A line break right after the opening quotes is no part of the text.
        for opening in ("\r\n", "\n"):
            if raw.startswith(opening, at):
                at += len(opening)
                line += 1
                break
        produced = 0
        while at < len(raw) - 3 and produced < index:
            character = raw[at]
            at += 1
            if character == "\n":
                line += 1
                produced += 1
            elif character == "\\" and escapes:
                folded = len(raw[at:]) - len(raw[at:].lstrip(" \t\r\n"))
                if "\n" in raw[at : at + folded]:
                    # A backslash at the end of a line: the text goes on at the next character that shows.
                    line += raw.count("\n", at, at + folded)
                    at += folded
                else:
                    produced += raw[at] == "n"
                    at += 1
        return line

    def _walk_tables(self, document: Node) -> None:
        for node in document.named_children:
            if node.type == "pair":
                self._walk_pair(node, ())
            elif node.type in {"table", "table_array_element"}:
                header, *body = node.named_children
                path = self._table_path(header, is_entry=node.type == "table_array_element")
                for child in body:
                    if child.type == "pair":
                        self._walk_pair(child, path)

    def _table_path(self, header: Node, *, is_entry: bool) -> tuple[str | int, ...]:
        """The path of the table that ``header`` opens; within a list of tables that is its latest entry."""
        names = _names(header)
        path: tuple[str | int, ...] = ()
        for position, (name, node) in enumerate(names):
            path = (*path, name)
            self._keys.setdefault(path, node)
            last = position == len(names) - 1
            if last and is_entry:
                index = self._entries.get(path, 0)
                self._entries[path] = index + 1
                path = (*path, index)
                self._keys.setdefault(path, node)
            elif path in self._entries:
                path = (*path, self._entries[path] - 1)
        return path

    def _walk_pair(self, pair: Node, table: tuple[str | int, ...]) -> None:
        children = [child for child in pair.named_children if child.type != "comment"]
        if len(children) < 2:
            return
        path = table
        for name, node in _names(children[0]):
            path = (*path, name)
            self._keys.setdefault(path, node)
        self._walk_value(children[1], path)

    def _walk_value(self, node: Node, path: tuple[str | int, ...]) -> None:
        self._values.setdefault(path, node)
        if node.type == "inline_table":
            for child in node.named_children:
                if child.type == "pair":
                    self._walk_pair(child, path)
        elif node.type == "array":
            entries = [child for child in node.named_children if child.type != "comment"]
            for index, child in enumerate(entries):
                self._walk_value(child, (*path, index))


def _names(node: Node) -> list[tuple[str, Node]]:
    """The keys of a possibly dotted key, from left to right."""
    if node.type in _KEYS:
        return [(_name(node), node)]
    return [name for child in node.named_children for name in _names(child)]


def _name(node: Node) -> str:
    text = (node.text or b"").decode("utf-8", "replace")
    if node.type == "bare_key":
        return text
    # The parser of the standard library unquotes keys exactly as it does when it reads the whole text.
    return next(iter(tomllib.loads(f"{text} = 0")))
