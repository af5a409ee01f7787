"""Several PC/SC readers on the real pcscd, and what such readers do to their hosts: pulled, stuck, taken by others, badges."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.devices import scard
from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.lamp import Lamp
from dealer_assist.devices.pcsc import PcscThread
from dealer_assist.devices.pcsc_reader import PcscReader, badge_id
from dealer_assist.devices.supervisor import DeviceSupervisor
from dealer_assist.devices.values import DevicesConfig, PcscDevice
from dealer_assist.devices.zones import ZoneParameters, Zones
from dealer_assist.table.ports import (
    BadgeLeft,
    BadgeSeen,
    InventorySeen,
    LinkChanged,
    ScanFailed,
    TagArrived,
    TagLeft,
    TagPlaced,
)
from tests.devices import own_readers as own
from tests.devices.contract import Subject, judge
from tests.devices.contract import Table as Play
from tests.devices.contract_subjects import iso_15693
from tests.devices.own_readers import OwnReader

pytestmark = [pytest.mark.pcsc, pytest.mark.timeout(90)]

A = bytes.fromhex("E0040150A1B2C3D4")
B = bytes.fromhex("04A1B2C3D4E5F6")
BADGE = bytes.fromhex("5AC31E77")
KEY = bytes(range(32))
GATE = PcscDevice(id="gate", reader="ACR122")
SHOE = PcscDevice(id="shoe", reader="uTrust")
BADGES = PcscDevice(id="badges", reader="OMNIKEY", role="badge")
NAMES = ["ACS ACR122U PICC", "Identiv uTrust 3720", "HID OMNIKEY 5022"]


def waited(holds: Any) -> None:
    """Wait for something that no observation tells."""
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def looked(reader: OwnReader) -> None:
    """Let pcscd, and then the table, see what lies on a reader or that nothing does."""
    looks = reader.count(own.LOOKS)
    waited(lambda: reader.count(own.LOOKS) >= looks + 2)
    time.sleep(0.2)


class Table:
    """Readers on pcscd, and what the supervisor says of them."""

    def __init__(self, rig: Any, heard: Any, supervisor: DeviceSupervisor, conf: Path) -> None:
        self.rig = rig
        self.heard = heard
        self.supervisor = supervisor
        self.conf = conf

    def of(self, device: str, kind: type) -> list[Any]:
        return [o for o in self.heard.of(kind) if o.device == device]

    def until(self, device: str, kind: type, after: int = 0, **fields: Any) -> int:
        return self.heard.until(
            lambda o: (
                isinstance(o, kind)
                and o.device == device
                and all(getattr(o, name) == value for name, value in fields.items())
            ),
            after,
        )

    def lamp(self, device: str, state: str, detail: str = "", after: int = 0) -> int:
        return self.until(device, LinkChanged, after, state=state, detail=detail)

    def here(self) -> int:
        return len(self.heard.all)

    def counters(self, device: str) -> dict[str, int]:
        return next(status.counters for status in self.supervisor.status() if status.id == device)


@contextmanager
def table_of(
    rig: Any, heard: Any, clock: TableClock, folder: Path, *devices: PcscDevice, names: list[str] = NAMES
) -> Iterator[tuple[Table, list[OwnReader]]]:
    conf, readers = own.configured(folder, names)
    rig.tell(f"start {conf}")
    config = DevicesConfig(pcsc=devices, pcsc_socket=rig.socket, badge_key=KEY)
    supervisor = DeviceSupervisor(config, heard, clock)
    supervisor.start()
    table = Table(rig, heard, supervisor, conf)
    try:
        for device in devices:
            table.lamp(device.id, "ok")
        yield table, readers
    finally:
        assert supervisor.stop(), "all threads have ended"
    assert not [t.name for t in threading.enumerate() if t.name.startswith("pcsc")]


def test_three_readers_each_at_its_place(pcsc, heard, clock, pcsc_folder) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, GATE, SHOE, BADGES) as (table, (gate, shoe, badges)):
        gate.lay(A)
        shoe.lay(B)
        table.until("gate", TagArrived, uid=A)
        table.until("shoe", TagArrived, uid=B)
        gate.take()
        table.until("gate", TagLeft, uid=A)
        badges.lay(BADGE)
        table.until("badges", BadgeSeen, badge=badge_id(KEY, BADGE))
        shoe.take()
        table.until("shoe", TagLeft, uid=B)
        models = {status.id: status.model.split(":")[0] for status in table.supervisor.status()}
    assert models == {"gate": "ACR122", "shoe": "Identiv", "badges": "HID"}
    assert table.of("gate", TagArrived)[0].scan_period_ms == 250
    assert not heard.of(ScanFailed)


def test_a_badge_is_told_when_it_is_shown_and_only_as_its_hash(pcsc, heard, clock, pcsc_folder) -> None:
    other = bytes.fromhex("04112233445566")
    phone = bytes.fromhex("08A1B2C3")
    names = [NAMES[2]]
    badge, stranger = badge_id(KEY, BADGE), badge_id(KEY, other)
    conf, (reader,) = own.configured(pcsc_folder, names)
    reader.lay(other)  # left lying there: nobody shows it
    pcsc.tell(f"start {conf}")
    config = DevicesConfig(pcsc=(BADGES,), pcsc_socket=pcsc.socket, badge_key=KEY)
    supervisor = DeviceSupervisor(config, heard, clock)
    supervisor.start()
    table = Table(pcsc, heard, supervisor, conf)
    try:
        table.lamp("badges", "ok")
        waited(lambda: reader.count(own.EXCHANGES) >= 2)
        reader.take()
        looked(reader)
        reader.lay(BADGE)
        k = table.until("badges", BadgeSeen, badge=badge)
        reader.take()  # for a moment: held at an angle
        looked(reader)
        for shown in (BADGE, phone):
            before = reader.count(own.EXCHANGES)
            reader.lay(shown)
            waited(lambda before=before: reader.count(own.EXCHANGES) >= before + 2)
            reader.take()
            looked(reader)
        reader.lay(other)
        table.until("badges", BadgeSeen, k, badge=stranger)
    finally:
        assert supervisor.stop()
    assert [seen.badge for seen in heard.of(BadgeSeen) if not seen.back] == [badge, stranger]
    assert {seen.badge for seen in heard.of(BadgeSeen) if seen.back} <= {badge}
    assert {left.badge for left in heard.of(BadgeLeft)} == {badge, stranger}, (
        "a phone has no name to leave by"
    )
    assert {type(o) for o in heard.all} == {LinkChanged, BadgeSeen, BadgeLeft}
    assert not [o for o in heard.all if BADGE.hex() in repr(o).lower() or other.hex() in repr(o).lower()]


def test_a_badge_that_is_taken_in_the_middle_of_an_exchange_says_nothing(
    pcsc, heard, clock, pcsc_folder
) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, BADGES) as (table, (*_, badges)):
        badges.exchanges(own.TAKEN, times=1)
        badges.lay(BADGE)
        waited(lambda: badges.count(own.EXCHANGES) >= 1)
        looked(badges)
        assert not heard.of(BadgeSeen)
        badges.lay(BADGE)
        table.until("badges", BadgeSeen, badge=badge_id(KEY, BADGE))
    assert {type(o) for o in heard.all} == {LinkChanged, BadgeSeen}


def test_badge_names_do_not_collide_and_need_the_key() -> None:
    uids = [n.to_bytes(4, "big") for n in range(2000)]
    assert len({badge_id(KEY, uid) for uid in uids}) == len(uids)
    assert badge_id(KEY, BADGE) != badge_id(bytes(32), BADGE)
    assert [len(part) for part in badge_id(KEY, BADGE).split("-")] == [4, 4, 4]


def test_a_reader_that_is_pulled_and_comes_back(pcsc, heard, clock, pcsc_folder) -> None:
    """Its driver says that there is no such device. (That its name goes, too, is udev's work, which no test has.)"""
    with table_of(pcsc, heard, clock, pcsc_folder, GATE, SHOE) as (table, (gate, shoe, _)):
        gate.lay(A)
        k = table.until("gate", TagArrived, uid=A)
        pulled_ms = clock.host_ms()
        gate.plug(on=False)
        k = table.until("gate", LinkChanged, k, state="fault", detail="reader_stuck")
        lost_ms = clock.host_ms() - pulled_ms
        shoe.lay(B)
        table.until("shoe", TagArrived, uid=B)
        gate.lay(B)
        put_ms = clock.host_ms()
        gate.plug(on=True)
        k = table.lamp("gate", "ok", after=k)
        table.until("gate", InventorySeen, k - 1, uids=(B,))
        print(f"\nreader pulled: told after {lost_ms} ms; put in: read after {clock.host_ms() - put_ms} ms")
    assert not table.of("gate", TagLeft), "a reader that is pulled says nothing about cards"
    assert [o.state for o in table.of("shoe", LinkChanged)] == ["connecting", "ok"]


def test_a_reader_that_is_not_there_any_more_after_a_restart(pcsc, heard, clock, pcsc_folder) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, GATE, SHOE) as (table, readers):
        whole = table.conf.read_text()
        pcsc.tell("end")
        k = table.lamp("gate", "lost", "no_service")
        table.conf.write_text(whole.split("\n\n", 1)[1])
        pcsc.tell(f"start {table.conf}")
        k = table.lamp("gate", "lost", "no_reader", after=k)
        table.lamp("shoe", "ok", after=k - 3)
        readers[0].lay(A)
        table.conf.write_text(whole)
        pcsc.tell("end")
        pcsc.tell(f"start {table.conf}")
        k = table.lamp("gate", "ok", after=k)
        heard.until(lambda o: o.device == "gate" and A in (getattr(o, "uid", b""), *getattr(o, "uids", ())))


