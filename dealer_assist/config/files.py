"""TOML files from the disk: tables, houses, games. The places of mistakes come from :mod:`firmware_protocol.toml_errors`."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypeVar

from firmware_protocol.toml_errors import ConfigError, Document, parse, unreadable

__all__ = ["ConfigError", "load", "read", "read_hex_key"]

T = TypeVar("T")

#: No file of ours comes near this. A larger one is a mistake (a journal, a disk image) and is not read into memory.
MAX_FILE_BYTES: Final = 4 * 1024 * 1024


def read(path: Path) -> Document:
    """A TOML file that parses; raise :class:`ConfigError` when it cannot be read or is not TOML."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise unreadable(str(path), error) from None
    if len(content) > MAX_FILE_BYTES:
        raise Document(str(path), "", {}).error_at(
            (), f"a file of at most {MAX_FILE_BYTES} bytes", "a larger one"
        )
    return parse(content, str(path))


def load(path: Path, kind: type[T]) -> T:
    """A TOML file as a ``kind``; raise :class:`ConfigError` with the place of every mistake."""
    return read(path).convert(kind)


def read_hex_key(path: Path, size: int = 32) -> bytes:
    """A key file: ``size`` bytes as hex digits on one line. Raise OSError, or ValueError whose text holds nothing of the file."""
    with path.open("rb") as file:
        # A little more than is needed, so that a longer file is seen to be one.
        content = file.read(size * 2 + 64).strip()
    try:
        key = bytes.fromhex(content.decode("ascii"))
    except ValueError:
        key = b""
    if len(key) != size or len(content) != size * 2:
        raise ValueError(f"expected {size * 2} hex digits")
    return key
