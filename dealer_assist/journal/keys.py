"""Key files: the hand key in RAM only, the journal's signing key on disk, deck files encrypted at rest.

Random bytes are an argument everywhere; nothing here draws its own.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec
from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_decrypt,
    crypto_aead_xchacha20poly1305_ietf_encrypt,
)
from nacl.exceptions import CryptoError

#: Magic numbers of the two Linux file systems that live in memory (statfs(2)).
TMPFS_MAGIC: Final = 0x01021994
RAMFS_MAGIC: Final = 0x858458F6
KEY_BYTES: Final = 32
NONCE_BYTES: Final = 24
HAND_KEY_FILE: Final = "hand.key"
MAX_KEY_FILE_BYTES: Final = 4096
_DECK_HEAD: Final = b"DADECK1\n"
_SIGNING_HEAD: Final = b"dealer-assist signing key 1\n"


class KeyFileError(Exception):
    """A key file or its folder cannot be used. Carries ``path`` and ``reason``; never key bytes."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path}: {reason}")


class NotRam(KeyFileError):
    """The folder is on a disk: a hand key written there could be read after the power is off."""

    def __init__(self, path: Path, file_system: int) -> None:
        self.file_system = file_system
        super().__init__(
            path,
            f"is not on a RAM file system (type {file_system:#x}, expected tmpfs or ramfs)",
        )


class DeckFileRefused(Exception):
    """A deck file that this key does not open, that was altered, or that is no deck file.

    Carries nothing of its content.
    """


class _HandKey(msgspec.Struct, frozen=True):
    hand: str
    key: bytes

    def __repr__(self) -> str:
        return f"_HandKey({self.hand})"


