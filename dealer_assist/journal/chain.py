"""The hash chain: what one row's hash covers, byte for byte.

Every field is written as its length (4 bytes, big-endian) and its bytes, so no two different rows have the same encoding. Integers are
8 bytes, big-endian, two's complement. The first row's ``prev`` is the genesis hash, which binds the chain to its table and origin.

    row   SHA-256( "v1" "row"  prev seq t_mono_ns t_utc_ns kind simulated name hand payload )
    seal  SHA-256( "v1" "seal" prev seq hand box )
    first SHA-256( "v1" "first" chain origin )
"""

from __future__ import annotations

import hashlib
import struct
from typing import Final

HASH_BYTES: Final = 32
VERSION: Final = b"v1"


def _field(value: bytes) -> bytes:
    return len(value).to_bytes(4, "big") + value


_ROW_HEAD: Final = _field(VERSION) + _field(b"row") + HASH_BYTES.to_bytes(4, "big")
_SEAL_HEAD: Final = _field(VERSION) + _field(b"seal") + HASH_BYTES.to_bytes(4, "big")
#: seq, t_mono_ns, t_utc_ns, each with its length before it
_pack_numbers = struct.Struct(">IqIqIq").pack
_pack_number = struct.Struct(">Iq").pack
_SIMULATED: Final = (_field(b"\x00"), _field(b"\x01"))


def genesis(chain: str, origin: str) -> bytes:
    """The ``prev`` of the first row of ``chain`` ("rows" or "seals") in a journal of ``origin``."""
    return hashlib.sha256(
        _field(VERSION) + _field(b"first") + _field(chain.encode()) + _field(origin.encode()),
    ).digest()


def row_hash(
    prev: bytes,
    seq: int,
    t_mono_ns: int,
    t_utc_ns: int,
    kind: str,
    simulated: bool,
    name: str,
    hand: str,
    payload: bytes,
) -> bytes:
    """The hash of a journal row that follows ``prev`` (32 bytes)."""
    text_kind, text_name, text_hand = kind.encode(), name.encode(), hand.encode()
    return hashlib.sha256(
        b"".join(
            (
                _ROW_HEAD,
                prev,
                _pack_numbers(8, seq, 8, t_mono_ns, 8, t_utc_ns),
                len(text_kind).to_bytes(4, "big"),
                text_kind,
                _SIMULATED[simulated],
                len(text_name).to_bytes(4, "big"),
                text_name,
                len(text_hand).to_bytes(4, "big"),
                text_hand,
                len(payload).to_bytes(4, "big"),
                payload,
            ),
        ),
    ).digest()


def seal_hash(prev: bytes, seq: int, hand: str, box: bytes) -> bytes:
    """The hash of a seal that follows ``prev`` (32 bytes)."""
    return hashlib.sha256(
        b"".join((_SEAL_HEAD, prev, _pack_number(8, seq), _field(hand.encode()), _field(box))),
    ).digest()
