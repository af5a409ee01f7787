"""Families of serial readers, and the keys that only one of them has: a table each in a device's entry, ``feig = { … }``."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Family = Literal["own", "eccel", "feig", "pn532", "ascii_uid"]
"""Whose protocol a serial device speaks; ``own`` is the one of our own devices (firmware_protocol)."""

Parity = Literal["none", "even", "odd"]
Address = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^(|[0-9]{1,3}(\.[0-9]{1,3}){3}:[0-9]{1,5})\Z",
        description='an IPv4 address and a port, as "192.168.1.20:1234"',
    ),
]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=2000)]
AnswerMs = Annotated[int, msgspec.Meta(ge=20, le=5000)]


class EccelKeys(msgspec.Struct, frozen=True, kw_only=True):
    """Eccel Pepper C1 and Pepper C1 MUX.

    ``dwell_ms``: how long after an antenna was switched on its tags are asked for. ``answer_ms``: how long an answer may take.
    ``tries``: how often a request is sent before its scan has failed. ``polling_ms``: how often the reader looks by itself and calls
    the host when a tag comes; 0: it is asked all the time, as one with several antennas must be.
    """

    dwell_ms: Milliseconds = 10
    answer_ms: AnswerMs = 150
    tries: Annotated[int, msgspec.Meta(ge=1, le=10)] = 3
    polling_ms: Milliseconds = 0


class FeigKeys(msgspec.Struct, frozen=True, kw_only=True):
    """FEIG OBID i-scan in ISO host mode.

    ``bus_address``: the reader's COM-ADR; 255 is any. ``frames``: which form of frame is spoken. ``crc_order``: which byte of the check
    is sent first. ``parity``: of the serial line. ``multiplexer``: whether antennas are channels of an antenna multiplexer, selected
    one after the other; without, the reader has one antenna, number 1. ``multiplexer_address``: its own. ``settle_ms``: how long
    after a channel was selected its tags are asked for. ``reset_every_ms``: how often at least an antenna's field is reset so that
    tags which were set quiet answer again; 0: for every scan. ``answer_ms``: how long an answer may take. ``tries``: how often a
    request is sent before its scan has failed.
    """

    bus_address: Annotated[int, msgspec.Meta(ge=0, le=255)] = 255
    frames: Literal["standard", "advanced"] = "standard"
    crc_order: Literal["low_first", "high_first"] = "low_first"
    parity: Parity = "even"
    multiplexer: bool = False
    multiplexer_address: Annotated[int, msgspec.Meta(ge=0, le=255)] = 0
    settle_ms: Milliseconds = 20
    reset_every_ms: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 2000
    answer_ms: AnswerMs = 300
    tries: Annotated[int, msgspec.Meta(ge=1, le=10)] = 3


class Pn532Keys(msgspec.Struct, frozen=True, kw_only=True):
    """NXP PN532 on its serial line (HSU).

    ``answer_ms``: how long an answer may take after its request was acknowledged. ``tries``: how often a request is sent before its
    scan has failed. ``field_off_ms``: how long the field is off between two scans, so that halted tags answer again (ISO 14443-3 asks
    for 5). ``activation_retries``: how often the reader looks for a tag before it says that there is none.
    """

    answer_ms: AnswerMs = 200
    tries: Annotated[int, msgspec.Meta(ge=1, le=10)] = 3
    field_off_ms: Annotated[int, msgspec.Meta(ge=0, le=200)] = 6
    activation_retries: Annotated[int, msgspec.Meta(ge=0, le=254)] = 1


class AsciiKeys(msgspec.Struct, frozen=True, kw_only=True):
    """Readers that write UIDs as lines of text.

    ``line``: a regular expression that a whole line fits, with the groups ``uid``, and where lines have them ``antenna`` (a number) and
    ``event``. ``lines``: how many with the same UID make a card; more than one only where a line is repeated while a card lies there.
    ``absent_ms``: how long without one until it is gone; 0: never by itself. ``single``: a card takes the place of the one before.
    ``gone``: what ``event`` says, in any case of letters, when a card has left; without a UID: when all have. ``scan_ms``: how often
    what lies there is told. ``max_line_bytes``: longer lines are dropped.
    """

    line: Annotated[str, msgspec.Meta(min_length=1)] = (
        r"(?P<uid>[0-9A-Fa-f]{1,2}(?:[ :]?[0-9A-Fa-f]{1,2}){3,9})"
    )
    lines: Annotated[int, msgspec.Meta(ge=1, le=10)] = 2
    absent_ms: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 1500
    single: bool = False
    gone: tuple[Annotated[str, msgspec.Meta(min_length=1, max_length=40)], ...] = ("removed", "gone")
    scan_ms: Annotated[int, msgspec.Meta(ge=50, le=2000)] = 200
    max_line_bytes: Annotated[int, msgspec.Meta(ge=8, le=1000)] = 120
