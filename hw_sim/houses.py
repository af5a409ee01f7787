"""The few house rules that a simulated dealer must know, read from the product's house files as data."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from firmware_protocol.toml_errors import parse


class UnknownHouse(ValueError):
    """No house of this name. Carries the names there are."""

    def __init__(self, name: str, known: list[str]) -> None:
        self.name = name
        self.known = known
        super().__init__(
            f"unknown house {name!r}: expected one of {', '.join(known)}, or a path of a .toml file"
        )


#: A set that only fills gaps: nobody plays by it alone.
_FILLER = "practice"


def house_names() -> list[str]:
    """The houses that a hand can be played by."""
    return sorted(file.stem for file in procedure_folder("houses").glob("*.toml") if file.stem != _FILLER)


def house_exists(name: str) -> bool:
    """Whether there is a house of this name, or a file of one (a path goes from the folder we are in)."""
    return Path(name).is_file() if name.endswith(".toml") else name in house_names()


class Habits(msgspec.Struct, frozen=True):
    """``allin_faceup``: hands are turned up as soon as all are all-in and the betting is over (TDA 16).

    ``whole_straddle``: the first raise over a straddle must be as large as the straddle, not only as what it is more than the blind.
    ``run_it``: how often a board may be run.
    """

    allin_faceup: bool = False
    whole_straddle: bool = False
    run_it: int = 1


def habits_of(name: str) -> Habits:
    """The habits of a house. Raises UnknownHouse, OSError or ConfigError."""
    return Habits(
        allin_faceup=bool(_parameter("allin_faceup", name, default=False)),
        whole_straddle=_parameter("straddle_raise", name, default="difference") == "whole",
        run_it=int(str(_parameter("run_it", name, default=1))),
    )


def _parameter(key: str, name: str, *, default: object) -> object:
    """A parameter as the house has it: its own file first, then the house that it extends, then those that fill its gaps."""
    for data in _files(name, Path(), set()):
        parameters = data.get("parameters", {})
        if key in parameters:
            value = parameters[key]
            return value.get("value", default) if isinstance(value, dict) else value
    return default


def _files(name: str, beside: Path, seen: set[Path]) -> Iterator[dict[str, Any]]:
    """The files that speak for a house, the strongest first. ``beside``: where a named file may lie besides our own houses."""
    path = _path(name, beside)
    if path in seen:
        return
    seen.add(path)
    data = parse(path.read_bytes(), str(path)).data
    yield data
    parent = data.get("extends")
    for other in [*([parent] if isinstance(parent, str) else []), *data.get("gaps", [])]:
        yield from _files(other, path.parent, seen)


def _path(name: str, beside: Path) -> Path:
    if name.endswith(".toml"):
        return beside / name
    folder = procedure_folder("houses")
    path = folder / f"{name}.toml"
    if not path.exists():
        raise UnknownHouse(name, house_names())
    return path


def procedure_folder(kind: str) -> Path:
    """Where the product keeps its ``houses`` or ``games``; they are read as data."""
    spec = importlib.util.find_spec("dealer_assist")
    if spec is None or spec.origin is None:
        raise FileNotFoundError(2, "no dealer_assist with its house and game files is installed", kind)
    return Path(spec.origin).parent / "procedure" / kind
