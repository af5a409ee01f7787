"""The device's role: it answers a host, and keeps what it has to tell until a host has acknowledged it.

This is what firmware does, and what the hardware simulator is made of.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from firmware_protocol import messages, secure
from firmware_protocol.events import DeviceEvent, HostConnected, HostRefused
from firmware_protocol.frames import SEQ_MASK, reset_body
from firmware_protocol.link import PERIOD_MS, Link
from firmware_protocol.messages import (
    BY_KIND,
    Heartbeat,
    Identify,
    IdentifyRequest,
    Inventory,
    InventoryRequest,
    Message,
    Overflow,
    SecureAnswer,
    SecureChallenge,
    SecureReady,
)
from firmware_protocol.probe import WHO_IS_THERE

CAPACITY: Final = 512
"""Messages that a device keeps for a host that does not take them; then the oldest are dropped, and that is told."""
UIDS_A_MESSAGE: Final = 16


class DeviceState(enum.StrEnum):
    """Where a device's link is. ``waiting``: no host has asked yet; ``stale``: a session, but no sign of life."""

    WAITING = "waiting"
    READY = "ready"
    STALE = "stale"
    FAILED = "failed"
    REFUSED = "refused"


def inventory_messages(
    request_id: int, antenna: int, *, t_ms: int, scan: int, scan_period_ms: int, uids: Sequence[bytes]
) -> list[Inventory]:
    """What one antenna sees, in as many messages as it takes; one without tags when it sees none."""
    parts = max(1, -(-len(uids) // UIDS_A_MESSAGE))
    return [
        Inventory(
            request_id,
            antenna,
            t_ms,
            scan,
            scan_period_ms,
            part + 1,
            parts,
            tuple(uids[part * UIDS_A_MESSAGE : (part + 1) * UIDS_A_MESSAGE]),
        )
        for part in range(parts)
    ]


class _Asked(msgspec.Struct, frozen=True):
    """A host's request, and what it was asked to prove."""

    request: IdentifyRequest
    key_id: int
    challenge: bytes


class DeviceLink(Link[DeviceEvent]):
    """A device's end of a link. See :mod:`firmware_protocol.link` for how it is driven.

    ``identity``: what it answers to hosts; the nonce in it does not matter. ``capacity``: messages kept for a host. ``keys``: by number;
    with any there is no session that is not secured, and the highest number is asked for. ``random``: gives so many random bytes.
    Raises ``BadKeys``.
    """

    def __init__(
        self,
        now_ms: int,
        *,
        identity: Identify,
        period_ms: int = PERIOD_MS,
        capacity: int = CAPACITY,
        keys: Mapping[int, bytes] | None = None,
        random: Callable[[int], bytes] | None = None,
    ) -> None:
        super().__init__(now_ms, period_ms=period_ms, capacity=capacity, overflow=_overflow)
        self._identity = identity
        self._accepted = frozenset((InventoryRequest,))
        self._nonce = 0
        self._refused = False
        self._keys = secure.KeyRing(keys, random)
        #: A request that no secured session has followed yet.
        self._asked: _Asked | None = None
        self._secure_answer: SecureAnswer | None = None
        self._ready: SecureReady | None = None
        self._ready_due = False
        self._answer_due = False
        self._answer_nonce = 0
        self._unknown_session: int | None = None
        # A line that nobody has opened yet needs no heartbeat at once.
        self._beat_ms = now_ms + period_ms

    @property
    def identity(self) -> Identify:
        """What this device answers to hosts."""
        return self._identity

    @property
    def state(self) -> DeviceState:
        """Where the link is."""
        if self._session is not None:
            return DeviceState.STALE if self._stale else DeviceState.READY
        if self._failed:
            return DeviceState.FAILED
        return DeviceState.REFUSED if self._refused else DeviceState.WAITING

    def send(self, message: Message, now_ms: int) -> None:
        """Queue a message. Raises ``WrongDirection`` for one that a device of this kind does not send, ``BadField``.

        It is kept until a host has acknowledged it. When too many are, the oldest that is not on its way is dropped and an
        ``Overflow`` stands in its place.
        """
        self._now_ms = now_ms
        self._queue(message, BY_KIND[self._identity.kind] - {Overflow}, self._identity.kind.value)

    # ------------------------------------------------------------ role

    def _on_plain(self, message: Message, now_ms: int) -> None:
        if type(message) is SecureAnswer:
            self._take_answer(message, now_ms)
        elif type(message) is not IdentifyRequest:
            self.counters.malformed += 1
        elif self._keys:
            self._take_open_request(message)
        else:
            self._take_request(message, now_ms)

    def _take_request(self, message: IdentifyRequest, now_ms: int) -> None:
        self._answer_due = True
        self._answer_nonce = message.nonce
        if message.major == WHO_IS_THERE:
            return
        if message.major != messages.MAJOR:
            self._refuse(message)
            self._end()
            return
        self._refused = False
        if message.nonce == self._nonce and self._session is not None:
            self._heard(now_ms)
            return
        self._start(message, now_ms)

    def _refuse(self, message: IdentifyRequest) -> None:
        if not self._refused:
            self._events.append(HostRefused(message.major, message.minor))
        self._refused = True

    def _start(self, request: IdentifyRequest, now_ms: int, channel: secure.Channel | None = None) -> None:
        if request.last_nonce == self._nonce:
            self._outbox.acknowledge(request.last_seq, now_ms)
        self._nonce = request.nonce
        self._unknown_session = None
        self._begin(request.nonce & SEQ_MASK, now_ms, channel)
        self._events.append(HostConnected(request.nonce))

    def _take_open_request(self, message: IdentifyRequest) -> None:
        """Anyone may have asked: it is answered, and changes nothing of a session that goes on."""
        self._answer_due = True
        self._answer_nonce = message.nonce
        if message.major == WHO_IS_THERE:
            return
        if message.major != messages.MAJOR:
            if self._session is None:
                self._refuse(message)
            return
        self._refused = False
        if self._session is not None and message.nonce == self._nonce:
            return
        if self._asked is None or self._asked.request != message:
            self._asked = _Asked(message, self._keys.newest, self._keys.nonce())

    def _take_answer(self, message: SecureAnswer, now_ms: int) -> None:
        if message == self._secure_answer and self._session is not None:
            self._ready_due = True  # what told the host so was lost
            return
        asked = self._asked
        if asked is None or message.nonce != asked.request.nonce:
            self.counters.stale += 1
            return
        said = msgspec.structs.replace(self._identity, nonce=message.nonce)
        keys = self._keys.session_keys(asked.request, said, asked.key_id, asked.challenge, message.answer)
        if not secure.proves(keys.host_proof, message.proof):
            self.counters.forged += 1
            return
        self._asked = None
        self._secure_answer = message
        self._ready = SecureReady(message.nonce, keys.device_proof)
        self._ready_due = True
        self._start(asked.request, now_ms, keys.of_device(message.nonce))

    def _on_heartbeat(self, heartbeat: Heartbeat, now_ms: int) -> bool:
        if self._session is None or heartbeat.boot_id != self._nonce:
            self._on_foreign(heartbeat.boot_id & SEQ_MASK)
            return False
        return True

    def _on_foreign(self, session: int) -> None:
        self._unknown_session = session

    def _on_broken(self, now_ms: int) -> None:
        self._fail("sequence")

    def _has_plain(self) -> bool:
        return self._answer_due or self._ready_due or self._unknown_session is not None

    def _plain_frames(self, now_ms: int) -> list[bytes]:
        said: list[Message] = []
        if self._answer_due:
            self._answer_due = False
            asked = self._asked
            if asked is not None and asked.request.nonce == self._answer_nonce:
                # First, so that a host without a key does not begin a session that this device has not.
                said.append(SecureChallenge(self._answer_nonce, asked.key_id, asked.challenge))
            said.append(msgspec.structs.replace(self._identity, nonce=self._answer_nonce))
        if self._ready_due and self._ready is not None:
            said.append(self._ready)
        self._ready_due = False
        frames = [self._plain(message) for message in said]
        if self._unknown_session is not None:
            frames.append(self._unsealed(reset_body(self._unknown_session)))
            self._unknown_session = None
        return frames

    def _beats(self) -> bool:
        return True

    def _heartbeat_id(self) -> int:
        return self._identity.boot_id


def _overflow(first_seq: int, last_seq: int, lost: int) -> bytes:
    return messages.encode(Overflow(first_seq, last_seq, lost))
