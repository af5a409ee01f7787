"""Remedies of the board: a flop dealt anew or scrambled, an early card, a street dealt again, a board rebuilt."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from dealer_assist.domain.alerts import Alert, Step
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.remedies.base import (
    Remedy,
    after,
    back_to_burn,
    board_steps,
    burn_again_counts,
    burns_before,
    checklist,
    dealt_again,
    early,
    extra_burn,
    index,
    judge_board,
    resume,
    rows,
    unseen,
    use_spare_burn,
    zone_of,
)
from dealer_assist.procedure.state import PlanStep

if TYPE_CHECKING:
    from dealer_assist.procedure.draft import Draft


#: Steps of a flop that is dealt anew.
_DEALT_ANEW: Final = ("board", "gather", "shuffle")


def _reflop(draft: Draft, *, burn: bool, zone: str | None = None) -> None:
    """All board cards go back: gather, shuffle, then the flop anew; of two boards only the one at ``zone``, where it is known."""
    state = draft.state
    boards = [step for step in board_steps(state, "flop") if zone in (None, step.zone)]
    zones = [step.zone for step in boards]
    flop = tuple([slot.ref for slot in state.board if slot.street == "flop" and slot.zone in zones])
    draft.emit(ev.BoardJudged(flop, early=True))
    first = index(state, "burn", "flop") if burn else None
    if first is None:
        first = index(state, "board", "flop")
    assert first is not None
    while first > 0 and state.plan[first - 1].street == "flop" and state.plan[first - 1].kind in _DEALT_ANEW:
        first -= 1  # a second board, or all that a ruling before this one has already said
    tail = [PlanStep("gather", "flop", 0), PlanStep("shuffle", "flop", 0)]
    if burn:
        tail.append(PlanStep("burn", "flop", 1))
    tail += boards
    tail += [step for step in board_steps(state, "flop") if step not in boards]
    draft.rewrite((*tail, *after(state, "board", "flop")), keep=first)


def _board_plays(draft: Draft, alert: Alert) -> None:
    draft.emit(ev.BoardJudged(early(draft.state), early=False))
    judge_board(draft)


def _board_waits(draft: Draft, alert: Alert) -> None:
    """An early card stays early until the round is closed; only the plan goes back (see early.round_closed)."""


def _reflop_burn_first(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    _reflop(draft, burn=True)
    return (Step("gather_board"), unseen("shuffle_cut_stub"), Step("burn_one"), Step("new_flop"))


def _reflop_no_burn(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    if alert.rule == "N6" and (extra := extra_burn(draft.state)) is not None:
        draft.emit(ev.BurnTakenBack(extra))  # the first burn stays, the extra one is shuffled in
    _reflop(draft, burn=False, zone=zone_of(alert) if alert.rule in ("F1", "F2", "F4") else None)
    return (Step("gather_board"), unseen("shuffle_cut_stub"), Step("new_flop_no_burn"))


def _flop_stays(draft: Draft, alert: Alert) -> None:
    _board_plays(draft, alert)
    if alert.rule == "N6":
        burn_again_counts(draft, alert)


def _one_to_burn(*steps: Step) -> Callable[[Draft, Alert], tuple[Step, ...]]:
    """One of the flop's cards is the burn, and the next one of the stub takes its place."""

    def begin(draft: Draft, alert: Alert) -> tuple[Step, ...]:
        back_to_burn(draft, "flop")
        return steps

    return begin


