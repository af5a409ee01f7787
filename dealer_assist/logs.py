"""Logs for the people who run a table: what happened to the program and its devices. Never what happened to a card.

A line is a constant event name and fields from a list that is written here, each with its type. Anything else (a field that is not
listed, a value of another type, a text that could be a UID or a card) raises in tests; in production it is left out, counted, and
the line says how many were. Exceptions are logged by type and place: their texts may quote what they stumbled over. What
libraries say through ``logging`` is reduced to who said it.

Below debug lies ``traffic``: the frames of devices, with every UID, text and undecodable byte blanked.

The journal is not derived from logs, nor logs from the journal.
"""

from __future__ import annotations

import datetime as dt
import enum
import logging
import re
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import PurePath
from typing import Any, Final, Literal, Protocol, TextIO, cast

import msgspec
import structlog

Format = Literal["console", "json"]
Level = Literal["traffic", "debug", "info", "warning", "error"]

#: Below logging.DEBUG (10): frames.
TRAFFIC: Final = 5
LEVELS: Final[Mapping[str, int]] = {"traffic": TRAFFIC, "debug": 10, "info": 20, "warning": 30, "error": 40}

_EVENT = re.compile(r"[a-z][a-z0-9_]{0,59}\Z")
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_.:\-]{0,63}\Z")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:\-]{0,63}\Z")
_PLACE = re.compile(r"[A-Za-z0-9_./\-]{1,120}:[0-9]{1,6}\Z")
#: Four bytes of hex or more: a tag's UID looks like this, no code of ours does.
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}[:\-. ]?){4,}\Z")
_FACE = re.compile(r"(?:10|[2-9TJQKA])[cdhsCDHS♠♥♦♣]\Z")
#: In the description of a frame: a number too long for a time, or hex of four bytes and more. Its numbers are decimal.
_UID_IN_FRAME = re.compile(r"\b(?:[0-9]{11,}|(?=[0-9]*[A-Fa-f])[0-9A-Fa-f]{8,})\b")
_MAX_TEXT: Final = 200
_MAX_FRAMES: Final = 64
#: A UID of seven bytes read as a number is larger; no count or time of ours is.
_MAX_NUMBER: Final = 2**47


class FieldRefused(ValueError):
    """A log call with a field that is not allowed. Carries the event and the field's name, never its value."""

    def __init__(self, event: str, field: str) -> None:
        self.event = event
        self.field = field
        super().__init__(
            f"log event {event!r}: field {field!r} is not on the list of logs.FIELDS, or its value is not allowed"
        )


class Frame(msgspec.Struct, frozen=True):
    """A frame of a device as it may be logged; made by :func:`frame` and :func:`noise` only."""

    text: str


def frame(message: msgspec.Struct) -> Frame:
    """A decoded message with its numbers and enumerations; every byte string and every text is blanked to its length."""
    shown = (f"{name}={_blanked(getattr(message, name))}" for name in message.__struct_fields__)
    return Frame(" ".join((type(message).__name__, *shown)))


def noise(content: bytes) -> Frame:
    """Bytes that could not be decoded: only how many. They may hold a UID as well as anything."""
    return Frame(f"undecodable <{len(content)} bytes>")


def _blanked(value: object) -> str:
    match value:
        case enum.Enum():
            return str(value.value)
        case bool() | int() | None:
            return str(value)
        case bytes():
            return f"<{len(value)} bytes>"
        case str():
            return f"<{len(value)} characters>"
        case tuple() | list():
            return "[" + ", ".join(map(_blanked, value)) + "]"
        case _:
            return f"<{type(value).__name__}>"


