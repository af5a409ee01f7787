"""What each alert rests on as it is raised, what became of it, and the quiet marks beside it: exactly, in evidence.toml.

The scenarios say when a row is raised and how it is put right; this says with which seat, street, parameters and evidence, and which
answer is kept. After an intended change ``python -m tests.procedure.test_evidence`` writes the file anew: its difference is reviewed.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.facts import AlertFact, SeatFact
from dealer_assist.replay import Replay
from dealer_assist.table.change import Change
from tests.procedure.scenario_replays import core, entries, plays

FILE = Path(__file__).with_name("evidence.toml")
Said = dict[str, Any]


def _raised(alert: Alert) -> Said:
    said = {
        "rule": alert.rule,
        "as": alert.evidence,
        "street": alert.street,
        "seat": alert.seat or 0,
        "question": alert.question or "",
        "params": {name: value for name, value in alert.params.items() if value is not None},
        "why": [
            {"code": why.code, **why.params, "reads": len(why.reads), "weight": why.weight}
            for why in alert.why
        ],
    }
    return {name: value for name, value in said.items() if value not in (0, "", {}, [])}


def _became(alert: Alert) -> Said:
    said = {
        "became": alert.state,
        "rule": alert.rule,
        "as": alert.evidence,
        "answered": alert.answered or "",
        "remedy": alert.remedy or "",
        "ruled": alert.ruled or "",
        "question": alert.question or "",
    }
    return {name: value for name, value in said.items() if value != ""}


def said_in(name: str, house: str) -> list[Said]:
    """Alerts as they are raised, and marks as they change, in order; then what became of each alert."""
    found: list[Said] = []
    known: dict[str, Alert] = {}
    marks: dict[int, tuple[str, ...]] = {}

    def watch(change: Change) -> None:
        for fact in change.facts:
            if isinstance(fact, AlertFact):
                if fact.alert.id not in known:
                    found.append(_raised(fact.alert))
                known[fact.alert.id] = fact.alert
            elif isinstance(fact, SeatFact) and fact.marks != marks.get(fact.seat, ()):
                marks[fact.seat] = fact.marks
                found.append({"mark": [fact.seat, *fact.marks]})

    list(Replay(core, watch=watch).feed(entries(name, house)))
    return found + [_became(alert) for alert in known.values()]


def _signature(said: Said) -> str:
    """Two that were raised in the same way in the same place: one of them is enough."""
    if "mark" in said:
        return f"mark {said['mark'][1:]}"
    if "became" in said:
        return f"became {sorted(said.items())}"
    why = [(why["code"], why["weight"], sorted(why)) for why in said.get("why", ())]
    return repr(
        (said["rule"], said["as"], said.get("question"), "seat" in said, sorted(said.get("params", ())), why)
    )


def _recorded() -> list[tuple[str, str, list[Said]]]:
    keys = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return [(entry["name"], entry["house"], entry["said"]) for entry in keys["scenario"]]


@pytest.mark.parametrize(
    ("name", "house", "said"), _recorded(), ids=[f"{name}-{house}" for name, house, _ in _recorded()]
)
def test_an_alert_says_what_it_rests_on(name: str, house: str, said: list[Said]) -> None:
    assert said_in(name, house) == said


def test_every_row_that_a_scenario_raises_is_recorded() -> None:
    recorded = {one["rule"] for _, _, said in _recorded() for one in said if "rule" in one}
    raised = {name.split("_")[0].upper() for name, _ in plays(one=True) if not name.endswith("_near")}
    rows = {row for row in raised if len(row) > 1 and row[0] in "XDKNFRAP" and row[1].isdigit()}
    assert {row.replace("X3B", "X3b") for row in rows} <= recorded | {"R8"}


# -- writing the file ------------------------------------------------------------------------------------------------------


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    return key if key.replace("_", "").isalnum() else json.dumps(key)


def _write() -> None:
    kept: list[str] = []
    seen: set[str] = set()
    # Scenarios with much to say first: fewer of them are needed.
    every = sorted(
        ((name, house, said_in(name, house)) for name, house in plays(one=True)), key=lambda one: -len(one[2])
    )
    for name, house, said in every:
        new = {_signature(one) for one in said} - seen
        if not new:
            continue
        seen |= new
        lines = "".join(f"    {_toml(one)},\n" for one in said)
        kept.append(f'[[scenario]]\nname = "{name}"\nhouse = "{house}"\nsaid = [\n{lines}]\n')
    head = "# What alerts rest on as they are raised. Written by `python -m tests.procedure.test_evidence`; reviewed by its difference.\n"
    FILE.write_text("\n".join([head, *sorted(kept)]), encoding="utf-8")


if __name__ == "__main__":
    _write()
