"""The host's role: it opens the session, names it by a nonce, and keeps a complete picture of what the device sees."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from firmware_protocol import messages, secure
from firmware_protocol.errors import IncompatibleVersion, ProtocolError, QueueFull, SecurityMismatch
from firmware_protocol.events import (
    DeviceRestarted,
    HostEvent,
    IdentityRefused,
    Ready,
    SecurityRefused,
    SnapshotComplete,
    VersionRefused,
)
from firmware_protocol.frames import SEQ_MASK
from firmware_protocol.link import PERIOD_MS, U32_MASK, Link
from firmware_protocol.messages import (
    ALL_ANTENNAS,
    BY_KIND,
    FROM_HOST,
    Heartbeat,
    Identify,
    IdentifyRequest,
    InventoryRequest,
    Message,
    Overflow,
    SecureAnswer,
    SecureChallenge,
    SecureReady,
)
from firmware_protocol.probe import WAKE
from firmware_protocol.snapshots import MAX_TRIES, Snapshots

REFUSED_RETRY_MS: Final = 2000
"""How often a device of another version is asked again: its firmware may have been updated."""
CAPACITY: Final = 64
"""Messages of the host that may wait."""
MAX_ANSWERS: Final = 8
"""After so many proofs without a word the device has another key."""
MAX_UNCHALLENGED: Final = 3
"""After so many answers without a challenge the device has no key."""
REKEY_FRAMES: Final = 1 << 20
"""After so many sealed frames a secured session is replaced by a new one: some three days of heartbeats."""


class HostState(enum.StrEnum):
    """Where a host's link is. ``connecting``: no session yet; ``stale``: a session, but no sign of life."""

    CONNECTING = "connecting"
    READY = "ready"
    STALE = "stale"
    FAILED = "failed"
    REFUSED = "refused"


class _Handshake(msgspec.Struct):
    """How far the securing of a session has come."""

    identity: Identify | None = None
    challenge: SecureChallenge | None = None
    answered: tuple[Identify, SecureChallenge] | None = None
    answer: SecureAnswer | None = None
    keys: secure.SessionKeys | None = None
    answers: int = 0
    unchallenged: int = 0


