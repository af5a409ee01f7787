"""The command line of the simulator. Exit codes: 0 as scripted, 1 something differed, 2 bad input (nothing is written)."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from firmware_protocol.toml_errors import ConfigError
from hw_sim.director import Habits, play
from hw_sim.drill import NoDrill
from hw_sim.hands import load_hands
from hw_sim.houses import UnknownHouse
from hw_sim.irregular import injected
from hw_sim.live import run_live
from hw_sim.noise import PROFILES, Profile, misses
from hw_sim.physics import ImpossibleAct
from hw_sim.readers import FAMILIES
from hw_sim.shoe import from_shoe
from hw_sim.steps import Hand
from hw_sim.trace import TraceWorld, live_only
from hw_sim.truth import Truth

BAD_INPUT = 2
#: Faster than this, what the devices and the service need in real time no longer fits into virtual time.
MAX_SPEED = 100.0
#: A tap that comes later than this is none of that act.
MAX_LATE_MS = 60_000


def _text(sentences: str, *examples: str) -> str:
    """A description, and examples that nobody breaks across lines."""
    wrapped = textwrap.fill(sentences, 79, break_on_hyphens=False)
    return "\n".join([wrapped, *(["", *(f"  {example}" for example in examples)] if examples else [])])


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="hw-sim",
        formatter_class=raw,
        description=_text(
            "Simulated hardware of a poker table: readers and a shuffler on real serial ports, a card on a PC/SC reader, and a "
            "dealer who deals from a file."
        ),
        epilog="FILE is a scenario (.toml, see docs/scenarios.md) or a hand history in PHH (.phh, .phhs) or Open\n"
        "Hand History (.ohh, .json, .jsonl, see docs/formats.md).\n"
        "`hw-sim COMMAND --help` says more about each. The whole table at once: `dealer-assist demo FILE`.",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", required=True)
    trace = commands.add_parser(
        "trace",
        formatter_class=raw,
        help="write what the devices would send, as a trace for `dealer-assist replay`",
        description=_text(
            "Plays the hands in virtual time and writes a trace (JSON lines). A file with a mistake in it is told with line, "
            "column and expectation, and nothing is written.",
            "hw-sim trace tests/data/pluribus_sample.phhs | dealer-assist replay - --check",
        ),
    )
    trace.add_argument("files", nargs="+", type=Path, metavar="FILE", help="scenarios and hand histories")
    trace.add_argument(
        "--house",
        default=None,
        metavar="NAME",
        help="deal by this house's rules (show order, all-in tabling); of a scenario one of its own houses",
    )
    trace.add_argument(
        "--hands", type=_positive, default=None, metavar="N", help="only the first N hands of each file"
    )
    trace.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the deck's tags (default 1)")
    trace.add_argument(
        "--pace", type=int, default=0, metavar="N", help="another jitter of the dealer's hands (default 0)"
    )
    _noise(trace)
    trace.add_argument(
        "--irregular",
        type=_share,
        default=0.0,
        metavar="SHARE",
        help="let this share of the hands of histories depart from the procedure once, as 0.1; a side file names them (default 0)",
    )
    trace.add_argument(
        "--truth",
        type=Path,
        default=None,
        metavar="FILE",
        help="the side file (default: beside the output, with .irregular.jsonl behind its name)",
    )
    trace.add_argument(
        "--shoe",
        choices=("counts", "sees"),
        default=None,
        help="every hand is dealt from a shoe that counts the cards, or also sees which way each faces (default: as each file says)",
    )
    trace.add_argument(
        "--shoe-errors",
        type=_rate,
        default=0.0,
        metavar="P",
        help="how likely a shoe is not to count a card, and to take one side for the other, as 0.001 (default 0)",
    )
    trace.add_argument(
        "--entry",
        choices=("every_action", "by_exception"),
        default=None,
        help="what the dealer taps: every action, or only bets, raises, all-ins, shown hands and pushes "
        "(default: as each file says; histories every action)",
    )
    trace.add_argument(
        "--tracking",
        choices=("full", "pot", "cards"),
        default=None,
        help="what the table tracks: every chip, no stacks, or no amounts at all (default: as each file says)",
    )
    trace.add_argument(
        "--late-taps",
        type=_milliseconds,
        default=0,
        metavar="MS",
        help="every tap comes 0 to MS later than its act, and the cards do not wait for it (default 0)",
    )
    trace.add_argument(
        "-o",
        "--output",
        type=Path,
        default=None,
        metavar="FILE",
        help="write here instead of standard output (-: standard output)",
    )
    run = commands.add_parser(
        "run",
        formatter_class=raw,
        help="open the devices and deal the hands against a running table service",
        description=_text(
            "Opens a reader and a shuffler on pseudo-terminals and links them in FOLDER/by-id, writes FOLDER/deck.json and "
            "FOLDER/devices.json, prints `ready`, waits until the table service listens on the socket, and deals. Prints what was "
            "asked, alerted and paid. Exit code 1 when something was otherwise than scripted. docs/scenarios.md says more.",
            "hw-sim run tests/scenarios/r2_early_turn.toml --folder var/sim --socket var/sim/table.sock",
        ),
    )
    run.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help="without files the devices stay open until Ctrl-C"
    )
    _devices(run)
    run.add_argument(
        "--socket",
        type=Path,
        default=None,
        metavar="PATH",
        help="the table service's socket, for the dealer's taps",
    )
    run.add_argument(
        "--hands", type=_positive, default=None, metavar="N", help="only the first N hands of each file"
    )
    _noise(run)
    run.add_argument(
        "--shoe",
        choices=("counts", "sees"),
        default=None,
        help="every hand is dealt from a shoe that counts the cards, or also sees which way each faces (default: as each file says)",
    )
    run.add_argument(
        "--shoe-errors",
        type=_rate,
        default=0.0,
        metavar="P",
        help="how likely a shoe is not to count a card, and to take one side for the other, as 0.001 (default 0)",
    )
    run.add_argument(
        "--faults",
        action="store_true",
        help="let faults be asked for on the control channel (docs/faults.md)",
    )
    run.add_argument("--json", action="store_true", help="report as JSON, one object a line")
    run.add_argument(
        "--house",
        default=None,
        metavar="NAME",
        help="deal by this house's rules; of a scenario one of its own",
    )
    run.add_argument(
        "--burn-gate",
        choices=("antenna", "pcsc"),
        default="antenna",
        help="what reads the burns (default antenna)",
    )
    _badges(run)
    run.add_argument(
        "--reader",
        choices=FAMILIES,
        default="own",
        help="whose readers the table has; bought ones come as boards of eight antennas each (default own)",
    )
    table = commands.add_parser(
        "table",
        formatter_class=raw,
        help="open the devices and a window to deal at by hand",
        description=_text(
            "The same devices as `hw-sim run`, and a window with cards to drag from the stub to seats, board, burn and muck, to turn "
            "over and to mis-deal, and devices to unplug. The whole table at once: `dealer-assist demo --by-hand`.",
            "hw-sim table --folder var/sim",
        ),
    )
    _devices(table, seeds="tags and shuffles")
    _badges(table)
    table.add_argument(
        "--socket",
        type=Path,
        default=None,
        metavar="PATH",
        help="the table service's socket: six players sit down there, and the button lies where it says",
    )
    table.add_argument(
        "--button",
        type=int,
        choices=range(1, 10),
        default=1,
        metavar="SEAT",
        help="where the button lies first (default 1)",
    )
    drill = commands.add_parser(
        "drill",
        formatter_class=raw,
        help="deal scenarios up to their irregularity, and score how a person puts it right",
        description=_text(
            "For a dealer school. Each scenario is dealt up to its question or alert; then a person answers on the dealer's screen and "
            "puts the cards right in this window. Prints a line with the score of each: the answers, the steps of the recovery, the time, "
            "and what else went wrong. Everything at once: `dealer-assist practice`.",
            "hw-sim drill tests/scenarios/d4_two_seats_swapped.toml --folder var/sim --socket var/sim/table.sock",
        ),
    )
    drill.add_argument("files", nargs="+", type=Path, metavar="FILE", help="scenarios, docs/scenarios.md")
    _devices(drill)
    drill.add_argument(
        "--socket", type=Path, required=True, metavar="PATH", help="the table service's socket"
    )
    drill.add_argument(
        "--house", default=None, metavar="NAME", help="deal by this house's rules, one of the scenario's own"
    )
    return parser


def _devices(parser: argparse.ArgumentParser, *, seeds: str = "the deck's tags") -> None:
    """What every command that opens devices is told. ``seeds``: what its seed is for."""
    parser.add_argument(
        "--folder", type=Path, required=True, help="where ports, deck file and control socket are put"
    )
    parser.add_argument(
        "--speed", type=_speed, default=1.0, metavar="N", help="virtual time per real time (default 1)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help=f"seed of {seeds} (default 1)")


def _badges(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--badges",
        action="store_true",
        help="a PC/SC reader of people's badges, which are shown to it by the control channel or in the window",
    )


def _noise(parser: argparse.ArgumentParser) -> None:
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "--noise",
        choices=tuple(PROFILES),
        default=None,
        help="how well antennas read and how people tap and handle cards, drawn by --seed (default clean)",
    )
    either.add_argument(
        "--miss-rate",
        type=_rate,
        default=0.0,
        metavar="P",
        help="antennas only: how likely a scan is to miss a card that lies well, as 0.02 (default 0)",
    )


def profile_of(args: argparse.Namespace) -> Profile:
    """The noise that was asked for."""
    return PROFILES[args.noise] if args.noise else misses(args.miss_rate)


def _share(text: str) -> float:
    if text == "1":
        return 1.0
    return _rate(text)


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.0 < speed <= MAX_SPEED:
        raise argparse.ArgumentTypeError(f"expected a number above 0, at most {MAX_SPEED:g}, found {text!r}")
    return speed


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0.0 <= rate < 1.0:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to below 1, found {text!r}")
    return rate


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number above 0, found {text!r}")
    return int(text)


def _milliseconds(text: str) -> int:
    if not text.isdigit() or int(text) > MAX_LATE_MS:
        raise argparse.ArgumentTypeError(
            f"expected whole milliseconds from 0 to {MAX_LATE_MS}, found {text!r}"
        )
    return int(text)


def _trace(args: argparse.Namespace) -> int:
    # A mistake in any file is told before anything is written.
    hands: Iterable[Hand] = list(load_hands(args.files, args.house, args.hands, args.entry, args.tracking))
    for mistake in map(live_only, hands):
        if mistake is not None:
            raise mistake
    hands = [from_shoe(hand, args.shoe) for hand in hands]
    if args.irregular:
        hands = [injected(hand, share=args.irregular, seed=args.seed) for hand in hands]
    profile = profile_of(args)
    # another seed is another evening: the dealer's hands are not the same either
    pace = args.pace or (args.seed if profile.manners is not None else 0)
    habits = Habits(pace=pace, late_taps_ms=args.late_taps, manners=profile.manners, seed=args.seed)

    def write(file: IO[str], side: IO[str] | None) -> None:
        world = TraceWorld(file.write, seed=args.seed, profile=profile, shoe_error_rate=args.shoe_errors)
        truth = Truth(side.write, world.read_for_ms) if side is not None else None
        now_ms = 1000
        for hand in hands:
            now_ms = play(hand, world, now_ms, habits, truth=truth)
        file.flush()

    output = None if args.output is None or str(args.output) == "-" else args.output
    truth = args.truth
    if truth is None and output is not None and (args.irregular or profile.manners is not None):
        truth = output.with_name(f"{output.name}.irregular.jsonl")
    with ExitStack() as files:
        side = None if truth is None else files.enter_context(_written(truth))
        write(sys.stdout if output is None else files.enter_context(_written(output)), side)
    return 0


@contextmanager
def _written(path: Path) -> Iterator[IO[str]]:
    """A file to write to, which is there whole or not at all."""
    unfinished = path.with_name(path.name + ".part")
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            yield file
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    parser = _parser()
    if not (sys.argv[1:] if argv is None else argv):
        parser.print_help(sys.stderr)
        return BAD_INPUT
    args = parser.parse_args(argv)
    if args.command == "trace":
        if args.irregular and args.truth is None and (args.output is None or str(args.output) == "-"):
            parser.error(
                "--irregular to standard output needs --truth FILE: nothing in a trace names a departure"
            )
        if args.late_taps and args.noise not in (None, "clean"):
            parser.error(f"--late-taps goes without --noise {args.noise}, which has late taps of its own")
    try:
        if args.command == "trace":
            return _trace(args)
        if args.command == "table":
            from hw_sim.window.run import run_table  # noqa: PLC0415 - Qt, which only a window needs

            return run_table(args)
        if args.command == "drill":
            from hw_sim.window.drill_run import run_drills  # noqa: PLC0415 - Qt, which only a window needs

            return run_drills(args)
        return run_live(args, profile_of(args))
    except (ConfigError, UnknownHouse, ImpossibleAct, NoDrill) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        return 1
    except OSError as error:
        print(f"{error.filename or args.command}: {error.strerror or error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
