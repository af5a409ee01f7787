"""The chips of a seat: what lies behind it, a buy-in with its limits, a top-up, and a player who comes back or moves here."""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.commands import Command, PostNow, SetSeat, SetStack, SitDown, TopUp, WaitForBlind
from dealer_assist.domain.facts import SeatFact
from dealer_assist.station.i18n import Translator
from dealer_assist.station.sheet import Row, Sheet, padded
from dealer_assist.station.viewmodel import ViewState

#: keys of a seat that are about chips and blinds owed
CHIP_KEYS: Final = (
    "stack",
    "unknown_stack",
    "sit_down",
    "came_back",
    "top_up",
    "no_top_up",
    "posts_now",
    "waits",
)
_ACROSS: Final = 4


def chip_rows(sheet: Sheet, tr: Translator, fact: SeatFact | None) -> tuple[list[Row], str]:
    """The rows of the leaf, and the key that Enter presses. Where nobody sits: who sits down, comes back, or moves here."""
    state, typed, keys = sheet.state, sheet.typed, sheet.keys
    status = fact.status if fact is not None else "empty"
    seated = status in ("in", "away")
    rows: list[Row] = [(tr("sheet.type_number"), 26)]
    table = state.table
    if table is not None and table.buy_in_min:
        limits = {"least": table.buy_in_min, "most": table.buy_in_max}
        rows.append((tr("sheet.buy_in_between" if table.buy_in_max else "sheet.buy_in_from", limits), 24))
    codes = ["top_up"] if seated else ["sit_down"]
    if not seated and fact is not None and fact.stack:
        codes.append("came_back")
    for code in codes:
        none = f"sheet.{'sit_down' if code == 'came_back' else code}_none"
        keys[code].say(tr(f"sheet.{code}", amount=typed) if typed is not None else tr(none))
        keys[code].setEnabled(sheet.ready and typed is not None)
    chips = []
    if state.tracking == "full" and status != "empty":  # who sits down brings his chips
        text = "sheet.behind_is" if plays(state, fact) else "sheet.stack_is"
        keys["stack"].say(tr(text, amount=typed) if typed is not None else tr("sheet.stack_none"))
        keys["stack"].setEnabled(sheet.ready and typed is not None)
        chips.append(keys["stack"])
        if fact is not None and fact.stack is not None:
            keys["unknown_stack"].say(tr("sheet.behind_unknown"))
            keys["unknown_stack"].setEnabled(sheet.ready)
            chips.append(keys["unknown_stack"])
    if chips:
        rows.append(chips)
    waiting = fact is not None and "top_up" in fact.marks
    if waiting:
        keys["no_top_up"].say(tr("sheet.no_top_up"))
        keys["no_top_up"].setEnabled(sheet.ready)
        codes.append("no_top_up")
    rows.append([keys[code] for code in codes])
    if not seated:
        rows += _moves(sheet, tr, fact)
    return rows, "stack" if chips else codes[0]


def _moves(sheet: Sheet, tr: Translator, fact: SeatFact | None) -> list[Row]:
    """A seat change: who has left another seat with chips takes this one, and brings them."""
    here = fact.seat if fact is not None else 0
    left = [each for each in sheet.state.seats if each.status == "out" and each.stack and each.seat != here]
    if not left:
        return []
    keys = []
    for each in left:
        key = sheet.keys[f"moved-{each.seat}"]
        key.say(tr("sheet.moved_from", seat=each.seat), tr.number(each.stack or 0))
        key.setEnabled(sheet.ready)
        keys.append(key)
    return [(tr("sheet.moves_here"), 24), *padded(keys, _ACROSS)]


def plays(state: ViewState, fact: SeatFact | None) -> bool:
    """Whether the seat plays the running hand: its chips are then those that are behind it now."""
    return fact is not None and fact.hand != "none" and state.phase not in ("idle", "closed")


def chip_command(
    code: str, state: ViewState, fact: SeatFact | None, seat: int, typed: int | None
) -> Command | None:
    """The command of one of these keys, with what is typed; None for any other key."""
    kind, _, rest = code.partition("-")
    if kind == "moved":
        left = state.seat(int(rest))
        return SitDown(seat, left.stack or 0, returned_from=left.seat) if left is not None else None
    match code:
        case "stack" if typed is not None and plays(state, fact):
            return SetStack(seat, typed)
        case "stack" if typed is not None:
            status = fact.status if fact is not None and fact.status != "empty" else "in"
            return SetSeat(seat, status, typed)
        case "unknown_stack":
            return SetStack(seat, None)
        case "sit_down" if typed is not None:
            return SitDown(seat, typed)
        case "came_back" if typed is not None:
            return SitDown(seat, typed, returned_from=seat)
        case "top_up" if typed is not None:
            return TopUp(seat, typed)
        case "no_top_up":
            return TopUp(seat, 0)
        case "posts_now":
            return PostNow(seat)
        case "waits":
            return WaitForBlind(seat)
        case _:
            return None
