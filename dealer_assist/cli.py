"""The command line. Exit codes: 0 done, 1 something differs or failed, 2 bad input (file, line and expectation on stderr)."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from dealer_assist import equipment_command, export_command, houses_command, staff_command
from dealer_assist.composition import UnknownName, check_file, core_for_trace, load_house, open_station
from dealer_assist.doctor import command as doctor_command
from dealer_assist.domain.languages import LANGUAGES
from dealer_assist.help_text import help_text
from dealer_assist.replay import Replay
from dealer_assist.replay_checks import HandResult
from dealer_assist.table.money import RakeUnfit
from dealer_assist.table.trace import TraceError, read
from firmware_protocol.toml_errors import ConfigError

BAD_INPUT = 2
#: Faster than this, and one process in the demo waits for another.
MAX_DEMO_SPEED = 20.0


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.0 < speed <= MAX_DEMO_SPEED:
        raise argparse.ArgumentTypeError(
            f"expected a number above 0, at most {MAX_DEMO_SPEED:g}, found {text!r}"
        )
    return speed


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="dealer-assist",
        formatter_class=raw,
        description=help_text(
            "A second pair of eyes at a live poker table: compares every card with the house's procedure."
        ),
        epilog="Start with `dealer-assist demo`. `dealer-assist COMMAND --help` says more about each.",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", required=True)

    demo = commands.add_parser(
        "demo",
        formatter_class=raw,
        help="deal five hands at a simulated table and watch the station",
        description=help_text(
            "Opens simulated readers on real serial ports and a PC/SC reader, starts the table service and the dealer "
            "station, and deals two clean hands and three with an irregularity; about a minute. Prints what was asked, "
            "alerted and paid, and leaves a screenshot of each alert. Without a display the station runs offscreen. "
            "Exit code 0 when all went as scripted, otherwise 1.",
            "dealer-assist demo tests/scenarios/f2_five_cards_up.toml --speed 2",
        ),
    )
    demo.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help="scenarios to deal instead (docs/scenarios.md)"
    )
    demo.add_argument(
        "--speed",
        type=_speed,
        default=None,
        metavar="N",
        help="how many times as fast as at a table (default 4; 8 without a display)",
    )
    demo.add_argument("--offscreen", action="store_true", help="no window even where there is a display")
    demo.add_argument(
        "--language",
        choices=LANGUAGES,
        default="en",
        help="language of the station (default en)",
    )
    demo.add_argument(
        "--folder",
        type=Path,
        default=None,
        help="where ports, journal, logs and screenshots are put; what is there is removed (default var/demo)",
    )
    demo.add_argument(
        "--no-pcsc", action="store_true", help="read burns by the table's antenna instead of a PC/SC reader"
    )
    demo.add_argument(
        "--by-hand",
        action="store_true",
        help="deal yourself: a second window with cards to drag and cables to pull, at the speed of life",
    )

    demo.add_argument(
        "--badges",
        action="store_true",
        help="with --by-hand: a reader of badges, and a staff of two dealers and a floor supervisor, whose PIN is told",
    )

    practice = commands.add_parser(
        "practice",
        formatter_class=raw,
        help="drills for a dealer school: put irregularities right at a simulated table, with a score",
        description=help_text(
            "Deals each scenario up to its irregularity; then it is your turn: answer on the dealer's screen, and put the cards right in "
            "the table's window. Prints the score of each drill: answers, steps of the recovery, time, and what else went wrong. Needs a "
            "display. Any scenario with an irregularity is a drill.",
            "dealer-assist practice tests/scenarios/d4_two_seats_swapped.toml",
        ),
    )
    practice.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help="scenarios (default: three of the demo)"
    )
    practice.add_argument(
        "--speed", type=_speed, default=None, metavar="N", help="how many times as fast as life"
    )
    practice.add_argument(
        "--language",
        choices=LANGUAGES,
        default="en",
        help="language of the station (default en)",
    )
    practice.add_argument(
        "--folder",
        type=Path,
        default=None,
        help="where ports, journal, logs and screenshots are put; what is there is removed (default var/demo)",
    )
    practice.set_defaults(by_hand=False, offscreen=False, no_pcsc=True, badges=False)

    station = commands.add_parser(
        "station",
        formatter_class=raw,
        help="the dealer's screen; starts a table service when none is running",
        description=help_text(
            "The dealer's screen. It shows what the table service says and sends the dealer's taps. When no service "
            "answers on the socket and --config is given, one is started, detached; it goes on when the screen is closed.",
            "dealer-assist station --socket run/table-7.sock --config table-7.toml",
        ),
    )
    station.add_argument(
        "--socket", type=Path, required=True, metavar="PATH", help="the table service's Unix socket"
    )
    station.add_argument(
        "--config",
        type=Path,
        default=None,
        metavar="FILE",
        help="table configuration, to start a service when none runs",
    )
    station.add_argument(
        "--language",
        choices=LANGUAGES,
        default=None,
        help="language at start (default: the table's)",
    )
    station.add_argument("--left-handed", action="store_true", help="the action pad on the left")
    station.add_argument(
        "--text-scale",
        type=int,
        choices=(100, 110, 125, 150),
        default=100,
        help="size of the text in percent, as far as there is room (default 100)",
    )
    station.add_argument(
        "--still", action="store_true", help="nothing moves: cards and chips are at once where they belong"
    )
    station.add_argument(
        "--loudness",
        type=int,
        choices=range(1, 6),
        default=3,
        help="how loud alerts are, 1 to 5 (default 3); the screen's table menu changes it",
    )
    station.add_argument(
        "--shots",
        type=Path,
        default=None,
        metavar="FOLDER",
        help="leave a screenshot of each alert in this folder",
    )
    station.add_argument(
        "--size",
        default=None,
        metavar="WxH",
        help="size of the window, at least 1280x800 (default: full screen)",
    )
    station.add_argument("--simulate", action="store_true", help="allow a table with simulated devices")

    table = commands.add_parser(
        "table",
        formatter_class=raw,
        help="the table service: readers, procedure, pot, journal, socket",
        description=help_text(
            "The headless service of one table. Prints `ready` with its socket, logs to standard error, ends on SIGTERM "
            "or Ctrl-C. Simulated devices are used only with --simulate."
        ),
    )
    table.add_argument(
        "config",
        type=Path,
        metavar="FILE",
        help="table configuration (TOML), see docs/examples/table.toml; the demo leaves one in var/demo/table.toml",
    )
    table.add_argument(
        "--simulate", action="store_true", help="allow simulated devices; every row and screen says so"
    )

    replay = commands.add_parser(
        "replay",
        formatter_class=raw,
        help="feed traces through the whole core in memory",
        description=help_text(
            "Feeds traces through zones, vault, engine, betting and facts at full speed, without journal and seals. "
            "Prints a line a hand, or with --json an object a hand. Format of traces: docs/traces.md.",
            "hw-sim trace tests/scenarios/r2_early_turn.toml | dealer-assist replay - --check",
        ),
    )
    replay.add_argument(
        "traces", nargs="+", metavar="TRACE", help="trace files (JSON lines), or - for standard input"
    )
    replay.add_argument(
        "--house",
        default=None,
        metavar="NAME",
        help="judge by this house, or this .toml file, instead of the trace's",
    )
    replay.add_argument("--json", action="store_true", help="one JSON object a source hand, in order")
    replay.add_argument(
        "--check", action="store_true", help="compare with the trace's expect lines; exit 1 on a difference"
    )

    verify = commands.add_parser(
        "verify",
        formatter_class=raw,
        help="check a journal's chains and signatures",
        description=help_text(
            "Recomputes both hash chains of a journal and checks every signed checkpoint. Exit code 1 when something "
            "was altered, removed, inserted or cut off.",
            "dealer-assist verify var/demo/journal/journal.sqlite --key var/demo/journal/signing.pub",
        ),
    )
    verify.add_argument("journal", type=Path, metavar="FILE", help="journal file (SQLite)")
    verify.add_argument(
        "--key",
        type=Path,
        default=None,
        metavar="FILE",
        help="the table's public signing key, 64 hex digits; without it signatures are not checked",
    )

    config = commands.add_parser(
        "config",
        help="check configuration files",
        description="Configuration files. `dealer-assist config check FILE…` is all there is to do with them.",
    )
    kinds = config.add_subparsers(dest="kind", metavar="check", required=True)
    check = kinds.add_parser(
        "check",
        formatter_class=raw,
        help="check table, house and game files",
        description=help_text(
            "Checks table configurations, houses and games, each told by what is in it. Names file, line, column and "
            "expectation of every mistake, all at once; changes nothing. Exit code 2 when there is one.",
            "dealer-assist config check dealer_assist/procedure/houses/seed.toml",
            "dealer-assist config check var/demo/table.toml --simulate",
        ),
    )
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="TOML files")
    check.add_argument(
        "--simulate", action="store_true", help="allow simulated devices in a table configuration"
    )

    doctor_command.add_parser(commands)
    export_command.add_parser(commands)
    houses_command.add_parser(commands)
    equipment_command.add_parser(commands)
    staff_command.add_parser(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    parser = _parser()
    if not (sys.argv[1:] if argv is None else argv):
        parser.print_help(sys.stderr)
        return BAD_INPUT
    args = parser.parse_args(argv)
    try:
        match args.command:
            case "replay":
                return _replay(args)
            case "verify":
                return _verify(args)
            case "config":
                return _config_check(args)
            case "doctor":
                return doctor_command.run(args)
            case "export":
                return export_command.run(args)
            case "houses":
                return houses_command.run(args)
            case "deck" | "calibrate" | "diagnose" | "trace":
                return equipment_command.run(args)
            case "staff":
                return staff_command.run(args)
            case "table":
                from dealer_assist.service import run_table  # noqa: PLC0415 - a screen starts without devices and journal

                return run_table(args.config, simulate=args.simulate)
            case "station":
                return _station(args)
            case _:
                from dealer_assist.demo import run_demo  # noqa: PLC0415 - a screen starts without cryptography

                return run_demo(args)
    except (ConfigError, RakeUnfit, TraceError, UnknownName) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except OSError as error:
        print(f"{error.filename or args.command}: {error.strerror or error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return 130


def _lines(name: str) -> Iterator[bytes]:
    if name == "-":
        yield from sys.stdin.buffer
        return
    with Path(name).open("rb") as file:
        yield from file


def _replay(args: argparse.Namespace) -> int:
    if args.house is not None:
        load_house(args.house)
    differ = hands = alerts = 0
    out = sys.stdout.buffer
    for name in args.traces:
        replay = Replay(lambda header: core_for_trace(header, args.house))
        for result in replay.feed(read(name, _lines(name))):
            hands += 1
            alerts += len(result.alerts)
            if args.json:
                out.write(result.as_json() + b"\n")
            else:
                print(_in_words(result, replay.house))
            if args.check:
                for line in result.notes:
                    print(f"{name}: hand {result.hand}: {line}", file=sys.stderr)
            if args.check and result.differences:
                differ += 1
                for line in result.differences:
                    print(f"{name}: hand {result.hand}: {line}", file=sys.stderr)
    out.flush()
    if args.check:
        print(f"{hands} hands, {alerts} alerts and questions, {differ} hands differ", file=sys.stderr)
    return 1 if differ else 0


def _in_words(result: HandResult, house: str) -> str:
    """One line of ``replay``: how the hand ended, what was said and prescribed, by which house, and who was paid."""
    told = [
        f"{alert['rule']} {alert['evidence']}" + (f" ({alert['remedy']})" if alert["remedy"] else "")
        for alert in result.alerts
    ]
    paid = [f"seat {seat} {amount}" for seat, amount in result.awards.items()]
    return f"{result.hand}: {result.result}, house {house}, {', '.join(told) or 'silent'}, awards {', '.join(paid) or 'none'}"


def _verify(args: argparse.Namespace) -> int:
    from dealer_assist.journal.verify import verify  # noqa: PLC0415 - a screen starts without cryptography

    if not args.journal.is_file():
        print(f"{args.journal}: expected a journal file", file=sys.stderr)
        return BAD_INPUT
    key = None
    if args.key is not None:
        try:
            key = bytes.fromhex(args.key.read_text().strip())
        except ValueError:
            key = b""
        if len(key) != 32:
            print(f"{args.key}: expected a public key of 64 hex digits", file=sys.stderr)
            return BAD_INPUT
    report = verify(args.journal, key)
    for problem in report.problems:
        print(f"row {problem.seq}: {problem.reason}" if problem.seq else problem.reason, file=sys.stderr)
    if key is None:
        print("signatures were not checked: no --key", file=sys.stderr)
    print(
        f"{args.journal}: {report.rows} rows, {report.seals} seals, {report.checkpoints} checkpoints: "
        f"{'sound' if report.ok else 'NOT SOUND'}"
    )
    return 0 if report.ok else 1


def _config_check(args: argparse.Namespace) -> int:
    problems: list[str] = []
    for path in args.files:
        try:
            what = check_file(path, simulate=args.simulate)
        except (ConfigError, UnknownName) as error:
            problems.append(str(error))
        else:
            print(f"{path}: {what}, in order")
    for problem in problems:
        print(problem, file=sys.stderr)
    return BAD_INPUT if problems else 0


def _station(args: argparse.Namespace) -> int:
    if not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))):
        # Qt would end the process and ask for a library that is there
        print(
            "station: expected a display (DISPLAY or WAYLAND_DISPLAY), or what Qt draws on (QT_QPA_PLATFORM)",
            file=sys.stderr,
        )
        return BAD_INPUT
    return open_station(
        args.socket,
        config=args.config,
        language=args.language,
        mirrored=args.left_handed,
        shots=args.shots,
        size=args.size,
        simulate=args.simulate,
        text_scale=args.text_scale,
        still=args.still,
        loudness=args.loudness,
    )


if __name__ == "__main__":
    sys.exit(main())
