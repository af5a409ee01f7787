"""What the serial ports and PC/SC readers look like, in words for whoever stands at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dealer_assist.doctor.access import may
from dealer_assist.doctor.seen import Finding, Level, Machine, Pcsc, Port, WantedPort

#: pcscd keeps no more readers than this (`pcscd --version`: PCSCLITE_MAX_READERS_CONTEXTS).
MAX_READERS: Final = 16
#: An FTDI adapter as it comes holds every byte back for up to 16 ms.
LATENCY_MS: Final = 1
#: What vsmartcard's virtual reader calls itself.
VIRTUAL: Final = "Virtual PCD"
#: pcscd's answers, as hexadecimal digits: it asks polkit, and polkit says no; it is not there.
_REFUSED: Final = "8010006A"
_RULES: Final = (
    "deploy/install.sh puts the rules for ports in place; then pull the adapter out and put it in again."
)


def judge_ports(seen: Machine) -> Iterator[Finding]:
    """The table's devices, then every port there is."""
    yield from (_wanted(seen, wanted) for wanted in seen.wanted_ports)
    wanted_names = {name for wanted in seen.wanted_ports for name in (wanted.port, *wanted.candidates)}
    for port in seen.ports:
        of_table = not seen.wanted_ports or port.node.path in wanted_names
        yield from _port(seen, port, of_table=of_table)
    if not seen.ports and not any(wanted.address for wanted in seen.wanted_ports):
        level: Level = "ok" if seen.wanted_ports or seen.table else "warning"
        yield Finding(
            "ports",
            level,
            "No serial adapter is plugged in.",
            "" if level == "ok" else "Put a reader's cable in and run this again.",
        )
    yield from _modem_manager(seen)


def _wanted(seen: Machine, wanted: WantedPort) -> Finding:
    name = f"{wanted.role.capitalize()} {wanted.serial}"
    if wanted.address:
        if seen.network_let_in is False:
            return Finding(
                "ports",
                "problem",
                f"{name} is on the network at {wanted.address}, and systemd lets the table service reach no network.",
                "Put network-reader.conf in place (docs/install.md, step 6), then restart the table service.",
            )
        return Finding("ports", "ok", f"{name} is on the network at {wanted.address}; it has no port here.")
    if wanted.port:
        return Finding("ports", "ok", f"{name} is plugged in, at {wanted.port}.")
    if wanted.reason == "ambiguous_port" and wanted.says_who and wanted.folder.endswith("/by-path"):
        looked = f"{name} is looked for on every port in {wanted.folder}: the table service asks each who is there."
        return Finding("ports", "ok", looked)
    if wanted.reason == "ambiguous_port" and wanted.says_who:
        ports = ", ".join(wanted.candidates)
        return Finding(
            "ports", "ok", f"{name} hangs on one of {ports}; the table service asks each who it is."
        )
    if wanted.reason == "ambiguous_port":
        return Finding(
            "ports",
            "problem",
            f"{name} may hang on any of {', '.join(wanted.candidates)}, and cannot say who it is.",
            "Unplug the one that does not belong to this table. Adapters without numbers of their own are told apart "
            "by their sockets: docs/install.md, step 6.",
        )
    if seen.simulated:
        return Finding(
            "ports",
            "problem",
            f"{name} is simulated, and the simulator does not run.",
            f"Start `hw-sim run` with the folder above {wanted.folder}.",
        )
    return Finding(
        "ports",
        "problem",
        f"{name} is not plugged in: nothing in {wanted.folder} bears its number.",
        "Put its cable in; if it is in, try another cable and another socket, and look whether the device has power.",
    )


def _port(seen: Machine, port: Port, *, of_table: bool) -> Iterator[Finding]:
    name = port.node.path
    if not may(seen.user, port.node, "read") or not may(seen.user, port.node, "write"):
        if of_table:
            do = f"Run `sudo usermod -aG {port.node.group} {seen.user.name}`, then restart the table service."
            if port.node.group in ("root", ""):
                do = _RULES
            what = f"{name} may not be opened by {seen.user.name}: it belongs to {port.node.owner}:{port.node.group}"
            yield Finding("ports", "problem", f"{what}, mode {port.node.mode:04o}.", do)
        else:
            yield Finding("ports", "ok", f"{name} is there and is not this table's.")
        return
    others = [process for process in port.holders or () if not process.table]
    if others and of_table and not seen.simulated:
        who = ", ".join(f"{process.name} (process {process.pid})" for process in others)
        yield Finding(
            "ports",
            "problem",
            f"{name} is held open by {who}: two programs on one line steal each other's bytes.",
            f"End {others[0].name}, and see to it that it does not start again.",
        )
    if port.holders is None:
        yield Finding(
            "ports",
            "warning",
            f"Who has {name} open cannot be seen.",
            "Run this again with sudo.",
        )
    if port.latency_ms is not None and port.latency_ms > LATENCY_MS:
        yield Finding(
            "ports",
            "warning",
            f"{name} holds every byte back for up to {port.latency_ms} ms (FTDI's latency timer).",
            _RULES,
        )
    if port.suspends:
        yield Finding("ports", "warning", f"USB may put {name} to sleep while nobody deals.", _RULES)
    yield Finding("ports", "ok", _described(port))


def _described(port: Port) -> str:
    parts = [f"{port.node.path} may be opened by {port.node.owner} and group {port.node.group}"]
    parts += [f"named {link}" for link in port.by_id]
    parts += [f"socket {link}" for link in port.by_path]
    parts += [f"also {link}" for link in port.other_links]
    if port.usb:
        parts.append(f"USB {port.usb}")
    if port.driver:
        parts.append(f"driver {port.driver}")
    if any(process.table for process in port.holders or ()):
        parts.append("in use by the table service")
    elif port.holders == ():
        parts.append("not in use")
    return "; ".join(parts) + "."


