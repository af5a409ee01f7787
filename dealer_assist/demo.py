"""The demo: simulated devices on real ports, the table service, the station, five hands; ends by itself.

Every part is a process of its own, as at a real table. Exit code 0 when all went as the scenarios say.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final, Literal

import msgspec
from nacl.public import PrivateKey

from dealer_assist.composition import demo_hands
from dealer_assist.config.staff import Person, Staff, save_staff
from dealer_assist.demo_folder import emptied, first_missing
from dealer_assist.devices.pcsc_reader import badge_id
from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.facts import Push
from dealer_assist.journal.pins import pin_hash
from dealer_assist.station import plain
from dealer_assist.station.i18n import Translator

#: Who deals: the simulator by its script, the person at the window, or somebody who puts right what the script got wrong.
Who = Literal["simulated", "you", "learner"]
#: So many of the demo's hands, the first ones, have nothing to put right.
CLEAN_HANDS: Final = 2
READY_TIMEOUT_S = 40.0
STOP_TIMEOUT_S = 10.0


class DemoFailed(Exception):
    """A part of the demo did not come up. Carries which, and the end of its log."""

    def __init__(self, part: str, log: Path) -> None:
        self.part = part
        self.log = log
        tail = log.read_text(errors="replace").strip().splitlines()[-12:] if log.exists() else []
        super().__init__("\n".join([f"{part} did not start (log: {log})", *tail]))


class BadScenario(Exception):
    """The simulator refuses a file of the caller's; the sentences name file, line, column and what was expected."""


def played_by(files: list[Path]) -> dict[str, str]:
    """House, game, way of entry, tracking, rake and limits that these scenarios are played by.

    Raises BadScenario when one table cannot play them all.
    """
    wanted: dict[str, dict[str, Path]] = {key: {} for key in _USUAL}
    for file in files:
        try:
            keys = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue  # the simulator says what is wrong with it, and where
        house = keys.get("house", next(iter(keys.get("houses", [])), "seed"))
        named = {
            "house": house,
            "game": keys.get("game", "nlhe"),
            "entry": keys.get("entry", "every_action"),
            "rake": _inline(keys.get("rake", {})),
            "tracking": keys.get("tracking", "full"),
            "limits": _limits(keys.get("table", {})),
        }
        for key, value in named.items():
            name = str(Path(value).resolve()) if str(value).endswith(".toml") else str(value)
            wanted[key].setdefault(name, file)
    for key, names in wanted.items():
        if len(names) > 1:
            (first, one), (second, other), *_ = names.items()
            raise BadScenario(
                f"{other}: {key} {second!r}, but {one} has {first!r}: one table plays them all, expected the same {key}"
            )
    return {key: next(iter(names), _USUAL[key]) for key, names in wanted.items()}


_NAMED: Final = ("house", "game", "entry", "tracking")
#: keys of a scenario's table that are the table's limits too
_STAKES: Final = ("ante", "ante_kind", "small_bet", "big_bet", "kill", "chips")
_USUAL: Final = {
    "house": "seed",
    "game": "nlhe",
    "entry": "every_action",
    "tracking": "full",
    "rake": "{}",
    "limits": "small_blind = 1\nbig_blind = 2",
}


def _limits(table: Any) -> str:
    """The lines of ``[limits]`` that a scenario's table asks for; of one that is none, the usual ones: the simulator refuses it."""
    match table:
        case {"blinds": [int(small), int(big), *_]}:
            stakes = {key: table[key] for key in _STAKES if key in table}
            pairs = {"small_blind": small, "big_blind": big, **stakes}
            return "\n".join(f"{key} = {_inline(value)}" for key, value in pairs.items())
        case _:
            return _USUAL["limits"]


