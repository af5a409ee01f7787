"""Scenario files: one hand, its table and its script, as TOML. Every mistake is named with file, line and column."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Literal

import msgspec

from firmware_protocol.toml_errors import ConfigError, Document, Problem, parse, unreadable
from hw_sim.cards import FACES, shuffled
from hw_sim.physics import Cards, ImpossibleAct
from hw_sim.script import Script, ScriptError, parse_script
from hw_sim.steps import Check, DealRest, Fault, Gather, Hand, Pitch, Tap, Wait


class TableSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of a scenario. ``stacks``: one number for all, or seat → chips."""

    seats: list[int]
    button: int
    blinds: list[int]
    stacks: int | dict[str, int]
    ante: int = 0


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must have come of the hand. ``alerts``: all that were said, in order, each as "R2 proven"; absent: not compared."""

    result: Literal["completed", "misdeal", "void"] | None = None
    attempts: int | None = None
    stacks: dict[str, int] = {}
    alerts: list[str] | None = None


class ScenarioFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a scenario file."""

    title: str
    table: TableSpec
    script: str
    house: str = "seed"
    game: str = "nlhe"
    entry: Literal["every_action"] = "every_action"
    deck: str = "seed:1"
    registered: dict[str, str] = {}
    expect: Ending = Ending()


def load_scenario(path: Path) -> Hand:
    """Read a scenario. Raises ConfigError with every mistake's place."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable(str(path), error) from error
    document = parse(content, str(path))
    spec = document.convert(ScenarioFile)
    _check_table(document, spec.table)
    try:
        script = parse_script(spec.script)
    except ScriptError as error:
        raise ConfigError(str(path), [_in_script(document, *mistake) for mistake in error.mistakes]) from None
    table = spec.table
    stacks = (
        table.stacks if isinstance(table.stacks, dict) else {str(seat): table.stacks for seat in table.seats}
    )
    hand = Hand(
        name=path.stem,
        source=path.name,
        title=spec.title,
        opening={
            "hand": path.stem,
            "button": table.button,
            "seats": [{"seat": seat, "stack": stacks[str(seat)]} for seat in sorted(table.seats)],
        },
        deck=_deck(document, spec),
        steps=script.steps,
        expect=_ending(document, spec, script),
        small_blind=table.blinds[0],
        big_blind=table.blinds[1],
        ante=table.ante,
        house=spec.house,
        game=spec.game,
        entry=spec.entry,
        registered=_registered(document, spec),
    )
    _rehearse(document, hand, script)
    return hand


def _in_script(document: Document, index: int, column: int, expected: str, found: str) -> Problem:
    line = document.line_of_text(("script",), index)
    opening = document.place(("script",))
    if line == opening.line:
        column += opening.column + 2  # the script begins on the line of its opening quotes
    return Problem(line, column, "script", expected, repr(found))


def _rehearse(document: Document, hand: Hand, script: Script) -> None:
    """Move the cards once, so that what cannot be done is told with its line before anything is played."""
    cards = Cards(hand, jitter(hand.name))
    now_ms = 0
    for step, index in zip(script.steps, script.lines, strict=True):
        if isinstance(step, Tap | Check | Wait | Fault):
            continue
        try:
            _, now_ms = cards.play(step, now_ms)
        except ImpossibleAct as error:
            line = script_line(document, index)
            raise ConfigError(
                document.file,
                [_in_script(document, index, 1, "an act that the cards allow", f"{line}: {error}")],
            ) from None


def script_line(document: Document, index: int) -> str:
    """The text of a line of the script, without its comment."""
    text: str = document.data["script"].splitlines()[index]
    return text.split("#", 1)[0].strip()


def _ending(document: Document, spec: ScenarioFile, script: Script) -> dict[str, Any]:
    """The trace's ``expect``. A hand that is dealt again is counted; one that is left before its end gives every chip back."""
    redeals = sum(
        isinstance(step, Gather) and any(isinstance(later, Pitch | DealRest) for later in script.steps[at:])
        for at, step in enumerate(script.steps)
    )
    ending: dict[str, Any] = {
        "result": "completed" if script.pushed else "misdeal",
        "attempts": 1 + redeals,
    }
    for key in ("result", "attempts"):
        if getattr(spec.expect, key) is not None:
            ending[key] = getattr(spec.expect, key)
    stacks = {**spec.expect.stacks, **script.final.get("stacks", {})}
    ending |= script.final
    if stacks:
        ending["stacks"] = stacks
    if spec.expect.alerts is not None:
        alerts = []
        for index, said in enumerate(spec.expect.alerts):
            rule, _, evidence = said.partition(" ")
            if not rule or evidence not in ("probable", "proven"):
                raise document.error_at(
                    ("expect", "alerts", index), 'a rule and its evidence, as "R2 proven"'
                )
            alerts.append({"rule": rule, "evidence": evidence})
        ending["alerts"] = alerts
    return ending


def _check_table(document: Document, table: TableSpec) -> None:
    if len(set(table.seats)) != len(table.seats) or not 2 <= len(table.seats) <= 11:
        raise document.error_at(("table", "seats"), "2 to 11 different seats")
    if not all(1 <= seat <= 11 for seat in table.seats):
        raise document.error_at(("table", "seats"), "seats from 1 to 11")
    if not 1 <= table.button <= 11:
        raise document.error_at(("table", "button"), "a seat from 1 to 11")
    if len(table.blinds) != 2 or not 0 < table.blinds[0] <= table.blinds[1]:
        raise document.error_at(("table", "blinds"), "[small, big], both above 0, the small one not larger")
    if isinstance(table.stacks, dict):
        if sorted(table.stacks) != sorted(str(seat) for seat in table.seats):
            raise document.error_at(("table", "stacks"), "chips for each seat of the table")
        if min(table.stacks.values()) < 1:
            raise document.error_at(("table", "stacks"), "chips above 0")
    elif table.stacks < 1:
        raise document.error_at(("table", "stacks"), "chips above 0")


def _deck(document: Document, spec: ScenarioFile) -> tuple[str, ...]:
    kind, _, rest = spec.deck.partition(":")
    if kind == "seed" and rest.strip().isdigit():
        return tuple(shuffled(f"deck/{rest.strip()}"))
    cards = tuple(rest.split())
    if kind == "order" and cards and len(set(cards)) == len(cards) and all(card in FACES for card in cards):
        return tuple(shuffled(f"deck/{spec.title}", cards))
    raise document.error_at(
        ("deck",), "seed:NUMBER, or order: and different cards from the top, as order:As Kd"
    )


def _registered(document: Document, spec: ScenarioFile) -> dict[str, str]:
    for card, face in spec.registered.items():
        if card not in FACES or face not in FACES:
            raise document.error_at(
                ("registered",), 'cards as { "2h" = "Ks" }: the tag of 2h is registered as Ks'
            )
    return dict(spec.registered)


def jitter(name: str) -> random.Random:
    """The randomness of a hand's pace, by its name."""
    return random.Random(f"pace/{name}")
