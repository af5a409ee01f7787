"""The command line. Exit codes: 0 done, 1 something differs or failed, 2 bad input (file, line and expectation on stderr)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from dealer_assist.composition import UnknownName, check_file, core_for_trace, load_house, open_station
from dealer_assist.replay import Replay
from dealer_assist.table.trace import TraceError, read
from firmware_protocol.toml_errors import ConfigError

BAD_INPUT = 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dealer-assist",
        description="A second pair of eyes at a live poker table: compares every card with the house's procedure.",
        epilog="Start with `dealer-assist demo`. Each command has its own --help.",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    demo = commands.add_parser(
        "demo",
        help="deal five hands at a simulated table and watch the station",
        description="Opens simulated readers on real serial ports and a PC/SC reader, starts the table service and the dealer "
        "station, and deals two clean hands and three with an irregularity. Without a display it runs offscreen, prints what "
        "was asked, alerted and paid, and leaves a screenshot of each alert. Exit code 0 when all went as scripted.",
    )
    demo.add_argument(
        "--speed",
        type=float,
        default=None,
        help="simulated time per real time (default 4; 8 without a display)",
    )
    demo.add_argument("--offscreen", action="store_true", help="no window even where there is a display")
    demo.add_argument(
        "--language", choices=("en", "uk"), default="en", help="language of the station (default en)"
    )
    demo.add_argument(
        "--folder",
        type=Path,
        default=None,
        help="where to put ports, journal and screenshots (default var/demo)",
    )
    demo.add_argument(
        "--no-pcsc", action="store_true", help="read burns by the table's antenna instead of a PC/SC reader"
    )

    station = commands.add_parser(
        "station",
        help="the dealer's screen; starts a table service when none is running",
        description="The dealer's screen. It shows what the table service says and sends the dealer's taps. When no service "
        "answers on the socket and --config is given, one is started, detached.",
    )
    station.add_argument("--socket", type=Path, required=True, help="the table service's Unix socket")
    station.add_argument(
        "--config", type=Path, default=None, help="table configuration, to start a service when none runs"
    )
    station.add_argument(
        "--language", choices=("en", "uk"), default=None, help="language at start (default: the table's)"
    )
    station.add_argument("--left-handed", action="store_true", help="the action pad on the left")
    station.add_argument(
        "--shots", type=Path, default=None, help="leave a screenshot of each alert in this folder"
    )
    station.add_argument(
        "--size", default=None, metavar="WxH", help="size of the window, as 1280x800 (default: full screen)"
    )
    station.add_argument("--simulate", action="store_true", help="allow a table with simulated devices")

    table = commands.add_parser(
        "table",
        help="the table service: readers, procedure, pot, journal, socket",
        description="The headless service of one table. Ends on SIGTERM or Ctrl-C. Simulated devices are used only with --simulate.",
    )
    table.add_argument("config", type=Path, help="table configuration (TOML), see docs/examples/table.toml")
    table.add_argument(
        "--simulate", action="store_true", help="allow simulated devices; every row and screen says so"
    )

    replay = commands.add_parser(
        "replay",
        help="feed traces through the whole core in memory",
        description="Feeds traces through zones, vault, engine, betting and facts at full speed. Without --json: a line a hand.",
    )
    replay.add_argument(
        "traces", nargs="+", metavar="TRACE", help="trace files (JSON lines), or - for standard input"
    )
    replay.add_argument("--house", default=None, help="judge by this house instead of the trace's")
    replay.add_argument("--json", action="store_true", help="one JSON object a source hand, in order")
    replay.add_argument(
        "--check", action="store_true", help="compare with the trace's expect lines; exit 1 on a difference"
    )

    verify = commands.add_parser(
        "verify",
        help="check a journal's chains and signatures",
        description="Recomputes both hash chains of a journal and checks every signed checkpoint. Exit code 1 when something "
        "was altered, removed, inserted or cut off.",
    )
    verify.add_argument("journal", type=Path, help="journal file (SQLite)")
    verify.add_argument(
        "--key", type=Path, default=None, help="file with the table's public signing key (hex)"
    )

    config = commands.add_parser(
        "config", help="check a configuration file", description="Checks of configuration files."
    )
    kinds = config.add_subparsers(dest="kind", metavar="check", required=True)
    check = kinds.add_parser(
        "check", help="check table, house and game files", description="Checks files; changes nothing."
    )
    check.add_argument("files", nargs="+", type=Path, help="table configuration, house or game files (TOML)")
    check.add_argument(
        "--simulate", action="store_true", help="allow simulated devices in a table configuration"
    )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    args = _parser().parse_args(argv)
    try:
        match args.command:
            case "replay":
                return _replay(args)
            case "verify":
                return _verify(args)
            case "config":
                return _config_check(args)
            case "table":
                from dealer_assist.service import run_table  # noqa: PLC0415 - a screen starts without devices and journal

                return run_table(args.config, simulate=args.simulate)
            case "station":
                return _station(args)
            case _:
                from dealer_assist.demo import run_demo  # noqa: PLC0415 - a screen starts without cryptography

                return run_demo(args)
    except (ConfigError, TraceError, UnknownName) as error:
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
                said = (
                    ", ".join(f"{alert['rule']} {alert['evidence']}" for alert in result.alerts) or "silent"
                )
                print(f"{result.hand}: {result.result}, {said}, awards {result.awards}")
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
            print(f"{args.key}: expected a public key of 64 hex digits", file=sys.stderr)
            return BAD_INPUT
    report = verify(args.journal, key)
    for problem in report.problems:
        print(f"row {problem.seq}: {problem.reason}", file=sys.stderr)
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
    return open_station(
        args.socket,
        config=args.config,
        language=args.language,
        mirrored=args.left_handed,
        shots=args.shots,
        size=args.size,
        simulate=args.simulate,
    )


if __name__ == "__main__":
    sys.exit(main())
