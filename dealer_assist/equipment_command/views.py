"""The register, receipts, antennas and links at a terminal, and the recording."""

from __future__ import annotations

import argparse
import datetime as dt
import shutil
import sys
import time
from typing import TYPE_CHECKING, Any

from dealer_assist.domain import equipment as eq
from dealer_assist.equipment_command.words import BAD_INPUT, FAILED, INTERRUPTED, Told, card, done
from dealer_assist.table_client import TableClient

if TYPE_CHECKING:
    from dealer_assist.station.i18n import Translator

# -- what is known -----------------------------------------------------------------------------------------------------------------


def diagnose(args: argparse.Namespace, client: TableClient, tr: Translator) -> int:
    """Show what antennas and links do, as it changes."""
    if not 1 <= args.seconds <= 600:
        print(f"--seconds {args.seconds}: expected 1 to 600", file=sys.stderr)
        return BAD_INPUT
    told = client.tell(eq.Diagnose(args.seconds))
    if not told.ok:
        return done(told, tr)
    end_s = time.monotonic() + args.seconds
    say = Told()
    clear = "\x1b[H\x1b[2J" if sys.stdout.isatty() else ""
    try:
        while time.monotonic() < end_s:
            say(clear + "\n".join([*_link_lines(client), *antenna_lines(client, tr), ""]))
            client.pump(0.5)
    except KeyboardInterrupt:
        client.tell(eq.Diagnose(0))
        return INTERRUPTED
    return 0


def _link_lines(client: TableClient) -> list[str]:
    fact = client.fact(eq.LinksFact)
    lines = []
    for link in () if fact is None else fact.links:
        faults = ", ".join(f"{name} {count}" for name, count in link.counters.items() if count)
        what = " ".join(part for part in (link.maker, link.model, link.firmware) if part)
        lines.append(
            f"{link.device:24} {link.role:9} {link.state:11} {link.detail:16} lost {link.losses}   {what}   {faults}".rstrip()
        )
    return lines


def antenna_lines(client: TableClient, tr: Translator) -> list[str]:
    """A table of the antennas."""
    fact = client.fact(eq.AntennasFact)
    if fact is None:
        return []
    lines = [
        f"{'antenna':26} {'zone':8} {'cards':>5}  {'state':10} {'read':>6} {'badly laid':>10} {'ghosts':>8} {'scan':>8}"
    ]
    for one in fact.antennas:
        known = one.scans > 0 and one.state != "missing"
        read = f"{one.hit_per_10k / 100:.1f}%" if known else "-"
        badly = f"{one.badly_placed_per_10k / 100:.2f}%" if known else "-"
        ghosts = f"{one.ghost_per_10k / 100:.2f}%" if known else "-"
        period = f"{one.scan_period_ms} ms" if one.scan_period_ms else "-"
        bleeds = f"   also read at {', '.join(one.bleeds_to)}" if one.bleeds_to else ""
        cards = "-" if one.cards is None else str(one.cards)
        name = f"{one.device} {one.antenna}"
        lines.append(
            f"{name:26} {one.zone:8} {cards:>5}  {one.state:10} {read:>6} {badly:>10} {ghosts:>8} {period:>8}{bleeds}"
        )
    return lines


def list_decks(client: TableClient, tr: Translator) -> int:
    """The register."""
    client.pump(0.05)
    fact = client.fact(eq.DecksFact)
    decks = () if fact is None else fact.decks
    if not decks:
        print("no decks")
        return 0
    print(f"{'deck':24} {'back':10} {'state':14} {'cards':>5}  {'since':17} {'checked':17}")
    for one in decks:
        marks = ["IN USE FOR MORE THAN 24 HOURS"] if one.long_in_use else []
        marks += [f"counted wrong {one.wrong_counts}x"] if one.wrong_counts else []
        marks += [one.reason] if one.reason else []
        state = tr(f"deck_life.{one.state}")
        print(
            f"{one.deck:24} {one.back or '-':10} {state:14} {one.cards:5}  {_time(one.since_s):17} "
            f"{_time(one.checked_s):17} {'; '.join(marks)}".rstrip()
        )
    return 0


def _time(t_s: int) -> str:
    return dt.datetime.fromtimestamp(t_s, dt.UTC).strftime("%Y-%m-%d %H:%MZ") if t_s else "-"


def receipt(args: argparse.Namespace, client: TableClient, tr: Translator) -> int:
    """Print a receipt."""
    result = client.tell(eq.AskReceipt(args.number))
    if not result.ok:
        return done(result, tr)
    print(receipt_text(tr, result.params["receipt"]))
    return 0


def receipt_text(tr: Translator, receipt: dict[str, Any]) -> str:
    """A receipt as it is printed."""
    foreign = ", ".join(
        f"{count} × {deck or tr('receipt.no_deck')}" for deck, count in receipt["foreign"].items()
    )
    device = " / ".join(receipt[key] or "-" for key in ("maker", "model", "serial", "firmware"))
    rows = {
        "table": receipt["table"],
        "time": receipt["t_utc"],
        "deck": f"{receipt['deck']} ({receipt['back'] or '-'})",
        "device": device,
        "dealer": receipt["dealer"],
        "cards": f"{receipt['read']} / {receipt['of']}",
        "dead": ", ".join(card(face) for face in receipt["dead"])
        or (tr("receipt.too_many") if receipt["read"] < receipt["of"] else "-"),
        "foreign": foreign or "-",
        "result": tr(f"receipt.{receipt['result']}").upper(),
    }
    width = max(len(tr(f"receipt.{key}")) for key in rows)
    head = [tr("receipt.title", number=receipt["number"])]
    if receipt["simulated"]:
        head.append(tr("receipt.simulated"))
    body = [f"{tr(f'receipt.{key}'):{width}}  {value}" for key, value in rows.items()]
    sign = ["", f"{tr('receipt.signature')} ________________________"]
    return "\n".join([*head, "-" * 48, *body, *sign])


def save_trace(args: argparse.Namespace, client: TableClient, tr: Translator) -> int:
    """Fetch the recording."""
    if args.file.exists():
        print(f"{args.file}: expected no such file yet", file=sys.stderr)
        return BAD_INPUT
    result = client.tell(eq.SaveTrace())
    if not result.ok:
        return done(result, tr)
    try:
        shutil.copyfile(result.params["path"], args.file)
    except OSError as error:
        # written it is; only the table's own user may read it there
        why = (error.strerror or str(error)).lower()
        print(f"{args.file}: {why}; the recording is {result.params['path']}", file=sys.stderr)
        return FAILED
    print(f"{args.file}: {result.params['hands']} hands, {result.params['lines']} lines")
    return 0
