"""Everything that is looked at, for a table's file or without one."""

from __future__ import annotations

import os
import platform
import pwd
import re
import shutil
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Final

from dealer_assist.config.table import PcscDevice, SerialDevice, TableConfig, examine_table_config
from dealer_assist.doctor import gather_devices as devices
from dealer_assist.doctor import gather_host as host
from dealer_assist.doctor.seen import Machine, NamedFile, Place, Version
from firmware_protocol import messages as fm

#: Whom the table service runs as where deploy/ was installed.
SERVICE_USER: Final = "dealer-table"
#: What the station asks for (the theme's families without Qt's own last resort).
FONTS: Final = ("Inter", "Noto Sans")
_HAND_KEY: Final = Path("/dev/shm")  # noqa: S108 - looked at, nothing is made there
_PROGRAM: Final = "dealer-assist"
_BOUND: Final = re.compile(r"(>=|<)\s*([0-9][0-9.]*)")
_SHOWN: Final = {"PySide6-Essentials": "Qt (PySide6-Essentials)"}


def gather(table: Path | None, user: str | None, *, root: Path = Path("/")) -> Machine:
    """Look at this machine. Raises ConfigError for a file that is no table's.

    ``user``: whom the service runs as; None: as it does, or as it will.

    ``root`` is where /dev, /proc, /sys, /run, /etc and /usr are looked for.
    """
    proc = root / "proc"
    config = None
    mistakes: tuple[str, ...] = ()
    if table is not None:
        document, config, problems = examine_table_config(table, simulate=True)
        # what lies on the disk is looked at by itself, with whom it must serve
        mistakes = tuple(
            f"{document.file}, line {problem.line}: expected {problem.expected}"
            + (f", found {problem.found}" if problem.found else "")
            for problem in problems
            if not problem.expected.startswith(("a readable file",))
        )
    running = tuple(host.processes(proc))
    service = host.service_of(proc, running, str(table) if table is not None else "")
    as_root = os.geteuid() == 0
    simulation = config.simulation if config is not None else None
    wanted = devices.wanted_ports(config) if config is not None else ()
    readers = None
    if config is not None:
        readers = tuple(device.reader for device in config.devices if isinstance(device, PcscDevice))
    return Machine(
        table=str(table) if table is not None else "",
        user=host.user(user or (host.runs_as(proc, service) if service is not None else _service_user())),
        as_root=as_root,
        simulated=simulation is not None,
        mistakes=mistakes,
        network_let_in=devices.network_let_in(root, str(table)) if table is not None else None,
        ports=devices.ports(
            root,
            running,
            (name for port in wanted for name in (port.port, *port.candidates) if name),
            as_root=as_root,
        ),
        wanted_ports=wanted,
        modem_manager=devices.modem_manager(root, running),
        pcsc=devices.pcsc(root, running, readers, simulation.pcsc_socket if simulation is not None else ""),
        memory=host.memory(proc, service),
        files=_files(config) if config is not None else (),
        places=_places(config),
        stray_private_key=_private_half(config) if config is not None else "",
        versions=_versions(root),
        fonts=host.fonts(FONTS),
        clock=host.clock(running),
    )


def _service_user() -> str:
    try:
        pwd.getpwnam(SERVICE_USER)
    except KeyError:
        return pwd.getpwuid(os.geteuid()).pw_name
    return SERVICE_USER


def _files(config: TableConfig) -> tuple[NamedFile, ...]:
    keys = config.keys
    named = [("public key of surveillance", keys.surveillance_public_key, False)]
    if keys.table_key is not None:
        named.append(("table key", keys.table_key, True))
    if keys.badge_key is not None:
        named.append(("key of badges", keys.badge_key, True))
    if config.staff is not None:
        named.append(("staff file", config.staff.file, False))
    named += [("deck file", deck.file, False) for deck in config.decks]
    named += [
        (f"key of {device.serial}", file, True)
        for device in config.devices
        if isinstance(device, SerialDevice)
        for file in device.keys.values()
    ]
    signing = Path(config.journal.folder) / "signing.key"
    if signing.exists():
        named.append(("key that signs the journal", str(signing), True))
    return tuple(
        NamedFile(what=what, node=host.node(Path(file)), secret=secret) for what, file, secret in named
    )


def _places(config: TableConfig | None) -> tuple[Place, ...]:
    places = [Place(what="hand key", node=host.node(_HAND_KEY), ram=host.ram(_HAND_KEY))]
    if config is not None:
        journal, socket = Path(config.journal.folder), Path(config.socket).parent
        # the service makes folders that are not there yet
        while host.node(journal).kind == "missing" and journal != journal.parent:
            journal = journal.parent
        places.append(
            Place(
                what="journal", node=host.node(journal), ram=host.ram(journal), free_mb=host.free_mb(journal)
            )
        )
        places.append(Place(what="socket", node=host.node(socket)))
    return tuple(places)


def _private_half(config: TableConfig) -> str:
    """The private half beside the public one, as surveillance's own machine has it."""
    public = Path(config.keys.surveillance_public_key)
    private = public.with_suffix(".key")
    return str(private) if private != public and private.exists() else ""


def _versions(root: Path) -> tuple[Version, ...]:
    out = [Version(name=_PROGRAM, found=_installed(_PROGRAM))]
    out.append(Version(name="wire protocol", found=f"{fm.MAJOR}.{fm.MINOR}"))
    out.append(Version(name="Python", found=platform.python_version(), wanted=("3.11", "3.12")))
    try:
        required = metadata.requires(_PROGRAM) or []
    except metadata.PackageNotFoundError:
        required = []
    for line in required:
        name = re.split(r"[^A-Za-z0-9_.\-]", line, maxsplit=1)[0]
        bounds = dict(_BOUND.findall(line))
        wanted = (bounds.get(">=", ""), bounds.get("<", ""))
        out.append(Version(name=_SHOWN.get(name, name), found=_installed(name), wanted=wanted))
    program = shutil.which("pcscd", path=f"{root}/usr/sbin:{root}/usr/bin")
    out.append(Version(name="pcscd", found=devices.pcscd_version(program)[0]))
    out.append(Version(name="libpcsclite1", found=_debian("libpcsclite1")))
    return tuple(out)


def _installed(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _debian(package: str) -> str:
    """The version of a package of the system; "" where it is not one of Debian's."""
    dpkg = shutil.which("dpkg-query")
    if dpkg is None:
        return ""
    try:
        done = subprocess.run(
            [dpkg, "-W", "-f", "${Version}", package],
            capture_output=True,
            text=True,
            timeout=devices.PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
