"""The seeds of the corpus, made from golden vectors and samples: ``python -m tests.fuzz.seeds``. Finds are kept beside them by hand."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import firmware_protocol
from dealer_assist.composition import demo_hands
from firmware_protocol import messages as fm
from firmware_protocol.device import DeviceLink
from firmware_protocol.frames import FrameKind, parse
from firmware_protocol.framing import Framer
from firmware_protocol.host import HostLink
from hw_sim import cli
from hw_sim.cards import deck_map
from tests.fuzz.run import CORPUS
from tests.fuzz.targets import IDENTITY, KEY, NONCE, ROOT

VECTORS = Path(firmware_protocol.__file__).parent / "vectors"
#: What an input of the C target begins with.
LINE, MESSAGE, LIVE, BODIES = (bytes((mode,)) for mode in range(4))


def _orders(portions: list[bytes]) -> bytes:
    """Portions that come in one after the other, each answered, with some time between."""
    return b"".join(bytes((0, len(each))) + each + b"\1\xff\3\x20" for each in portions)


def _talk(keys: dict[int, bytes]) -> tuple[list[bytes], list[bytes]]:
    """The bodies that a host and a device send each other while a session begins, and some reads are told."""
    host = HostLink(1000, nonce=NONCE, keys=keys, random=bytes)
    device = DeviceLink(1000, identity=IDENTITY, keys=keys, random=bytes)
    down: list[bytes] = []
    up: list[bytes] = []
    for turn in range(12):
        now_ms = 1000 + turn * 40
        to_device = host.outgoing(now_ms)
        down += Framer().feed(to_device)
        for event in device.receive(to_device, now_ms):
            if isinstance(getattr(event, "message", None), fm.InventoryRequest):
                device.send(
                    fm.Inventory(event.message.request_id, 1, now_ms, turn, 100, 1, 1, (bytes(8),)), now_ms
                )
                device.send(fm.InventoryDone(event.message.request_id), now_ms)
        if turn > 6:
            device.send(fm.TagArrived(turn, now_ms, turn, 100, b"\xe0\x04" + bytes(6)), now_ms)
        to_host = device.outgoing(now_ms)
        up += Framer().feed(to_host)
        host.receive(to_host, now_ms)
    return down, up


def seeds() -> dict[str, list[bytes]]:
    """Target → inputs."""
    vectors: dict[str, Any] = {
        name: json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
        for name in ("frames", "framing", "messages")
    }
    frames = [bytes.fromhex(vector["frame"]) for vector in vectors["frames"]]
    payloads = [bytes.fromhex(vector["payload"]) for vector in vectors["frames"] if vector["payload"]]
    payloads += [bytes.fromhex(vector["encoded"]) for vector in vectors["messages"] if "encoded" in vector]
    kinds: dict[int, bytes] = {payload[0]: payload for payload in payloads if payload}
    down, up = _talk({})
    secured_down, secured_up = _talk({1: KEY})
    assert any(parse(body).kind is FrameKind.SECURED for body in secured_up)  # type: ignore[union-attr]
    line = b"".join(frames[:12])
    sample = (ROOT / "tests" / "data" / "pluribus_sample.phhs").read_text("utf-8")
    first = sample[sample.index("[") :].split("\n\n")[0]
    cash = (ROOT / "tests" / "data" / "cash_sample.ohh.jsonl").read_bytes().splitlines(keepends=True)
    command = {
        "id": "1",
        "actor": "dealer",
        "after": 3,
        "command": {"kind": "act", "seat": 3, "action": "raise", "to": 40},
    }
    scenarios = sorted((ROOT / "tests" / "scenarios").glob("*.toml"), key=lambda file: file.stat().st_size)
    houses = ROOT / "dealer_assist" / "procedure" / "houses"
    games = ROOT / "dealer_assist" / "procedure" / "games"
    return {
        "c": [
            LINE + line,
            *(MESSAGE + data for data in kinds.values()),
            LIVE + _orders(frames[:8]),
            BODIES + _orders(down),
        ],
        "framing": [line, frames[0]],
        "message": list(kinds.values()),
        "device_line": [_orders(frames[:8])],
        "device_bodies": [_orders(down)],
        "device_secured": [_orders(secured_down)],
        "host_line": [_orders(frames[:8])],
        "host_bodies": [_orders(up)],
        "host_secured": [_orders(secured_up)],
        "channel": [secured_up[-1]],
        "dump": [line, line.hex(" ").encode()],
        "trace": [_trace()],
        "replay": [_trace(), _played("clean_heads_up"), _played("d3_seat_skipped")],
        "deck": [
            json.dumps({"deck": "A", "back": "red", "simulated": True, "cards": deck_map(1, {})}).encode()
        ],
        "key_file": [KEY.hex().encode() + b"\n"],
        "configuration": [
            min(houses.glob("*.toml"), key=lambda file: file.stat().st_size).read_bytes(),
            min(games.glob("*.toml"), key=lambda file: file.stat().st_size).read_bytes(),
            _TABLE,
        ],
        "scenario": [*(file.read_bytes() for file in scenarios[:3]), demo_hands()[0].read_bytes()],
        "phh": [first.encode() + b"\n"],
        "ohh": [min(cash, key=len)],
        "command": [
            json.dumps(command).encode(),
            b'{"id":"2","actor":"floor","after":0,"command":{"kind":"undo"}}',
        ],
        "control": [b'{"do":"garbage","device":"SIM-READER-1","count":40}', b'{"do":"status"}', *_CONTROL],
    }


def _played(scenario: str) -> bytes:
    """A scenario as a trace."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert cli.main(["trace", str(ROOT / "tests" / "scenarios" / f"{scenario}.toml")]) == 0
    return out.getvalue().encode()


