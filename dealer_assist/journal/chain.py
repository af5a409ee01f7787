"""The hash chain: what one row's hash covers, byte for byte.

Each hash is SHA-256 over a label, the hash before it, a head of fixed size with every number and the length
of every text, and then the texts. With the lengths in front, no two different rows have the same bytes.
Numbers are big-endian, seq and times 8 bytes signed, the flag 1 byte, lengths 4 bytes; texts are UTF-8.

    row    "v1row"   prev  seq t_mono_ns t_utc_ns simulated |kind| |name| |hand| |payload|
                     kind name hand payload
    seal   "v1seal"  prev  seq |hand| |box|  hand box
    first  "v1first"       |chain| |origin|  chain origin

``first`` is the ``prev`` of the first row: it binds the chain to its table and origin.
"""

from __future__ import annotations

import struct
from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 32

_row_head = struct.Struct(">qqq?IIII").pack
_seal_head = struct.Struct(">qII").pack
_first_head = struct.Struct(">II").pack


def genesis(chain: str, origin: str) -> bytes:
    """Return the ``prev`` of the first row of ``chain`` ("rows" or "seals") in a journal of ``origin``."""
    name, whose = chain.encode(), origin.encode()
    return sha256(b"".join((b"v1first", _first_head(len(name), len(whose)), name, whose))).digest()


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
    """Return the hash of a journal row that follows ``prev`` (32 bytes)."""
    kind_, name_, hand_ = kind.encode(), name.encode(), hand.encode()
    head = _row_head(seq, t_mono_ns, t_utc_ns, simulated, len(kind_), len(name_), len(hand_), len(payload))
    return sha256(b"".join((b"v1row", prev, head, kind_, name_, hand_, payload))).digest()


def seal_hash(prev: bytes, seq: int, hand: str, box: bytes) -> bytes:
    """Return the hash of a seal that follows ``prev`` (32 bytes)."""
    hand_ = hand.encode()
    return sha256(b"".join((b"v1seal", prev, _seal_head(seq, len(hand_), len(box)), hand_, box))).digest()
