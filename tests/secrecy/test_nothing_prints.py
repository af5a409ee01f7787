"""What holds a tag or a hidden card never prints it: not alone, not inside something else, not in an error, not as a logged frame."""

from __future__ import annotations

import importlib
import json
import pkgutil
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dealer_assist
import firmware_protocol
from dealer_assist import logs
from dealer_assist.composition import core_for_trace
from dealer_assist.devices import recent
from dealer_assist.doctor.seen import User
from dealer_assist.domain.cards import STANDARD_52, HiddenCard
from dealer_assist.journal.errors import RowRefused
from dealer_assist.journal.sealing import SealedCard, pack
from dealer_assist.table import ports
from dealer_assist.table.deckfile import Deck, DeckFileError, read_deck
from dealer_assist.table.trace import Entry, Line, TraceDeck, TraceError, read
from dealer_assist.table.vault import Vault
from firmware_protocol import events
from firmware_protocol import messages as wire
from firmware_protocol.describe import describe_message
from tests.secrecy.hands import real_hands
from tests.secrecy.search import Tags

UID = bytes.fromhex("E0040150DEADBEEF")
FACE = "Qs"
TAGS = Tags([UID, bytes.fromhex("E0040150DEAD0000")])
_UID_FIELDS = ("uid", "uids")
#: Fields that are named so and hold no tag, but how a reader is set up.
_NO_TAGS = ("uid_order", "ascii_uid")


def silent(text: str) -> bool:
    """Whether a text holds neither the tag nor the face."""
    return not TAGS.found(text.encode()) and FACE not in text


def structs() -> Iterator[type[msgspec.Struct]]:
    """Every value class of the product and of the wire protocol."""
    for package in (dealer_assist, firmware_protocol):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, type) and issubclass(value, msgspec.Struct):
                    yield value


CARRIERS = sorted(
    {
        kind
        for kind in structs()
        if kind is not User  # of the system
        and any(
            ("uid" in name and name not in _NO_TAGS) or (name == "cards" and kind in {Deck, TraceDeck})
            for name in kind.__struct_fields__
        )
    },
    key=lambda kind: f"{kind.__module__}.{kind.__name__}",
)


def filled(kind: type[msgspec.Struct]) -> msgspec.Struct:
    """A value of this kind that holds the tag and the face wherever it can hold one."""
    values: dict[str, Any] = dict.fromkeys(kind.__struct_fields__, 3)
    for name in kind.__struct_fields__:
        assert "uid" not in name or name in _UID_FIELDS, (
            f"{kind.__name__}.{name}: a field this test does not know"
        )
    written: Any = UID.hex().upper() if kind is Line else UID
    values |= {name: what for name, what in (("uid", written), ("uids", (written,))) if name in values}
    values |= {name: {UID.hex().upper(): FACE} for name in ("cards",) if name in values}
    values |= {name: FACE for name in ("card", "face") if name in values}
    return kind(**values)


def test_the_carriers_are_found() -> None:
    assert {
        ports.TagArrived, ports.TagLeft, ports.InventorySeen, ports.TagPlaced, ports.TagRemoved,
        ports.TagGlimpsed,
        wire.TagArrived, wire.TagLeft, wire.Inventory, SealedCard, Deck, TraceDeck, Line,
    } <= set(CARRIERS)  # fmt: skip


