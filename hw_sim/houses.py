"""The few house rules that a simulated dealer must know, read from the product's house files as data."""

from __future__ import annotations

import importlib.util
from pathlib import Path

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


class Habits(msgspec.Struct, frozen=True):
    """``allin_faceup``: hands are turned up as soon as all are all-in and the betting is over (TDA 16)."""

    allin_faceup: bool = False


def habits_of(name: str) -> Habits:
    """The habits of a house. Raises UnknownHouse, OSError or ConfigError."""
    path = Path(name) if name.endswith(".toml") else _folder() / f"{name}.toml"
    if not name.endswith(".toml") and not path.exists():
        raise UnknownHouse(name, sorted(file.stem for file in _folder().glob("*.toml")))
    document = parse(path.read_bytes(), str(path))
    parameters = document.data.get("parameters", {})
    return Habits(allin_faceup=bool(parameters.get("allin_faceup", False)))


def _folder() -> Path:
    spec = importlib.util.find_spec("dealer_assist")
    if spec is None or spec.origin is None:
        raise UnknownHouse("", [])
    return Path(spec.origin).parent / "procedure" / "houses"
