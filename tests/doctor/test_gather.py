"""What is seen of a machine: of one laid out in a folder, and of this one."""

from __future__ import annotations

import getpass
import os
from pathlib import Path

import pytest

from dealer_assist.doctor import gather_devices as devices
from dealer_assist.doctor import gather_host as host
from dealer_assist.doctor.access import may
from dealer_assist.doctor.gather import gather
from dealer_assist.doctor.seen import Process

ME = getpass.getuser()


def laid_out(root: Path) -> Path:
    """A machine with one FTDI adapter on ttyUSB0, as sysfs and udev show it."""
    usb = root / "sys/devices/pci0000:00/0000:00:14.0/usb1/1-3"
    tty = usb / "1-3:1.0/ttyUSB0"
    (tty / "tty/ttyUSB0").mkdir(parents=True)
    (usb / "power").mkdir()
    driver = root / "sys/bus/usb-serial/drivers/ftdi_sio"
    driver.mkdir(parents=True)
    (tty / "driver").symlink_to(driver)
    (tty / "latency_timer").write_text("16\n")
    for name, text in (
        ("idVendor", "0403"),
        ("manufacturer", "FTDI"),
        ("product", "FT232R"),
        ("serial", "TR-1"),
    ):
        (usb / name).write_text(text + "\n")
    (usb / "power/control").write_text("auto\n")
    entry = root / "sys/class/tty/ttyUSB0"
    entry.parent.mkdir(parents=True)
    entry.symlink_to(tty / "tty/ttyUSB0")
    (tty / "tty/ttyUSB0/device").symlink_to(tty)
    (tty / "tty/ttyUSB0/dev").write_text("188:0\n")
    (root / "sys/class/tty/ttyS0").mkdir()
    (root / "dev/serial/by-id").mkdir(parents=True)
    (root / "dev/serial/by-path").mkdir()
    (root / "dev/dealer").mkdir()
    (root / "dev/ttyUSB0").touch(0o660)
    (root / "dev/serial/by-id/usb-FTDI_FT232R_TR-1-if00-port0").symlink_to("../../ttyUSB0")
    (root / "dev/serial/by-path/pci-0000:00:14.0-usb-0:3:1.0-port0").symlink_to("../../ttyUSB0")
    (root / "dev/dealer/reader").symlink_to("../ttyUSB0")
    (root / "run/udev/data").mkdir(parents=True)
    (root / "run/udev/data/c188:0").write_text("S:serial/by-id/x\nE:ID_MM_DEVICE_IGNORE=1\n")
    (root / "proc").mkdir()
    return root


def process(root: Path, pid: int, name: str, *words: str, opened: Path | None = None) -> None:
    folder = root / "proc" / str(pid)
    (folder / "fd").mkdir(parents=True)
    (folder / "comm").write_text(name + "\n")
    (folder / "cmdline").write_bytes(b"\0".join(word.encode() for word in words) + b"\0")
    if opened is not None:
        (folder / "fd/3").symlink_to(opened)


def test_an_adapter_is_seen_with_its_names_driver_timer_and_users(tmp_path: Path) -> None:
    root = laid_out(tmp_path)
    process(root, 7, "minicom", "minicom", opened=root / "dev/ttyUSB0")
    process(root, 8, "dealer-assist", "/opt/x/python", "/opt/x/dealer-assist", "table", "t.toml")
    running = tuple(host.processes(root / "proc"))
    assert sorted((each.pid, each.table) for each in running) == [(7, False), (8, True)]
    (port,) = devices.ports(root, running, (), as_root=True)
    assert port.node.path == str(root / "dev/ttyUSB0")
    assert port.by_id == ("usb-FTDI_FT232R_TR-1-if00-port0",)
    assert port.by_path == ("pci-0000:00:14.0-usb-0:3:1.0-port0",)
    assert port.other_links == ("reader",)
    assert (port.usb, port.driver, port.latency_ms) == ("FTDI FT232R TR-1", "ftdi_sio", 16)
    assert (port.suspends, port.modems) == (True, False)
    assert port.holders == (Process(7, "minicom"),)


def test_without_udevs_word_modem_manager_is_unknown_and_with_it_exposed(tmp_path: Path) -> None:
    root = laid_out(tmp_path)
    (root / "run/udev/data/c188:0").write_text("E:ID_VENDOR=FTDI\n")
    assert devices.ports(root, (), (), as_root=True)[0].modems is True
    (root / "run/udev/data/c188:0").unlink()
    assert devices.ports(root, (), (), as_root=True)[0].modems is None


def test_modem_manager_is_seen_installed_and_running(tmp_path: Path) -> None:
    assert devices.modem_manager(tmp_path, []) == "absent"
    (tmp_path / "usr/sbin").mkdir(parents=True)
    (tmp_path / "usr/sbin/ModemManager").touch()
    assert devices.modem_manager(tmp_path, []) == "installed"
    assert devices.modem_manager(tmp_path, [Process(3, "ModemManager")]) == "running"


def test_a_machine_without_usb_has_no_ports(tmp_path: Path) -> None:
    assert devices.ports(tmp_path, (), (), as_root=True) == ()


