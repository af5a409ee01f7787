"""Leaks that are put in on purpose: the comparison and the search must find each, or they prove nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from dealer_assist import logs
from dealer_assist.domain import facts as fx
from dealer_assist.domain.cards import STANDARD_52
from dealer_assist.journal.keys import RamKeyFile
from dealer_assist.station.app import application
from dealer_assist.station.window import StationWindow
from dealer_assist.table import project
from dealer_assist.table.core import Core
from dealer_assist.table.hand import Hand
from dealer_assist.table.vault import Sighting, Vault
from tests.secrecy.hands import exchanged, real_hands
from tests.secrecy.replayed import replayed
from tests.secrecy.search import differences, faces_in, tags_in
from tests.secrecy.table_run import Left, Plant, all_cards, run

HANDS = 6

#: Puts a leak into the product's code; what it returns is told of every core.
Leak = Callable[[pytest.MonkeyPatch], Plant | None]


@pytest.fixture
def runs(monkeypatch, tmp_path, key_folder) -> Callable[[Leak | None], tuple[Left, Left]]:
    """Play some hands twice, with the hidden faces exchanged, in a product that leaks."""
    hands = real_hands(HANDS)
    public = [set(replayed(hand, hand.cards).public) for hand in hands]
    other = {
        uid: face
        for seed, hand in enumerate(hands)
        for uid, face in exchanged(hand.cards, public[seed], seed).items()
    }

    def make(leak: Leak | None) -> tuple[Left, Left]:
        plant = leak(monkeypatch) if leak is not None else None
        first, second = (
            run(tmp_path / name, key_folder(), hands, cards, plant or (lambda core: None))
            for name, cards in (("a", all_cards(hands)), ("b", other))
        )
        return first, second

    return make


def _face(vault: Vault, ref: str) -> str:
    return vault._cards[vault._uids[ref]].face


# -- the leaks -------------------------------------------------------------------------------------------------------------------------


def face_in_a_fact(monkeypatch: pytest.MonkeyPatch) -> Plant:
    """A seat's fact shows the card that was dealt to it."""
    cores: list[Core] = []
    honest = project.seat_fact

    def seat_fact(hand: Hand, seat: int) -> fx.SeatFact:
        fact = honest(hand, seat)
        held = hand.procedure.held.get(seat, ())
        faces = tuple(_face(cores[-1].vault, ref) for ref in held if ref in cores[-1].vault._uids)
        return msgspec.structs.replace(fact, tabled=faces)

    monkeypatch.setattr(project, "seat_fact", seat_fact)
    return cores.append


def tag_as_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference of a card is its tag."""

    def ref(vault: Vault, uid: bytes) -> str | None:
        if uid not in vault._cards:
            return None
        vault._uids[uid.hex()] = uid
        return uid.hex()

    monkeypatch.setattr(Vault, "ref", ref)


def face_in_a_predicate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A predicate that is true of clubs: one bit of a card, and no text that a search could find."""
    honest = Vault.placed

    def placed(vault: Vault, uid: bytes, zone: str, first_ms: int) -> Sighting:
        seen = honest(vault, uid, zone, first_ms)
        return msgspec.structs.replace(seen, same_face=vault._cards[uid].face.endswith("c"))

    monkeypatch.setattr(Vault, "placed", placed)


def face_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card's number in the deck as a harmless count in the log."""
    honest = Vault.placed

    def placed(vault: Vault, uid: bytes, zone: str, first_ms: int) -> Sighting:
        logs.get("vault").info("placed", count=STANDARD_52.index(vault._cards[uid].face))
        return honest(vault, uid, zone, first_ms)

    monkeypatch.setattr(Vault, "placed", placed)


def face_in_the_number_of_seals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Red cards are not sealed: nobody can read a seal, but anybody can count them."""
    honest = Vault.placed

    def placed(vault: Vault, uid: bytes, zone: str, first_ms: int) -> Sighting:
        seen = honest(vault, uid, zone, first_ms)
        if vault._cards[uid].face[1] in "dh":
            vault._boxes.clear()
        return seen

    monkeypatch.setattr(Vault, "placed", placed)


def tag_beside_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last tag, back to front, left in a file beside the hand key."""
    honest = Vault.placed
    files: list[RamKeyFile] = []
    made = RamKeyFile.__init__

    def init(self: RamKeyFile, folder: Path) -> None:
        made(self, folder)
        files.append(self)

    def placed(vault: Vault, uid: bytes, zone: str, first_ms: int) -> Sighting:
        files[-1].path.with_name("last").write_bytes(uid[::-1])
        return honest(vault, uid, zone, first_ms)

    monkeypatch.setattr(RamKeyFile, "__init__", init)
    monkeypatch.setattr(Vault, "placed", placed)


# -- what finds them -------------------------------------------------------------------------------------------------------------------


def test_without_a_leak_there_is_nothing_to_find(runs) -> None:
    first, second = runs(None)
    assert differences(first, second) == set()
    assert tags_in(first, real_hands(HANDS)) == []
    assert faces_in(first, real_hands(HANDS)) == []


@pytest.mark.parametrize(
    ("leak", "differs"),
    [
        (face_in_a_fact, {"socket"}),
        (face_in_a_predicate, {"rows", "checkpoints"}),
        (face_in_the_log, {"log"}),
        (face_in_the_number_of_seals, {"seals"}),
    ],
)
def test_the_comparison_finds_it(runs, leak: Leak, differs: set[str]) -> None:
    first, second = runs(leak)
    assert differs <= differences(first, second)


@pytest.mark.parametrize("leak", [face_in_a_fact])
def test_the_search_finds_a_face(runs, leak: Leak) -> None:
    first, _ = runs(leak)
    found = faces_in(first, real_hands(HANDS))
    assert len(found) > HANDS
    assert all(place.startswith("socket: ") for place in found)


def test_the_search_finds_a_tag_in_the_journal(runs) -> None:
    first, _ = runs(tag_as_reference)
    found = tags_in(first, real_hands(HANDS))
    for place in ("rows", "journal.sqlite stopped", "journal.sqlite-wal running"):
        assert f"{place}: hex lower ''" in found


def test_the_search_finds_a_tag_beside_the_key(runs) -> None:
    first, _ = runs(tag_beside_the_key)
    assert "last during the hand: bytes reversed" in tags_in(first, real_hands(HANDS))


def test_the_replay_finds_it_too(monkeypatch) -> None:
    hand = real_hands(HANDS)[0]
    other = exchanged(hand.cards, set(replayed(hand, hand.cards).public), seed=1)
    plant = face_in_a_fact(monkeypatch)
    assert replayed(hand, hand.cards, plant).facts != replayed(hand, other, plant).facts


def test_the_screens_differ(runs, qapp: QApplication) -> None:
    first, second = runs(face_in_a_fact)
    application()
    pictures = []
    name = next(name for name in first.moments if name in second.moments)
    for left in (first, second):
        window = StationWindow(language="en", animated=False, clock=lambda: "21:47")
        window.show()
        window.receive(left.messages(left.moments[name]))
        qapp.processEvents()
        pictures.append(window.grab().toImage())
        window.shut()
        qapp.processEvents()
    assert pictures[0] != pictures[1]
