"""Checkpoint notes: a signed statement that a chain had this many rows and this root.

The text has the shape of a signed note: origin, size, root in base64, further lines, an empty line, and one
signature line per key: an em dash, the key's name, and base64 of the 4-byte key id and the 64-byte Ed25519
signature over everything up to the empty line.

The journal note names the *number* of seals but not their root, so it is the same whatever the hidden cards
are. The seals note names the journal's size, so neither can be replaced by an older one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import Final

import msgspec
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

ORIGIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,99}")
_ED25519: Final = b"\x01"


class NoteRefused(ValueError):
    """A note that is malformed, unsigned, or not signed by the expected key. ``reason`` is a sentence."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class Checkpoint(msgspec.Struct, frozen=True):
    """Where both chains stood.

    Sizes are last sequence numbers; roots are the hashes of those rows (genesis when 0).
    """

    seq: int
    hand: str
    journal_seq: int
    journal_root: bytes
    seals_seq: int
    seals_root: bytes


def journal_text(origin: str, simulated: bool, at: Checkpoint) -> str:
    """The unsigned journal note, ending in a newline."""
    return _text(
        origin,
        at.journal_seq,
        at.journal_root,
        (f"checkpoint {at.seq}", f"simulated {int(simulated)}", f"seals {at.seals_seq}", f"hand {at.hand}"),
    )


def seals_text(origin: str, simulated: bool, at: Checkpoint) -> str:
    """The unsigned seals note, ending in a newline."""
    return _text(
        f"{origin}/seals",
        at.seals_seq,
        at.seals_root,
        (f"checkpoint {at.seq}", f"simulated {int(simulated)}", f"journal {at.journal_seq}"),
    )


def _text(origin: str, size: int, root: bytes, lines: tuple[str, ...]) -> str:
    return "\n".join((origin, str(size), base64.b64encode(root).decode(), *lines)) + "\n"


def key_id(name: str, public_key: bytes) -> bytes:
    """The 4 bytes by which a signature line names its key."""
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + public_key).digest()[:4]


def sign(text: str, name: str, signing_key: SigningKey | None) -> str:
    """The whole note. Without a key it has no signature line, and says so by that alone."""
    if signing_key is None:
        return text + "\n"
    signature = signing_key.sign(text.encode()).signature
    line = base64.b64encode(key_id(name, bytes(signing_key.verify_key)) + signature).decode()
    return f"{text}\n— {name} {line}\n"


def check(note: str, expected_text: str, name: str, public_key: bytes | None) -> None:
    """Raise :class:`NoteRefused` unless ``note`` says ``expected_text`` and, given a key, carries its signature."""
    text, separator, signatures = note.partition("\n\n")
    if not separator or text + "\n" != expected_text:
        raise NoteRefused("the checkpoint's note does not say what its columns say")
    if public_key is None:
        return
    if not signatures:
        raise NoteRefused("the checkpoint is not signed")
    wanted = key_id(name, public_key)
    for line in signatures.splitlines():
        found = _signature(line, name)
        if found is not None and found[:4] == wanted:
            try:
                VerifyKey(public_key).verify(expected_text.encode(), found[4:])
            except BadSignatureError:
                raise NoteRefused("the checkpoint's signature is wrong") from None
            return
    raise NoteRefused("the checkpoint is signed by another key")


def _signature(line: str, name: str) -> bytes | None:
    parts = line.split(" ")
    if len(parts) != 3 or parts[0] != "—" or parts[1] != name:
        return None
    try:
        raw = base64.b64decode(parts[2], validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if len(raw) == 68 else None
