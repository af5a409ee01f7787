"""Recordings, registrations and receipts: what they say does not depend on a hidden card, and no tag is in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealer_assist.domain import equipment as eq
from dealer_assist.table.recording import Recorder
from dealer_assist.table.recording_taken import Taken
from dealer_assist.table.trace import Entry
from hw_sim.cards import deck_of, tags_of
from hw_sim.handling import cards_of
from hw_sim.noise import misses
from hw_sim.noisy_field import field_of
from tests.secrecy.hands import Cards, Dealt, exchanged, real_hands, scenario
from tests.secrecy.replayed import replayed
from tests.secrecy.search import Tags
from tests.table.equipment_rig import ANTENNAS, DeskRig
from tests.table.recorded import hand_lines, recorded

HANDS = 2
#: Two cards of one face, a second deck, cards that go back into the stub after they were public.
SCENARIOS = ("k1_two_on_board", "i5_new_deck_not_shuffled", "k8_stub_shuffled")


def trace_of(hand: Dealt, cards: Cards) -> list[bytes]:
    """What a table that records leaves of a hand whose deck files say ``cards``."""
    return recorded([Entry(0, 1, hand.header_with(cards)), *hand.entries], key=bytes(range(32))).lines


def both(hand: Dealt) -> tuple[bytes, bytes]:
    """The recording of a hand, and of the same one with the hidden faces exchanged."""
    public = set(replayed(hand, hand.cards).public)
    first = trace_of(hand, hand.cards)
    second = trace_of(hand, exchanged(hand.cards, public, seed=1))
    return b"".join(first), b"".join(second)


def dealt() -> list[Dealt]:
    return [*real_hands(HANDS), *map(scenario, SCENARIOS)]


@pytest.mark.parametrize("number", range(HANDS + len(SCENARIOS)))
def test_a_recording_is_the_same_whatever_the_hidden_cards_are(number: int) -> None:
    hand = dealt()[number]
    first, second = both(hand)
    assert first == second
    assert Tags(hand.cards).found(first) == []
    named = {face for line in hand_lines(first.splitlines()) for face in _faces(line)}
    assert named <= hand.face_up(), named - hand.face_up()


def _faces(line: dict[str, Any]) -> Iterable[str]:
    """The faces that a line names: of a deck map, and those that a person said."""
    for deck in line.get("decks", ()):
        yield from (face for face in deck["cards"].values() if face[0] not in "#!")
    if "face" in line.get("tap", {}):
        yield line["tap"]["face"]


def face_as_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """The token of a face is the face, hashed: nobody can read it, and everybody can try all 52."""
    honest = Recorder._new_card

    def new_card(self: Recorder, uid: bytes) -> int:
        number = honest(self, uid)
        card = self._core.vault._cards.get(uid)
        if card is not None:
            self._cards[number].twin = sum(card.face.encode())
        return number

    monkeypatch.setattr(Recorder, "_new_card", new_card)


def tag_as_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tags are those of the cards."""
    honest = Recorder._new_card
    uids: dict[int, bytes] = {}

    def new_card(self: Recorder, uid: bytes) -> int:
        number = honest(self, uid)
        uids[number] = uid
        return number

    monkeypatch.setattr(Recorder, "_new_card", new_card)
    monkeypatch.setattr(Taken, "_tag", lambda self, number, key: uids[number].hex().upper())


def test_a_face_in_a_token_is_found(monkeypatch) -> None:
    face_as_token(monkeypatch)
    assert any(first != second for first, second in map(both, real_hands(2)))


def test_a_tag_in_a_recording_is_found(monkeypatch) -> None:
    tag_as_token(monkeypatch)
    hand = real_hands(1)[0]
    assert Tags(hand.cards).found(both(hand)[0])


# -- registrations and receipts ------------------------------------------------------------------------------------------------


class Told(msgspec.Struct):
    facts: list[bytes] = []
    marks: list[bytes] = []

    def __repr__(self) -> str:
        return "Told()"


def watched(rig: DeskRig) -> Told:
    """Everything that the desk says and has written into the journal from now on."""
    told = Told()
    honest: Callable[..., Any] = rig._keep

    def keep(outcome: Any) -> None:
        told.facts += [msgspec.json.encode(fact) for fact in outcome.facts]
        told.marks += [msgspec.json.encode([name, value]) for name, value in outcome.marks]
        honest(outcome)

    rig._keep = keep  # type: ignore[method-assign]
    return told


def registered(folder: Path, seed: int) -> tuple[Told, DeskRig]:
    """A deck is registered, with mistakes, checked with a dead card, and dealt from."""
    rig = DeskRig(folder)
    rig.field = field_of(ANTENNAS, tags_of(seed), misses(0.0).sensing, seed=3)
    told = watched(rig)
    rig.tell(eq.RegisterDeck("Red 1", "red"))
    rig.lay("As", "2s", "2s", "foreign/1")
    rig.tell(eq.SetupStep("back"))
    rig.lay(*cards_of("A")[2:])
    rig.lay("2s")
    rig.tell(eq.Diagnose(3))
    rig.tell(eq.CheckDeck("Red 1", dealer="Olena"))
    rig.lay(*[card for card in cards_of("A") if card != "7h"])
    rig.tell(eq.SetupStep("finish"))
    return told, rig


def test_a_registration_and_its_receipt_say_nothing_of_a_tag(tmp_path) -> None:
    first, rig = registered(tmp_path / "a", seed=1)
    second, _ = registered(tmp_path / "b", seed=2)
    assert len(first.facts) > 100 and len(first.marks) >= 4
    assert first.facts == second.facts
    assert first.marks == second.marks
    tags = Tags(deck_of(1).values())
    files = b"".join(path.read_bytes() for path in sorted((tmp_path / "a").rglob("*")) if path.is_file())
    assert tags.found(b"".join([*first.facts, *first.marks, files])) == []
    assert b'"dead":["7h"]' in b"".join(first.marks), "a dead card is named"
    assert len(rig.files.receipts()) == 1


def test_a_deck_that_is_not_encrypted_would_be_found(tmp_path) -> None:
    rig = DeskRig(tmp_path, simulated=True, key=None)
    rig.tell(eq.RegisterDeck("Red 1"))
    rig.lay(*cards_of("A")[:5])
    (path,) = (tmp_path / "decks").iterdir()
    assert Tags(deck_of(1).values()).found(path.read_bytes())
