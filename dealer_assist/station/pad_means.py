"""What the keys of the pad stand for, from the facts. Pure: no Qt, and no chips that the facts do not name."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from dealer_assist.domain.commands import (
    Act,
    CallFloor,
    Command,
    OpenHand,
    PushPots,
    RunIt,
    SetPoint,
    Shuffled,
    Straddle,
    Undo,
    Unfold,
)
from dealer_assist.domain.facts import PadFact, TableFact
from dealer_assist.station.entry import raise_to
from dealer_assist.station.pad_place import ASKS
from dealer_assist.station.ready import Ready, ready_amounts
from dealer_assist.station.viewmodel import ViewState

Ask = SetPoint | Unfold | Straddle | RunIt
#: the keys of the table that a row has room for; more games are behind one key
_ROOM: Final = 3
_GAME_KEYS: Final = ("game-0", "game-1")


def legal_of(state: ViewState, ahead: int | None) -> PadFact:
    """The legal actions that the pad is about: of the seat in turn, or of one that is entered ahead of its turn (by exception)."""
    pad = state.pad
    offer = next((each for each in pad.ahead if each.seat == ahead), None)
    if offer is None or pad.seat is None:
        return pad
    return msgspec.structs.replace(
        pad,
        seat=offer.seat,
        can_check=offer.can_check,
        call=offer.call,
        min_to=offer.min_to,
        max_to=offer.max_to,
        pot_to=offer.pot_to,
        half_pot_to=offer.half_pot_to,
        third_pot_to=offer.third_pot_to,
        three_quarter_pot_to=offer.three_quarter_pot_to,
    )


def ready_of(state: ViewState, pad: PadFact) -> tuple[Ready, ...]:
    """The ready amounts of the seat that the pad is about, the smallest first."""
    table, hand = state.table, state.hand
    if table is None or hand is None or state.tracking == "cards":
        return ()
    highest = max([fact.bet for fact in state.seats], default=0)
    fact = None if pad.seat is None else state.seat(pad.seat)
    whole = None if fact is None or fact.stack is None else fact.bet + fact.stack
    return ready_amounts(
        pad,
        hand.street,
        state.opens,
        (table.small_blind, table.big_blind),
        highest,
        pot_limits=pad.max_to is not None and pad.max_to != whole,
    )


def table_keys(table: TableFact | None) -> tuple[str, ...]:
    """The keys that a table has between hands, as it is set up: always the same ones in the same order."""
    if table is None:
        return ("shuffled",)
    others = len([game for game in table.games if game != table.game])
    kill = ("kill",) if table.kill else ()
    games: tuple[str, ...] = _GAME_KEYS[:others]
    if others > len(_GAME_KEYS) or 1 + len(games) + len(kill) > _ROOM:
        games = ("other_game",)
    return ("shuffled", *games, *kill)


def asks_table(state: ViewState, *, listing: bool) -> bool:
    """Whether the keys of the table are shown: between hands where it has any, and while a deck waits to be shuffled."""
    if state.pad.seat is not None or listing:
        return False
    return state.deck_waits or (state.pad.can_open and len(table_keys(state.table)) > 1)


def asked_of(state: ViewState) -> tuple[Ask, ...]:
    """What one tap answers now: the point card of the seat in turn, who buys his hand back, who straddles, how often to run it.

    More seats or cards than the presets' place has room for are reached by a tap on the seat. How often to run it has a fixed place
    for each number.
    """
    now = state.now
    if state.pad.run_it:  # all agreed; until the next card they may change their minds
        return tuple([RunIt(times) for times in range(1, state.pad.run_it + 1)])
    if state.pad.straddles and state.pad.seat is None and len(state.pad.straddles) <= len(ASKS):
        return tuple([Straddle(offer.seat, offer.least) for offer in state.pad.straddles])
    seats = tuple(now.params.get("seats") or ()) if now is not None else ()
    if now is None or not seats:
        return ()
    acting = state.pad.seat
    if now.code == "window" and acting is None:
        return tuple([Unfold(int(seat)) for seat in seats[: len(ASKS)]])
    if now.code != "point" or (acting is not None and acting not in seats):
        return ()
    fact = state.seat(int(seats[0]) if acting is None else acting)
    return (
        tuple([SetPoint(fact.seat, card) for card in range(1, min(fact.due, len(ASKS)) + 1)]) if fact else ()
    )


def beyond_stack(state: ViewState, pad: PadFact, verdict: str) -> bool:
    """Whether what is typed is more than the seat is believed to have, and nothing else forbids it: the chips win."""
    fact = None if pad.seat is None else state.seat(pad.seat)
    if verdict != "high" or fact is None or fact.stack is None:
        return False
    return pad.max_to == fact.bet + fact.stack


def needs_count(state: ViewState, pad: PadFact, entry: str) -> bool:
    """Whether an all-in has to be counted first: nobody knows the stack, and nothing is typed."""
    fact = None if pad.seat is None else state.seat(pad.seat)
    return state.tracking != "cards" and not entry and fact is not None and fact.stack is None


def command_of(code: str, state: ViewState, pad: PadFact, entry: str) -> Command | None:
    """What a key would send now; None for nothing. ``pad``: as :func:`legal_of` gives it; ``entry``: what is typed for that seat."""
    match code:
        case "undo":
            return Undo()
        case "call_floor":
            return CallFloor()
        case "go":
            return OpenHand() if pad.can_open else PushPots()
        case "shuffled":
            return Shuffled()
        case "ask-0" | "ask-1" | "ask-2":
            asks = asked_of(state)
            return asks[int(code[-1])] if int(code[-1]) < len(asks) else None
        case "kill" if state.kill:
            return OpenHand(kill=state.kill)
        case "game-0" | "game-1":
            games = state.other_games
            return OpenHand(game=games[int(code[-1])]) if int(code[-1]) < len(games) else None
        case _ if pad.seat is None:
            return None
        case "fold":
            return Act(pad.seat, "fold")
        case "call":
            return Act(pad.seat, "check" if pad.can_check else "call")
        case "all_in":
            if not entry or state.tracking == "cards":
                return None if needs_count(state, pad, entry) else Act(pad.seat, "all_in")
            return Act(pad.seat, "all_in", int(entry), counted=True)
        case "raise":
            return _raise(state, pad, entry)
        case "ready-0" | "ready-1" | "ready-2" | "ready-3" if not entry:
            found = ready_of(state, pad)[int(code[-1]) :]
            return _raise(state, pad, str(found[0].to)) if found else None
        case _:
            return None


def _raise(state: ViewState, pad: PadFact, entry: str) -> Act | None:
    assert pad.seat is not None
    action: Literal["bet", "raise"] = "bet" if pad.is_bet else "raise"
    if state.tracking == "cards":
        return Act(pad.seat, action)
    amount, verdict = raise_to(entry, pad)
    beyond = beyond_stack(state, pad, verdict)
    if verdict not in ("ok", "default") and not beyond:
        return None
    return Act(pad.seat, action, amount, counted=beyond)
