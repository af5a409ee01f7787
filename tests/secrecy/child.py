"""A process that the hardening tests look at: says as JSON what protects it, waits for a line, and aborts.

``plain`` is not hardened, ``hardened`` is, ``limited`` is hardened as a user who may not lock memory. ``service CONFIG`` is a table
service, ``broken_service CONFIG`` one with a fault that quotes a tag, ``unguarded`` a process that prints the same fault.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
import threading
import time
from pathlib import Path

from dealer_assist import cli
from dealer_assist.service import harden
from dealer_assist.table.core import Core

NOBODY = 65534
GROWTH = 20_000_000
UID = bytes.fromhex("E0040150DEADBEEF")
_GET_DUMPABLE, _SET_DUMPABLE = 3, 4
_libc = ctypes.CDLL(None)


def status(**more: object) -> None:
    """Say what protects this process."""
    said = {
        "dumpable": _libc.prctl(_GET_DUMPABLE, 0, 0, 0, 0),
        "core_limit": list(resource.getrlimit(resource.RLIMIT_CORE)),
        **more,
    }
    print(json.dumps(said), flush=True)


def locked_kb() -> int:
    """Locked memory of this process, in KiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmLck:")).split()[1])


def allow_core() -> None:
    """``ulimit -c unlimited``, as far as this system allows."""
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))


def small(mode: str) -> None:
    """A process of the tests' own."""
    if mode == "limited":
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (65536, 65536))
        if os.getuid() == 0:
            os.setresuid(NOBODY, NOBODY, NOBODY)
    _libc.prctl(_SET_DUMPABLE, 1, 0, 0, 0)
    missing = harden() if mode != "plain" else []
    before = locked_kb()
    grown = bytearray(os.urandom(1)) * GROWTH
    thread = threading.Thread(target=grown.reverse)
    thread.start()
    thread.join()
    status(missing=missing, locked_kb=locked_kb() - before)
    sys.stdin.readline()
    os.abort()


def service(config: str, socket: str) -> int:
    """A table service, watched from inside."""

    def watch() -> None:
        while not Path(socket).exists():
            time.sleep(0.02)
        status()

    threading.Thread(target=watch, daemon=True).start()
    return cli.main(["table", config, "--simulate"])


def fault(*_: object) -> list[object]:
    """What a look-up of an unknown tag would do."""
    raise KeyError(UID)


def broken_service(config: str) -> int:
    """A table service whose session dies at the first news of a device."""
    Core.set_devices = fault  # type: ignore[method-assign, assignment]
    return cli.main(["table", config, "--simulate"])


if __name__ == "__main__":
    allow_core()
    if sys.argv[1] == "broken_service":
        sys.exit(broken_service(sys.argv[2]))
    if sys.argv[1] == "unguarded":
        threading.Thread(target=fault).start()
        sys.exit(0)
    if sys.argv[1] == "service":
        sys.exit(service(*sys.argv[2:]))
    small(sys.argv[1])
