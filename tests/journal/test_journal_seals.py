"""Seals.

112 bytes whatever is in them, opened by the private key alone, and no card or UID in the clear anywhere in
the files.
"""

from __future__ import annotations

import ast
import base64
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.public import PrivateKey

import dealer_assist
from dealer_assist.domain.cards import STANDARD_52
from dealer_assist.domain.zones import ZONES
from dealer_assist.journal.errors import RowRefused
from dealer_assist.journal.reader import JournalReader
from dealer_assist.journal.sealing import PLAIN_BYTES, SealedCard, Sealer, pack, unpack
from dealer_assist.journal.store import Row
from dealer_assist.journal.unseal import HandStillOpen, SealRefused, open_hand, open_seal
from tests.journal.kit import SURVEILLANCE_KEY, Opener, play_hand

contents = st.builds(
    SealedCard,
    hand=st.text(st.characters(codec="utf-8"), max_size=24).filter(lambda text: len(text.encode()) <= 24),
    zone=st.sampled_from(sorted(ZONES)),
    card=st.sampled_from(("", *STANDARD_52)),
    uid=st.binary(max_size=10),
    time_ms=st.integers(-(2**63), 2**63 - 1),
)


@given(contents)
def test_a_seal_is_112_bytes_and_opens_to_what_went_in(content: SealedCard) -> None:
    sealer = Sealer(bytes(PrivateKey(SURVEILLANCE_KEY).public_key))
    box = sealer.seal(content.hand, content.zone, content.card, content.uid, content.time_ms)
    assert len(box) == 112
    assert open_seal(box, SURVEILLANCE_KEY) == content


@given(contents)
def test_the_plain_is_64_bytes_and_unique(content: SealedCard) -> None:
    plain = pack(content)
    assert len(plain) == PLAIN_BYTES
    assert unpack(plain) == content


def test_the_layout_is_the_documented_one() -> None:
    plain = pack(SealedCard("hand-1", "seat11", "Td", b"\x04\x01\x02\x03\x04\x05\x06", 258))
    assert plain.hex() == (
        "01"
        "06"
        "68616e642d31" + "00" * 18 + "06"
        "736561743131" + "00" * 6 + "5464"
        "07"
        "04010203040506000000"
        "0000000000000102"
        "00000000"
    )


def test_no_two_seals_are_alike(sealer: Sealer) -> None:
    assert len({sealer.seal("h1", "seat1", "Ks", b"\x04" * 7, 1) for _ in range(50)}) == 50


@pytest.mark.parametrize("bit", [0, 300, 895])
def test_an_altered_seal_does_not_open(bit: int, sealer: Sealer) -> None:
    box = bytearray(sealer.seal("h1", "seat1", "Ks", b"\x04" * 7, 1))
    box[bit // 8] ^= 1 << bit % 8
    with pytest.raises(SealRefused):
        open_seal(bytes(box), SURVEILLANCE_KEY)


def test_no_other_key_opens_a_seal(sealer: Sealer) -> None:
    box = sealer.seal("h1", "seat1", "Ks", b"\x04" * 7, 1)
    public = bytes(PrivateKey(SURVEILLANCE_KEY).public_key)
    for key in (public, b"\x08" * 32, bytes(32), b"short", b""):
        with pytest.raises(SealRefused):
            open_seal(box, key)
    for wrong in (b"", box[:-1], box + b"\0"):
        with pytest.raises(SealRefused):
            open_seal(wrong, SURVEILLANCE_KEY)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"hand": "h" * 25}, "hand"),
        ({"hand": "я" * 13}, "hand"),
        ({"zone": "z" * 13}, "zone"),
        ({"card": "10s"}, "card"),
        ({"card": "K"}, "card"),
        ({"card": "♠"}, "card"),
        ({"uid": b"\xab" * 11}, "uid"),
        ({"time_ms": 2**63}, "time_ms"),
    ],
)
def test_what_does_not_fit_is_refused_without_saying_it(
    changed: dict[str, object], field: str, sealer: Sealer
) -> None:
    given_ = {"hand": "h1", "zone": "seat1", "card": "Qd", "uid": b"\xab" * 7, "time_ms": 1} | changed
    with pytest.raises(RowRefused) as refused:
        sealer.seal(**given_)  # type: ignore[arg-type]
    assert refused.value.field == field
    said = str(refused.value) + repr(refused.value)
    assert "Qd" not in said and "abab" not in said and "10s" not in said


@pytest.mark.parametrize(
    "plain",
    [
        b"",
        b"\x01" * 64,
        b"\x02" + bytes(63),
        b"\x01\x00" + b"x" + bytes(61),
        b"\x01\xff" + bytes(62),
        bytes(64),
    ],
)
def test_bytes_that_are_no_content_are_refused(plain: bytes) -> None:
    with pytest.raises(RowRefused):
        unpack(plain)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_public_key_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(RowRefused):
        Sealer(bytes(size))


def test_a_sealed_card_does_not_print_itself() -> None:
    card = SealedCard("h1", "seat1", "Ks", b"\xab\xcd" * 3, 1)
    for text in (repr(card), str(card), f"{card}", f"{[card]}"):
        assert "Ks" not in text and "abcd" not in text and "\\xab" not in text


