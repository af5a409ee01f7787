"""The C of the messages: ``c/tp_messages.h`` and ``c/tp_messages.c``, for firmware.

Structs with room for the longest value, and for each message a writer and a reader. Both refuse whatever the declaration does not allow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from firmware_protocol.declarations import (
    INT_BYTES,
    MAX_MESSAGE,
    Declarations,
    FieldDeclaration,
    MessageDeclaration,
)
from firmware_protocol.wire import MAX_UID, MIN_UID

_MADE: Final = "/* Made from messages.toml by firmware_protocol.generate; do not edit. */"
_INDENT: Final = "    "
_C_INTS: Final = {"u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t"}
_WIDTH: Final = 118


def header_source(declared: Declarations) -> str:
    """``tp_messages.h``: enums, Structs, declarations."""
    lines = [
        _MADE,
        "#ifndef TP_MESSAGES_H",
        "#define TP_MESSAGES_H",
        "",
        "#include <stdbool.h>",
        "#include <stddef.h>",
        "#include <stdint.h>",
        "",
        f"#define TP_MAJOR {declared.protocol.major}u",
        f"#define TP_MINOR {declared.protocol.minor}u",
        f"#define TP_MAX_MESSAGE {MAX_MESSAGE}u /* bytes of a message, its id included */",
        f"#define TP_MIN_UID {MIN_UID}u",
        f"#define TP_MAX_UID {MAX_UID}u",
        "/* Ids that no message has: the order of cards is never sent. */",
        f"#define TP_FORBIDDEN_FIRST 0x{declared.forbidden.first:02X}u",
        f"#define TP_FORBIDDEN_LAST 0x{declared.forbidden.last:02X}u",
        "",
        "/* The most significant byte first, whatever order the reader chip has. */",
        "typedef struct {",
        f"{_INDENT}uint8_t size;",
        f"{_INDENT}uint8_t bytes[TP_MAX_UID];",
        "} tp_uid;",
    ]
    for name, enum in declared.enums.items():
        lines += ["", *_comment(enum.doc), "typedef enum {"]
        lines += [f"{_INDENT}TP_{name}_{value} = {code},".upper() for value, code in enum.values.items()]
        lines[-1] = lines[-1].removesuffix(",")
        lines += [f"}} tp_{name};"]
    lines += ["", "enum {"]
    lines += [
        f"{_INDENT}TP_ID_{name.upper()} = 0x{message.id:02X}," for name, message in declared.messages.items()
    ]
    lines[-1] = lines[-1].removesuffix(",")
    lines += ["};"]
    for name, message in declared.messages.items():
        lines += ["", *_comment(message.doc), "typedef struct {"]
        for field in message.fields:
            lines += [_INDENT + line for line in _members(declared, field)]
        lines += [f"}} tp_{name};"]
    lines += [
        "",
        *_comment(
            "Write a message to `out`, which has TP_MAX_MESSAGE bytes; the size, or 0 when a value is not as declared."
        ),
    ]
    lines += [
        f"size_t tp_write_{name}(const tp_{name} *message, uint8_t *out);" for name in declared.messages
    ]
    last = list(declared.messages)[-1]
    lines += ["", "/* DO(name) for every message. */", "#define TP_EACH_MESSAGE(DO) \\"]
    lines += [f"{_INDENT}DO({name})" + (" \\" if name != last else "") for name in declared.messages]
    lines += ["", *_comment("Read a message, its id first; false when it is not as declared.")]
    lines += [
        f"bool tp_read_{name}(const uint8_t *data, size_t size, tp_{name} *message);"
        for name in declared.messages
    ]
    lines += [
        "",
        "/* Whether this version has a message with this id. */",
        "bool tp_known(uint8_t id);",
        "/* Whether a card can be told from a message with this id. */",
        "bool tp_carries_uid(uint8_t id);",
        "/* Whether a message with this id goes in numbered frames. */",
        "bool tp_sequenced(uint8_t id);",
        "/* Whether a device of this kind sends messages with this id. */",
        "bool tp_sent_by(uint8_t id, tp_device_kind kind);",
        "",
        "#endif",
        "",
    ]
    return "\n".join(lines)


def code_source(declared: Declarations) -> str:
    """``tp_messages.c``."""
    lines = [_MADE, '#include "tp_messages.h"', "", '#include "tp_wire.h"', ""]
    for name, enum in declared.enums.items():
        codes = " || ".join(f"code == {code}u" for code in enum.values.values())
        lines += [f"static bool is_{name}(unsigned code)", "{", f"{_INDENT}return {codes};", "}", ""]
    for name, message in declared.messages.items():
        lines += [*_writer(name, message), "", *_reader(name, message), ""]
    messages = declared.messages.items()
    lines += _predicate("tp_known", [message for _, message in messages])
    lines += _predicate("tp_carries_uid", [message for _, message in messages if message.carries_uid])
    lines += _predicate("tp_sequenced", [message for _, message in messages if message.sequenced])
    lines += [
        "bool tp_sent_by(uint8_t id, tp_device_kind kind)",
        "{",
        f"{_INDENT}switch (id) {{",
    ]
    for name, message in messages:
        if message.direction == "host_to_device":
            continue
        kinds = [f"kind == TP_DEVICE_KIND_{kind.upper()}" for kind in message.kinds]
        lines += [
            f"{_INDENT}case TP_ID_{name.upper()}:",
            f"{_INDENT * 2}return {' || '.join(kinds) or 'true'};",
        ]
    lines += [f"{_INDENT}default:", f"{_INDENT * 2}return false;", f"{_INDENT}}}", "}", ""]
    return "\n".join(lines)


def _predicate(name: str, messages: list[MessageDeclaration]) -> list[str]:
    return [
        f"bool {name}(uint8_t id)",
        "{",
        f"{_INDENT}switch (id) {{",
        *[f"{_INDENT}case 0x{message.id:02X}:" for message in messages],
        f"{_INDENT * 2}return true;",
        f"{_INDENT}default:",
        f"{_INDENT * 2}return false;",
        f"{_INDENT}}}",
        "}",
        "",
    ]


def _members(declared: Declarations, field: FieldDeclaration) -> Iterator[str]:
    """The member, or members, of a field."""
    note = " ".join(part for part in (field.doc, f"[{field.unit}]" if field.unit else "") if part)
    comment = f" /* {note} */" if note else ""
    if field.is_int:
        yield f"{_C_INTS[field.type]} {field.name};{comment}"
    elif field.type == "text":
        yield f"char {field.name}[{field.high + 1}];{comment or ' /* printable ASCII, closed by a zero */'}"
    elif field.type == "bytes16":
        yield f"uint8_t {field.name}[16];{comment}"
    elif field.type == "uid":
        yield f"tp_uid {field.name};{comment}"
    elif field.type == "uids":
        yield f"uint8_t {field.name}_count;"
        yield f"tp_uid {field.name}[{field.high}];{comment}"
    else:
        yield f"tp_{field.type} {field.name};{comment}"


def _writer(name: str, message: MessageDeclaration) -> list[str]:
    lines = [
        f"size_t tp_write_{name}(const tp_{name} *message, uint8_t *out)",
        "{",
        f"{_INDENT}tp_writer writer = {{0, 0, true}};",
        f"{_INDENT}writer.out = out;",
        f"{_INDENT}tp_put_u8(&writer, 0x{message.id:02X});",
    ]
    for field in message.fields:
        value = f"message->{field.name}"
        if field.is_int:
            lines += _checked("writer", field, value)
            lines += [f"{_INDENT}tp_put_{field.type}(&writer, {value});"]
        elif field.type == "text":
            lines += [f"{_INDENT}tp_put_text(&writer, {value}, {field.high}u);"]
        elif field.type == "bytes16":
            lines += [f"{_INDENT}tp_put_bytes16(&writer, {value});"]
        elif field.type == "uid":
            lines += [f"{_INDENT}tp_put_uid(&writer, &{value});"]
        elif field.type == "uids":
            lines += [f"{_INDENT}tp_put_uids(&writer, {value}, {value}_count, {field.high}u);"]
        else:
            lines += [
                f"{_INDENT}tp_require(&writer.ok, is_{field.type}((unsigned){value}));",
                f"{_INDENT}tp_put_u8(&writer, (uint8_t){value});",
            ]
    return [*lines, f"{_INDENT}return writer.ok ? writer.size : 0;", "}"]


def _reader(name: str, message: MessageDeclaration) -> list[str]:
    lines = [
        f"bool tp_read_{name}(const uint8_t *data, size_t size, tp_{name} *message)",
        "{",
        f"{_INDENT}tp_reader reader = {{0, 0, 0, true}};",
    ]
    if any(
        not field.is_int and field.type not in ("text", "bytes16", "uid", "uids") for field in message.fields
    ):
        lines += [f"{_INDENT}unsigned code;"]
    lines += [
        f"{_INDENT}reader.data = data;",
        f"{_INDENT}reader.size = size;",
        f"{_INDENT}tp_require(&reader.ok, tp_get_u8(&reader) == 0x{message.id:02X});",
    ]
    for field in message.fields:
        value = f"message->{field.name}"
        if field.is_int:
            lines += [f"{_INDENT}{value} = tp_get_{field.type}(&reader);"]
            lines += _checked("reader", field, value)
        elif field.type == "text":
            lines += [f"{_INDENT}tp_get_text(&reader, {value}, {field.high}u);"]
        elif field.type == "bytes16":
            lines += [f"{_INDENT}tp_get_bytes16(&reader, {value});"]
        elif field.type == "uid":
            lines += [f"{_INDENT}tp_get_uid(&reader, &{value});"]
        elif field.type == "uids":
            lines += [f"{_INDENT}{value}_count = tp_get_uids(&reader, {value}, {field.high}u);"]
        else:
            lines += [
                f"{_INDENT}code = tp_get_u8(&reader);",
                f"{_INDENT}tp_require(&reader.ok, is_{field.type}(code));",
                f"{_INDENT}{value} = (tp_{field.type})code;",
            ]
    return [*lines, f"{_INDENT}return reader.ok && reader.at == size;", "}"]


def _checked(by: str, field: FieldDeclaration, value: str) -> list[str]:
    """The line that requires a number to be as declared; none when its type says it all."""
    whole = (1 << 8 * INT_BYTES[field.type]) - 1
    parts = [f"{value} >= {field.low}u"] if field.low else []
    parts += [f"{value} <= {field.high}u"] if field.high < whole else []
    return [f"{_INDENT}tp_require(&{by}.ok, {' && '.join(parts)});"] if parts else []


def _comment(text: str) -> list[str]:
    """A comment, broken at the width of a line."""
    lines = ["/*"]
    for word in text.split():
        if len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append(" *")
        lines[-1] += f" {word}"
    lines[-1] += " */"
    return lines
