"""How the house read an irregular action, in words: the action, what goes back or is still owed, why, and where that stands. No Qt."""

from __future__ import annotations

from dealer_assist.domain.facts import NoticeFact
from dealer_assist.station import theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.sheet import Label, Row
from dealer_assist.station.viewmodel import ViewState


def reading_of(state: ViewState, seat: int) -> NoticeFact | None:
    """The newest reading of this seat's action in this hand."""
    return next((notice for notice in state.notices if notice.id == f"amount/{seat}"), None)


def ruling_line(tr: Translator, reading: NoticeFact) -> str:
    """What it comes to, as the dealer announces it: RAISE TO 90, CALL OR FOLD."""
    action = str(reading.params.get("action") or "")
    if action:
        return tr(f"ruling.line_{action}", amount=reading.params.get("to", 0))
    unclear = reading.params.get("reason") == "unclear"
    return tr("ruling.line_unclear" if unclear else "ruling.line_open")


def ruling_rows(tr: Translator, state: ViewState, reading: NoticeFact) -> list[Row]:
    """The lines of the ruling, the announcement first."""
    params = reading.params
    rows: list[Row] = [Label(ruling_line(tr, reading), 60, theme.GOLD, 800)]
    if params.get("back"):
        rows.append(Label(tr("ruling.back", amount=params["back"]), 36, theme.TEXT, 700))
    if params.get("owes") and params.get("action"):
        rows.append(Label(tr("ruling.owes", amount=params["owes"]), 36, theme.TEXT, 700))
    if params.get("string"):
        rows.append(Label(tr("ruling.string"), 32, theme.TEXT, 600))
    rows.append(Label(tr.coded("ruling.why", str(params.get("reason") or ""), params), 30, theme.TEXT))
    house = state.table.house if state.table is not None else ""
    rows.append(Label(tr("ruling.by", house=house, rule=params.get("rule", "")), 26))
    return rows