def test_a_card_in_the_place_of_another_that_pcscd_has_not_noticed(pcsc, heard, clock, pcsc_folder) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, GATE) as (table, (gate, *_)):
        gate.lay(A)
        k = table.until("gate", TagArrived, uid=A)
        gate.lay(B)  # at once: no state in between
        k = table.until("gate", TagLeft, k, uid=A)
        table.until("gate", TagArrived, k, uid=B)
    assert [o.state for o in table.of("gate", LinkChanged)] == ["connecting", "ok"]


def test_the_contract_on_the_real_pcscd(pcsc, heard, clock, pcsc_folder) -> None:
    """As for every driver, but that the line is pcscd: nothing lost, doubled or invented, order kept."""
    stay_ms = 2200  # pcscd looks every 0.4 s, and every 1 s for a card in the place of another
    subject = Subject("pcsc", (1,), iso_15693, None, None, None, most=1)  # type: ignore[arg-type]
    with table_of(pcsc, heard, clock, pcsc_folder, GATE) as (_, (gate, *_)):
        begin_ms = clock.host_ms() + 200
        play = Play(subject, random.Random(7), moves=5, stay_ms=stay_ms, begin_ms=begin_ms)
        lying: tuple[bytes, ...] = ()
        while clock.host_ms() < play.end_ms:
            play.field.until(clock.host_ms())
            now = play.field.inventory(1)
            if now != lying:
                lying = now
                gate.lay(now[0]) if now else gate.take()
            time.sleep(0.01)
    judge(play, heard.all, subject, stay_ms=stay_ms, slop_ms=600)


