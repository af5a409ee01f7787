"""Scenario files: one hand, its table and its script, as TOML. Every mistake is named with file, line and column."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from firmware_protocol.toml_check import check as check_keys
from firmware_protocol.toml_check import nearest
from firmware_protocol.toml_errors import ConfigError, Document, Problem, parse, unreadable
from hw_sim.cards import FACES, OTHER_DECK, shuffled
from hw_sim.entry import Tracking, by_exception, tracked
from hw_sim.games import GamePlan, UnknownGame, plan_of
from hw_sim.houses import house_exists, house_names
from hw_sim.physics import Cards, ImpossibleAct
from hw_sim.rake import RakeSpec
from hw_sim.script import Script, ScriptError, parse_script
from hw_sim.script_words import ROW
from hw_sim.steps import (
    Check,
    DealRest,
    Fault,
    Gather,
    Hand,
    Inject,
    Pitch,
    ShoeOdd,
    ShoeOn,
    ShufflerState,
    ShufflerVerdict,
    Step,
    Stranger,
    Tap,
    UseDeck,
    Wait,
)

#: The house of a file that names none.
HOUSE = "seed"
_INCIDENT = re.compile(r"I[1-9][0-9]?")
_CASE = re.compile(r"E-[0-9]{2}")


#: What a table's limits say besides the blinds and the ante.
_STAKES: Final = ("ante_kind", "small_bet", "big_bet")


class TableSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of a scenario. ``stacks``: one number for all, or seat → chips."""

    seats: list[int]
    button: int
    blinds: list[int]
    stacks: int | Literal["unknown"] | dict[str, int | Literal["unknown"]]
    ante: int = 0
    ante_kind: Literal["each", "big_blind", "button"] = "each"
    small_bet: int = 0
    big_bet: int = 0
    kill: Literal["", "half", "full"] = ""
    killer: int | None = None
    chips: list[int] = []


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must have come of the hand. ``alerts``: all that were said, in order, each as "R2 proven"; absent: not compared."""

    result: Literal["completed", "misdeal", "void", "chopped"] | None = None
    attempts: int | None = None
    stacks: dict[str, int] = {}
    alerts: list[str] | None = None
    rake: int | None = None
    drops: dict[str, int] | None = None


class ScenarioFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a scenario file. ``[expect.HOUSE]`` is taken out of ``expect`` before."""

    title: str
    table: TableSpec
    script: str
    house: str = ""
    houses: list[str] = []
    not_for: dict[str, str] = {}
    game: str = "nlhe"
    entry: Literal["every_action", "by_exception"] = "every_action"
    tracking: Tracking = "full"
    shuffler: Literal["auto", "script", "none"] = "auto"
    deck: str = "seed:1"
    rake: RakeSpec | None = None
    registered: dict[str, str] = {}
    rows: list[str] = []
    near: list[str] = []
    incident: str = ""
    case: str = ""
    faults: bool = False
    expect: Ending = Ending()


