"""The codec: round trips of everything, golden vectors, refusals, and no card in any text."""

from __future__ import annotations

import json
import types
import typing
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware_protocol
from firmware_protocol import errors, messages
from firmware_protocol.declarations import load
from firmware_protocol.errors import BadField, ForbiddenMessage, ProtocolError
from firmware_protocol.events import MessageReceived
from firmware_protocol.frames import SECURED_BYTES, data_body
from firmware_protocol.framing import encode_frame
from firmware_protocol.messages import (
    Identify,
    Inventory,
    InventoryRequest,
    LogText,
    Message,
    SecureAnswer,
    ShufflerState,
    ShufflerVerdict,
    TagArrived,
    TagLeft,
    decode,
    encode,
)

PACKAGE = Path(firmware_protocol.__file__).parent
DECLARED = load((PACKAGE / "messages.toml").read_bytes(), "messages.toml")
CLASSES = typing.get_args(Message)
BY_NAME = {name: kind for kind, name in messages.NAMES.items()}

uids = st.binary(min_size=4, max_size=10)


def values(field, kind) -> st.SearchStrategy:
    if field.is_int:
        return st.integers(field.low, field.high)
    if field.type == "text":
        return st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=field.high)
    if field.type == "bytes16":
        return st.binary(min_size=16, max_size=16)
    if field.type == "uid":
        return uids
    if field.type == "uids":
        return st.lists(uids, max_size=field.high).map(tuple)
    return st.sampled_from(typing.get_type_hints(kind)[field.name])


def any_of(name: str) -> st.SearchStrategy[Message]:
    kind = BY_NAME[name]
    fields = {field.name: values(field, kind) for field in DECLARED.messages[name].fields}
    return st.builds(kind, **fields)


any_message = st.one_of([any_of(name) for name in DECLARED.messages])


def vectors(name: str) -> list[dict]:
    return json.loads((PACKAGE / "vectors" / name).read_text("utf-8"))


def test_every_declared_message_has_a_class_and_no_other():
    assert set(BY_NAME) == set(DECLARED.messages)
    assert set(CLASSES) == set(BY_NAME.values())
    assert isinstance(Message, types.UnionType)


@pytest.mark.parametrize("name", DECLARED.messages)
def test_round_trip(name):
    @given(any_of(name))
    def holds(message):
        payload = encode(message)
        assert payload[0] == DECLARED.messages[name].id
        assert decode(payload) == message
        assert type(decode(payload)) is type(message)

    holds()


@given(any_message)
def test_every_message_fits_a_sequenced_frame_also_a_secured_one(message):
    body = data_body(65535, 65535, 65535, encode(message))
    assert len(encode_frame(bytes(SECURED_BYTES) + body)) <= 254


@given(any_message)
def test_json_round_trip_for_traces(message):
    assert msgspec.json.decode(msgspec.json.encode(message), type=Message) == message


@given(st.binary(max_size=300))
def test_any_bytes_decode_or_are_refused(payload):
    try:
        message = decode(payload)
    except ProtocolError:
        return
    # Whatever is accepted is exactly what would be sent.
    assert encode(message) == payload


@given(any_message, st.data())
def test_a_message_cut_or_prolonged_is_refused(message, data):
    payload = encode(message)
    cut = data.draw(st.integers(0, len(payload) - 1))
    with pytest.raises(ProtocolError):
        decode(payload[:cut])
    with pytest.raises(ProtocolError):
        decode(payload + data.draw(st.binary(min_size=1, max_size=5)))


@pytest.mark.parametrize("vector", vectors("messages.json"), ids=lambda vector: vector["message"])
def test_golden_messages(vector):
    kind = getattr(messages, vector["message"])
    fields = dict(vector["fields"])
    for field in DECLARED.messages[messages.NAMES[kind]].fields:
        if field.type in ("uid", "bytes16"):
            fields[field.name] = bytes.fromhex(fields[field.name])
    if "uids" in fields:
        fields["uids"] = tuple(bytes.fromhex(uid) for uid in fields["uids"])
    message = kind(**fields)
    payload = bytes.fromhex(vector["payload"])
    assert encode(message) == payload
    assert decode(payload) == message


