"""What differs between two runs, and what of a hidden identity can be found in one: tags in every notation, faces that nobody saw."""

from __future__ import annotations

import base64
import functools
import re
from collections.abc import Callable, Iterable, Iterator

from tests.secrecy.hands import Dealt
from tests.secrecy.table_run import Left

#: A card as a whole JSON text, the only form in which public cards travel.
_FACE = re.compile(rb'"((?:10|[2-9TJQKA])[cdhs])"')
_NUMBER = re.compile(rb"[0-9]{17,20}")


def differences(first: Left, second: Left) -> set[str]:
    """The parts of two runs that are not the same, byte for byte."""
    parts = {
        "socket": ([line.text for line in first.lines], [line.text for line in second.lines]),
        "log": (first.log, second.log),
        "rows": (first.rows, second.rows),
        "checkpoints": (first.checkpoints, second.checkpoints),
        "seals": (first.seals, second.seals),
    }
    return {name for name, (ours, theirs) in parts.items() if ours != theirs}


# -- tags -----------------------------------------------------------------------------------------------------


def _hex(between: str, upper: bool) -> Callable[[bytes], bytes]:
    def written(uid: bytes) -> bytes:
        text = between.join(f"{byte:02x}" for byte in uid)
        return (text.upper() if upper else text).encode()

    return written


def _base64(before: int) -> Callable[[bytes], bytes]:
    """The characters that a tag alone decides when ``before`` other bytes stand before it in its group of three."""

    def written(uid: bytes) -> bytes:
        text = base64.b64encode(b"\0" * before + uid)
        first = -(-before * 8 // 6)
        return text[first : (before + len(uid)) * 8 // 6]

    return written


_STRAIGHT: dict[str, Callable[[bytes], bytes]] = {
    "bytes": bytes,
    "escaped": lambda uid: repr(uid)[2:-1].encode(),
    **{
        f"hex {'upper' if upper else 'lower'} {between!r}": _hex(between, upper)
        for between in ("", " ", ":", "-", ", 0x")
        for upper in (False, True)
    },
    **{f"base64 +{before}": _base64(before) for before in range(3)},
    "list": lambda uid: ",".join(map(str, uid)).encode(),
    "list spaced": lambda uid: ", ".join(map(str, uid)).encode(),
}

#: Name → how a tag is written so. All but "escaped" and the lists have one length a tag.
FORMS: dict[str, Callable[[bytes], bytes]] = {
    **_STRAIGHT,
    **{
        f"{name} reversed": functools.partial(lambda form, uid: form(uid[::-1]), form)
        for name, form in _STRAIGHT.items()
    },
}


class Tags:
    """Looks for any of many tags at once. They share their first bytes, as the tags of one maker do; that is what is looked for first."""

    def __init__(self, uids: Iterable[bytes]) -> None:
        uids = sorted(uids)
        self._numbers = {
            str(int.from_bytes(uid, order)).encode() for uid in uids for order in ("big", "little")
        }
        self._forms = [(name, *_anchored({form(uid) for uid in uids})) for name, form in FORMS.items()]

    def found(self, content: bytes) -> list[str]:
        """The notations in which a tag stands in ``content``."""
        found = [
            name
            for name, anchor, at_end, written in self._forms
            if any(
                spot in written
                for start in _places(content, anchor)
                for size in {len(text) for text in written}
                for spot in [
                    content[start + len(anchor) - size : start + len(anchor)]
                    if at_end
                    else content[start : start + size]
                ]
            )
        ]
        if any(number in self._numbers for number in _NUMBER.findall(content)):
            found.append("number")
        return found


def _anchored(written: set[bytes]) -> tuple[bytes, bool, frozenset[bytes]]:
    """What all of these begin or end with, whichever is longer, and whether it is the end."""
    head = _common(written)
    tail = _common({text[::-1] for text in written})[::-1]
    anchor = max(head, tail, key=len)
    assert len(anchor) >= 3, "tags that have nothing in common are not found this way"
    return anchor, anchor is tail, frozenset(written)


def _common(texts: set[bytes]) -> bytes:
    """What all texts begin with: what the first and the last in order share."""
    first, last = min(texts), max(texts)
    same = next((at for at, byte in enumerate(first) if at >= len(last) or byte != last[at]), len(first))
    return first[:same]


def _places(content: bytes, anchor: bytes) -> Iterator[int]:
    at = content.find(anchor)
    while at >= 0:
        yield at
        at = content.find(anchor, at + 1)


def tags_in(left: Left, hands: Iterable[Dealt], more: Iterable[tuple[str, bytes]] = ()) -> list[str]:
    """Where a tag of these hands can be read, and how it is written there."""
    tags = Tags(uid for hand in hands for uid in hand.cards)
    places = [
        *left.files,
        ("socket", b"".join(line.text for line in left.lines)),
        ("log", left.log.encode()),
        ("rows", repr(left.rows).encode()),
        *more,
    ]
    return [f"{place}: {form}" for place, content in places for form in tags.found(content)]


# -- faces ----------------------------------------------------------------------------------------------------


def faces_in(left: Left, hands: Iterable[Dealt]) -> list[str]:
    """Where a card stands that nobody at the table could see: by then on the socket, at all in the rows of its hand, ever in the log."""
    hands = list(hands)
    face_up = {hand.name: hand.face_up() for hand in hands}
    face_up[""] = {face for hand in hands for face in hand.drawn()}
    found = [
        f"socket: {face} in {line.hand}"
        for line in left.lines
        for face in _faces(line.text)
        if face not in line.face_up
    ]
    for seq, *_, hand, _simulated, payload, _prev, _hash in left.rows:
        found += [
            f"rows: {face} in row {seq}"
            for face in _faces(str(payload).encode())
            if face not in face_up.get(str(hand), ())
        ]
    return found + [f"log: {face}" for face in _faces(left.log.encode())]


def _faces(content: bytes) -> list[str]:
    return [face.decode() for face in _FACE.findall(content)]
