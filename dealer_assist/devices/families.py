"""What is known of each family of readers: how its line is set, how often it can look, and how its reads become movements.

Every figure names its source. Figures that nobody has measured on the hardware are marked [unverified].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from dealer_assist.config.readers import Family, Parity
from dealer_assist.devices.ascii_uid import AsciiUidDriver
from dealer_assist.devices.driver import Driver, Note
from dealer_assist.devices.eccel import EccelDriver
from dealer_assist.devices.feig import FeigDriver
from dealer_assist.devices.pn532 import Pn532Driver
from dealer_assist.devices.spots import ZoneParameters
from dealer_assist.devices.values import SerialDevice


class FamilyFacts(msgspec.Struct, frozen=True, kw_only=True):
    """``maker``: for people. ``period_ms``: how often an antenna is expected to be scanned before that is measured (host time).

    ``zones``: how reads become movements. ``listens``: it is never asked and speaks only of cards, so that its silence says nothing.
    """

    maker: str
    period_ms: int
    zones: ZoneParameters
    listens: bool = False


FAMILIES: Final[Mapping[Family, FamilyFacts]] = {
    # Our own devices report changes by themselves, on a grid of 100 ms; the figures are those of the zones' own tests.
    "own": FamilyFacts(maker="own protocol", period_ms=100, zones=ZoneParameters()),
    # An antenna is looked at once a round of up to eight: per antenna a switch, a dwell and a request a tag at 115,200 baud, so about
    # 60 ms with two tags [unverified: no published read or switch time]. A round that lists more tags comes later: hence the slack.
    "eccel": FamilyFacts(
        maker="Eccel Pepper C1, Pepper C1 MUX",
        period_ms=400,
        zones=ZoneParameters(leave_ms=900, slack_ms=120, failing_after=4),
    ),
    # Even parity: ID CPR30 manual p. 15. One request lists all tags of an antenna; over a multiplexer the period is that of a round.
    # The tuner's data are valid 250 ms after its power-up (ID ISC.ANT.MUX manual p. 20); the switch alone is faster [unverified].
    "feig": FamilyFacts(
        maker="FEIG OBID i-scan",
        period_ms=300,
        zones=ZoneParameters(leave_ms=900, slack_ms=120, failing_after=4),
    ),
    # A scan is two requests, each acknowledged and answered, and a moment without a field: some 40 ms [unverified]. Readers of this kind
    # miss a card now and then: users poll twice before they believe in an absence (github.com/miguelbalboa/rfid/issues/279).
    "pn532": FamilyFacts(
        maker="NXP PN532 (HSU)",
        period_ms=100,
        zones=ZoneParameters(leave_ms=700, slack_ms=80, failing_after=5),
    ),
    # Lines were counted and waited for already (lines, absent_ms); the scans are a grid that the driver makes of them.
    "ascii_uid": FamilyFacts(
        maker="UIDs as lines of text",
        period_ms=200,
        zones=ZoneParameters(leave_ms=400, leave_misses=1, slack_ms=60),
        listens=True,
    ),
}

PCSC_ZONES: Final = ZoneParameters()
"""A PC/SC reader looks for a card every 250 ms by habit (ACR1255U-J1 manual p. 62, ACM1252U-Y3 p. 55, ACR1281U-C1 p. 80)."""


def zone_parameters(
    family: Family | None,
    *,
    speed: float = 1.0,
    gate_settle_ms: int | None = None,
    arrive_reads: int | None = None,
    leave_ms: int | None = None,
) -> ZoneParameters:
    """How the reads of a device of a family (None: a PC/SC reader) become movements, in table time.

    Messages are late by the host's clock, so with a table time that runs ``speed`` times as fast the slack grows. The other figures are
    the table's own, in place of the family's.
    """
    p = PCSC_ZONES if family is None else FAMILIES[family].zones
    changes: dict[str, int] = {"slack_ms": int(p.slack_ms * max(1.0, speed))}
    given = {"settle_ms": gate_settle_ms, "arrive_reads": arrive_reads, "leave_ms": leave_ms}
    changes.update({name: value for name, value in given.items() if value is not None})
    return msgspec.structs.replace(p, **changes)


_DRIVERS: Final[Mapping[Family, Callable[[SerialDevice, Note], Driver]]] = {
    "eccel": lambda device, note: EccelDriver(device.antennas, device.eccel, note=note),
    "feig": lambda device, note: FeigDriver(device.antennas, device.feig, note=note),
    "pn532": lambda device, note: Pn532Driver(device.antennas, device.pn532, note=note),
    "ascii_uid": lambda device, note: AsciiUidDriver(device.antennas, device.ascii_uid, note=note),
}


def driver_of(device: SerialDevice, note: Note) -> Driver:
    """The driver of a bought reader. Raises KeyError for a device of our own protocol, which has none."""
    return _DRIVERS[device.family](device, note)


def quiet_ms(device: SerialDevice) -> int:
    """How long a bought reader that is well says nothing because it is not asked: by its configuration, in host time."""
    match device.family:
        case "eccel":
            return device.eccel.polling_ms + device.eccel.dwell_ms
        case "feig":
            return device.feig.settle_ms
        case _:
            return 0


def parity_of(device: SerialDevice) -> Parity:
    """The parity of a bought reader's serial line."""
    return device.feig.parity if device.family == "feig" else "none"
