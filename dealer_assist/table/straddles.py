"""Straddles at the table: taken until somebody has acted, and offered on the pad."""

from __future__ import annotations

from typing import Final

from dealer_assist import betting
from dealer_assist.betting import Refusal
from dealer_assist.betting.posts import in_front
from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Refused
from dealer_assist.table import events as te
from dealer_assist.table.decision import Decision
from dealer_assist.table.hand import Hand

#: Refusals that were right at any time of this hand.
_NEVER: Final = ("no_straddles", "no_blinds_to_straddle")


def straddle(decision: Decision, command: cmd.Straddle) -> Refused | None:
    """A seat straddles: until somebody has acted; the betting starts again with one post more."""
    hand = decision.hand
    if hand.procedure.misdeal:
        return Refused("hand_complete")
    if command.seat not in hand.betting.setup.seats:
        return Refused("bad_seat", {"seat": command.seat})
    if command.amount < 0:
        return Refused("bad_command", {"reason": "amount"})
    setup = betting.with_straddle(hand.betting.setup, command.seat, command.amount)
    if not _open(hand) and not (isinstance(setup, Refusal) and setup.code in _NEVER):
        return Refused("straddle_too_late", {"seat": command.seat})
    if isinstance(setup, Refusal):
        return setup
    decision.emit(te.Straddled(command.seat, in_front(setup.posts, command.seat), setup.posts, setup))
    return None


def straddles(hand: Hand) -> tuple[fx.StraddleOffer, ...]:
    """The straddles that may be posted now, for the pad."""
    state = hand.procedure
    if hand.result or state.ended or state.misdeal or not _open(hand):
        return ()
    setup = hand.betting.setup
    return tuple(
        [
            fx.StraddleOffer(offer.seat, offer.least, None if _endless(setup, offer) else offer.most)
            for offer in betting.straddle_offers(setup)
        ]
    )


def _endless(setup: betting.HandSetup, offer: betting.StraddleOffer) -> bool:
    """Whether only a stack that nobody knows limits it."""
    return offer.seat in setup.unknown and offer.most > offer.least


def _open(hand: Hand) -> bool:
    """Whether nobody has acted yet, in the first round."""
    return not hand.betting.log and hand.betting.street == 0 and hand.procedure.step.kind in ("deal", "bet")
