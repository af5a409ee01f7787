"""The Python of the messages: ``message_types.py`` and ``message_codec.py``, as the formatter would leave it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from firmware_protocol.declarations import Declarations, FieldDeclaration, MessageDeclaration, camel

_WIDTH: Final = 110
_DOC_WIDTH: Final = 106
_INDENT: Final = "    "
_FORMATS: Final = {"u8": "B", "u16": "H", "u32": "I"}
_ANNOTATIONS: Final = {
    "u8": "int",
    "u16": "int",
    "u32": "int",
    "bytes16": "bytes",
    "text": "str",
    "uid": "bytes",
    "uids": "tuple[bytes, ...]",
}
#: Read and written by functions of the module wire.
_OF_ANY_SIZE: Final = ("bytes16", "text", "uid", "uids")
_MADE: Final = "Made from messages.toml by firmware_protocol.generate; do not edit."


def types_source(declared: Declarations) -> str:
    """``message_types.py``: enums and Structs."""
    lines = [
        '"""The messages of the wire protocol as values.',
        "",
        _MADE,
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "import enum",
        "from typing import Final",
        "",
        "import msgspec",
        "",
        f"MAJOR: Final = {declared.protocol.major}",
        f"MINOR: Final = {declared.protocol.minor}",
        f"FORBIDDEN_FIRST: Final = 0x{declared.forbidden.first:02X}",
        f"FORBIDDEN_LAST: Final = 0x{declared.forbidden.last:02X}",
    ]
    for name, enum in declared.enums.items():
        lines += ["", "", f"class {camel(name)}(enum.StrEnum):", *_docstring(enum.doc), ""]
        lines += [f'{_INDENT}{value.upper()} = "{value}"' for value in enum.values]
    for name, message in declared.messages.items():
        lines += _struct(name, message)
    lines += ["", "", "Message = ("]
    classes = [camel(name) for name in declared.messages]
    lines += [f"{_INDENT}{'| ' if index else ''}{name}" for index, name in enumerate(classes)]
    lines += [")"]
    return "\n".join(lines) + "\n"


def codec_source(declared: Declarations) -> str:
    """``message_codec.py``: how each message becomes bytes and back."""
    names = list(declared.messages)
    lines = [
        '"""The messages of the wire protocol as bytes. Each message begins with its id.',
        "",
        _MADE,
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "import struct",
        "from collections.abc import Callable, Mapping",
        "from typing import Any, Final",
        "",
        "from firmware_protocol.errors import BadField, WrongSize",
        "from firmware_protocol.message_types import (",
        *[
            f"{_INDENT}{name},"
            for name in sorted([*map(camel, declared.enums), *map(camel, names), "Message"])
        ],
        ")",
        "from firmware_protocol.wire import (",
        *[f"{_INDENT}{verb}_{kind}," for verb in ("read", "write") for kind in _OF_ANY_SIZE],
        ")",
        "",
    ]
    for name, enum in declared.enums.items():
        lines += [f"_{name.upper()}: Final = {{"]
        lines += [f"{_INDENT}{code}: {camel(name)}.{value.upper()}," for value, code in enum.values.items()]
        lines += [
            "}",
            f"_{name.upper()}_CODES: Final = {{value: code for code, value in _{name.upper()}.items()}}",
        ]
    for name, message in declared.messages.items():
        for index, group in enumerate(_groups(message)):
            if isinstance(group, list):
                form = "".join(_FORMATS.get(field.type, "B") for field in group)
                lines += [f'_{name.upper()}_{index}: Final = struct.Struct(">{form}")']
    lines += ["_LIMITS: Final[Mapping[str, tuple[tuple[str, int, int], ...]]] = {"]
    for name, message in declared.messages.items():
        limits = [f'("{field.name}", {field.low}, {field.high}),' for field in message.fields if field.is_int]
        if len(limits) == 1:
            lines += [f'{_INDENT}"{name}": ({limits[0]}),']
        elif limits:
            lines += [f'{_INDENT}"{name}": (', *[_INDENT * 2 + limit for limit in limits], f"{_INDENT}),"]
    lines += [
        "}",
        "",
        "",
        "def _unfit(name: str, message: Message) -> BadField:",
        f'{_INDENT}"""Which number of ``message`` made it impossible to pack."""',
        f"{_INDENT}for field, low, high in _LIMITS[name]:",
        f"{_INDENT * 2}value = getattr(message, field)",
        f"{_INDENT * 2}if not isinstance(value, int) or not low <= value <= high:",
        f'{_INDENT * 3}return BadField(name, field, f"a whole number from {{low}} to {{high}}")',
        f'{_INDENT}return BadField(name, "?", "numbers that fit")',
    ]
    for name, message in declared.messages.items():
        lines += _encoder(name, message)
        lines += _decoder(declared, name, message)
    lines += ["", "", "ENCODERS: Final[Mapping[type, Callable[[Any], bytes]]] = {"]
    lines += [f"{_INDENT}{camel(name)}: _encode_{name}," for name in names]
    lines += ["}", "DECODERS: Final[Mapping[int, Callable[[bytes], Message]]] = {"]
    lines += [f"{_INDENT}0x{message.id:02X}: _decode_{name}," for name, message in declared.messages.items()]
    lines += ["}"]
    lines += ["NAMES: Final[Mapping[type, str]] = {"]
    lines += [f'{_INDENT}{camel(name)}: "{name}",' for name in names]
    lines += ["}"]
    lines += _set("FROM_HOST", [n for n, m in declared.messages.items() if m.direction != "device_to_host"])
    lines += _set("FROM_DEVICE", [n for n, m in declared.messages.items() if m.direction != "host_to_device"])
    lines += _set("UNSEQUENCED", [n for n, m in declared.messages.items() if not m.sequenced])
    lines += _set("WITH_UIDS", [n for n, m in declared.messages.items() if m.carries_uid])
    lines += ["BY_KIND: Final[Mapping[DeviceKind, frozenset[type]]] = {"]
    for kind in declared.enums["device_kind"].values:
        sent = [
            name
            for name, message in declared.messages.items()
            if message.direction != "host_to_device" and (not message.kinds or kind in message.kinds)
        ]
        lines += [f"{_INDENT}DeviceKind.{kind.upper()}: frozenset("]
        lines += [_INDENT * 2 + "{", *[f"{_INDENT * 3}{camel(name)}," for name in sent], _INDENT * 2 + "}"]
        lines += [f"{_INDENT}),"]
    lines += ["}"]
    return "\n".join(lines) + "\n"