@pytest.mark.parametrize(
    ("words", "table"),
    [
        (("python", "/opt/bin/dealer-assist", "table", "--simulate", "t.toml"), b"t.toml"),
        (("dealer-assist", "table", "t.toml"), b"t.toml"),
        (("python", "-m", "dealer_assist.cli", "table", "t.toml"), b"t.toml"),
        (("dealer-assist", "doctor", "table", "t.toml"), None),
        (("vi", "table", "t.toml"), None),
        (("dealer-assist", "table"), None),
    ],
)
def test_a_table_service_is_known_by_its_command_line(words: tuple[str, ...], table: bytes | None) -> None:
    assert host.table_of([word.encode() for word in words]) == table


def test_memory_is_that_of_the_service_of_this_table(tmp_path: Path) -> None:
    root = tmp_path
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/swaps").write_text("Filename Type Size Used Priority\n/dev/sda3 partition 1 0 -2\n")
    (root / "proc/self/status").write_text("CapEff:\t0000000000000000\n")
    process(root, 8, "dealer-assist", "dealer-assist", "table", "/etc/t.toml")
    (root / "proc/8/status").write_text("Uid:\t0\t0\t0\t0\nVmLck:\t   812345 kB\nVmRSS:\t   61234 kB\n")
    (root / "proc/8/limits").write_text(
        "Limit                     Soft Limit           Hard Limit           Units\n"
        "Max core file size        0                    0                    bytes\n"
        "Max locked memory         unlimited            unlimited            bytes\n"
    )
    running = tuple(host.processes(root / "proc"))
    assert host.service_of(root / "proc", running, "t.toml") == 8
    assert host.service_of(root / "proc", running, "") == 8
    assert host.service_of(root / "proc", running, "other.toml") is None
    assert host.runs_as(root / "proc", 8) == "root"
    seen = host.memory(root / "proc", 8)
    assert (seen.service, seen.locked, seen.resident_kib, seen.core) == (8, True, 61234, False)
    assert (seen.lock_limit_kib, seen.swap) == (None, ("/dev/sda3",))
    assert host.memory(root / "proc", None).service is None


def test_polkits_rules_are_seen_where_they_name_pcscd(tmp_path: Path) -> None:
    rules = tmp_path / "etc/polkit-1/rules.d"
    rules.mkdir(parents=True)
    (rules / "10-other.rules").write_text("polkit.addRule(x)")
    assert devices._rules(tmp_path) == ()
    (rules / "49-dealer.rules").write_text("org.debian.pcsc-lite.access_pcsc")
    assert devices._rules(tmp_path) == ("org.debian.pcsc-lite.access_pcsc",)


def test_hidepid_is_seen(tmp_path: Path) -> None:
    mounts = tmp_path / "proc/self/mounts"
    mounts.parent.mkdir(parents=True)
    mounts.write_text("proc /proc proc rw,nosuid 0 0\n")
    assert not devices._hidepid(tmp_path)
    mounts.write_text("proc /proc proc rw,hidepid=2 0 0\n")
    assert devices._hidepid(tmp_path)


def test_a_unit_lets_the_network_in_by_what_is_dropped_in_beside_it(tmp_path: Path) -> None:
    units = tmp_path / "etc/systemd/system"
    units.mkdir(parents=True)
    assert devices.network_let_in(tmp_path, "table-7.toml") is None
    (units / "dealer-table@.service").write_text("[Service]\nIPAddressDeny=any\n")
    assert devices.network_let_in(tmp_path, "table-7.toml") is False
    (units / "dealer-table@table-7.service.d").mkdir()
    (units / "dealer-table@table-7.service.d/network-reader.conf").write_text(
        "[Service]\nIPAddressAllow=192.0.2.1\n"
    )
    assert devices.network_let_in(tmp_path, "/etc/dealer-assist/table-7.toml") is True
    assert devices.network_let_in(tmp_path, "table-8.toml") is False


def test_a_node_knows_its_owner_mode_and_the_way_to_it(tmp_path: Path) -> None:
    key = tmp_path / "table.key"
    key.write_text("x")
    key.chmod(0o600)
    node = host.node(key)
    assert (node.kind, node.mode, node.owner) == ("file", 0o600, ME)
    assert node.above[-1].path == str(tmp_path)
    assert may(host.user(ME), node, "read")
    assert host.node(tmp_path / "nothing").kind == "missing"
    assert host.user("nobody-of-that-name").exists is False


def test_memory_file_systems_and_fonts_are_told_from_others(tmp_path: Path) -> None:
    assert host.ram(Path("/dev/shm"))
    assert not host.ram(Path("/sys"))
    assert not host.ram(tmp_path / "nothing")
    assert host.fonts(("Inter", "No Such Type 9")) == {"Inter": True, "No Such Type 9": False}


def test_this_machine_is_looked_at_whole() -> None:
    seen = gather(None, None)
    assert seen.user.name in (ME, "dealer-table")
    assert seen.as_root == (os.geteuid() == 0)
    found = {version.name: version.found for version in seen.versions}
    assert found["Python"].startswith("3.11")
    assert found["pyserial"] and found["pyscard"] and found["libpcsclite1"] and found["pcscd"]
    assert [place.what for place in seen.places] == ["hand key"]
