"""``dealer-assist doctor``: the command, and how findings are told."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from dealer_assist.doctor.gather import gather
from dealer_assist.doctor.judge import judge
from dealer_assist.doctor.seen import Finding, Machine

_WIDTH: Final = 100


def add_parser(commands: Any) -> None:
    """Add ``doctor`` to the sub-commands of the command line."""
    doctor = commands.add_parser(
        "doctor",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        help="look at this machine: ports, card readers, keys, memory, versions; say what to do",
        description="Looks at the machine and says what is wrong, what to do about it, and what is in order. Changes nothing and opens\n"
        "no port, so it may be run while a table plays. With sudo it sees more. Exit code 0 when nothing is wrong\n"
        "(warnings included), 1 when there are problems, 2 when the file is no table's.\n\n"
        "  sudo dealer-assist doctor /etc/dealer-assist/table-7.toml",
    )
    doctor.add_argument(
        "table",
        nargs="?",
        type=Path,
        default=None,
        metavar="TABLE.toml",
        help="the table's file (default: none)",
    )
    doctor.add_argument(
        "--json", action="store_true", help="everything that was seen and found, as one JSON object"
    )
    doctor.add_argument(
        "--user",
        default=None,
        metavar="NAME",
        help="whom the table service runs as (default: as it runs, else dealer-table where there is such a user, else you)",
    )


def run(args: argparse.Namespace) -> int:
    """Look, judge, tell. Raises ConfigError."""
    seen = gather(args.table, args.user)
    findings = judge(seen)
    print(as_json(seen, findings) if args.json else in_words(seen, findings))
    return 1 if any(finding.level == "problem" for finding in findings) else 0


def as_json(seen: Machine, findings: Sequence[Finding]) -> str:
    """One JSON object: counts, findings, and what was seen."""
    whole = {
        "problems": sum(finding.level == "problem" for finding in findings),
        "warnings": sum(finding.level == "warning" for finding in findings),
        "findings": findings,
        "seen": seen,
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=1).decode()


def in_words(seen: Machine, findings: Sequence[Finding]) -> str:
    """What is wrong first, each with the one thing to do; then what is in order; the verdict last, where the eye is."""
    lines = [f"Checked {seen.table or 'this machine'} for the user {seen.user.name}."]
    problems = [finding for finding in findings if finding.level == "problem"]
    warnings = [finding for finding in findings if finding.level == "warning"]
    number = 0
    for title, chosen in (("PROBLEMS", problems), ("WARNINGS", warnings)):
        if chosen:
            lines += ["", title]
        for finding in chosen:
            number += 1
            lines += _wrapped(f"{number:>3}. ", finding.what)
            lines += _wrapped("     Do: ", finding.do)
    lines += ["", "IN ORDER"]
    area = ""
    for finding in findings:
        if finding.level == "ok":
            head = f"  {finding.area + ':':<14}" if finding.area != area else " " * 16
            lines += _wrapped(head, finding.what)
            area = finding.area
    lines += ["", _verdict(len(problems), len(warnings))]
    return "\n".join(lines)


def _wrapped(head: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _verdict(problems: int, warnings: int) -> str:
    if problems:
        count = "1 problem" if problems == 1 else f"{problems} problems"
        return f"{count}. Do what number 1 says, then run this again."
    if warnings:
        count = "1 warning" if warnings == 1 else f"{warnings} warnings"
        return f"Nothing is broken; {count}. The table can be opened."
    return "All in order."
