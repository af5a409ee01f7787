"""Registering, checking and calibrating at a terminal: what to lay down next, what came of it, and keys."""

from __future__ import annotations

import argparse
import select
import sys
import time
from typing import TYPE_CHECKING, Any

from dealer_assist.domain import equipment as eq
from dealer_assist.equipment_command.views import antenna_lines, receipt_text
from dealer_assist.equipment_command.words import FAILED, INTERRUPTED, Told, card, done, refusal
from dealer_assist.table_client import TableClient

if TYPE_CHECKING:
    from dealer_assist.station.i18n import Translator

# -- what is set up --------------------------------------------------------------------------------------------------------------


def _note(tr: Translator, fact: eq.SetupFact) -> str:
    return tr.coded("setup_note", fact.note, dict(fact.params)) if fact.note else ""


def _keys(client: TableClient, timeout_s: float) -> str | None:
    """A line that a person typed, "" for Enter; None: nothing. Facts are taken meanwhile; input that has ended says nothing."""
    inputs: list[Any] = [client]
    if _Typed.open:
        inputs.append(sys.stdin)
    ready, _, _ = select.select(inputs, [], [], timeout_s)
    line = None
    if sys.stdin in ready:
        text = sys.stdin.readline()
        if text:
            line = text.strip()
        else:
            _Typed.open = False
    if client in ready:
        client.pump(0)
    return line


class _Typed:
    """Whether somebody can still type."""

    open = True


def register(args: argparse.Namespace, client: TableClient, tr: Translator) -> int:
    """Register a deck; left off by Ctrl-C."""
    told = client.tell(eq.RegisterDeck(args.deck, args.back, args.zone, args.again))
    if not told.ok:
        return done(told, tr)
    print(tr("setup.registration", deck=args.deck), flush=True)
    say = Told()
    try:
        while True:
            fact = client.fact(eq.SetupFact) or eq.SetupFact()
            say(_note(tr, fact))
            if fact.what != "registration":
                return 0 if fact.note == "registered" else FAILED
            place = tr("setup.lay_next", card=card(fact.next), zone=fact.zone)
            say(f"{fact.done:2} / {fact.of}   {place}")
            line = _keys(client, 0.5)
            if line is not None:
                _registration_key(client, tr, line)
    except KeyboardInterrupt:
        client.tell(eq.SetupStep("pause"))
        client.pump(0.2)
        say(_note(tr, client.fact(eq.SetupFact) or eq.SetupFact()))
        return INTERRUPTED


def _registration_key(client: TableClient, tr: Translator, line: str) -> None:
    word, _, rest = line.partition(" ")
    steps: dict[str, eq.SetupStep] = {
        "s": eq.SetupStep("skip"),
        "b": eq.SetupStep("back"),
        "q": eq.SetupStep("pause"),
        "x": eq.SetupStep("cancel"),
        "f": eq.SetupStep("face", _face(rest)),
    }
    _step(client, tr, steps, word)


def _face(text: str) -> str:
    """Ks of "ks", "Ks", "10d"."""
    text = text.strip().replace("10", "T")
    return f"{text[:1].upper()}{text[1:].lower()}"


def _step(client: TableClient, tr: Translator, steps: dict[str, eq.SetupStep], word: str) -> None:
    step = steps.get(word)
    if step is None:
        print(f"keys: {' '.join(steps)}", file=sys.stderr)
        return
    result = client.tell(step)
    if not result.ok:
        print(refusal(tr, result), file=sys.stderr)


def check(args: argparse.Namespace, client: TableClient, tr: Translator) -> int:
    """Check a deck, and print its receipt."""
    told = client.tell(eq.CheckDeck(args.deck, args.zone, args.dealer))
    if not told.ok:
        return done(told, tr)
    say = Told()
    last, since_s = -1, time.monotonic()
    try:
        while True:
            fact = client.fact(eq.SetupFact) or eq.SetupFact()
            if fact.what != "check":
                say(_note(tr, fact))
                return FAILED
            if fact.note != "read":
                say(_note(tr, fact))
            if fact.of:
                say(tr("setup.read_all", done=fact.done, of=fact.of))
            if fact.done != last:
                last, since_s = fact.done, time.monotonic()
            line = _keys(client, 0.2)
            waited = args.finish_after is not None and time.monotonic() - since_s > args.finish_after
            if fact.of and (line == "" or fact.done == fact.of or (waited and fact.done)):
                result = client.tell(eq.SetupStep("finish"))
                if result.ok:
                    receipt = result.params["receipt"]
                    print("\n" + receipt_text(tr, receipt))
                    return 0 if receipt["result"] == "complete" else FAILED
                if result.code != "stale":
                    print(refusal(tr, result), file=sys.stderr)
                    return FAILED
    except KeyboardInterrupt:
        client.tell(eq.SetupStep("cancel"))
        print(tr("setup_note.cancelled"))
        return INTERRUPTED


def calibrate(args: argparse.Namespace, client: TableClient, tr: Translator) -> int:
    """Calibrate, and print what the antennas came to."""
    told = client.tell(eq.Calibrate(tuple(args.zones)))
    if not told.ok:
        return done(told, tr)
    print(tr("setup.calibration"), flush=True)
    steps = {
        "s": eq.SetupStep("skip"),
        "b": eq.SetupStep("back"),
        "f": eq.SetupStep("finish"),
        "q": eq.SetupStep("cancel"),
    }
    say = Told()
    try:
        while True:
            fact = client.fact(eq.SetupFact) or eq.SetupFact()
            say(_note(tr, fact))
            if fact.what != "calibration":
                if fact.note != "calibrated":
                    return FAILED
                print("\n".join(antenna_lines(client, tr)))
                return 0
            if fact.note != "holding":
                say(f"{fact.done + 1:2} / {fact.of}   {tr('setup.touch_next', zone=fact.zone)}")
            line = _keys(client, 0.5)
            if line is not None:
                _step(client, tr, steps, line)
    except KeyboardInterrupt:
        client.tell(eq.SetupStep("cancel"))
        print(tr("setup_note.cancelled"))
        return INTERRUPTED