@pytest.mark.parametrize("kind", CARRIERS, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_a_value_with_a_tag_does_not_print_it(kind: type[msgspec.Struct]) -> None:
    value = filled(kind)
    assert not silent(repr(msgspec.to_builtins(value, builtin_types=(bytes,)))), "the value holds the tag"
    for outer in (value, [value], {"x": value}, Entry(1, 1, value), events.MessageReceived(value)):  # type: ignore[arg-type]
        assert silent(repr(outer))
        assert silent(str(outer))
        assert silent(f"{outer}")


@pytest.mark.parametrize("kind", [wire.TagArrived, wire.TagLeft, wire.Inventory])
def test_a_frame_does_not_print_its_tag(kind: type[wire.Message]) -> None:
    message = filled(kind)
    assert silent(logs.frame(message).text)
    assert silent(recent.describe(message))  # type: ignore[arg-type]
    assert silent(describe_message(message))  # type: ignore[arg-type]


def test_hidden_cards_and_their_keepers_do_not_print() -> None:
    card = HiddenCard(FACE)
    vault = Vault({UID: FACE})
    vault.begin_hand("h", b"k" * 32)
    vault.placed(UID, "seat1", 5)
    assert repr(card) == str(card) == f"{card}" == "<card>"
    assert silent(repr(vault)) and silent(repr([card]))
    assert repr(vault) == "<vault>"


def test_a_running_table_does_not_print_its_cards() -> None:
    hand = real_hands(6)[0]
    core = core_for_trace(hand.header, None)
    for entry in hand.entries[:12]:
        if isinstance(entry.what, ports.Observation):
            core.observe(entry.what)
    tags = Tags(hand.cards)
    assert any(core.zones.occupied().values())
    for thing in (core, core.vault, core.zones, core.setup, hand.header, Entry(0, 1, hand.header)):
        assert tags.found(repr(thing).encode()) == []
        assert not any(f"'{face}'" in repr(thing) for face in STANDARD_52)


# -- errors ------------------------------------------------------------------------------------------------------------------------------


def _deck() -> dict[str, Any]:
    uids = [UID.hex().upper(), *(f"E00401AA000000{number:02X}" for number in range(51))]
    faces = [FACE, *(face for face in STANDARD_52 if face != FACE)]
    return {"deck": "A", "back": "red", "simulated": True, "cards": dict(zip(uids, faces, strict=True))}


def _refused(content: bytes, **more: Any) -> str:
    with pytest.raises(DeckFileError) as caught:
        read_deck(content, "deck.json", **{"decrypt": None, "simulate": True, **more})
    return "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    "change",
    [
        lambda deck: deck["cards"].update({UID.hex() + "XY": deck["cards"].pop(UID.hex().upper())}),
        lambda deck: deck["cards"].update({UID.hex().upper(): FACE + "!"}),
        lambda deck: deck["cards"].update({UID.hex().upper(): [FACE, UID.hex()]}),
        lambda deck: deck["cards"].update({UID.hex(): FACE, UID.hex() + "00": FACE}),
        lambda deck: deck.update({UID.hex(): FACE}),
        lambda deck: deck.update({"cards": [UID.hex(), FACE]}),
        lambda deck: deck.update({"deck": {UID.hex(): FACE}}),
        lambda deck: deck.update({"simulated": UID.hex()}),
        lambda deck: deck.update({"simulated": False}),
    ],
)
def test_no_error_of_a_deck_file_prints_a_tag_or_a_card(change: Callable[[dict[str, Any]], None]) -> None:
    deck = _deck()
    change(deck)
    content = json.dumps(deck).encode()
    assert silent(_refused(content))
    if deck["simulated"] is not False:
        assert silent(_refused(b"encrypted", decrypt=lambda _: content))


@given(st.integers(1, len(json.dumps(_deck())) - 2), st.sampled_from([b"", b"\xff", b"`", b"}"]))
def test_no_error_of_a_deck_file_that_is_cut_prints_a_tag_or_a_card(size: int, more: bytes) -> None:
    assert silent(_refused(json.dumps(_deck()).encode()[:size] + more))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("hand", "h" * 25),
        ("zone", "z" * 13),
        ("card", FACE + "!"),
        ("uid", UID + b"long"),
        ("time_ms", 2**63),
    ],
)
def test_no_error_of_a_seal_prints_a_tag_or_a_card(field: str, value: object) -> None:
    good = SealedCard("h", "seat1", FACE, UID, 5)
    with pytest.raises(RowRefused) as caught:
        pack(msgspec.structs.replace(good, **{field: value}))
    assert silent("".join(traceback.format_exception(caught.value)))


@pytest.mark.parametrize("uid", [UID.hex() + "Z", UID.hex() + "0", 7])
def test_no_error_of_a_trace_prints_a_tag_or_a_card(uid: object) -> None:
    header = {
        "trace": 1, "house": "seed", "game": "nlhe", "limits": {"small_blind": 1, "big_blind": 2}, "devices": [],
        "deck": {"name": "A", "simulated": True, "cards": {UID.hex(): FACE}},
    }  # fmt: skip
    bad = {"t": 5, "dev": "reader-1", "msg": "tag_arrived", "antenna": 1, "uid": uid}
    with pytest.raises(TraceError) as caught:
        list(read("trace.jsonl", [json.dumps(header), json.dumps(bad)]))
    assert silent("".join(traceback.format_exception(caught.value)))
    header["deck"] = {"name": "A", "simulated": True, "cards": {UID.hex(): [FACE]}}
    with pytest.raises(TraceError) as caught:
        list(read("trace.jsonl", [json.dumps(header)]))
    assert silent("".join(traceback.format_exception(caught.value)))