def _inline(value: object) -> str:
    """A value on one line of a table's file."""
    match value:
        case dict():
            return "{" + ", ".join(f"{key} = {_inline(entry)}" for key, entry in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_inline, value)) + "]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def table_toml(
    name: str,
    folder: Path,
    socket: Path,
    devices: dict[str, Any],
    *,
    language: str,
    played: dict[str, str] | None = None,
) -> str:
    """The configuration of a table on simulated devices, from what the simulator says it opened, and how it is ``played``."""
    rules = played or _USUAL

    def quoted(value: object) -> str:
        return json.dumps(str(value), ensure_ascii=False)

    lines = [
        *[f"{key} = {quoted(rules[key])}" for key in _NAMED],
        f"rake = {rules['rake']}",
        f"socket = {quoted(socket)}",
        "seats = [1, 2, 3, 4, 5, 6, 7, 8, 9]",
        "",
        "[table]",
        f"name = {quoted(name)}",
        f"language = {quoted(language)}",
        "",
        "[limits]",
        rules["limits"],
        "",
        "[journal]",
        f"folder = {quoted(folder / 'journal')}",
        "",
        "[keys]",
        f"surveillance_public_key = {quoted(folder / 'surveillance.pub')}",
        "",
        "[simulation]",
        f"speed = {float(devices['speed'])}",
        f"folder = {quoted(folder / 'by-id')}",
    ]
    if devices.get("pcsc_socket"):
        lines.append(f"pcsc_socket = {quoted(devices['pcsc_socket'])}")
    if any(device["role"] == "badge" for device in devices["devices"]):
        lines.insert(lines.index("[simulation]") - 1, f"badge_key = {quoted(folder / 'badge.key')}")
    lines += ["", "[[decks]]", f"file = {quoted(folder / 'deck.json')}"]
    for device in devices["devices"]:
        lines += [
            "",
            "[[devices]]",
            f"serial = {quoted(device['serial'])}",
            f"role = {quoted(device['role'])}",
        ]
        lines.append(f"transport = {quoted(device['transport'])}")
        if device["transport"] == "pcsc":
            lines.append(f"reader = {quoted(device['reader'])}")
        elif device.get("baud"):
            lines.append(f"baud = {int(device['baud'])}")
        for key in ("family", "address"):
            if device.get(key):
                lines.append(f"{key} = {quoted(device[key])}")
        lines += [
            f"{key} = {_inline(device[key])}"
            for key in ("eccel", "feig", "pn532", "ascii_uid")
            if device.get(key)
        ]
        if device.get("antennas"):
            antennas = ", ".join(
                f"{quoted(number)} = {quoted(zone)}" for number, zone in device["antennas"].items()
            )
            lines.append(f"antennas = {{ {antennas} }}")
        if device.get("keys"):
            keys = ", ".join(f"{quoted(number)} = {quoted(file)}" for number, file in device["keys"].items())
            lines.append(f"keys = {{ {keys} }}")
    return "\n".join(lines) + "\n"