@pytest.mark.parametrize("vector", vectors("refused.json"), ids=lambda vector: vector["error"])
def test_golden_refusals(vector):
    with pytest.raises(ProtocolError) as refused:
        decode(bytes.fromhex(vector["payload"]))
    assert type(refused.value) is getattr(errors, vector["error"])


@given(st.integers(0xD0, 0xDF), st.binary(max_size=200))
def test_card_order_is_refused_whatever_it_holds(message_id, content):
    with pytest.raises(ForbiddenMessage) as refused:
        decode(bytes([message_id]) + content)
    assert (refused.value.message_id, refused.value.size) == (message_id, 1 + len(content))
    assert refused.value.args == (str(refused.value),)
    assert not any(isinstance(value, bytes) for value in vars(refused.value).values())


@given(uids)
def test_no_text_of_a_message_depends_on_a_card(uid):
    other = bytes(len(uid))
    for make in (
        lambda uid: TagArrived(1, 2, 3, 50, uid),
        lambda uid: TagLeft(1, 2, 3, 50, uid),
        lambda uid: Inventory(1, 2, 3, 4, 50, 1, 1, (uid, uid)),
        lambda uid: MessageReceived(TagArrived(1, 2, 3, 50, uid)),
        lambda uid: [Inventory(1, 2, 3, 4, 50, 1, 1, (uid, uid))],
    ):
        assert repr(make(uid)) == repr(make(other))
        assert str(make(uid)) == f"{make(other)}"
    assert f"uid=<{len(uid)} bytes>" in repr(TagArrived(1, 2, 3, 50, uid))


def test_errors_of_fields_name_message_and_field_but_no_value():
    for message, field in (
        (TagArrived(0, 0, 0, 0, b"1234"), "antenna"),
        (TagArrived(255, 0, 0, 0, b"1234"), "antenna"),
        (TagArrived(1, 1 << 32, 0, 0, b"1234"), "t_ms"),
        (TagArrived(1, -1, 0, 0, b"1234"), "t_ms"),
        (TagArrived(1, 1.5, 0, 0, b"1234"), "t_ms"),
        (TagArrived(1, 0, 0, 0, b"\x04\xa1\xb2"), "uid"),
        (TagArrived(1, 0, 0, 0, b"\x04\xa1\xb2" * 4), "uid"),
        (ShufflerState(0, "dancing"), "state"),
        (ShufflerVerdict(0, "short", 256, 52), "count"),
        (SecureAnswer(1, bytes(15), bytes(16)), "answer"),
        (SecureAnswer(1, bytes(16), bytes(17)), "proof"),
        (LogText("x" * 65), "text"),
        (LogText("ю"), "text"),
        (LogText("a\nb"), "text"),
        (InventoryRequest(0), "request_id"),
        (Inventory(0, 1, 0, 0, 0, 1, 1, (b"1234",) * 17), "uids"),
    ):
        with pytest.raises(BadField) as refused:
            encode(message)
        assert refused.value.message == messages.NAMES[type(message)]
        assert refused.value.field == field
        assert "04a1b2" not in str(refused.value) and "\\x04" not in str(refused.value)


def test_values_are_frozen():
    with pytest.raises(AttributeError):
        TagArrived(1, 2, 3, 50, b"1234").antenna = 2
    assert Identify.__struct_config__.frozen


def test_no_message_of_a_shuffler_can_hold_more_than_numbers_and_states():
    for name, message in DECLARED.messages.items():
        if "shuffler" in message.kinds:
            assert name.startswith("shuffler_")
            assert all(field.is_int or field.type in DECLARED.enums for field in message.fields)
    kinds = messages.BY_KIND[messages.DeviceKind.SHUFFLER]
    assert not kinds & messages.WITH_UIDS


def test_what_a_shoe_says_of_its_exit_holds_numbers_and_states_only():
    for name in ("shoe_exit", "shoe_state"):
        message = DECLARED.messages[name]
        assert message.kinds == ["shoe"]
        assert all(field.is_int or field.type in DECLARED.enums for field in message.fields)
