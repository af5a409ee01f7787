"""The messages of the wire protocol: their values, and :func:`encode` and :func:`decode`."""

from __future__ import annotations

from firmware_protocol.errors import EmptyMessage, ForbiddenMessage, UnknownMessage
from firmware_protocol.message_codec import (
    BY_KIND,
    DECODERS,
    ENCODERS,
    FROM_DEVICE,
    FROM_HOST,
    NAMES,
    UNSEQUENCED,
    WITH_UIDS,
)
from firmware_protocol.message_types import (
    FORBIDDEN_FIRST,
    FORBIDDEN_LAST,
    MAJOR,
    MINOR,
    DeviceKind,
    Heartbeat,
    Identify,
    IdentifyRequest,
    Inventory,
    InventoryDone,
    InventoryRequest,
    LogText,
    Message,
    Overflow,
    ScanFailed,
    ScanFailure,
    SecureAnswer,
    SecureChallenge,
    SecureReady,
    ShoeExit,
    ShoeFace,
    ShoeState,
    ShoeStatus,
    ShufflerResult,
    ShufflerState,
    ShufflerStatus,
    ShufflerVerdict,
    TagArrived,
    TagLeft,
)

__all__ = [
    "ALL_ANTENNAS",
    "BY_KIND",
    "FORBIDDEN_FIRST",
    "FORBIDDEN_LAST",
    "FROM_DEVICE",
    "FROM_HOST",
    "MAJOR",
    "MINOR",
    "NAMES",
    "UNSEQUENCED",
    "WITH_UIDS",
    "DeviceKind",
    "Heartbeat",
    "Identify",
    "IdentifyRequest",
    "Inventory",
    "InventoryDone",
    "InventoryRequest",
    "LogText",
    "Message",
    "Overflow",
    "ScanFailed",
    "ScanFailure",
    "SecureAnswer",
    "SecureChallenge",
    "SecureReady",
    "ShoeExit",
    "ShoeFace",
    "ShoeState",
    "ShoeStatus",
    "ShufflerResult",
    "ShufflerState",
    "ShufflerStatus",
    "ShufflerVerdict",
    "TagArrived",
    "TagLeft",
    "decode",
    "encode",
    "is_forbidden",
]

ALL_ANTENNAS = 255
"""The antenna of an inventory request that means all of them."""


def encode(message: Message) -> bytes:
    """The bytes of ``message``, its id first; raise :class:`~firmware_protocol.errors.BadField`."""
    return ENCODERS[type(message)](message)


def decode(payload: bytes) -> Message:
    """The message in ``payload``; raise a :class:`~firmware_protocol.errors.ProtocolError`, and nothing else."""
    if not payload:
        raise EmptyMessage
    decoder = DECODERS.get(payload[0])
    if decoder is None:
        if is_forbidden(payload[0]):
            raise ForbiddenMessage(payload[0], len(payload))
        raise UnknownMessage(payload[0], len(payload))
    return decoder(payload)


def is_forbidden(message_id: int) -> bool:
    """Whether ``message_id`` is one of those that carry card order elsewhere and never here."""
    return FORBIDDEN_FIRST <= message_id <= FORBIDDEN_LAST
