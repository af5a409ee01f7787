"""Which keys of a serial device go with which family of readers."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from typing import Final

from dealer_assist.config.line_pattern import pattern_mistake
from dealer_assist.config.readers import Family
from dealer_assist.config.sections import PcscDevice, SerialDevice
from dealer_assist.domain.zones import BADGE

#: Keys that only one family has; each is named like it.
FAMILY_KEYS: Final[tuple[Family, ...]] = ("eccel", "feig", "pn532", "ascii_uid")
#: Families that are reached over TCP too.
TCP_FAMILIES: Final[frozenset[Family]] = frozenset({"eccel", "feig"})
#: The antennas that a family may have; the others as many as a number can name.
ANTENNAS: Final[dict[Family, range]] = {"eccel": range(1, 9), "feig": range(1, 9), "pn532": range(1, 2)}


def is_loopback(address: str) -> bool:
    """Whether "host:port" is this machine itself: no reader of a real table listens there. What is no address is not.

    0.0.0.0 is: a connection to it goes to this machine (ip(7)).
    """
    host = _host(address)
    return host is not None and (host.is_loopback or host.is_unspecified)


def _host(address: str) -> ipaddress.IPv4Address | None:
    try:
        return ipaddress.IPv4Address(address.rpartition(":")[0])
    except ValueError:
        return None


def pcsc_mistakes(device: PcscDevice) -> Iterator[tuple[tuple[str, ...], str]]:
    """As :func:`family_mistakes`."""
    zone = device.antennas.get(1)
    if (device.role == "badge") != (zone == BADGE):
        expected = '{ 1 = "badge" }' if device.role == "badge" else 'role = "badge" for a reader of badges'
        yield ("antennas",), expected


def family_mistakes(device: SerialDevice) -> Iterator[tuple[tuple[str, ...], str]]:
    """The path of each key within the device's entry that does not fit, and what was expected there."""
    family = device.family
    blank = SerialDevice(serial=device.serial)
    for key in FAMILY_KEYS:
        if key != family and getattr(device, key) != getattr(blank, key):
            yield (key,), f'nothing, or family = "{key}": this one is "{family}"'
    if family != "own":
        if device.keys:
            yield ("keys",), "no keys: only devices of our own protocol have a secured session"
        if device.role != "reader":
            yield ("role",), f'"reader": the family "{family}" has nothing else'
    if family == "eccel" and device.eccel.polling_ms and set(device.antennas) != {1}:
        yield (
            ("eccel", "polling_ms"),
            "nothing where there is more than antenna 1: the reader polls the one that is on",
        )
    if family == "ascii_uid":
        yield from _line_mistakes(device)
    if device.address:
        if family not in TCP_FAMILIES:
            yield ("address",), f"a serial port: over TCP only {', '.join(sorted(TCP_FAMILIES))}"
        host = _host(device.address)
        if host is None or not host.is_private:
            # A reader's line is neither secret nor signed: it does not leave the house.
            yield ("address",), "an address of the local network"
        if not 1 <= int(device.address.rpartition(":")[2]) <= 65535:
            yield ("address",), "a port from 1 to 65535"
    for number, zone in device.antennas.items():
        if zone == BADGE:
            yield ("antennas", str(number)), "a zone of cards: badges are read by PC/SC readers"
    yield from _antenna_mistakes(device)


def _line_mistakes(device: SerialDevice) -> Iterator[tuple[tuple[str, ...], str]]:
    keys = device.ascii_uid
    wrong = pattern_mistake(keys.line)
    if wrong is not None:
        yield ("ascii_uid", "line"), wrong
    elif len(device.antennas) > 1 and "(?P<antenna>" not in keys.line:
        yield ("ascii_uid", "line"), "a group (?P<antenna>…): there is more than one antenna"
    if 0 < keys.absent_ms <= keys.scan_ms:
        yield ("ascii_uid", "absent_ms"), f"0, or more than scan_ms, which is {keys.scan_ms}"


def _antenna_mistakes(device: SerialDevice) -> Iterator[tuple[tuple[str, ...], str]]:
    allowed = ANTENNAS.get(device.family)
    if device.family == "feig" and not device.feig.multiplexer:
        allowed = range(1, 2)
    for number in device.antennas:
        if allowed is not None and number not in allowed:
            expected = (
                f"antenna {allowed[0]} to {allowed[-1]}"
                if len(allowed) > 1
                else f"antenna {allowed[0]} alone"
                + (", or multiplexer = true in feig" if device.family == "feig" else "")
            )
            yield ("antennas", str(number)), expected
