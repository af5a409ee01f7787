"""A machine on which everything is right, and what was seen of parts of it."""

from __future__ import annotations

from msgspec.structs import replace

from dealer_assist.doctor.judge import judge
from dealer_assist.doctor.seen import (
    Clock,
    Finding,
    Machine,
    Memory,
    NamedFile,
    Node,
    Pcsc,
    Place,
    Port,
    User,
    Version,
    WantedPort,
)

SERVICE = User("dealer-table", True, 990, ("dealer-table", "dialout"))
ROOT = Node("/", "folder", 0o755, "root", "root")
TTY = Node("/dev/ttyUSB0", "device", 0o660, "root", "dialout", (ROOT,))
PORT = Port(
    node=TTY,
    by_id=("usb-FTDI_FT232R_TR-000123-if00-port0",),
    by_path=("pci-0000:00:14.0-usb-0:3:1.0-port0",),
    usb="FTDI FT232R TR-000123",
    driver="ftdi_sio",
    latency_ms=1,
    suspends=False,
    modems=False,
)
READER = WantedPort(serial="TR-000123", role="reader", folder="/dev/serial/by-id", port="/dev/ttyUSB0")
KEY = NamedFile(
    what="table key",
    secret=True,
    node=Node("/etc/dealer-assist/keys/table.key", "file", 0o600, "dealer-table", "dealer-table", (ROOT,)),
)
SHM = Place(what="hand key", node=Node("/dev/shm", "folder", 0o1777, "root", "root", (ROOT,)), ram=True)
JOURNAL = Place(
    what="journal",
    node=Node("/var/lib/dealer-assist/7", "folder", 0o750, "dealer-table", "dealer-table", (ROOT,)),
    free_mb=50_000,
)
SOUND = Machine(
    table="table-7.toml",
    user=SERVICE,
    ports=(PORT,),
    wanted_ports=(READER,),
    pcsc=Pcsc(wanted=("ACS ACR1252",), readers=("ACS ACR1252 Dual Reader 00 00",)),
    memory=Memory(service=812, locked=True, resident_kib=61_000),
    files=(KEY,),
    places=(SHM, JOURNAL),
    versions=(
        Version(name="Python", found="3.11.7", wanted=("3.11", "3.12")),
        Version(name="pyscard", found="2.3.1", wanted=("2.3", "")),
    ),
    fonts={"Inter": True, "Noto Sans": True},
    clock=Clock(synchronised=True, error_ms=12, keepers=("chrony",)),
)


def with_port(**changes: object) -> Machine:
    """The sound machine, with its port otherwise."""
    return replace(SOUND, ports=(replace(PORT, **changes),))


def with_pcsc(**changes: object) -> Machine:
    """The sound machine, with PC/SC otherwise."""
    return replace(SOUND, pcsc=replace(SOUND.pcsc, **changes))


def told(machine: Machine, level: str) -> list[Finding]:
    """The findings of a level."""
    return [finding for finding in judge(machine) if finding.level == level]