def load_scenario(
    path: Path, house: str | None = None, entry: str | None = None, tracking: Tracking | None = None
) -> Hand:
    """Read a scenario as ``house`` plays it, one of the file's houses; None: its first. ``entry``, ``tracking``: other than the file's.

    Raises ConfigError with every mistake's place.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable(str(path), error) from error
    document = parse(content, str(path))
    by_house = _endings_by_house(document)
    spec = document.convert(ScenarioFile)
    houses = _houses(document, spec)
    if house is not None and house not in houses:
        raise document.error_at(
            ("houses" if spec.houses else "house",), f"one of this file's houses: {', '.join(houses)}", house
        )
    _check_names(document, spec, houses, by_house)
    plan = _plan(document, spec)
    _check_table(document, spec.table, plan)
    hands = {name: _hand(document, path, spec, name, houses, plan, by_house.get(name, {})) for name in houses}
    hand = hands[house or houses[0]]
    hand = tracked(msgspec.structs.replace(hand, entry="every_action"), tracking or spec.tracking)
    if (entry or spec.entry) == "by_exception" and hand.entry != "by_exception":
        return by_exception(hand)
    return hand


def _hand(
    document: Document,
    path: Path,
    spec: ScenarioFile,
    house: str,
    houses: tuple[str, ...],
    plan: GamePlan,
    ending: dict[str, Any],
) -> Hand:
    """The hand as one house plays it, rehearsed."""
    try:
        script = parse_script(spec.script, house, houses)
    except ScriptError as error:
        raise ConfigError(
            document.file, [_in_script(document, *mistake) for mistake in error.mistakes]
        ) from None
    _check_devices(document, spec, script)
    table = spec.table
    stacks = (
        table.stacks if isinstance(table.stacks, dict) else {str(seat): table.stacks for seat in table.seats}
    )
    known = {seat: None if stack == "unknown" else stack for seat, stack in stacks.items()}
    leading = script.leading()
    hand = Hand(
        name=path.stem,
        source=path.name,
        title=spec.title,
        opening={
            "hand": path.stem,
            "button": table.button,
            "seats": [{"seat": seat, "stack": known[str(seat)]} for seat in sorted(table.seats)],
            **({"kill": table.kill, "killer": table.killer} if table.kill else {}),
        },
        deck=_deck(document, spec, plan),
        before=_in_file(document, script.steps[:leading]),
        steps=_in_file(document, script.steps[leading:]),
        expect=_ending(document, spec, script, house, ending),
        small_blind=table.blinds[0],
        big_blind=table.blinds[1],
        ante=table.ante,
        stakes={key: value for key in _STAKES if (value := getattr(table, key)) not in (0, "each")},
        house=house,
        game=spec.game,
        entry=spec.entry,
        rake={} if spec.rake is None else spec.rake.as_header(),
        chips=tuple(table.chips),
        registered=_registered(document, spec, plan),
        plan=plan,
        shuffler=spec.shuffler,
        decks=2 if _other_deck(script.steps) else 1,
        houses=houses,
        rows=tuple(spec.rows),
        near=tuple(spec.near),
        incident=spec.incident,
        case=spec.case,
        faults=spec.faults,
    )
    _rehearse(document, hand, script)
    return hand


def _other_deck(steps: Iterable[object]) -> bool:
    return any(
        isinstance(step, Stranger) or (isinstance(step, UseDeck) and step.name == OTHER_DECK)
        for step in steps
    )


def _plan(document: Document, spec: ScenarioFile) -> GamePlan:
    try:
        return plan_of(spec.game)
    except UnknownGame as error:
        raise document.error_at(("game",), f"a game: {', '.join(error.known)}, or a .toml file") from None


def _in_file(document: Document, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps with the lines of the file that the checks stand in."""
    return tuple(
        [
            msgspec.structs.replace(step, line=document.line_of_text(("script",), step.line))
            if isinstance(step, Check | Inject)
            else step
            for step in steps
        ]
    )


def _houses(document: Document, spec: ScenarioFile) -> tuple[str, ...]:
    if spec.house and spec.houses:
        raise document.error_at(("houses",), "either house or houses")
    if "houses" in document.data and (not spec.houses or len(set(spec.houses)) != len(spec.houses)):
        raise document.error_at(("houses",), "different houses, one at least")
    houses = tuple(spec.houses) or (spec.house or HOUSE,)
    for index, name in enumerate(houses):
        if not house_exists(name):
            key: tuple[str | int, ...] = ("houses", index) if spec.houses else ("house",)
            known = house_names()
            expected = (
                f"a house{nearest(name, known)}, one of {', '.join(known)}, or the path of a .toml file"
            )
            raise document.error_at(key, expected)
    return houses


def _endings_by_house(document: Document) -> dict[str, dict[str, Any]]:
    """The tables ``[expect.HOUSE]``, taken out of ``[expect]``, which has the keys of an Ending; ``stacks``, ``drops`` are no houses."""
    expect = document.data.get("expect")
    if not isinstance(expect, dict):
        return {}
    names = [
        name for name, value in expect.items() if isinstance(value, dict) and name not in ("stacks", "drops")
    ]
    tables: dict[str, dict[str, Any]] = {name: expect[name] for name in names}
    problems = [
        document.problem(("expect", name, *wrong.path), wrong.expected, wrong.found, key=wrong.key)
        for name, table in tables.items()
        for wrong in check_keys(Ending, table)
    ]
    if problems:
        raise ConfigError(document.file, problems)
    for name in names:
        del expect[name]
    return tables


