"""A whole session at one table: a real window on an X display, touched like a dealer does, through the table service, to simulated devices.

The table's players sit down, a deck is registered, thirty hands are dealt, six of them go wrong and are put right, and every hand is in the
history as it was played.
"""

from __future__ import annotations

import os
import re
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from dealer_assist.station.theme import HOLD_MS
from tests.e2e.rig import ROOT, Rig, waited
from tests.e2e.test_decks import CARDS, handled, without_decks
from tests.e2e.touch import Display, Finger, Relay, TouchingDealer

pytestmark = [
    pytest.mark.pcsc,
    pytest.mark.process,
    pytest.mark.xdist_group("pcsc"),
    pytest.mark.timeout(300),
]

SEATS: Final = (1, 3, 5, 7)
STACK: Final = 200
HANDS: Final = 30
WENT_WRONG: Final = 6
TRAY: Final = 4000
PIN: Final = "730286"
#: pcscd looks every 0.4 s whether a badge is still there; floor mode ends with one that was there at the PIN.
BADGE_AWAY_S: Final = 0.8
SPEED: Final = 20.0
#: How long the table waits for a late tap, in real seconds.
GRACE_S: Final = 1.5
RUN_S: Final = 180.0


def order(hand: int) -> tuple[int, ...]:
    """The seats of a hand as they are dealt to; the button, which goes round, is the last."""
    button = (hand - 1) % len(SEATS)
    return (*SEATS[button + 1 :], *SEATS[: button + 1])


def play(seats: tuple[int, ...], kind: str) -> tuple[str, list[tuple[str, str]]]:
    """The lines of a hand, and what is to be said in it, as rule and evidence at last."""
    small, big, under, button = seats
    deal = f"deal {' '.join(map(str, seats * 2))}"
    blinds_go_on = f"{button} fold\n{small} fold"
    everybody_folds = f"{under} raise 6\n{blinds_go_on}\n{big} fold"
    to_the_flop = f"{under} raise 6\n{blinds_go_on}\n{big} call"
    bet_wins = f"{big} bet 8\n{under} fold"
    match kind:
        case "steal":
            return f"{deal}\n{everybody_folds}\npush", []
        case "walk":
            return f"{deal}\n{under} fold\n{blinds_go_on}\npush", []
        case "flop":
            return f"{deal}\n{to_the_flop}\nburn\nboard 3\n{bet_wins}\npush", []
        case "showdown":
            streets = "".join(f"burn\nboard {count}\n{big} check\n{under} check\n" for count in (3, 1, 1))
            return f"{deal}\n{to_the_flop}\n{streets}show {big}\nmove seat{under} muck 2\npush", []
        case "first card exposed":
            again = f"gather\nexpect step gather_all done\nshuffle\n{deal}\nexpect X1 closed"
            said = f"deal {small}\nreport exposed {small}\nexpect X1 proven\n{again}"
            return f"{said}\n{everybody_folds}\npush", [("X1", "proven")]
        case "card exposed":
            said = f"deal {small} {big} {under}\nreport exposed {under}\nexpect X3 proven"
            rest = f"deal {button} {small} {big} {under} {button}\nexpect step deal_on done"
            mended = f"move seat{under}:1 burn\ndeal {under}\nexpect X3 closed"
            return f"{said}\n{rest}\n{mended}\n{to_the_flop}\nexpect now board\nboard 3\n{bet_wins}\npush", [
                ("X3", "proven")
            ]
        case "two cards to one seat":
            said = f"deal {small} {big} {big}\nexpect question out_of_turn\nanswer yes\nexpect D4 proven"
            again = f"gather\nexpect step gather_all done\nshuffle\n{deal}\nexpect D4 closed"
            return f"{said}\n{again}\n{everybody_folds}\npush", [("D4", "proven")]
        case "two burns":
            said = "burn\nburn\nexpect question boxed\nanswer no\nexpect N5 proven"
            mended = "move burn stub\nexpect N5 closed\nexpect now board\nboard 3"
            return f"{deal}\n{to_the_flop}\n{said}\n{mended}\n{bet_wins}\npush", [("N5", "proven")]
        case "early burn":
            early = f"burn\nboard 3\n{big} bet 8\nburn\nexpect question acted\nanswer no\nexpect N10 proven"
            mended = f"{under} call\nexpect now board\nboard 1\nexpect N10 closed"
            return f"{deal}\n{to_the_flop}\n{early}\n{mended}\n{big} bet 10\n{under} fold\npush", [
                ("N10", "proven")
            ]
        case "four cards on the flop":
            said = "burn\nboard 4\nexpect question turned_up\nanswer yes\nexpect F1 proven"
            mended = "expect now step gather_board\nmove board stub 4\nexpect step gather_board done\nshuffle\nboard 3"
            return f"{deal}\n{to_the_flop}\n{said}\n{mended}\n{bet_wins}\nexpect F1 closed\npush", [
                ("F1", "proven")
            ]
    raise ValueError(kind)


