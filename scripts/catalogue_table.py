"""Write docs/irregularities.md: each irregularity, how it comes to light, what each house does, and the scenario that shows it.

Made from the catalogue, the houses, the station's English texts and the keys of tests/scenarios/*.toml. --check changes nothing and
prints one line a finding: a page that is stale, a row without a scenario or a near miss, a house that no scenario of the row is played
under, an incident or a case that nothing shows. Exit code 1 when there is any.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from dealer_assist.composition import load_house
from dealer_assist.houses_command import Words, names
from dealer_assist.procedure.catalogue import ROWS, Row
from dealer_assist.procedure.house import House, Ruling
from dealer_assist.procedure.remedies import REMEDIES
from dealer_assist.station.i18n import Text, load_catalogue

ROOT: Final = Path(__file__).resolve().parents[1]
TARGET: Final = ROOT / "docs" / "irregularities.md"
SCENARIOS: Final = ROOT / "tests" / "scenarios"
#: The order in which the houses are shown.
HOUSES: Final = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")
FAMILIES: Final = {
    "X": "Cards exposed in the deal",
    "D": "Distribution",
    "K": "The deck",
    "N": "Burns",
    "F": "The flop",
    "R": "Cards too early, and the board",
    "A": "Action and hands",
    "P": "Showdown, pots, rake",
}

#: Incidents of the trade press. What must be seen, and when at the latest.
INCIDENTS: Final = {
    "I1": "A deck five cards short was dealt for 438 rounds. Seen before the first hand",
    "I2": "The shuffler was loaded and never started; 25 hands from the same deck. Seen before the first hand",
    "I3": "Unshuffled cards were dealt, nine times. Seen before the first hand",
    "I4": "An unshuffled deck was dealt for four rounds. Seen before the first hand",
    "I5": "A new deck in factory order was dealt for 41 hands. Seen before the first hand",
    "I6": "A position was skipped, and the cards were moved back the wrong way. Seen before the next card, with the ruling",
    "I7": "A wrong rule text lay on the table for 26 hours. The house in use is named with each ruling and rule number",
    "I8": "A winning flush was seen by nobody. Said before the pot leaves the middle",
    "I9": "A split pot went to one player. Said before the pot leaves the middle",
    "I10": "Chips were counted wrong after an elimination. Said before the pot leaves the middle",
    "I11": "The river was swapped with a hole card while the cards were squared. Seen before the next card",
    "I12": "Burn and turn with a player still to act; a second burn. Seen before the next card",
}
#: Disputed cases from public reports, with the ruling that a house must come to.
CASES: Final = {
    "E-01": "Four cards counted onto the flop, before any action",
    "E-02": "A fourth card found under the flop before any action",
    "E-05": "A fourth card found under a flop card after a bet",
    "E-08": "Three cards turned for the river",
    "E-10": "The exposed card was the burn and another card was burned; noticed after the river",
    "E-11": "Burned early, then burned again after the betting; complaint after the award",
    "E-14": "The river lifted with two players to act, seen by one, put back",
    "E-15": "All-in before the flop, then four boxed cards in a row",
    "E-16": "A loose card in the tray after the flop was acted on",
    "E-18": "The winner of the side pot mucks and forgets the main pot",
    "E-20": "The dealer kills the winning hand and pushes the pot to the loser",
    "E-21": "A split nobody noticed, claimed in the next hand",
    "E-22": "The button was not moved; found after action",
    "E-23": "Three hole cards at an all-in showdown",
    "E-27": "A player takes another's card; the small blind has one card",
    "E-28": "Two queens of hearts on the board",
    "E-29": "Two tens of diamonds in one hand at an all-in",
    "E-32": "The shuffler counts 52, 52, then 51",
    "E-33": "The button's first card exposed: it gets two cards in a row at the end",
    "E-35": "The stub dropped before the flop, many cards exposed, heads-up",
    "E-36": "One flop card dropped while the big blind has the option",
    "E-37": "No burn before the flop, noticed after a bet, a fold and a raise",
    "E-40": "One boxed card after the flop's burn, set aside",
}
#: The regression scripts, by number: what happens, the rows or the case of which a scenario plays it, and the houses it speaks of.
SCRIPTS: Final[dict[str, tuple[str, str, tuple[str, ...]]]] = {
    "1": (
        "A fourth flop card before any action; what the floor draws is the turn's burn",
        "E-02",
        ("tda2024",),
    ),
    "2": ("Early turn: the river card becomes the turn, the river comes without a burn", "R2", ("seed",)),
    "3": ("Early turn: shuffled and dealt anew, the river with its burn", "R2", ("tda2024",)),
    "4": ("One hole card exposed: the top card replaces it, it is the flop's only burn", "X3", ("seed",)),
    "5": ("The second card off the deck exposed: seed plays on, the others deal again", "X2", HOUSES),
    "6": ("A third card at the first seat after the deal", "D8", HOUSES),
    "8": ("A flop without a burn, no action: one of the three becomes the burn", "N1", ("tda2024",)),
    "9": ("Two tags registered as the same card, at a seat and on the board", "K1", ("seed",)),
    "10": ("A burn while action is due, then a second burn on the same street", "E-11", ("seed",)),
}


class Scenario(msgspec.Struct, frozen=True):
    """What a scenario file says about itself."""

    name: str
    title: str
    houses: tuple[str, ...]
    not_for: dict[str, str]
    rows: tuple[str, ...]
    near: tuple[str, ...]
    incident: str
    case: str


def scenarios(folder: Path = SCENARIOS) -> list[Scenario]:
    """Every scenario of a folder by name. Whether the files are right is tested elsewhere."""
    found = []
    for path in sorted(folder.glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        found.append(
            Scenario(
                path.stem,
                data["title"],
                tuple(data.get("houses", [data.get("house", "seed")])),
                data.get("not_for", {}),
                tuple(data.get("rows", [])),
                tuple(data.get("near", [])),
                data.get("incident", ""),
                data.get("case", ""),
            )
        )
    return found


def missing(played: list[Scenario]) -> Iterator[str]:
    """What no scenario shows, and names that are in no list; a line each."""
    for row in ROWS:
        shows = [scenario for scenario in played if row in scenario.rows]
        if not shows:
            yield f"{row}: no scenario has it in `rows`"
        else:
            uncovered = [house for house in HOUSES if not covered(shows, house)]
            if uncovered:
                yield f"{row}: no scenario of it is played under {', '.join(uncovered)}, and none says why in `not_for`"
        if not any(row in scenario.near for scenario in played):
            yield f"{row}: no near miss has it in `near`"
    shown = {name for scenario in played for name in (scenario.incident, scenario.case)}
    for name in (*INCIDENTS, *CASES):
        if name not in shown:
            yield f"{name}: no scenario shows it"
    for number, (_, name, houses) in SCRIPTS.items():
        absent = [
            house for house in houses if not any(house in each.houses for each in showing(name, played))
        ]
        if absent:
            yield f"script {number}: no scenario of {name} is played under {', '.join(absent)}"
    for scenario in played:
        named: list[tuple[Iterable[str], Collection[str]]] = [
            ((*scenario.rows, *scenario.near), ROWS),
            ([scenario.incident] if scenario.incident else [], INCIDENTS),
            ([scenario.case] if scenario.case else [], CASES),
            ((*scenario.houses, *scenario.not_for), HOUSES),
        ]
        for found, known in named:
            for name in found:
                if name not in known:
                    yield f"{scenario.name}.toml: expected one of {', '.join(known)}, found {name}"


def showing(name: str, played: list[Scenario]) -> list[Scenario]:
    """The scenarios of a row, an incident or a case."""
    return [each for each in played if name in (*each.rows, each.incident, each.case)]


def covered(shows: list[Scenario], house: str) -> bool:
    """Whether a row is played under a house, or it is said why that would show nothing."""
    return any(house in scenario.houses or house in scenario.not_for for scenario in shows)


# -- the page --------------------------------------------------------------------------------------------------------------


def page(played: list[Scenario]) -> str:
    """The whole page."""
    words, texts = Words("en"), load_catalogue("en")
    houses = {name: load_house(name) for name in HOUSES}
    lines = [
        "# Irregularities",
        "",
        "Made from the catalogue, the houses and the scenarios by `scripts/catalogue_table.py`; do not edit.",
        "",
        "Every row of the catalogue: what it is, how it comes to light, what each house does about it and on what rule, the",
        "scenario that plays it through to the end of the hand, and the near miss about which the product stays silent. How",
        "the words are put on a screen is in [houses.md](houses.md), how scenarios are written in [scenarios.md](scenarios.md).",
        "",
        "● the house's own rule, played under it · ○ a gap that another set of rules fills, played under it ·",
        "– does not apply there, the scenario says why · **?** nothing played yet",
        "",
    ]
    for letter, title in FAMILIES.items():
        rows = [row for row in ROWS.values() if row.id.startswith(letter)]
        lines += [f"## {title}", "", *_overview(rows, played, houses, words), ""]
        for row in rows:
            lines += [*_row(row, houses, words, texts, played), ""]
    lines += ["## Incidents", "", *_named(INCIDENTS, "incident", played), ""]
    lines += ["## Disputed cases", "", *_named(CASES, "case", played), ""]
    lines += ["## Regression scripts", "", *_scripts(played), ""]
    lines += ["## Remedies", "", *_remedies(houses, words), ""]
    return "\n".join(lines)


def _remedies(houses: dict[str, House], words: Words) -> Iterator[str]:
    """What a house file may name in `remedy`, `options` and the conditions, and for which rows."""
    yield "What a house file may prescribe ([houses.md](houses.md)), the steps in the usual case, and the rows whose recovery it"
    yield "can be verified for; in bold those for which one of the houses prescribes it."
    yield ""
    yield "| Remedy | On the screen | Steps | Rows |"
    yield "|---|---|---|---|"
    for name, remedy in sorted(REMEDIES.items()):
        used = {row for house in houses.values() for row in ROWS if name in house.rules[row].remedies()}
        fits = [f"**{row}**" if row in used else row for row in ROWS if row in remedy.rows]
        row = next(row for row in ROWS if row in (used or remedy.rows))
        steps = "; ".join(words.steps(row, name))
        named = "every row" if len(fits) == len(ROWS) else ", ".join(fits)
        yield f"| `{name}` | {_cell(words.remedy(name))} | {_cell(steps)} | {named} |"


def _overview(
    rows: list[Row], played: list[Scenario], houses: dict[str, House], words: Words
) -> Iterator[str]:
    yield f"| Row | | {' | '.join(f'`{name}`' for name in HOUSES)} | Scenario | Near miss |"
    yield f"|---|---|{':-:|' * len(HOUSES)}---|---|"
    for row in rows:
        shows = [scenario for scenario in played if row.id in scenario.rows]
        near = [scenario for scenario in played if row.id in scenario.near]
        cells = [_played(shows, name, houses[name].rules[row.id]) for name in HOUSES]
        yield (
            f"| {row.id} | {_cell(words.title(row.id))} | {' | '.join(cells)} | {_files(shows)} | {_files(near)} |"
        )


def _played(shows: list[Scenario], house: str, ruling: Ruling) -> str:
    if any(house in scenario.houses for scenario in shows):
        return "○" if ruling.gap else "●"
    return "–" if covered(shows, house) else "**?**"


def _files(found: list[Scenario]) -> str:
    links = [f"[{scenario.name}](../tests/scenarios/{scenario.name}.toml)" for scenario in found]
    return ", ".join(links) or "**none**"


def _row(
    row: Row, houses: dict[str, House], words: Words, texts: dict[str, Text], played: list[Scenario]
) -> Iterator[str]:
    yield f"### {row.id} {words.title(row.id)}"
    yield ""
    yield f"{_text(texts, f'rule.{row.id}.says')} {_comes_to_light(row, texts)}"
    yield ""
    yield "| House | What it does | Source |"
    yield "|---|---|---|"
    same: dict[tuple[str, str], list[str]] = {}
    for name in HOUSES:
        ruling = houses[name].rules[row.id]
        source = f"gap: {ruling.source}" if ruling.gap else ruling.source
        same.setdefault((words.short(ruling), source), []).append(name)
    for (said, source), by in same.items():
        yield f"| {', '.join(f'`{house}`' for house in by)} | {_cell(said)} | {_cell(source)} |"
    for scenario in played:
        if row.id in scenario.rows:
            for house, why in scenario.not_for.items():
                yield ""
                yield f"{_files([scenario])} is not played under `{house}`: {why}"


def _comes_to_light(row: Row, texts: dict[str, Text]) -> str:
    ways = [
        way for way, there in (("Read by the antennas", row.read), ("reported by a person", True)) if there
    ]
    said = " or ".join(ways)
    parts = [f"{said[0].upper()}{said[1:]}."]
    if row.seat == "needed":
        parts.append("It is about one seat.")
    if row.question is not None:
        parts.append(f"Asked: “{_text(texts, f'question.{row.question}')}”")
    if row.faced and row.question != "turned_up":
        parts.append(f"Then: “{_text(texts, 'question.turned_up')}”")
    if row.stop:
        parts.append("STOP once it is proven, where the house says so.")
    if row.note:
        parts.append("A fact for the log, it never sounds.")
    return " ".join(parts)


def _named(listed: dict[str, str], key: str, played: list[Scenario]) -> Iterator[str]:
    yield "| | What happened | Houses | Scenario |"
    yield "|---|---|---|---|"
    for name, what in listed.items():
        shows = [scenario for scenario in played if getattr(scenario, key) == name]
        houses = [f"`{house}`" for house in HOUSES if any(house in scenario.houses for scenario in shows)]
        yield f"| {name} | {_cell(what)} | {', '.join(houses)} | {_files(shows)} |"


def _scripts(played: list[Scenario]) -> Iterator[str]:
    yield "| | What happens | Houses | Scenario |"
    yield "|---|---|---|---|"
    for number, (what, name, houses) in SCRIPTS.items():
        shows = [each for each in showing(name, played) if set(houses) & set(each.houses)]
        yield f"| {number} | {_cell(what)} | {', '.join(f'`{house}`' for house in houses)} | {_files(shows)} |"


def _text(texts: dict[str, Text], code: str) -> str:
    """A text with blanks for what only the hand knows."""
    text = texts[code]
    one = text if isinstance(text, str) else text["one"]
    return re.sub(r"\{[^}]*\}", "…", one)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> int:
    """Write, or compare and list what is missing."""
    played = scenarios()
    text = page(played)
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    findings = list(missing(played))
    if sorted(names()) != sorted(HOUSES):
        findings.append(f"houses: this script shows {', '.join(HOUSES)}, there are {', '.join(names())}")
    if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        findings.append(f"{TARGET.name} is stale: run python scripts/catalogue_table.py")
    print("\n".join(findings), file=sys.stderr, end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
