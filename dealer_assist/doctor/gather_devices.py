"""Looks at serial ports and PC/SC. No port is opened: opening one restarts some readers."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal

from dealer_assist.config.table import SerialDevice, TableConfig
from dealer_assist.devices.faults import LinkLost
from dealer_assist.devices.scard import Context, ServiceLost
from dealer_assist.devices.serial_port import find_ports
from dealer_assist.doctor import gather_host as host
from dealer_assist.doctor.seen import Pcsc, Port, Process, WantedPort

#: pcscd answers in milliseconds; after this it hangs.
PATIENCE_S: Final = 5.0
#: Programs of a desktop that open card readers.
RIVALS: Final = frozenset({"scdaemon", "gsd-smartcard", "geoclue"})
_POLKIT_RULES: Final = ("etc/polkit-1/rules.d", "usr/share/polkit-1/rules.d")
_VIRTUAL_DRIVER: Final = "etc/reader.conf.d/vpcd"
_SOCKET_VARIABLE: Final = "PCSCLITE_CSOCK_NAME"


def wanted_ports(config: TableConfig) -> tuple[WantedPort, ...]:
    """The serial devices of a table's file, and where each was found."""
    out = []
    for device in config.devices:
        if not isinstance(device, SerialDevice):
            continue
        found: list[str] = []
        if not device.address:
            with contextlib.suppress(LinkLost):
                links = find_ports(Path(device.folder), device.serial)
                found = [port for port in map(os.path.realpath, links) if Path(port).exists()]
        out.append(
            WantedPort(
                serial=device.serial,
                role=device.role,
                folder=device.folder,
                port=found[0] if len(found) == 1 else "",
                reason="" if len(found) == 1 or device.address else "ambiguous_port" if found else "no_port",
                candidates=tuple(found) if len(found) > 1 else (),
                says_who=device.family == "own",
                address=device.address,
            )
        )
    return tuple(out)


def ports(
    root: Path, running: tuple[Process, ...], extra: Iterable[str], *, as_root: bool
) -> tuple[Port, ...]:
    """Every USB serial port, and those of ``extra``, by path."""
    dev, sys = root / "dev", root / "sys"
    links = {
        kind: _links(folder)
        for kind, folder in (("by-id", dev / "serial/by-id"), ("by-path", dev / "serial/by-path"))
    }
    others = {**_links(dev / "dealer"), **_links(dev / "serial/dealer")}
    names = {str(dev / entry.name) for entry in _usb_ttys(sys / "class/tty")}
    names |= set(links["by-id"].values()) | set(links["by-path"].values()) | set(extra)
    out = []
    for name in sorted(names):
        target = Path(name)
        usb, driver, latency_ms, suspends = _usb(sys, target.name)
        out.append(
            Port(
                node=host.node(target),
                by_id=tuple(link for link, to in links["by-id"].items() if to == name),
                by_path=tuple(link for link, to in links["by-path"].items() if to == name),
                other_links=tuple(link for link, to in others.items() if to == name),
                usb=usb,
                driver=driver,
                latency_ms=latency_ms,
                suspends=suspends,
                modems=_modems(root, target.name) if usb else None,
                holders=host.holders(root / "proc", running, target, as_root=as_root),
            )
        )
    return tuple(out)


