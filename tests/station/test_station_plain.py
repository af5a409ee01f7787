"""Plain lines: what the screen says, for a terminal."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

from dealer_assist.demo import told
from dealer_assist.domain.alerts import Alert, Step
from dealer_assist.domain.facts import Push
from dealer_assist.station import plain
from dealer_assist.station.i18n import Translator

TURN = Alert(
    "a1", "R2", "probable", "medium", "open", False, "turn", None, "seed", "S001 E6", {"seats": [9, 5]}, question="acted"
)  # fmt: skip
STOP = msgspec.structs.replace(
    TURN,
    evidence="proven",
    priority="high",
    stop=True,
    question=None,
    remedy="river_as_turn",
    steps=(Step("set_aside", {"count": 1}, "done"), Step("finish_betting", {"street": "flop"}, "current")),
)


@pytest.fixture
def english() -> Translator:
    return Translator("en")


def record(what: str, **more: object) -> str:
    return msgspec.json.encode({"what": what, "line": "  as the simulator says it", **more}).decode() + "\n"


def test_a_question_says_what_to_look_at(english: Translator) -> None:
    assert told(english, record("asked", fact=TURN)) == [
        "  asked: A turn card is out and no action is entered for seats 9 and 5. Have seats 9 and 5 acted? (R2)"
    ]


def test_an_alert_says_what_happened_by_which_rule_and_what_to_do(english: Translator) -> None:
    first, second = told(english, record("alert", fact=STOP))
    assert first.startswith("  alert: STOP · The turn was dealt before seats 9 and 5 had acted.")
    assert "House seed · S001 E6 · R2" in first
    assert second == "    What to do: The river card becomes the turn"


def test_steps_and_the_end(english: Translator) -> None:
    assert told(english, record("step", fact=STOP, step="set_aside")) == [
        "    Set the card aside, face up – done"
    ]
    closed = msgspec.structs.replace(STOP, state="closed")
    assert told(english, record("alert_over", fact=closed)) == ["  over: R2 fixed: Turn dealt too early"]
    withdrawn = msgspec.structs.replace(TURN, state="withdrawn")
    assert told(english, record("alert_over", fact=withdrawn)) == [
        "  over: R2 Turn dealt too early? – withdrawn"
    ]


def test_an_award_names_pot_seat_and_hand(english: Translator) -> None:
    side = Push(1, 3, 1200, "pair", {"rank": "K"})
    assert told(english, record("paid", push=side)) == ["  paid: Side 1: 1\u202f200 → seat 3, pair of kings"]
    assert plain.paid(english, Push(0, 5, 30)) == "Pot: 30 → seat 5, everyone else folded"


@pytest.mark.parametrize("line", ["Traceback (most recent call last):\n", "[]\n", "7\n", "{}\n"])
def test_what_is_no_record_is_shown_as_it_is(english: Translator, line: str) -> None:
    assert told(english, line) == [line.strip()]


def test_other_records_keep_the_simulators_line(english: Translator) -> None:
    assert told(english, record("end", hand="x")) == ["  as the simulator says it"]


def test_every_alert_of_the_catalogue_has_plain_lines_in_every_language() -> None:
    houses = Path(plain.__file__).parents[1] / "procedure" / "houses"
    for language in ("en", "uk"):
        words = Translator(language)
        for house in houses.glob("*.toml"):
            for rule, ruling in tomllib.loads(house.read_text(encoding="utf-8"))["rules"].items():
                alert = msgspec.structs.replace(
                    STOP,
                    rule=rule,
                    remedy=ruling["remedy"],
                    seat=4,
                    params={"seats": [4], "due": 3, "count": 5},
                )
                lines = plain.alerted(words, alert)
                assert len(lines) == 2, rule
                assert "{" not in "".join(lines), rule
