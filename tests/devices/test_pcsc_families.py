"""Readers are known by their names, as pcscd lists them."""

from __future__ import annotations

import pytest

from dealer_assist.devices.pcsc_families import FAMILIES, OTHER, family_of


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("ACS ACR122U PICC Interface 00 00", "ACR122"),
        ("ACS ACR1252 1S CL Reader [ACR1252 Reader PICC] 01 00", "ACS"),
        ("ACS ACR1552 1S CL Reader [ACR1552 CL Reader(1)] 00 00", "ACS"),
        ("Identiv uTrust 3720 Contactless Reader [Identiv uTrust 3720] (53001234567890) 00 00", "Identiv"),
        ("SCM Microsystems Inc. SCL3711 reader & NFC device 00 00", "Identiv"),
        ("HID Global OMNIKEY 5022 Smart Card Reader 00 00", "HID"),
        ("Virtual PCD 00 01", "virtual"),
        ("Alcor Micro AU9540 00 00", "other"),
    ],
)
def test_a_reader_s_family(name: str, family: str) -> None:
    assert family_of(name).name == family


def test_every_family_says_how_often_it_looks() -> None:
    assert all(50 <= family.scan_period_ms <= 1000 for family in (*FAMILIES, OTHER))
