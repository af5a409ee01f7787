"""A house as data: its parameters and, for each rule, the remedy it prescribes and the source it stands on."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from dealer_assist.domain.alerts import Priority
from dealer_assist.procedure.remedies import REMEDIES

#: The rules this version knows; a house must rule on every one of them.
RULES: Final = (
    "X1", "X2", "X3", "X4", "D1", "D2", "D3", "D4", "D8", "D9", "K1", "N1", "N5", "N10", "F1", "F2", "R1", "R2", "R3",
)  # fmt: skip


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the house does about an irregularity.

    ``not_faced``: the remedy when no card was turned up; ``elsewhere``: at a seat other than the one the rule names.
    ``stop``: the station may say STOP once it is proven. ``gap``: the house is silent and another set fills in.
    """

    remedy: str
    source: str
    priority: Priority
    stop: bool
    not_faced: str | None = None
    elsewhere: str | None = None
    gap: bool = False


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """House parameters (PROCEDURES part D). Times in seconds."""

    exposed_misdeal_first_n: int
    exposed_total_misdeal: int
    substantial_action: Literal["roberts", "tda", "wsop_cash"]
    allin_faceup: bool
    tap_grace_s: float

    def __post_init__(self) -> None:
        if not 0 <= self.exposed_misdeal_first_n <= 2:
            raise ValueError("exposed_misdeal_first_n: expected 0, 1 or 2")
        if not 1 <= self.exposed_total_misdeal <= 10:
            raise ValueError("exposed_total_misdeal: expected 1 to 10")
        if not 0 <= self.tap_grace_s <= 30:
            raise ValueError("tap_grace_s: expected 0 to 30 seconds")


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set of house rules."""

    name: str
    title: str
    parameters: Parameters
    rules: dict[str, Ruling]

    def __post_init__(self) -> None:
        missing = [rule for rule in RULES if rule not in self.rules]
        if missing:
            raise ValueError(f"rules: expected a ruling for {', '.join(missing)}")
        for rule, ruling in self.rules.items():
            if rule not in RULES:
                raise ValueError(f"rules.{rule}: unknown rule, expected one of {', '.join(RULES)}")
            for remedy in (ruling.remedy, ruling.not_faced, ruling.elsewhere):
                if remedy is not None and remedy not in REMEDIES:
                    raise ValueError(
                        f"rules.{rule}: unknown remedy {remedy!r}, expected one of {', '.join(sorted(REMEDIES))}"
                    )
