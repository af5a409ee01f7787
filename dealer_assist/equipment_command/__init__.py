"""``dealer-assist deck``, ``calibrate``, ``diagnose`` and ``trace``: decks, antennas and recordings of a running table, at a terminal.

All of them are clients of the table service's socket and say in words what its facts say; the words are the station's. A person who
leaves a registration off with Ctrl-C goes on with it by the same command.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dealer_assist.config.table import load_table_config
from dealer_assist.domain import equipment as eq
from dealer_assist.equipment_command import set_ups, views
from dealer_assist.equipment_command.arguments import add_parser
from dealer_assist.equipment_command.words import BAD_INPUT, done
from dealer_assist.table_client import TableClient

if TYPE_CHECKING:
    from dealer_assist.station.i18n import Translator

__all__ = ["add_parser", "run"]

_STATES: Final = {
    "use": "in_use",
    "out": "out",
    "retire": "retired",
    "quarantine": "quarantine",
    "release": "out",
}
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._\-]{0,39}")


def run(args: argparse.Namespace) -> int:
    """Run one of them; its exit code. Raises ConfigError, NoTable."""
    from dealer_assist.station.i18n import Translator  # noqa: PLC0415 - the words; it opens no window

    tr = Translator(args.language)
    if getattr(args, "deck", "") and not _NAME.fullmatch(args.deck):
        print(
            f"{args.deck!r}: expected a deck's name of letters, digits, spaces and . _ -, at most 40",
            file=sys.stderr,
        )
        return BAD_INPUT
    path = args.socket
    if path is None:
        path = Path(load_table_config(args.config, simulate=True).socket)
    client = TableClient(path, actor=args.actor)
    try:
        return _run(args, client, tr)
    finally:
        client.close()


def _run(args: argparse.Namespace, client: TableClient, tr: Translator) -> int:
    match args.command:
        case "calibrate":
            return set_ups.calibrate(args, client, tr)
        case "diagnose":
            return views.diagnose(args, client, tr)
        case "trace":
            return views.save_trace(args, client, tr)
        case _:
            pass
    match args.deck_command:
        case "register":
            return set_ups.register(args, client, tr)
        case "check":
            return set_ups.check(args, client, tr)
        case "list":
            return views.list_decks(client, tr)
        case "receipt":
            return views.receipt(args, client, tr)
        case _:
            state: Any = _STATES[args.deck_command]
            return done(
                client.tell(eq.SetDeck(args.deck, state, args.reason)),
                tr,
                lambda: views.list_decks(client, tr),
            )
