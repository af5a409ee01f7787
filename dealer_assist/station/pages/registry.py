"""All pages, in the order of the menu."""

from __future__ import annotations

from typing import Final

from dealer_assist.station.pages.calibration import CalibrationPage
from dealer_assist.station.pages.decks import DecksPage
from dealer_assist.station.pages.diagnostics import DiagnosticsPage
from dealer_assist.station.pages.floor import FloorPage
from dealer_assist.station.pages.page import Page
from dealer_assist.station.pages.past_hands import PastHandsPage
from dealer_assist.station.pages.set_up import SetUpPage
from dealer_assist.station.pages.shift import ShiftPage

#: A page is made when it is opened for the first time.
PAGES: Final[tuple[type[Page], ...]] = (
    ShiftPage,
    SetUpPage,
    DecksPage,
    CalibrationPage,
    DiagnosticsPage,
    PastHandsPage,
    FloorPage,
)
