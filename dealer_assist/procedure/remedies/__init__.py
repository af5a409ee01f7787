"""Remedies: what the house does about an irregularity, as a rewriting of the plan and a checklist that ticks itself off.

A remedy ``begin``s by rewriting the rest of the plan and returns its steps; ``cancel`` puts back what it set aside beside the plan.
Each step has one check on what has been seen since (:mod:`checks`); a step that no reader sees ticks at the next one that is
(DESIGN §4). ``rows`` are the irregularities that a remedy can mend: for any other its checks would never be fulfilled.
"""

from __future__ import annotations

from typing import Final

from dealer_assist.procedure.remedies import action, board, burns, deal, deck
from dealer_assist.procedure.remedies.base import Remedy

#: Remedy name → remedy, as house files name them.
REMEDIES: Final[dict[str, Remedy]] = {
    **deal.REMEDIES,
    **deck.REMEDIES,
    **burns.REMEDIES,
    **board.REMEDIES,
    **action.REMEDIES,
}

__all__ = ["REMEDIES", "Remedy"]
