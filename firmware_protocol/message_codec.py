"""The messages of the wire protocol as bytes. Each message begins with its id.

Made from messages.toml by firmware_protocol.generate; do not edit.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any, Final

from firmware_protocol.errors import BadField, WrongSize
from firmware_protocol.message_types import (
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
from firmware_protocol.wire import (
    read_bytes16,
    read_text,
    read_uid,
    read_uids,
    write_bytes16,
    write_text,
    write_uid,
    write_uids,
)

_DEVICE_KIND: Final = {
    1: DeviceKind.READER,
    2: DeviceKind.SHUFFLER,
    3: DeviceKind.SHOE,
}
_DEVICE_KIND_CODES: Final = {value: code for code, value in _DEVICE_KIND.items()}
_SCAN_FAILURE: Final = {
    1: ScanFailure.COLLISION,
    2: ScanFailure.CRC,
    3: ScanFailure.TIMEOUT,
    4: ScanFailure.NO_FIELD,
    5: ScanFailure.OVERLOAD,
}
_SCAN_FAILURE_CODES: Final = {value: code for code, value in _SCAN_FAILURE.items()}
_SHUFFLER_STATUS: Final = {
    0: ShufflerStatus.IDLE,
    1: ShufflerStatus.LOADING,
    2: ShufflerStatus.SHUFFLING,
    3: ShufflerStatus.READY,
    4: ShufflerStatus.DELIVERED,
    5: ShufflerStatus.DOOR_OPEN,
    6: ShufflerStatus.JAM,
    7: ShufflerStatus.FAULT,
}
_SHUFFLER_STATUS_CODES: Final = {value: code for code, value in _SHUFFLER_STATUS.items()}
_SHUFFLER_RESULT: Final = {
    0: ShufflerResult.COMPLETE,
    1: ShufflerResult.SHORT,
    2: ShufflerResult.LONG,
    3: ShufflerResult.UNREADABLE,
    4: ShufflerResult.DUPLICATE,
}
_SHUFFLER_RESULT_CODES: Final = {value: code for code, value in _SHUFFLER_RESULT.items()}
_SHOE_STATUS: Final = {
    0: ShoeStatus.COUNTING,
    1: ShoeStatus.BLOCKED,
    2: ShoeStatus.OPEN,
    3: ShoeStatus.FAULT,
}
_SHOE_STATUS_CODES: Final = {value: code for code, value in _SHOE_STATUS.items()}
_SHOE_FACE: Final = {
    0: ShoeFace.UNKNOWN,
    1: ShoeFace.DOWN,
    2: ShoeFace.UP,
}
_SHOE_FACE_CODES: Final = {value: code for code, value in _SHOE_FACE.items()}
_IDENTIFY_REQUEST_0: Final = struct.Struct(">BBIIH")
_IDENTIFY_0: Final = struct.Struct(">BBIB")
_IDENTIFY_4: Final = struct.Struct(">BHI")
_HEARTBEAT_0: Final = struct.Struct(">IIH")
_SECURE_CHALLENGE_0: Final = struct.Struct(">IB")
_SECURE_ANSWER_0: Final = struct.Struct(">I")
_SECURE_READY_0: Final = struct.Struct(">I")
_INVENTORY_REQUEST_0: Final = struct.Struct(">HB")
_INVENTORY_0: Final = struct.Struct(">HBIIHBB")
_INVENTORY_DONE_0: Final = struct.Struct(">H")
_TAG_ARRIVED_0: Final = struct.Struct(">BIIH")
_TAG_LEFT_0: Final = struct.Struct(">BIIH")
_SCAN_FAILED_0: Final = struct.Struct(">BIIHB")
_SHUFFLER_STATE_0: Final = struct.Struct(">IB")
_SHUFFLER_VERDICT_0: Final = struct.Struct(">IBBB")
_SHOE_EXIT_0: Final = struct.Struct(">IIB")
_SHOE_STATE_0: Final = struct.Struct(">IBI")
_OVERFLOW_0: Final = struct.Struct(">HHH")
_LIMITS: Final[Mapping[str, tuple[tuple[str, int, int], ...]]] = {
    "identify_request": (
        ("major", 0, 255),
        ("minor", 0, 255),
        ("nonce", 1, 4294967295),
        ("last_nonce", 0, 4294967295),
        ("last_seq", 0, 65535),
    ),
    "identify": (
        ("major", 0, 255),
        ("minor", 0, 255),
        ("boot_id", 0, 4294967295),
        ("antennas", 0, 254),
        ("scan_period_ms", 0, 65535),
        ("nonce", 0, 4294967295),
    ),
    "heartbeat": (
        ("uptime_ms", 0, 4294967295),
        ("boot_id", 0, 4294967295),
        ("last_seq", 0, 65535),
    ),
    "secure_challenge": (
        ("nonce", 1, 4294967295),
        ("key_id", 1, 255),
    ),
    "secure_answer": (("nonce", 1, 4294967295),),
    "secure_ready": (("nonce", 1, 4294967295),),
    "inventory_request": (
        ("request_id", 1, 65535),
        ("antenna", 1, 255),
    ),
    "inventory": (
        ("request_id", 0, 65535),
        ("antenna", 1, 254),
        ("t_ms", 0, 4294967295),
        ("scan", 0, 4294967295),
        ("scan_period_ms", 0, 65535),
        ("part", 1, 255),
        ("parts", 1, 255),
    ),
    "inventory_done": (("request_id", 1, 65535),),
    "tag_arrived": (
        ("antenna", 1, 254),
        ("t_ms", 0, 4294967295),
        ("scan", 0, 4294967295),
        ("scan_period_ms", 0, 65535),
    ),
    "tag_left": (
        ("antenna", 1, 254),
        ("t_ms", 0, 4294967295),
        ("scan", 0, 4294967295),
        ("scan_period_ms", 0, 65535),
    ),
    "scan_failed": (
        ("antenna", 1, 254),
        ("t_ms", 0, 4294967295),
        ("scan", 0, 4294967295),
        ("scan_period_ms", 0, 65535),
    ),
    "shuffler_state": (("t_ms", 0, 4294967295),),
    "shuffler_verdict": (
        ("t_ms", 0, 4294967295),
        ("count", 0, 255),
        ("expected", 0, 255),
    ),
    "shoe_exit": (
        ("t_ms", 0, 4294967295),
        ("number", 1, 4294967295),
    ),
    "shoe_state": (
        ("t_ms", 0, 4294967295),
        ("exits", 0, 4294967295),
    ),
    "overflow": (
        ("first_seq", 0, 65535),
        ("last_seq", 0, 65535),
        ("lost", 1, 16384),
    ),
}


def _unfit(name: str, message: Message) -> BadField:
    """Which number of ``message`` made it impossible to pack."""
    for field, low, high in _LIMITS[name]:
        value = getattr(message, field)
        if not isinstance(value, int) or not low <= value <= high:
            return BadField(name, field, f"a whole number from {low} to {high}")
    return BadField(name, "?", "numbers that fit")


def _encode_identify_request(message: IdentifyRequest) -> bytes:
    if not 1 <= message.nonce <= 4294967295:
        raise BadField("identify_request", "nonce", "a whole number from 1 to 4294967295")
    try:
        group_0 = _IDENTIFY_REQUEST_0.pack(
            message.major, message.minor, message.nonce, message.last_nonce, message.last_seq
        )
    except struct.error:
        raise _unfit("identify_request", message) from None
    return b"\x01" + group_0


def _decode_identify_request(data: bytes) -> IdentifyRequest:
    try:
        major, minor, nonce, last_nonce, last_seq = _IDENTIFY_REQUEST_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("identify_request", len(data)) from None
    if len(data) != 13:
        raise WrongSize("identify_request", len(data))
    if not 1 <= nonce <= 4294967295:
        raise BadField("identify_request", "nonce", "a whole number from 1 to 4294967295")
    return IdentifyRequest(major, minor, nonce, last_nonce, last_seq)


def _encode_identify(message: Identify) -> bytes:
    if not 0 <= message.antennas <= 254:
        raise BadField("identify", "antennas", "a whole number from 0 to 254")
    model = write_text(message.model, 24, "identify", "model")
    serial = write_text(message.serial, 24, "identify", "serial")
    firmware = write_text(message.firmware, 24, "identify", "firmware")
    try:
        group_0 = _IDENTIFY_0.pack(
            message.major, message.minor, message.boot_id, _DEVICE_KIND_CODES[message.kind]
        )
        group_4 = _IDENTIFY_4.pack(message.antennas, message.scan_period_ms, message.nonce)
    except struct.error:
        raise _unfit("identify", message) from None
    except KeyError:
        raise BadField("identify", "kind", "one of DeviceKind") from None
    return b"\x02" + group_0 + model + serial + firmware + group_4


def _decode_identify(data: bytes) -> Identify:
    try:
        major, minor, boot_id, kind_code = _IDENTIFY_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("identify", len(data)) from None
    model, at = read_text(data, 8, 24, "identify", "model")
    serial, at = read_text(data, at, 24, "identify", "serial")
    firmware, at = read_text(data, at, 24, "identify", "firmware")
    try:
        antennas, scan_period_ms, nonce = _IDENTIFY_4.unpack_from(data, at)
    except struct.error:
        raise WrongSize("identify", len(data)) from None
    if len(data) != at + 7:
        raise WrongSize("identify", len(data))
    kind = _DEVICE_KIND.get(kind_code)
    if kind is None:
        raise BadField("identify", "kind", "one of DeviceKind")
    if not 0 <= antennas <= 254:
        raise BadField("identify", "antennas", "a whole number from 0 to 254")
    return Identify(major, minor, boot_id, kind, model, serial, firmware, antennas, scan_period_ms, nonce)


def _encode_heartbeat(message: Heartbeat) -> bytes:
    try:
        group_0 = _HEARTBEAT_0.pack(message.uptime_ms, message.boot_id, message.last_seq)
    except struct.error:
        raise _unfit("heartbeat", message) from None
    return b"\x03" + group_0


def _decode_heartbeat(data: bytes) -> Heartbeat:
    try:
        uptime_ms, boot_id, last_seq = _HEARTBEAT_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("heartbeat", len(data)) from None
    if len(data) != 11:
        raise WrongSize("heartbeat", len(data))
    return Heartbeat(uptime_ms, boot_id, last_seq)


def _encode_secure_challenge(message: SecureChallenge) -> bytes:
    if not 1 <= message.nonce <= 4294967295:
        raise BadField("secure_challenge", "nonce", "a whole number from 1 to 4294967295")
    if not 1 <= message.key_id <= 255:
        raise BadField("secure_challenge", "key_id", "a whole number from 1 to 255")
    challenge = write_bytes16(message.challenge, "secure_challenge", "challenge")
    try:
        group_0 = _SECURE_CHALLENGE_0.pack(message.nonce, message.key_id)
    except struct.error:
        raise _unfit("secure_challenge", message) from None
    return b"\x04" + group_0 + challenge


def _decode_secure_challenge(data: bytes) -> SecureChallenge:
    try:
        nonce, key_id = _SECURE_CHALLENGE_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("secure_challenge", len(data)) from None
    challenge, at = read_bytes16(data, 6, "secure_challenge", "challenge")
    if len(data) != at:
        raise WrongSize("secure_challenge", len(data))
    if not 1 <= nonce <= 4294967295:
        raise BadField("secure_challenge", "nonce", "a whole number from 1 to 4294967295")
    if not 1 <= key_id <= 255:
        raise BadField("secure_challenge", "key_id", "a whole number from 1 to 255")
    return SecureChallenge(nonce, key_id, challenge)


def _encode_secure_answer(message: SecureAnswer) -> bytes:
    if not 1 <= message.nonce <= 4294967295:
        raise BadField("secure_answer", "nonce", "a whole number from 1 to 4294967295")
    answer = write_bytes16(message.answer, "secure_answer", "answer")
    proof = write_bytes16(message.proof, "secure_answer", "proof")
    try:
        group_0 = _SECURE_ANSWER_0.pack(message.nonce)
    except struct.error:
        raise _unfit("secure_answer", message) from None
    return b"\x05" + group_0 + answer + proof


def _decode_secure_answer(data: bytes) -> SecureAnswer:
    try:
        (nonce,) = _SECURE_ANSWER_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("secure_answer", len(data)) from None
    answer, at = read_bytes16(data, 5, "secure_answer", "answer")
    proof, at = read_bytes16(data, at, "secure_answer", "proof")
    if len(data) != at:
        raise WrongSize("secure_answer", len(data))
    if not 1 <= nonce <= 4294967295:
        raise BadField("secure_answer", "nonce", "a whole number from 1 to 4294967295")
    return SecureAnswer(nonce, answer, proof)


def _encode_secure_ready(message: SecureReady) -> bytes:
    if not 1 <= message.nonce <= 4294967295:
        raise BadField("secure_ready", "nonce", "a whole number from 1 to 4294967295")
    proof = write_bytes16(message.proof, "secure_ready", "proof")
    try:
        group_0 = _SECURE_READY_0.pack(message.nonce)
    except struct.error:
        raise _unfit("secure_ready", message) from None
    return b"\x06" + group_0 + proof


def _decode_secure_ready(data: bytes) -> SecureReady:
    try:
        (nonce,) = _SECURE_READY_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("secure_ready", len(data)) from None
    proof, at = read_bytes16(data, 5, "secure_ready", "proof")
    if len(data) != at:
        raise WrongSize("secure_ready", len(data))
    if not 1 <= nonce <= 4294967295:
        raise BadField("secure_ready", "nonce", "a whole number from 1 to 4294967295")
    return SecureReady(nonce, proof)


def _encode_inventory_request(message: InventoryRequest) -> bytes:
    if not 1 <= message.request_id <= 65535:
        raise BadField("inventory_request", "request_id", "a whole number from 1 to 65535")
    if not 1 <= message.antenna <= 255:
        raise BadField("inventory_request", "antenna", "a whole number from 1 to 255")
    try:
        group_0 = _INVENTORY_REQUEST_0.pack(message.request_id, message.antenna)
    except struct.error:
        raise _unfit("inventory_request", message) from None
    return b"\x10" + group_0


def _decode_inventory_request(data: bytes) -> InventoryRequest:
    try:
        request_id, antenna = _INVENTORY_REQUEST_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("inventory_request", len(data)) from None
    if len(data) != 4:
        raise WrongSize("inventory_request", len(data))
    if not 1 <= request_id <= 65535:
        raise BadField("inventory_request", "request_id", "a whole number from 1 to 65535")
    if not 1 <= antenna <= 255:
        raise BadField("inventory_request", "antenna", "a whole number from 1 to 255")
    return InventoryRequest(request_id, antenna)


def _encode_inventory(message: Inventory) -> bytes:
    if not 1 <= message.antenna <= 254:
        raise BadField("inventory", "antenna", "a whole number from 1 to 254")
    if not 1 <= message.part <= 255:
        raise BadField("inventory", "part", "a whole number from 1 to 255")
    if not 1 <= message.parts <= 255:
        raise BadField("inventory", "parts", "a whole number from 1 to 255")
    uids = write_uids(message.uids, 16, "inventory", "uids")
    try:
        group_0 = _INVENTORY_0.pack(
            message.request_id,
            message.antenna,
            message.t_ms,
            message.scan,
            message.scan_period_ms,
            message.part,
            message.parts,
        )
    except struct.error:
        raise _unfit("inventory", message) from None
    return b"\x11" + group_0 + uids


def _decode_inventory(data: bytes) -> Inventory:
    try:
        request_id, antenna, t_ms, scan, scan_period_ms, part, parts = _INVENTORY_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("inventory", len(data)) from None
    uids, at = read_uids(data, 16, 16, "inventory", "uids")
    if len(data) != at:
        raise WrongSize("inventory", len(data))
    if not 1 <= antenna <= 254:
        raise BadField("inventory", "antenna", "a whole number from 1 to 254")
    if not 1 <= part <= 255:
        raise BadField("inventory", "part", "a whole number from 1 to 255")
    if not 1 <= parts <= 255:
        raise BadField("inventory", "parts", "a whole number from 1 to 255")
    return Inventory(request_id, antenna, t_ms, scan, scan_period_ms, part, parts, uids)


def _encode_inventory_done(message: InventoryDone) -> bytes:
    if not 1 <= message.request_id <= 65535:
        raise BadField("inventory_done", "request_id", "a whole number from 1 to 65535")
    try:
        group_0 = _INVENTORY_DONE_0.pack(message.request_id)
    except struct.error:
        raise _unfit("inventory_done", message) from None
    return b"\x12" + group_0


def _decode_inventory_done(data: bytes) -> InventoryDone:
    try:
        (request_id,) = _INVENTORY_DONE_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("inventory_done", len(data)) from None
    if len(data) != 3:
        raise WrongSize("inventory_done", len(data))
    if not 1 <= request_id <= 65535:
        raise BadField("inventory_done", "request_id", "a whole number from 1 to 65535")
    return InventoryDone(request_id)


def _encode_tag_arrived(message: TagArrived) -> bytes:
    if not 1 <= message.antenna <= 254:
        raise BadField("tag_arrived", "antenna", "a whole number from 1 to 254")
    uid = write_uid(message.uid, "tag_arrived", "uid")
    try:
        group_0 = _TAG_ARRIVED_0.pack(message.antenna, message.t_ms, message.scan, message.scan_period_ms)
    except struct.error:
        raise _unfit("tag_arrived", message) from None
    return b"\x20" + group_0 + uid


def _decode_tag_arrived(data: bytes) -> TagArrived:
    try:
        antenna, t_ms, scan, scan_period_ms = _TAG_ARRIVED_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("tag_arrived", len(data)) from None
    uid, at = read_uid(data, 12, "tag_arrived", "uid")
    if len(data) != at:
        raise WrongSize("tag_arrived", len(data))
    if not 1 <= antenna <= 254:
        raise BadField("tag_arrived", "antenna", "a whole number from 1 to 254")
    return TagArrived(antenna, t_ms, scan, scan_period_ms, uid)


def _encode_tag_left(message: TagLeft) -> bytes:
    if not 1 <= message.antenna <= 254:
        raise BadField("tag_left", "antenna", "a whole number from 1 to 254")
    uid = write_uid(message.uid, "tag_left", "uid")
    try:
        group_0 = _TAG_LEFT_0.pack(message.antenna, message.t_ms, message.scan, message.scan_period_ms)
    except struct.error:
        raise _unfit("tag_left", message) from None
    return b"\x21" + group_0 + uid


def _decode_tag_left(data: bytes) -> TagLeft:
    try:
        antenna, t_ms, scan, scan_period_ms = _TAG_LEFT_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("tag_left", len(data)) from None
    uid, at = read_uid(data, 12, "tag_left", "uid")
    if len(data) != at:
        raise WrongSize("tag_left", len(data))
    if not 1 <= antenna <= 254:
        raise BadField("tag_left", "antenna", "a whole number from 1 to 254")
    return TagLeft(antenna, t_ms, scan, scan_period_ms, uid)


def _encode_scan_failed(message: ScanFailed) -> bytes:
    if not 1 <= message.antenna <= 254:
        raise BadField("scan_failed", "antenna", "a whole number from 1 to 254")
    try:
        group_0 = _SCAN_FAILED_0.pack(
            message.antenna,
            message.t_ms,
            message.scan,
            message.scan_period_ms,
            _SCAN_FAILURE_CODES[message.reason],
        )
    except struct.error:
        raise _unfit("scan_failed", message) from None
    except KeyError:
        raise BadField("scan_failed", "reason", "one of ScanFailure") from None
    return b"\x22" + group_0


def _decode_scan_failed(data: bytes) -> ScanFailed:
    try:
        antenna, t_ms, scan, scan_period_ms, reason_code = _SCAN_FAILED_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("scan_failed", len(data)) from None
    if len(data) != 13:
        raise WrongSize("scan_failed", len(data))
    if not 1 <= antenna <= 254:
        raise BadField("scan_failed", "antenna", "a whole number from 1 to 254")
    reason = _SCAN_FAILURE.get(reason_code)
    if reason is None:
        raise BadField("scan_failed", "reason", "one of ScanFailure")
    return ScanFailed(antenna, t_ms, scan, scan_period_ms, reason)


def _encode_shuffler_state(message: ShufflerState) -> bytes:
    try:
        group_0 = _SHUFFLER_STATE_0.pack(message.t_ms, _SHUFFLER_STATUS_CODES[message.state])
    except struct.error:
        raise _unfit("shuffler_state", message) from None
    except KeyError:
        raise BadField("shuffler_state", "state", "one of ShufflerStatus") from None
    return b"\x30" + group_0


def _decode_shuffler_state(data: bytes) -> ShufflerState:
    try:
        t_ms, state_code = _SHUFFLER_STATE_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("shuffler_state", len(data)) from None
    if len(data) != 6:
        raise WrongSize("shuffler_state", len(data))
    state = _SHUFFLER_STATUS.get(state_code)
    if state is None:
        raise BadField("shuffler_state", "state", "one of ShufflerStatus")
    return ShufflerState(t_ms, state)


def _encode_shuffler_verdict(message: ShufflerVerdict) -> bytes:
    try:
        group_0 = _SHUFFLER_VERDICT_0.pack(
            message.t_ms, _SHUFFLER_RESULT_CODES[message.result], message.count, message.expected
        )
    except struct.error:
        raise _unfit("shuffler_verdict", message) from None
    except KeyError:
        raise BadField("shuffler_verdict", "result", "one of ShufflerResult") from None
    return b"\x31" + group_0


def _decode_shuffler_verdict(data: bytes) -> ShufflerVerdict:
    try:
        t_ms, result_code, count, expected = _SHUFFLER_VERDICT_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("shuffler_verdict", len(data)) from None
    if len(data) != 8:
        raise WrongSize("shuffler_verdict", len(data))
    result = _SHUFFLER_RESULT.get(result_code)
    if result is None:
        raise BadField("shuffler_verdict", "result", "one of ShufflerResult")
    return ShufflerVerdict(t_ms, result, count, expected)


def _encode_shoe_exit(message: ShoeExit) -> bytes:
    if not 1 <= message.number <= 4294967295:
        raise BadField("shoe_exit", "number", "a whole number from 1 to 4294967295")
    try:
        group_0 = _SHOE_EXIT_0.pack(message.t_ms, message.number, _SHOE_FACE_CODES[message.face])
    except struct.error:
        raise _unfit("shoe_exit", message) from None
    except KeyError:
        raise BadField("shoe_exit", "face", "one of ShoeFace") from None
    return b"\x32" + group_0


def _decode_shoe_exit(data: bytes) -> ShoeExit:
    try:
        t_ms, number, face_code = _SHOE_EXIT_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("shoe_exit", len(data)) from None
    if len(data) != 10:
        raise WrongSize("shoe_exit", len(data))
    if not 1 <= number <= 4294967295:
        raise BadField("shoe_exit", "number", "a whole number from 1 to 4294967295")
    face = _SHOE_FACE.get(face_code)
    if face is None:
        raise BadField("shoe_exit", "face", "one of ShoeFace")
    return ShoeExit(t_ms, number, face)


def _encode_shoe_state(message: ShoeState) -> bytes:
    try:
        group_0 = _SHOE_STATE_0.pack(message.t_ms, _SHOE_STATUS_CODES[message.state], message.exits)
    except struct.error:
        raise _unfit("shoe_state", message) from None
    except KeyError:
        raise BadField("shoe_state", "state", "one of ShoeStatus") from None
    return b"\x33" + group_0


def _decode_shoe_state(data: bytes) -> ShoeState:
    try:
        t_ms, state_code, exits = _SHOE_STATE_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("shoe_state", len(data)) from None
    if len(data) != 10:
        raise WrongSize("shoe_state", len(data))
    state = _SHOE_STATUS.get(state_code)
    if state is None:
        raise BadField("shoe_state", "state", "one of ShoeStatus")
    return ShoeState(t_ms, state, exits)


def _encode_overflow(message: Overflow) -> bytes:
    if not 1 <= message.lost <= 16384:
        raise BadField("overflow", "lost", "a whole number from 1 to 16384")
    try:
        group_0 = _OVERFLOW_0.pack(message.first_seq, message.last_seq, message.lost)
    except struct.error:
        raise _unfit("overflow", message) from None
    return b"\x40" + group_0


def _decode_overflow(data: bytes) -> Overflow:
    try:
        first_seq, last_seq, lost = _OVERFLOW_0.unpack_from(data, 1)
    except struct.error:
        raise WrongSize("overflow", len(data)) from None
    if len(data) != 7:
        raise WrongSize("overflow", len(data))
    if not 1 <= lost <= 16384:
        raise BadField("overflow", "lost", "a whole number from 1 to 16384")
    return Overflow(first_seq, last_seq, lost)


def _encode_log_text(message: LogText) -> bytes:
    text = write_text(message.text, 64, "log_text", "text")
    return b"\x41" + text


def _decode_log_text(data: bytes) -> LogText:
    text, at = read_text(data, 1, 64, "log_text", "text")
    if len(data) != at:
        raise WrongSize("log_text", len(data))
    return LogText(text)


ENCODERS: Final[Mapping[type, Callable[[Any], bytes]]] = {
    IdentifyRequest: _encode_identify_request,
    Identify: _encode_identify,
    Heartbeat: _encode_heartbeat,
    SecureChallenge: _encode_secure_challenge,
    SecureAnswer: _encode_secure_answer,
    SecureReady: _encode_secure_ready,
    InventoryRequest: _encode_inventory_request,
    Inventory: _encode_inventory,
    InventoryDone: _encode_inventory_done,
    TagArrived: _encode_tag_arrived,
    TagLeft: _encode_tag_left,
    ScanFailed: _encode_scan_failed,
    ShufflerState: _encode_shuffler_state,
    ShufflerVerdict: _encode_shuffler_verdict,
    ShoeExit: _encode_shoe_exit,
    ShoeState: _encode_shoe_state,
    Overflow: _encode_overflow,
    LogText: _encode_log_text,
}
DECODERS: Final[Mapping[int, Callable[[bytes], Message]]] = {
    0x01: _decode_identify_request,
    0x02: _decode_identify,
    0x03: _decode_heartbeat,
    0x04: _decode_secure_challenge,
    0x05: _decode_secure_answer,
    0x06: _decode_secure_ready,
    0x10: _decode_inventory_request,
    0x11: _decode_inventory,
    0x12: _decode_inventory_done,
    0x20: _decode_tag_arrived,
    0x21: _decode_tag_left,
    0x22: _decode_scan_failed,
    0x30: _decode_shuffler_state,
    0x31: _decode_shuffler_verdict,
    0x32: _decode_shoe_exit,
    0x33: _decode_shoe_state,
    0x40: _decode_overflow,
    0x41: _decode_log_text,
}
NAMES: Final[Mapping[type, str]] = {
    IdentifyRequest: "identify_request",
    Identify: "identify",
    Heartbeat: "heartbeat",
    SecureChallenge: "secure_challenge",
    SecureAnswer: "secure_answer",
    SecureReady: "secure_ready",
    InventoryRequest: "inventory_request",
    Inventory: "inventory",
    InventoryDone: "inventory_done",
    TagArrived: "tag_arrived",
    TagLeft: "tag_left",
    ScanFailed: "scan_failed",
    ShufflerState: "shuffler_state",
    ShufflerVerdict: "shuffler_verdict",
    ShoeExit: "shoe_exit",
    ShoeState: "shoe_state",
    Overflow: "overflow",
    LogText: "log_text",
}
FROM_HOST: Final[frozenset[type]] = frozenset(
    {
        IdentifyRequest,
        Heartbeat,
        SecureAnswer,
        InventoryRequest,
    }
)
FROM_DEVICE: Final[frozenset[type]] = frozenset(
    {
        Identify,
        Heartbeat,
        SecureChallenge,
        SecureReady,
        Inventory,
        InventoryDone,
        TagArrived,
        TagLeft,
        ScanFailed,
        ShufflerState,
        ShufflerVerdict,
        ShoeExit,
        ShoeState,
        Overflow,
        LogText,
    }
)
UNSEQUENCED: Final[frozenset[type]] = frozenset(
    {
        IdentifyRequest,
        Identify,
        Heartbeat,
        SecureChallenge,
        SecureAnswer,
        SecureReady,
    }
)
WITH_UIDS: Final[frozenset[type]] = frozenset(
    {
        Inventory,
        TagArrived,
        TagLeft,
    }
)
BY_KIND: Final[Mapping[DeviceKind, frozenset[type]]] = {
    DeviceKind.READER: frozenset(
        {
            Identify,
            Heartbeat,
            SecureChallenge,
            SecureReady,
            Inventory,
            InventoryDone,
            TagArrived,
            TagLeft,
            ScanFailed,
            Overflow,
            LogText,
        }
    ),
    DeviceKind.SHUFFLER: frozenset(
        {
            Identify,
            Heartbeat,
            SecureChallenge,
            SecureReady,
            InventoryDone,
            ShufflerState,
            ShufflerVerdict,
            Overflow,
            LogText,
        }
    ),
    DeviceKind.SHOE: frozenset(
        {
            Identify,
            Heartbeat,
            SecureChallenge,
            SecureReady,
            Inventory,
            InventoryDone,
            TagArrived,
            TagLeft,
            ScanFailed,
            ShoeExit,
            ShoeState,
            Overflow,
            LogText,
        }
    ),
}
