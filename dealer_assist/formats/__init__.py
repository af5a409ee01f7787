"""Hands that are over, as text in formats that other programs read: Open Hand History, PHH, CSV.

Pure: a :class:`FinishedHand` goes in, text comes out. It knows of a player's cards only what was tabled.
"""

from dealer_assist.formats.csv_lines import csv_table
from dealer_assist.formats.finished import (
    BoardCards,
    Drop,
    FinishedHand,
    FundLine,
    NotInFormat,
    PlayedAction,
    PlayedPost,
    PlayedPot,
    PlayedSeat,
)
from dealer_assist.formats.money import Money
from dealer_assist.formats.ohh import ohh_line
from dealer_assist.formats.phh import phh_table

__all__ = [
    "BoardCards",
    "Drop",
    "FinishedHand",
    "FundLine",
    "Money",
    "NotInFormat",
    "PlayedAction",
    "PlayedPost",
    "PlayedPot",
    "PlayedSeat",
    "csv_table",
    "ohh_line",
    "phh_table",
]
