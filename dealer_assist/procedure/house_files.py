"""From a house's file to a complete house: what it takes over from another one, and whose rules fill its gaps.

``extends = "wsop_cash"`` takes every parameter and ruling of that house and replaces those that the file states itself. ``gaps =
["roberts", "wsop_cash"]`` names the sets that fill in, in this order, where the house is silent; what they fill in is marked. A
parameter or ruling is always taken whole, so that its source never belongs to something else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from dealer_assist.procedure.house import House
from firmware_protocol.toml_check import MISSING
from firmware_protocol.toml_errors import ConfigError, Document, Problem

#: Finds another house's file by its name; raises ValueError when there is none.
Read = Callable[[str], Document]

#: Sets that only fill gaps: nobody plays by them alone.
FILLERS: Final = frozenset({"practice"})

#: As many missing keys are told one by one.
_FEW: Final = 3
_SECTIONS: Final = ("parameters", "rules")
_BUILDS_ON: Final = ("extends", "gaps")


def load(document: Document, read: Read) -> House:
    """The complete house. Raises ConfigError with the place of every mistake in ``document``, or in a file it builds on."""
    data = _stated(document, read, ())
    _fill_gaps(data, document, read, ())
    try:
        return document.with_data(data).convert(House)
    except ConfigError as error:
        raise ConfigError(document.file, _at_once(document, error.problems)) from None


def _at_once(document: Document, problems: tuple[Problem, ...]) -> list[Problem]:
    """Many keys that are missing are one mistake: the house builds on no other."""
    missing = [problem for problem in problems if problem.found == MISSING]
    if len(missing) <= _FEW:
        return list(problems)
    named = ", ".join(problem.path for problem in missing[:_FEW])
    expected = f"every parameter, or `extends` with the house that has the rest ({len(missing)} keys are missing: {named}, …)"
    told = document.problem((), expected, document.data.get("extends") or "neither")
    return [told, *(problem for problem in problems if problem.found != MISSING)]


def _stated(
    document: Document, read: Read, above: tuple[str, ...], *, gaps_too: bool = True
) -> dict[str, Any]:
    """What a house states itself or takes over by ``extends``."""
    data = {key: value for key, value in document.data.items() if key not in _BUILDS_ON}
    for section in _SECTIONS:
        entries = data.get(section, {})
        if not isinstance(entries, dict):
            raise document.error_at((section,), "a table")
        for key, entry in entries.items():
            if isinstance(entry, dict) and "gap" in entry:
                raise document.error_at(
                    (section, key, "gap"), "nothing: a gap is marked when it is filled in"
                )
        data[section] = dict(entries)
    base_name = document.data.get("extends")
    if base_name is None:
        return data
    if not isinstance(base_name, str):
        raise document.error_at(("extends",), "the name of a house")
    base = _other(document, read, ("extends",), base_name)
    if base.file in above or base.file == document.file:
        raise document.error_at(("extends",), "a house that does not extend this one")
    below = _stated(base, read, (*above, document.file))
    if gaps_too:
        _fill_gaps(below, base, read, above)
    for section in _SECTIONS:
        data[section] = {**below.get(section, {}), **data[section]}
    return data


def _fill_gaps(data: dict[str, Any], document: Document, read: Read, above: tuple[str, ...]) -> None:
    for name in _names(document, "gaps"):
        filler = _other(document, read, ("gaps",), name)
        other = _stated(filler, read, (*above, document.file), gaps_too=False)
        for section in _SECTIONS:
            for key, entry in other[section].items():
                if key not in data[section] and isinstance(entry, dict):
                    data[section][key] = {**entry, "gap": True}


def _names(document: Document, key: str) -> list[str]:
    names = document.data.get(key, [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise document.error_at((key,), "a list of names of houses")
    return names


def _other(document: Document, read: Read, path: tuple[str, ...], name: str) -> Document:
    try:
        return read(document.beside(name))
    except (ValueError, OSError) as error:
        if isinstance(error, ConfigError):
            raise
        raise document.error_at(path, f"a house that there is ({error})") from None
