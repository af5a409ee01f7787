"""Texts by code, in the language of the person at the screen. Pure: no Qt.

A text is a sentence with named placeholders, ``{seat}`` or ``{street:loc}`` (a grammatical form of the value), or a table of plural
forms, chosen by the number in ``by`` (default ``count``; the length if that is a list). A code that has no text gets the generic text
of its section: a screen never fails for want of a word.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

#: code → name, each in its own language, always shown
LANGUAGES: Final = {
    "bg": "Български",
    "uk": "Українська",
    "ru": "Русский",
    "en": "English",
}
_SLAVIC: Final = ("one", "few", "many")
PLURAL_FORMS: Final = {"bg": ("one", "other"), "uk": _SLAVIC, "ru": _SLAVIC, "en": ("one", "other")}

#: Texts of alerts, of pages, and of the pages of the table itself are in files of their own.
_PARTS: Final = ("", "felt.", "alerts.", "pad.", "pages.", "table_pages.", "floor.")
_PLACEHOLDER: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")
_AMOUNTS: Final = frozenset(
    {"amount", "to", "call", "min_to", "max_to", "pot", "stack", "total"}
    | {"due", "back", "least", "most", "price"}
)
#: parameter name → section that holds the words for its values
_WORDS: Final = {
    "street": "street",
    "next": "street",
    "zone": "zone",
    "rank": "rank",
    "high": "rank",
    "low": "rank",
    "trips": "rank",
    "pair": "rank",
    "action": "action",
    "answer": "answer",
    "response": "response",
    "row": "row",
    "question": "question_short",
    "role": "role",
    "state": "device_state",
    "reason": "reason",
    "option": "remedy",
    "remedy": "remedy",
    "game": "game",
    "life": "deck_life",
    "was": "deck_life",
}
#: streets → the parameter that says which of several boards they are of
_BOARD_OF: Final = {"street": "run", "next": "next_run"}
#: words that get a capital where a text begins with them
_BEGINS: Final = frozenset({"seats", "street", "zone"})
Text = str | dict[str, str]


class TextFault(ValueError):
    """A catalogue of texts that must not be shipped. The message names file, key and what was expected."""


def plural_form(language: str, number: int) -> str:
    """The plural form that a number takes ("1 card", "2 карти", "5 карт")."""
    if PLURAL_FORMS[language] == _SLAVIC:
        last, last_two = number % 10, number % 100
        if last == 1 and last_two != 11:
            return "one"
        if 2 <= last <= 4 and not 12 <= last_two <= 14:
            return "few"
        return "many"
    return "one" if number == 1 else "other"


def placeholders(text: Text) -> frozenset[str]:
    """The parameter names that a text uses, in any of its plural forms, the choosing one included."""
    if isinstance(text, str):
        return frozenset(match[1] for match in _PLACEHOLDER.finditer(text))
    used = {match[1] for form, part in text.items() if form != "by" for match in _PLACEHOLDER.finditer(part)}
    return frozenset(used | {text.get("by", "count")})


def _flatten(language: str, table: Mapping[str, Any], prefix: str = "") -> dict[str, Text]:
    forms = {*PLURAL_FORMS[language], "by"}
    flat: dict[str, Text] = {}
    for key, value in table.items():
        name = f"{prefix}{key}"
        if isinstance(value, str):
            flat[name] = value
        elif isinstance(value, dict) and value and {"one", "few", "many", "other"} & set(value):
            if set(value) | {"by"} != forms:
                found = ", ".join(sorted(value))
                wanted = ", ".join(PLURAL_FORMS[language])
                raise TextFault(f"{language}.toml: {name}: plural forms {wanted} expected, found {found}")
            flat[name] = {form: str(text) for form, text in value.items()}
        elif isinstance(value, dict):
            flat.update(_flatten(language, value, f"{name}."))
        else:
            raise TextFault(f"{language}.toml: {name}: a text or a table of texts expected, found {value!r}")
    return flat


def load_catalogue(language: str) -> dict[str, Text]:
    """All texts of one language by dotted code; those of alerts, pad and pages are in files of their own. Raises TextFault."""
    folder = files("dealer_assist.station") / "texts"
    found: dict[str, Text] = {}
    for part_of in _PARTS:
        name = f"{part_of}{language}.toml"
        part = _flatten(language, tomllib.loads((folder / name).read_text(encoding="utf-8")))
        for code in sorted(found.keys() & part.keys()):
            raise TextFault(f"{name}: {code} is in {language}.toml as well")
        found |= part
    return found


def load_all() -> dict[str, dict[str, Text]]:
    """Every language, checked against English: same codes, same placeholders, nothing empty. Raises TextFault."""
    catalogues = {language: load_catalogue(language) for language in LANGUAGES}
    english = catalogues["en"]
    for language, catalogue in catalogues.items():
        for code in sorted(english.keys() - catalogue.keys()):
            raise TextFault(f"{language}.toml: {code} is missing; in English it says {english[code]!r}")
        for code in sorted(catalogue.keys() - english.keys()):
            raise TextFault(f"{language}.toml: {code} is not in en.toml")
        for code, text in catalogue.items():
            _check_same(language, code, text, english[code])
    return catalogues


def _check_same(language: str, code: str, text: Text, english: Text) -> None:
    if not text or (isinstance(text, dict) and not all(text.values())):
        raise TextFault(f"{language}.toml: {code} is empty")
    mine, theirs = placeholders(text), placeholders(english)
    # A plural table names its number even where a form leaves it out; a plain text of the same code must not need it.
    extra = {"count", "seats"} if isinstance(text, dict) != isinstance(english, dict) else set()
    if mine - extra != theirs - extra:
        raise TextFault(
            f"{language}.toml: {code} uses {', '.join(sorted(mine)) or 'no placeholder'}; "
            f"en.toml uses {', '.join(sorted(theirs)) or 'none'}"
        )


class Translator:
    """The words of the current language. One for the whole screen; ``language`` may change at any time."""

    def __init__(self, language: str = "en", catalogues: dict[str, dict[str, Text]] | None = None) -> None:
        self._catalogues = catalogues or load_all()
        self.language = language if language in self._catalogues else "en"

    def set_language(self, language: str) -> None:
        """Switch; an unknown language is ignored."""
        if language in self._catalogues:
            self.language = language

    def has(self, code: str) -> bool:
        """Whether there is a text of this code."""
        return code in self._catalogues[self.language]

    def __call__(self, code: str, params: Mapping[str, Any] | None = None, /, **more: Any) -> str:
        """The text of a code, filled in. An unknown code shows itself: never an exception at a live table."""
        text = self._catalogues[self.language].get(code)
        if text is None:
            return code.rsplit(".", 1)[-1].replace("_", " ")
        return self._fill(text, {**(params or {}), **more})

    def fitting(self, code: str, params: Mapping[str, Any]) -> str:
        """The text of a code; its ``_any`` form, if it has one, where a parameter that the text names is not known."""
        other = f"{code}_any"
        text = self._catalogues[self.language].get(code)
        if text is not None and self.has(other):
            needed = placeholders(text)
            if any(params.get(name) in (None, "", [], ()) for name in needed):
                return self(other, params)
        return self(code, params)

    def coded(self, section: str, code: str, params: Mapping[str, Any] | None = None) -> str:
        """The text of a code that came from outside: its own, or the generic one of its section."""
        name = f"{section}.{code}"
        if self.has(name):
            return self.fitting(name, params or {})
        return self(f"generic.{section.partition('.')[0]}", {"code": code})

    def number(self, value: int) -> str:
        """An amount with its thousands apart."""
        digits = f"{abs(value):,}".replace(",", str(self._catalogues[self.language]["format.group"]))
        return f"−{digits}" if value < 0 else digits

    def listed(self, items: list[str]) -> str:
        """Items as a list in words: 5 · 5 and 1 · 5, 1 and 7."""
        if len(items) <= 1:
            return "".join(items)
        joint = str(self._catalogues[self.language]["format.and"])
        return f"{', '.join(items[:-1])} {joint} {items[-1]}"

    def seats(self, seats: list[int] | tuple[int, ...], form: str = "") -> str:
        """Seats in words, in a grammatical form: seat 5 · seats 5 and 1."""
        name = f"seats_{form}" if form else "seats"
        return self(f"phrase.{name}", count=len(seats), list=self.listed([str(seat) for seat in seats]))

    def _fill(self, text: Text, params: Mapping[str, Any]) -> str:
        if isinstance(text, dict):
            number = params.get(text.get("by", "count"), 0)
            if isinstance(number, (list, tuple)):
                number = len(number)
            elif not isinstance(number, int):
                number = 0
            text = text[plural_form(self.language, number)]
        filled = _PLACEHOLDER.sub(lambda match: self._value(match[1], match[2] or "", params), text)
        first = _PLACEHOLDER.match(text)
        # A sentence that begins with a filled-in word begins with a capital; a name of a device stays as it is.
        return filled[:1].upper() + filled[1:] if first and first[1] in _BEGINS else filled

    def _value(self, name: str, form: str, params: Mapping[str, Any]) -> str:
        value = params.get(name)
        if value is None or value == "":
            return self("generic.unknown_value")
        if name == "seats" and isinstance(value, (list, tuple)):
            return self.seats(list(value), form)
        if name in _AMOUNTS and isinstance(value, int):
            return self.number(value)
        section = _WORDS.get(name)
        if section is None:
            return str(value)
        word = self._word(section, str(value), form)
        board = params.get(_BOARD_OF[name]) if name in _BOARD_OF else None
        return self._of_board(word, form, board) if board else word

    def _of_board(self, word: str, form: str, board: Any) -> str:
        """A street of one of several boards: turn of board 2."""
        return self("phrase.of_board_cap" if form == "cap" else "phrase.of_board", word=word, board=board)

    def _word(self, section: str, value: str, form: str) -> str:
        if section == "zone" and value.startswith("seat") and value[4:].isdigit():
            return self(f"zone.seat_{form}" if form else "zone.seat", seat=int(value[4:]))
        for code in (f"{section}_{form}.{value}", f"{section}.{value}"):
            if self.has(code):
                return self(code)
        if section == "row" and self.has(f"rule.{value}.title"):
            return f"{value} {self(f'rule.{value}.title')}"
        return value