def _set(name: str, members: Sequence[str]) -> list[str]:
    return [
        f"{name}: Final[frozenset[type]] = frozenset(",
        f"{_INDENT}{{",
        *[f"{_INDENT * 2}{camel(member)}," for member in members],
        f"{_INDENT}}}",
        ")",
    ]


def _docstring(doc: str) -> list[str]:
    """The first sentence is the summary, as the linter wants it."""
    text = " ".join(doc.split())
    summary, dot, rest = text.partition(". ")
    if not dot:
        return [f'{_INDENT}"""{summary}"""']
    return [
        f'{_INDENT}"""{summary}.',
        "",
        *textwrap.wrap(rest, _DOC_WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT),
        f'{_INDENT}"""',
    ]


def _struct(name: str, message: MessageDeclaration) -> list[str]:
    lines = ["", "", f'class {camel(name)}(msgspec.Struct, frozen=True, gc=False, tag="{name}"):']
    lines += [*_docstring(message.doc), ""]
    for field in message.fields:
        notes = [note for note in (field.unit, _range(field), field.doc) if note]
        if notes:
            lines += [f"{_INDENT}#: {'; '.join(notes)}"]
        default = "" if field.default is None else f" = {field.default}"
        lines += [f"{_INDENT}{field.name}: {_ANNOTATIONS.get(field.type) or camel(field.type)}{default}"]
    if message.carries_uid:
        lines += _repr(name, message)
    return lines


def _range(field: FieldDeclaration) -> str:
    if field.is_int and (field.min is not None or field.max is not None):
        return f"{field.low} to {field.high}"
    return {"text": f"at most {field.high} characters", "uids": f"at most {field.high}"}.get(field.type, "")


def _repr(name: str, message: MessageDeclaration) -> list[str]:
    """A repr that names no card."""
    shown = []
    for field in message.fields:
        if field.type == "uid":
            shown.append(f"{field.name}=<{{len(self.{field.name})}} bytes>")
        elif field.type == "uids":
            shown.append(f"{field.name}=<{{len(self.{field.name})}} UIDs>")
        else:
            shown.append(f"{field.name}={{self.{field.name}!r}}")
    middle = (len(shown) + 1) // 2
    first, second = ", ".join(shown[:middle]), ", ".join(shown[middle:])
    return [
        "",
        f"{_INDENT}def __repr__(self) -> str:",
        f"{_INDENT * 2}return (",
        f'{_INDENT * 3}f"{camel(name)}({first},"',
        f'{_INDENT * 3}f" {second})"',
        f"{_INDENT * 2})",
    ]


def _groups(message: MessageDeclaration) -> Iterator[list[FieldDeclaration] | FieldDeclaration]:
    """The fields in order, those of a fixed size that follow each other as one list."""
    group: list[FieldDeclaration] = []
    for field in message.fields:
        if field.type in _OF_ANY_SIZE:
            if group:
                yield group
            yield field
            group = []
        else:
            group.append(field)
    if group:
        yield group


