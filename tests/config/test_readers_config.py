"""Bought readers, card readers and badges in a table's file: what goes together, and how a mistake is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.config.sections import PcscDevice, SerialDevice
from dealer_assist.service import devices_of
from tests.config.test_table_config import EXAMPLE, complaints, folder, line_of, loaded

__all__ = ["folder"]

GATE = EXAMPLE[EXAMPLE.index('[[devices]]\ntransport = "pcsc"') : EXAMPLE.index("# Whose badge")]
BADGES = '[[devices]]\ntransport = "pcsc"\nrole = "badge"\nserial = "badges"\nreader = "OMNIKEY"\n\n'
PN532 = '[[devices]]\ntransport = "serial"\nfamily = "pn532"\nserial = "P1"\nantennas = { 1 = "burn" }\n\n'
LINES = '[[devices]]\ntransport = "serial"\nfamily = "ascii_uid"\nserial = "L1"\nbaud = 9600\nantennas = { 1 = "burn", 2 = "stub" }\n'
PATTERN = "ascii_uid = { line = '%s' }\n\n"
NUMBERED = PATTERN % r"R(?P<antenna>\d+): (?P<uid>[0-9A-F]+)"

OLENA = '[[dealers]]\nname = "Olena"\nbadge = "9f3c-21b0-77aa"\n\n'


def with_devices(text: str) -> str:
    return EXAMPLE.replace(GATE, text)


def with_badges(text: str = BADGES, dealers: str = "") -> str:
    keyed = EXAMPLE.replace("# badge_key", "badge_key")
    return keyed.replace(GATE, GATE + text + dealers)


def test_a_badge_reader_and_whose_badges_they_are(folder: Path) -> None:
    (folder / "keys" / "badge.key").write_text("1f" * 32 + "\n")
    config = loaded(folder, with_badges(dealers=OLENA))
    badges = config.devices[-1]
    assert isinstance(badges, PcscDevice)
    assert (badges.role, badges.antennas) == ("badge", {1: "badge"})
    assert "badge" not in config.antennas().values(), "no card lies there"
    assert [(dealer.name, dealer.badge) for dealer in config.dealers] == [("Olena", "9f3c-21b0-77aa")]
    devices = devices_of(config, simulate=False)
    assert devices.badge_key == b"\x1f" * 32
    assert [device.role for device in devices.pcsc] == ["gate", "badge"]
    assert "1f1f" not in repr(devices)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (with_badges().replace("badge_key =", "# badge_key ="), "key 'keys': expected badge_key: badges are known by a keyed hash only"),
        (with_badges(BADGES + 'antennas = { 1 = "check" }\n'), 'expected { 1 = "badge" }, found'),
        (with_badges(BADGES.replace('role = "badge"', 'antennas = { 1 = "badge" }')), 'expected role = "badge" for a reader of badges'),
        (with_badges(dealers='[[dealers]]\nname = "O"\nbadge = "04A1B2C3"\n'), 'expected a badge as a table names it, "9f3c-21b0-77aa"'),
        (
            with_badges(dealers=OLENA + OLENA.replace("Olena", "Petar")),
            "key 'dealers[2].badge': expected a badge that no other dealer has",
        ),
        (with_devices(PN532.replace('1 = "burn"', '2 = "burn"')), "antennas.2': expected antenna 1 alone, found"),
        (with_devices(PN532.replace('1 = "burn"', '1 = "badge"')), "expected a zone of cards: badges are read by PC/SC readers"),
        (with_devices(PN532.rstrip() + "\nascii_uid = { lines = 3 }\n\n"),
         'expected nothing, or family = "ascii_uid": this one is "pn532"'),
        (with_devices(LINES + PATTERN % "(?P<uid>[0-9"), "expected a regular expression: unterminated character set at character 9"),
        (EXAMPLE.replace("setup = []", 'setup = ["00A4040000"]'), "expected a command to the reader in hex that begins with FF"),
        (with_devices(LINES + PATTERN % "[0-9A-F]+"), "expected a group (?P<uid>…) where the tag's UID stands"),
        (with_devices(LINES + PATTERN % "(?P<uid>[0-9A-F]+)"), "expected a group (?P<antenna>…): there is more than one antenna"),
        (with_devices(LINES + NUMBERED.replace(" }", ", absent_ms = 100 }")), "expected 0, or more than scan_ms, which is 200"),
    ],
)  # fmt: skip
def test_mistakes(folder: Path, text: str, complaint: str) -> None:
    (folder / "keys" / "badge.key").write_text("1f" * 32 + "\n")
    assert text != EXAMPLE
    found = complaints(folder, text)
    assert len(found) == 1
    assert complaint in found[0]


def test_the_place_of_a_bad_pattern_is_told(folder: Path) -> None:
    text = with_devices(LINES + PATTERN % "(?P<uid>")
    (found,) = complaints(folder, text)
    line = line_of(text, "ascii_uid = {")
    assert found.startswith(f"table.toml:{line}:"), found
    assert "ascii_uid.line" in found


def test_families_with_what_they_need(folder: Path) -> None:
    config = loaded(
        folder,
        with_devices(
            PN532 + LINES.replace('1 = "burn"', '1 = "muck"').replace('12 = "muck"', "") + NUMBERED
        ).replace(', 12 = "muck"', ""),
    )
    pn532, lines = config.devices[-2:]
    assert isinstance(pn532, SerialDevice)
    assert isinstance(lines, SerialDevice)
    assert (pn532.family, pn532.pn532.tries, lines.family, lines.baud) == ("pn532", 3, "ascii_uid", 9600)
    made = devices_of(config, simulate=False).serial
    assert made[-1].ascii_uid.line == r"R(?P<antenna>\d+): (?P<uid>[0-9A-F]+)"


ECCEL = '[[devices]]\ntransport = "serial"\nfamily = "eccel"\nserial = "E1"\nantennas = { 1 = "burn", 8 = "stub" }\n'
FEIG = '[[devices]]\ntransport = "serial"\nfamily = "feig"\nserial = "F1"\nantennas = { 1 = "burn" }\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (ECCEL.replace("8 =", "9 ="), "antennas.9': expected antenna 1 to 8, found"),
        (FEIG.replace("1 =", "2 ="), "antennas.2': expected antenna 1 alone, or multiplexer = true in feig, found"),
        (ECCEL + "eccel = { polling_ms = 200 }\n", "eccel.polling_ms': expected nothing where there is more than antenna 1"),
        (ECCEL + "feig = { settle_ms = 1 }\n", 'expected nothing, or family = "feig": this one is "eccel"'),
        (ECCEL + 'role = "shoe"\n', 'role\': expected "reader": the family "eccel" has nothing else'),
        (ECCEL + 'keys = { 1 = "keys/badge.key" }\n', "expected no keys: only devices of our own protocol have a secured session"),
        (ECCEL + 'address = "192.168.1.20"\n', 'expected an IPv4 address and a port, as "192.168.1.20:1234"'),
        (ECCEL + 'address = "8.8.8.8:1234"\n', "expected an address of the local network"),
        (ECCEL + 'address = "192.168.1.999:1234"\n', "expected an address of the local network"),
        (ECCEL + 'address = "192.168.1.20:0"\n', "expected a port from 1 to 65535"),
        (ECCEL + 'address = "0.0.0.0:1234"\n', "expected a reader on another machine: one on this machine is simulated"),
        (ECCEL + 'address = "127.0.0.1:1234"\n', "expected a reader on another machine: one on this machine is simulated"),
        (PN532.rstrip() + '\naddress = "192.168.1.20:1234"\n', "expected a serial port: over TCP only eccel, feig"),
        (FEIG + 'feig = { parity = "mark" }\n', 'expected one of "even", "none", "odd", found "mark"'),
        (ECCEL.replace('"eccel"', '"pepper"'), "family': expected one of"),
    ],
)  # fmt: skip
def test_mistakes_with_boards(folder: Path, text: str, complaint: str) -> None:
    (folder / "keys" / "badge.key").write_text("1f" * 32 + "\n")
    found = complaints(folder, with_devices(text + "\n"))
    assert len(found) == 1, found
    assert complaint in found[0]


def test_an_address_needs_no_folder_of_ports(folder: Path) -> None:
    (*_, board) = loaded(folder, with_devices(ECCEL + 'address = "192.168.1.20:1234"\n\n')).devices
    assert isinstance(board, SerialDevice)
    assert board.address == "192.168.1.20:1234"
