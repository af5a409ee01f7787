"""Every reason that a refusal gives has its words: the sources say which reasons there are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import dealer_assist
from dealer_assist.domain.commands import Refused
from dealer_assist.journal.faults import _SQLITE_REASONS, _SYSTEM_REASONS
from dealer_assist.station.i18n import LANGUAGES, Translator

PACKAGE = Path(dealer_assist.__file__).parent
#: Calls that make a refusal of a code, and a set-up that cannot be played, whose code is a reason.
MAKERS = ("Refused", "SeatsRefused")


def reasons() -> Iterator[tuple[str, str]]:
    """Each code with a reason that stands in the sources, as (code, reason)."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            code = node.args[0].value
            if name == "BadSetup":
                yield "bad_command", code
            elif name in MAKERS:
                given = [key.value for key in node.keywords if key.arg == "reason"]
                for argument in node.args[1:]:
                    if isinstance(argument, ast.Dict):
                        pairs = zip(argument.keys, argument.values, strict=True)
                        given += [
                            value
                            for key, value in pairs
                            if isinstance(key, ast.Constant) and key.value == "reason"
                        ]
                for value in given:
                    if isinstance(value, ast.Constant):
                        yield code, value.value


FOUND = sorted(set(reasons()))


def journal_reasons() -> set[str]:
    """Why nothing can be recorded, of all that the journal says."""
    found = {"full", "io", *_SYSTEM_REASONS.values(), *_SQLITE_REASONS.values()}
    for path in sorted((PACKAGE / "journal").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "JournalUnavailable",
                "JournalFull",
            ):
                found |= {
                    given.value
                    for given in node.args[1:2]
                    if isinstance(given, ast.Constant) and isinstance(given.value, str)
                }
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_nothing_can_be_recorded_is_told_in_words(language: str) -> None:
    tr = Translator(language)
    assert {"full", "in_use", "closed", "cannot_open", "busy", "readonly", "io"} <= journal_reasons()
    assert [reason for reason in sorted(journal_reasons()) if not tr.has(f"reason.{reason}")] == []


def test_the_sources_give_reasons() -> None:
    assert ("bad_command", "unknown_zone") in FOUND
    assert ("bad_command", "no_chips") in FOUND
    assert len(FOUND) > 20


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("code", "reason"), FOUND, ids=lambda value: value)
def test_a_reason_is_told_in_words(language: str, code: str, reason: str) -> None:
    tr = Translator(language)
    words = tr.coded("refusal", code, Refused(code, {"reason": reason, "count": 2}).params)
    assert reason not in words or "_" not in reason, words
    assert not words.endswith("()."), words
    other = tr.coded("refusal", code, Refused(code, {"reason": "nothing_of_the_kind", "count": 2}).params)
    assert words != other, f"{words}: the reason has no words of its own"
