"""``messages.toml`` as values, and every rule that a declaration must keep. Used by the generator only."""

from __future__ import annotations

import re
from typing import Any, Final, Literal

import msgspec

from firmware_protocol.frames import SECURED_BYTES
from firmware_protocol.framing import MAX_BODY
from firmware_protocol.toml_check import KeyPath
from firmware_protocol.toml_errors import ConfigError, Document, Problem, parse
from firmware_protocol.wire import MAX_UID, MIN_UID, RANDOM_BYTES

INT_BYTES: Final = {"u8": 1, "u16": 2, "u32": 4}
DATA_HEADER_BYTES: Final = 7
"""Kind, session, sequence number and acknowledgement stand before a sequenced message."""
MAX_MESSAGE: Final = MAX_BODY - SECURED_BYTES - DATA_HEADER_BYTES
"""Bytes of a message, so that a secured frame holds it too."""
FORBIDDEN_RANGE: Final = (0xD0, 0xDF)
"""Declared in the file too, so that it is documented; taking it out there changes nothing."""
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_TYPES: Final = "u8, u16, u32, bytes16, text, uid, uids or the name of an enum"
_SECRET: Final = ("uid", "uids")

Direction = Literal["host_to_device", "device_to_host", "both"]


class ProtocolVersion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[protocol]``: a decoder refuses another major, and counts what it does not know of a newer minor."""

    major: int
    minor: int


class Forbidden(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[forbidden]``: ids that nothing may be declared under."""

    first: int
    last: int
    reason: str


class EnumDeclaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[enums.NAME]``: names and their codes, one byte each."""

    doc: str
    values: dict[str, int]


class FieldDeclaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field. ``min`` and ``max`` limit a number; ``max`` is the length of a text and the count of uids.

    ``bytes16`` are 16 bytes of any value.
    """

    name: str
    type: str
    unit: str = ""
    min: int | None = None
    max: int | None = None
    default: int | None = None
    doc: str = ""

    @property
    def is_int(self) -> bool:
        """Whether it is a number."""
        return self.type in INT_BYTES

    @property
    def low(self) -> int:
        """The least number it may hold."""
        return 0 if self.min is None else self.min

    @property
    def high(self) -> int:
        """The greatest number it may hold; the limit of a text or of uids."""
        if self.max is not None:
            return self.max
        return (1 << 8 * INT_BYTES[self.type]) - 1 if self.is_int else 0xFF


class MessageDeclaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[messages.NAME]``. ``kinds``: the devices that send it; none given means all."""

    id: int
    direction: Direction
    sequenced: bool
    doc: str
    fields: list[FieldDeclaration]
    sample: dict[str, int | str | list[str]]
    kinds: list[str] = []

    @property
    def carries_uid(self) -> bool:
        """Whether a card can be told from it."""
        return any(field.type in _SECRET for field in self.fields)


class Declarations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    protocol: ProtocolVersion
    forbidden: Forbidden
    enums: dict[str, EnumDeclaration]
    messages: dict[str, MessageDeclaration]


def load(source: bytes, file: str) -> Declarations:
    """The declarations in ``source``; raise ``ConfigError`` with the place of every mistake."""
    document = parse(source, file)
    declared = document.convert(Declarations)
    problems = _Rules(document, declared).problems()
    if problems:
        raise ConfigError(file, problems)
    return declared


def camel(name: str) -> str:
    """``tag_arrived`` as a class is named: ``TagArrived``."""
    return "".join(part.capitalize() for part in name.split("_"))


def encode_sample(declared: Declarations, name: str) -> bytes:
    """The bytes of a message's sample, straight from its declaration: the second opinion on the generated codec."""
    message = declared.messages[name]
    data = bytearray([message.id])
    for field in message.fields:
        value: Any = message.sample[field.name]
        if field.is_int:
            data += value.to_bytes(INT_BYTES[field.type], "big")
        elif field.type == "text":
            data += bytes([len(value)]) + value.encode("ascii")
        elif field.type == "bytes16":
            data += bytes.fromhex(value)
        elif field.type in _SECRET:
            uids = [bytes.fromhex(uid) for uid in ([value] if field.type == "uid" else value)]
            if field.type == "uids":
                data.append(len(uids))
            for uid in uids:
                data += bytes([len(uid)]) + uid
        else:
            data.append(declared.enums[field.type].values[value])
    return bytes(data)


