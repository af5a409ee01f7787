"""Set-up, files, memory, versions, screen and clock of the machine, in words for whoever stands at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dealer_assist.doctor.access import may, others_may_read
from dealer_assist.doctor.seen import Finding, Machine, NamedFile, Place, Version

#: A journal grows by some ten megabytes a day at a busy table.
FREE_MB: Final = 1000
LEAST_FREE_MB: Final = 100
#: A wall clock further off than this makes it hard to find a hand on surveillance's video.
CLOCK_MS: Final = 1000
#: What serial ports belong to on Debian.
PORT_GROUP: Final = "dialout"


def judge_setup(seen: Machine) -> Iterator[Finding]:
    """The table's file and its user."""
    for mistake in seen.mistakes:
        yield Finding("setup", "problem", mistake, "Put this line of the table's file right.")
    if seen.table and not seen.mistakes:
        yield Finding("setup", "ok", f"{seen.table} is in order.")
    if seen.simulated:
        yield Finding(
            "setup", "ok", "Its devices are simulated: the service takes them only with --simulate."
        )
    user = seen.user
    if not user.exists:
        yield Finding(
            "setup",
            "problem",
            f"There is no user {user.name} on this machine.",
            "Run `sudo deploy/install.sh`, or name another with --user.",
        )
    elif user.name == "root":
        yield Finding(
            "setup",
            "warning",
            "This was checked for root, who may do everything: a table service must not run as root.",
            "Run this again with `--user dealer-table`, or as the table's user.",
        )
    elif any(not port.address for port in seen.wanted_ports) and not seen.simulated:
        if PORT_GROUP in user.groups:
            yield Finding("setup", "ok", f"{user.name} is in the group {PORT_GROUP}.")
        else:
            yield Finding(
                "setup",
                "problem",
                f"{user.name} is not in the group {PORT_GROUP}, to which serial ports belong.",
                f"Run `sudo usermod -aG {PORT_GROUP} {user.name}`, then restart the table service.",
            )


def judge_files(seen: Machine) -> Iterator[Finding]:
    """Keys, decks, and the folders that are written to."""
    for file in seen.files:
        yield _file(seen, file)
    if seen.stray_private_key:
        yield Finding(
            "files",
            "problem",
            f"{seen.stray_private_key} lies on this machine: with it hidden cards can be read here.",
            "Tell surveillance: the private key must be kept by them alone, and this pair be replaced.",
        )
    for place in seen.places:
        yield from _place(seen, place)


def _file(seen: Machine, file: NamedFile) -> Finding:
    node, user = file.node, seen.user.name
    if node.kind == "hidden":
        return Finding(
            "files", "warning", f"The {file.what} {node.path} cannot be seen.", "Run this again with sudo."
        )
    if node.kind != "file":
        return Finding(
            "files",
            "problem",
            f"The {file.what} {node.path} is missing.",
            "Copy it there (docs/install.md, step 4).",
        )
    if not may(seen.user, node, "read"):
        return Finding(
            "files",
            "problem",
            f"The {file.what} {node.path} cannot be read by {user}.",
            f"Run `sudo chown {user} {node.path}`, and look at the folders above it.",
        )
    if file.secret and others_may_read(seen.user, node):
        return Finding(
            "files",
            "problem",
            f"The {file.what} {node.path} can be read by others: owner {node.owner}, group {node.group}, mode {node.mode:04o}.",
            f"Run `sudo chown {user}: {node.path} && sudo chmod 600 {node.path}`.",
        )
    return Finding("files", "ok", f"The {file.what} {node.path} is there, for {user} to read.")


def _place(seen: Machine, place: Place) -> Iterator[Finding]:
    node, user = place.node, seen.user.name
    name = f"The folder of the {place.what}, {node.path},"
    if node.kind == "hidden":
        yield Finding("files", "warning", f"{name} cannot be seen.", "Run this again with sudo.")
        return
    if node.kind != "folder":
        yield Finding(
            "files",
            "problem",
            f"{name} is missing.",
            "Run `sudo systemd-tmpfiles --create`."
            if place.what == "socket"
            else "Mount a tmpfs at /dev/shm."
            if place.what == "hand key"
            else f"Run `sudo install -d -m 700 -o {user} {node.path}`.",
        )
        return
    if not may(seen.user, node, "write") or not may(seen.user, node, "enter"):
        yield Finding(
            "files",
            "problem",
            f"{name} may not be written by {user}: {node.owner}:{node.group}, mode {node.mode:04o}.",
            f"Run `sudo chown {user} {node.path}`.",
        )
        return
    if place.what == "hand key" and not place.ram:
        yield Finding(
            "files",
            "problem",
            f"{name} is on a disk: the key of a running hand would stay there.",
            "Mount a tmpfs at /dev/shm; without it no table starts.",
        )
        return
    if place.what == "journal" and place.ram:
        yield Finding(
            "files",
            "problem",
            f"{name} is in memory only: the record is gone when the power fails.",
            "Name a folder on the disk in the table's file, [journal] folder.",
        )
        return
    if place.what == "journal" and place.free_mb is not None and place.free_mb < FREE_MB:
        yield Finding(
            "files",
            "problem" if place.free_mb < LEAST_FREE_MB else "warning",
            f"Only {place.free_mb} MB are free for the journal.",
            "Have finished journals archived and taken off this disk.",
        )
        return
    yield Finding("files", "ok", f"{name} is there, for {user} to write.")


