"""Looks at users, files, processes, memory and clock. Reads only; nothing on the machine is changed."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import grp
import os
import pwd
import resource
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dealer_assist.doctor.seen import Clock, Memory, Node, Process, User
from dealer_assist.journal.keys import RAMFS_MAGIC, TMPFS_MAGIC, file_system_type

_CAP_IPC_LOCK: Final = 14
_STA_UNSYNC: Final = 0x0040
_TIME_ERROR: Final = 5
#: Programs that keep the clock right, by the names that the kernel cuts to 15 letters.
KEEPERS: Final = {
    "chronyd": "chrony",
    "systemd-timesyn": "systemd-timesyncd",
    "ntpd": "ntp",
    "ntpsec": "ntpsec",
}


def user(name: str) -> User:
    """A user by name, with his groups, his own first."""
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return User(name, exists=False)
    ids = os.getgrouplist(name, entry.pw_gid)
    names = [
        _group(number) for number in [entry.pw_gid, *[number for number in ids if number != entry.pw_gid]]
    ]
    return User(name, True, entry.pw_uid, tuple(names))


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _owner(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def node(path: Path) -> Node:
    """A file or folder, links followed, with the folders that lead to it."""
    above = tuple(_node(folder) for folder in reversed(path.parents))
    found = _node(path)
    return Node(found.path, found.kind, found.mode, found.owner, found.group, above)


def _node(path: Path) -> Node:
    try:
        status = path.stat()
    except PermissionError:
        return Node(str(path), "hidden")
    except OSError:
        return Node(str(path))
    mode = status.st_mode
    return Node(
        str(path),
        "folder"
        if stat.S_ISDIR(mode)
        else "file"
        if stat.S_ISREG(mode)
        else "socket"
        if stat.S_ISSOCK(mode)
        else "device"
        if stat.S_ISCHR(mode)
        else "other",
        stat.S_IMODE(mode),
        _owner(status.st_uid),
        _group(status.st_gid),
    )


def ram(path: Path) -> bool:
    """Whether a folder lies on a file system in memory."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return file_system_type(descriptor) in (TMPFS_MAGIC, RAMFS_MAGIC)
    finally:
        os.close(descriptor)


def free_mb(path: Path) -> int | None:
    """Room on the file system of a folder, or of the nearest one above that is there."""
    for folder in (path, *path.parents):
        with contextlib.suppress(OSError):
            return shutil.disk_usage(folder).free // 1_000_000
    return None


def processes(proc: Path) -> Iterator[Process]:
    """What runs. A table service is known by its command line."""
    for entry in proc.iterdir():
        if not entry.name.isdigit():
            continue
        try:
            name = (entry / "comm").read_text().strip()
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # it has ended meanwhile
        yield Process(int(entry.name), name, table=table_of(words) is not None)


def table_of(words: list[bytes]) -> bytes | None:
    """The table's file in the command line of a table service; None: it is none."""
    for at, word in enumerate(words[:-1]):
        program = words[at - 1].rsplit(b"/", 1)[-1] if at else b""
        if word == b"table" and program in (b"dealer-assist", b"dealer_assist.cli"):
            return next((given for given in words[at + 1 :] if given and not given.startswith(b"-")), None)
    return None


def holders(
    proc: Path, running: tuple[Process, ...], target: Path, *, as_root: bool
) -> tuple[Process, ...] | None:
    """Who has a port open; None where that is not to be seen."""
    found, hidden = [], False
    for process in running:
        try:
            for descriptor in (proc / str(process.pid) / "fd").iterdir():
                with contextlib.suppress(OSError):
                    if descriptor.readlink() == target:
                        found.append(process)
                        break
        except PermissionError:
            hidden = True
        except OSError:
            continue
    return None if hidden and not found and not as_root else tuple(found)


