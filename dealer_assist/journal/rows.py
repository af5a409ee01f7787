"""What is handed to the journal, and what it takes."""

from __future__ import annotations

import functools
from typing import Final, Literal

import msgspec

from dealer_assist.journal.errors import RowRefused

Kind = Literal["input", "event", "mark"]
KINDS: Final = frozenset(("input", "event", "mark"))
MAX_NAME_CHARS: Final = 100


def canonical(value: object) -> bytes:
    """``value`` as canonical JSON: UTF-8, keys sorted, no spaces. Structs by field name."""
    return msgspec.json.encode(value, order="sorted")


class Row(msgspec.Struct, frozen=True):
    """One row to store: an ``input``, an ``event`` decided from it, or a ``mark`` (``hand_closed``, …).

    ``hand`` is the hand's id, or empty. ``payload`` is JSON without any hidden card; it is stored in
    canonical form.
    """

    kind: Kind
    name: str
    hand: str
    payload: bytes

    @classmethod
    def of(cls, kind: Kind, name: str, hand: str, value: object) -> Row:
        """A row whose payload is ``value`` as canonical JSON."""
        return cls(kind, name, hand, canonical(value))


def checked_payload(row: Row) -> bytes:
    """The row's payload in canonical form.

    Raise :class:`RowRefused` for anything that cannot be stored and read back the same.
    """
    if row.kind not in KINDS:
        raise RowRefused("kind", "expected input, event or mark")
    if not row.name:
        raise RowRefused("name", "is empty")
    check_text("name", row.name)
    check_text("hand", row.hand)
    try:
        return canonical(msgspec.json.decode(row.payload))
    except (msgspec.MsgspecError, UnicodeError, OverflowError, RecursionError):
        raise RowRefused("payload", f"of {row.name} is not JSON") from None


@functools.lru_cache(maxsize=1024)
def check_text(field: str, text: str) -> None:
    """Raise :class:`RowRefused` unless ``text`` is short, printable and has a UTF-8 form."""
    if len(text) > MAX_NAME_CHARS or not (text.isprintable() and _encodable(text)):
        raise RowRefused(field, f"expected at most {MAX_NAME_CHARS} printable characters")


def _encodable(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)
