"""House, game and limits of a table that are changed between hands.

What a table plays by comes from its configuration. A change is kept in the journal as the mark :data:`TERMS`, with what the configuration
said then: after a restart it counts again, unless the configuration has been changed since; the file of the table goes before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.table import Limits
from dealer_assist.domain.terms import SetTable
from dealer_assist.table.core import Core
from dealer_assist.table.equipment.set_ups import Outcome, no
from dealer_assist.table.money import RakeUnfit
from dealer_assist.table.opening import Rules
from dealer_assist.table.recording import Recorder

#: The mark that has what the table plays by.
TERMS: Final = "terms"


class Terms(msgspec.Struct, frozen=True):
    """What a table plays by. ``house``: its name, or the path of its file, as the configuration has it; ``game`` likewise."""

    house: str
    game: str
    limits: Limits


class TermsKept(msgspec.Struct, frozen=True):
    """The mark: what counts, and what the configuration said when it was chosen."""

    terms: Terms
    configured: Terms


#: Makes the rules of a table; raises ValueError or OSError for a house or game that cannot be read, RakeUnfit for limits without its rake.
MakeRules = Callable[[Terms], Rules]


class TermsDesk:
    """``configured``: what the configuration says; ``houses``: names that may be chosen → what ``make`` reads them by.

    ``games``: the table's games by their names, likewise. ``mark``: the last :data:`TERMS` of the journal.
    """

    def __init__(
        self,
        core: Core,
        recorder: Recorder | None,
        configured: Terms,
        *,
        houses: dict[str, str],
        games: dict[str, str],
        make: MakeRules,
        mark: bytes | None,
    ) -> None:
        self._core = core
        self._recorder = recorder
        self._configured = configured
        self._houses = houses
        self._games = games
        self._make = make
        self.terms = configured
        core.may_play_by(tuple(houses))
        kept = None if mark is None else msgspec.json.decode(mark, type=TermsKept)
        if kept is not None and kept.configured == configured and kept.terms != configured:
            if not isinstance(rules := self._rules(kept.terms), Refused):
                core.show(self._play_by(kept.terms, rules))

    def tell(self, command: SetTable) -> Outcome:
        """Change what is named, or say why not; a refused command changes nothing."""
        if self._core.hand_running():
            return no("in_a_hand")
        wanted = self._wanted(command)
        if isinstance(wanted, Refused):
            return Outcome(refused=wanted)
        rules = self._rules(wanted)
        if isinstance(rules, Refused):
            return Outcome(refused=rules)
        facts = self._play_by(wanted, rules)
        return Outcome(facts, [(TERMS, TermsKept(wanted, self._configured))])

    def _wanted(self, command: SetTable) -> Terms | Refused:
        known = {**self._houses, **{source: source for source in self._houses.values()}}
        if command.house and command.house not in known:
            return Refused("no_such_house", {"house": command.house})
        if command.game and command.game not in self._games:
            return Refused("bad_command", {"reason": "unknown_game"})
        limits = self.terms.limits
        if (command.small_blind, command.big_blind) != (None, None):
            limits = replace(limits, small_bet=0, big_bet=0)
        if command.small_blind is not None:
            limits = replace(limits, small_blind=command.small_blind)
        if command.big_blind is not None:
            limits = replace(limits, big_blind=command.big_blind)
        if command.ante is not None:
            limits = replace(limits, ante=command.ante)
        wrong = _mistake(limits)
        if wrong is not None:
            return wrong
        return Terms(
            known.get(command.house, self.terms.house), self._games.get(command.game, self.terms.game), limits
        )

    def _rules(self, terms: Terms) -> Rules | Refused:
        try:
            return self._make(terms)
        except RakeUnfit:
            return Refused("rake_unfit")
        except (ValueError, OSError):  # the table's own file is gone or is no house any more
            return Refused("no_such_house", {"house": terms.house})

    def _play_by(self, terms: Terms, rules: Rules) -> list[fx.Fact]:
        self.terms = terms
        if self._recorder is not None:
            self._recorder.plays_by(terms.house, terms.game, terms.limits, self._others(terms.game))
        return self._core.play_by(rules, terms.limits)

    def _others(self, game: str) -> Sequence[str]:
        """The games of the table beside the one that it plays."""
        return [source for source in self._games.values() if source != game]


def _mistake(limits: Limits) -> Refused | None:
    """Why these limits are none."""
    if limits.small_blind > limits.big_blind:
        return Refused("small_blind_above_big", {"amount": limits.big_blind})
    smallest = min(limits.chips, default=1)
    if any(amount % smallest for amount in (limits.small_blind, limits.big_blind, limits.ante)):
        return Refused("not_whole_chips", {"amount": smallest})
    if limits.ante_kind != "each" and not limits.ante:
        return Refused("ante_needed")
    return None
