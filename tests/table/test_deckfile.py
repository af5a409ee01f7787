"""Deck files: encrypted at rest, simulated ones in the clear and only where that is allowed; mistakes with their place, never a card."""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest

from dealer_assist.domain.cards import STANDARD_52
from dealer_assist.journal.keys import DeckFileRefused, decrypt_deck, encrypt_deck
from dealer_assist.table.deckfile import DeckFileError, read_deck

KEY = bytes(range(32))


def deck(**changes: Any) -> bytes:
    cards = {f"E00401500000{n:04X}": face for n, face in enumerate(STANDARD_52)}
    return json.dumps({"deck": "A", "back": "red", "simulated": True, "cards": cards, **changes}).encode()


def test_simulated_deck_in_the_clear() -> None:
    read = read_deck(deck(), "deck.json", decrypt=None, simulate=True)
    assert len(read.by_uid()) == 52
    assert "As" not in repr(read)


def test_simulated_deck_needs_the_flag() -> None:
    with pytest.raises(DeckFileError, match=r"simulated: .*--simulate"):
        read_deck(deck(), "deck.json", decrypt=None, simulate=False)


def test_real_deck_in_the_clear_is_refused() -> None:
    with pytest.raises(DeckFileError, match="must be encrypted"):
        read_deck(deck(simulated=False), "deck.json", decrypt=None, simulate=False)


def test_encrypted_deck_opens_with_the_table_key_only() -> None:
    blob = encrypt_deck(deck(simulated=False), KEY, bytes(24))
    assert b"E0040150" not in blob
    opened = read_deck(blob, "deck.bin", decrypt=functools.partial(decrypt_deck, key=KEY), simulate=False)
    assert len(opened.cards) == 52
    with pytest.raises(DeckFileError, match=r"keys\.table_key"):
        read_deck(blob, "deck.bin", decrypt=None, simulate=False)
    with pytest.raises(DeckFileRefused):
        read_deck(blob, "deck.bin", decrypt=functools.partial(decrypt_deck, key=bytes(32)), simulate=False)


@pytest.mark.parametrize(
    ("content", "expectation"),
    [
        (b'{"deck": "A",\n "back" "red"}', r"deck\.json:2:\d+: expected a deck"),
        (b'{"deck": "A"}', "expected a deck"),
        (deck(cards={"E004015000000001": "Kx"}), "cards, entry 1: expected a card"),
        (deck(cards={"E0": "Ks"}), "cards, entry 1: expected a UID"),
        (deck(cards={"E004015000000001": "Ks"}), "expected 52 cards, found 1"),
        (deck(color="red"), "expected a deck"),
    ],
)
def test_mistakes_name_their_place(content: bytes, expectation: str) -> None:
    with pytest.raises(DeckFileError, match=expectation) as caught:
        read_deck(content, "deck.json", decrypt=None, simulate=True)
    assert "E0040150" not in str(caught.value)
