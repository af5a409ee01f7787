"""What a person may report, by family, in the order of the catalogue; and which rows are about a seat. Data: nothing is decided here."""

from __future__ import annotations

from typing import Final, Literal

SeatNeed = Literal["none", "optional", "needed"]

#: family → rows of the catalogue
FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "deal": (
        *("X1", "X2", "X3", "X3b", "X4", "X5", "X6", "X7", "X8"),
        *("D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "D14"),
    ),
    "deck": ("K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "K9", "K10", "K11", "K12", "K13"),
    "board": (
        *("N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8", "N9", "N10"),
        *("F1", "F2", "F3", "F4", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8"),
    ),
    "action": (
        *("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10"),
        *("A11", "A12", "A13", "A14", "A15", "A16", "A17", "A18"),
    ),
    "showdown": ("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9"),
}
_NEEDED: Final = frozenset(
    (
        *("X1", "X2", "X3", "X3b", "X4", "X5", "X7"),
        *("D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "K13"),
        *("A1", "A2", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11", "A13", "A14", "A15", "P6"),
    )
)
_OPTIONAL: Final = frozenset(("X6", "X8", "K3", "K9", "K11", "R4", "P1", "P3"))
#: short ways to a row, as the report sheet names them → whether a seat belongs to it
COMMON: Final[dict[str, SeatNeed]] = {
    "early_card": "none",
    "boxed": "none",
    "dead_hand": "needed",
    "chop": "none",
}


def seat_need(row: str) -> SeatNeed:
    """Whether a report of this row names a seat."""
    if row in COMMON:
        return COMMON[row]
    if row in _NEEDED:
        return "needed"
    return "optional" if row in _OPTIONAL else "none"
