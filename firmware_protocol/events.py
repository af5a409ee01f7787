"""What a link tells its user, besides bytes to send."""

from __future__ import annotations

import msgspec

from firmware_protocol.errors import IncompatibleVersion, SecurityMismatch
from firmware_protocol.messages import Identify, Message


class MessageReceived(msgspec.Struct, frozen=True):
    """A message of the other side, each once and in order."""

    message: Message


class Ready(msgspec.Struct, frozen=True):
    """A session with this device has begun. The host asks for a full inventory by itself."""

    identity: Identify


class DeviceRestarted(msgspec.Struct, frozen=True):
    """The device has another boot id: its clock and its scan numbers began anew. A new session and inventory follow by themselves."""

    old: int
    new: int


class VersionRefused(msgspec.Struct, frozen=True):
    """The device speaks another major version. ``error`` names the device and both versions. Told once a boot."""

    error: IncompatibleVersion


class SecurityRefused(msgspec.Struct, frozen=True):
    """No session: host and device do not have the same key. Told once a boot and reason; it is tried again."""

    error: SecurityMismatch


class IdentityRefused(msgspec.Struct, frozen=True):
    """No session: another device answers than the one this link is for. Told once a boot; it is asked again, as it may be changed."""

    identity: Identify


class LinkFailed(msgspec.Struct, frozen=True):
    """The link gives up.

    ``reason``: ``unacknowledged`` (the other side is there and takes nothing), ``inventory`` (a device answers no inventory request
    completely) or ``sequence`` (a host acknowledges what was never sent).
    """

    reason: str


class ForbiddenReceived(msgspec.Struct, frozen=True):
    """A message that must not exist came: card order, or a card told by a shuffler. Its content was dropped unread."""

    message_id: int
    size: int


class HeartbeatLost(msgspec.Struct, frozen=True):
    """Nothing came from the other side for three periods. Nothing is given up: the session goes on when it is back."""


class HeartbeatRegained(msgspec.Struct, frozen=True):
    """The other side is back, in the same session."""


class SnapshotComplete(msgspec.Struct, frozen=True):
    """Every inventory message of this request has been received."""

    request_id: int


class HostConnected(msgspec.Struct, frozen=True):
    """A host has begun a session with this device."""

    nonce: int


class HostRefused(msgspec.Struct, frozen=True):
    """A host of another major version asked; it got this device's identity and no session."""

    major: int
    minor: int


HostEvent = (
    MessageReceived
    | Ready
    | DeviceRestarted
    | VersionRefused
    | SecurityRefused
    | IdentityRefused
    | LinkFailed
    | ForbiddenReceived
    | HeartbeatLost
    | HeartbeatRegained
    | SnapshotComplete
)
DeviceEvent = (
    MessageReceived
    | HostConnected
    | HostRefused
    | LinkFailed
    | ForbiddenReceived
    | HeartbeatLost
    | HeartbeatRegained
)
