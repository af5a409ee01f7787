"""The vault: references that say nothing, faces only when they are public."""

from __future__ import annotations

from dealer_assist.domain.cards import STANDARD_52
from dealer_assist.table.vault import Vault

CARDS = {bytes([0xE0, 4, 1, 0, 0, 0, 0, n]): face for n, face in enumerate(STANDARD_52)}
UID = next(iter(CARDS))


class Boxes:
    def __init__(self) -> None:
        self.sealed: list[tuple[str, str, str, int]] = []

    def seal(self, *, hand: str, zone: str, card: str, uid: bytes, time_ms: int) -> bytes:
        self.sealed.append((hand, zone, card, time_ms))
        return b"box"


def vault(**more: object) -> Vault:
    made = Vault(CARDS, **more)  # type: ignore[arg-type]
    made.begin_hand("h", b"k" * 32)
    return made


def test_the_same_card_is_another_reference_in_the_next_hand() -> None:
    made = vault()
    first = made.ref(UID)
    made.begin_hand("h2", b"q" * 32)
    assert made.ref(UID) != first


def test_unknown_tag_has_no_reference() -> None:
    assert vault().placed(b"\xe0\x04\x01\x01\x01\x01\x01\x01", "seat1", 0).ref is None


def test_hole_card_is_not_revealed_as_a_board_card() -> None:
    made = vault()
    ref = made.placed(UID, "seat1", 0).ref
    assert ref is not None
    made.placed(UID, "board", 1000)
    assert made.reveal_board(ref, 9000) is None


def test_board_card_is_revealed_only_after_it_lay_still() -> None:
    made = vault(settle_ms=600)
    ref = made.placed(UID, "board", 1000).ref
    assert ref is not None
    assert made.reveal_board(ref, 1599) is None
    assert made.reveal_board(ref, 1600) == CARDS[UID]


def test_burned_card_is_never_a_board_card() -> None:
    made = vault()
    ref = made.placed(UID, "burn", 0).ref
    assert ref is not None
    made.placed(UID, "board", 1000)
    assert made.reveal_board(ref, 9000) is None


def test_tabled_card_must_have_been_dealt_to_that_seat() -> None:
    made = vault()
    ref = made.placed(UID, "seat1", 0).ref
    assert ref is not None
    assert made.reveal_tabled(ref, "seat2") is None
    assert made.reveal_tabled(ref, "seat1") == CARDS[UID]


def test_each_first_sight_at_a_zone_is_sealed_once() -> None:
    boxes = Boxes()
    made = vault(sealer=boxes)
    made.placed(UID, "seat1", 5)
    made.placed(UID, "seat1", 9)
    made.placed(UID, "muck", 12)
    assert [(zone, t) for _, zone, _, t in boxes.sealed] == [("seat1", 5), ("muck", 12)]
    assert len(made.take_boxes()) == 2
    assert made.take_boxes() == []


def test_nothing_of_it_prints() -> None:
    made = vault()
    made.placed(UID, "seat1", 5)
    assert "As" not in repr(made)
    assert "As" not in repr(vars(made)["_cards"])
