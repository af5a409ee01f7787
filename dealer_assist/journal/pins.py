"""PINs as Argon2id hashes, and the one way in which badge and PIN are checked today.

libsodium's Argon2id comes with the PyNaCl that the journal needs anyway (docs/dependencies.md). A PIN has few digits: whoever had its hash
could try them all, so what is hashed is not the PIN but a keyed digest of badge and PIN. Without the key of badges a staff file says
nothing, and a hash that is copied from one person to another opens nothing.
"""

from __future__ import annotations

import hmac
from typing import Final

from nacl.exceptions import CryptoError
from nacl.pwhash import argon2id

from dealer_assist.config.staff import Person

#: One lane, two passes, 19 MiB: what the OWASP Password Storage Cheat Sheet asks of Argon2id at least. RFC 9106 section 4 prefers 3 passes
#: over 64 MiB in four lanes; libsodium has one lane, and a table service has 80 MB in all. A hash says what it was made with, so
#: that these figures may be raised at any time; those made before stay good.
PASSES: Final = 2
MEMORY_BYTES: Final = 19 * 1024 * 1024
#: No hash of ours costs more: a file that asks for more is not let take the table's memory.
MOST_MEMORY_KIB: Final = 64 * 1024
MOST_PASSES: Final = 10


def _keyed(key: bytes, badge: str, pin: str) -> bytes:
    return hmac.digest(key, b"pin\0" + badge.encode() + b"\0" + pin.encode(), "sha256")


def pin_hash(key: bytes, badge: str, pin: str) -> str:
    """The hash of a badge's PIN, with a salt of its own from the system."""
    return argon2id.str(_keyed(key, badge, pin), PASSES, MEMORY_BYTES).rstrip(b"\0").decode()


def pin_fits(key: bytes, badge: str, pin: str, kept: str) -> bool:
    """Whether this PIN is the one that was hashed. Takes tens of milliseconds; the time does not depend on the PIN."""
    if not _affordable(kept):
        return False
    try:
        return bool(argon2id.verify(kept.encode(), _keyed(key, badge, pin)))
    except CryptoError:
        return False


def _affordable(kept: str) -> bool:
    """Whether a hash asks for no more time and memory than we ever gave one."""
    memory, passes, _lanes = (part.split("=")[1] for part in kept.split("$")[3].split(","))
    return int(memory) <= MOST_MEMORY_KIB and int(passes) <= MOST_PASSES


class UidAndPin:
    """Badges by their UIDs, which can be copied, and a PIN (see :class:`dealer_assist.table.floor.check.BadgeCheck`)."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def prove(self, person: Person, pin: str) -> bool:
        """Whether the PIN is his."""
        return (
            person.badge is not None
            and person.pin is not None
            and pin_fits(self._key, person.badge, pin, person.pin)
        )
