"""The burn gate: a card shown to Debian's own pcscd, read as an application reads it. Runs in a namespace of its own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw_sim.cards import deck_of
from hw_sim.gate import READER, BurnGate

pytestmark = [pytest.mark.pcsc, pytest.mark.process, pytest.mark.xdist_group("pcsc")]

#: Which socket pyscard speaks to is fixed when its library is loaded: each look is a process of its own.
LOOK = """
import json, sys, time
from smartcard.System import readers
from smartcard.Exceptions import CardConnectionException, NoCardException
[reader] = [reader for reader in readers() if sys.argv[2] in str(reader)]
seen = []
for _ in range(int(sys.argv[1])):
    end = time.monotonic() + 10
    while True:
        connection = reader.createConnection()
        try:
            connection.connect()
            break
        except (NoCardException, CardConnectionException):
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
    begin = time.monotonic()
    data, sw1, sw2 = connection.transmit([0xFF, 0xCA, 0x00, 0x00, 0x00])
    seen.append([bytes(data).hex(), sw1, sw2, (time.monotonic() - begin) * 1000])
    other = connection.transmit([0x00, 0xA4, 0x04, 0x00])
    connection.disconnect()
print(json.dumps([str(reader), seen, other[1:]]))
"""


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BurnGate]:
    made = BurnGate(tmp_path_factory.mktemp("pcsc"))
    yield made
    made.close()


def look(gate: BurnGate, times: int = 1) -> tuple[str, list[list[object]], list[int]]:
    out = subprocess.run(
        [sys.executable, "-c", LOOK, str(times), READER],
        env={**os.environ, "PCSCLITE_CSOCK_NAME": str(gate.socket)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    name, seen, other = json.loads(out.stdout)
    return name, seen, other


def test_a_card_on_the_gate_answers_with_its_uid(gate: BurnGate) -> None:
    uid = deck_of(1)["As"]
    gate.insert(uid)
    name, [[data, sw1, sw2, _]], other = look(gate)
    gate.remove()
    assert READER in name
    assert (data, sw1, sw2) == (uid.hex(), 0x90, 0x00)
    assert other == [0x6D, 0x00]


def test_one_card_after_the_other(gate: BurnGate) -> None:
    for face in ("Kd", "2c", "9h"):
        gate.insert(deck_of(1)[face])
        _, [[data, *_]], _ = look(gate)
        gate.remove()
        assert data == deck_of(1)[face].hex()


def test_an_exchange_does_not_wait_for_acknowledgements(gate: BurnGate) -> None:
    """Without TCP_NODELAY and quick acks each takes 40 ms and more; the median of several says which it is."""
    gate.insert(deck_of(1)["As"])
    _, seen, _ = look(gate, 5)
    gate.remove()
    took = sorted(float(str(row[3])) for row in seen)
    assert took[2] < 30


def test_nothing_of_it_listens_outside_its_namespace(gate: BurnGate) -> None:
    with socket.socket() as outside, pytest.raises(OSError, match="refused"):
        outside.connect(("127.0.0.1", 35963))


def test_everything_ends_with_it(tmp_path: Path) -> None:
    made = BurnGate(tmp_path / "pcsc")
    made.insert(deck_of(1)["As"])
    assert made.socket.exists()
    made.close()
    with socket.socket(socket.AF_UNIX) as gone, pytest.raises(OSError, match=r"refused|No such file"):
        gone.connect(str(made.socket))
    end = time.monotonic() + 10
    while _served(tmp_path) and time.monotonic() < end:
        time.sleep(0.05)
    assert not _served(tmp_path)


def _served(folder: Path) -> list[str]:
    """Processes whose command line names the folder."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                line = (process / "cmdline").read_bytes()
            except OSError:
                continue
            if str(folder).encode() in line:
                found.append(process.name)
    return found
