"""The sending half alone: numbers, time-outs, windows, and what stands for messages that were dropped."""

from __future__ import annotations

from firmware_protocol.framing import Counters
from firmware_protocol.outbox import (
    FIRST_RTO_MS,
    MAX_LOST,
    MAX_RTO_MS,
    MAX_TIMEOUTS,
    MIN_RTO_MS,
    WINDOW,
    WINDOW_BYTES,
    Outbox,
)


def outbox(capacity: int = 40) -> Outbox:
    box = Outbox(Counters(), capacity, lambda first, last, lost: f"{first}-{last}={lost}".encode())
    box.begin(0)
    return box


def filled(count: int, *, capacity: int = 40) -> Outbox:
    box = outbox(capacity)
    for number in range(count):
        box.push(b"%d" % number)
    return box


def test_an_acknowledgement_of_what_was_never_sent_is_noticed():
    box = filled(3)
    box.due(0)
    assert box.acknowledge(2, 1)
    assert not box.acknowledge(4, 1)
    assert not box.acknowledge(5000, 1)
    assert box.acknowledge(3, 1)
    assert not box.acknowledge(4, 1)
    assert len(box) == 0


def test_an_old_acknowledgement_changes_nothing():
    box = filled(5)
    box.due(0)
    assert box.acknowledge(4, 1)
    for old in (0, 2, 4):
        assert box.acknowledge(old, 2)
    assert len(box) == 1
    box.resend()
    assert box.due(3) == [(5, b"4")]


def test_the_window_is_held_in_messages_and_bytes():
    assert len(filled(40).due(0)) == WINDOW
    box = outbox()
    for _ in range(10):
        box.push(bytes(WINDOW_BYTES // 4))
    assert len(box.due(0)) == 4
    assert box.due(0) == []
    assert not box.has_due
    box.acknowledge(1, 1)
    assert box.has_due
    assert [seq for seq, _ in box.due(1)] == [5]


def timeouts(box: Outbox, start_ms: int) -> list[int]:
    """When time-outs come, until one is too many."""
    at, seen = start_ms, []
    while True:
        deadline = box.deadline_ms()
        assert not box.expire(deadline - 1)
        at = deadline
        seen.append(at)
        if box.expire(at):
            return seen
        assert box.due(at)


def test_time_outs_double_up_to_their_limit_and_end():
    box = filled(1)
    box.due(0)
    seen = timeouts(box, 0)
    gaps = [later - earlier for earlier, later in zip([0, *seen], seen, strict=False)]
    assert gaps[:3] == [FIRST_RTO_MS, 2 * FIRST_RTO_MS, 4 * FIRST_RTO_MS]
    assert gaps[3:] == [MAX_RTO_MS] * (MAX_TIMEOUTS - 2)
    assert len(gaps) == MAX_TIMEOUTS + 1


def test_progress_begins_the_count_of_time_outs_anew():
    box = filled(40)
    now = 0
    for ack in range(1, 20):
        box.due(now)
        for _ in range(MAX_TIMEOUTS):
            now = box.deadline_ms()
            assert not box.expire(now)
            box.due(now)
        assert box.acknowledge(ack, now)
    now = box.deadline_ms()
    assert not box.expire(now)


def test_the_time_out_follows_the_measured_round_trip_time():
    box = outbox()
    now = 0
    for ack in range(1, 41):
        box.push(b"x")
        box.due(now)
        now += 10
        box.acknowledge(ack, now)
    assert box.deadline_ms() is None
    box.push(b"x")
    box.due(now)
    assert box.deadline_ms() == now + MIN_RTO_MS
    for _ in range(40):
        box.acknowledge(box.last_sent, now + 600)
        now += 600
        box.push(b"x")
        box.due(now)
    assert 600 < box.deadline_ms() - now < 1200


def test_what_was_sent_again_is_not_measured():
    box = filled(1)
    box.due(0)
    box.resend()
    box.due(5)
    box.acknowledge(1, 6)
    box.push(b"x")
    box.due(10)
    assert box.deadline_ms() == 10 + FIRST_RTO_MS


def test_the_other_side_s_absence_is_no_time_out():
    box = filled(1)
    box.due(0)
    for _ in range(MAX_TIMEOUTS):
        assert not box.expire(box.deadline_ms())
    box.resume(100_000)
    assert box.due(100_000) == [(1, b"0")]
    assert box.deadline_ms() == 100_000 + FIRST_RTO_MS


def test_an_overflow_takes_up_the_numbers_of_what_it_stands_for():
    box = filled(40)
    flight = box.due(0)
    for number in range(40, 45):
        box.push(b"%d" % number)
    assert len(flight) == WINDOW
    assert box.acknowledge(WINDOW, 1)
    sent = box.due(1)
    assert sent[0] == (17, b"17-21=5")
    assert sent[1] == (22, b"21")
    assert box.last_sent == 21 + len(sent) - 1
    assert box.acknowledge(21, 2)
    assert box.acknowledge(box.last_sent, 2)


def test_a_new_session_keeps_an_overflow_in_its_place():
    box = filled(40)
    assert len(box.due(0)) == WINDOW
    for number in range(40, 45):
        box.push(b"%d" % number)
    box.begin(10)
    order = []
    while sent := box.due(10):
        order += [payload for _, payload in sent]
        box.acknowledge(box.last_sent, 10)
    expected = [*range(16), None, *range(21, 45)]
    assert order == [b"17-21=5" if number is None else b"%d" % number for number in expected]


def test_overflows_of_several_sessions_add_up_and_never_share_the_window():
    box = outbox(20)
    told: list[tuple[int, int, int]] = []
    pushed, plain = 0, 0
    for session in range(8):
        for _ in range(MAX_LOST // 2):
            box.push(b"m")
            pushed += 1
        sent = box.due(session)
        assert sum(b"=" in payload for _, payload in sent) <= 1
        box.begin(session)
    while sent := box.due(100):
        overflows = [payload for _, payload in sent if b"=" in payload]
        assert len(overflows) <= 1
        for payload in overflows:
            span, _, lost = payload.decode().partition("=")
            first, last = span.split("-")
            told.append((int(first), int(last), int(lost)))
        plain += len(sent) - len(overflows)
        assert box.acknowledge(box.last_sent, 100)
    for first, last, lost in told:
        assert (last - first) & 0xFFFF == lost - 1
        assert lost <= MAX_LOST
    assert plain + sum(lost for _, _, lost in told) <= pushed
    assert box._counters.overflows + plain == pushed


def test_two_overflows_are_never_in_flight_together():
    """Together they could span more than half of the numbers, and then newer could not be told from older."""
    box = filled(40)
    box.due(0)
    for number in range(40, 45):
        box.push(b"%d" % number)
    box.begin(1)
    for number in range(45, 56):
        box.push(b"%d" % number)
    assert [payload for _, payload in box.due(1)] == [b"1-11=11", b"11", b"12", b"13", b"14", b"15"]
    assert not box.has_due
    box.acknowledge(11, 2)
    assert [payload for _, payload in box.due(2)][:2] == [b"17-21=5", b"21"]


def test_numbers_wrap_and_zero_is_a_number_like_any_other():
    box = outbox()
    seen = []
    for _ in range(70_000):
        box.push(b"m")
        seen += [seq for seq, _ in box.due(0)]
        assert box.acknowledge(box.last_sent, 0)
    assert seen == [number & 0xFFFF for number in range(1, 70_001)]
