"""Device time on the table's clock."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.devices.clock import DeviceClock, TableClock


def test_table_time_runs_at_its_speed_and_host_time_does_not() -> None:
    now = 100.0
    clock = TableClock(lambda: now, speed=10, start_ms=500)
    now = 102.5
    assert clock.host_ms() == 2500
    assert clock.table_ms() == 25_500


def test_the_fastest_message_sets_the_mapping() -> None:
    clock = DeviceClock()
    assert clock.to_table(70, 5000) == 5000
    clock.sample(1000, 5040)
    clock.sample(1100, 5105)
    clock.sample(1200, 5290)
    assert clock.to_table(1200, 5290) == 5205


def test_a_restart_begins_anew() -> None:
    clock = DeviceClock()
    clock.sample(100_000, 200_000)
    clock.reset()
    clock.sample(10, 201_000)
    assert clock.to_table(50, 202_000) == 201_040


def test_device_time_wraps() -> None:
    clock = DeviceClock()
    last = (1 << 32) - 1
    clock.sample(last, 1000)
    clock.sample(99, 1100)
    assert clock.to_table(99, 1100) == 1100
    assert clock.to_table(last - 50, 1100) == 950
    clock.sample(299, 1305)
    assert clock.to_table(299, 1305) == 1300


def test_a_slow_crystal_is_followed() -> None:
    clock = DeviceClock()
    # 200 ppm slow: after an hour it is 720 ms behind.
    for host in range(0, 3_600_000, 1000):
        clock.sample(host - host * 200 // 1_000_000, host + 3)
    device = 3_600_000 - 720
    assert abs(clock.to_table(device, 3_600_100) - 3_600_003) <= 15


def test_an_old_event_after_an_outage_is_not_taken_for_now() -> None:
    clock = DeviceClock()
    for device in range(0, 5000, 1000):
        clock.sample(device, device + 7000)
    # Two minutes of silence; then first what happened long ago, from the device's memory.
    clock.sample(10_000, 130_000)
    assert clock.to_table(10_000, 130_000) == 17_000


@given(st.lists(st.tuples(st.integers(0, 200_000), st.integers(0, 500)), min_size=1))
def test_never_later_than_now_and_order_is_kept(messages: list[tuple[int, int]]) -> None:
    clock = DeviceClock()
    now = 0
    for device, late in sorted(messages):
        now = max(now, device + 1000 + late)
        clock.sample(device, now)
        assert clock.to_table(device, now) <= now
        assert clock.to_table(device - 100, now) <= clock.to_table(device, now)
