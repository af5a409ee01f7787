"""The pattern of a line of text in which a reader names a tag: what may be in it, and what was found on a line."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

GROUPS: Final = ("antenna", "uid", "event")
UID_SIZES: Final = frozenset((4, 7, 8, 10))
MAX_PATTERN: Final = 200
_SEPARATORS: Final = re.compile(r"[ :.\-]+")
#: A repeat without an end, after a group that holds one: on a long line that nearly fits it may run for hours.
_NESTED: Final = re.compile(r"(?<!\\)[*+](?:[^()\\]|\\.)*\)(?:[*+]|\{\d+,\})")


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
    if _NESTED.search(pattern):
        return "no repeat of a group that repeats something without an end: (…+)+"
    return None


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
