"""``dealer-assist staff``: the staff file. Badges are enrolled and PINs set here; a running table takes a change over within a second.

A PIN is typed where nobody sees it, or comes on standard input: never as an argument, which others on the machine could read.
"""

from __future__ import annotations

import argparse
import datetime as dt
import getpass
import itertools
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from dealer_assist.config.files import read_hex_key
from dealer_assist.config.staff import Person, Staff, load_staff, save_staff
from dealer_assist.config.table import TableConfig, examine_table_config
from dealer_assist.domain.facts import NoticeFact
from dealer_assist.domain.floor import PIN_MAX_DIGITS, PIN_MIN_DIGITS
from dealer_assist.domain.languages import LANGUAGES
from dealer_assist.help_text import help_text
from dealer_assist.table_client import TableClient
from firmware_protocol.toml_errors import ConfigError

BAD_INPUT: Final = 2
#: How long `--tap` waits for a badge.
TAP_WITHIN_S: Final = 60.0
_BADGE: Final = re.compile(r"[0-9a-f]{4}(-[0-9a-f]{4}){2}")
_MOST_NAME: Final = 60
_TWICE: Final = 2


class _No(Exception):
    """Something cannot be done as asked; the text says what was expected."""


def add_parser(commands: Any) -> None:
    """The command's arguments."""
    raw = argparse.RawDescriptionHelpFormatter
    staff = commands.add_parser(
        "staff",
        formatter_class=raw,
        help="whose badge is whose, and who may sign in as the floor",
        description=help_text(
            "The staff file of a table's configuration ([staff] file). Exit code 2 when something cannot be done as asked; docs/staff.md.",
            "dealer-assist staff add 12 'Olena K.' --tap --language uk --hand left --config table-7.toml",
            "dealer-assist staff add 40 'Petar D.' --role floor --badge 9f3c-21b0-77aa --config table-7.toml",
            "dealer-assist staff pin 40 --config table-7.toml",
        ),
    )
    kinds = staff.add_subparsers(dest="staff_command", metavar="COMMAND", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--config",
        type=Path,
        required=True,
        metavar="FILE",
        help="a table's configuration, which names the staff file and the key of badges",
    )
    badge = argparse.ArgumentParser(add_help=False)
    which = badge.add_mutually_exclusive_group()
    which.add_argument(
        "--badge",
        default=None,
        metavar="NAME",
        help="as the table names it when it is nobody's: 9f3c-21b0-77aa",
    )
    which.add_argument(
        "--tap", action="store_true", help="wait for a badge nobody has at the reader of the running table"
    )
    add = kinds.add_parser(
        "add",
        parents=[common, badge],
        formatter_class=raw,
        help="somebody new",
        description=help_text(
            "Writes somebody new into the staff file; the first one makes the file. Without --badge and --tap there is no badge "
            "yet. Who is the floor needs a badge, and then a PIN: `dealer-assist staff pin`.",
            "dealer-assist staff add 12 'Olena K.' --tap --language uk --hand left --config table-7.toml",
        ),
    )
    add.add_argument("number", type=int, metavar="NUMBER", help="staff number, 1 to 999999")
    add.add_argument("name", metavar="NAME", help="as the screens show it")
    add.add_argument("--role", choices=("dealer", "floor"), default="dealer", help="default: dealer")
    add.add_argument(
        "--language", choices=LANGUAGES, default=None, help="of the screen while this dealer deals"
    )
    add.add_argument(
        "--hand", choices=("left", "right"), default=None, help="the side of the keys while this dealer deals"
    )
    new = kinds.add_parser(
        "badge",
        parents=[common, badge],
        help="another badge for somebody; his PIN has to be set anew",
        description="Needs --badge or --tap. The badge that he had opens nothing any more, and his PIN is forgotten.",
    )
    new.add_argument("number", type=int, metavar="NUMBER", help="staff number")
    kinds.add_parser(
        "list",
        parents=[common],
        help="everybody, without anything secret",
        description="A line a person: number, name, role, whether there is a badge and a PIN, and who has left.",
    )
    retire = kinds.add_parser(
        "retire",
        parents=[common],
        help="somebody leaves: his badge opens nothing any more",
        description="The entry stays in the file: a number names one person for ever.",
    )
    retire.add_argument("number", type=int, metavar="NUMBER", help="staff number")
    pin = kinds.add_parser(
        "pin",
        parents=[common],
        formatter_class=raw,
        help="set the PIN of somebody who has a badge",
        description=help_text(
            f"Asks for the PIN twice, and shows nothing of it: {PIN_MIN_DIGITS} to {PIN_MAX_DIGITS} digits, "
            "not all the same and not in a row."
        ),
    )
    pin.add_argument("number", type=int, metavar="NUMBER", help="staff number")
    pin.add_argument("--stdin", action="store_true", help="read it from standard input, one line")