#: Between hands the shuffler has counted the other deck's fifty-two.
SHUFFLED: Final = "\nshuffler shuffling\nshuffler ready\nverdict 52\nnext\n"

#: The hands of the session, in order: mostly small ones, as at a table.
KINDS: Final = (
    *("steal", "walk", "flop", "first card exposed", "showdown"),
    *("steal", "walk", "card exposed", "steal", "flop"),
    *("steal", "two cards to one seat", "walk", "showdown", "steal"),
    *("walk", "two burns", "steal", "flop", "steal"),
    *("walk", "early burn", "showdown", "steal", "walk"),
    *("flop", "steal", "four cards on the flop", "walk", "steal"),
)


#: What a hand comes to for the small blind, the big blind and the seat behind it; the button never puts a chip in.
WON: Final = {
    **dict.fromkeys(("steal", "first card exposed", "two cards to one seat"), (-1, -2, 3)),
    "walk": (-1, 1, 0),
    "early burn": (-1, 15, -14),
}
TO_THE_FLOP: Final = (-1, 7, -6)


def house(folder: Path) -> Path:
    """The seed's house, but for the time that it waits for a late tap: the cards here are fast, and the finger is not."""
    path = folder / "slow_finger.toml"
    path.write_text(
        'name = "slow_finger"\ntitle = "The seed, for a slow finger"\n'
        'gaps = ["seed", "roberts", "wsop_cash", "tda2024", "practice"]\n[parameters]\n'
        f'tap_grace_s = {{ value = {GRACE_S * SPEED}, source = "a test" }}\n[rules]\n'
    )
    return path


def script(folder: Path) -> tuple[Path, list[list[tuple[str, str]]]]:
    """The session as a scenario, with the chips that everybody has at its end; and what is to be said in each hand."""
    lines, said = [], []
    stacks = dict.fromkeys(SEATS, STACK)
    for number, kind in enumerate(KINDS, 1):
        played, alerts = play(order(number), kind)
        lines.append(played)
        said.append(alerts)
        for seat, chips in zip(order(number), WON.get(kind, TO_THE_FLOP), strict=False):
            stacks[seat] += chips
    chips = ", ".join(f"{seat} = {stack}" for seat, stack in stacks.items())
    path = folder / "session.toml"
    path.write_text(
        f'title = "A session of {HANDS} hands"\nhouse = "{house(folder)}"\ngame = "nlhe"\nentry = "every_action"\n'
        f"table = {{ seats = {list(SEATS)}, button = {SEATS[0]}, blinds = [1, 2], stacks = {STACK} }}\n"
        'deck = "seed:7"\nscript = """\n' + SHUFFLED.join(lines) + '\nwait 20s\nexpect end completed\n"""\n'
        f'[expect]\nresult = "completed"\nattempts = 1\nstacks = {{ {chips} }}\nalerts = []\n'
    )
    return path, said


@pytest.fixture
def display() -> Iterator[Display]:
    """An X display."""
    shown = Display()
    yield shown
    shown.close()


def test_thirty_hands_by_touch(display: Display) -> None:
    assert (len(KINDS), len({*KINDS} - {"steal", "walk", "flop", "showdown"})) == (HANDS, WENT_WRONG)
    with Rig(speed=SPEED, badges=True) as rig:
        path, said = script(rig.folder)
        relay = Relay(rig.socket, rig.folder / "s.sock", rig.dealer)
        try:
            session(rig, display, relay, path, said)
        finally:
            relay.close()