class Names:
    """A context that knows names and nothing else."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def readers(self) -> list[str]:
        return list(self.names)


def test_a_state_that_pcscd_does_not_know_is_a_reader_gone_or_one_that_is_stuck(heard, clock) -> None:
    reader = PcscReader(GATE, Lamp("gate", "reader", heard, clock), heard, clock)
    for names, state, detail in (((NAMES[0],), "fault", "reader_stuck"), ((), "lost", "no_reader")):
        reader.bind(NAMES[0])
        reader.see(Names(*names), scard.STATE_GONE)
        heard.link(state, detail)
        assert not reader.name


def test_a_reader_that_is_pulled_in_the_middle_of_an_exchange(pcsc, heard, clock, pcsc_folder) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, GATE, SHOE) as (table, (gate, shoe, _)):
        gate.exchanges(own.PULLED, times=1)
        gate.lay(A)
        k = table.until("gate", LinkChanged, state="fault", detail="reader_stuck")
        shoe.lay(B)
        table.until("shoe", TagArrived, uid=B)
        gate.plug(on=True)
        k = table.lamp("gate", "ok", after=k)
        table.until("gate", InventorySeen, k - 1, uids=(A,))
    assert not table.of("gate", TagArrived), "nothing was read before"
    assert not table.of("gate", TagLeft)


def test_a_card_that_is_taken_in_the_middle_of_an_exchange(pcsc, heard, clock, pcsc_folder) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, GATE) as (table, (gate, *_)):
        gate.exchanges(own.TAKEN, times=1)
        gate.lay(A)
        waited(lambda: gate.count(own.EXCHANGES) >= 1)
        gate.lay(B)
        table.until("gate", TagArrived, uid=B)
    assert [o.uid for o in table.of("gate", TagArrived)] == [B]


def test_a_reader_whose_answers_break_off_is_brought_round(pcsc, heard, clock, pcsc_folder) -> None:
    """As the ACR122U's do after a while: from the fourth try on the card's power is taken away in between."""
    with table_of(pcsc, heard, clock, pcsc_folder, GATE) as (table, (gate, *_)):
        gate.exchanges(own.ERROR, times=8)
        before = gate.count(own.POWERED)
        gate.lay(A)
        table.until("gate", ScanFailed, reason="not_transacted")
        table.until("gate", TagArrived, uid=A)
        assert gate.count(own.POWERED) - before >= 3
        assert table.counters("gate")["not_transacted"] == 8
    assert len(table.of("gate", ScanFailed)) == 8
    assert [o.state for o in table.of("gate", LinkChanged)] == ["connecting", "ok"]


def test_a_reader_that_pcscd_lists_but_cannot_ask(pcsc, heard, clock, pcsc_folder) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, GATE, SHOE) as (table, (gate, *_)):
        gate.silent(on=True)
        k = table.until("gate", LinkChanged, state="fault", detail="reader_stuck")
        gate.silent(on=False)
        gate.lay(A)
        k = table.lamp("gate", "ok", after=k)
        heard.until(lambda o: o.device == "gate" and A in (getattr(o, "uid", b""), *getattr(o, "uids", ())))
    assert [o.state for o in table.of("shoe", LinkChanged)] == ["connecting", "ok"]


def test_a_mute_card_is_a_failed_scan(pcsc, heard, clock, pcsc_folder) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, GATE) as (table, (gate, *_)):
        gate.mute(on=True)
        gate.lay(A)
        k = table.until("gate", ScanFailed, reason="mute")
        gate.take()
        looked(gate)
        gate.mute(on=False)
        gate.lay(A)
        table.until("gate", TagArrived, k, uid=A)


@pytest.mark.parametrize(
    ("answer", "uid", "reason", "counter"),
    [
        ("6C08", A, "", "wrong_length"),
        (A.hex() + "6282", A, "", "short_answer"),
        (B.hex() * 3 + "9000", B, "", "repeated_uid"),
        ("6A81", None, "not_supported", "not_supported"),
        ("6300", None, "refused", "refused"),
        ("9000", None, "bad_answer", "bad_answer"),
        (A[::-1].hex() + "9000", None, "reversed", "reversed"),
        ("6B00", None, "bad_answer", "bad_answer"),
    ],
)
def test_answers_to_get_uid(pcsc, heard, clock, pcsc_folder, answer, uid, reason, counter) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, GATE) as (table, (gate, *_)):
        times = 1 if answer.startswith("6C") else own.ALWAYS
        gate.exchanges(own.FIXED, answer=bytes.fromhex(answer), times=times)
        gate.lay(A)
        if uid is None:
            table.until("gate", ScanFailed, reason=reason)
        else:
            table.until("gate", TagArrived, uid=uid)
        waited(lambda: table.counters("gate").get(counter, 0) >= 1)


def test_a_reader_that_gives_uids_back_to_front(pcsc, heard, clock, pcsc_folder) -> None:
    turned = PcscDevice(id="gate", reader="ACR122", uid_order="lsb_first")
    with table_of(pcsc, heard, clock, pcsc_folder, turned) as (table, (gate, *_)):
        gate.lay(A[::-1])
        k = table.until("gate", TagArrived, uid=A)
        gate.take()
        k = table.until("gate", TagLeft, k, uid=A)
        gate.lay(B)  # ISO 14443: no order but its own
        table.until("gate", TagArrived, k, uid=B)


def test_what_a_reader_is_told_once(pcsc, heard, clock, pcsc_folder) -> None:
    quiet = PcscDevice(
        id="gate", reader="ACR122", setup=(bytes.fromhex("FF00520000"), bytes.fromhex("FFCC0000"))
    )
    with table_of(pcsc, heard, clock, pcsc_folder, quiet) as (table, (gate, *_)):
        k = 0
        for uid in (A, B):
            gate.lay(uid)
            k = table.until("gate", TagArrived, k, uid=uid)
            gate.take()
            k = table.until("gate", TagLeft, k, uid=uid)
        assert gate.count(own.COMMANDS) == 1
        assert (table.counters("gate")["setup_done"], table.counters("gate")["setup_refused"]) == (1, 1)
        gate.plug(on=False)
        k = table.until("gate", LinkChanged, k, state="fault")
        gate.lay(A)
        gate.plug(on=True)
        table.lamp("gate", "ok", after=k)
        waited(lambda: gate.count(own.COMMANDS) == 2)


def test_a_card_that_comes_and_goes_while_it_lies_is_one_reading_at_the_gate(
    pcsc, heard, clock, pcsc_folder
) -> None:
    """A clone says that the card was removed while it lies there."""
    zones = Zones({("gate", 1): "gate"}, parameters=ZoneParameters(gates=frozenset({"gate"})))
    with table_of(pcsc, heard, clock, pcsc_folder, GATE) as (table, (gate, *_)):
        k = 0
        for _ in range(3):
            gate.lay(A)
            k = table.until("gate", TagArrived, k, uid=A)
            gate.take()
            k = table.until("gate", TagLeft, k, uid=A)
    placed = [movement for o in heard.all for movement in zones.feed(o)]
    assert len([m for m in placed if isinstance(m, TagPlaced)]) == 1


HOLD = """
import sys, time
from smartcard import scard
_, context = scard.SCardEstablishContext(scard.SCARD_SCOPE_SYSTEM)
for _ in range(1000):
    code, card, _ = scard.SCardConnect(context, sys.argv[1], scard.SCARD_SHARE_EXCLUSIVE, scard.SCARD_PROTOCOL_T1)
    if code == 0:
        break
    time.sleep(0.01)  # we have it at this moment
