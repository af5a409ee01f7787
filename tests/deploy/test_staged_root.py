"""deploy/ in an empty root: what the install page says is there, and every part of it is understood by the tool it is for."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dealer_assist.config.table import examine_table_config

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = Path("/lib/systemd/system")
PROGRAM = "opt/dealer-assist/bin/dealer-assist"
#: Users and groups that every Debian has.
GROUPS = "root:x:0:\ndialout:x:20:\naudio:x:29:\n"


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("root")
    subprocess.run(["make", "-s", "install", f"DESTDIR={root}"], cwd=ROOT, check=True, capture_output=True)
    return root


@pytest.fixture(scope="module")
def machine(staged: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The staged root, with what Debian and step 2 of the page put beside it: units, programs, users."""
    root = tmp_path_factory.mktemp("machine") / "root"
    shutil.copytree(staged, root)
    shutil.copytree(UNITS, root / "usr/lib/systemd/system", symlinks=True)
    (root / "lib").symlink_to("usr/lib")
    for name in (PROGRAM, "usr/bin/cage", "usr/sbin/pcscd", "bin/true"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("#!/bin/sh\n")
        (root / name).chmod(0o755)
    (root / "etc/passwd").write_text("root:x:0:0:root:/:/bin/sh\n")
    (root / "etc/group").write_text(GROUPS)
    return root


def page() -> str:
    return (ROOT / "docs/install.md").read_text()


def files(root: Path) -> set[str]:
    return {"/" + str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def test_the_page_names_every_file_that_is_installed_and_no_other(staged: Path) -> None:
    named = set(re.findall(r"^\| `(/[^`]+)` \|", page(), re.MULTILINE))
    folders = {name for name in named if name.endswith("/")}
    installed = files(staged)
    assert {name for name in installed if not name.startswith(tuple(folders))} == named - folders
    assert all(any(name.startswith(folder) for name in installed) for folder in folders)


def test_files_that_the_page_copies_are_there(staged: Path) -> None:
    for name in re.findall(
        r"`?(?:cp )?(/(?:usr/share/doc|etc)/dealer-assist/[\w.\-]+(?:\.example|\.conf))", page()
    ):
        assert name in files(staged), name


def test_every_command_of_the_page_exists() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"sudo make (\w+)", page())):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    assert (DEPLOY / "install.sh").stat().st_mode & 0o111
    units = {path.name.removesuffix(".service") for path in (DEPLOY / "systemd").glob("*@.service")}
    assert {f"{name}@" for name in re.findall(r"(dealer-\w+)@table-7", page())} == units


def test_staging_changes_nothing_that_is_there_and_can_be_repeated(staged: Path, tmp_path: Path) -> None:
    before = files(staged)
    (staged / "etc/dealer-assist/table-7.toml").write_text("mine")
    subprocess.run([DEPLOY / "install.sh", "--root", staged], check=True, capture_output=True)
    assert (staged / "etc/dealer-assist/table-7.toml").read_text() == "mine"
    (staged / "etc/dealer-assist/table-7.toml").unlink()
    assert files(staged) == before