def failure(error: BaseException) -> dict[str, str]:
    """The fields ``error`` and ``where`` of an exception: its type, and the file and line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    fields = {"error": type(error).__name__}
    if frames:
        last = frames[-1]
        fields["where"] = f"{'/'.join(PurePath(last.filename).parts[-2:])}:{last.lineno}"
    return fields


def guard_unhandled() -> None:
    """From here on an exception that nobody caught, on any thread, is logged by type and place; Python would print its text."""

    def tell(error: BaseException | None) -> None:
        get("process").error("unhandled", **failure(error or RuntimeError()))

    sys.excepthook = lambda _kind, error, _traceback: tell(error)
    threading.excepthook = lambda args: tell(args.exc_value)
    sys.unraisablehook = lambda args: tell(args.exc_value)


# ---------------------------------------------------------------- what a field may hold


def _is_code(value: object) -> bool:
    """A word of the program: a state, a reason, a rule. Nothing that could be a UID or a card."""
    if value == "":
        return True
    return (
        isinstance(value, str)
        and _CODE.match(value) is not None
        and _HEX.match(value) is None
        and _FACE.match(value) is None
    )


def _is_id(value: object) -> bool:
    """What a person named: a device, a hand. It may be digits, as serial numbers are."""
    return isinstance(value, str) and _ID.match(value) is not None and _FACE.match(value) is None


def _is_text(value: object) -> bool:
    """A short printable text from the configuration: the table's name, a file's path."""
    return (
        isinstance(value, str)
        and len(value) <= _MAX_TEXT
        and value.isprintable()
        and _HEX.match(value) is None
        and _FACE.match(value) is None
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MAX_NUMBER


def _is_counters(value: object) -> bool:
    return isinstance(value, dict) and all(
        _is_code(name) and _is_number(count) for name, count in value.items()
    )


def _is_frames(value: object) -> bool:
    """Descriptions of the last frames, made by the driver, which leaves UIDs and texts out."""
    return (
        isinstance(value, list | tuple)
        and len(value) <= _MAX_FRAMES
        and all(
            isinstance(line, str)
            and len(line) <= _MAX_TEXT
            and line.isprintable()
            and _UID_IN_FRAME.search(line) is None
            for line in value
        )
    )


_Check = Callable[[object], bool]

#: Every field that a log line may have, and what it may hold.
FIELDS: Final[Mapping[str, _Check]] = {
    # who and where
    "table": _is_text,
    "device": _is_id,
    "role": _is_code,
    "zone": _is_code,
    "antenna": _is_number,
    "seat": _is_number,
    "hand": _is_id,
    "actor": _is_code,
    "client": _is_number,
    "thread": _is_code,
    "library": _is_code,
    # what
    "state": _is_code,
    "detail": _is_code,
    "reason": _is_code,
    "what": _is_code,
    "kind": _is_code,
    "rule": _is_code,
    "command": _is_code,
    "code": _is_code,
    "error": _is_code,
    "where": lambda value: isinstance(value, str) and _PLACE.match(value) is not None,
    "ok": lambda value: isinstance(value, bool),
    "simulated": lambda value: isinstance(value, bool),
    # how much, how long, which
    "count": _is_number,
    "counters": _is_counters,
    "size": _is_number,
    "seq": _is_number,
    "row": _is_number,
    "scan": _is_number,
    "message_id": _is_number,
    "attempt": _is_number,
    "version": lambda value: _is_number(value) or _is_id(value),
    "t_ms": _is_number,
    "duration_ms": _is_number,
    "timeout_s": _is_number,
    "speed": _is_number,
    "pid": _is_number,
    "signal": _is_number,
    "exit_code": _is_number,
    # things on the disk
    "path": _is_text,
    "port": _is_text,
    "socket": _is_text,
    # frames
    "direction": lambda value: value in ("in", "out"),
    "frame": lambda value: isinstance(value, Frame),
    "frames": _is_frames,
}


class Refusals:
    """How many fields and events were left out since the start, in production. Safe on any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0

    def add(self, count: int) -> None:
        """Count some more."""
        with self._lock:
            self._count += count

    @property
    def count(self) -> int:
        """How many so far."""
        return self._count


refusals: Final = Refusals()


class Logger(Protocol):
    """What :func:`get` gives. ``event`` is written out at the call, never put together."""

    def traffic(self, event: str, /, **fields: Any) -> None:
        """Log a frame."""

    def debug(self, event: str, /, **fields: Any) -> None:
        """Log what only a developer asks for."""

    def info(self, event: str, /, **fields: Any) -> None:
        """Log what happened as it should."""

    def warning(self, event: str, /, **fields: Any) -> None:
        """Log what someone should look at some day."""

    def error(self, event: str, /, **fields: Any) -> None:
        """Log what someone must look at."""

    def bind(self, **fields: Any) -> Logger:
        """A logger that adds ``fields`` to every line."""


def get(name: str) -> Logger:
    """The logger of a part of the product: "devices", "journal"."""
    if not structlog.is_configured():
        # Before a program has said where its logs go, warnings go to standard error: standard output is for results.
        configure("console", "warning")
    return cast("Logger", structlog.get_logger(name))