print(code, flush=True)
sys.stdin.readline()
"""


def test_a_reader_that_another_program_holds_for_itself(pcsc, heard, clock, pcsc_folder) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, GATE, SHOE) as (table, (gate, shoe, _)):
        gate.lay(A)
        k = table.until("gate", TagArrived, uid=A)
        other = subprocess.Popen(
            [sys.executable, "-c", HOLD, f"{gate.name} 00 00"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PCSCLITE_CSOCK_NAME": pcsc.socket},
        )
        assert other.stdout is not None
        assert other.stdout.readline().strip() == "0"
        try:
            k = table.until("gate", LinkChanged, k, state="fault", detail="reader_in_use")
            table.until("gate", ScanFailed, reason="in_use")
            shoe.lay(B)
            table.until("shoe", TagArrived, uid=B)
        finally:
            other.communicate("\n", timeout=20)
        table.lamp("gate", "ok", after=k)
    assert len(table.of("gate", TagArrived)) == 1
    assert not table.of("gate", TagLeft), "that nobody could read it does not say that it is gone"


def test_pcscd_is_killed_or_restarted_in_the_middle_of_it(pcsc, heard, clock, pcsc_folder) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, GATE, SHOE) as (table, (gate, shoe, _)):
        gate.lay(A)
        k = table.until("gate", TagArrived, uid=A)
        for how in ("kill", "end", "kill"):
            began_ms = clock.host_ms()
            pcsc.tell(how)
            k = table.lamp("gate", "lost", "no_service", after=k)
            lost_ms = clock.host_ms() - began_ms
            pcsc.tell(f"start {table.conf}")
            began_ms = clock.host_ms()
            k = table.lamp("gate", "ok", after=k)
            print(
                f"\npcscd {how}: told after {lost_ms} ms; back {clock.host_ms() - began_ms} ms after its start"
            )
        table.until("gate", InventorySeen, k - 1)
        shoe.lay(B)
        heard.until(lambda o: o.device == "shoe" and B in (getattr(o, "uid", b""), *getattr(o, "uids", ())))
    assert not table.of("gate", TagLeft)


def test_pcscd_is_killed_in_the_middle_of_an_exchange(pcsc, heard, clock, pcsc_folder) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, GATE) as (table, (gate, *_)):
        gate.exchanges(own.SLOW, times=1, parameter=100)
        gate.lay(A)
        waited(lambda: gate.count(own.EXCHANGES) >= 1)
        pcsc.tell("kill")
        k = table.lamp("gate", "lost", "no_service")
        pcsc.tell(f"start {table.conf}")
        k = table.lamp("gate", "ok", after=k)
        heard.until(lambda o: A in (getattr(o, "uid", b""), *getattr(o, "uids", ())), k - 1)


def test_a_service_that_hangs_is_told_by_whoever_looks_at_the_lamps(pcsc, heard, clock, pcsc_folder) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, GATE) as (table, (gate, *_)):
        pcsc.tell("hang")
        try:
            heard.until(lambda o: True)
            deadline = time.monotonic() + 20
            while table.supervisor.status()[0].state != "stale" and time.monotonic() < deadline:
                time.sleep(0.1)
            k = table.until("gate", LinkChanged, state="stale", detail="service_hangs")
        finally:
            pcsc.tell("go_on")
        table.lamp("gate", "ok", after=k)
        gate.lay(A)
        table.until("gate", TagArrived, uid=A)


def test_a_reader_that_dawdles_does_not_make_the_other_deaf(pcsc, heard, clock, pcsc_folder) -> None:
    with table_of(pcsc, heard, clock, pcsc_folder, GATE, SHOE) as (table, (gate, shoe, _)):
        gate.exchanges(own.SLOW, times=2, parameter=250)
        gate.lay(A)
        waited(lambda: gate.count(own.EXCHANGES) >= 1)
        for uid in (B, A):
            k = table.here()
            shoe.lay(uid)
            table.until("shoe", TagArrived, k, uid=uid)
            shoe.take()
            table.until("shoe", TagLeft, k, uid=uid)
        table.until("gate", TagArrived, uid=A)
    order = [o.device for o in heard.of(TagArrived)]
    assert order == ["shoe", "shoe", "gate"]


def test_sixteen_readers_are_all_that_pcscd_takes(pcsc, heard, clock, pcsc_folder) -> None:
    names = [f"Plain reader {chr(ord('A') + n)}" for n in range(17)]
    first = PcscDevice(id="first", reader="Plain reader A")
    conf, readers = own.configured(pcsc_folder, names)
    pcsc.tell(f"start {conf}")
    last = PcscDevice(id="last", reader="Plain reader Q")
    supervisor = DeviceSupervisor(DevicesConfig(pcsc=(first, last), pcsc_socket=pcsc.socket), heard, clock)
    supervisor.start()
    try:
        heard.link("lost", "too_many_readers")
        readers[0].lay(A)
        heard.until(lambda o: o.device == "first" and A in (getattr(o, "uid", b""), *getattr(o, "uids", ())))
    finally:
        assert supervisor.stop()


def test_a_user_whom_no_rule_lets_in_is_told_so(heard, clock, monkeypatch) -> None:
    """Debian 12's pcscd asks no polkit; newer ones do, and refuse the context."""

    def refuse() -> None:
        raise scard.ServiceLost(scard.NO_PERMISSION)

    monkeypatch.setattr("dealer_assist.devices.pcsc.Context", refuse)
    thread = PcscThread(GATE, heard, clock)
    thread.start()
    heard.link("lost", "no_permission")
    assert thread.stop()


