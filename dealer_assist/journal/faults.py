"""What SQLite and the system say when something fails, as the journal's own errors."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path
from typing import Final

from dealer_assist.journal.errors import JournalCorrupt, JournalError, JournalFull, JournalUnavailable

_SYSTEM_REASONS: Final = {
    errno.EACCES: "readonly",
    errno.EPERM: "readonly",
    errno.EROFS: "readonly",
    errno.ENOENT: "cannot_open",
    errno.ENOTDIR: "cannot_open",
    errno.EISDIR: "cannot_open",
    errno.ELOOP: "cannot_open",
}


def unavailable(path: Path, error: OSError) -> JournalUnavailable:
    """The journal's error for one of the system's."""
    text = os.strerror(error.errno or 0)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return JournalFull(path, "full", text)
    return JournalUnavailable(path, _SYSTEM_REASONS.get(error.errno or 0, "io"), text)


_SQLITE_REASONS: Final = {
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    sqlite3.SQLITE_READONLY: "readonly",
    sqlite3.SQLITE_PERM: "readonly",
    sqlite3.SQLITE_CANTOPEN: "cannot_open",
}
_CORRUPT: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def translated(path: Path, error: sqlite3.Error) -> JournalError:
    """The journal's error for one of SQLite's. Its text names no values, only what failed."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in _CORRUPT:
        return JournalCorrupt(path, 0, str(error))
    if code == sqlite3.SQLITE_CONSTRAINT:
        return JournalCorrupt(path, 0, f"a row was refused by the table itself: {error}")
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _nothing_free(path)):
        return JournalFull(path, "full", str(error))
    return JournalUnavailable(path, _SQLITE_REASONS.get(code, "io"), str(error))


def _nothing_free(path: Path) -> bool:
    try:
        found = os.statvfs(path.parent)
    except OSError:
        return False
    return found.f_bavail * found.f_frsize < 64 * 1024
