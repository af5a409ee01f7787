"""A process that writes a journal and says what was acknowledged, so that a test can kill it or take its disk away.

Every acknowledged append is one line on standard output: ``ack SEQ HASH``. A refused one: ``refused CODE
REASON``.
"""

from __future__ import annotations

import ctypes
import os
import random
import resource
import sys
from collections.abc import Callable
from pathlib import Path

from nacl.public import PrivateKey

from dealer_assist.journal.errors import JournalAhead, JournalCorrupt, JournalUnavailable
from dealer_assist.journal.sealing import Sealer
from dealer_assist.journal.store import Journal, Row
from tests.journal.kit import SURVEILLANCE_KEY, settings

WRITES, SYNCS, TRUNCATES = range(3)


def say(*words: object) -> None:
    """One line, gone from this process before anything else happens."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


class Writer:
    """Appends batches of random size, with seals, and now and then ends a hand."""

    def __init__(self, path: Path, seed: int) -> None:
        self.journal = Journal.open(path, **settings())
        self._random = random.Random(seed)
        self._sealer = Sealer(bytes(PrivateKey(SURVEILLANCE_KEY).public_key))
        self._number = 0
        say("open", self.journal.head[0])

    def step(self) -> None:
        """One append, sometimes one checkpoint."""
        self._number += 1
        hand = f"h{self._number // 10}"
        rows = [
            Row.of(
                "input",
                "card_placed",
                hand,
                {"number": self._number, "text": "x" * self._random.randrange(900)},
            )
        ]
        rows += [Row.of("event", "card_dealt", hand, {"number": n}) for n in range(self._random.randrange(4))]
        box = self._sealer.seal(hand, "seat1", "Ks", b"\x04" * 7, self._number)
        closes = self._number % 10 == 9
        if closes:
            rows.append(Row.of("mark", "hand_closed", hand, {}))
        self.journal.append(rows, [(hand, box)])
        seq, digest = self.journal.head
        say("ack", seq, digest.hex())
        if closes:
            self.journal.checkpoint(hand)

    def try_step(self) -> bool:
        """As :meth:`step`; a refusal is said, and what turned out to be stored after all is taken in."""
        try:
            self.step()
        except JournalAhead as ahead:
            say("ahead", ahead.after_seq, ahead.last_seq)
        except JournalUnavailable as error:
            say("refused", error.code, error.reason)
        except JournalCorrupt as error:
            say("corrupt", error.seq, error.reason)
        else:
            return True
        return False


def forever(path: Path, seed: int) -> None:
    """Write until killed."""
    writer = Writer(path, seed)
    while True:
        writer.step()


def file_limit(path: Path, seed: int) -> None:
    """Write until no file may grow, then with the limit lifted again."""
    writer = Writer(path, seed)
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, hard))
    refused = 0
    # After a refusal the log is folded in, which makes room for a little more, until the database itself is
    # at the limit.
    while refused < 4:
        refused += not writer.try_step()
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    _go_on(writer)


def read_only(path: Path, seed: int) -> None:
    """Try to write a journal whose file may only be read, by a process without the right to override that."""
    _drop_privileges()
    try:
        Writer(path, seed)
    except JournalUnavailable as error:
        say("refused", error.code, error.reason)


def faulty_disk(path: Path, seed: int) -> None:
    """Let every single write, sync and truncation of some steps fail once, or from then on, with each error.

    Go on after each.
    """
    import errno

    shim = ctypes.CDLL(os.environ["LD_PRELOAD"])
    writer = Writer(path, seed)
    writer.try_step()
    randomness = random.Random(seed)
    for what, error in (
        (WRITES, errno.ENOSPC),
        (WRITES, errno.EIO),
        (SYNCS, errno.EIO),
        (TRUNCATES, errno.EIO),
    ):
        for after in range(8):
            for count in (1, 10_000):
                before = shim.failures()
                shim.fail(what, after, count, error)
                for _ in range(randomness.randrange(1, 4)):
                    writer.try_step()
                shim.fail(what, 0, 0, 0)
                say("fault", what, error, shim.failures() - before)
                _go_on(writer)
    if seed % 2:
        # End between a failed sync and the next start: what is on disk is what recovery finds.
        shim.fail(SYNCS, 0, 10_000, errno.EIO)
        writer.try_step()
        os._exit(0)


def _go_on(writer: Writer) -> None:
    """The disk is well again: at most one step may still find rows that had been reported as failed."""
    if not writer.try_step() and not writer.try_step():
        say("stuck")
    writer.try_step()


def _drop_privileges() -> None:
    """Give up every capability, so that file modes bind the superuser too."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    none = (ctypes.c_uint32 * 6)()
    if libc.capset(header, none) != 0:
        raise OSError(ctypes.get_errno(), "capset")


MODES: dict[str, Callable[[Path, int], None]] = {
    function.__name__: function for function in (forever, file_limit, read_only, faulty_disk)
}

if __name__ == "__main__":
    MODES[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))
