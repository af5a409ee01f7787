"""The secured session: both sides prove that they have the device's key, and every frame is encrypted and authenticated.

Keys are made of the pre-shared key and of what both sides said when the session began, so that no two sessions have the same.
HMAC-SHA256 makes keys and proofs, ChaCha20-Poly1305 (RFC 8439) seals frames; libsodium has both on the firmware side.
What it answers and what it does not: spec.md, section 6.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from nacl.bindings import (
    crypto_aead_chacha20poly1305_ietf_decrypt,
    crypto_aead_chacha20poly1305_ietf_encrypt,
)
from nacl.exceptions import CryptoError

from firmware_protocol.frames import SECURED, SECURED_BYTES, SEQ_MASK
from firmware_protocol.messages import Message, encode
from firmware_protocol.wire import RANDOM_BYTES

KEY_BYTES: Final = 32
_LABEL: Final = b"table protocol 1 secured session"
_COUNTER_BYTES: Final = 4
_HEAD_BYTES: Final = 3 + _COUNTER_BYTES
MAX_FRAMES: Final = 1 << 31
"""Frames that a session may seal; long before that a host begins a new one."""


class BadKeys(ValueError):
    """Keys that no session can have. ``key_id``: the one that is wrong."""

    def __init__(self, key_id: int) -> None:
        self.key_id = key_id
        super().__init__(f"key {key_id}: expected {KEY_BYTES} bytes under a number from 1 to 255")


def checked(keys: Mapping[int, bytes] | None) -> dict[int, bytes]:
    """The keys of a device by their numbers; raise :class:`BadKeys`."""
    found = dict(keys or {})
    for key_id, key in found.items():
        if not 1 <= key_id <= 0xFF or len(key) != KEY_BYTES:
            raise BadKeys(key_id)
    return found


class KeyRing:
    """The keys that one side has for a device, by their numbers, and where its random bytes come from. Raises ``BadKeys``, ``ValueError``.

    ``random`` gives so many random bytes; only who has no keys needs none. A ring without keys is false: nothing is secured then.
    """

    def __init__(self, keys: Mapping[int, bytes] | None, random: Callable[[int], bytes] | None) -> None:
        self._keys = checked(keys)
        if self._keys and random is None:
            raise ValueError("who has keys needs random bytes")
        self._random = random

    def __bool__(self) -> bool:
        return bool(self._keys)

    def __contains__(self, key_id: int) -> bool:
        return key_id in self._keys

    @property
    def newest(self) -> int:
        """The highest number: what a device asks for."""
        return max(self._keys)

    def nonce(self) -> bytes:
        """Random bytes, as many as a challenge or an answer has."""
        assert self._random is not None
        return self._random(RANDOM_BYTES)

    def session_keys(
        self, request: Message, identify: Message, key_id: int, challenge: bytes, answer: bytes
    ) -> SessionKeys:
        """The keys of the session that these five began. Only with a key of that number."""
        opening = Opening(encode(request), encode(identify), key_id, challenge, answer)
        return session_keys(self._keys[key_id], opening)

    def __repr__(self) -> str:
        return f"KeyRing({len(self._keys)} keys)"


class Opening(msgspec.Struct, frozen=True):
    """What both sides said in the clear when a session began; all of it goes into the keys.

    ``request`` and ``identify``: those messages as they were on the wire, so that nobody can have changed a version, what was
    acknowledged, or who the device is. ``challenge`` and ``answer``: the device's and the host's random bytes.
    """

    request: bytes
    identify: bytes
    key_id: int
    challenge: bytes
    answer: bytes

    def transcript(self) -> bytes:
        """The same for both sides exactly when they saw the same."""
        digest = hashlib.sha256(_LABEL)
        for part in (self.request, self.identify, bytes((self.key_id,)), self.challenge, self.answer):
            digest.update(len(part).to_bytes(2, "big") + part)
        return digest.digest()

    def __repr__(self) -> str:
        return f"Opening(key_id={self.key_id})"


class SessionKeys(msgspec.Struct, frozen=True):
    """The keys of one session, one a direction, and what each side shows the other to prove that it has them."""

    from_host: bytes
    from_device: bytes
    host_proof: bytes
    device_proof: bytes

    def of_host(self, nonce: int) -> Channel:
        """The host's end of the session of this nonce."""
        return Channel(nonce & SEQ_MASK, seal_key=self.from_host, open_key=self.from_device)

    def of_device(self, nonce: int) -> Channel:
        """The device's end of the session of this nonce."""
        return Channel(nonce & SEQ_MASK, seal_key=self.from_device, open_key=self.from_host)

    def __repr__(self) -> str:
        return "SessionKeys()"


def session_keys(key: bytes, opening: Opening) -> SessionKeys:
    """The keys that follow from the pre-shared ``key`` and ``opening``."""
    secret = hmac.digest(key, opening.transcript(), "sha256")

    def derived(purpose: bytes) -> bytes:
        return hmac.digest(secret, purpose, "sha256")

    return SessionKeys(
        derived(b"from host"),
        derived(b"from device"),
        derived(b"proof of host")[:RANDOM_BYTES],
        derived(b"proof of device")[:RANDOM_BYTES],
    )


def proves(expected: bytes, proof: bytes) -> bool:
    """Whether a proof is the right one, compared in constant time."""
    return hmac.compare_digest(expected, proof)


class Channel:
    """Seals the bodies of one side and opens those of the other. A frame that came once, or an older one, is not opened again."""

    def __init__(self, session: int, *, seal_key: bytes, open_key: bytes) -> None:
        self._start = bytes((SECURED,)) + session.to_bytes(2, "big")
        self._seal_key = seal_key
        self._open_key = open_key
        self._sealed = 0
        self._opened = 0

    @property
    def sealed(self) -> int:
        """Frames sealed in this session."""
        return self._sealed

    def seal(self, body: bytes) -> bytes:
        """The secured body that holds ``body``."""
        self._sealed += 1
        if self._sealed >= MAX_FRAMES:
            raise OverflowError("a session of so many frames should have been replaced by a new one")
        head = self._start + self._sealed.to_bytes(_COUNTER_BYTES, "big")
        sealed = crypto_aead_chacha20poly1305_ietf_encrypt(body, head, _nonce(head), self._seal_key)
        return head + bytes(sealed)

    def open(self, secured: bytes) -> bytes | None:
        """The body in a secured one; None when it was not sealed by the other side, or is not newer than the last."""
        head = secured[:_HEAD_BYTES]
        counter = int.from_bytes(head[3:], "big")
        if len(secured) <= SECURED_BYTES or counter <= self._opened or not head.startswith(self._start):
            return None
        try:
            body = crypto_aead_chacha20poly1305_ietf_decrypt(
                secured[_HEAD_BYTES:], head, _nonce(head), self._open_key
            )
        except CryptoError:
            return None
        self._opened = counter
        return bytes(body)

    def __repr__(self) -> str:
        return f"Channel(sealed={self._sealed})"


def _nonce(head: bytes) -> bytes:
    """12 bytes that no other frame of this key has."""
    return bytes(12 - _COUNTER_BYTES) + head[3:]
