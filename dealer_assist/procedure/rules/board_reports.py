"""Reports about burns and board: which street they are about, which row they are by now, and what they take the place of."""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.table import STREETS, Street
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.rules import stands
from dealer_assist.procedure.state import State

#: Rows about cards that lie on the board.
ON_BOARD: Final = frozenset(["N1", "N2", "N3", "N4", "N6", "N7", "F1", "F2", "F3", "F4", "R6", "R7", "R8"])
#: Rows whose street is dealt again.
_SAME_STREET: Final = frozenset(["F3", "R6", "R8"])
#: The row of a board card that came early → the street whose betting was not over.
_EARLY_ON: Final[dict[str, Street]] = {"R1": "preflop", "R2": "flop", "R3": "turn"}
#: What is asked or said of the same thing when a row is reported.
_INSTEAD_OF: Final = {
    "N2": ("N1",),
    "N4": ("N3",),
    "N6": ("N5", "N8"),
    "N7": ("N5", "N6", "N8"),
    "F2": ("F1",),
    "F4": ("F1",),
    "R4": ("R1", "R2", "R3"),
}


def street_of(draft: Draft, name: str) -> Street:
    """The street that a report is about: of board cards the newest ones', else the one that is due."""
    state = draft.state
    streets = shown(state)
    if name == "R4":
        return acted_on_early(draft) or state.street
    if name == "N8":
        return _preset_street(state) if streets else state.street
    if name in ON_BOARD and streets:
        return streets[-1]
    return state.street


def nothing_there(draft: Draft, name: str) -> bool:
    """Whether the report is about board cards and none lies there that it can be about."""
    if name == "R4":
        return acted_on_early(draft) is None
    return name in ON_BOARD and not shown(draft.state)


def acted_on_early(draft: Draft) -> Street | None:
    """The street whose betting was not over when the card came that was acted on (R4).

    The one that a ruling speaks of already, else the one before the early card's; a card that came early and plays since is the newest.
    """
    for rule, street in _EARLY_ON.items():
        told = draft.alert(rule)
        if told is not None and told.evidence == "proven":
            return street
    newest = max((STREETS.index(slot.street) for slot in draft.state.board), default=None)
    return None if newest is None else STREETS[newest - 1]


def shown(state: State) -> list[Street]:
    """The streets of the board cards that play, in the order in which they came."""
    return [slot.street for slot in state.board if not slot.early]


def _preset_street(state: State) -> Street:
    """The street whose burn was set: the turn's where the floor drew it out of the flop, else the flop's."""
    drawn = any(alert.remedy == "scramble_four" for alert in state.alerts.values())
    return "turn" if drawn and state.street != "flop" else "flop"


def row_of(draft: Draft, name: str) -> str:
    """The row that a reported one is: on this street, and after action or before it."""
    return stands.row_now(draft, name, street_of(draft, name)) if name in ON_BOARD else name


def cards(state: State, name: str, about: Street) -> tuple[str, ...]:
    """The board cards that a report is about."""
    if name not in ON_BOARD:
        return ()
    return tuple([slot.ref for slot in state.board if slot.street == about and not slot.early])


def instead(draft: Draft, name: str) -> None:
    """The report takes the place of what was asked or said about the same thing."""
    if name in stands.COUNTED and (streets := shown(draft.state)):
        stands.cards_decide(draft, streets[-1])
    for rule in _INSTEAD_OF.get(name, ()):
        alert = draft.alert(rule)
        if alert is not None and (alert.evidence == "probable" or rule[0] == "N"):
            draft.cancel_remedy(alert)
            draft.withdraw(alert)


def coming(state: State, name: str, about: Street) -> Street:
    """The street whose cards a ruling on this report is about."""
    if name in _SAME_STREET:
        return about
    if name == "R4" or name in ON_BOARD or state.step.kind in ("deal", "bet"):
        return STREETS[min(STREETS.index(about) + 1, len(STREETS) - 1)]
    return about


def reported(draft: Draft, alert: Alert | None) -> None:
    """The row was raised: an extra burn that the house lets lie counts for nothing."""
    if alert is not None and alert.rule in ("N6", "N7", "N8"):
        stands.extra_counts_for_nothing(draft, alert)