def run(args: argparse.Namespace) -> int:
    """Run it; its exit code. Raises ConfigError, OSError."""
    config = _config(args.config)
    assert config.staff is not None
    path = Path(config.staff.file)
    staff = load_staff(path) if path.exists() else Staff()
    try:
        match args.staff_command:
            case "list":
                _list(staff)
                return 0
            case "add":
                staff, said = _add(staff, args, config)
            case "badge":
                staff, said = _badge_of(staff, args, config)
            case "retire":
                staff, said = _retire(staff, args)
            case _:
                staff, said = _pin(staff, args, config)
    except _No as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    save_staff(path, staff)
    print(said)
    return 0


def _config(path: Path) -> TableConfig:
    """The configuration; that there is no staff file yet is no mistake here."""
    document, config, problems = examine_table_config(path, simulate=True)
    serious = [problem for problem in problems if problem.path != "staff.file"]
    if config.staff is None:
        expected = '[staff] with file = "staff.toml": where the table looks for its staff'
        serious = [document.problem((), expected, "none")]
    elif config.keys.badge_key is None:
        serious = [document.problem(("keys",), "badge_key: badges are known by keyed hashes only", "none")]
    if serious:
        raise ConfigError(document.file, serious)
    return config


def _of(staff: Staff, number: int) -> Person:
    person = staff.of_number(number)
    if person is None:
        known = ", ".join(str(one.number) for one in staff.staff) or "none yet"
        raise _No(f"staff number {number}: expected one of those there are: {known}")
    if not person.active:
        raise _No(
            f"staff number {number}: {person.name} left on {person.retired}; numbers are not used again"
        )
    return person


# -- what can be done ----------------------------------------------------------------------------------------------------------


def _add(staff: Staff, args: argparse.Namespace, config: TableConfig) -> tuple[Staff, str]:
    if staff.of_number(args.number) is not None:
        raise _No(f"staff number {args.number}: expected a number that nobody has, or has had")
    name = args.name.strip()
    if not 0 < len(name) <= _MOST_NAME or not name.isprintable():
        raise _No(f"name: expected 1 to {_MOST_NAME} printable characters")
    if any(other.active and other.name == name for other in staff.staff):
        raise _No(f"name: expected one that nobody else has, found {name!r} again: add an initial")
    try:
        person = msgspec.convert(
            {
                "number": args.number,
                "name": name,
                "role": args.role,
                "badge": _badge(staff, args, config),
                "language": args.language,
                "hand": args.hand,
            },
            Person,
        )
    except msgspec.ValidationError:
        raise _No(f"staff number: expected 1 to 999999, found {args.number}") from None
    rest = "" if person.role != "floor" else f"; set a PIN with `dealer-assist staff pin {person.number}`"
    return staff.with_person(person), f"{person.number} {person.name}, {person.role}, is on the staff{rest}"


