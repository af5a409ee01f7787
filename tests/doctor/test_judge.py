"""Each thing that can be wrong with a machine is told once, with the one thing to do, and nothing is told of a sound one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dealer_assist.doctor.judge import judge
from dealer_assist.doctor.seen import Clock, Machine, Memory, Node, Pcsc, Process, User, Version
from tests.doctor.machines import (
    JOURNAL,
    KEY,
    PORT,
    READER,
    SERVICE,
    SHM,
    SOUND,
    TTY,
    told,
    with_pcsc,
    with_port,
)

TABLE = Process(812, "dealer-assist", table=True)
MINICOM = Process(4711, "minicom")
VIRTUAL = "Virtual PCD 00 00"


def test_nothing_is_told_of_a_sound_machine() -> None:
    assert [finding for finding in judge(SOUND) if finding.level != "ok"] == []
    assert all(not finding.do for finding in judge(SOUND))


PROBLEMS: dict[str, tuple[Machine, str, str]] = {
    "cable out": (
        replace(SOUND, ports=(), wanted_ports=(replace(READER, port="", reason="no_port"),)),
        "TR-000123 is not plugged in",
        "cable",
    ),
    "two adapters of one number": (
        replace(
            SOUND,
            wanted_ports=(
                replace(
                    READER, port="", reason="ambiguous_port", candidates=("/dev/ttyUSB0",), says_who=False
                ),
            ),
        ),
        "cannot say who it is",
        "Unplug",
    ),
    "simulator off": (
        replace(SOUND, simulated=True, ports=(), wanted_ports=(replace(READER, port="", reason="no_port"),)),
        "simulated",
        "hw-sim run",
    ),
    "not in dialout": (
        replace(SOUND, user=User("dealer-table", True, 990, ("dealer-table",)), ports=()),
        "not in the group dialout",
        "usermod -aG dialout",
    ),
    "port of root alone": (
        with_port(node=replace(TTY, mode=0o600, group="root")),
        "may not be opened by dealer-table",
        "install.sh",
    ),
    "another program reads along": (
        with_port(holders=(TABLE, MINICOM)),
        "held open by minicom",
        "End minicom",
    ),
    "ModemManager probes": (
        replace(with_port(modems=True), modem_manager="running"),
        "ModemManager is running and may talk to /dev/ttyUSB0",
        "apt remove modemmanager",
    ),
    "no user": (
        replace(SOUND, user=User("dealer-table", exists=False)),
        "no user dealer-table",
        "install.sh",
    ),
    "mistake in the file": (
        replace(SOUND, mistakes=("table-7.toml, line 3: expected a game",)),
        "line 3",
        "Put this line",
    ),
    "no pcscd": (with_pcsc(installed=False, readers=None), "not installed", "apt install pcscd"),
    "pcscd off": (with_pcsc(readers=None, error="8010001D"), "does not run", "enable --now pcscd.socket"),
    "pcscd hangs": (with_pcsc(readers=None, error=""), "hangs", "restart pcscd"),
    "polkit says no": (
        with_pcsc(readers=None, error="8010006A"),
        "polkit does not allow",
        "49-dealer-pcsc.rules",
    ),
    "no polkit rule": (with_pcsc(polkit=True, rules=()), "no rule lets dealer-table", "49-dealer-pcsc.rules"),
    "reader out": (with_pcsc(readers=()), "“ACS ACR1252” is not plugged in", "cable"),
    "two readers of one name": (
        with_pcsc(readers=("ACS ACR1252 00 00", "ACS ACR1252 01 00")),
        "2 card readers are called",
        "longer part",
    ),
    "virtual reader": (
        with_pcsc(readers=(*SOUND.pcsc.readers, VIRTUAL)),
        "virtual card reader is there",
        "purge vsmartcard-vpcd",
    ),
    "virtual driver": (
        with_pcsc(virtual_driver="/etc/reader.conf.d/vpcd"),
        "virtual card reader is installed",
        "purge vsmartcard-vpcd",
    ),
    "seventeen readers": (
        with_pcsc(readers=("ACS ACR1252 00 00", *(f"Other {number:02} 00" for number in range(16)))),
        "17 card readers",
        "Unplug",
    ),
    "key missing": (
        replace(SOUND, files=(replace(KEY, node=Node("k", "missing")),)),
        "is missing",
        "Copy it",
    ),
    "key of root": (
        replace(SOUND, files=(replace(KEY, node=replace(KEY.node, owner="root", group="root")),)),
        "cannot be read by dealer-table",
        "chown dealer-table",
    ),
    "folder above shut": (
        replace(
            SOUND,
            files=(
                replace(
                    KEY, node=replace(KEY.node, above=(Node("/etc/x", "folder", 0o700, "root", "root"),))
                ),
            ),
        ),
        "cannot be read by dealer-table",
        "folders above",
    ),
    "key for all": (
        replace(SOUND, files=(replace(KEY, node=replace(KEY.node, mode=0o644)),)),
        "can be read by others",
        "chmod 600",
    ),
    "key for a group": (
        replace(SOUND, files=(replace(KEY, node=replace(KEY.node, mode=0o640, group="staff")),)),
        "can be read by others",
        "chmod 600",
    ),
    "surveillance's private key": (
        replace(SOUND, stray_private_key="keys/surveillance.key"),
        "hidden cards can be read here",
        "Tell surveillance",
    ),
    "hand key on a disk": (replace(SOUND, places=(replace(SHM, ram=False),)), "is on a disk", "tmpfs"),
    "journal in memory": (
        replace(SOUND, places=(replace(JOURNAL, ram=True),)),
        "in memory only",
        "[journal]",
    ),
    "journal not ours": (
        replace(SOUND, places=(replace(JOURNAL, node=replace(JOURNAL.node, owner="root", group="root")),)),
        "may not be written",
        "chown dealer-table",
    ),
    "disk full": (replace(SOUND, places=(replace(JOURNAL, free_mb=40),)), "Only 40 MB", "archived"),
    "no socket folder": (
        replace(SOUND, places=(replace(JOURNAL, what="socket", node=Node("/run/d", "missing")),)),
        "is missing",
        "systemd-tmpfiles",
    ),
    "swap and unlocked": (
        replace(SOUND, memory=Memory(lock_limit_kib=8192, may_lock=False, swap=("/dev/sda3",))),
        "may not lock its memory (the limit is 8192 KiB) and there is swap",
        "LimitMEMLOCK",
    ),
    "core file": (
        replace(SOUND, memory=Memory(service=1, locked=True, core=True)),
        "core file",
        "dealer-table@",
    ),
    "old Python": (
        replace(SOUND, versions=(Version(name="Python", found="3.10.4", wanted=("3.11", "3.12")),)),
        "3.11 or later and below 3.12 is needed",
        "anew",
    ),
    "Python too new": (
        replace(SOUND, versions=(Version(name="Python", found="3.12.0", wanted=("3.11", "3.12")),)),
        "3.11 or later and below 3.12 is needed",
        "anew",
    ),
    "old pyscard": (
        replace(SOUND, versions=(Version(name="pyscard", found="2.2.10", wanted=("2.3", "")),)),
        "2.3 or later is needed",
        "anew",
    ),
    "no pyserial": (
        replace(SOUND, versions=(Version(name="pyserial", found="", wanted=("3.5", "")),)),
        "pyserial is not installed",
        "anew",
    ),
}


@pytest.mark.parametrize("case", PROBLEMS)
def test_a_problem_is_told_once_with_what_to_do(case: str) -> None:
    machine, what, do = PROBLEMS[case]
    found = told(machine, "problem")
    assert len(found) == 1, found
    assert what in found[0].what
    assert do in found[0].do


WARNINGS: dict[str, tuple[Machine, str, str]] = {
    "latency timer": (with_port(latency_ms=16), "up to 16 ms", "install.sh"),
    "autosuspend": (with_port(suspends=True), "to sleep", "install.sh"),
    "holders hidden": (with_port(holders=None), "cannot be seen", "sudo"),
    "as root": (replace(SOUND, user=User("root", True, 0, ("root",))), "must not run as root", "--user"),
    "sixteen readers": (
        with_pcsc(readers=("ACS ACR1252 00 00", *(f"Other {number:02} 00" for number in range(15)))),
        "16 card readers",
        "Unplug",
    ),
    "a rival": (with_pcsc(rivals=(Process(99, "scdaemon"),)), "scdaemon (process 99)", "Remove it"),
    "hidepid": (with_pcsc(polkit=True, rules=('"dealer-table"',), hidepid=True), "hidepid", "fstab"),
    "rules hidden": (with_pcsc(polkit=True, rules=None), "cannot be read", "sudo"),
    "unlocked": (
        replace(SOUND, memory=Memory(service=812, lock_limit_kib=8192, may_lock=False)),
        "has not locked",
        "LimitMEMLOCK",
    ),
    "swap": (replace(SOUND, memory=Memory(service=812, locked=True, swap=("/swap",))), "swap", "swapoff"),
    "disk fills": (replace(SOUND, places=(replace(JOURNAL, free_mb=400),)), "Only 400 MB", "archived"),
    "no Inter": (replace(SOUND, fonts={"Inter": False}), "font Inter", "fonts-inter"),
    "nobody keeps time": (replace(SOUND, clock=Clock(synchronised=False)), "Nothing keeps", "chrony"),
    "not yet right": (
        replace(SOUND, clock=Clock(synchronised=False, keepers=("chrony",))),
        "not right yet",
        "Wait a minute",
    ),
    "far off": (replace(SOUND, clock=Clock(synchronised=True, error_ms=2600)), "2.6 s", "chronyc"),
    "no clock call": (replace(SOUND, clock=Clock(synchronised=None)), "cannot be asked", "by eye"),
    "bare machine": (
        replace(SOUND, table="", ports=(), wanted_ports=()),
        "No serial adapter",
        "Put a reader's cable in",
    ),
}


@pytest.mark.parametrize("case", WARNINGS)
def test_a_warning_is_told_once_with_what_to_do(case: str) -> None:
    machine, what, do = WARNINGS[case]
    assert told(machine, "problem") == []
    found = told(machine, "warning")
    assert len(found) == 1, found
    assert what in found[0].what
    assert do in found[0].do


def test_a_port_that_is_not_the_tables_is_only_named() -> None:
    stranger = replace(PORT, node=replace(TTY, path="/dev/ttyUSB1", mode=0o600), holders=(MINICOM,))
    machine = replace(SOUND, ports=(PORT, stranger))
    assert told(machine, "problem") == []
    assert any("/dev/ttyUSB1 is there and is not this table's" in finding.what for finding in judge(machine))


def test_a_table_without_card_readers_does_not_need_pcscd() -> None:
    machine = replace(SOUND, pcsc=Pcsc(wanted=(), installed=False, readers=None))
    assert told(machine, "problem") == told(machine, "warning") == []


def test_without_a_tables_file_card_readers_are_no_problem() -> None:
    machine = replace(SOUND, pcsc=Pcsc(wanted=None, readers=None, error="8010001D"))
    assert told(machine, "problem") == []
    assert len(told(machine, "warning")) == 1


def test_simulated_readers_belong_on_a_simulated_table() -> None:
    machine = replace(
        with_pcsc(wanted=("Virtual PCD 00",), readers=(VIRTUAL,), virtual_driver="/etc/reader.conf.d/vpcd"),
        simulated=True,
    )
    assert told(machine, "problem") == []


def test_a_device_on_the_network_needs_no_port() -> None:
    machine = replace(SOUND, ports=(), wanted_ports=(replace(READER, port="", address="10.0.0.9:1234"),))
    assert told(machine, "problem") == told(machine, "warning") == []


def test_of_several_adapters_the_right_one_is_found_where_the_device_says_its_number() -> None:
    wanted = replace(READER, port="", reason="ambiguous_port", candidates=("/dev/ttyUSB0", "/dev/ttyUSB1"))
    assert told(replace(SOUND, wanted_ports=(wanted,)), "problem") == []
    assert any(
        "asks each who it is" in finding.what for finding in judge(replace(SOUND, wanted_ports=(wanted,)))
    )


def test_a_reader_on_the_network_needs_a_unit_that_lets_it_in() -> None:
    wanted = (replace(READER, port="", address="10.0.0.9:1234"),)
    shut = replace(SOUND, ports=(), wanted_ports=wanted, network_let_in=False)
    (problem,) = told(shut, "problem")
    assert "reach no network" in problem.what and "network-reader.conf" in problem.do
    assert told(replace(shut, network_let_in=True), "problem") == []


def test_a_key_of_root_for_the_users_own_group_is_private() -> None:
    node = replace(KEY.node, owner="root", group="dealer-table", mode=0o640)
    assert told(replace(SOUND, files=(replace(KEY, node=node),)), "problem") == []


def test_root_may_open_what_the_service_may_not() -> None:
    machine = replace(
        SOUND, user=User("root", True, 0, ("root",)), ports=(replace(PORT, node=replace(TTY, mode=0)),)
    )
    assert told(machine, "problem") == []


def test_the_users_groups_count() -> None:
    machine = replace(SOUND, user=replace(SERVICE, groups=("dealer-table", "dialout")))
    assert told(machine, "problem") == []


def test_a_device_that_is_looked_for_by_socket_is_no_problem() -> None:
    """On which of several ports it hangs the table service finds out; nobody else can."""
    by_path = replace(READER, folder="/dev/serial/by-path", port="", reason="ambiguous_port")
    found = judge(replace(SOUND, wanted_ports=(by_path,)))
    assert [finding for finding in found if finding.level == "problem"] == []
    assert any("asks each who is there" in finding.what for finding in found)