def _scramble_four(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """TDA 39-A: four face down, scrambled; the floor draws one, which is the next burn; the other three are the flop."""
    if draft.state.preset_burn is not None:
        draft.emit(ev.PresetBurn(None, None))  # it was the flop's (X3, D8): that burn is behind us
    draft.emit(ev.PickExpected(on=True))
    return (
        unseen("call_floor"),
        unseen("turn_down"),
        unseen("scramble"),
        Step("floor_picks", {"count": 3}),
        Step("picked_is_burn", {"street": "turn"}),
    )


def _no_pick(draft: Draft, alert: Alert) -> None:
    draft.emit(ev.PickExpected(on=False))
    draft.emit(ev.PresetBurn(None, None))
    judge_board(draft)


def _early_flop(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    burn = use_spare_burn(draft, "flop")
    resume(draft, alert, *burn, PlanStep("shuffle", "flop", 0), *board_steps(draft.state, "flop"))
    return (
        Step("set_aside", {"count": len(early(draft.state))}),
        Step("finish_betting", {"street": alert.street}),
        unseen("shuffle_cut_stub"),
        Step("new_flop_no_burn"),
    )


def _river_as_turn(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """S001 E6: the early burn lies dead, a new burn and what would have been the river in the turn's place, then a river unburned."""
    state = draft.state
    place = index(state, "burn", "turn")
    before = len(state.burns) if place is None else burns_before(state, place)
    for ref in (*state.burns[before:], *state.spare_burns):
        draft.emit(ev.BurnDiscounted(ref))
    burn = tuple([step for step in draft.state.base if step.kind == "burn" and step.street == "turn"])
    turn = (*burn, *board_steps(draft.state, "turn"), PlanStep("bet", "turn", 0))
    river = (PlanStep("shuffle", "river", 0), *board_steps(draft.state, "river"))
    resume(draft, alert, *turn, *river, rest="river")
    return (
        Step("set_aside", {"count": len(early(draft.state))}),
        Step("finish_betting", {"street": alert.street}),
        Step("burn_and_turn"),
        unseen("shuffle_with_aside"),
        Step("river_no_burn"),
    )


def _burn_is_early(draft: Draft, alert: Alert) -> None:
    """The early burn is not dead after all: it is the next street's, once the round is closed."""
    closed = draft.bets.street != alert.street or draft.bets.complete
    for ref in sorted(draft.state.dead_burns)[:1]:  # any of them: they are only counted
        draft.emit(ev.CardBurned(ref, spare=not closed))


def _reshuffle(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The early card goes back, stub and card are shuffled, the street is dealt from it without a burn."""
    street = str(alert.params["next"])
    burn = use_spare_burn(draft, street)
    board = board_steps(draft.state, street)
    resume(draft, alert, *burn, PlanStep("shuffle", board[0].street, 0), *board)
    return (
        Step("set_aside", {"count": len(early(draft.state))}),
        Step("finish_betting", {"street": alert.street}),
        unseen("shuffle_with_aside"),
        Step("river_no_burn" if street == "river" else "turn_no_burn"),
    )


def _put_back_in_order(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """Nothing was faced: the cards go back on the stub as they came off it, the burn stays, nothing is shuffled."""
    if alert.rule in ("F1", "F2", "F4", "R6"):
        street = alert.street
        here = zone_of(alert)
        boards = [step for step in board_steps(draft.state, street) if here in (None, step.zone)]
        due = sum([step.count for step in boards])
        zones = [step.zone for step in boards]
        laid = [slot.ref for slot in draft.state.board if slot.street == street and slot.zone in zones]
        draft.emit(ev.BoardJudged(tuple(laid[:due]), early=False))
        draft.emit(ev.BoardJudged(tuple(laid[due:]), early=True))
        return (Step("put_back", {"count": len(laid) - due}),)
    if alert.rule == "N6":
        return _put_back_with_burn(draft, alert)
    coming = str(alert.params["next"])
    count = len(early(draft.state))
    burn = use_spare_burn(draft, coming)
    board = board_steps(draft.state, coming)
    resume(draft, alert, *burn, PlanStep("gather", board[0].street, 0), *board)
    return (Step("put_back", {"count": count}), Step("finish_betting", {"street": alert.street}))


def _put_back_with_burn(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The board cards and then the second burn go back on top, and come again as the board that they should have been."""
    state = draft.state
    street = alert.street
    cards = tuple([slot.ref for slot in state.board if slot.street == street])
    draft.emit(ev.BoardJudged(cards, early=True))
    dealt_again(draft, street, PlanStep("gather", board_steps(state, street)[0].street, 0))
    return (
        Step("put_back", {"count": len(cards)}),
        Step("put_back_burn"),
        Step("street_no_burn", {"street": street}),
    )


def _back_as_it_lay(draft: Draft, alert: Alert) -> None:
    """An early card stays early until the round is closed; a flop that was right all along plays."""
    if alert.rule == "N6":
        _flop_stays(draft, alert)


def _redo_street(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The street's cards go into the stub, which is shuffled; its burn stands, and its cards come again without one."""
    street = str(alert.params["next"])
    if alert.rule == "R4":
        return _early_card_never_plays(draft, alert)
    state = draft.state
    cards = tuple([slot.ref for slot in state.board if slot.street == street])
    draft.emit(ev.BoardJudged(cards, early=True))
    use_spare_burn(draft, street)
    board = board_steps(state, street)
    gather = (PlanStep("gather", board[0].street, 0),) if cards else ()
    dealt_again(draft, street, *gather, PlanStep("shuffle", board[0].street, 0))
    betting = state.step.kind == "bet" and state.street != street and not draft.bets.complete
    return (
        *((Step("gather_board"),) if cards else ()),
        *((Step("finish_betting", {"street": state.street}),) if betting else ()),
        unseen("shuffle_cut_stub"),
        Step("street_no_burn", {"street": street}),
    )


def _early_card_never_plays(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """Action on a card that came too early does not make it one of the board's: it goes the way of the house's early cards."""
    if alert.street not in _EARLY_CARDS:
        return (unseen("call_floor"),)
    rule, usual = _EARLY_CARDS[alert.street]
    told = draft.alert(rule)
    if told is not None and told.evidence == "proven":
        return (Step("finish_betting", {"street": alert.street}),)
    coming = str(alert.params["next"])
    cards = tuple([slot.ref for slot in draft.state.board if slot.street == coming])
    draft.emit(ev.BoardJudged(cards, early=True))  # the round may be over by now, and the card the street's
    name = draft.house.rules[rule].remedy
    fits = any(name == remedy for _, remedy in _EARLY_CARDS.values()) or name == "river_as_turn"
    return REMEDIES[name if fits else usual].begin(draft, alert)


def _street_stands(draft: Draft, alert: Alert) -> None:
    """The street is not dealt again: its cards play, and so does the burn of one that the river was to take the place of."""
    _board_plays(draft, alert)
    if alert.rule == "R4" and alert.street == "flop" and draft.house.rules["R2"].remedy == "river_as_turn":
        _burn_is_early(draft, alert)


#: The street whose betting is not over → the row of a board card that comes then, and what is usually done.
_EARLY_CARDS: Final = {
    "preflop": ("R1", "early_flop"),
    "flop": ("R2", "reshuffle_turn"),
    "turn": ("R3", "reshuffle_river"),
}


REMEDIES: Final[dict[str, Remedy]] = {
    "reflop_burn_first": Remedy(rows("N1"), _reflop_burn_first, _board_plays),
    "top_is_burn": Remedy(rows("N1"), _one_to_burn(Step("move_top_to_burn"), Step("add_next_card"))),
    "scramble_three": Remedy(
        rows("N1"),
        _one_to_burn(
            unseen("call_floor"),
            unseen("turn_down"),
            unseen("scramble"),
            Step("move_one_to_burn"),
            Step("add_next_card"),
        ),
    ),
    "scramble_four": Remedy(rows("F1 F4"), _scramble_four, _no_pick),
    "reflop_no_burn": Remedy(rows("N6 F1 F2 F4"), _reflop_no_burn, _flop_stays),
    "early_flop": Remedy(rows("R1"), _early_flop, _board_waits),
    "river_as_turn": Remedy(rows("R2"), _river_as_turn, _burn_is_early),
    "reshuffle_turn": Remedy(rows("R2"), _reshuffle, _board_waits),
    "reshuffle_river": Remedy(rows("R3"), _reshuffle, _board_waits),
    "put_back_in_order": Remedy(rows("N6 F1 F2 F4 R1 R2 R3 R6"), _put_back_in_order, _back_as_it_lay),
    "turn_third": Remedy(rows("F3"), checklist(Step("add_third"))),
    "redo_street": Remedy(rows("F3 R4 R5 R6 R8"), _redo_street, _street_stands),
    "rebuild_board": Remedy(rows("R7"), checklist(unseen("call_floor"), Step("rebuild_board"))),
}
