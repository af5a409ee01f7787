"""The catalogue of irregularities: every row of PROCEDURES B1–B6, how it comes to light and what may be said about it.

Every row can be reported by a person (the report key, or ``report ROW``); ``read``: a reader can raise it too. ``stop`` rows may say
STOP once they are proven (DESIGN §4); no house can add one. ``faced`` rows ask "Turned up?", so that a house may rule otherwise when
nothing was. ``note`` rows are facts for the log: they never sound; one that lasts (K10, K13) goes when its cause does.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

Seat = Literal["none", "optional", "needed"]


class Row(msgspec.Struct, frozen=True):
    """One irregularity. ``seat``: whether a report of it names a seat. ``question``: the check that its question names.

    ``acted``: the row that it is once somebody has acted on its street.
    """

    id: str
    seat: Seat = "none"
    read: bool = False
    stop: bool = False
    faced: bool = False
    note: bool = False
    question: str | None = None
    acted: str | None = None


_ROWS: Final = (
    Row("X1", "needed", stop=True, question="first_off_deck"),
    Row("X2", "needed", stop=True),
    Row("X3", "needed"),
    Row("X3b", "needed"),
    Row("X4", "needed", stop=True),
    Row("X5", "needed"),
    Row("X6", "optional", note=True),
    Row("X7", "needed"),
    Row("X8", "optional"),
    Row("D1", "needed", read=True, question="first_card"),
    Row("D2", "needed", read=True, question="seat_in"),
    Row("D3", "needed", read=True, question="seat_in"),
    Row("D4", "needed", read=True, stop=True, question="out_of_turn"),
    Row("D5", "needed", read=True, question="one_short"),
    Row("D6", "needed"),
    Row("D7", "needed"),
    Row("D8", "needed", read=True, question="extra_card"),
    Row("D9", "needed", read=True, stop=True),
    Row("D10", "needed", read=True, question="extra_card"),
    Row("D11", "needed"),
    Row("D12", "needed"),
    Row("D13", "needed"),
    Row("D14"),
    Row("K1", read=True, question="same_card_twice"),
    Row("K2", read=True, stop=True, question="foreign_card"),
    Row("K3", "optional", read=True),
    Row("K4"),
    Row("K5", read=True),
    Row("K6", note=True),
    Row("K7"),
    Row("K8"),
    Row("K9", "optional"),
    Row("K10", read=True, note=True),
    Row("K11", "optional", read=True, stop=True),
    Row("K12", read=True, question="deck_shuffled"),
    Row("K13", "needed", read=True, note=True),
    Row("N1", read=True, stop=True, faced=True, question="burned", acted="N2"),
    Row("N2", read=True, question="burned"),
    Row("N3", read=True, stop=True, question="burned", acted="N4"),
    Row("N4", read=True, question="burned"),
    Row("N5", read=True, question="boxed"),
    Row("N6", read=True, faced=True, acted="N7"),
    Row("N7", read=True, question="boxed"),
    Row("N8", read=True, question="boxed"),
    Row("N9"),
    Row("N10", read=True, question="acted"),
    Row("F1", read=True, stop=True, faced=True, question="turned_up", acted="F4"),
    Row("F2", read=True, stop=True, faced=True, question="turned_up"),
    Row("F3", read=True, question="third_card"),
    Row("F4", read=True, faced=True, question="turned_up"),
    Row("R1", read=True, stop=True, faced=True, question="acted"),
    Row("R2", read=True, stop=True, faced=True, question="acted"),
    Row("R3", read=True, stop=True, faced=True, question="acted"),
    Row("R4", "optional"),
    Row("R5"),
    Row("R6", read=True, faced=True, question="turned_up"),
    Row("R7", read=True, question="board_swept"),
    Row("R8"),
    Row("A1", "needed"),
    Row("A2", "needed"),
    Row("A3"),
    Row("A4", "needed"),
    Row("A5", "needed"),
    Row("A6", "needed"),
    Row("A7", "needed"),
    Row("A8", "needed"),
    Row("A9", "needed", read=True, stop=True),
    Row("A10", "needed"),
    Row("A11", "needed", read=True, question="hand_back"),
    Row("A12", read=True, question="hands_up"),
    Row("A13", "needed"),
    Row("A14", "needed"),
    Row("A15", "needed"),
    Row("A16", read=True),
    Row("A17"),
    Row("A18", read=True, question="misdeal_called"),
    Row("P1", "optional", note=True),
    Row("P2"),
    Row("P3", "optional", read=True),
    Row("P4"),
    Row("P5", note=True),
    Row("P6", "needed"),
    Row("P7", note=True),
    Row("P8", read=True, question="wrong_board"),
    Row("P9", read=True),
)  # fmt: skip

#: Row id → row, in the order of the catalogue.
ROWS: Final[dict[str, Row]] = {row.id: row for row in _ROWS}
