"""What only the floor may do at a table that has a staff file."""

from __future__ import annotations

from typing import Final, get_args

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import equipment as eq
from dealer_assist.domain.floor import FloorCommand
from dealer_assist.domain.shift import CloseTable, OpenTable
from dealer_assist.domain.terms import SetTable

OF_THE_FLOOR: Final = get_args(FloorCommand)
#: What is the floor's whoever asks.
_FLOOR_ONLY: Final = (
    cmd.Void,
    eq.RegisterDeck,
    eq.CheckDeck,
    eq.Calibrate,
    eq.SaveTrace,
    OpenTable,
    CloseTable,
    SetTable,
)
#: What is the floor's word where he is signed in, and the dealer's where he is not.
_FLOOR_FIRST: Final = (cmd.Rule, cmd.Correct, cmd.FirstButton)
#: Anybody may leave off what is being set up: it must not hold up a game.
_ANYBODYS_STEPS: Final = frozenset({"pause", "cancel"})
#: A dealer changes decks, and takes one off the table that he does not trust.
_DEALERS_DECK_STATES: Final = frozenset({"in_use", "out", "quarantine"})


def needs_floor(command: cmd.Command) -> bool:
    """Whether this is not the dealer's to do."""
    match command:
        case eq.SetupStep():
            return command.do not in _ANYBODYS_STEPS
        case eq.Diagnose():
            return (
                command.seconds > 0
            )  # whose page was closed with floor mode still says that nobody looks any more
        case eq.SetDeck():
            return command.state not in _DEALERS_DECK_STATES
        case _:
            return isinstance(command, _FLOOR_ONLY)


def floor_speaks(command: cmd.Command) -> bool:
    """Whether it counts as the floor's own word while he is signed in."""
    return needs_floor(command) or isinstance(command, (*_FLOOR_FIRST, eq.SetDeck, eq.SetupStep))
