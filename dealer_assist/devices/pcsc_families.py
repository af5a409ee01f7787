"""What is known of PC/SC readers by their names, as pcscd lists them. Whatever nobody has tried on a reader is marked [unverified]."""

from __future__ import annotations

import re
from typing import Final

import msgspec


class PcscFamily(msgspec.Struct, frozen=True):
    """Readers that behave alike. ``scan_period_ms``: how often one looks for a card, so how late it may be to see one come or go."""

    name: str
    pattern: str
    scan_period_ms: int


FAMILIES: Final = (
    # A PN532 behind a USB bridge, whose firmware interprets its states itself. ISO 14443 only. After hours of polling its answers
    # may break off until it is selected anew or pulled (github.com/nfc-tools/libnfc/issues/224 and /284).
    PcscFamily("ACR122", r"ACR ?122", 250),
    # Polling interval register: 250 ms unless it is set otherwise, the field is off in between (ACR1255U-J1 manual p. 62, ACM1252U-Y3
    # p. 55, ACR1281U-C1 p. 80). ISO 15693 with the ACR1552U [unverified].
    PcscFamily("ACS", r"\bACS\b|\bACR ?\d{3,4}", 250),
    # Get UID covers ISO 15693 (uTrust 3720F manual p. 31). The period is [unverified].
    PcscFamily("Identiv", r"Identiv|uTrust|SCM Micro|SCL ?37\d\d|CLOUD", 250),
    # Everything here is [unverified], ISO 15693 above all.
    PcscFamily("HID", r"\bHID\b|OMNIKEY", 250),
    # vsmartcard's driver answers pcscd's own polling, every 0.4 s.
    PcscFamily("virtual", r"Virtual PCD", 400),
)
OTHER: Final = PcscFamily("other", "", 500)
"""A reader that nobody wrote down here."""


def family_of(reader: str) -> PcscFamily:
    """The first family whose pattern is found in the reader's name."""
    return next((family for family in FAMILIES if re.search(family.pattern, reader, re.IGNORECASE)), OTHER)
