"""``dealer-assist export``: hands that are over, from a journal or a recording, in the formats of other programs.

A journal is opened read-only, also while its table runs. What it tells of a hand was written when the hand ended and holds no hidden
card; neither does a recording's replay.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from dealer_assist.composition import core_for_trace
from dealer_assist.formats import FinishedHand, NotInFormat, csv_table, ohh_line, phh_table
from dealer_assist.replay import Replay
from dealer_assist.table.change import Change
from dealer_assist.table.session import HAND_PLAYED
from dealer_assist.table.trace import read

BAD_INPUT: Final = 2
_SQLITE: Final = b"SQLite format 3\0"
_NS_PER_MS: Final = 1_000_000
#: Why a hand is left out, for one that counts them.
_WHY: Final = {
    "result": "given back (misdeal, void, chopped) or not settled",
    "game": "of a game that the format does not have",
    "amounts": "played without amounts",
    "cards": "with a board card that nobody knows",
    "runs": "with more than one board",
}


def add_parser(commands: Any) -> None:
    """Add ``export`` to the sub-commands of the command line."""
    export = commands.add_parser(
        "export",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        help="write finished hands for other programs: Open Hand History, PHH, CSV",
        description="Writes the hands of a journal or a recording that are over. Cards that nobody tabled are in none of the formats.\n"
        "Hands that a format cannot hold are left out and counted. docs/formats.md says how each format tells a hand.\n\n"
        "  dealer-assist export --format ohh var/demo/journal/journal.sqlite -o hands.ohh.jsonl\n"
        "  dealer-assist export --format csv --hand 17 var/demo/journal/journal.sqlite\n"
        "  hw-sim trace hands.phhs | dealer-assist export --format phh -",
    )
    export.add_argument(
        "source",
        metavar="FILE",
        help="a journal (SQLite), a recording (JSON lines), or - for a recording on standard input",
    )
    export.add_argument("--format", choices=("ohh", "phh", "csv"), required=True, help="what to write")
    export.add_argument(
        "--hand",
        action="append",
        default=None,
        metavar="ID",
        help="only this hand; may be given more than once. Exit code 1 when it is not there or cannot be written",
    )
    export.add_argument(
        "-o",
        "--output",
        type=Path,
        default=None,
        metavar="FILE",
        help="write here instead of standard output",
    )


def run(args: argparse.Namespace) -> int:
    """Run ``export``; return the exit code. Raises TraceError and OSError for sources that cannot be read."""
    from dealer_assist.journal.errors import JournalError  # noqa: PLC0415 - a screen starts without the database

    others: list[tuple[int, str]] = []
    try:
        hands = [hand for hand in _hands(args.source, others) if args.hand is None or hand.hand in args.hand]
    except JournalError as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    text, left_out = _text(args.format, hands)
    missing = [name for name in args.hand or () if name not in {hand.hand for hand in hands}]
    for row, hand in others:
        print(f"{args.source}: row {row}: hand {hand} as another version wrote it, left out", file=sys.stderr)
    for name in missing:
        print(f"{args.source}: no finished hand {name!r}", file=sys.stderr)
    for code, count in sorted(left_out.items()):
        print(f"{args.source}: {count} hand{'s' if count > 1 else ''} {_WHY[code]} left out", file=sys.stderr)
    _write(args.output, text)
    return 1 if args.hand and (missing or left_out) else 0


def _text(name: str, hands: Sequence[FinishedHand]) -> tuple[str, Counter[str]]:
    """What is written of the hands, and how many are left out for which reason."""
    left_out: Counter[str] = Counter()
    if name == "csv":
        return csv_table(hands), left_out
    parts: list[str] = []
    for hand in hands:
        try:
            parts.append(f"{ohh_line(hand)}\n" if name == "ohh" else phh_table(hand, len(parts) + 1))
        except NotInFormat as error:
            left_out[error.code] += 1
    return ("" if name == "ohh" else "\n").join(parts), left_out


def _write(path: Path | None, text: str) -> None:
    content = text.encode()
    if path is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    unfinished = path.with_name(path.name + ".part")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


# -- sources -----------------------------------------------------------------------------------------------------------------------


def _hands(source: str, others: list[tuple[int, str]]) -> Iterator[FinishedHand]:
    """The hands; into ``others`` go row and name of those that another version wrote."""
    if source != "-" and _is_journal(Path(source)):
        yield from _of_journal(Path(source), others)
    else:
        yield from _of_recording(source)


def _is_journal(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def _of_journal(path: Path, others: list[tuple[int, str]]) -> Iterator[FinishedHand]:
    """The hands that ended, each with the time of its first row. Raises JournalError."""
    from dealer_assist.journal.reader import JournalReader  # noqa: PLC0415

    decoder = msgspec.json.Decoder(FinishedHand)
    began: dict[str, int] = {}
    with contextlib.closing(JournalReader(path)) as journal:
        for row in journal.rows():
            if row.hand:
                began.setdefault(row.hand, row.t_utc_ns)
            if row.kind == "mark" and row.name == HAND_PLAYED:
                try:
                    hand = decoder.decode(row.payload)
                except msgspec.MsgspecError:
                    others.append((row.seq, row.hand))
                    continue
                yield msgspec.structs.replace(hand, started_ms=began.pop(row.hand) // _NS_PER_MS)


def _of_recording(source: str) -> Iterator[FinishedHand]:
    """The hands of a recording, played again. Raises TraceError."""
    over: list[FinishedHand] = []

    def watch(change: Change) -> None:
        if change.played is not None:
            over.append(change.played)

    replay = Replay(lambda header: core_for_trace(header, None), watch=watch)
    with contextlib.nullcontext(sys.stdin.buffer) if source == "-" else Path(source).open("rb") as lines:
        for _ in replay.feed(read(source, lines)):
            yield from over
            over.clear()
    yield from over
