"""What every alert must be, whichever rule raises it: in the catalogue, worded in every language, and with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args

import pytest

from dealer_assist.domain.alerts import Alert, AlertState, Evidence, Priority, StepState, Why
from dealer_assist.domain.table import STREETS
from dealer_assist.procedure.catalogue import ROWS
from dealer_assist.station import wording
from dealer_assist.station.i18n import Translator, load_all
from tests.table.driver import Driver

#: Evidence that rests on reads of cards: an alert without them could not be explained afterwards.
READ = frozenset(
    {
        "read_at",
        "third_card",
        "same_face",
        "other_deck",
        "unknown_tag",
        "not_in_game",
        "came_back",
        "hand_in_muck",
        "board_card_at",
        "one_hand_left",
    }
)


class Strict(Translator):
    """A translator that fails where the one at the table makes do with a generic word."""

    def __call__(self, code: str, params: Mapping[str, Any] | None = None, /, **more: Any) -> str:
        assert self.has(code), f"no text: {code}"
        return super().__call__(code, params, **more)

    def coded(self, section: str, code: str, params: Mapping[str, Any] | None = None) -> str:
        assert self.has(f"{section}.{code}"), f"no text: {section}.{code}"
        return super().coded(section, code, params)

    def _value(self, name: str, form: str, params: Mapping[str, Any]) -> str:
        value = params.get(name)
        assert value not in (None, "", [], ()), f"{name} is not known: {dict(params)}"
        if name in {"street", "next"}:
            assert value in STREETS, f"{name} {value}"
        if name == "seats":
            assert isinstance(value, (list, tuple)), f"seats {value}"
        if name == "zone":
            assert str(value) in {
                "board",
                "board2",
                "board3",
                "burn",
                "muck",
                *(f"seat{seat}" for seat in range(1, 12)),
            }
        return super()._value(name, form, params)


@cache
def _translators() -> tuple[Strict, ...]:
    catalogues = load_all()
    return tuple(Strict(language, catalogues) for language in catalogues)


def check_alert(alert: Alert) -> None:
    """Fails when the alert is not fit to be shown."""
    row = ROWS[alert.rule]
    assert alert.evidence in get_args(Evidence)
    assert alert.state in get_args(AlertState)
    assert alert.priority in get_args(Priority)
    assert alert.street in STREETS
    assert alert.answered in {None, "yes", "no"}
    assert alert.seat is None or alert.seat in range(1, 12)
    assert type(alert.stop) is bool
    assert not alert.stop or (row.stop and alert.evidence == "proven")
    assert not (row.note and alert.evidence == "proven")
    assert alert.question is None or alert.state in {"open", "fixing"}
    assert alert.why, f"{alert.rule} has no evidence"
    for why in alert.why:
        _check_why(why)
    for step in alert.steps:
        assert step.state in get_args(StepState)
    for tr in _translators():
        said = (
            wording.alert_title(tr, alert),
            wording.alert_sentence(tr, alert),
            wording.remedy_text(tr, alert),
            wording.alert_question(tr, alert),
            *(wording.step_text(tr, step, alert) for step in alert.steps),
            *(wording.why_text(tr, why) for why in alert.why),
            *(tr.coded("remedy", option) for option in alert.options),
        )
        assert all(isinstance(text, str) for text in said)


def _check_why(why: Why) -> None:
    assert why.weight > 0
    assert all(isinstance(ref, str) and ref for ref in why.reads)
    assert bool(why.reads) or why.code not in READ, f"{why.code} names no read"
    assert type(why.params.get("count", 1)) is int


@pytest.fixture(autouse=True)
def _alerts_are_fit_to_be_shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a test with a driven table is about, each alert that stands at its end must be fit to be shown."""
    tables: list[Driver] = []
    make = Driver.__init__

    def remember(self: Driver, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        tables.append(self)

    monkeypatch.setattr(Driver, "__init__", remember)
    yield
    for table in tables:
        for alert in table.alerts() if table.core.hand is not None else ():
            check_alert(alert)