def _encoder(name: str, message: MessageDeclaration) -> list[str]:
    lines = ["", "", f"def _encode_{name}(message: {camel(name)}) -> bytes:"]
    for field in message.fields:
        if field.is_int and (field.min is not None or field.max is not None):
            lines += _check(name, field, f"message.{field.name}", _INDENT)
    body, parts = [], [f'b"\\x{message.id:02x}"']
    has_int = any(field.is_int for field in message.fields)
    for index, group in enumerate(_groups(message)):
        if isinstance(group, list):
            arguments = [_packed(field) for field in group]
            body += _call(f"group_{index} = _{name.upper()}_{index}.pack(", arguments, _INDENT * 2)
            parts.append(f"group_{index}")
        else:
            limit = f", {group.high}" if group.type in ("text", "uids") else ""
            call = f'write_{group.type}(message.{group.name}{limit}, "{name}", "{group.name}")'
            parts.append(f"{group.name}")
            lines_target = f"{_INDENT}{group.name} = {call}"
            lines += [lines_target]
    if body:
        enums = [field for field in message.fields if field.type not in _ANNOTATIONS]
        lines += [f"{_INDENT}try:", *body]
        if has_int:
            lines += [
                f"{_INDENT}except struct.error:",
                f'{_INDENT * 2}raise _unfit("{name}", message) from None',
            ]
        if enums:
            expected = f"one of {camel(enums[0].type)}"
            lines += [
                f"{_INDENT}except KeyError:",
                f'{_INDENT * 2}raise BadField("{name}", "{enums[0].name}", "{expected}") from None',
            ]
    lines += [f"{_INDENT}return {' + '.join(parts)}"]
    return lines


def _packed(field: FieldDeclaration) -> str:
    value = f"message.{field.name}"
    return value if field.is_int else f"_{field.type.upper()}_CODES[{value}]"


def _decoder(declared: Declarations, name: str, message: MessageDeclaration) -> list[str]:
    lines = ["", "", f"def _decode_{name}(data: bytes) -> {camel(name)}:"]
    groups = list(_groups(message))
    at, fixed = "1", True
    checks: list[str] = []
    for index, group in enumerate(groups):
        if isinstance(group, list):
            size = sum({"H": 2, "I": 4}.get(_FORMATS.get(field.type, "B"), 1) for field in group)
            names = [field.name if field.is_int else f"{field.name}_code" for field in group]
            target = f"({names[0]},)" if len(names) == 1 else ", ".join(names)
            lines += [
                f"{_INDENT}try:",
                f"{_INDENT * 2}{target} = _{name.upper()}_{index}.unpack_from(data, {at})",
                f"{_INDENT}except struct.error:",
                f'{_INDENT * 2}raise WrongSize("{name}", len(data)) from None',
            ]
            at = str(int(at) + size) if fixed else f"at + {size}"
            for field in group:
                if field.is_int and (field.min is not None or field.max is not None):
                    checks += _check(name, field, field.name, _INDENT)
                elif not field.is_int:
                    table = f"_{field.type.upper()}"
                    checks += [
                        f"{_INDENT}{field.name} = {table}.get({field.name}_code)",
                        f"{_INDENT}if {field.name} is None:",
                        f'{_INDENT * 2}raise BadField("{name}", "{field.name}", "one of {camel(field.type)}")',
                    ]
        else:
            limit = f", {group.high}" if group.type in ("text", "uids") else ""
            reader = f'read_{group.type}(data, {at}{limit}, "{name}", "{group.name}")'
            lines += [f"{_INDENT}{group.name}, at = {reader}"]
            at, fixed = "at", False
    lines += [
        f"{_INDENT}if len(data) != {at}:",
        f'{_INDENT * 2}raise WrongSize("{name}", len(data))',
        *checks,
        *_call(f"return {camel(name)}(", [field.name for field in message.fields], _INDENT),
    ]
    return lines


def _check(name: str, field: FieldDeclaration, value: str, indent: str) -> list[str]:
    expected = f"a whole number from {field.low} to {field.high}"
    return [
        f"{indent}if not {field.low} <= {value} <= {field.high}:",
        f'{indent}{_INDENT}raise BadField("{name}", "{field.name}", "{expected}")',
    ]


def _call(opening: str, arguments: Sequence[str], indent: str) -> list[str]:
    """A call as the formatter breaks it: on one line, its arguments on one line, or one argument a line."""
    joined = ", ".join(arguments)
    if len(indent) + len(opening) + len(joined) + 1 <= _WIDTH:
        return [f"{indent}{opening}{joined})"]
    if len(indent) + len(_INDENT) + len(joined) <= _WIDTH:
        return [f"{indent}{opening}", f"{indent}{_INDENT}{joined}", f"{indent})"]
    return [f"{indent}{opening}", *[f"{indent}{_INDENT}{argument}," for argument in arguments], f"{indent})"]
