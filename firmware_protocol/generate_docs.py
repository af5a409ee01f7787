"""The tables and worked frames of ``spec.md`` and the golden vectors.

Bytes are made here from the declarations alone, with a CRC and a COBS of this module's own, so that they are a second opinion on
the codec and the framing and not a copy of them.
"""

from __future__ import annotations

import json
from typing import Any, Final

from firmware_protocol.declarations import (
    Declarations,
    FieldDeclaration,
    MessageDeclaration,
    camel,
    encode_sample,
)

_BEGIN: Final = "<!-- made from messages.toml: {} -->"
_END: Final = "<!-- end of {} -->"
_SESSION: Final = 0x0001
_SEQ: Final = 17
_ACK: Final = 4
_KINDS: Final = {"DATA": 1, "ACK": 2, "NAK": 3, "RESET": 4, "PLAIN": 5}
_DIRECTIONS: Final = {
    "host_to_device": "host → device",
    "device_to_host": "device → host",
    "both": "both ways",
}
_COBS_CASES: Final = ("", "00", "0000", "01", "110022", "11002200", "00112233", "ff" * 20, "0102" * 60)


class MarkerMissing(ValueError):
    """``spec.md`` has lost the marks between which a table goes. ``name``: which."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"spec.md: expected the marks {_BEGIN.format(name)} and {_END.format(name)}")


def spec(declared: Declarations, text: str) -> str:
    """``spec.md`` with its made parts as declared; raise :class:`MarkerMissing`."""
    for name, lines in (
        ("ids", _ids(declared)),
        ("messages", _messages(declared)),
        ("worked frames", _worked(declared)),
    ):
        begin, end = _BEGIN.format(name), _END.format(name)
        head, found, rest = text.partition(begin)
        _, closed, tail = rest.partition(end)
        if not found or not closed:
            raise MarkerMissing(name)
        text = head + begin + "\n\n" + "\n".join(lines) + "\n\n" + end + tail
    return text


def vectors(declared: Declarations) -> dict[str, str]:
    """The golden vectors by file name."""
    return {
        "messages.json": _json([_message_vector(declared, name) for name in declared.messages]),
        "framing.json": _json(
            {
                "crc16": [
                    {"data": data.hex(), "crc": f"{_crc(data):04x}"}
                    for data in (b"123456789", b"", b"\0", b"\xff\xff", bytes(range(32)))
                ],
                "cobs": [{"data": case, "encoded": _cobs(bytes.fromhex(case)).hex()} for case in _COBS_CASES],
            }
        ),
        "frames.json": _json([frame for _, frame in _frames(declared)]),
        "refused.json": _json(_refused(declared)),
    }


# ---------------------------------------------------------------- bytes


def _crc(data: bytes) -> int:
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def _cobs(data: bytes) -> bytes:
    out = bytearray([0])
    code_at = 0
    for byte in data:
        if byte:
            out.append(byte)
        else:
            out[code_at] = len(out) - code_at
            code_at = len(out)
            out.append(0)
    out[code_at] = len(out) - code_at
    return bytes(out)


def _frame(body: bytes) -> bytes:
    return _cobs(body + _crc(body).to_bytes(2, "big")) + b"\0"


def _u16(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(2, "big") for number in numbers)


def _frames(declared: Declarations) -> list[tuple[str, dict[str, Any]]]:
    """A frame of every message and kind, with a title."""
    made: list[tuple[str, dict[str, Any]]] = []
    for name, message in declared.messages.items():
        payload = encode_sample(declared, name)
        if message.sequenced:
            # An overflow bears the number of the first message that it stands for.
            seq = int(str(message.sample["first_seq"])) if name == "overflow" else _SEQ
            body = bytes([_KINDS["DATA"]]) + _u16(_SESSION, seq, _ACK) + payload
            fields = {"kind": "DATA", "session": _SESSION, "seq": seq, "ack": _ACK}
        else:
            body = bytes([_KINDS["PLAIN"]]) + payload
            fields = {"kind": "PLAIN", "session": 0, "seq": 0, "ack": 0}
        made.append((name, {**fields, "payload": payload.hex(), "frame": _frame(body).hex()}))
    for kind in ("ACK", "NAK"):
        body = bytes([_KINDS[kind]]) + _u16(_SESSION, _SEQ)
        fields = {"kind": kind, "session": _SESSION, "seq": 0, "ack": _SEQ}
        made.append((kind, {**fields, "payload": "", "frame": _frame(body).hex()}))
    body = bytes([_KINDS["RESET"]]) + _u16(_SESSION)
    fields = {"kind": "RESET", "session": _SESSION, "seq": 0, "ack": 0}
    made.append(("RESET", {**fields, "payload": "", "frame": _frame(body).hex()}))
    return made


# ---------------------------------------------------------------- vectors


def _message_vector(declared: Declarations, name: str) -> dict[str, Any]:
    sample = declared.messages[name].sample
    return {
        "message": camel(name),
        "fields": dict(sample),
        "payload": encode_sample(declared, name).hex(),
    }


def _refused(declared: Declarations) -> list[dict[str, str]]:
    refused = [{"payload": "", "error": "EmptyMessage"}]
    for message_id in range(declared.forbidden.first, declared.forbidden.last + 1):
        refused.append({"payload": f"{message_id:02x}00010203", "error": "ForbiddenMessage"})
    known = {message.id for message in declared.messages.values()}
    unknown = next(number for number in range(1, 0xD0) if number not in known)
    refused.append({"payload": f"{unknown:02x}00", "error": "UnknownMessage"})
    for name, message in declared.messages.items():
        payload = encode_sample(declared, name)
        refused.append({"payload": payload[:-1].hex(), "error": "WrongSize"})
        refused.append({"payload": payload.hex() + "00", "error": "WrongSize"})
        at = 1
        for field in message.fields:
            if field.type not in ("u8", "u16", "u32") and field.type not in declared.enums:
                break
            size = {"u8": 1, "u16": 2, "u32": 4}.get(field.type, 1)
            wrong = None
            if field.type in declared.enums:
                wrong = 0xFE
            elif field.min is not None:
                wrong = field.min - 1
            if wrong is not None:
                changed = payload[:at] + wrong.to_bytes(size, "big") + payload[at + size :]
                refused.append({"payload": changed.hex(), "error": "BadField"})
            at += size
    return refused


def _json(value: Any) -> str:
    if isinstance(value, list):
        rows = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in value)
        return f"[\n{rows}\n]\n"
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


# ---------------------------------------------------------------- tables


def _ids(declared: Declarations) -> list[str]:
    lines = ["| Id | Message | Direction | Frame | Sent by |", "|---|---|---|---|---|"]
    for name, message in declared.messages.items():
        frame = "DATA" if message.sequenced else "PLAIN"
        sent_by = ", ".join(message.kinds) if message.kinds else "host"
        if not message.kinds and message.direction != "host_to_device":
            sent_by = "all" if message.direction == "both" else "all devices"
        lines.append(
            f"| `0x{message.id:02X}` | [{name}](#{name}) | {_DIRECTIONS[message.direction]} | {frame} | {sent_by} |"
        )
    first, last = declared.forbidden.first, declared.forbidden.last
    lines.append(
        f"| `0x{first:02X}`–`0x{last:02X}` | **forbidden**: {declared.forbidden.reason} | none | | |"
    )
    return lines


def _messages(declared: Declarations) -> list[str]:
    lines = []
    for name, message in declared.messages.items():
        lines += [f"### {name}", "", *_message(declared, name, message), ""]
    lines += ["### Enums", ""]
    for name, enum in declared.enums.items():
        values = ", ".join(f"{code} {value}" for value, code in enum.values.items())
        lines += [f"- **{name}**: {enum.doc} {values}."]
    return lines


def _message(declared: Declarations, name: str, message: MessageDeclaration) -> list[str]:
    lines = [
        " ".join(message.doc.split()),
        "",
        "| Field | Type | Unit | Values | Meaning |",
        "|---|---|---|---|---|",
    ]
    lines.append(f"| id | u8 | | 0x{message.id:02X} | |")
    for field in message.fields:
        lines.append(f"| {field.name} | {field.type} | {field.unit} | {_values(field)} | {field.doc} |")
    payload = encode_sample(declared, name).hex(" ")
    lines += ["", f"Sample: `{payload}`"]
    return lines


def _values(field: FieldDeclaration) -> str:
    if field.is_int:
        return f"{field.low}–{field.high}"
    return {
        "text": f"up to {field.high} characters",
        "uids": f"up to {field.high}",
        "uid": "4–10 bytes",
        "bytes16": "16 bytes",
    }.get(field.type, "")


def _worked(declared: Declarations) -> list[str]:
    lines = ["```text"]
    for title, frame in _frames(declared):
        parts = [frame["kind"]]
        if frame["kind"] != "PLAIN":
            parts.append(f"session {frame['session']}")
        if frame["kind"] == "DATA":
            parts.append(f"seq {frame['seq']}")
        if frame["kind"] in ("DATA", "ACK", "NAK"):
            parts.append(f"ack {frame['ack']}")
        name = "" if title in _KINDS else f"  {title}"
        lines += [f"# {' '.join(parts)}{name}", bytes.fromhex(frame["frame"]).hex(" ")]
    return [*lines, "```"]
