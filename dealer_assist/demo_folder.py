"""The demo's folder: made anew by each demo, never one that is not a demo's, nor one in which a demo runs."""

from __future__ import annotations

import fcntl
import shutil
from pathlib import Path
from typing import IO


def emptied(folder: Path) -> IO[str] | None:
    """Make the folder anew. Returns its mark, locked as long as it is open: another demo keeps off a folder that is in use.

    None when there is something in it that no demo has put there. Raises BlockingIOError while a demo runs in it.
    """
    mark = folder / "DEMO"
    if folder.exists() and not mark.exists() and (not folder.is_dir() or any(folder.iterdir())):
        return None
    if folder.exists():
        with mark.open("a") as earlier:
            fcntl.flock(earlier, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder)
    folder.mkdir(parents=True)
    opened = mark.open("w")
    fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    opened.write("Made by `dealer-assist demo`, with simulated devices; the next demo empties this folder.\n")
    opened.flush()
    return opened


def first_missing(files: list[Path]) -> Path | None:
    """The first file that is not there: a name that was mistyped must not cost the last demo's pictures."""
    return next((file for file in files if not file.is_file()), None)
