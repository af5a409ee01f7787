"""The journal's files: one writer, mode 0600, and a corrupt file renamed out of the way."""

from __future__ import annotations

import fcntl
import os
import stat
from pathlib import Path

from dealer_assist.journal.errors import JournalUnavailable
from dealer_assist.journal.faults import unavailable


def take_lock(path: Path) -> int:
    """Become the one writer, by a lock file beside the journal; a second process gets ``in_use``.

    Released when the process ends.
    """
    try:
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise unavailable(path, error) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise JournalUnavailable(path, "in_use", "another process writes this journal") from None
    return lock


def create_file(path: Path) -> None:
    """Make the file ours alone, mode 0600, before SQLite sees it.

    Its log and shared memory take the same mode.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        if stat.S_IMODE(os.fstat(descriptor).st_mode) != 0o600:
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def put_aside(path: Path, t_utc_ns: int) -> Path:
    """Rename a corrupt journal and its log out of the way; never over an older one.

    Raise :class:`JournalUnavailable`.
    """
    number = 0
    while (aside := path.with_name(f"{path.name}.corrupt-{t_utc_ns // 1_000_000_000}-{number}")).exists():
        number += 1
    try:
        # The database first: a sound-looking database without its log would be taken for the whole journal. A
        # log left behind by a crash between the two renames is moved by the next start.
        path.rename(aside)
        adopt_orphan_log(path)
        path.with_name(path.name + "-shm").unlink(missing_ok=True)
        sync_folder(path.parent)
    except OSError as error:
        raise unavailable(path, error) from None
    return aside


def adopt_orphan_log(path: Path) -> None:
    """Give a log whose database was renamed aside its database's name, so that SQLite does not delete it.

    May raise OSError.
    """
    log = path.with_name(path.name + "-wal")
    if path.exists() or not log.exists():
        return
    without_log = [
        aside
        for aside in path.parent.glob(f"{path.name}.corrupt-*")
        if not aside.name.endswith(("-wal", "-shm")) and not aside.with_name(aside.name + "-wal").exists()
    ]
    newest = max(
        without_log,
        key=lambda aside: aside.stat().st_ctime_ns,
        default=path.with_name(path.name + ".orphan"),
    )
    log.rename(newest.with_name(newest.name + "-wal"))


def identity(path: Path) -> tuple[int, int]:
    """Return what stays the same while a file keeps its place: device and inode. May raise OSError."""
    found = os.stat(path)
    return found.st_dev, found.st_ino


def sync_folder(folder: Path) -> None:
    """Make the names in ``folder`` durable. May raise OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