def test_a_hand_is_opened_only_when_it_is_closed(open_journal: Opener, sealer: Sealer, path: Path) -> None:
    journal = open_journal()
    play_hand(journal, "h1", sealer)
    journal.append(
        [Row.of("input", "open_hand", "h2", {})], [("h2", sealer.seal("h2", "seat1", "2c", b"\x05", 9))]
    )
    cards = list(open_hand(path, "h1", SURVEILLANCE_KEY))
    assert [(card.zone, card.card, card.time_ms) for card in cards] == [
        (f"seat{n + 1}", "Ks", n) for n in range(4)
    ]
    for hand in ("h2", "h3"):
        with pytest.raises(HandStillOpen):
            list(open_hand(path, hand, SURVEILLANCE_KEY))


def test_a_name_that_is_used_again_opens_no_card_of_the_hand_that_is_running(
    open_journal: Opener, sealer: Sealer, path: Path
) -> None:
    journal = open_journal()
    play_hand(journal, "h1", sealer)
    journal.append([Row.of("input", "told", "h1", {"command": {"kind": "set_seat", "seat": 3}})])
    assert len(list(open_hand(path, "h1", SURVEILLANCE_KEY))) == 4
    opened = Row.of("input", "told", "h1", {"command": {"kind": "open_hand"}})
    journal.append([opened], [("h1", sealer.seal("h1", "seat1", "2c", b"\x05", 9))])
    with pytest.raises(HandStillOpen):
        list(open_hand(path, "h1", SURVEILLANCE_KEY))
    journal.append([Row.of("mark", "hand_closed", "h1", {})])
    assert len(list(open_hand(path, "h1", SURVEILLANCE_KEY))) == 5


def _forms(secret: bytes) -> list[bytes]:
    """A secret as it could lie in a file: both byte orders.

    Raw, hex in both cases, with separators, and base64 at each offset.
    """
    forms = []
    for raw in (secret, secret[::-1]):
        forms += [raw, raw.hex().encode(), raw.hex().upper().encode()]
        forms += [raw.hex(separator).encode() for separator in (":", " ", "-")]
        forms += [raw.hex(separator).upper().encode() for separator in (":", " ", "-")]
        forms.append(str(int.from_bytes(raw, "big")).encode())
        for offset in range(3):
            encoded = base64.b64encode(bytes(offset) + raw)
            # The first characters depend on what comes before, the last on what comes after.
            core = encoded[(0, 2, 3)[offset] : len(encoded) - 4]
            forms += [core, core.replace(b"+", b"-").replace(b"/", b"_")]
    return forms


def _found(folder: Path, secrets: list[bytes]) -> list[bytes]:
    files = [file.read_bytes() for file in folder.iterdir()]
    assert sum(map(len, files)) > 100_000, "the log and the database are both there"
    return [
        form for secret in secrets for form in _forms(secret) if any(form in content for content in files)
    ]


def _uids() -> list[bytes]:
    return [bytes((number * 37 + place * 11 + 0x81) % 256 for place in range(7)) for number in range(52)]


def test_no_card_and_no_uid_is_in_the_files_in_any_form(
    open_journal: Opener, sealer: Sealer, path: Path
) -> None:
    journal = open_journal()
    uids = _uids()
    for number, (uid, card) in enumerate(zip(uids, STANDARD_52, strict=True)):
        box = sealer.seal("h1", f"seat{number % 11 + 1}", card, uid, number)
        journal.append([Row.of("event", "card_dealt", "h1", {"seat": number % 11 + 1})], [("h1", box)])
    journal.append([Row.of("mark", "hand_closed", "h1", {})])
    journal.checkpoint("h1")
    # A card is two letters, which any text may hold: what is looked for is a card next to its UID, as a seal
    # holds it.
    pairs = [card.encode() + b"\x07" + uid for uid, card in zip(uids, STANDARD_52, strict=True)]
    assert _found(path.parent, uids + pairs) == []
    with JournalReader(path) as reader:
        assert b"".join(row.payload for row in reader.rows()).count(b"seat") == 52
        assert {len(seal.box) for seal in reader.seals()} == {112}
    journal.close()


@pytest.mark.parametrize("form", range(len(_forms(bytes(7)))))
def test_the_search_finds_a_planted_secret(form: int, open_journal: Opener, path: Path) -> None:
    """The search above can fail.

    Each form of one UID, planted in a payload or beside the journal, is found.
    """
    journal = open_journal()
    journal.append([Row.of("event", "filler", "h1", {"text": "x" * 100_000})])
    uid = _uids()[17]
    planted = _forms(uid)[form]
    if planted.isascii() and planted.decode().isprintable():
        journal.append([Row.of("event", "leak", "h1", {"text": planted.decode()})])
    else:
        path.with_name("log").write_bytes(b"..." + planted + b"...")
    assert planted in _found(path.parent, _uids())


def test_nothing_that_runs_at_a_table_imports_the_opening() -> None:
    root = Path(dealer_assist.__file__).parent
    importers = {
        file.relative_to(root).as_posix()
        for file in root.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if (
            isinstance(node, ast.ImportFrom)
            and "unseal" in f"{node.module} {[name.name for name in node.names]}"
        )
        or (isinstance(node, ast.Import) and any("unseal" in name.name for name in node.names))
    }
    assert importers <= {"surveillance_cli.py"}
