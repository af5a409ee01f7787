"""What a simulated table leaves for the table service: its decks, and what its configuration says of each device."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hw_sim import steps as st
from hw_sim.cards import FACES, OTHER_DECK, deck_map
from hw_sim.device import KEY_NUMBER
from hw_sim.gate import BADGE_READER, READER

BAUD: Final = 115_200
GATE_SERIAL: Final = "SIM-GATE-1"
BADGES_SERIAL: Final = "SIM-BADGES-1"


def own_entry(serial: str, role: str, antennas: Mapping[str, int], key_file: Path) -> dict[str, Any]:
    """A device of our own protocol. ``antennas``: zone → number."""
    return {
        "serial": serial,
        "role": role,
        "transport": "serial",
        "baud": BAUD,
        "antennas": {str(number): zone for zone, number in antennas.items()},
        "keys": {str(KEY_NUMBER): str(key_file)},
    }


def gate_entry() -> dict[str, Any]:
    """The single-card reader."""
    return {
        "serial": GATE_SERIAL,
        "role": "gate",
        "transport": "pcsc",
        "reader": READER,
        "antennas": {"1": "gate"},
    }


def badges_entry() -> dict[str, Any]:
    """The reader of people's badges."""
    return {"serial": BADGES_SERIAL, "role": "badge", "transport": "pcsc", "reader": BADGE_READER}


def write_files(
    folder: Path,
    devices: list[dict[str, Any]],
    *,
    hands: Sequence[st.Hand],
    seed: int,
    speed: float,
    pcsc_socket: str,
    type_a: bool = False,
    badges: Mapping[str, bytes] | None = None,
) -> None:
    """Write deck.json, deck-b.json where a second deck is used, and devices.json into the folder.

    ``type_a``: of the decks' tags. ``badges``: the UIDs of those that the window offers, by name.
    """
    registered = hands[0].registered if hands else {}
    faces = hands[0].plan.faces if hands else FACES
    deck = {
        "deck": "SIM",
        "back": "red",
        "simulated": True,
        "cards": deck_map(seed, registered, faces, type_a=type_a),
    }
    (folder / "deck.json").write_text(json.dumps(deck, indent=1) + "\n")
    if any(hand.decks > 1 for hand in hands):
        cards = deck_map(seed, {}, faces, OTHER_DECK, type_a=type_a)
        other = {"deck": "SIM-B", "back": "blue", "simulated": True, "cards": cards}
        (folder / "deck-b.json").write_text(json.dumps(other, indent=1) + "\n")
    whole = {"speed": speed, "by_id": str(folder / "by-id"), "pcsc_socket": pcsc_socket, "devices": devices}
    if badges:
        whole["badges"] = {name: uid.hex() for name, uid in badges.items()}
    (folder / "devices.json").write_text(json.dumps(whole, indent=1) + "\n")