def _modem_manager(seen: Machine) -> Iterator[Finding]:
    exposed = [port.node.path for port in seen.ports if port.modems]
    if seen.modem_manager == "absent":
        yield Finding("ports", "ok", "ModemManager is not installed.")
    elif exposed or (seen.modem_manager == "running" and not seen.ports):
        what = f"ModemManager is {seen.modem_manager}"
        what += (
            f" and may talk to {', '.join(exposed)} for ten seconds after each plug-in." if exposed else "."
        )
        yield Finding(
            "ports", "problem" if exposed else "warning", what, "Run `sudo apt remove modemmanager`."
        )
    else:
        yield Finding("ports", "ok", "ModemManager is installed and keeps off the ports.")


# -- card readers --------------------------------------------------------------------------------------------------------------------


def judge_pcsc(seen: Machine) -> Iterator[Finding]:
    """PC/SC: the service, who may use it, and the readers."""
    pcsc = seen.pcsc
    if pcsc.wanted == ():
        yield Finding("card readers", "ok", "This table has no PC/SC reader.")
        return
    if not pcsc.installed:
        yield Finding(
            "card readers",
            "problem" if pcsc.wanted else "warning",
            "pcscd, the service for card readers, is not installed.",
            "Run `sudo apt install pcscd`.",
        )
        return
    yield from _service(seen, pcsc)
    if pcsc.readers is not None:
        yield from _readers(seen, pcsc, pcsc.readers)
    if pcsc.virtual_driver and not seen.simulated:
        yield Finding(
            "card readers",
            "problem",
            f"A virtual card reader is installed ({pcsc.virtual_driver}): anybody on this machine can show it a card.",
            "Run `sudo apt purge vsmartcard-vpcd`, then `sudo systemctl restart pcscd`.",
        )
    for rival in pcsc.rivals:
        yield Finding(
            "card readers",
            "warning",
            f"{rival.name} (process {rival.pid}) takes card readers for itself.",
            f"Remove it: no table needs {rival.name}.",
        )


def _service(seen: Machine, pcsc: Pcsc) -> Iterator[Finding]:
    # without a table's file nobody has said that card readers are needed
    level: Level = "warning" if pcsc.wanted is None else "problem"
    if pcsc.readers is not None:
        yield Finding("card readers", "ok", "pcscd answers.")
    elif pcsc.error.upper() == _REFUSED:
        yield Finding(
            "card readers",
            level,
            "pcscd refuses this user: polkit does not allow it.",
            "Put deploy/polkit/49-dealer-pcsc.rules into /etc/polkit-1/rules.d, or run this as the table's user.",
        )
    elif not pcsc.error:
        yield Finding(
            "card readers",
            level,
            "pcscd is there but does not answer within five seconds: it hangs.",
            "Run `sudo systemctl restart pcscd`.",
        )
    else:
        yield Finding(
            "card readers",
            level,
            f"pcscd does not run (0x{pcsc.error}).",
            "Run `sudo systemctl enable --now pcscd.socket`, then `systemctl status pcscd`.",
        )
    if not pcsc.polkit:
        return
    if pcsc.rules is None:
        yield Finding(
            "card readers", "warning", "polkit's rules cannot be read.", "Run this again with sudo."
        )
    elif not any(f'"{seen.user.name}"' in rule for rule in pcsc.rules) and seen.user.name != "root":
        yield Finding(
            "card readers",
            "problem",
            f"pcscd asks polkit, and no rule lets {seen.user.name} use card readers.",
            "Put deploy/polkit/49-dealer-pcsc.rules into /etc/polkit-1/rules.d, then restart the table service.",
        )
    if pcsc.hidepid:
        yield Finding(
            "card readers",
            "warning",
            "/proc is mounted with hidepid: polkit cannot tell who asks.",
            "Take hidepid out of /etc/fstab and restart the machine.",
        )


def _readers(seen: Machine, pcsc: Pcsc, readers: tuple[str, ...]) -> Iterator[Finding]:
    for wanted in pcsc.wanted or ():
        found = [name for name in readers if wanted in name]
        if len(found) == 1:
            yield Finding("card readers", "ok", f"Card reader “{wanted}” is plugged in: {found[0]}.")
        elif found:
            yield Finding(
                "card readers",
                "problem",
                f"{len(found)} card readers are called “{wanted}”: {', '.join(found)}.",
                "Write a longer part of the right one's name into the table's file, or unplug the other.",
            )
        else:
            yield Finding(
                "card readers",
                "problem",
                f"Card reader “{wanted}” is not plugged in."
                + (f" There are: {', '.join(readers)}." if readers else " There is none at all."),
                "Put its cable in. If it is in, unplug it, count to five, and put it in again.",
            )
    if pcsc.wanted is None:
        yield Finding("card readers", "ok", f"Card readers: {', '.join(readers) or 'none'}.")
    stray = [name for name in readers if VIRTUAL in name]
    if stray and not seen.simulated:
        yield Finding(
            "card readers",
            "problem",
            f"A virtual card reader is there: {stray[0]}. No real card ever lies on it.",
            "Run `sudo apt purge vsmartcard-vpcd`, then `sudo systemctl restart pcscd`.",
        )
    if len(readers) >= MAX_READERS:
        yield Finding(
            "card readers",
            "problem" if len(readers) > MAX_READERS else "warning",
            f"{len(readers)} card readers are plugged in, and pcscd holds {MAX_READERS} at most.",
            "Unplug those that this table does not use; more card places than that need a serial reader.",
        )