def configure(
    form: Format,
    level: Level,
    *,
    strict: bool = False,
    stream: TextIO | None = None,
    now: Callable[[], str] | None = None,
) -> None:
    """Say how this process logs, to standard error unless told otherwise.

    ``strict``: a field that is not allowed raises :class:`FieldRefused` instead of being left out. ``now`` gives the time of a
    line as text; by default the wall clock in UTC.
    """
    threshold = LEVELS[level]
    render = _as_json if form == "json" else _as_console
    structlog.configure(
        processors=[_Guard(strict=strict), _Stamp(now or _wall_clock), render],
        wrapper_class=_bound_logger(threshold),
        logger_factory=lambda *names: _Output(str(names[0]) if names else "", stream),
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if isinstance(handler, _Libraries)]:
        root.removeHandler(handler)
    root.addHandler(_Libraries(max(threshold, logging.INFO)))


def _bound_logger(threshold: int) -> type[Any]:
    base = structlog.make_filtering_bound_logger(max(threshold, logging.DEBUG))

    class Bound(base):  # type: ignore[misc, valid-type] # made at run time, as structlog documents it
        """The level below debug, which structlog does not know."""

        def traffic(self, event: str, **fields: Any) -> Any:
            return self._proxy_to_logger("traffic", event, **fields) if threshold <= TRAFFIC else None

    return Bound


class _Output:
    """One line a call. The stream is looked up at each, so that a redirected standard error is honoured."""

    def __init__(self, name: str, stream: TextIO | None) -> None:
        self.name = name
        self._stream = stream

    def _write(self, line: str) -> None:
        stream = self._stream if self._stream is not None else sys.stderr
        try:
            stream.write(line + "\n")
            stream.flush()
        except (OSError, ValueError):
            # A log that cannot be written must not stop a table; there is nowhere left to say so.
            refusals.add(1)

    traffic = debug = info = warning = error = critical = exception = msg = _write


_EventDict = MutableMapping[str, Any]


class _Guard:
    """Lets through what :data:`FIELDS` allows."""

    def __init__(self, *, strict: bool) -> None:
        self._strict = strict

    def __call__(self, logger: _Output, method: str, fields: _EventDict) -> _EventDict:
        event = fields.pop("event", "")
        if not isinstance(event, str) or _EVENT.match(event) is None:
            if self._strict:
                raise FieldRefused("", "event")
            refusals.add(1)
            event = "event_refused"
        out: dict[str, Any] = {"level": method, "logger": logger.name, "event": event}
        error = fields.pop("exc_info", None)
        if error is True:
            error = sys.exc_info()[1]
        if isinstance(error, BaseException):
            fields = {**failure(error), **fields}
        refused = 0
        for name, value in fields.items():
            check = FIELDS.get(name)
            if check is not None and (value is None or check(value)):
                out[name] = value.text if isinstance(value, Frame) else value
            elif self._strict:
                raise FieldRefused(event, name)
            else:
                refused += 1
        if refused:
            refusals.add(refused)
            out["refused"] = refused
        return out


class _Stamp:
    def __init__(self, now: Callable[[], str]) -> None:
        self._now = now

    def __call__(self, logger: _Output, method: str, fields: _EventDict) -> _EventDict:
        return {"time": self._now(), **fields}


def _wall_clock() -> str:
    now = dt.datetime.now(dt.UTC)  # noqa: TID251 - the one place where log lines get their time
    return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _as_json(logger: _Output, method: str, fields: _EventDict) -> str:
    return msgspec.json.encode(fields).decode()


def _as_console(logger: _Output, method: str, fields: _EventDict) -> str:
    rest = " ".join(
        f"{name}={value}"
        for name, value in fields.items()
        if name not in {"time", "level", "logger", "event"}
    )
    return f"{fields['time']} {method.upper():7} {fields['logger']:10} {fields['event']} {rest}".rstrip()


class _Libraries(logging.Handler):
    """What libraries say: who, and how loud. Their texts are theirs, and may hold what they were given."""

    def emit(self, record: logging.LogRecord) -> None:
        name = max((level for level in LEVELS if LEVELS[level] <= record.levelno), key=LEVELS.__getitem__)
        library = record.name if _is_code(record.name) else "unknown"
        fields: dict[str, Any] = {"library": library}
        if record.exc_info and record.exc_info[1] is not None:
            fields |= failure(record.exc_info[1])
        getattr(get("library"), name)("library_message", **fields)