@pytest.mark.parametrize("arguments", [["--rooot"], ["--root"], ["--root", "a", "b"]])
def test_a_wrong_call_installs_nothing(arguments: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [DEPLOY / "install.sh", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert list(tmp_path.iterdir()) == []


# -- systemd -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "unit", ["dealer-table@table-7.service", "dealer-station@table-7.service", "pcscd.service"]
)
def test_systemd_understands_the_unit(machine: Path, unit: str) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", f"--root={machine}", "--man=no", "--recursive-errors=no", unit],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.strip()) == (0, "")


def test_verify_would_notice_a_mistake(machine: Path) -> None:
    unit = machine / "etc/systemd/system/dealer-broken@.service"
    unit.write_text(
        (DEPLOY / "systemd/dealer-table@.service").read_text().replace("WatchdogSec=10", "WatchdogSecs=10")
    )
    try:
        done = subprocess.run(
            ["systemd-analyze", "verify", f"--root={machine}", "--man=no", "dealer-broken@table-7.service"],
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        unit.unlink()
    assert "WatchdogSecs" in done.stderr


def settings(path: Path) -> dict[str, list[str]]:
    """Every key of a unit with its values, in order."""
    found: dict[str, list[str]] = {}
    for line in path.read_text().splitlines():
        if "=" in line and not line.startswith(("#", ";")):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def test_the_table_service_is_locked_in() -> None:
    unit = settings(DEPLOY / "systemd/dealer-table@.service")
    wanted = {
        "Type": "notify",
        "WatchdogSec": "10",
        "Restart": "always",
        "RestartSec": "500ms",
        "StartLimitIntervalSec": "0",
        "User": "dealer-table",
        "NoNewPrivileges": "yes",
        "ProtectSystem": "strict",
        "ProtectHome": "yes",
        "PrivateTmp": "yes",
        "DevicePolicy": "closed",
        "IPAddressDeny": "any",
        "RestrictAddressFamilies": "AF_UNIX",
        "LimitCORE": "0",
        "LimitMEMLOCK": "infinity",
        "MemorySwapMax": "0",
        "SystemCallFilter": "@system-service",
        "RemoveIPC": "no",
    }
    assert {key: unit[key] for key in wanted} == {key: [value] for key, value in wanted.items()}
    # the ports that it opens are in /dev, the hand key is in /dev/shm
    assert "PrivateDevices" not in unit
    assert "char-ttyUSB rw" in unit["DeviceAllow"]


def test_systemd_rates_the_table_services_exposure_low(machine: Path) -> None:
    """systemd's own rating, from 0 (closed) to 10; 2.5 is half of what it calls OK."""
    done = subprocess.run(
        [
            "systemd-analyze",
            "security",
            "--offline=yes",
            f"--root={machine}",
            "--threshold=25",
            "dealer-table@table-7.service",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-300:] + done.stderr


def test_pcscd_comes_back_and_does_not_leave_by_itself(machine: Path) -> None:
    drop_in = settings(machine / "etc/systemd/system/pcscd.service.d/10-dealer.conf")
    assert drop_in["Restart"] == ["always"]
    assert drop_in["ExecStart"][0] == "", "the one of the package is taken off first"
    assert "--auto-exit" not in drop_in["ExecStart"][1]


def test_the_watchdog_of_the_machine_and_the_network_example_are_units_parts() -> None:
    for name, section, key in (
        ("system.conf.d/10-dealer.conf", "Manager", "RuntimeWatchdogSec"),
        ("examples/network-reader.conf", "Service", "IPAddressAllow"),
    ):
        parser = configparser.ConfigParser()
        parser.read(DEPLOY / "systemd" / name)
        assert key in parser[section]


def test_the_service_is_started_as_the_command_line_takes_it() -> None:
    from dealer_assist.cli import _parser

    for name in ("dealer-table@.service", "dealer-station@.service"):
        (command,) = settings(DEPLOY / "systemd" / name)["ExecStart"]
        words = command.split(f"/{PROGRAM} ")[1].replace("%i", "table-7").split()
        assert _parser().parse_args(words).command == words[0]


# -- users and folders -----------------------------------------------------------------------------------------------------------------


def test_users_and_folders_are_made_as_the_page_says(machine: Path) -> None:
    made = subprocess.run(
        ["systemd-sysusers", f"--root={machine}", "dealer-assist.conf"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert [line for line in made.stderr.splitlines() if not line.startswith("Creating")] == []
    users = {
        line.split(":")[0]: line.split(":") for line in (machine / "etc/passwd").read_text().splitlines()
    }
    groups = {
        line.split(":")[0]: line.split(":") for line in (machine / "etc/group").read_text().splitlines()
    }
    assert {"dealer-table", "dealer-screen"} <= users.keys()
    assert all(int(users[name][2]) < 1000 for name in ("dealer-table", "dealer-screen"))
    assert "dealer-table" in groups["dialout"][3].split(",")
    assert "dealer-screen" not in groups["dialout"][3]
    assert groups["audio"][3].split(",") == ["dealer-screen"]  # it sounds alerts
    fields = [
        line.split() for line in (machine / "etc/tmpfiles.d/dealer-assist.conf").read_text().splitlines()
    ]
    folders = {line[1]: line[2:5] for line in fields if line and line[0] == "d"}
    assert folders["/run/dealer-assist"] == ["2750", "dealer-table", "dealer-screen"]
    assert folders["/etc/dealer-assist/keys"] == ["0750", "root", "dealer-table"]
    done = subprocess.run(
        [
            "systemd-tmpfiles",
            f"--root={machine}",
            "--create",
            "--dry-run",
            "/etc/tmpfiles.d/dealer-assist.conf",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if "dry-run" in done.stderr:  # systemd 252 has no dry run: its parser is asked by making the folders
        done = subprocess.run(
            ["systemd-tmpfiles", f"--root={machine}", "--create", "/etc/tmpfiles.d/dealer-assist.conf"],
            capture_output=True,
            text=True,
            check=False,
        )
    assert not re.search(r"(?i)unknown|invalid|syntax|ignoring", done.stderr), done.stderr


def test_the_tables_file_to_begin_with_lacks_only_what_is_yours() -> None:
    _, config, problems = examine_table_config(DEPLOY / "etc/table.toml.example", simulate=False)
    assert {problem.expected for problem in problems} <= {"a readable file"}
    assert config.socket == "/run/dealer-assist/table-7.sock"
    assert config.journal.folder.startswith("/var/lib/dealer-assist/table-7/")
