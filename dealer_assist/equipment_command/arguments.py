"""What the commands about decks, antennas and recordings take, and what they say of themselves."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dealer_assist.domain.languages import LANGUAGES
from dealer_assist.help_text import help_text


def add_parser(commands: Any) -> None:
    """The commands' arguments."""
    raw = argparse.RawDescriptionHelpFormatter
    common = argparse.ArgumentParser(add_help=False)
    where = common.add_mutually_exclusive_group(required=True)
    where.add_argument("--socket", type=Path, metavar="PATH", help="the table service's Unix socket")
    where.add_argument(
        "--config", type=Path, metavar="FILE", help="the table's configuration, which names it"
    )
    common.add_argument(
        "--as",
        dest="actor",
        choices=("dealer", "floor"),
        default="dealer",
        help="who you are (default dealer)",
    )
    common.add_argument("--language", choices=LANGUAGES, default="en", help="of what is told (default en)")

    deck = commands.add_parser(
        "deck",
        help="register, check and list the decks of a running table",
        formatter_class=raw,
        description=help_text(
            "The decks of a running table. `dealer-assist deck COMMAND --help` says more about each."
        ),
    )
    kinds = deck.add_subparsers(dest="deck_command", metavar="COMMAND", required=True)
    register = kinds.add_parser(
        "register",
        parents=[common],
        formatter_class=raw,
        help="lay each card down once; the table learns which tag is which card",
        description=help_text(
            "Open the deck, and lay down one card after the other on one antenna, face up, as the next one is named: spades, "
            "hearts, clubs, diamonds, each from ace to king. Take each away again, or pile them up. Keys, each with Enter: "
            "s skips a card that is not at hand, b takes the last step back, f Kd goes on with that card, q leaves off, x cancels. "
            "Ctrl-C leaves off too; the same command goes on where it was.",
            'dealer-assist deck register "Red 1" --back red --config table-7.toml',
        ),
    )
    register.add_argument("deck", metavar="NAME", help="of the deck: letters, digits, spaces and . _ -")
    register.add_argument("--back", default="", help="colour of its back")
    register.add_argument(
        "--zone",
        default="muck",
        help="the antenna on which the cards are laid: muck, gate, burn, seat3 … (default muck)",
    )
    register.add_argument("--again", action="store_true", help="register a known deck anew")
    check = kinds.add_parser(
        "check",
        parents=[common],
        formatter_class=raw,
        help="read every card once; dead and foreign cards are named, a receipt is kept",
        description=help_text(
            "Lay every card of a deck on an antenna, one by one or a few side by side. It ends by itself when all cards are read; "
            "Enter ends it before, and cards still unread are dead. Prints the receipt. Exit code 1 when the deck is not complete.",
            "dealer-assist deck check --dealer 'Olena K.' --socket run/table-7.sock",
        ),
    )
    check.add_argument(
        "deck", nargs="?", default="", metavar="NAME", help="the deck; default: that of the first card"
    )
    check.add_argument("--dealer", default="", help="who checks, for the receipt")
    check.add_argument("--zone", default="", help="read only there (default: anywhere)")
    check.add_argument(
        "--finish-after",
        type=float,
        default=None,
        metavar="SECONDS",
        help="end it when no new card has come for so long, instead of waiting for Enter",
    )
    kinds.add_parser(
        "list",
        parents=[common],
        help="the register: state of each deck, since when, and what is in use for more than 24 hours",
        description="A line a deck: its name and back, its state and since when, and when it was last checked.",
    )
    for name, what, needed in (
        ("use", "a deck comes to the table", False),
        ("out", "a deck goes off the table", False),
        ("retire", "a deck is cancelled and destroyed; final", False),
        ("quarantine", "a deck is kept intact for an investigation; it cannot be dealt from", True),
        ("release", "the floor takes a deck out of quarantine; it stays off the table", True),
    ):
        said = f"{what[0].upper()}{what[1:]}. `dealer-assist deck list` names the decks."
        one = kinds.add_parser(name, parents=[common], help=what, description=said)
        one.add_argument("deck", metavar="NAME", help="the deck")
        one.add_argument(
            "--reason", default="", help="why; this needs one" if needed else "why, for the record"
        )
    receipt = kinds.add_parser(
        "receipt",
        parents=[common],
        help="print the receipt of a deck check",
        description="Prints the receipt of a deck check again: who checked which deck, when, and what was found.",
    )
    receipt.add_argument(
        "number", nargs="?", type=int, default=0, metavar="NUMBER", help="default: the last one"
    )

    calibrate = commands.add_parser(
        "calibrate",
        parents=[common],
        formatter_class=raw,
        help="touch each antenna of a running table with a card and measure how it reads",
        description=help_text(
            "Lay any card on each antenna as it is named, and let it lie until the next one is. Keys, each with Enter: s skips an "
            "antenna that is missing, b takes the last one back, f is content with those done so far, q cancels.",
            "dealer-assist calibrate --config table-7.toml",
            "dealer-assist calibrate seat3 muck --config table-7.toml",
        ),
    )
    calibrate.add_argument("zones", nargs="*", metavar="ZONE", help="only these, as seat3, board, muck")
    diagnose = commands.add_parser(
        "diagnose",
        parents=[common],
        formatter_class=raw,
        help="what each antenna and link of a running table does now",
        description=help_text(
            "Shows how many cards each antenna sees (never which), how well it reads, and the state and counters of each device's "
            "link, as they change, until the time is over or Ctrl-C."
        ),
    )
    diagnose.add_argument(
        "--seconds", type=int, default=30, metavar="N", help="for so long (default 30, at most 600)"
    )
    trace = commands.add_parser(
        "trace",
        help="save the recording of a running table's last minutes",
        description="The recording of a running table. `dealer-assist trace save FILE` is all there is to do with it.",
    )
    traces = trace.add_subparsers(dest="trace_command", metavar="save", required=True)
    save = traces.add_parser(
        "save",
        parents=[common],
        formatter_class=raw,
        help="write the recording to a file",
        description=help_text(
            "Writes what devices said and people tapped in the last minutes, for `dealer-assist replay`. Cards are opaque tokens, "
            "other ones in each hand; a face is in it only where the card became public (docs/traces.md).",
            "dealer-assist trace save incident.jsonl --config table-7.toml",
        ),
    )
    save.add_argument("file", type=Path, metavar="FILE", help="where to write it; it must not be there yet")
