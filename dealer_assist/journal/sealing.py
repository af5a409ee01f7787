"""Sealing hidden cards to the surveillance public key, at birth.

A seal is a libsodium sealed box of 64 bytes: always 112 bytes, so its length says nothing. The 64 bytes are

    offset  size  field
         0     1  layout version, 1
         1     1  length of the hand's id in bytes
         2    24  hand's id, UTF-8, zeros after it
        26     1  length of the zone's name in bytes
        27    12  zone's name, UTF-8, zeros after it
        39     2  card as rank and suit in ASCII ("Ks"); two zeros when the deck file does not know the tag
        41     1  length of the tag's UID in bytes
        42    10  tag's UID, zeros after it
        52     8  time in milliseconds, signed, big-endian
        60     4  zeros

The ephemeral key of each box comes from libsodium itself and not from the caller: a repeated one would break
the secrecy of two seals, and no unsealed column depends on it.
"""

from __future__ import annotations

import struct
from typing import Final

import msgspec
from nacl.public import PublicKey, SealedBox

from dealer_assist.journal.errors import RowRefused
from dealer_assist.journal.schema import SEAL_BYTES

PLAIN_BYTES: Final = 64
LAYOUT_VERSION: Final = 1
MAX_HAND_BYTES: Final = 24
MAX_ZONE_BYTES: Final = 12
MAX_UID_BYTES: Final = 10

_layout = struct.Struct(f">BB{MAX_HAND_BYTES}sB{MAX_ZONE_BYTES}s2sB{MAX_UID_BYTES}sq4x")
assert _layout.size == PLAIN_BYTES


class SealedCard(msgspec.Struct, frozen=True):
    """What one seal holds. Never printed: its repr names the hand and the zone only."""

    hand: str
    zone: str
    card: str
    uid: bytes
    time_ms: int

    def __repr__(self) -> str:
        return f"SealedCard({self.hand}, {self.zone}, <card>)"

    __str__ = __repr__


def pack(content: SealedCard) -> bytes:
    """The 64 bytes of ``content``; raise :class:`RowRefused` when a field does not fit.

    The message never holds the card or UID.
    """
    hand, zone = content.hand.encode(), content.zone.encode()
    card = content.card.encode()
    if len(hand) > MAX_HAND_BYTES:
        raise RowRefused("hand", f"longer than {MAX_HAND_BYTES} bytes")
    if len(zone) > MAX_ZONE_BYTES:
        raise RowRefused("zone", f"longer than {MAX_ZONE_BYTES} bytes")
    if len(card) not in (0, 2) or not content.card.isascii():
        raise RowRefused("card", "expected rank and suit, or nothing for an unknown tag")
    if len(content.uid) > MAX_UID_BYTES:
        raise RowRefused("uid", f"longer than {MAX_UID_BYTES} bytes")
    if not -(2**63) <= content.time_ms < 2**63:
        raise RowRefused("time_ms", "does not fit 64 bits")
    return _layout.pack(
        LAYOUT_VERSION,
        len(hand),
        hand,
        len(zone),
        zone,
        card,
        len(content.uid),
        content.uid,
        content.time_ms,
    )


def unpack(plain: bytes) -> SealedCard:
    """The content of 64 bytes made by :func:`pack`; raise :class:`RowRefused` on any other bytes."""
    if len(plain) != PLAIN_BYTES:
        raise RowRefused("seal", f"{len(plain)} bytes inside, expected {PLAIN_BYTES}")
    version, hand_size, hand, zone_size, zone, card, uid_size, uid, time_ms = _layout.unpack(plain)
    if version != LAYOUT_VERSION:
        raise RowRefused("seal", f"layout {version}, expected {LAYOUT_VERSION}")
    try:
        content = SealedCard(
            hand=hand[:hand_size].decode(),
            zone=zone[:zone_size].decode(),
            card=card.rstrip(b"\0").decode("ascii"),
            uid=uid[:uid_size],
            time_ms=time_ms,
        )
    except UnicodeDecodeError:
        raise RowRefused("seal", "not text where text belongs") from None
    if pack(content) != plain:
        raise RowRefused("seal", "padding is not zero")
    return content


class Sealer:
    """Seals cards to one public key. It can seal and cannot open."""

    def __init__(self, public_key: bytes) -> None:
        """``public_key``: 32 bytes, X25519, of surveillance. Raise :class:`RowRefused` for anything else."""
        if len(public_key) != PublicKey.SIZE:
            raise RowRefused("public_key", f"{len(public_key)} bytes, expected {PublicKey.SIZE}")
        self._box = SealedBox(PublicKey(public_key))

    def seal(self, hand: str, zone: str, card: str, uid: bytes, time_ms: int) -> bytes:
        """Return the sealed box, 112 bytes.

        ``card`` is "Ks" or "" for a tag that no deck file knows; ``time_ms`` is table time.
        """
        box = bytes(self._box.encrypt(pack(SealedCard(hand, zone, card, uid, time_ms))))
        assert len(box) == SEAL_BYTES
        return box
