"""Alerts and questions: what the product says, as codes with parameters. Texts live with the screens."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dealer_assist.domain.table import Street

#: possible: a quiet mark · probable: one question · proven: the checklist (STOP where the rule may say it).
Evidence = Literal["possible", "probable", "proven"]
Priority = Literal["low", "medium", "high"]
#: open → fixing (the dealer took it) → closed; withdrawn: fell away by itself or misread; dealt_on: silent until the next hand
AlertState = Literal["open", "fixing", "closed", "withdrawn", "dealt_on"]
StepState = Literal["pending", "current", "done", "skipped"]


class Step(msgspec.Struct, frozen=True):
    """One step of a recovery. ``seen`` is False for a step no reader sees: it ticks at the next one that is."""

    code: str
    params: dict[str, Any] = {}
    state: StepState = "pending"
    seen: bool = True


class Why(msgspec.Struct, frozen=True):
    """One piece of evidence in words' clothing: a code, its parameters, the reads it rests on, and its weight in 1/100 nat."""

    code: str
    params: dict[str, Any] = {}
    reads: tuple[str, ...] = ()
    weight: int = 0


class Explanation(msgspec.Struct, frozen=True):
    """One way to explain what was read: a code, its parameters, and how likely it is against all others, in 1/10,000."""

    code: str
    params: dict[str, Any] = {}
    share: int = 0


class Alert(msgspec.Struct, frozen=True):
    """An irregularity as it stands now.

    ``question`` is the code of the open question, None when there is nothing to ask. ``stop``: the station says STOP.
    ``answered`` is the last answer given. ``source`` cites the house's rule; ``gap``: the house is silent and that rule fills in.
    ``options``: remedies the floor may choose from while a ruling is left to it; ``ruled``: what it chose. ``explanations``: the two
    best, where the reads were weighed.
    """

    id: str
    rule: str
    evidence: Evidence
    priority: Priority
    state: AlertState
    stop: bool
    street: Street
    seat: int | None
    house: str
    source: str
    params: dict[str, Any] = {}
    question: str | None = None
    answered: Literal["yes", "no"] | None = None
    remedy: str | None = None
    steps: tuple[Step, ...] = ()
    why: tuple[Why, ...] = ()
    options: tuple[str, ...] = ()
    ruled: str | None = None
    gap: bool = False
    explanations: tuple[Explanation, ...] = ()


class Saves(msgspec.Struct, frozen=True):
    """How often something was put right. ``told``: the product said so first; ``own``: the dealer did; ``misread``: it was wrong."""

    told: int = 0
    own: int = 0
    misread: int = 0

    def __add__(self, other: Saves) -> Saves:
        return Saves(self.told + other.told, self.own + other.own, self.misread + other.misread)
