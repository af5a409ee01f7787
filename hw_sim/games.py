"""What a simulated dealer must know of a game, read from the product's game files as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from firmware_protocol.toml_errors import parse
from hw_sim.cards import FACES, RANKS
from hw_sim.houses import procedure_folder

#: The cards of each deck that a game may name.
DECKS: Final[dict[str, tuple[str, ...]]] = {
    "standard52": FACES,
    "short36": tuple(face for face in FACES if RANKS.index(face[0]) >= RANKS.index("6")),
}


class UnknownGame(ValueError):
    """No game of this name. Carries the names there are."""

    def __init__(self, name: str, known: list[str]) -> None:
        self.name = name
        self.known = known
        super().__init__(
            f"unknown game {name!r}: expected one of {', '.join(known)}, or a path of a .toml file"
        )


class GamePlan(msgspec.Struct, frozen=True):
    """How a game is dealt.

    ``faces``: its cards; ``hole``: cards to each seat; ``boards``: 1 or 2; ``posts``: blinds, antes, antes_and_button_blind or unfold;
    ``folded``: where a folded hand lies: muck, or at its seat (face_up, kept).
    """

    faces: tuple[str, ...] = FACES
    hole: int = 2
    boards: int = 1
    posts: str = "blinds"
    folded: str = "muck"


def plan_of(name: str) -> GamePlan:
    """The plan of a game by its name, or by its file's path when that ends in .toml. Raises UnknownGame, OSError or ConfigError."""
    data = _data(name, ())
    return GamePlan(
        faces=DECKS.get(str(data.get("deck")), FACES),
        hole=int(data.get("hole", 2)),
        boards=int(data.get("boards", 1)),
        posts=str(data.get("posts", "blinds")),
        folded=str(data.get("folded", "muck")),
    )


def _data(name: str, derived: tuple[str, ...]) -> dict[str, Any]:
    """The keys of a game over those of the game that it extends. ``derived``: the games that asked, against a circle."""
    folder = procedure_folder("games")
    path = Path(name) if name.endswith(".toml") else folder / f"{Path(name).name}.toml"
    if name in derived or not path.exists():
        raise UnknownGame(name, sorted(file.stem for file in folder.glob("*.toml")))
    document = parse(path.read_bytes(), str(path) if name.endswith(".toml") else path.name)
    parent = document.data.get("extends")
    if not isinstance(parent, str):
        return document.data
    return {**_data(document.beside(parent), (*derived, name)), **document.data}
