"""What was seen of a machine: plain values, so that every judgement can be tested without breaking one."""

from __future__ import annotations

from typing import Literal

import msgspec

Level = Literal["ok", "warning", "problem"]


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at. ``what`` says how it is; ``do`` the one thing to do about it, "" where nothing is to be done."""

    area: Literal["setup", "ports", "card readers", "files", "memory", "versions", "screen", "clock"]
    level: Level
    what: str
    do: str = ""


class User(msgspec.Struct, frozen=True):
    """Whom the table service runs as. ``groups``: names, the user's own first."""

    name: str
    exists: bool = True
    uid: int = 0
    groups: tuple[str, ...] = ()


class Node(msgspec.Struct, frozen=True):
    """A file, folder, socket or port. ``mode``: its permission bits. ``above``: the folders that lead there, nearest last."""

    path: str
    kind: Literal["missing", "hidden", "file", "folder", "socket", "device", "other"] = "missing"
    mode: int = 0
    owner: str = ""
    group: str = ""
    above: tuple[Node, ...] = ()


class Process(msgspec.Struct, frozen=True):
    """A program that runs. ``table``: it is a table service."""

    pid: int
    name: str
    table: bool = False


class Port(msgspec.Struct, frozen=True, kw_only=True):
    """A serial port. ``holders``: who has it open, None: not to be seen without being root.

    ``latency_ms``: an FTDI adapter's latency timer; ``suspends``: USB may put it to sleep; ``modems``: ModemManager may probe it.
    None: does not apply, or is not known.
    """

    node: Node
    by_id: tuple[str, ...] = ()
    by_path: tuple[str, ...] = ()
    other_links: tuple[str, ...] = ()
    usb: str = ""
    driver: str = ""
    latency_ms: int | None = None
    suspends: bool | None = None
    modems: bool | None = None
    holders: tuple[Process, ...] | None = ()


class WantedPort(msgspec.Struct, frozen=True, kw_only=True):
    """A device of the table's file. ``port``: the name of the port it was found on; ``reason``: why none was (no_port, ambiguous_port).

    ``candidates``: the ports that it may hang on where that is not told by a name. ``says_who``: it tells its number when it is
    asked, so that the right one of several is found. ``address``: host and port of one that is on the network and has no serial port.
    """

    serial: str
    role: str
    folder: str
    port: str = ""
    reason: str = ""
    candidates: tuple[str, ...] = ()
    says_who: bool = True
    address: str = ""


class Pcsc(msgspec.Struct, frozen=True, kw_only=True):
    """PC/SC. ``wanted``: parts of names that the table's file has; None: no file, so all readers are of interest.

    ``readers``: None when the service did not answer, and ``error`` has its code ("" : it does not answer at all).
    ``polkit``: pcscd asks polkit who may use it. ``rules``: texts of polkit's rules that name pcscd, None where they cannot be read.
    ``virtual_driver``: the file of a virtual reader's driver. ``rivals``: other programs that take readers.
    """

    wanted: tuple[str, ...] | None = None
    installed: bool = True
    running: bool = True
    readers: tuple[str, ...] | None = ()
    error: str = ""
    polkit: bool = False
    rules: tuple[str, ...] | None = ()
    virtual_driver: str = ""
    rivals: tuple[Process, ...] = ()
    hidepid: bool = False


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """Of the running table service, or else of a program that is started here. ``service``: its pid, None: no service runs.

    ``lock_limit_kib``: None is no limit; ``locked``: it has locked its memory, of which ``resident_kib`` are in use; ``core``: a core
    file may be written; ``swap``: devices.
    """

    service: int | None = None
    lock_limit_kib: int | None = None
    may_lock: bool = True
    locked: bool = False
    resident_kib: int = 0
    core: bool = False
    swap: tuple[str, ...] = ()


class NamedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the table. ``secret``: nobody but the service may read it. ``key``: the file's key it is named by."""

    what: str
    node: Node
    secret: bool = False


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A folder that the service writes to. ``ram``: it is on a RAM file system; ``free_mb``: None where it cannot be asked."""

    what: Literal["journal", "socket", "hand key"]
    node: Node
    ram: bool = False
    free_mb: int | None = None


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """What is installed of something; ``found`` is "" when nothing is. ``wanted``: from, and below, "" for no bound."""

    name: str
    found: str
    wanted: tuple[str, str] = ("", "")


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """The clock on the wall. ``synchronised``: as the kernel says, None: cannot be asked. ``error_ms``: how far off it may be at most."""

    synchronised: bool | None
    error_ms: int = 0
    keepers: tuple[str, ...] = ()


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """All of it.

    ``table``: the table's file, "" without one; ``mistakes``: what is wrong in it; ``simulated``: so it says of its devices.
    ``network_let_in``: whether systemd lets its service reach a reader on the network; None: systemd does not run it.
    """

    table: str
    user: User
    as_root: bool = True
    simulated: bool = False
    mistakes: tuple[str, ...] = ()
    network_let_in: bool | None = None
    ports: tuple[Port, ...] = ()
    wanted_ports: tuple[WantedPort, ...] = ()
    modem_manager: Literal["absent", "installed", "running"] = "absent"
    pcsc: Pcsc = Pcsc()
    memory: Memory = Memory()
    files: tuple[NamedFile, ...] = ()
    places: tuple[Place, ...] = ()
    stray_private_key: str = ""
    versions: tuple[Version, ...] = ()
    fonts: dict[str, bool] = {}
    clock: Clock = Clock(synchronised=True)