def _trace() -> bytes:
    lines = [
        {
            "trace": 1,
            "house": "seed",
            "game": "nlhe",
            "limits": {"small_blind": 1, "big_blind": 2},
            "devices": [{"id": "r", "role": "reader", "antennas": {"1": "seat1", "13": "burn"}}],
            "deck": {"name": "A", "simulated": True, "cards": {"E004015088C1A200": "As"}},
        },
        {"t": 1, "open_hand": {"hand": "h", "button": 2, "seats": [{"seat": 1, "stack": 9}, {"seat": 2}]}},
        {
            "t": 2,
            "dev": "r",
            "msg": "tag_arrived",
            "antenna": 1,
            "uid": "E004015088C1A200",
            "t_ms": 2,
            "scan": 1,
        },
        {"t": 3, "dev": "r", "msg": "inventory", "antenna": 1, "uids": ["E004015088C1A200"], "t_ms": 3},
        {"t": 4, "tap": {"kind": "act", "seat": 1, "action": "fold"}, "refused": "x"},
        {"t": 5, "expect_now": {"silence": True}},
        {"t": 6, "expect": {"result": "void", "stacks": {"1": 1.5}}},
    ]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


_CONTROL = (
    b'{"do":"lay","zone":"board","cards":["As","2s"],"each_ms":400,"stay_ms":900}',
    b'{"do":"fault","component":"antenna","fault":"outage","instance":"seat4","for":"2s"}',
)
_TABLE = b"""house = "seed"
game = "nlhe"
socket = "t.sock"
seats = [1, 2, 3]

[table]
name = "T"

[limits]
small_blind = 1
big_blind = 2

[journal]
folder = "journal"

[keys]
surveillance_public_key = "s.pub"

[[devices]]
serial = "R-1"
role = "reader"
transport = "serial"
antennas = { 1 = "seat1", 2 = "board", 3 = "burn" }
"""


def main() -> None:
    """Write them."""
    for name, inputs in seeds().items():
        folder = CORPUS / name
        folder.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(inputs):
            (folder / f"seed-{number:02}.bin").write_bytes(data)


if __name__ == "__main__":
    main()