def _open() -> tuple[int, int]:
    return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()


def test_a_thousand_contexts_and_cards_leave_nothing_behind(pcsc, pcsc_folder, monkeypatch) -> None:
    monkeypatch.setenv("PCSCLITE_CSOCK_NAME", pcsc.socket)
    conf, (reader,) = own.configured(pcsc_folder, [NAMES[0]])
    pcsc.tell(f"start {conf}")
    reader.lay(A)
    name = f"{NAMES[0]} 00 00"

    def cycle() -> bool:
        context = scard.Context()
        try:
            [(_, state)] = context.changes([(name, scard.STATE_UNAWARE)], 1000) or [("", 0)]
            return bool(state & scard.STATE_PRESENT) and context.uid(name, state, {}) == A
        finally:
            context.release()

    waited(cycle)
    before = _open()
    assert all(cycle() for _ in range(1000))
    assert _open() == before
    assert reader.count(own.EXCHANGES) >= 2000


def test_threads_that_come_and_go_leave_nothing_behind(pcsc, heard, clock, pcsc_folder) -> None:
    conf, _ = own.configured(pcsc_folder, [NAMES[0]])
    pcsc.tell(f"start {conf}")

    def cycle() -> None:
        k = len(heard.all)
        thread = PcscThread(GATE, heard, clock, socket=pcsc.socket)
        thread.start()
        heard.link("ok", after=k)
        assert thread.stop()

    for _ in range(3):
        cycle()
    before = _open()
    for _ in range(30):
        cycle()
    assert _open() == before
