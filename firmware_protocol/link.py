"""What host and device have in common: a session of numbered, acknowledged messages in both directions, and heartbeats.

No method reads a clock. ``now_ms`` is any monotonic time in whole ms, the same for all calls. A user calls

- ``receive(data, now_ms)`` with what came in, and with ``b""`` when :meth:`Link.next_deadline_ms` has passed,
- ``outgoing(now_ms)`` after every ``receive`` and ``send``, and writes the bytes it gives.

What was received is acknowledged by the next ``outgoing``, so a user who must not lose a message keeps it before that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from firmware_protocol import messages
from firmware_protocol.errors import BadField, ForbiddenMessage, ProtocolError, UnknownMessage, WrongDirection
from firmware_protocol.events import (
    ForbiddenReceived,
    HeartbeatLost,
    HeartbeatRegained,
    LinkFailed,
    MessageReceived,
)
from firmware_protocol.frames import (
    ACK,
    ACK_LAYOUT,
    DATA,
    DATA_HEADER,
    NAK,
    PLAIN,
    RESET,
    RESET_LAYOUT,
    SECURED,
    SECURED_BYTES,
    SEQ_HALF,
    SEQ_MASK,
    ack_body,
    data_body,
    nak_body,
    plain_body,
)
from firmware_protocol.framing import Counters, Framer, encode_frame
from firmware_protocol.messages import Heartbeat, Message, Overflow
from firmware_protocol.outbox import Outbox, OverflowPayload
from firmware_protocol.secure import Channel

PERIOD_MS: Final = 250
"""From heartbeat to heartbeat."""
LOST_PERIODS: Final = 3
"""After so many periods without a sign of life the other side is missing."""
NOISE_NAK_MS: Final = 20
"""At most one NAK for noise in this time."""
U32_MASK: Final = 0xFFFFFFFF

Tap = Callable[[bool, bytes], None]
"""Is told each body that came in (True) or goes out (False), in the clear: for a ring of the last frames. It may hold UIDs."""

E = TypeVar("E")


class Link(Generic[E]):
    """One end of a link. Subclasses are the roles; ``E`` is what they tell their user."""

    def __init__(
        self, now_ms: int, *, period_ms: int, capacity: int, overflow: OverflowPayload | None = None
    ) -> None:
        self.counters = Counters()
        self._framer = Framer(self.counters)
        self._outbox = Outbox(self.counters, capacity, overflow)
        self._period_ms = period_ms
        self._started_ms = now_ms
        self._now_ms = now_ms
        self._events: list[object] = []
        self._tap: Tap | None = None
        #: Messages this side accepts in a session, by type.
        self._accepted: frozenset[type] = frozenset()
        self._session: int | None = None
        #: Seals and opens the frames of a secured session.
        self._channel: Channel | None = None
        self._stale = False
        self._failed = False
        self._heard_ms = now_ms
        self._beat_ms = now_ms
        self._expected = 1
        self._gap_seq: int | None = None
        #: The next number, when it came once with something unreadable.
        self._doubted: int | None = None
        self._ack_due = False
        self._nak_due = False
        self._noise_ms = now_ms - NOISE_NAK_MS
        self._last_heartbeat: Heartbeat | None = None

    # ------------------------------------------------------------ what users call

    @property
    def last_heartbeat(self) -> Heartbeat | None:
        """The newest heartbeat of the other side in any session."""
        return self._last_heartbeat

    @property
    def secured(self) -> bool:
        """Whether there is a session, and a secured one."""
        return self._channel is not None

    @property
    def unacknowledged(self) -> int:
        """Messages that the other side has not acknowledged."""
        return len(self._outbox)

    def receive(self, data: bytes, now_ms: int) -> list[E]:
        """Take bytes in any portion, and let time pass; what came of it, in order. Never raises, whatever ``data`` holds."""
        self._now_ms = now_ms
        counters = self.counters
        broken = counters.crc_errors + counters.malformed
        for body in self._framer.feed(data):
            self._take_body(body, now_ms)
        if counters.crc_errors + counters.malformed != broken and now_ms - self._noise_ms >= NOISE_NAK_MS:
            self._noise_ms = now_ms
            self._nak_due = True
        self._tick(now_ms)
        events, self._events = self._events, []
        return events  # type: ignore[return-value]  # roles add their own events only

    def outgoing(self, now_ms: int) -> bytes:
        """The bytes to write now; empty when there are none."""
        self._now_ms = now_ms
        self._tick(now_ms)
        frames = self._plain_frames(now_ms)
        session = self._session
        if session is not None:
            ack = (self._expected - 1) & SEQ_MASK
            if not self._stale:
                for seq, payload in self._outbox.due(now_ms):
                    frames.append(self._frame(data_body(session, seq, ack, payload)))
                    self._ack_due = False
            if self._nak_due:
                self.counters.naks += 1
                frames.append(self._frame(nak_body(session, ack)))
            elif self._ack_due:
                frames.append(self._frame(ack_body(session, ack)))
        self._ack_due = self._nak_due = False
        if self._beats() and now_ms >= self._beat_ms:
            self._beat_ms = now_ms + self._period_ms
            frames.append(self._frame(plain_body(messages.encode(self._heartbeat(now_ms)))))
        # The zero ends whatever noise the line has gathered, so that it cannot take the first frame with it.
        return b"\0" + b"".join(frames) if frames else b""

    def next_deadline_ms(self) -> int | None:
        """When to call ``receive(b"", now)`` and ``outgoing(now)`` if nothing happens before; None: nothing is planned."""
        if self._events or self._has_plain() or (self._session is not None and self._has_session_frames()):
            return self._now_ms
        deadlines = [self._role_deadline_ms()]
        if self._beats():
            deadlines.append(self._beat_ms)
        if self._session is not None and not self._stale:
            deadlines += [
                self._heard_ms + LOST_PERIODS * self._period_ms + 1,
                self._outbox.deadline_ms(),
            ]
        return min((deadline for deadline in deadlines if deadline is not None), default=None)

    # ------------------------------------------------------------ what roles fill in

    def _on_plain(self, message: Message, now_ms: int) -> None:
        """An unsequenced message came, no heartbeat."""
        raise NotImplementedError

    def _on_heartbeat(self, heartbeat: Heartbeat, now_ms: int) -> bool:
        """Whether a heartbeat belongs to this session."""
        raise NotImplementedError

    def _on_message(self, message: Message, now_ms: int) -> None:
        """A message of the session came; its event is told already."""

    def _on_foreign(self, session: int) -> None:
        """A frame of another session came."""

    def _on_reset(self, session: int, now_ms: int) -> None:
        """The other side knows no such session."""

    def _on_broken(self, now_ms: int) -> None:
        """The other side acknowledges what was never sent: the two do not speak of the same session."""
        raise NotImplementedError

    def _role_tick(self, now_ms: int) -> None:
        """Time has passed."""

    def _role_deadline_ms(self) -> int | None:
        """When the role has something to do."""
        return None

    def _has_plain(self) -> bool:
        """Whether :meth:`_plain_frames` would give something at once."""
        return False

    def _plain_frames(self, now_ms: int) -> list[bytes]:
        """Frames of the role, to go before all others."""
        raise NotImplementedError

    def _beats(self) -> bool:
        """Whether heartbeats are sent."""
        raise NotImplementedError

    def _heartbeat_id(self) -> int:
        """What stands in this side's heartbeats as boot id."""
        raise NotImplementedError

    # ------------------------------------------------------------ sessions

    def _begin(self, session: int, now_ms: int, channel: Channel | None = None) -> None:
        self.counters.sessions += 1
        self._session = session
        self._channel = channel
        self._stale = self._failed = False
        self._heard_ms = now_ms
        self._expected = 1
        self._gap_seq = self._doubted = None
        self._ack_due = self._nak_due = False
        self._outbox.begin(now_ms)

    def _end(self) -> None:
        self._session = None
        self._channel = None
        self._stale = False

    def _fail(self, reason: str) -> None:
        self._end()
        self._failed = True
        self._events.append(LinkFailed(reason))

    def _queue(self, message: Message, sends: frozenset[type], sender: str) -> None:
        if type(message) not in sends or type(message) in messages.UNSEQUENCED:
            raise WrongDirection(messages.NAMES[type(message)], sender)
        self._outbox.push(messages.encode(message))

    # ------------------------------------------------------------ frames

    def tap(self, tap: Tap | None) -> None:
        """Let ``tap`` hear every frame from now on."""
        self._tap = tap

    def _plain(self, message: Message) -> bytes:
        """A frame outside of any session, never sealed."""
        return self._unsealed(plain_body(messages.encode(message)))

    def _unsealed(self, body: bytes) -> bytes:
        if self._tap is not None:
            self._tap(False, body)
        return encode_frame(body)

    def _frame(self, body: bytes) -> bytes:
        """A frame of the session, sealed where that is secured."""
        if self._tap is not None:
            self._tap(False, body)
        return encode_frame(body if self._channel is None else self._channel.seal(body))

    def _take_secured(self, body: bytes, now_ms: int) -> None:
        session = int.from_bytes(body[1:3], "big")
        if self._channel is None or session != self._session:
            self.counters.stale += 1
            self._on_foreign(session)
        elif (opened := self._channel.open(body)) is None:
            self.counters.forged += 1
        else:
            self._take_body(opened, now_ms, opened=True)

    def _take_body(self, body: bytes, now_ms: int, *, opened: bool = False) -> None:
        kind, size = body[0], len(body)
        if kind == SECURED and size > SECURED_BYTES and not opened:
            self._take_secured(body, now_ms)
            return
        if self._tap is not None:
            self._tap(True, body)
        if self._channel is not None and not opened and kind in (DATA, ACK, NAK):
            self.counters.unsecured += 1
            return
        if kind == DATA and size > DATA_HEADER.size:
            _, session, seq, ack = DATA_HEADER.unpack_from(body)
            if self._of_session(session, ack, now_ms):
                self._take_data(seq, body[DATA_HEADER.size :], now_ms)
        elif kind in (ACK, NAK) and size == ACK_LAYOUT.size:
            _, session, ack = ACK_LAYOUT.unpack(body)
            if self._of_session(session, ack, now_ms) and kind == NAK:
                self._outbox.resend()
        elif kind == PLAIN and size > 1:
            self._take_plain(body[1:], now_ms, opened=opened)
        elif kind == RESET and size == RESET_LAYOUT.size:
            self._on_reset(RESET_LAYOUT.unpack(body)[1], now_ms)
        else:
            self.counters.malformed += 1

    def _of_session(self, session: int, ack: int, now_ms: int) -> bool:
        if session != self._session:
            self.counters.stale += 1
            self._on_foreign(session)
            return False
        if not self._outbox.acknowledge(ack, now_ms):
            self._on_broken(now_ms)
            return False
        self._heard(now_ms)
        return True

    def _take_data(self, seq: int, payload: bytes, now_ms: int) -> None:
        ahead = (seq - self._expected) & SEQ_MASK
        if ahead == 0:
            self._take_next(seq, payload, now_ms)
        elif ahead >= SEQ_HALF:
            self.counters.duplicates += 1
            self._ack_due = True
        else:
            self.counters.gaps += 1
            # Numbers that grow belong to the same round of sending; asking once a round is enough.
            if self._gap_seq is None or ((seq - self._gap_seq - 1) & SEQ_MASK) >= SEQ_HALF:
                self._nak_due = True
            self._gap_seq = seq

    def _take_next(self, seq: int, payload: bytes, now_ms: int) -> None:
        message: Message | None = None
        try:
            message = self._sequenced(payload, seq)
        except ForbiddenMessage as error:
            self._forbidden(error.message_id, error.size)
        except ProtocolError as error:
            # One damaged frame in 65536 has the right CRC. Sent again it is whole; what is as unreadable then was meant so.
            if self._doubted != seq:
                self._doubted = seq
                self._count(error)
                self._nak_due = True
                return
        self._doubted = self._gap_seq = None
        self._expected = (seq + 1) & SEQ_MASK
        self._ack_due = True
        if type(message) is Overflow:
            self._expected = (message.last_seq + 1) & SEQ_MASK
            self.counters.overflows += message.lost
        if message is not None:
            self._events.append(MessageReceived(message))
            self._on_message(message, now_ms)

    def _sequenced(self, payload: bytes, seq: int) -> Message:
        """The message ``seq`` of this session; raise ``ForbiddenMessage`` or another ``ProtocolError``."""
        message = messages.decode(payload)
        if type(message) not in self._accepted:
            if type(message) in messages.WITH_UIDS:
                raise ForbiddenMessage(payload[0], len(payload))
            raise WrongDirection(messages.NAMES[type(message)], "peer")
        if type(message) is Overflow:
            count = ((message.last_seq - message.first_seq) & SEQ_MASK) + 1
            if message.first_seq != seq or count != message.lost:
                raise BadField(
                    "overflow", "first_seq", "its own number, and last_seq as many later as were lost"
                )
        return message

    def _take_plain(self, payload: bytes, now_ms: int, *, opened: bool) -> None:
        message = self._decode(payload)
        if message is None:
            return
        if type(message) is Heartbeat and self._channel is not None and not opened:
            self.counters.unsecured += 1
            return
        if type(message) is Heartbeat:
            if self._on_heartbeat(message, now_ms):
                self._heard(now_ms)
                behind = (message.last_seq - self._expected) & SEQ_MASK
                if behind < SEQ_HALF:
                    self._nak_due = True
            self._last_heartbeat = message
        elif type(message) in messages.UNSEQUENCED:
            self._on_plain(message, now_ms)
        else:
            self.counters.malformed += 1

    def _decode(self, payload: bytes) -> Message | None:
        try:
            return messages.decode(payload)
        except ForbiddenMessage as error:
            self._forbidden(error.message_id, error.size)
        except ProtocolError as error:
            self._count(error)
        return None

    def _count(self, error: ProtocolError) -> None:
        if isinstance(error, UnknownMessage):
            self.counters.unknown += 1
        else:
            self.counters.malformed += 1

    def _forbidden(self, message_id: int, size: int) -> None:
        self.counters.forbidden += 1
        self._events.append(ForbiddenReceived(message_id, size))

    # ------------------------------------------------------------ time

    def _heard(self, now_ms: int) -> None:
        self._heard_ms = now_ms
        if self._stale:
            self._stale = False
            self._events.append(HeartbeatRegained())
            self._outbox.resume(now_ms)

    def _tick(self, now_ms: int) -> None:
        if self._session is not None and not self._stale:
            if now_ms - self._heard_ms > LOST_PERIODS * self._period_ms:
                self._stale = True
                self._events.append(HeartbeatLost())
            elif self._outbox.expire(now_ms):
                self._fail("unacknowledged")
        self._role_tick(now_ms)

    def _has_session_frames(self) -> bool:
        return self._ack_due or self._nak_due or (not self._stale and self._outbox.has_due)

    def _heartbeat(self, now_ms: int) -> Heartbeat:
        last_sent = self._outbox.last_sent if self._session is not None else 0
        return Heartbeat((now_ms - self._started_ms) & U32_MASK, self._heartbeat_id(), last_sent)
