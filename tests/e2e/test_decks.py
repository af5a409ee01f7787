"""A new deck comes to a table: registered, checked, antennas calibrated, dealt from, recorded, replayed. All over real ports."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.demo import program
from tests.e2e.rig import PATIENCE_S, SCENARIOS, Client, Part, Rig

pytestmark = [pytest.mark.process, pytest.mark.timeout(400)]

CARDS = [rank + suit for suit in "shcd" for rank in "A23456789TJQK"]


def without_decks(text: str) -> str:
    """The table's file as it is before it has any deck."""
    return re.sub(r'\[\[decks\]\]\nfile = "[^"]*"\n', "", text)


def command(rig: Rig, *words: str, code: int = 0) -> str:
    """Run a command of the terminal to its end; what it printed."""
    done = subprocess.run(
        [*program("dealer-assist"), *words, "--socket", str(rig.socket)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == code, done
    return done.stdout + done.stderr


def start(rig: Rig, name: str, *words: str) -> Part:
    """Start a command that goes on until cards were laid down."""
    # whoever runs the tests in the background has it ignored, and a child would inherit that
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return rig._start(name, [*program("dealer-assist"), *words, "--socket", str(rig.socket)])
    finally:
        signal.signal(signal.SIGINT, before)


def handled(rig: Rig, do: str, **fields: Any) -> None:
    """Let the simulator lay cards, and wait until the last one is taken away."""
    until_ms = rig.control(do, **fields)["until_ms"]
    rig.until(lambda: rig.control("status")["t_ms"] > until_ms + 500, f"{do} {fields}")


def calibrated(rig: Rig, client: Client, skipped: int) -> None:
    """Touch each antenna as it is asked for; skip the last ones by a client of our own."""
    while (fact := client.fact("setup"))["what"] == "calibration":
        if fact["of"] - fact["done"] <= skipped:
            answer = client.ask({"kind": "setup_step", "do": "skip"})
            assert answer["ok"] or answer["code"] == "stale", answer
            continue
        handled(rig, "touch", zone=fact["next"], stay_ms=4500)
        rig.until(lambda done=fact["done"]: client.fact("setup")["done"] != done, f"touched {fact['next']}")


def test_a_deck_is_registered_checked_dealt_and_recorded(tmp_path: Path) -> None:
    with Rig(speed=20.0) as rig:
        simulator = rig.simulator(SCENARIOS / "clean_showdown.toml")
        rig.control("pause")  # the dealer waits until the deck is there
        rig.write_config(without_decks)
        rig.service()
        client = rig.client()
        rig.until(lambda: client.lamps().get("SIM-READER-1") == "ok", "the reader")
        assert client.fact("decks")["decks"] == []

        # registered: left off by Ctrl-C after some cards, and gone on with
        part = start(rig, "register", "deck", "register", "Red 1", "--back", "red")
        rig.until(lambda: "0 / 52" in part.out, "the first card is asked for", part)
        handled(rig, "lay", zone="muck", cards=CARDS[:10], each_ms=900, stay_ms=450)
        rig.until(lambda: "10 / 52" in part.out, "ten cards", part)
        part.process.send_signal(2)
        assert part.process.wait(PATIENCE_S) == 130
        assert "Left off at 10 cards." in part.out
        part = start(rig, "register", "deck", "register", "Red 1")
        rig.until(lambda: "10 / 52" in part.out, "it goes on", part)
        handled(rig, "lay", zone="muck", cards=["3s", *CARDS[10:]], each_ms=900, stay_ms=450)
        assert part.process.wait(PATIENCE_S) == 0
        assert "This card was read before." in part.out and "Deck Red 1 is registered." in part.out

        # checked
        part = start(rig, "check", "deck", "check", "--dealer", "Olena K.")
        rig.until(lambda: client.fact("setup").get("what") == "check", "the check")
        handled(rig, "lay", zone="board", cards=CARDS, each_ms=400, stay_ms=900)
        assert part.process.wait(PATIENCE_S) == 0, part.tail()
        receipt = command(rig, "deck", "receipt")
        assert "Olena K." in receipt and "SIM-READER-1" in receipt and "COMPLETE" in receipt
        assert receipt.strip() in part.out

        # calibrated
        part = start(rig, "calibrate", "calibrate", "seat1", "seat2", "muck", "burn")
        rig.until(lambda: client.fact("setup").get("what") == "calibration", "the calibration")
        calibrated(rig, client, skipped=1)
        assert part.process.wait(PATIENCE_S) == 0, part.tail()
        states = [antenna["state"] for antenna in client.fact("antennas")["antennas"]]
        assert (states.count("good"), states.count("missing")) == (4, 1), (
            "three touched, the board by the check"
        )
        told = command(rig, "diagnose", "--seconds", "2")
        assert "SIM-READER-1" in told and "missing" in told

        # dealt from
        rig.control("resume")
        rig.played(simulator)
        assert "in use" in command(rig, "deck", "list")
        assert client.fact("hand")["phase"] == "closed"

        # recorded
        file = tmp_path / "hand.jsonl"
        assert "1 hands" in command(rig, "trace", "save", str(file))
        replayed = subprocess.run(
            [*program("dealer-assist"), "replay", str(file), "--check", "--json"],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert replayed.returncode == 0, replayed.stderr
        result = json.loads(replayed.stdout)
        final = {
            str(fact["seat"]): fact["stack"] for (kind, _), fact in client.sections.items() if kind == "seat"
        }
        assert {seat: final[seat] for seat in result["stacks"]} == result["stacks"]
        assert result["alerts"] == []
        head = json.loads(file.read_bytes().splitlines()[0])
        faces = {face for deck in head["decks"] for face in deck["cards"].values()}
        assert sum(face[0] not in "#!" for face in faces) == 9, "five on the board, two tabled hands"

        # put aside
        assert "Say why" in command(rig, "deck", "quarantine", "Red 1", code=1)
        assert "in quarantine" in command(rig, "deck", "quarantine", "Red 1", "--reason", "bent corner")
        assert rig.verified()


def test_without_a_table_the_commands_say_so() -> None:
    for words in (["deck", "list"], ["trace", "save", "x.jsonl"]):
        done = subprocess.run(
            [*program("dealer-assist"), *words, "--socket", "no/such.sock"],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, ""), done
        assert "no table service answers here" in done.stderr
