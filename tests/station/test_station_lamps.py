"""What a device's lamp says: its state, why, and the one thing to do; and the seven states that a mechanic knows from the readers' own
lights (ok, securing, unregistered card, same card twice, one card on several antennas, connected but silent, off)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

import dealer_assist.devices
from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.facts import AlertFact, DeviceFact, Fact, NoticeFact
from dealer_assist.station import theme, wording
from dealer_assist.station.canned_alerts import EARLY_TURN
from dealer_assist.station.i18n import LANGUAGES, Translator, load_all
from dealer_assist.station.viewmodel import ViewState

CATALOGUES = load_all()
DEVICES = Path(next(iter(dealer_assist.devices.__path__)))
#: Where in a call the code stands, by the name of what is called.
CODES = {"LinkLost": 0, "Refused": 0, "mapping": 0, "_mapping": 0, "show": 1, "_lose": 1}
#: What our protocol's link and its security say (firmware_protocol.events.LinkFailed, firmware_protocol.errors.SecurityMismatch).
OF_THE_LINK = ("unacknowledged", "inventory", "sequence", "no_key", "unknown_key", "not_offered", "wrong_key")
#: Details of a lamp that is well: a lamp of its own says them.
OF_WELL = ("not_secured", "plain_line", "")


def details() -> Iterator[str]:
    for path in sorted(DEVICES.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                place = CODES.get(getattr(node.func, "attr", getattr(node.func, "id", "")))
                if place is not None and len(node.args) > place:
                    for value in ast.walk(node.args[place]):
                        if isinstance(value, ast.Constant) and isinstance(value.value, str):
                            yield value.value
    yield from OF_THE_LINK
    yield from ("no_permission", "in_use", "no_port")  # by the number of the system's error


FOUND = sorted(set(details()) - set(OF_WELL))


def test_the_sources_say_why() -> None:
    assert {"unplugged", "none_of_ports", "securing", "protocol_version", "wrong_serial"} <= set(FOUND)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("detail", FOUND)
def test_every_reason_of_a_lamp_has_its_words(language: str, detail: str) -> None:
    params = {"found": "X-9", "device": "2.0", "host": "1.2", "key": 3, "update": "firmware"}
    fact = DeviceFact("TR-1", "reader", "refused", ("board",), detail, params)
    tr = Translator(language, CATALOGUES)
    assert tr.has(f"device_detail.{detail}"), detail
    first = wording.lamps(tr, (fact,))[0]
    assert first.text.startswith("TR-1: ") and "_" not in first.text and "{" not in first.text


def test_another_version_names_the_device_both_versions_and_the_one_thing_to_do() -> None:
    tr = Translator("en", CATALOGUES)
    older = {"device": "1.0", "host": "2.0", "update": "firmware"}
    newer = {"device": "3.0", "host": "2.0", "update": "table"}
    said = [
        wording.lamps(tr, (DeviceFact("TR-1", "reader", "refused", (), "protocol_version", params),))[0].text
        for params in (older, newer)
    ]
    assert said == [
        "TR-1: protocol 1.0, here 2.0: update its firmware",
        "TR-1: protocol 3.0, here 2.0: update the table service",
    ]


def shown(*facts: Fact, device: DeviceFact) -> list[tuple[str, str]]:
    state = ViewState(
        facts={
            **{
                ("alert" if isinstance(fact, AlertFact) else "notice", str(n)): fact
                for n, fact in enumerate(facts)
            },
            ("device", device.id): device,
        }
    )
    found = wording.lamps(Translator("en", CATALOGUES), state.devices, wording.troubled_zones(state))
    return [(lamp.text, lamp.state) for lamp in found]


def k1() -> Alert:
    return replace(
        EARLY_TURN, id="h/1", rule="K1", evidence="probable", state="open", params={"zone": "seat2"}
    )


SEATS = ("seat1", "seat2")
OK = DeviceFact("R", "reader", "ok", SEATS)


@pytest.mark.parametrize(
    ("facts", "device", "first"),
    [
        ((), OK, ("Seats 1–2", "ok")),
        (
            (),
            DeviceFact("R", "reader", "connecting", SEATS, "securing"),
            ("R: securing its line", "connecting"),
        ),
        (
            (NoticeFact("unknown/seat1", "unknown_card", {"zone": "seat1"}),),
            OK,
            ("Seat 1: unknown card", "unknown_card"),
        ),
        ((AlertFact(k1()),), OK, ("Seat 2: same card twice", "same_card")),
        (
            (NoticeFact("zone/seat2", "zone_conflict", {"zone": "seat2"}),),
            OK,
            ("Seat 2: card at two antennas", "conflict"),
        ),
        ((), DeviceFact("R", "reader", "stale", SEATS, "no_heartbeat"), ("R: no heartbeat", "stale")),
        ((), DeviceFact("R", "reader", "lost", SEATS, "unplugged"), ("R: unplugged", "lost")),
    ],
    ids=["ok", "securing", "unregistered", "same twice", "several antennas", "silent", "off"],
)
def test_the_seven_states_of_a_reader(
    facts: tuple[Fact, ...], device: DeviceFact, first: tuple[str, str]
) -> None:
    assert shown(*facts, device=device)[0] == first


def test_every_state_of_a_lamp_has_a_colour_a_shape_and_a_word_in_each_language() -> None:
    looks = {state: theme.DEVICE_STATES[state] for state in theme.DEVICE_STATES}
    for state in (
        "ok",
        "connecting",
        "stale",
        "lost",
        "refused",
        "fault",
        "unknown_card",
        "same_card",
        "conflict",
    ):
        assert state in looks
        for language in LANGUAGES:
            assert Translator(language, CATALOGUES).has(f"device_state.{state}")
    assert len(set(looks.values())) == len(looks) - 1, (
        "two lamps look alike"
    )  # failing and mangled are antennas' faults


def test_a_shoe_that_does_not_count_says_so_while_its_line_is_well() -> None:
    found = wording.lamps(
        Translator("en", CATALOGUES), (DeviceFact("S", "shoe", "ok", ("shoe",), "shoe_open"),)
    )
    assert [(lamp.text, lamp.state) for lamp in found] == [("S: cover open", "stale"), ("Shoe", "ok")]