class HostLink(Link[HostEvent]):
    """A host's end of a link to one device. See :mod:`firmware_protocol.link` for how it is driven.

    ``nonce``: a random number from 1 to 2**32 - 1, new for each link; later sessions of this link count up from it. A failed link
    stays failed until :meth:`restart`; every other state mends itself. ``keys``: of the device, by number; with any there is no session
    that is not secured. ``random``: gives so many random bytes. ``accepts``: whether a device is the one this link is for; with any
    other there is no session, and what was known of the right one's stays known. Raises ``BadKeys``.
    """

    def __init__(
        self,
        now_ms: int,
        *,
        nonce: int,
        period_ms: int = PERIOD_MS,
        keys: Mapping[int, bytes] | None = None,
        random: Callable[[int], bytes] | None = None,
        rekey_frames: int = REKEY_FRAMES,
        accepts: Callable[[Identify], bool] | None = None,
    ) -> None:
        super().__init__(now_ms, period_ms=period_ms, capacity=CAPACITY)
        self._keys = secure.KeyRing(keys, random)
        self._rekey_frames = rekey_frames
        self._accepts = accepts
        self._handshake = _Handshake()
        self._told_security: tuple[int, str, int] | None = None
        self._nonce = nonce & U32_MASK or 1
        self._resume = (0, 0)
        self._identity: Identify | None = None
        self._refused: object = None
        self._known_boot: int | None = None
        self._request_ms: int | None = now_ms
        self._snapshots = Snapshots()

    @property
    def state(self) -> HostState:
        """Where the link is."""
        if self._session is not None:
            return HostState.STALE if self._stale else HostState.READY
        if self._failed:
            return HostState.FAILED
        return HostState.CONNECTING if self._refused is None else HostState.REFUSED

    @property
    def identity(self) -> Identify | None:
        """Who the device is, as of the newest session; None before the first."""
        return self._identity

    @property
    def securing(self) -> bool:
        """Whether both sides are proving to each other that they have the device's key; a refused device is still refused meanwhile."""
        return self.state is HostState.CONNECTING and self._handshake.challenge is not None

    def send(self, message: Message, now_ms: int) -> None:
        """Queue a message for the session. Raises ``WrongDirection``, ``BadField``, ``QueueFull``.

        Without a session it waits; a new session drops what waits, and asks for a full inventory instead.
        """
        self._now_ms = now_ms
        self._queue(message, FROM_HOST, "host")

    def request_inventory(self, now_ms: int, antenna: int = ALL_ANTENNAS) -> int:
        """Ask what lies on ``antenna``, or on all; the id that inventory messages and ``SnapshotComplete`` will carry.

        A request whose answer is lost in an overflow, late or incomplete is replaced by a new one with a new id.
        """
        return self._ask(antenna, now_ms, 1)

    def restart(self, now_ms: int, *, nonce: int | None = None) -> None:
        """Begin anew, after a failure or when the port was opened again; with ``nonce`` instead of the next number."""
        self._framer.reset()
        self._told_security = None  # whoever opened the port again shall know why nothing comes
        self._connect(now_ms, nonce)

    # ------------------------------------------------------------ role

    def _ask(self, antenna: int, now_ms: int, tries: int) -> int:
        request_id = self._snapshots.ask(antenna, now_ms, tries)
        try:
            self.send(InventoryRequest(request_id, antenna), now_ms)
        except ProtocolError:
            self._snapshots.forget(request_id)
            raise
        return request_id

    def _ask_by_itself(self, antenna: int, now_ms: int, tries: int) -> None:
        """Ask in the link's own interest. Where no room is left for that, a new session makes it and asks for everything."""
        try:
            self._ask(antenna, now_ms, tries)
        except QueueFull:
            self._connect(now_ms)

    def _connect(self, now_ms: int, nonce: int | None = None) -> None:
        if self._session is not None:
            self._resume = (self._nonce, (self._expected - 1) & SEQ_MASK)
        self._end()
        self._failed = False
        self._refused = None
        self._nonce = (self._nonce % U32_MASK + 1) if nonce is None else (nonce & U32_MASK or 1)
        self._outbox.clear()
        self._snapshots.clear()
        self._request_ms = now_ms
        self._handshake = _Handshake()

    def _on_plain(self, message: Message, now_ms: int) -> None:
        if isinstance(message, SecureChallenge | SecureReady):
            if message.nonce != self._nonce or self._failed:
                self.counters.stale += 1
            elif isinstance(message, SecureChallenge):
                self._take_challenge(message, now_ms)
            else:
                self._take_ready(message, now_ms)
        elif type(message) is not Identify:
            self.counters.malformed += 1
        elif message.nonce != self._nonce or self._failed:
            self.counters.stale += 1
        elif self._channel is None and self._accepts is not None and not self._accepts(message):
            self._refuse_identity(message, now_ms)
        elif message.major != messages.MAJOR:
            self._refuse(message)
        elif self._session is None:
            self._take_identity(message, now_ms)
        elif self._channel is not None:
            pass  # anyone may have said so
        elif self._identity is not None and message.boot_id != self._identity.boot_id:
            self._restarted(message.boot_id, now_ms)
        else:
            self._heard(now_ms)

    def _take_identity(self, identity: Identify, now_ms: int) -> None:
        shake = self._handshake
        shake.identity = identity
        if shake.challenge is not None:
            self._answer(now_ms)
        elif not self._keys:
            self._open(identity, now_ms)
        else:
            shake.unchallenged += 1
            if shake.unchallenged >= MAX_UNCHALLENGED:
                self._refuse_security("not_offered", 0)

    def _take_challenge(self, challenge: SecureChallenge, now_ms: int) -> None:
        if self._channel is not None:
            return  # of a request that crossed the answer, or anyone's
        if self._session is not None:
            # The device has no such session; the challenge of the new one will find none here.
            self._connect(now_ms)
            return
        self._handshake.challenge = challenge
        if self._handshake.identity is not None:
            self._answer(now_ms)

    def _answer(self, now_ms: int) -> None:
        """Prove that this host has the key that it was asked for. Each challenge is answered once; then it is repeated."""
        shake = self._handshake
        identity, challenge = shake.identity, shake.challenge
        assert identity is not None
        assert challenge is not None
        if challenge.key_id not in self._keys:
            self._refuse_security("unknown_key" if self._keys else "no_key", challenge.key_id)
            return
        if shake.answered == (identity, challenge):
            return
        answer = self._keys.nonce()
        shake.keys = self._keys.session_keys(
            self._request(), identity, challenge.key_id, challenge.challenge, answer
        )
        shake.answer = SecureAnswer(self._nonce, answer, shake.keys.host_proof)
        shake.answered = (identity, challenge)
        shake.answers = 0
        self._request_ms = now_ms

    def _take_ready(self, ready: SecureReady, now_ms: int) -> None:
        shake = self._handshake
        if self._session is not None or shake.keys is None or shake.identity is None:
            self.counters.stale += 1
        elif not secure.proves(shake.keys.device_proof, ready.proof):
            self.counters.forged += 1
        else:
            self._open(shake.identity, now_ms, shake.keys.of_host(self._nonce))

    def _refuse_identity(self, identity: Identify, now_ms: int) -> None:
        if self._session is not None:
            self._connect(now_ms)  # another device hangs there now
        self._handshake = _Handshake()
        refused = (identity.serial, identity.boot_id)
        if self._refused != refused:
            self._refused = refused
            self._events.append(IdentityRefused(identity))

    def _refuse_security(self, reason: str, key_id: int) -> None:
        identity = self._handshake.identity
        assert identity is not None
        self._refused = (identity.boot_id, reason, key_id)
        self._handshake = _Handshake()
        if self._told_security != self._refused:
            self._told_security = (identity.boot_id, reason, key_id)
            self._events.append(
                SecurityRefused(SecurityMismatch(identity.model, identity.serial, reason, key_id))
            )

    def _open(self, identity: Identify, now_ms: int, channel: secure.Channel | None = None) -> None:
        self._note_boot(identity.boot_id)
        self._identity = identity
        self._refused = None
        self._request_ms = None
        self._accepted = BY_KIND[identity.kind]
        self._outbox.clear()
        self._begin(self._nonce & SEQ_MASK, now_ms, channel)
        self._handshake = _Handshake()
        self._told_security = None
        self._beat_ms = now_ms
        self._events.append(Ready(identity))
        self._snapshots.clear()
        self._ask(ALL_ANTENNAS, now_ms, 1)

    def _refuse(self, identity: Identify) -> None:
        refused = (identity.major, identity.minor, identity.boot_id)
        self._end()
        if self._refused != refused:
            self._refused = refused
            error = IncompatibleVersion(
                identity.model,
                identity.serial,
                identity.firmware,
                (messages.MAJOR, messages.MINOR),
                (identity.major, identity.minor),
            )
            self._events.append(VersionRefused(error))

    def _note_boot(self, boot_id: int) -> None:
        if self._known_boot is not None and self._known_boot != boot_id:
            self._events.append(DeviceRestarted(self._known_boot, boot_id))
        self._known_boot = boot_id

    def _restarted(self, boot_id: int, now_ms: int) -> None:
        self._note_boot(boot_id)
        self._connect(now_ms)

    def _on_heartbeat(self, heartbeat: Heartbeat, now_ms: int) -> bool:
        if self._session is None or self._identity is None:
            return False
        if heartbeat.boot_id != self._identity.boot_id:
            self._restarted(heartbeat.boot_id, now_ms)
            return False
        return True

    def _on_message(self, message: Message, now_ms: int) -> None:
        if type(message) is Overflow:
            # Nobody knows what was lost, so only a new full picture will do.
            self._snapshots.clear()
            self._ask_by_itself(ALL_ANTENNAS, now_ms, 1)
            return
        antennas = 0 if self._identity is None else self._identity.antennas
        ended = self._snapshots.take(message, antennas, now_ms)
        if isinstance(ended, int):
            self._events.append(SnapshotComplete(ended))
        elif ended is not None:
            self._ask_again(*ended, now_ms)

    def _ask_again(self, antenna: int, tries: int, now_ms: int) -> None:
        if tries >= MAX_TRIES:
            self._fail("inventory")
        else:
            self._ask_by_itself(antenna, now_ms, tries + 1)

    def _on_reset(self, session: int, now_ms: int) -> None:
        if session == self._session:
            self._connect(now_ms)
        else:
            self.counters.stale += 1

    def _on_broken(self, now_ms: int) -> None:
        self._connect(now_ms)

    def _role_tick(self, now_ms: int) -> None:
        if self._session is None:
            return
        if self._channel is not None and self._channel.sealed >= self._rekey_frames:
            self._connect(now_ms)
            return
        if self._stale or len(self._outbox):
            # The device does not have the request yet: that is the outbox's business.
            self._snapshots.postpone(now_ms)
        else:
            for antenna, tries in self._snapshots.late(now_ms):
                if self._session is not None:
                    self._ask_again(antenna, tries, now_ms)

    def _role_deadline_ms(self) -> int | None:
        if self._session is not None:
            return None if self._stale or len(self._outbox) else self._snapshots.deadline_ms()
        return None if self._failed else self._request_ms

    def _plain_frames(self, now_ms: int) -> list[bytes]:
        if self._session is not None or self._failed or self._request_ms is None or now_ms < self._request_ms:
            return []
        self._request_ms = now_ms + (self._period_ms if self._refused is None else REFUSED_RETRY_MS)
        said: list[Message] = [self._request()]
        shake = self._handshake
        if shake.answer is not None:
            shake.answers += 1
            if shake.answers > MAX_ANSWERS:
                assert shake.challenge is not None
                self._refuse_security("wrong_key", shake.challenge.key_id)
            else:
                said.append(shake.answer)
        frames = [self._plain(message) for message in said]
        return frames if shake.identity is not None else [WAKE, *frames]

    def _request(self) -> IdentifyRequest:
        """The request of this nonce, the same each time."""
        return IdentifyRequest(messages.MAJOR, messages.MINOR, self._nonce, *self._resume)

    def _beats(self) -> bool:
        return self._session is not None

    def _heartbeat_id(self) -> int:
        return self._nonce
