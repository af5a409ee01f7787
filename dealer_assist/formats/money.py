"""What the smallest unit of a table is worth: amounts as other programs write them."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

import msgspec

#: Play money, as Open Hand History names it since 1.4.6: chips of no currency.
NO_CURRENCY: Final = "XPM"
_UNIT: Final = re.compile(r"^(?P<worth>\d+(?:\.\d+)?)?\s*(?P<name>.*)$", re.DOTALL)
_CODE: Final = re.compile(r"^[A-Z]{3}$")
_CENTS: Final = frozenset(("cent", "cents"))


class Money(msgspec.Struct, frozen=True):
    """``worth``: of one smallest unit; ``currency``: a code of three letters, XPM where there is none."""

    worth: Decimal
    currency: str = NO_CURRENCY

    @classmethod
    def of(cls, unit: str) -> Money:
        """From what a table calls its unit: "chip", "cent", "0.05 EUR", "1 USD"."""
        match = _UNIT.match(unit.strip())
        assert match is not None
        worth = Decimal(match["worth"] or 1)
        name = match["name"].strip()
        if name in _CENTS:
            worth /= 100
        return cls(worth or Decimal(1), name if _CODE.match(name) else NO_CURRENCY)

    def amount(self, units: int) -> Decimal:
        """So many units, exact."""
        return self.worth * units

    def text(self, units: int) -> str:
        """So many units in digits, with as many decimals as the unit has: "12.50"."""
        return f"{self.amount(units):f}"