@contextlib.contextmanager
def process(
    command: list[str], log: Path, env: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A part of the demo; its standard output is a pipe, its standard error a log. Ended with the block."""
    with log.open("w") as errors:
        running = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL, text=True, env=env
        )
        try:
            yield running
        finally:
            running.terminate()
            try:
                running.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()
            finally:
                if running.stdout is not None:
                    running.stdout.close()


def wait_for_line(running: subprocess.Popen[str], word: str, part: str, log: Path) -> str:
    """The first line with ``word`` in it."""
    assert running.stdout is not None
    for line in running.stdout:
        if word in line:
            return line
    raise DemoFailed(part, log)


def _wait_for_socket(socket: Path, running: subprocess.Popen[str], log: Path) -> None:
    end = time.monotonic() + READY_TIMEOUT_S
    while not socket.exists():
        if running.poll() is not None or time.monotonic() > end:
            raise DemoFailed("the table service", log)
        time.sleep(0.05)


def program(name: str) -> list[str]:
    """The command of one of our own programs, from the same environment as this one."""
    beside = Path(sys.executable).parent / name
    if beside.exists():
        return [str(beside)]
    return [sys.executable, "-m", {"dealer-assist": "dealer_assist.cli", "hw-sim": "hw_sim.cli"}[name]]


def run_demo(args: argparse.Namespace) -> int:
    """Run it. Returns 0, 1 when anything was otherwise than the scenarios say, 2 when a scenario cannot be played."""
    display = not args.offscreen and bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    who: Who = "learner" if args.command == "practice" else "you" if args.by_hand else "simulated"
    by_person = who != "simulated"
    if by_person and not display:
        what = "practice" if who == "learner" else "--by-hand"
        print(f"{what}: expected a display (DISPLAY or WAYLAND_DISPLAY) for its two windows", file=sys.stderr)
        return 2
    if args.badges and who != "you":
        print("--badges: expected --by-hand: somebody has to show them", file=sys.stderr)
        return 2
    if who == "you" and args.files:
        print(f"--by-hand: expected no file, found {args.files[0]}: you are the dealer", file=sys.stderr)
        return 2
    speed = args.speed or (1.0 if by_person else 4.0 if display else 8.0)
    if missing := first_missing(args.files):
        print(f"{missing}: expected a scenario, found no such file", file=sys.stderr)
        return 2
    folder = (args.folder or Path("var/demo")).resolve()
    try:
        mark = emptied(folder)
    except BlockingIOError:
        print(
            f"{folder}: a demo runs here; expected that it is ended first, or another --folder",
            file=sys.stderr,
        )
        return 2
    if mark is None:
        print(
            f"{folder}: expected no such folder, or one of an earlier demo: it would be emptied",
            file=sys.stderr,
        )
        return 2
    shots = folder / "screenshots"
    shots.mkdir()
    hands = args.files or {"simulated": demo_hands(), "you": [], "learner": demo_hands()[CLEAN_HANDS:]}[who]
    # a Unix socket's path has room for 107 bytes
    with mark, tempfile.TemporaryDirectory(prefix="dealer-assist-") as short:
        try:
            with _ended_like_ctrl_c():
                return _run(
                    args, who, hands, folder, Path(short) / "table.sock", shots, speed=speed, display=display
                )
        except BadScenario as refused:
            print(refused, file=sys.stderr)
            return 2
        except DemoFailed as failure:
            print(failure, file=sys.stderr)
            return 1


def _staff(folder: Path, badges: dict[str, str]) -> str:
    """A key of badges and a staff file for the simulated badges; returns the table's section, and tells the floor's PIN."""
    key = secrets.token_bytes(32)
    (folder / "badge.key").write_text(key.hex() + "\n")
    people = Staff()
    for number, (name, uid) in enumerate(badges.items(), 1):
        badge = badge_id(key, bytes.fromhex(uid))
        pin = f"{secrets.randbelow(10**6):06d}" if name == "floor" else ""
        person = Person(
            number=number,
            name=name.capitalize(),
            role="floor" if pin else "dealer",
            badge=badge,
            hand="left" if name == "dealer 2" else None,
            pin=pin_hash(key, badge, pin) if pin else None,
        )
        people = people.with_person(person)
        if pin:
            print(f"The floor's badge has the PIN {pin}", flush=True)
    save_staff(folder / "staff.toml", people)
    return f"\n[staff]\nfile = {json.dumps(str(folder / 'staff.toml'))}\n"


@contextlib.contextmanager
def _ended_like_ctrl_c() -> Iterator[None]:
    """Asked to end, or its terminal closed: the parts are ended too, as with Ctrl-C."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number in before:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(
    args: argparse.Namespace,
    who: Who,
    hands: list[Path],
    folder: Path,
    socket: Path,
    shots: Path,
    *,
    speed: float,
    display: bool,
) -> int:
    # The simulated dealer looks for the table here, and finds it when the screen is up: nothing is dealt before.
    dealer = socket.with_name("dealer.sock")
    (folder / "surveillance.pub").write_text(bytes(PrivateKey.generate().public_key).hex() + "\n")
    command = {"simulated": "run", "you": "table", "learner": "drill"}[who]
    sim_command = [*program("hw-sim"), command, *map(str, hands)]
    sim_command += ["--folder", str(folder), "--socket", str(dealer), "--speed", str(speed)]
    if who == "simulated":
        sim_command += ["--json", *([] if args.no_pcsc else ["--burn-gate", "pcsc"])]
    sim_command += ["--badges"] if args.badges else []
    sim_log, table_log, station_log = (folder / f"{name}.log" for name in ("hw-sim", "table", "station"))
    with contextlib.ExitStack() as stack:
        simulator = stack.enter_context(process(sim_command, sim_log))
        try:
            wait_for_line(simulator, "ready", "the hardware simulator", sim_log)
        except DemoFailed:
            if simulator.wait(STOP_TIMEOUT_S) == 2:
                raise BadScenario(sim_log.read_text().strip()) from None
            raise
        pace = "the speed of life" if speed == 1 else f"{speed:g} times the speed of life"
        print(f"Simulated devices in {folder / 'by-id'}, at {pace}", flush=True)
        devices = json.loads((folder / "devices.json").read_text())
        config = folder / "table.toml"
        config.write_text(
            table_toml("Demo", folder, socket, devices, language=args.language, played=played_by(hands))
        )
        if args.badges:
            with config.open("a") as more:
                more.write(_staff(folder, devices["badges"]))
        table = stack.enter_context(
            process([*program("dealer-assist"), "table", str(config), "--simulate"], table_log)
        )
        _wait_for_socket(socket, table, table_log)
        station_command = [
            *program("dealer-assist"),
            "station",
            "--socket",
            str(socket),
            "--language",
            args.language,
        ]
        station_command += ["--simulate", "--shots", str(shots), "--size", "1280x800"]
        env = dict(os.environ) if display else {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        station = stack.enter_context(process(station_command, station_log, env))
        wait_for_line(station, "ready", "the station", station_log)
        dealer.symlink_to(socket)
        if who == "you":
            print(
                "Two windows: the table, where you deal, and the dealer's screen. Close either to end.",
                flush=True,
            )
            code = _until_closed(simulator, station)
        else:
            if who == "learner":
                print(
                    "Two windows: the table, where you put things right, and the dealer's screen.", flush=True
                )
            code = _follow(simulator.stdout, simulator)
        time.sleep(0.5)  # the station paints the last fact
        if station.poll() not in (None, 0):
            print(
                f"the station ended by itself with {station.returncode} (log: {station_log})", file=sys.stderr
            )
            code = 1
        if table.poll() is not None:
            print(
                f"the table service ended by itself with {table.returncode} (log: {table_log})",
                file=sys.stderr,
            )
            code = 1
    for shot in sorted(shots.glob("*.png")):
        print(f"screenshot: {shot}")
    if who != "simulated":
        return code
    if not args.files and not any(shots.glob("*.png")):
        print("no screenshot of an alert was taken", file=sys.stderr)
        code = 1
    print("The demo went as scripted." if code == 0 else "The demo did not go as scripted.")
    return code


def _until_closed(*windows: subprocess.Popen[str]) -> int:
    """Wait until one of the windows is closed; 0 when it was closed in peace."""
    while all(window.poll() is None for window in windows):
        time.sleep(0.2)
    return 0 if all(window.poll() in (None, 0) for window in windows) else 1


def _follow(lines: IO[str] | None, simulator: subprocess.Popen[str]) -> int:
    """Print what the simulator tells until it ends, in the words of the screen; 0 when it found no difference."""
    assert lines is not None
    words = Translator("en")
    for line in lines:
        for sentence in told(words, line):
            print(sentence, flush=True)
    return 0 if simulator.wait() == 0 else 1


def told(words: Translator, line: str) -> list[str]:
    """A line of ``hw-sim run --json`` as lines for people; a line that is no such record as it is."""
    try:
        record = json.loads(line)
        what = record["what"]
    except (ValueError, TypeError, KeyError):
        return [line.rstrip()]
    match what:
        case "paid":
            return [f"  paid: {plain.paid(words, msgspec.convert(record['push'], Push))}"]
        case "asked" | "alert" | "step" | "alert_over":
            alert = msgspec.convert(record["fact"], Alert)
        case _:
            return [str(record["line"])]
    match what:
        case "asked":
            return [f"  asked: {plain.asked(words, alert)}"]
        case "alert":
            first, *more = plain.alerted(words, alert)
            return [f"  alert: {first}", *(f"    {sentence}" for sentence in more)]
        case "step":
            return [f"    {plain.step_line(words, alert, record['step'])}"]
        case _:
            return [
                f"  over: {plain.ended(words, alert)}"
                + ("" if alert.state == "closed" else f" – {alert.state.replace('_', ' ')}")
            ]
