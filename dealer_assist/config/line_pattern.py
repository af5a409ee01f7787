"""The pattern of a line of text in which a reader names a tag: what may be in it, and what was found on a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

GROUPS: Final = ("antenna", "uid", "event")
UID_SIZES: Final = frozenset((4, 7, 8, 10))
MAX_PATTERN: Final = 200
_SEPARATORS: Final = re.compile(r"[ :.\-]+")
#: A repeat of something whose length may vary is tried in every way there is: so much of a line it may take at most.
_MAX_VARIED: Final = 40


class Read(NamedTuple):
    """A line that fits. ``antenna`` None: the line names none; ``uid`` None: nor a tag; ``event``: what is said of it, or ""."""

    antenna: int | None
    uid: bytes | None
    event: str


def pattern_mistake(pattern: str) -> str | None:
    """What was expected of a pattern in place of this one, or None."""
    if len(pattern) > MAX_PATTERN:
        return f"a pattern of at most {MAX_PATTERN} characters"
    try:
        groups = re.compile(pattern, re.ASCII).groupindex
    except re.error as error:
        where = "" if error.pos is None else f" at character {error.pos + 1}"
        return f"a regular expression: {error.msg}{where}"
    other = [name for name in groups if name not in GROUPS]
    if other:
        return f"groups of the names antenna, uid and event only, not {other[0]!r}"
    if "uid" not in groups:
        return "a group (?P<uid>…) where the tag's UID stands"
    if _runs_away(_parser.parse(pattern)):
        return "no repeat without an end of a group whose length may vary: on a line that nearly fits it may run for hours"
    return None


def _runs_away(parsed: Any) -> bool:
    """Whether a repeat may be tried in so many ways that a line of 120 characters takes hours. ``parsed``: of Python's own parser."""
    for code, what in parsed:
        name = str(code)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            _, most, inner = what
            least_width, most_width = inner.getwidth()
            varied = least_width != most_width or any(str(inside) == "BRANCH" for inside, _ in _all(inner))
            if varied and most * most_width > _MAX_VARIED:
                return True
        if any(_runs_away(part) for part in _parts(what)):
            return True
    return False


def _parts(what: Any) -> Iterator[Any]:
    """The patterns within a part of a pattern."""
    if isinstance(what, _parser.SubPattern):
        yield what
    elif isinstance(what, list | tuple):
        for each in what:
            yield from _parts(each)


def _all(parsed: Any) -> Iterator[tuple[Any, Any]]:
    for code, what in parsed:
        yield code, what
        for part in _parts(what):
            yield from _all(part)


def read_uid(text: str) -> bytes | None:
    """Hex digits, with or without spaces, colons, points or dashes between the bytes; None when that is no UID.

    Between separators a byte may have lost its leading zero, as Arduino's ``Serial.print(byte, HEX)`` writes it.
    """
    parts = [part for part in _SEPARATORS.split(text.strip()) if part]
    if len(parts) > 1 and all(len(part) <= 2 for part in parts):
        text = "".join(part.zfill(2) for part in parts)
    else:
        text = "".join(part if len(part) % 2 == 0 else "?" for part in parts)
    try:
        uid = bytes.fromhex(text)
    except ValueError:
        return None
    return uid if len(uid) in UID_SIZES else None


class LinePattern:
    """A pattern that is right (:func:`pattern_mistake`); a whole line must fit it, but for spaces around."""

    def __init__(self, pattern: str) -> None:
        self._compiled = re.compile(pattern, re.ASCII)

    def read(self, line: str) -> Read | None:
        """What a line says; None when it does not fit or its UID is none."""
        found = self._compiled.fullmatch(line.strip())
        if found is None:
            return None
        groups = {name: text for name, text in found.groupdict().items() if text is not None}
        antenna = groups.get("antenna")
        if antenna is not None and not antenna.isdigit():
            return None
        uid = None
        if "uid" in groups:
            uid = read_uid(groups["uid"])
            if uid is None:
                return None
        return Read(None if antenna is None else int(antenna), uid, groups.get("event", ""))
