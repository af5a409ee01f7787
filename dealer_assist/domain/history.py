"""The history of a table's hands: what may be asked of it, and what is told. Public facts only, as the screens showed them.

A hand is named by its ``row``: the number of the journal row that closed it; 0 is the hand that is running.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from dealer_assist.domain.alerts import AlertState, Evidence, Priority
from dealer_assist.domain.facts import Fact

#: So many hands of a list are told at once, at most.
MOST_HANDS = 50
#: as many rows as the journal can number
_Row = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]

# -- commands ------------------------------------------------------------------------------------------------------------------


class AskHands(msgspec.Struct, frozen=True, tag="ask_hands", tag_field="kind"):
    """The table's hands, the newest first, and the one that is running before all. The result's ``params`` are a :class:`HandsPage`.

    ``before``: only hands that were closed before this row; 0: from the newest.
    """

    before: _Row = 0
    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_HANDS)] = 20


class AskReplay(msgspec.Struct, frozen=True, tag="ask_replay", tag_field="kind"):
    """What the screens showed of a hand, from step ``first`` on. The result's ``params`` are a :class:`ReplayPage`.

    ``hand``: its name, as it was listed; a hand that has ended since is then not taken for the one that runs now.
    """

    row: _Row
    first: Annotated[int, msgspec.Meta(ge=0)] = 0
    hand: str = ""


HistoryCommand = AskHands | AskReplay

# -- what is told --------------------------------------------------------------------------------------------------------------


class AlertLine(msgspec.Struct, frozen=True):
    """An alert or question of a hand, as it stood at last."""

    rule: str
    evidence: Evidence
    priority: Priority
    state: AlertState
    seat: int | None = None


class HandLine(msgspec.Struct, frozen=True):
    """A hand in the list. Times in seconds of UTC; ``result`` "": it is running.

    ``pot``: all that was won, rake and drops with it, in the smallest unit; of a running hand what lies there now. ``winners``: seat
    and what it got. ``amounts`` False: chips were not tracked. ``steps``: how many its replay has; 0: none was kept.
    """

    row: int
    hand: str
    result: str
    began_s: int
    ended_s: int
    game: str = ""
    pot: int = 0
    winners: tuple[tuple[int, int], ...] = ()
    alerts: tuple[AlertLine, ...] = ()
    steps: int = 0
    amounts: bool = True


class HandsPage(msgspec.Struct, frozen=True):
    """Hands, the newest first. ``next``: what to ask ``before`` for the ones behind them; 0: there are none."""

    hands: tuple[HandLine, ...]
    next: int = 0


class ReplayStep(msgspec.Struct, frozen=True):
    """One step of a hand, ``t_ms`` after its first one: the sections of the screen that changed, those that went.

    ``cause``: what was done or seen, a code with ``params``; "": nothing but what was done before it.
    """

    t_ms: int
    cause: str
    facts: tuple[Fact, ...]
    gone: tuple[tuple[str, str], ...] = ()
    params: dict[str, Any] = {}


class ReplayPage(msgspec.Struct, frozen=True):
    """Some steps of a hand, from number ``first`` on, of ``of``. Step 0 has every section."""

    row: int
    hand: str
    first: int
    of: int
    steps: tuple[ReplayStep, ...]