def _links(folder: Path) -> dict[str, str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return {}
    return {name: os.path.realpath(folder / name) for name in names if (folder / name).is_symlink()}


def _usb_ttys(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    return [entry for entry in entries if "/usb" in os.path.realpath(entry / "device")]


def _usb(sys: Path, tty: str) -> tuple[str, str, int | None, bool | None]:
    """Make and number of the adapter, its driver, its latency timer, and whether it may be suspended."""
    device = Path(os.path.realpath(sys / "class/tty" / tty / "device"))
    if "/usb" not in str(device):
        return "", "", None, None
    driver = Path(os.path.realpath(device / "driver")).name if (device / "driver").exists() else ""
    latency = _read(device / "latency_timer")
    for folder in (device, *device.parents):
        if (folder / "idVendor").exists():
            parts = [_read(folder / name) for name in ("manufacturer", "product", "serial")]
            usb = (
                " ".join(part for part in parts if part)
                or f"{_read(folder / 'idVendor')}:{_read(folder / 'idProduct')}"
            )
            control = _read(folder / "power/control")
            return (
                usb,
                driver,
                int(latency) if latency.isdigit() else None,
                control == "auto" if control else None,
            )
    return "adapter", driver, None, None


def _modems(root: Path, tty: str) -> bool | None:
    """Whether ModemManager may probe a port, as udev's database says; None: it does not say."""
    number = _read(root / "sys/class/tty" / tty / "dev")
    try:
        lines = (root / f"run/udev/data/c{number}").read_text().splitlines()
    except OSError:
        return None
    ignored = {"E:ID_MM_DEVICE_IGNORE=1", "E:ID_MM_PORT_IGNORE=1"}
    return not any(line in ignored for line in lines)


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def modem_manager(root: Path, running: Sequence[Process]) -> Literal["absent", "installed", "running"]:
    """Whether ModemManager is there."""
    if any(process.name == "ModemManager" for process in running):
        return "running"
    return "installed" if (root / "usr/sbin/ModemManager").exists() else "absent"


def network_let_in(root: Path, table: str) -> bool | None:
    """Whether the table's unit, with what was dropped in beside it, lets a network address in; None: there is no such unit."""
    units = root / "etc/systemd/system"
    if not (units / "dealer-table@.service").exists():
        return None
    name = Path(table).stem
    folders = (units / f"dealer-table@{name}.service.d", units / "dealer-table@.service.d")
    return any("IPAddressAllow=" in _read(file) for folder in folders for file in folder.glob("*.conf"))


# -- PC/SC ---------------------------------------------------------------------------------------------------------------------------


def pcsc(root: Path, running: Sequence[Process], wanted: tuple[str, ...] | None, socket: str) -> Pcsc:
    """PC/SC as it is. ``socket``: pcscd's, where it is not the system's own; read once a process by the client library."""
    program = shutil.which("pcscd", path=f"{root}/usr/sbin:{root}/sbin:{root}/usr/bin")
    readers: tuple[str, ...] | None = ()
    error = ""
    if (program is not None or socket) and wanted != ():
        readers, error = _ask(socket)
    return Pcsc(
        wanted=wanted,
        installed=program is not None,
        running=any(process.name == "pcscd" for process in running),
        readers=readers,
        error=error,
        polkit="polkit" in pcscd_version(program)[1],
        rules=_rules(root),
        virtual_driver=str(root / _VIRTUAL_DRIVER) if (root / _VIRTUAL_DRIVER).exists() else "",
        rivals=tuple(process for process in running if process.name in RIVALS),
        hidepid=_hidepid(root),
    )


def _ask(socket: str) -> tuple[tuple[str, ...] | None, str]:
    """The readers, or why there is no answer; from a thread of its own, because a pcscd that hangs never answers."""
    answers: list[tuple[tuple[str, ...] | None, str]] = []

    def ask() -> None:
        try:
            context = Context()
            try:
                answers.append((tuple(context.readers()), ""))
            finally:
                context.release()
        except ServiceLost as lost:
            answers.append((None, f"{lost.code & 0xFFFFFFFF:08X}"))

    if socket:
        os.environ[_SOCKET_VARIABLE] = socket
    thread = threading.Thread(target=ask, name="doctor-pcsc", daemon=True)
    thread.start()
    thread.join(PATIENCE_S)
    return answers[0] if answers else (None, "")


def pcscd_version(program: str | None) -> tuple[str, str]:
    """Version and features of pcscd, as it says itself; ("", "") where it is not there."""
    if program is None:
        return "", ""
    try:
        said = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=PATIENCE_S, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return "", ""
    first = said.splitlines()[0] if said else ""
    features = next((line for line in said.splitlines() if line.startswith("Enabled features")), "")
    return first.removeprefix("pcsc-lite version ").rstrip("."), features


def _rules(root: Path) -> tuple[str, ...] | None:
    found = []
    for folder in _POLKIT_RULES:
        try:
            files = sorted((root / folder).glob("*.rules"))
            os.listdir(root / folder)
        except PermissionError:
            return None
        except OSError:
            continue
        for file in files:
            with contextlib.suppress(OSError):
                text = file.read_text()
                if "org.debian.pcsc-lite" in text:
                    found.append(text)
    return tuple(found)


def _hidepid(root: Path) -> bool:
    mounts = _read(root / "proc/self/mounts")
    options = [line.split()[3] for line in mounts.splitlines() if line.split()[1:3] == ["/proc", "proc"]]
    return any(
        f"hidepid={how}" in option for option in options for how in ("1", "2", "4", "invisible", "noaccess")
    )