def service_of(proc: Path, running: tuple[Process, ...], table: str) -> int | None:
    """The process of the service of this table's file, or of any table service without a file; None: none runs."""
    for process in running:
        if process.table:
            with contextlib.suppress(OSError):
                given = table_of((proc / str(process.pid) / "cmdline").read_bytes().split(b"\0"))
                if given is not None and (not table or Path(os.fsdecode(given)).name == Path(table).name):
                    return process.pid
    return None


def runs_as(proc: Path, pid: int) -> str:
    """Whom a process runs as. Its folder in /proc belongs to root where it may not be looked into; its status tells."""
    return _owner(int(_status(proc / str(pid), "Uid").split()[1]))


def memory(proc: Path, service: int | None) -> Memory:
    """Of a table service that runs, else of this process."""
    swap = tuple(line.split()[0] for line in (proc / "swaps").read_text().splitlines()[1:])
    if service is None:
        soft = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
        limit = None if soft == resource.RLIM_INFINITY else soft // 1024
        effective = _status(proc / "self", "CapEff")
        may = limit is None or bool(int(effective or "0", 16) >> _CAP_IPC_LOCK & 1)
        # the service itself forbids its core file before it knows a card
        return Memory(lock_limit_kib=limit, may_lock=may, swap=swap)
    limits = (proc / str(service) / "limits").read_text().splitlines()
    locked = next((line.split()[3] for line in limits if line.startswith("Max locked memory")), "0")
    core = next((line.split()[4] for line in limits if line.startswith("Max core file size")), "0")
    return Memory(
        service=service,
        lock_limit_kib=None if locked == "unlimited" else int(locked) // 1024,
        may_lock=locked == "unlimited",
        locked=(_status(proc / str(service), "VmLck") or "0").split()[0] != "0",
        resident_kib=int((_status(proc / str(service), "VmRSS") or "0").split()[0]),
        core=core != "0",
        swap=swap,
    )


def _status(process: Path, key: str) -> str:
    for line in (process / "status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == key:
            return value.strip()
    return ""


def clock(running: tuple[Process, ...]) -> Clock:
    """What the kernel says of its clock (adjtimex(2), reading only), and who keeps it."""
    keepers = tuple(sorted({KEEPERS[process.name] for process in running if process.name in KEEPERS}))
    # struct timex: modes (int, padded), offset, freq, maxerror, esterror (long), status (int); larger on no Linux than this buffer
    buffer = (ctypes.c_long * 64)()
    state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(buffer))
    if state < 0:
        return Clock(synchronised=None, keepers=keepers)
    unsynchronised = state == _TIME_ERROR or buffer[5] & _STA_UNSYNC
    return Clock(synchronised=not unsynchronised, error_ms=buffer[3] // 1000, keepers=keepers)


def fonts(families: tuple[str, ...]) -> dict[str, bool]:
    """Which families fontconfig knows: the library that the station's Qt asks. Empty where it is not installed."""
    name = ctypes.util.find_library("fontconfig")
    if name is None:
        return {}
    fontconfig = ctypes.CDLL(name)
    fontconfig.FcNameParse.restype = ctypes.c_void_p
    fontconfig.FcFontList.restype = ctypes.c_void_p
    fontconfig.FcFontList.argtypes = [ctypes.c_void_p] * 3
    fontconfig.FcObjectSetCreate.restype = ctypes.c_void_p
    for destroy in (fontconfig.FcPatternDestroy, fontconfig.FcFontSetDestroy, fontconfig.FcObjectSetDestroy):
        destroy.argtypes = [ctypes.c_void_p]
        destroy.restype = None
    found = {}
    for family in families:
        pattern = fontconfig.FcNameParse(family.encode())
        objects = fontconfig.FcObjectSetCreate()
        fonts_there = fontconfig.FcFontList(None, pattern, objects)
        # struct FcFontSet begins with nfont
        found[family] = bool(fonts_there) and ctypes.cast(fonts_there, ctypes.POINTER(ctypes.c_int))[0] > 0
        if fonts_there:
            fontconfig.FcFontSetDestroy(fonts_there)
        fontconfig.FcObjectSetDestroy(objects)
        fontconfig.FcPatternDestroy(pattern)
    return found
