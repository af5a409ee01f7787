"""Betting and the pot: posts, actions, rounds, pots and awards of one hand, to the chip.

Pure: a state goes in, a state comes out. ``start`` begins a hand; ``act``, ``fold_out_of_turn`` and ``next_street`` move it on;
``award`` ends it. The rest are questions.
"""

from dealer_assist.betting.opening import blinds_and_antes, start
from dealer_assist.betting.ranking import hand_name, hand_rank
from dealer_assist.betting.rounds import (
    act,
    fold_out_of_turn,
    hand_over,
    legal,
    live,
    next_street,
    no_more_betting,
    pending,
    round_complete,
    uncalled,
    verify,
)
from dealer_assist.betting.settlement import award, gathered_pots, pots, showdown_order, split
from dealer_assist.betting.values import (
    Action,
    ActionKind,
    ActionRefused,
    BadSetup,
    BettingState,
    HandSetup,
    Legal,
    Post,
    PostKind,
    Pot,
    PotAward,
    Refusal,
    Settlement,
    Taken,
    TakenKind,
    Unawardable,
)

__all__ = [
    "Action",
    "ActionKind",
    "ActionRefused",
    "BadSetup",
    "BettingState",
    "HandSetup",
    "Legal",
    "Post",
    "PostKind",
    "Pot",
    "PotAward",
    "Refusal",
    "Settlement",
    "Taken",
    "TakenKind",
    "Unawardable",
    "act",
    "award",
    "blinds_and_antes",
    "fold_out_of_turn",
    "gathered_pots",
    "hand_name",
    "hand_over",
    "hand_rank",
    "legal",
    "live",
    "next_street",
    "no_more_betting",
    "pending",
    "pots",
    "round_complete",
    "showdown_order",
    "split",
    "start",
    "uncalled",
    "verify",
]