class _Rules:
    """What no type can say about declarations."""

    def __init__(self, document: Document, declared: Declarations) -> None:
        self._document = document
        self._declared = declared
        self._problems: list[Problem] = []

    def problems(self) -> list[Problem]:
        forbidden = self._declared.forbidden
        if (forbidden.first, forbidden.last) != FORBIDDEN_RANGE:
            self._wrong(
                ("forbidden",), f"first = 0x{FORBIDDEN_RANGE[0]:02X}, last = 0x{FORBIDDEN_RANGE[1]:02X}"
            )
        for name, enum in self._declared.enums.items():
            self._enum(name, enum)
        ids: dict[int, str] = {}
        for name, message in self._declared.messages.items():
            self._message(name, message)
            if message.id in ids:
                self._wrong(("messages", name, "id"), f"an id of its own: {ids[message.id]} has this one")
            ids.setdefault(message.id, name)
        return self._problems

    def _wrong(self, path: KeyPath, expected: str) -> None:
        self._problems.append(self._document.problem(path, expected))

    def _enum(self, name: str, enum: EnumDeclaration) -> None:
        path: KeyPath = ("enums", name)
        if not _NAME.fullmatch(name) or name in (*INT_BYTES, "text", "bytes16", *_SECRET):
            self._wrong(path, "a name in lower case that is no type")
        for value, code in enum.values.items():
            if not _NAME.fullmatch(value):
                self._wrong((*path, "values", value), "a name in lower case")
            if not 0 <= code <= 0xFF:
                self._wrong((*path, "values", value), "a code from 0 to 255")
        if len(set(enum.values.values())) != len(enum.values) or not enum.values:
            self._wrong((*path, "values"), "at least one value, each with a code of its own")

    def _message(self, name: str, message: MessageDeclaration) -> None:
        path: KeyPath = ("messages", name)
        first, last = FORBIDDEN_RANGE
        if not _NAME.fullmatch(name):
            self._wrong(path, "a name in lower case")
        if first <= message.id <= last:
            self._wrong(
                (*path, "id"), f"an id outside 0x{first:02X} to 0x{last:02X}: card order is never sent"
            )
        elif not 0 < message.id <= 0xFF:
            self._wrong((*path, "id"), "an id from 1 to 255")
        kinds = self._declared.enums.get("device_kind")
        for index, kind in enumerate(message.kinds):
            if kinds is None or kind not in kinds.values:
                self._wrong((*path, "kinds", index), "a device kind")
        shuffler = not message.kinds or "shuffler" in message.kinds
        if message.carries_uid and shuffler:
            self._wrong(
                (*path, "kinds"), "kinds without shuffler: a shuffler tells counts and states, no card"
            )
        names = [field.name for field in message.fields]
        if len(set(names)) != len(names) or not names:
            self._wrong((*path, "fields"), "at least one field, each with a name of its own")
        for index, field in enumerate(message.fields):
            self._field((*path, "fields", index), field)
            if message.kinds == ["shuffler"] and not field.is_int and field.type not in self._declared.enums:
                self._wrong((*path, "fields", index, "type"), "a number or an enum: a shuffler tells no more")
            if field.default is None and index and message.fields[index - 1].default is not None:
                self._wrong((*path, "fields", index), "a default, as the field before it has one")
        if self._problems:
            return
        size = 1 + sum(self._size(field) for field in message.fields)
        limit = MAX_MESSAGE
        if size > limit:
            self._wrong(
                (*path, "fields"), f"fields of at most {limit - 1} bytes together (these: up to {size - 1})"
            )
        self._sample((*path, "sample"), message)

    def _field(self, path: KeyPath, field: FieldDeclaration) -> None:
        if not _NAME.fullmatch(field.name) or field.name == "type":
            self._wrong((*path, "name"), "a name in lower case other than type")
        if field.type not in (*INT_BYTES, "text", "bytes16", *_SECRET, *self._declared.enums):
            self._wrong((*path, "type"), _TYPES)
            return
        if field.is_int:
            top = (1 << 8 * INT_BYTES[field.type]) - 1
            if not 0 <= field.low <= field.high <= top:
                self._wrong(path, f"0 <= min <= max <= {top}")
        elif field.min is not None or field.default is not None:
            self._wrong(path, "min and default of numbers only")
        elif field.type in ("text", "uids"):
            if field.max is None or not 0 < field.max <= 0xFF:
                self._wrong(path, "a max from 1 to 255")
        elif field.max is not None:
            self._wrong((*path, "max"), "no limit: this type has none")

    def _size(self, field: FieldDeclaration) -> int:
        sizes = {
            **INT_BYTES,
            "bytes16": RANDOM_BYTES,
            "text": 1 + field.high,
            "uid": 1 + MAX_UID,
            "uids": 1 + field.high * (1 + MAX_UID),
        }
        return sizes.get(field.type, 1)

    def _sample(self, path: KeyPath, message: MessageDeclaration) -> None:
        if list(message.sample) != [field.name for field in message.fields]:
            self._wrong(path, "a value for each field, in their order")
            return
        for field in message.fields:
            value = message.sample[field.name]
            if not self._fits(field, value):
                self._wrong((*path, field.name), f"a value that {field.name} may have")

    def _fits(self, field: FieldDeclaration, value: object) -> bool:
        if field.is_int:
            return isinstance(value, int) and field.low <= value <= field.high
        if field.type == "text":
            return (
                isinstance(value, str)
                and len(value) <= field.high
                and value.isascii()
                and value.isprintable()
            )
        if field.type == "bytes16":
            return isinstance(value, str) and bool(re.fullmatch(r"[0-9a-f]{32}", value))
        if field.type == "uid":
            return isinstance(value, str) and _is_uid(value)
        if field.type == "uids":
            return isinstance(value, list) and len(value) <= field.high and all(map(_is_uid, value))
        return value in self._declared.enums[field.type].values


def _is_uid(text: str) -> bool:
    return bool(re.fullmatch(f"([0-9a-f]{{2}}){{{MIN_UID},{MAX_UID}}}", text))
