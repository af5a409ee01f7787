"""What can be wrong with a message. Every error carries data; none carries the bytes of a card's UID."""

from __future__ import annotations


class ProtocolError(Exception):
    """Base of all errors of this package."""


class Malformed(ProtocolError):
    """A message that is not as it is declared: empty, of the wrong size, or with a value that a field cannot have."""


class EmptyMessage(Malformed):
    """A frame that should hold a message holds none."""

    def __init__(self) -> None:
        super().__init__("a message of no bytes")


class UnknownMessage(ProtocolError):
    """A message id that this version does not know. ``size``: bytes of the message, its id included."""

    def __init__(self, message_id: int, size: int) -> None:
        self.message_id = message_id
        self.size = size
        super().__init__(f"message id 0x{message_id:02x} ({size} bytes) is not declared in this version")


class ForbiddenMessage(ProtocolError):
    """A message that must not exist: card order, or a card's identity from a device that must not tell it.

    Its content is not kept anywhere, not even here. ``size``: bytes of the message, its id included.
    """

    def __init__(self, message_id: int, size: int) -> None:
        self.message_id = message_id
        self.size = size
        super().__init__(
            f"message id 0x{message_id:02x} ({size} bytes) is forbidden; its content was dropped"
        )


class WrongSize(Malformed):
    """A message that ends too early or too late. ``size``: bytes found, the id included."""

    def __init__(self, message: str, size: int) -> None:
        self.message = message
        self.size = size
        super().__init__(f"{message} of {size} bytes does not end where its fields end")


class BadField(Malformed):
    """A field whose value is outside what ``messages.toml`` declares, read from bytes or given to be sent."""

    def __init__(self, message: str, field: str, expected: str) -> None:
        self.message = message
        self.field = field
        self.expected = expected
        super().__init__(f"{message}.{field}: expected {expected}")


class WrongDirection(ProtocolError):
    """A message that this side, or a device of this kind, does not send. ``sender``: "host", or the device's kind."""

    def __init__(self, message: str, sender: str) -> None:
        self.message = message
        self.sender = sender
        super().__init__(f"{message} is not sent by a {sender}")


class QueueFull(ProtocolError):
    """The other side takes no messages and ``capacity`` of them wait already; this one was not queued."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        super().__init__(f"{capacity} messages already wait for the other side")


class SecurityMismatch(ProtocolError):
    """Host and device cannot have a secured session.

    ``reason``: ``no_key`` (the device asks for one and the host has none), ``unknown_key`` (the host has others than number ``key_id``),
    ``not_offered`` (the host has a key and the device does not ask for it) or ``wrong_key`` (they have different ones).
    """

    def __init__(self, model: str, serial: str, reason: str, key_id: int = 0) -> None:
        self.model = model
        self.serial = serial
        self.reason = reason
        self.key_id = key_id
        remedy = {
            "no_key": f"is secured by its key {key_id}: give the table service that key",
            "unknown_key": f"is secured by its key {key_id}, which the table service does not have: add it",
            "not_offered": "is not secured although the table service has its key: give the device the key, or take it away here",
            "wrong_key": f"does not have the same key {key_id} as the table service: give one of them the other's",
        }
        super().__init__(f"{model} {serial} {remedy[reason]}")


class IncompatibleVersion(ProtocolError):
    """Host and device speak different major versions. Versions are ``(major, minor)``."""

    def __init__(
        self, model: str, serial: str, firmware: str, host: tuple[int, int], device: tuple[int, int]
    ) -> None:
        self.model = model
        self.serial = serial
        self.firmware = firmware
        self.host = host
        self.device = device
        older = "the firmware of this device" if device < host else "the table service"
        super().__init__(
            f"{model} {serial} (firmware {firmware}) speaks protocol {device[0]}.{device[1]}, this host"
            f" {host[0]}.{host[1]}: update {older}"
        )
