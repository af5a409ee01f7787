"""Betting and the pot: posts, actions, rounds, pots and awards of one hand, to the chip.

Pure: a state goes in, a state comes out. ``start`` begins a hand; ``act``, ``fold_out_of_turn``, ``kill``, ``unfold`` and
``next_street`` move it on; ``award`` ends it. The rest are questions.
"""

from dealer_assist.betting.ahead import ahead
from dealer_assist.betting.amounts import AmountRules, Pushed, RuledAmount, ruled_amount
from dealer_assist.betting.legal_five import Ranking, Use
from dealer_assist.betting.opening import start
from dealer_assist.betting.posts import (
    Killer,
    PostsKind,
    blinds_and_antes,
    entering_of,
    forced_bets,
    usual_blinds,
)
from dealer_assist.betting.pot_split import split
from dealer_assist.betting.rake import Drop, RakeSchedule, taken, taken_of_each
from dealer_assist.betting.ranking import hand_name, hand_rank
from dealer_assist.betting.rounds import (
    act,
    fold_out_of_turn,
    hand_over,
    kill,
    legal,
    live,
    next_street,
    no_more_betting,
    pending,
    round_complete,
    uncalled,
    verify,
)
from dealer_assist.betting.settlement import (
    award,
    chop_taken,
    gathered_pots,
    house_take,
    pots,
    showdown_order,
)
from dealer_assist.betting.stacks import rebase, recount, said_all_in
from dealer_assist.betting.straddles import StraddleOffer, straddle_offers, with_straddle
from dealer_assist.betting.structure import least_bet
from dealer_assist.betting.unfold import unfold, unfold_fund, unfold_refusal
from dealer_assist.betting.values import (
    UNKNOWN_STACK,
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
    StraddleRule,
    StructureName,
    Taken,
    TakenKind,
    Unawardable,
    UnfoldFund,
)

__all__ = [
    "UNKNOWN_STACK",
    "Action",
    "ActionKind",
    "ActionRefused",
    "AmountRules",
    "BadSetup",
    "BettingState",
    "Drop",
    "HandSetup",
    "Killer",
    "Legal",
    "Post",
    "PostKind",
    "PostsKind",
    "Pot",
    "PotAward",
    "Pushed",
    "RakeSchedule",
    "Ranking",
    "Refusal",
    "RuledAmount",
    "Settlement",
    "StraddleOffer",
    "StraddleRule",
    "StructureName",
    "Taken",
    "TakenKind",
    "Unawardable",
    "UnfoldFund",
    "Use",
    "act",
    "ahead",
    "award",
    "blinds_and_antes",
    "chop_taken",
    "entering_of",
    "fold_out_of_turn",
    "forced_bets",
    "gathered_pots",
    "hand_name",
    "hand_over",
    "hand_rank",
    "house_take",
    "kill",
    "least_bet",
    "legal",
    "live",
    "next_street",
    "no_more_betting",
    "pending",
    "pots",
    "rebase",
    "recount",
    "round_complete",
    "ruled_amount",
    "said_all_in",
    "showdown_order",
    "split",
    "start",
    "straddle_offers",
    "taken",
    "taken_of_each",
    "uncalled",
    "unfold",
    "unfold_fund",
    "unfold_refusal",
    "usual_blinds",
    "verify",
    "with_straddle",
]
