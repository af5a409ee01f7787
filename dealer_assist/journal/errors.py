"""What can go wrong with a journal.

Every error carries a ``code`` and data; none carries a payload, a key or a card.
"""

from __future__ import annotations

from pathlib import Path


class JournalError(Exception):
    """Base of all journal errors. ``code`` names the text to show; ``path`` is the journal file."""

    code = "journal_error"

    def __init__(self, path: Path, message: str) -> None:
        self.path = path
        super().__init__(f"{path}: {message}")


class JournalCorrupt(JournalError):
    """The file is not what was written: row ``seq`` (0: the file as a whole) fails for ``reason``.

    ``last_good`` is the last row that still follows from a trusted checkpoint, as (seq, hash), or None where
    nothing can be trusted.
    """

    code = "journal_corrupt"

    def __init__(self, path: Path, seq: int, reason: str, last_good: tuple[int, bytes] | None = None) -> None:
        self.seq = seq
        self.reason = reason
        self.last_good = last_good
        super().__init__(path, f"row {seq}: {reason}")


class JournalMismatch(JournalError):
    """A sound journal, but of another table, another format, or simulated where this one is real (or the reverse)."""

    code = "journal_mismatch"

    def __init__(self, path: Path, what: str, expected: str, found: str) -> None:
        self.what = what
        self.expected = expected
        self.found = found
        super().__init__(path, f"{what} is {found}, expected {expected}")


class JournalUnavailable(JournalError):
    """Nothing can be stored now: no rows of the call are acknowledged.

    ``reason``: busy, readonly, io, closed, in_use, cannot_open.
    """

    code = "journal_unavailable"

    def __init__(self, path: Path, reason: str, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(path, f"cannot store: {reason}" + (f" ({detail})" if detail else ""))


class JournalFull(JournalUnavailable):
    """The disk, or the size the journal may have, is used up. ``reason`` is ``full``."""

    code = "journal_full"


class JournalAhead(JournalError):
    """Rows after ``after_seq`` are on disk although their append had failed (the device failed between storing and answering).

    They are part of the journal now. The caller folds ``read(after_seq)`` into its state and then goes on.
    """

    code = "journal_ahead"

    def __init__(self, path: Path, after_seq: int, last_seq: int) -> None:
        self.after_seq = after_seq
        self.last_seq = last_seq
        super().__init__(path, f"rows {after_seq + 1} to {last_seq} were stored although their append failed")


class RowRefused(ValueError):
    """A row or a seal that the journal does not take: a fault of the caller.

    ``field`` and ``reason`` say which and why.
    """

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        self.reason = reason
        super().__init__(f"{field}: {reason}")
