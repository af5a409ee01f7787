"""Set-up: what it asks of the system is explained, and its parts agree with each other."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def requirements(name: str) -> set[str]:
    lines = (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines()
    return {line.strip() for line in lines if line.strip() and not line.startswith(("#", "-"))}


def locked(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([A-Za-z0-9._\-]+)==(\S+)", text, re.MULTILINE))


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=]", name)[0]).lower()


def test_the_project_and_the_requirements_ask_for_the_same() -> None:
    assert set(PROJECT["project"]["dependencies"]) == requirements("runtime.in")


def test_everything_asked_for_is_locked() -> None:
    for name in ("build", "runtime", "dev"):
        wanted = {normal(line) for line in requirements(f"{name}.in")}
        assert wanted <= set(locked(f"{name}.txt"))


def test_the_locks_agree_with_each_other() -> None:
    build, runtime, dev = locked("build.txt"), locked("runtime.txt"), locked("dev.txt")
    for one, other in ((build, runtime), (build, dev), (runtime, dev)):
        assert {name: one[name] for name in one.keys() & other.keys()} == {
            name: other[name] for name in one.keys() & other.keys()
        }


def test_what_is_installed_is_what_is_locked() -> None:
    from importlib.metadata import version

    for name, wanted in (locked("runtime.txt") | locked("dev.txt")).items():
        assert version(name) == wanted, name


def test_every_dependency_is_explained() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").lower()
    for name in requirements("runtime.in") | requirements("dev.in") | requirements("build.in"):
        assert f"| {normal(name)} |" in text, name


def test_every_system_package_is_named_once() -> None:
    lines = (ROOT / "scripts" / "apt-packages.txt").read_text(encoding="utf-8").splitlines()
    names = [
        re.sub(r"^(?:python|test|table):", "", line).split()[0]
        for line in lines
        if line.strip() and not line.startswith("#")
    ]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9+.\-]+", name) for name in names)


def test_the_commands_of_the_readme_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"make ([a-z]+)", readme)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def run_setup(folder: Path, path: Path) -> subprocess.CompletedProcess[str]:
    """The set-up script of a copy, on a machine whose commands are those of ``path`` and the real shell's."""
    environment = {"PATH": f"{path}:{os.environ['PATH']}", "HOME": str(folder)}
    return subprocess.run(
        ["bash", "scripts/setup.sh"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def copy(tmp_path: Path) -> tuple[Path, Path]:
    """A copy of what set-up reads, and a folder of commands that stand in for the system's."""
    folder, commands = tmp_path / "project", tmp_path / "bin"
    commands.mkdir()
    for name in ("scripts", "requirements"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder, commands


def command(commands: Path, name: str, script: str) -> None:
    path = commands / name
    path.write_text("#!/bin/sh\n" + script + "\n")
    path.chmod(0o755)


def test_without_root_the_line_to_type_is_printed(copy: tuple[Path, Path]) -> None:
    folder, commands = copy
    command(commands, "dpkg-query", "echo 'installed:make '")
    command(commands, "id", "echo 1000")
    command(commands, "apt-get", "echo must not be run >&2; exit 9")
    done = run_setup(folder, commands)
    assert done.returncode == 1
    (line,) = [line.strip() for line in done.stderr.splitlines() if "apt-get install" in line]
    assert line.startswith("sudo apt-get update && sudo apt-get install --no-install-recommends -y ")
    assert " pcscd " in line
    assert " make " not in line, "what is there is not asked for"
    assert not (folder / ".venv").exists()


def test_as_root_what_is_missing_is_installed(copy: tuple[Path, Path]) -> None:
    folder, commands = copy
    everything = " ".join(
        "installed:" + re.sub(r"^(?:python|test):", "", line).split()[0]
        for line in (ROOT / "scripts/apt-packages.txt").read_text().splitlines()
        if line.strip() and not line.startswith(("#", "table:")) and "xdotool" not in line
    )
    command(commands, "dpkg-query", f"echo '{everything} '")
    command(commands, "id", "echo 0")
    command(commands, "apt-get", f'echo "$@" >>{folder}/apt.log; case "$*" in *install*) exit 7;; esac')
    assert run_setup(folder, commands).returncode == 7, "a failure to install ends it"
    assert (folder / "apt.log").read_text().splitlines() == [
        "update -q",
        "install -q -y --no-install-recommends xdotool",
    ]


def test_an_interpreter_that_will_not_do_is_refused(copy: tuple[Path, Path]) -> None:
    folder, commands = copy
    command(commands, "python-old", "exit 1")
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHON": str(commands / "python-old")}
    done = subprocess.run(
        ["bash", "scripts/setup.sh"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "is not a Python 3.11" in done.stderr
