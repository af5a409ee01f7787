"""A gate over the real pcscd: cards shown, a service that dies and comes back, readers that are not to be used."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.pcsc import PcscThread
from dealer_assist.devices.values import PcscDevice
from dealer_assist.table.ports import InventorySeen, LinkChanged, ScanFailed, TagArrived, TagLeft

pytestmark = [pytest.mark.pcsc, pytest.mark.timeout(90)]

A = bytes.fromhex("E0040150A1B2C3D4")
B = bytes.fromhex("04A1B2C3D4E5F6")
GATE = PcscDevice(id="gate-1", reader="Virtual PCD 00 00")


@contextmanager
def watching(
    heard: Any, clock: TableClock, rig: Any, device: PcscDevice = GATE, *, allow: bool = True
) -> Iterator[PcscThread]:
    thread = PcscThread(device, heard, clock, socket=rig.socket, allow_simulated=allow)
    thread.start()
    try:
        yield thread
    finally:
        assert thread.stop(), "the thread has ended"
    assert not any(t.name == f"pcsc {device.id}" for t in threading.enumerate())


def arrived(uid: bytes):
    return lambda o: isinstance(o, TagArrived) and o.uid == uid and (o.device, o.antenna) == ("gate-1", 1)


def left(uid: bytes):
    return lambda o: isinstance(o, TagLeft) and o.uid == uid


def inventory(*uids: bytes):
    return lambda o: isinstance(o, InventorySeen) and o.uids == uids


def lies(uid: bytes):
    """The reader may be up before pcscd has looked for the card."""
    return lambda o: inventory(uid)(o) or arrived(uid)(o)


def test_cards_come_and_go(heard, clock, pcsc) -> None:
    pcsc.tell("start")
    with watching(heard, clock, pcsc) as thread:
        k = heard.link("ok")
        k = heard.until(inventory(), k)
        for uid in (A, B, A):
            pcsc.tell(f"insert {uid.hex()}")
            k = heard.until(arrived(uid), k)
            pcsc.tell("remove")
            k = heard.until(left(uid), k)
        status = thread.status()
        assert (status.state, status.losses) == ("ok", 0)
    assert len(heard.of(TagArrived)) == len(heard.of(TagLeft)) == 3
    assert not heard.of(ScanFailed)


def test_the_service_dies_and_comes_back_with_another_card(heard, clock, pcsc) -> None:
    pcsc.tell("start")
    pcsc.tell(f"insert {A.hex()}")
    with watching(heard, clock, pcsc) as thread:
        k = heard.until(lies(A))
        for uid in (B, A):
            pcsc.tell("kill")
            k = heard.link("lost", "no_service", k)
            pcsc.tell("start")
            pcsc.tell(f"insert {uid.hex()}")
            k = heard.link("ok", after=k)
            k = heard.until(lies(uid), k)
        assert thread.status().losses == 2
        assert not heard.of(TagLeft), "a service that dies says nothing about cards"


def test_the_service_is_not_there_yet(heard, clock, pcsc) -> None:
    with watching(heard, clock, pcsc):
        k = heard.link("connecting")
        k = heard.link("lost", "no_service", k)
        pcsc.tell("start")
        heard.until(inventory(), heard.link("ok", after=k))


def test_an_inventory_on_request(heard, clock, pcsc) -> None:
    pcsc.tell("start")
    pcsc.tell(f"insert {A.hex()}")
    with watching(heard, clock, pcsc) as thread:
        k = heard.until(lies(A))
        for _ in range(3):
            thread.request_inventory()
            k = heard.until(inventory(A), k)
    assert [o.state for o in heard.of(LinkChanged)] == ["connecting", "ok"]


def test_a_card_that_answers_nonsense_is_a_failed_scan_and_then_a_card(heard, clock, pcsc) -> None:
    pcsc.tell("start")
    with watching(heard, clock, pcsc) as thread:
        k = heard.until(inventory())
        for answer, reason in (
            ("6300", "refused"),
            ("6A81", "not_supported"),
            ("90", "bad_answer"),
            ("0102039000", "bad_answer"),
        ):
            pcsc.tell(f"answer {answer}")
            pcsc.tell(f"insert {A.hex()}")
            k = heard.until(lambda o, reason=reason: isinstance(o, ScanFailed) and o.reason == reason, k)
            assert not heard.of(TagArrived)
            pcsc.tell("remove")
        pcsc.tell(f"answer {A.hex()}6282")
        pcsc.tell(f"insert {A.hex()}")
        k = heard.until(arrived(A), k)
        assert thread.status().state == "ok"
        heard.until(lambda o: thread.status().counters.get("refused", 0) > 0)


def test_the_virtual_reader_is_refused_unless_allowed(heard, clock, pcsc) -> None:
    pcsc.tell("start")
    pcsc.tell(f"insert {A.hex()}")
    with watching(heard, clock, pcsc, allow=False) as thread:
        heard.link("refused", "simulated_not_allowed")
        assert thread.status().state == "refused"
    assert all(isinstance(o, LinkChanged) for o in heard.all)


def test_a_reader_of_another_name_is_not_taken(heard, clock, pcsc) -> None:
    pcsc.tell("start")
    with watching(heard, clock, pcsc, PcscDevice(id="gate-1", reader="Other")):
        heard.link("lost", "no_reader")
