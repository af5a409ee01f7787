"""Both sides of a bought reader's wire agree with the same published frames, and so with each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.devices import eccel, feig_frames
from hw_sim import eccel as eccel_twin
from hw_sim import feig as feig_twin

WIRE = Path(__file__).parents[1] / "data" / "wire"
ECCEL: list[dict[str, Any]] = json.loads((WIRE / "eccel.json").read_text())["frames"]
FEIG: dict[str, Any] = json.loads((WIRE / "feig.json").read_text())


def names(vectors: list[dict[str, Any]]) -> list[str]:
    return [vector["name"] for vector in vectors]


@pytest.mark.parametrize("vector", ECCEL, ids=names(ECCEL))
def test_eccel_frames(vector: dict[str, Any]) -> None:
    payload, wire = bytes.fromhex(vector["payload"]), bytes.fromhex(vector["wire"])
    assert eccel.frame(payload) == wire
    assert eccel_twin.framed(payload) == wire
    counts: dict[str, int] = {}
    assert eccel.EccelFrames(counts).feed(wire) == [payload]
    assert counts == {}


@pytest.mark.parametrize("vector", FEIG["requests"], ids=names(FEIG["requests"]))
def test_feig_requests(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["data"])
    wire = feig_frames.request(vector["address"], vector["control"], data, form=vector["form"])
    assert wire == bytes.fromhex(vector["wire"])
    reader = feig_twin.FeigReader(lambda _: ())
    reader.receive(wire, 0)
    assert reader.outgoing(1000), "the reader takes it for a frame"


@pytest.mark.parametrize("vector", FEIG["answers"], ids=names(FEIG["answers"]))
def test_feig_answers(vector: dict[str, Any]) -> None:
    wire = bytes.fromhex(vector["wire"])
    tags = tuple(bytes.fromhex(uid) for uid in vector["tags"])
    reader = feig_twin.FeigReader(lambda _: tags)
    reader.receive(bytes.fromhex(vector["request"]), 0)
    assert reader.outgoing(1000) == wire
    counts: dict[str, int] = {}
    frames = feig_frames.FeigFrames(feig_frames.ANY_ADDRESS, "low_first", counts)
    frames.expect(wire[2])
    (frame,) = frames.feed(wire)
    answer = feig_frames.answer_of(frame)
    assert (answer.address, answer.control) == (0, 0xB0)
    assert answer.data[1:] == b"".join(b"\x03\x00" + uid for uid in tags)
    assert counts == {}
