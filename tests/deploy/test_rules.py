"""udev and polkit rules: read as those programs read them, and tried on what they are for."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from PySide6.QtQml import QJSEngine
from PySide6.QtWidgets import QApplication

from dealer_assist.devices.faults import LinkLost
from dealer_assist.devices.serial_port import find_ports

DEPLOY = Path(__file__).parents[2] / "deploy"
UDEV = ("udev/70-dealer.rules", "udev/71-dealer-places.rules.example")
#: udev(7): what a rule may ask for, and what it may set.
ASKED = {
    "ACTION",
    "SUBSYSTEM",
    "SUBSYSTEMS",
    "DRIVER",
    "DRIVERS",
    "KERNEL",
    "ENV",
    "ATTR",
    "ATTRS",
    "TEST",
    "TAG",
}
SET = {"ENV", "ATTR", "SYMLINK", "GOTO", "LABEL", "TAG", "MODE", "GROUP", "OWNER"}
TOKEN = re.compile(r'([A-Z]+)(?:\{([^}]+)\})?(==|!=|\+=|:=|=)"([^"]*)"')

Token = tuple[str, str, str, str]


def rules(text: str) -> list[list[Token]]:
    """The rules of a file; raises ValueError for a line that udev would not take."""
    out = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in re.split(r",\s*(?=[A-Z])", line)]
        tokens = []
        for part in parts:
            found = TOKEN.fullmatch(part)
            if found is None:
                raise ValueError(f"line {number}: {part!r}")
            key, attribute, operator, value = found[1], found[2] or "", found[3], found[4]
            allowed = ASKED if operator in ("==", "!=") else SET
            if key == "TEST":
                attribute, value, operator, allowed = value, "", "==", {"TEST"}
            if key not in allowed or ((key in ("ENV", "ATTR", "ATTRS")) != bool(attribute) and key != "TEST"):
                raise ValueError(f"line {number}: {part!r}")
            tokens.append((key, attribute, operator, value))
        out.append(tokens)
    labels = {value for rule in out for key, _, _, value in rule if key == "LABEL"}
    for rule in out:
        for key, _, _, value in rule:
            if key == "GOTO" and value not in labels:
                raise ValueError(f"no label {value!r}")
    return out


def applied(text: str, device: dict[str, str]) -> dict[str, str]:
    """What the rules of a file set for a device: its properties by KEY or KEY{name}."""
    done: dict[str, str] = {}
    skipping = ""
    for rule in rules(text):
        label = next((value for key, _, _, value in rule if key == "LABEL"), "")
        if skipping and label != skipping:
            continue
        skipping = ""
        if not all(_holds(token, {**device, **done}) for token in rule if token[2] in ("==", "!=")):
            continue
        for key, attribute, operator, value in rule:
            if operator in ("==", "!=") or key == "LABEL":
                continue
            if key == "GOTO":
                skipping = value
                break
            name = f"{key}{{{attribute}}}" if attribute else key
            done[name] = f"{done[name]} {value}" if operator == "+=" and name in done else value
    return done


def _holds(token: Token, device: dict[str, str]) -> bool:
    key, attribute, operator, value = token
    if key == "TEST":
        return f"ATTR{{{attribute}}}" in device
    found = device.get(f"{key}{{{attribute}}}" if attribute else key, "")
    return fnmatchcase(found, value) == (operator == "==")


def udev(name: str) -> str:
    return (DEPLOY / name).read_text()


@pytest.mark.parametrize("name", UDEV)
def test_udev_rules_are_well_formed(name: str) -> None:
    assert rules(udev(name))


@pytest.mark.parametrize(
    "line",
    [
        'SUBSYSTEM="tty", SYMLINK+="x"',
        'SUBSYSTEM=="tty", SYMLINK=="x"',
        'SUBSYSTEM=="tty", GOTO="nowhere"',
        'ENV=="x"',
        "SUBSYSTEM==tty",
        'SUBSYTEM=="tty"',
    ],
)
def test_a_rule_that_udev_would_not_take_is_noticed(line: str) -> None:
    with pytest.raises(ValueError, match=r"line 1|no label"):
        rules(line)


def test_an_ftdi_adapter_is_quick() -> None:
    device = {"ACTION": "add", "SUBSYSTEM": "usb-serial", "DRIVER": "ftdi_sio", "ATTR{latency_timer}": "16"}
    assert applied(udev(UDEV[0]), device) == {"ATTR{latency_timer}": "1"}
    assert applied(udev(UDEV[0]), {**device, "DRIVER": "ch341-uart"}) == {}


def test_an_adapter_stays_awake_and_is_no_modem() -> None:
    usb = {"ACTION": "add", "SUBSYSTEM": "usb", "ENV{DEVTYPE}": "usb_device", "ATTR{power/control}": "auto"}
    assert applied(udev(UDEV[0]), usb) == {"ENV{ID_MM_DEVICE_IGNORE}": "1", "ATTR{power/control}": "on"}
    tty = {"ACTION": "add", "SUBSYSTEM": "tty", "SUBSYSTEMS": "usb"}
    assert applied(udev(UDEV[0]), tty) == {"ENV{ID_MM_DEVICE_IGNORE}": "1", "ENV{ID_MM_PORT_IGNORE}": "1"}


def test_what_is_unplugged_is_left_alone() -> None:
    usb = {
        "ACTION": "remove",
        "SUBSYSTEM": "usb",
        "ENV{DEVTYPE}": "usb_device",
        "ATTR{power/control}": "auto",
    }
    assert applied(udev(UDEV[0]), usb) == {}


def test_two_adapters_that_look_the_same_are_found_by_their_sockets(tmp_path: Path) -> None:
    """The links that the rules make are what the table's file finds its devices by."""
    for number, socket in enumerate(("pci-0000:00:14.0-usb-0:3:1.0", "pci-0000:00:14.0-usb-0:4:1.0")):
        tty = {"ACTION": "add", "SUBSYSTEM": "tty", "ENV{ID_PATH}": socket}
        link = tmp_path / "dev" / applied(udev(UDEV[1]), tty)["SYMLINK"]
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(f"../../ttyUSB{number}")
    folder = tmp_path / "dev/serial/dealer"
    assert [port.readlink() for port in find_ports(folder, "TR-000123")] == [Path("../../ttyUSB0")]
    assert [port.readlink() for port in find_ports(folder, "SH-000045")] == [Path("../../ttyUSB1")]
    with pytest.raises(LinkLost):
        find_ports(folder, "TR-000124")


def asked(user: str, action: str) -> str:
    """What polkit answers a user: its rule run by a JavaScript engine."""
    engine = QJSEngine()
    engine.evaluate("var rule; var polkit = {addRule: function (r) { rule = r; }, Result: {YES: 'yes'}};")
    error = engine.evaluate((DEPLOY / "polkit/49-dealer-pcsc.rules").read_text())
    assert not error.isError(), error.toString()
    return engine.evaluate(f"String(rule({{id: '{action}'}}, {{user: '{user}'}}))").toString()


@pytest.mark.parametrize("action", ["access_pcsc", "access_card"])
def test_polkit_lets_the_table_service_use_card_readers_and_nobody_else(
    action: str, qapp: QApplication
) -> None:
    name = f"org.debian.pcsc-lite.{action}"
    assert asked("dealer-table", name) == "yes"
    assert asked("dealer-screen", name) == "undefined"
    assert asked("root", name) == "undefined"


def test_polkit_lets_the_table_service_do_nothing_else(qapp: QApplication) -> None:
    assert asked("dealer-table", "org.freedesktop.systemd1.manage-units") == "undefined"