def _check_names(
    document: Document, spec: ScenarioFile, houses: tuple[str, ...], by_house: dict[str, dict[str, Any]]
) -> None:
    for name in by_house:
        if name not in houses:
            raise document.error_at(("expect", name), f"one of this file's houses: {', '.join(houses)}", name)
    for name, why in spec.not_for.items():
        if name in houses:
            raise document.error_at(("not_for", name), "a house that this file is not played under", name)
        if not why.strip():
            raise document.error_at(("not_for", name), "why it does not apply to this house")
    for key in ("rows", "near"):
        for index, row in enumerate(getattr(spec, key)):
            if not ROW.fullmatch(row):
                raise document.error_at((key, index), 'a row of the catalogue, as "D6"')
    if spec.incident and not _INCIDENT.fullmatch(spec.incident):
        raise document.error_at(("incident",), 'an incident, as "I6"')
    if spec.case and not _CASE.fullmatch(spec.case):
        raise document.error_at(("case",), 'a case, as "E-01"')


def _check_devices(document: Document, spec: ScenarioFile, script: Script) -> None:
    dealt = shoe = False
    for step, index in zip(script.steps, script.lines, strict=True):
        shoe = shoe or isinstance(step, ShoeOn)
        if (isinstance(step, ShoeOn) and dealt) or (isinstance(step, ShoeOdd) and not shoe):
            line = scenario_line(document, index)
            raise ConfigError(
                document.file, [_in_script(document, index, 1, "shoe on before the first card", line)]
            )
        dealt = dealt or isinstance(step, Pitch | DealRest)
        if isinstance(step, Inject) and not spec.faults:
            line = scenario_line(document, index)
            expected = "no fault, or `faults = true` among the file's keys"
            raise ConfigError(document.file, [_in_script(document, index, 1, expected, line)])
        if spec.shuffler == "none" and isinstance(step, ShufflerState | ShufflerVerdict):
            line = scenario_line(document, index)
            expected = 'no shuffler, as `shuffler = "none"` says'
            raise ConfigError(document.file, [_in_script(document, index, 1, expected, line)])


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
        if isinstance(step, Inject):
            lies = len(cards.at(step.fault.instance.partition(":")[0]))
            if (
                step.fault.component == "card"
                and step.fault.fault != "ok"
                and lies < int(step.fault.instance[-1])
            ):
                line = scenario_line(document, index)
                expected = f"a card that lies there: {lies} do"
                raise ConfigError(document.file, [_in_script(document, index, 1, expected, line)])
        if isinstance(step, Tap | Check | Wait | Fault | Inject | ShufflerState | ShufflerVerdict | ShoeOn):
            continue
        try:
            _, now_ms = cards.play(step, now_ms)
        except ImpossibleAct as error:
            line = scenario_line(document, index)
            raise ConfigError(
                document.file,
                [_in_script(document, index, 1, "an act that the cards allow", f"{line}: {error}")],
            ) from None


def scenario_line(document: Document, index: int) -> str:
    """The text of a line of the script, without its comment."""
    text: str = document.data["script"].splitlines()[index]
    return text.split("#", 1)[0].strip()