def judge_memory(seen: Machine) -> Iterator[Finding]:
    """Nothing that is secret may reach a disk."""
    memory = seen.memory
    who = "The table service" if memory.service is not None else "A table service started from here"
    if memory.service is not None and memory.locked:
        used = f"{memory.resident_kib // 1024} MB of it in use"
        yield Finding("memory", "ok", f"{who} keeps its memory locked, {used}.")
    elif memory.may_lock and memory.service is None:
        yield Finding("memory", "ok", f"{who} may lock its memory.")
    else:
        limit = "" if memory.lock_limit_kib is None else f" (the limit is {memory.lock_limit_kib} KiB)"
        swap = " and there is swap: a hidden card could reach the disk" if memory.swap else ""
        yield Finding(
            "memory",
            "problem" if memory.swap else "warning",
            f"{who} {'has not locked' if memory.service is not None else 'may not lock'} its memory{limit}{swap}.",
            "Start it by systemd (`systemctl restart dealer-table@NAME`), whose unit sets LimitMEMLOCK=infinity.",
        )
    if memory.core:
        yield Finding(
            "memory",
            "problem",
            f"{who} may leave a core file, with every hidden card in it.",
            "Start it as dealer-table@NAME, or tell whoever built this version.",
        )
    else:
        yield Finding("memory", "ok", f"{who} leaves no core file.")
    locks = memory.locked or (memory.service is None and memory.may_lock)
    if not memory.swap:
        yield Finding("memory", "ok", "There is no swap.")
    elif locks:
        yield Finding(
            "memory",
            "warning",
            f"There is swap ({', '.join(memory.swap)}). Locked memory stays out of it, unless the machine is put to sleep.",
            "Run `sudo swapoff -a` and take swap out of /etc/fstab.",
        )


def judge_versions(seen: Machine) -> Iterator[Finding]:
    """What is installed against what this version was made for."""
    good = []
    for version in seen.versions:
        low, high = version.wanted
        bounds = " and ".join(part for part in (low and f"{low} or later", high and f"below {high}") if part)
        if not version.found:
            if low or high:
                yield Finding(
                    "versions",
                    "problem",
                    f"{version.name} is not installed.",
                    "Install this program anew (docs/install.md, step 2).",
                )
        elif _fits(version):
            good.append(f"{version.name} {version.found}")
        else:
            yield Finding(
                "versions",
                "problem",
                f"{version.name} {version.found} is installed, and {bounds} is needed.",
                "Install this program anew (docs/install.md, step 2).",
            )
    if good:
        yield Finding("versions", "ok", ", ".join(good) + ".")


def _fits(version: Version) -> bool:
    low, high = (_numbers(bound) for bound in version.wanted)
    found = _numbers(version.found)
    return (not low or found >= low) and (not high or found < high)


def _numbers(text: str) -> tuple[int, ...]:
    numbers = []
    for part in text.split("."):
        digits = part[: next((at for at, letter in enumerate(part) if not letter.isdigit()), len(part))]
        if not digits:
            break
        numbers.append(int(digits))
    return tuple(numbers)


def judge_screen(seen: Machine) -> Iterator[Finding]:
    """The station's type."""
    packages = {"Inter": "fonts-inter", "Noto Sans": "fonts-noto-core"}
    missing = [family for family, there in seen.fonts.items() if not there]
    for family in missing:
        yield Finding(
            "screen",
            "warning",
            f"The font {family} is missing: the dealer's screen looks different from what was tested.",
            f"Run `sudo apt install {packages.get(family, family)}`, then restart the station.",
        )
    if seen.fonts and not missing:
        yield Finding("screen", "ok", f"The screen's fonts are there: {', '.join(seen.fonts)}.")


def judge_clock(seen: Machine) -> Iterator[Finding]:
    """Hands are found on the video by the clock on the wall."""
    clock = seen.clock
    keepers = ", ".join(clock.keepers)
    if clock.synchronised and clock.error_ms <= CLOCK_MS:
        by = f" by {keepers}" if keepers else ""
        yield Finding("clock", "ok", f"The clock is kept right{by}, to {clock.error_ms} ms.")
    elif clock.synchronised:
        yield Finding(
            "clock",
            "warning",
            f"The clock may be off by {clock.error_ms / 1000:.1f} s.",
            "Run `chronyc sources`: the casino's time servers should be listed and reachable.",
        )
    elif clock.synchronised is None:
        yield Finding(
            "clock", "warning", "Whether the clock is right cannot be asked here.", "Compare it by eye."
        )
    else:
        what = (
            f"{keepers} runs, but the clock is not right yet."
            if keepers
            else "Nothing keeps the clock right."
        )
        do = (
            "Wait a minute and run this again; then look at the network cable and `chronyc sources`."
            if keepers
            else "Run `sudo apt install chrony` and name the casino's time servers in /etc/chrony/chrony.conf."
        )
        yield Finding("clock", "warning", what, do)
