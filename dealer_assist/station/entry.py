"""The amount being typed on the keypad, against the limits that the facts give. Pure."""

from __future__ import annotations

from typing import Final, Literal

from dealer_assist.domain.facts import PadFact

MAX_DIGITS: Final = 9
Verdict = Literal["ok", "default", "low", "high", "none"]


def typed(entry: str, key: str) -> str:
    """The entry after a key: a digit, ``00`` or ``delete``. No leading zeros, no more than nine digits."""
    if key == "delete":
        return entry[:-1]
    longer = (entry + key).lstrip("0")
    return longer if len(longer) <= MAX_DIGITS else entry


def raise_to(entry: str, pad: PadFact) -> tuple[int | None, Verdict]:
    """The total a bet or raise key would send, and how it stands to the limits; the smallest one when nothing is typed.

    high: more than the seat is believed to have, or than the pot allows; without an upper limit its stack is not known.
    """
    if pad.seat is None or pad.min_to is None:
        return None, "none"
    if not entry:
        return pad.min_to, "default"
    amount = int(entry)
    if amount < pad.min_to:
        return amount, "low"
    if pad.max_to is not None and amount > pad.max_to:
        return amount, "high"
    return amount, "ok"