def _badge_of(staff: Staff, args: argparse.Namespace, config: TableConfig) -> tuple[Staff, str]:
    person = _of(staff, args.number)
    badge = _badge(staff, args, config)
    if badge is None:
        raise _No("badge: expected --badge NAME or --tap")
    rest = "; the PIN has to be set anew" if person.pin is not None else ""
    changed = replace(person, badge=badge, pin=None)
    return staff.with_person(changed), f"{person.number} {person.name} has badge {badge}{rest}"


def _badge(staff: Staff, args: argparse.Namespace, config: TableConfig) -> str | None:
    badge = _tapped(config) if args.tap else args.badge
    if badge is None:
        return None
    if _BADGE.fullmatch(badge) is None:
        raise _No(f'badge: expected a badge as a table names it, "9f3c-21b0-77aa", found {badge!r}')
    owner = staff.of_badge(badge)
    if owner is not None and owner.number != args.number:
        raise _No(f"badge: expected one that nobody has, {badge} is {owner.name}'s ({owner.number})")
    return str(badge)


def _tapped(config: TableConfig, now_s: Callable[[], float] = time.monotonic) -> str:
    """The badge that is shown to the running table's reader next, of those that nobody has."""
    client = TableClient(Path(config.socket), actor="dealer")
    try:
        print(f"show the badge to the reader of {config.table.name}", file=sys.stderr, flush=True)
        end = now_s() + TAP_WITHIN_S
        while now_s() < end:
            for fact in client.pump(0.5):
                if isinstance(fact, NoticeFact) and fact.code == "unknown_badge":
                    return str(fact.params["badge"])
    finally:
        client.close()
    raise _No(f"badge: none that nobody has was shown within {TAP_WITHIN_S:.0f} s")


def _retire(staff: Staff, args: argparse.Namespace) -> tuple[Staff, str]:
    person = _of(staff, args.number)
    today = dt.datetime.fromtimestamp(time.time_ns() // 1_000_000_000, dt.UTC).strftime("%Y-%m-%d")
    gone = replace(person, retired=today, pin=None)
    return staff.with_person(gone), f"{person.number} {person.name} left: the badge opens nothing any more"


def _pin(staff: Staff, args: argparse.Namespace, config: TableConfig) -> tuple[Staff, str]:
    from dealer_assist.journal.pins import pin_hash  # noqa: PLC0415 - a screen starts without cryptography

    person = _of(staff, args.number)
    if person.badge is None:
        raise _No(f"staff number {person.number}: expected a badge first: a PIN belongs to one")
    pin = sys.stdin.readline().strip() if args.stdin else _asked()
    if not (pin.isascii() and pin.isdigit() and PIN_MIN_DIGITS <= len(pin) <= PIN_MAX_DIGITS):
        raise _No(f"PIN: expected {PIN_MIN_DIGITS} to {PIN_MAX_DIGITS} digits")
    if _is_easy(pin):
        raise _No("PIN: expected digits that are not all the same and not in a row")
    assert config.keys.badge_key is not None
    kept = pin_hash(read_hex_key(Path(config.keys.badge_key)), person.badge, pin)
    return staff.with_person(replace(person, pin=kept)), f"{person.number} {person.name} has a new PIN"


def _asked() -> str:
    pin = getpass.getpass("PIN: ")
    if getpass.getpass("once more: ") != pin:
        raise _No("PIN: expected the same digits twice")
    return pin


def _is_easy(pin: str) -> bool:
    steps = {int(after) - int(before) for before, after in itertools.pairwise(pin)}
    return len(steps) == 1 and abs(steps.pop()) < _TWICE


def _list(staff: Staff) -> None:
    rows = [("number", "name", "role", "badge", "PIN", "language", "hand", "left")]
    rows += [
        (
            str(one.number),
            one.name,
            one.role,
            one.badge or "-",
            "set" if one.pin is not None else "-",
            one.language or "-",
            one.hand or "-",
            one.retired or "-",
        )
        for one in staff.staff
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