def file_system_type(descriptor: int) -> int:
    """``f_type`` of the file system under an open descriptor, by fstatfs(2), which the standard library does not offer."""
    libc = ctypes.CDLL(None, use_errno=True)
    # f_type is the first word of struct statfs; the rest is larger on no architecture than this buffer.
    buffer = (ctypes.c_ulong * 64)()
    if libc.fstatfs(descriptor, ctypes.byref(buffer)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return int(buffer[0]) & 0xFFFFFFFF


class RamKeyFile:
    """The key of the running hand, in one file of mode 0600 in a folder of our own on a verified RAM file system."""

    def __init__(self, folder: Path) -> None:
        """Make ``folder`` (mode 0700) if its parent exists.

        Raise :class:`NotRam` or :class:`KeyFileError` when it will not do.
        """
        self.path = Path(folder) / HAND_KEY_FILE
        self._folder = Path(folder)
        with contextlib.suppress(FileExistsError):
            try:
                self._folder.mkdir(mode=0o700)
            except FileExistsError:
                raise
            except OSError as error:
                raise KeyFileError(self._folder, os.strerror(error.errno or 0)) from None
        with self._opened():
            pass

    def write(self, hand: str, key: bytes) -> None:
        """Keep ``key`` (32 bytes) of ``hand``, in place of the one before, which is overwritten."""
        if len(key) != KEY_BYTES:
            raise KeyFileError(self.path, f"the hand key has {len(key)} bytes, expected {KEY_BYTES}")
        content = msgspec.json.encode(_HandKey(hand, key))
        fresh = HAND_KEY_FILE + ".new"
        with self._opened() as folder:
            _wipe(fresh, folder)
            descriptor = os.open(
                fresh,
                os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC,
                0o600,
                dir_fd=folder,
            )
            try:
                _write_all(descriptor, content)
            finally:
                os.close(descriptor)
            # The old file keeps its name until the new one is whole; then its bytes go before its space does.
            old = _open_existing(HAND_KEY_FILE, folder, os.O_WRONLY)
            try:
                os.rename(fresh, HAND_KEY_FILE, src_dir_fd=folder, dst_dir_fd=folder)
                if old is not None:
                    _zero(old)
            finally:
                if old is not None:
                    os.close(old)

    def read(self) -> tuple[str, bytes] | None:
        """(hand, key), or None when there is none.

        Raise :class:`KeyFileError` when others could have read or made it, or it is damaged.
        """
        with self._opened() as folder:
            descriptor = _open_existing(HAND_KEY_FILE, folder, os.O_RDONLY)
            if descriptor is None:
                return None
            try:
                _require_private(self.path, descriptor)
                if os.fstat(descriptor).st_nlink != 1:
                    raise KeyFileError(self.path, "has a second name")
                content = os.read(descriptor, MAX_KEY_FILE_BYTES)
            finally:
                os.close(descriptor)
        try:
            found = msgspec.json.decode(content, type=_HandKey)
        except (msgspec.MsgspecError, UnicodeError):
            raise KeyFileError(self.path, "is damaged") from None
        if len(found.key) != KEY_BYTES:
            raise KeyFileError(self.path, "is damaged")
        return found.hand, found.key

    def erase(self) -> None:
        """Overwrite and remove the key. Nothing to do is no error."""
        with self._opened() as folder:
            _wipe(HAND_KEY_FILE, folder)
            _wipe(HAND_KEY_FILE + ".new", folder)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[int]:
        """The folder's descriptor, proved anew: RAM, a folder, ours, nobody else's. Translates OSError."""
        try:
            folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError as error:
            raise KeyFileError(self._folder, os.strerror(error.errno or 0)) from None
        try:
            kind = file_system_type(folder)
            if kind not in (TMPFS_MAGIC, RAMFS_MAGIC):
                raise NotRam(self._folder, kind)
            _require_private(self._folder, folder)
            yield folder
        except OSError as error:
            raise KeyFileError(self.path, os.strerror(error.errno or 0)) from None
        finally:
            os.close(folder)


def load_or_create_signing_key(path: Path, random_bytes: Callable[[int], bytes]) -> bytes:
    """The table's 32-byte Ed25519 seed at ``path``; made from ``random_bytes(32)``, mode 0600, when there is none.

    Raise :class:`KeyFileError` when others can read it, it is damaged, or it cannot be written. Two processes
    that start at once get the same key.
    """
    path = Path(path)
    try:
        found = _load_signing_key(path)
        if found is not None:
            return found
        fresh = path.with_name(f"{path.name}.new-{os.getpid()}")
        descriptor = os.open(
            fresh,
            os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC,
            0o600,
        )
        try:
            seed = random_bytes(KEY_BYTES)
            if len(seed) != KEY_BYTES:
                raise KeyFileError(path, f"{len(seed)} random bytes for a key, expected {KEY_BYTES}")
            _write_all(descriptor, _SIGNING_HEAD + seed)
            os.fsync(descriptor)
            with contextlib.suppress(FileExistsError):
                os.link(fresh, path)
        finally:
            os.close(descriptor)
            os.unlink(fresh)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        stored = _load_signing_key(path)
    except OSError as error:
        raise KeyFileError(path, os.strerror(error.errno or 0)) from None
    if stored is None:
        raise KeyFileError(path, "was removed while it was being made")
    return stored


def _load_signing_key(path: Path) -> bytes | None:
    descriptor = _open_existing(str(path), None, os.O_RDONLY)
    if descriptor is None:
        return None
    try:
        _require_private(path, descriptor)
        content = os.read(descriptor, MAX_KEY_FILE_BYTES)
    finally:
        os.close(descriptor)
    if not content.startswith(_SIGNING_HEAD) or len(content) != len(_SIGNING_HEAD) + KEY_BYTES:
        raise KeyFileError(path, "is not a signing key")
    return content[len(_SIGNING_HEAD) :]


def encrypt_deck(plain: bytes, key: bytes, nonce: bytes) -> bytes:
    """A deck file for the disk: header, 24-byte nonce, XChaCha20-Poly1305 with the header authenticated.

    ``key`` is the table's 32-byte key; ``nonce`` 24 random bytes, new for every file.
    """
    if len(key) != KEY_BYTES or len(nonce) != NONCE_BYTES:
        raise DeckFileRefused(f"expected a key of {KEY_BYTES} bytes and a nonce of {NONCE_BYTES}")
    return _DECK_HEAD + nonce + crypto_aead_xchacha20poly1305_ietf_encrypt(plain, _DECK_HEAD, nonce, key)


def decrypt_deck(blob: bytes, key: bytes) -> bytes:
    """What :func:`encrypt_deck` was given.

    Raise :class:`DeckFileRefused` for another key or any altered byte.
    """
    start = len(_DECK_HEAD) + NONCE_BYTES
    if len(key) != KEY_BYTES:
        raise DeckFileRefused(f"expected a key of {KEY_BYTES} bytes")
    if not blob.startswith(_DECK_HEAD) or len(blob) < start:
        raise DeckFileRefused("this is not an encrypted deck file")
    try:
        return crypto_aead_xchacha20poly1305_ietf_decrypt(
            blob[start:],
            _DECK_HEAD,
            blob[len(_DECK_HEAD) : start],
            key,
        )
    except (CryptoError, ValueError):
        raise DeckFileRefused("the deck file does not open with this key") from None


def _open_existing(name: str, folder: int | None, flags: int) -> int | None:
    try:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None


def _require_private(path: Path, descriptor: int) -> None:
    """Raise unless only our own user can read or change what is open."""
    found = os.fstat(descriptor)
    if found.st_uid != os.geteuid():
        raise KeyFileError(path, "belongs to another user")
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise KeyFileError(path, f"is open to others (mode {stat.S_IMODE(found.st_mode):04o})")
    if not (stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode)):
        raise KeyFileError(path, "is not a plain file")


def _write_all(descriptor: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def _zero(descriptor: int) -> None:
    size = os.fstat(descriptor).st_size
    os.lseek(descriptor, 0, os.SEEK_SET)
    _write_all(descriptor, bytes(size))


def _wipe(name: str, folder: int) -> None:
    descriptor = _open_existing(name, folder, os.O_WRONLY)
    if descriptor is None:
        return
    try:
        _zero(descriptor)
    finally:
        os.close(descriptor)
    os.unlink(name, dir_fd=folder)