def session(rig: Rig, display: Display, relay: Relay, path: Path, said: list[list[tuple[str, str]]]) -> None:
    simulator = rig.simulator(path, hold=True)
    rig.control("pause")  # nothing is dealt before the table is open
    rig.write_config(
        lambda text: without_decks(text).replace('house = "seed"', f'house = "{house(rig.folder)}"')
    )
    rig.staff("add", "12", "Olena")
    service = rig.service()
    places = rig.folder / "places"
    command = [sys.executable, "-m", "tests.e2e.told_station", str(rig.folder / "s.sock"), str(places)]
    station = rig._start(
        "station", command, {**display.env, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    )
    rig.until(lambda: "ready" in station.out, "the station's window", station)
    finger = Finger(rig, display, relay, places)
    finger.until(lambda seen: seen["link"] == "ready" and "header/table" in seen["places"], "the table")

    enrol_floor(rig, relay)
    finger.touch("header/table", "sheet-table/page-shift")  # not the dealer's: the badge is asked for
    sign_in(rig, finger, relay)
    open_table(finger, relay)
    register_deck(rig, finger, relay)
    sign_out(finger, relay)
    for seat in SEATS:
        finger.touch(f"felt/seat-{seat}", "sheet-seat/chips")
        finger.type(STACK)
        sat = finger.said("sheet-seat/sit_down")
        assert (sat["kind"], sat["seat"], sat["buy_in"], sat["result"]["ok"]) == (
            "sit_down",
            seat,
            STACK,
            True,
        ), sat

    rig.control("resume")
    TouchingDealer(rig, finger, relay).deal(simulator, HANDS, RUN_S)
    rig.control("pause")  # the readers stay
    check_history(finger, relay, said)
    finger.touch("header/table", "sheet-table/page-floor")
    sign_in(rig, finger, relay)
    sign_off(finger, relay)
    close_table(finger, relay)
    rig.control("resume")
    rig.played(simulator)  # as scripted, with the chips that everybody has
    assert station.alive() and service.alive()
    assert (station.out, station.err) == ("ready\n", "")
    assert station.stop() == 0
    assert service.stop() == 0
    again = rig.service()
    told = rig.client().ask({"kind": "ask_hands", "count": HANDS})["params"]["hands"]
    assert [line["hand"] for line in told] == [str(number) for number in range(HANDS, 0, -1)]
    assert again.stop() == 0
    assert "sound" in rig.verified()
    with sqlite3.connect(f"file:{rig.journal}?mode=ro", uri=True) as journal:
        assert journal.execute("SELECT DISTINCT simulated FROM rows").fetchall() == [(1,)]
        closed = journal.execute("SELECT hand FROM rows WHERE name = 'hand_closed' AND kind = 'mark'")
        assert [hand for (hand,) in closed] == [str(number) for number in range(1, HANDS + 1)]
    journal.close()


def enrol_floor(rig: Rig, relay: Relay) -> None:
    """A floor supervisor comes into the staff file with the badge that was just shown, and a PIN."""
    rig.until(lambda: relay.fact("device", "SIM-BADGES-1").get("state") == "ok", "the reader of badges")
    rig.control("tap_badge", badge="floor")
    rig.until(lambda: relay.fact("notice", "badge").get("params", {}).get("badge"), "the badge's name")
    rig.staff(
        "add", "40", "Petar", "--role", "floor", "--badge", relay.fact("notice", "badge")["params"]["badge"]
    )
    rig.staff("pin", "40", "--stdin", pin=PIN)


def sign_in(rig: Rig, finger: Finger, relay: Relay) -> None:
    """The badge is shown until the table knows it, and its PIN typed on the page that asks for it."""
    finger.until(lambda seen: seen["page"] == "floor", "the floor's page")
    for _ in range(3):  # a staff file that was just written is read within a second
        away_s = rig.control("tap_badge", badge="floor")["away_ms"] / 1000
        if waited(lambda: relay.fact("floor_mode").get("badge") == "Petar", 4.0):
            break
    time.sleep(away_s + BADGE_AWAY_S)  # nobody types a PIN with the badge in the same hand
    finger.touch(*[f"page-floor/pin-{digit}" for digit in PIN])
    signed = finger.said("page-floor/pin_ok")
    assert signed["kind"] == "sign_in" and signed["result"]["ok"], signed["result"]
    assert relay.fact("floor_mode")["number"] == 40


def sign_off(finger: Finger, relay: Relay) -> None:
    """The floor looks through the shift's alerts and signs."""
    finger.until(lambda seen: seen["page"] == "floor", "the floor's page")
    shift = finger.said("page-floor/tab-shift")
    assert shift["kind"] == "ask_shift" and shift["result"]["params"]["of"] == WENT_WRONG, shift["result"]
    signed = finger.said("page-floor/tab-rulings", "page-floor/sign_off")
    assert signed["kind"] == "sign_off" and signed["result"]["ok"], signed["result"]
    finger.touch("page-floor/close")


def sign_out(finger: Finger, relay: Relay) -> None:
    """The table is the dealer's again."""
    finger.touch("header/table", "sheet-table/page-floor")
    left = finger.said("page-floor/sign_out")
    assert left["kind"] == "sign_out" and left["result"]["ok"], left["result"]
    finger.touch("page-floor/close")
    assert not relay.fact("floor_mode")["name"]


def register_deck(rig: Rig, finger: Finger, relay: Relay) -> None:
    """The page of decks: a new one, card by card."""
    finger.touch("header/table", "sheet-table/page-decks", "page-decks/new")
    begun = finger.said("page-decks/back-red", "page-decks/begin")
    assert begun["kind"] == "register_deck" and begun["result"]["ok"], begun
    handled(rig, "lay", zone=begun["zone"], cards=CARDS, each_ms=900, stay_ms=450)
    rig.until(lambda: relay.fact("decks").get("decks") and not relay.fact("setup").get("what"), "the deck")
    [deck] = relay.fact("decks")["decks"]
    assert (deck["deck"], deck["state"], deck["cards"]) == (begun["deck"], "registered", 52)
    finger.touch("page-decks/close")


def open_table(finger: Finger, relay: Relay) -> None:
    """The page of the shift, which the badge has opened: the tray is counted, the table opens."""
    finger.until(lambda seen: seen["page"] == "shift", "the page of the shift")
    finger.type(TRAY)
    opened = finger.said("page-shift/open")
    assert (opened["kind"], opened["tray"], opened["result"]["ok"]) == ("open_table", TRAY, True), opened
    assert relay.fact("shift")["open"]
    finger.touch("page-shift/close")


def close_table(finger: Finger, relay: Relay) -> None:
    """The shift as it was, and its end: a key that is held."""
    finger.touch("header/table", "sheet-table/page-shift")
    closed = finger.said("page-shift/close_table", hold_s=HOLD_MS / 1000 + 0.3)
    assert (closed["kind"], closed["result"]["ok"]) == ("close_table", True), closed
    shift = relay.fact("shift")
    assert not shift["open"]
    assert (shift["hands"], shift["off"], shift["stops"], shift["questions"]) == (HANDS, 0, WENT_WRONG, 0)
    finger.touch("page-shift/close")


def check_history(finger: Finger, relay: Relay, said: list[list[tuple[str, str]]]) -> None:
    """The page of past hands has them all, and of each what was said in it: nothing else was."""
    told: list[dict[str, Any]] = []
    page = finger.said("header/table", "sheet-table/page-history")
    while True:
        assert page["kind"] == "ask_hands" and page["result"]["ok"], page
        told += page["result"]["params"]["hands"]
        if not page["result"]["params"]["next"]:
            break
        page = finger.said("page-history/older")
    told.reverse()
    assert len(told) == HANDS
    assert [line["result"] for line in told] == ["completed"] * HANDS
    found = [[(alert["rule"], alert["evidence"]) for alert in line["alerts"]] for line in told]
    assert found == said
    assert all(alert["state"] == "closed" for line in told for alert in line["alerts"])
    replayed = finger.said("page-history/hand-0")
    assert replayed["kind"] == "ask_replay" and replayed["result"]["params"]["of"] == told[0]["steps"] > 5
    finger.touch("page-history/last", "page-history/first", "page-history/to_list", "page-history/close")
    assert re.fullmatch(r"\d+", told[0]["hand"])
