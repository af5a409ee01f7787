"""Texts, random bytes, UIDs and lists of UIDs, for the generated codec. ``at`` is where a value begins; readers return where it ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from firmware_protocol.errors import BadField, WrongSize

MIN_UID: Final = 4
MAX_UID: Final = 10
"""Bytes of a UID: ISO 14443A has 4, 7 or 10, ISO 15693 has 8."""
RANDOM_BYTES: Final = 16
"""Bytes of a challenge, an answer or a proof."""
_PRINTABLE: Final = frozenset(range(0x20, 0x7F))


def write_text(text: str, limit: int, message: str, field: str) -> bytes:
    """A text of at most ``limit`` characters."""
    if len(text) <= limit and text.isascii():
        data = text.encode("ascii")
        if _PRINTABLE.issuperset(data):
            return bytes((len(data),)) + data
    raise BadField(message, field, f"at most {limit} characters of printable ASCII")


def read_text(data: bytes, at: int, limit: int, message: str, field: str) -> tuple[str, int]:
    """The text at ``at``."""
    text, end = _read_bytes(data, at, message)
    if len(text) > limit or not _PRINTABLE.issuperset(text):
        raise BadField(message, field, f"at most {limit} characters of printable ASCII")
    return text.decode("ascii"), end


def write_bytes16(data: bytes, message: str, field: str) -> bytes:
    """16 bytes."""
    if len(data) != RANDOM_BYTES:
        raise BadField(message, field, f"{RANDOM_BYTES} bytes")
    return data


def read_bytes16(data: bytes, at: int, message: str, field: str) -> tuple[bytes, int]:
    """The 16 bytes at ``at``."""
    end = at + RANDOM_BYTES
    if end > len(data):
        raise WrongSize(message, len(data))
    return data[at:end], end


def write_uid(uid: bytes, message: str, field: str) -> bytes:
    """A UID, most significant byte first."""
    size = len(uid)
    if not MIN_UID <= size <= MAX_UID:
        raise BadField(message, field, f"{MIN_UID} to {MAX_UID} bytes")
    return bytes((size,)) + uid


def read_uid(data: bytes, at: int, message: str, field: str) -> tuple[bytes, int]:
    """The UID at ``at``."""
    uid, end = _read_bytes(data, at, message)
    if not MIN_UID <= len(uid) <= MAX_UID:
        raise BadField(message, field, f"{MIN_UID} to {MAX_UID} bytes")
    return uid, end


def write_uids(uids: Iterable[bytes], limit: int, message: str, field: str) -> bytes:
    """At most ``limit`` UIDs."""
    written = [write_uid(uid, message, field) for uid in uids]
    if len(written) > limit:
        raise BadField(message, field, f"at most {limit} UIDs")
    return bytes((len(written),)) + b"".join(written)


def read_uids(data: bytes, at: int, limit: int, message: str, field: str) -> tuple[tuple[bytes, ...], int]:
    """The UIDs at ``at``."""
    if at >= len(data):
        raise WrongSize(message, len(data))
    count = data[at]
    if count > limit:
        raise BadField(message, field, f"at most {limit} UIDs")
    at += 1
    uids = []
    for _ in range(count):
        uid, at = read_uid(data, at, message, field)
        uids.append(uid)
    return tuple(uids), at


def _read_bytes(data: bytes, at: int, message: str) -> tuple[bytes, int]:
    size = len(data)
    if at < size:
        end = at + 1 + data[at]
        if end <= size:
            return data[at + 1 : end], end
    raise WrongSize(message, size)
