"""Scenario files: one hand, its table and its script, as TOML. Every mistake is named with file, line and column."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec

from firmware_protocol.toml_errors import ConfigError, Document, parse, unreadable
from hw_sim.cards import FACES, shuffled
from hw_sim.script import ScriptError, parse_script
from hw_sim.steps import Hand


class TableSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of a scenario. ``stacks``: one number for all, or seat → chips."""

    seats: list[int]
    button: int
    blinds: list[int]
    stacks: int | dict[str, int]
    ante: int = 0


class ScenarioFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a scenario file."""

    title: str
    table: TableSpec
    script: str
    house: str = "seed"
    game: str = "nlhe"
    entry: str = "every_action"
    deck: str = "seed:1"
    registered: dict[str, str] = {}
    expect: dict[str, Any] = {}


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
        steps, final = parse_script(spec.script)
    except ScriptError as error:
        line = document.line_of_text(("script",), error.index)
        problem = document.problem(("script",), error.expected, repr(error.found))
        raise ConfigError(str(path), [msgspec.structs.replace(problem, line=line, column=1)]) from None
    table = spec.table
    stacks = (
        table.stacks if isinstance(table.stacks, dict) else {str(seat): table.stacks for seat in table.seats}
    )
    return Hand(
        name=path.stem,
        source=path.name,
        title=spec.title,
        opening={
            "hand": path.stem,
            "button": table.button,
            "seats": [{"seat": seat, "stack": stacks[str(seat)]} for seat in sorted(table.seats)],
        },
        deck=_deck(document, spec),
        steps=tuple(steps),
        expect={"result": "completed", "attempts": 1, **spec.expect, **final},
        small_blind=table.blinds[0],
        big_blind=table.blinds[1],
        ante=table.ante,
        house=spec.house,
        game=spec.game,
        entry=spec.entry,
        registered=_registered(document, spec),
    )


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