def _ending(
    document: Document, spec: ScenarioFile, script: Script, house: str, own: dict[str, Any]
) -> dict[str, Any]:
    """The trace's ``expect``. A hand that is dealt again is counted; one that is left before its end gives every chip back.

    ``own``: the house's own table of it, whose keys are stronger than those of ``[expect]``.
    """
    wanted = msgspec.convert({**document.data.get("expect", {}), **own}, Ending, str_keys=True)
    steps = script.steps[script.leading() :]
    redeals = sum(
        isinstance(step, Gather) and any(isinstance(later, Pitch | DealRest) for later in steps[at:])
        for at, step in enumerate(steps)
    )
    ending: dict[str, Any] = {
        "result": "completed" if script.pushed else "misdeal",
        "attempts": 1 + redeals,
    }
    for key in ("result", "attempts", "rake", "drops"):
        if getattr(wanted, key) is not None:
            ending[key] = getattr(wanted, key)
    stacks = {**wanted.stacks, **script.final.get("stacks", {})}
    ending |= script.final
    if stacks:
        ending["stacks"] = stacks
    if wanted.alerts is not None:
        alerts = []
        for index, said in enumerate(wanted.alerts):
            rule, _, evidence = said.partition(" ")
            if not rule or evidence not in ("probable", "proven"):
                where = ("expect", house) if "alerts" in own else ("expect",)
                raise document.error_at((*where, "alerts", index), 'a rule and its evidence, as "R2 proven"')
            alerts.append({"rule": rule, "evidence": evidence})
        ending["alerts"] = alerts
    return ending


def _check_table(document: Document, table: TableSpec, plan: GamePlan) -> None:
    if len(set(table.seats)) != len(table.seats) or not 2 <= len(table.seats) <= 11:
        raise document.error_at(("table", "seats"), "2 to 11 different seats")
    if not all(1 <= seat <= 11 for seat in table.seats):
        raise document.error_at(("table", "seats"), "seats from 1 to 11")
    if not 1 <= table.button <= 11:
        raise document.error_at(("table", "button"), "a seat from 1 to 11")
    if len(table.blinds) != 2 or not 0 < table.blinds[0] <= table.blinds[1]:
        raise document.error_at(("table", "blinds"), "[small, big], both above 0, the small one not larger")
    if table.chips and (min(table.chips) < 1 or len(set(table.chips)) != len(table.chips)):
        raise document.error_at(("table", "chips"), "different kinds of chips, as [5, 25, 100]")
    if bool(table.kill) != (table.killer is not None) or table.killer not in (None, *table.seats):
        raise document.error_at(
            ("table", "kill"), 'kill = "half" or "full", and killer = a seat of the table'
        )
    if table.kill and plan.posts not in ("blinds", "unfold"):
        raise document.error_at(("table", "kill"), "no kill in a game without blinds")
    if min(table.small_bet, table.big_bet) < 0:
        raise document.error_at(("table", "small_bet"), "bets above 0")
    if plan.posts != "blinds" and table.ante < 1:
        raise document.error_at(("table", "ante"), "an ante above 0, which every seat of this game posts")
    if isinstance(table.stacks, dict):
        if sorted(table.stacks) != sorted(str(seat) for seat in table.seats):
            raise document.error_at(("table", "stacks"), "chips for each seat of the table")
        if any(isinstance(stack, int) and stack < 1 for stack in table.stacks.values()):
            raise document.error_at(("table", "stacks"), "chips above 0")
    elif isinstance(table.stacks, int) and table.stacks < 1:
        raise document.error_at(("table", "stacks"), "chips above 0")


def _deck(document: Document, spec: ScenarioFile, plan: GamePlan) -> tuple[str, ...]:
    kind, _, rest = spec.deck.partition(":")
    if kind == "seed" and rest.strip().isdigit():
        return tuple(shuffled(f"deck/{rest.strip()}", (), plan.faces))
    cards = tuple(rest.split())
    if kind == "order" and cards and len(set(cards)) == len(cards) and set(cards) <= set(plan.faces):
        return tuple(shuffled(f"deck/{spec.title}", cards, plan.faces))
    raise document.error_at(
        ("deck",), "seed:NUMBER, or order: and different cards of the game from the top, as order:As Kd"
    )


def _registered(document: Document, spec: ScenarioFile, plan: GamePlan) -> dict[str, str]:
    for card, face in spec.registered.items():
        if card not in plan.faces or face not in FACES:
            raise document.error_at(
                ("registered",), 'cards as { "2h" = "Ks" }: the tag of 2h is registered as Ks'
            )
    return dict(spec.registered)


def jitter(name: str) -> random.Random:
    """The randomness of a hand's pace, by its name."""
    return random.Random(f"pace/{name}")
