"""``evolve(state, event) -> state``: the only code that changes a hand's state. No judgement here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from dealer_assist.domain.zones import BOARD, BURN, clockwise
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.state import OFF_TABLE, BoardSlot, Glimpse, Pitch, PlanStep, State

#: A burn whose last read is so soon behind its first one was read in two or three scans on end, and then in none: no card that lies on
#: the burn spot reads like that, one that lies at the edge of it does.
EDGE_MS: Final = 1000
#: The same by when it was told gone, in journals that do not say when it was read last.
EDGE_GONE_MS: Final = 1500


def opened(event: ev.HandOpened) -> State:
    """The state that a hand starts from."""
    return State(
        hand=event.opening.hand,
        attempt=1,
        opening=event.opening,
        order=event.order,
        hole=event.hole,
        kept=event.kept,
        folds=event.folds,
        entry=event.entry,
        plan=event.plan,
        base=event.plan,
        readers=frozenset(event.readers),
        settle_ms=event.settle_ms,
        t_ms=event.t_ms,
        deck=event.deck,
        cards=event.cards,
        run_it=event.run_it,
        hands_up=event.hands_up,
    )


def _card_pitched(state: State, event: ev.CardPitched) -> State:
    seat, ref = event.seat, event.ref
    pitches = state.pitches
    if all(pitch.ref != ref for pitch in pitches):  # else it is given back to its seat
        pitches = (*pitches, Pitch(ref, seat, event.since_ms, event.first_ms))
    return replace(
        state,
        pitches=pitches,
        held={**state.held, seat: (*state.held.get(seat, ()), ref)},
        owner={**state.owner, ref: seat},
        progress=state.progress + 1,
    )


def _card_lies(state: State, event: ev.CardLies) -> State:
    away = {ref: since for ref, since in state.away_ms.items() if ref != event.ref}
    last = {ref: read for ref, read in state.last_ms.items() if ref != event.ref}
    came = {ref: first for ref, first in state.came_ms.items() if ref != event.ref}
    if event.first_ms:
        came[event.ref] = event.first_ms
    where = {**state.where, event.ref: event.zone}
    return replace(state, where=where, away_ms=away, last_ms=last, came_ms=came)


def _card_glimpsed(state: State, event: ev.CardGlimpsed) -> State:
    return replace(state, glimpses=(*state.glimpses, Glimpse(event.ref, event.zone, event.first_ms)))


def _card_left(state: State, event: ev.CardLeft) -> State:
    if state.where.get(event.ref) != event.zone:
        return state
    where = dict(state.where)
    del where[event.ref]
    last = {**state.last_ms, event.ref: event.last_ms} if event.last_ms else state.last_ms
    edge = state.edge_burns
    if event.zone == BURN:
        edge = edge | {event.ref} if _at_edge(state, event) else edge - {event.ref}
    away = {**state.away_ms, event.ref: event.t_ms}
    return replace(state, where=where, away_ms=away, last_ms=last, edge_burns=edge)


def _at_edge(state: State, event: ev.CardLeft) -> bool:
    """Whether the burn spot read this card for a moment only."""
    came_ms = state.came_ms.get(event.ref)
    if came_ms is None:
        return False
    if event.last_ms:
        return event.last_ms - came_ms < EDGE_MS
    return event.t_ms - came_ms < EDGE_GONE_MS


def _card_burned(state: State, event: ev.CardBurned) -> State:
    state = replace(state, dead_burns=state.dead_burns - {event.ref}, progress=state.progress + 1)
    if event.spare:
        return replace(state, spare_burns=(*state.spare_burns, event.ref))
    return replace(state, burns=(*state.burns, event.ref))


def _burn_taken_back(state: State, event: ev.BurnTakenBack) -> State:
    return replace(
        state,
        burns=tuple(ref for ref in state.burns if ref != event.ref),
        spare_burns=tuple(ref for ref in state.spare_burns if ref != event.ref),
        dead_burns=state.dead_burns - {event.ref},
    )


def _burn_discounted(state: State, event: ev.BurnDiscounted) -> State:
    state = _burn_taken_back(state, ev.BurnTakenBack(event.ref))
    return replace(state, dead_burns=state.dead_burns | {event.ref})


def _spare_burn_used(state: State, event: ev.SpareBurnUsed) -> State:
    spare = tuple(ref for ref in state.spare_burns if ref != event.ref)
    return replace(state, spare_burns=spare, burns=(*state.burns, event.ref))


def _board_card_laid(state: State, event: ev.BoardCardLaid) -> State:
    return replace(
        state,
        board=(
            *state.board,
            BoardSlot(event.ref, event.street, event.first_ms, event.early, event.zone),
        ),
        progress=state.progress + 1,
    )


def _board_judged(state: State, event: ev.BoardJudged) -> State:
    board = tuple(
        replace(slot, early=event.early) if slot.ref in event.refs else slot for slot in state.board
    )
    return replace(state, board=board)


def _board_card_gone(state: State, event: ev.BoardCardGone) -> State:
    board = tuple(slot for slot in state.board if slot.ref != event.ref)
    faces = {ref: face for ref, face in state.faces.items() if ref != event.ref}
    return replace(state, board=board, faces=faces, asked=state.asked - {event.ref})


def _card_mucked(state: State, event: ev.CardMucked) -> State:
    return replace(state, mucked=state.mucked | {event.ref})


def _face_asked(state: State, event: ev.FaceAsked) -> State:
    return replace(state, asked=state.asked | set(event.refs))


def _face_shown(state: State, event: ev.FaceShown) -> State:
    return replace(state, faces={**state.faces, event.ref: event.face})


def _order_corrected(state: State, event: ev.OrderCorrected) -> State:
    opening = replace(state.opening, seats=(*state.opening.seats, *event.joined), posts=event.posts)
    return replace(state, order=event.order, opening=opening)


def _exposed(state: State, event: ev.Exposed) -> State:
    return replace(state, exposed=(*state.exposed, event.seat))


def _preset_burn(state: State, event: ev.PresetBurn) -> State:
    return replace(state, preset_burn=event.ref, replacing=event.replacing)


def _hole_card_taken(state: State, event: ev.HoleCardTaken) -> State:
    held = dict(state.held)
    held[event.seat] = tuple(ref for ref in held.get(event.seat, ()) if ref != event.ref)
    owner = {ref: seat for ref, seat in state.owner.items() if ref != event.ref}
    pitches = state.pitches
    if event.ref.startswith(OFF_TABLE):
        pitches = tuple([pitch for pitch in pitches if pitch.ref != event.ref])
    return replace(state, held=held, owner=owner, pitches=pitches)


def _alert_set(state: State, event: ev.AlertSet) -> State:
    return replace(state, alerts={**state.alerts, event.alert.id: event.alert})


def _question_asked(state: State, event: ev.QuestionAsked) -> State:
    return replace(state, asked_ms={**state.asked_ms, event.alert: event.t_ms})


def _seat_marked(state: State, event: ev.SeatMarked) -> State:
    marks = dict(state.marks)
    if event.marks:
        marks[event.seat] = event.marks
    else:
        marks.pop(event.seat, None)
    return replace(state, marks=marks)


def _deadline_set(state: State, event: ev.DeadlineSet) -> State:
    deadlines = dict(state.deadlines)
    if event.t_ms is None:
        deadlines.pop(event.name, None)
    else:
        deadlines[event.name] = event.t_ms
    return replace(state, deadlines=deadlines)


def _hand_killed(state: State, event: ev.HandKilled) -> State:
    return replace(state, dead=state.dead | {event.seat})


def _hand_revived(state: State, event: ev.HandRevived) -> State:
    return replace(
        state,
        dead=state.dead - {event.seat},
        mucked=state.mucked - set(state.held.get(event.seat, ())),
    )


def _button_corrected(state: State, event: ev.ButtonCorrected) -> State:
    opening = replace(state.opening, button=event.seat, posts=())
    order = clockwise(event.seat, state.order)
    return replace(state, opening=opening, order=order)


def _card_scrapped(state: State, event: ev.CardScrapped) -> State:
    burns = [ref for ref in state.burns if ref != event.ref]
    if event.burned:
        burns = [_gone(ref) if ref == event.ref else ref for ref in state.burns]
    return replace(state, scrapped=state.scrapped | {event.ref}, burns=tuple(burns))


def _gone(ref: str) -> str:
    """Stands for a burn that counts although its card is somewhere else now."""
    return f"gone.{ref}"


def _muck_shuffled_in(state: State, event: ev.MuckShuffledIn) -> State:
    gone = set(event.refs)
    return replace(
        state,
        mucked=state.mucked - gone,
        dead_burns=state.dead_burns - gone,
        burns=tuple([_gone(ref) if ref in gone else ref for ref in state.burns]),
        spare_burns=tuple([_gone(ref) if ref in gone else ref for ref in state.spare_burns]),
        preset_burn=_gone(state.preset_burn) if state.preset_burn in gone else state.preset_burn,
        where={ref: zone for ref, zone in state.where.items() if ref not in gone},
        owner={ref: seat for ref, seat in state.owner.items() if ref not in gone},
        held={seat: tuple([ref for ref in refs if ref not in gone]) for seat, refs in state.held.items()},
    )


def _stub_shuffled(state: State, _: ev.StubShuffled) -> State:
    # a dead burn that is not on the burn spot was shuffled in: it may come again
    dead = frozenset([ref for ref in state.dead_burns if state.where.get(ref) == BURN])
    return replace(state, reshuffles=state.reshuffles + 1, dead_burns=dead)


def _remedy_begun(state: State, event: ev.RemedyBegun) -> State:
    return replace(state, begun={**state.begun, event.alert: (state.progress, event.street, event.actions)})


def _deal_begun_again(state: State, event: ev.DealBegunAgain) -> State:
    fresh = opened(
        ev.HandOpened(
            opening=state.opening,
            order=state.order,
            hole=state.hole,
            kept=state.kept,
            folds=state.folds,
            entry=state.entry,
            plan=_first_board(state),
            readers=tuple(state.readers),
            settle_ms=state.settle_ms,
            t_ms=state.t_ms,
            deck=state.deck,
            cards=state.cards,
            run_it=state.run_it,
            hands_up=state.hands_up,
        )
    )
    return replace(
        fresh,
        attempt=event.attempt,
        alerts=state.alerts,
        begun=state.begun,
        progress=state.progress,
        sensing=state.sensing,
        exits=state.exits,
    )


def _run_it_agreed(state: State, event: ev.RunItAgreed) -> State:
    street = event.street if event.times > 1 else None
    return replace(state, times=event.times, run_from=street, agreed_at=state.cards_out)


def _first_board(state: State) -> tuple[PlanStep, ...]:
    """The game's plan; of a hand that is run more than once with the steps of the first board."""
    if state.times == 1:
        return state.base
    return tuple([step if state.common(step.street) else replace(step, zone=BOARD) for step in state.base])


def _board_begun(state: State, event: ev.BoardBegun) -> State:
    """The steps of another board go before the showdown: all that looks a street up finds those of this one."""
    here, below = state.run_zone(state.run), state.run_zone(event.run)
    own = [slot for slot in state.board if slot.zone == here and not state.common(slot.street)]
    base = tuple([step if state.common(step.street) else replace(step, zone=below) for step in state.base])
    steps = [step for step in base if step.kind in ("burn", "board") and not state.common(step.street)]
    return replace(
        state,
        run=event.run,
        base=base,
        plan=(*state.plan[:-1], *steps, state.plan[-1]),
        board=tuple([slot for slot in state.board if slot not in own]),
        finished=(*state.finished, *own),
        shelved={},
        progress=state.progress + 1,
    )


def _first_board_counts(state: State, event: ev.FirstBoardCounts) -> State:
    """A further board that is being dealt is left as it is; taken back, its steps are looked at from the first one on."""
    if state.run == 1:
        return replace(state, first_only=event.on)
    here = state.run_zone(state.run)
    first = next(place for place, step in enumerate(state.plan) if step.zone == here)
    return replace(state, first_only=event.on, at=len(state.plan) - 1 if event.on else first)


_REDUCERS: dict[type, Callable[[State, Any], State]] = {
    ev.HandOpened: lambda _, event: opened(event),
    ev.ReadersChanged: lambda state, event: replace(state, readers=frozenset(event.zones)),
    ev.CardPitched: _card_pitched,
    ev.CardLies: _card_lies,
    ev.CardGlimpsed: _card_glimpsed,
    ev.CardLeft: _card_left,
    ev.CardBurned: _card_burned,
    ev.BurnTakenBack: _burn_taken_back,
    ev.SpareBurnUsed: _spare_burn_used,
    ev.BoardCardLaid: _board_card_laid,
    ev.BoardJudged: _board_judged,
    ev.BoardCardGone: _board_card_gone,
    ev.CardMucked: _card_mucked,
    ev.MuckedTakenBack: lambda state, event: replace(state, mucked=state.mucked - {event.ref}),
    ev.FaceAsked: _face_asked,
    ev.FaceShown: _face_shown,
    ev.StepReached: lambda state, event: replace(state, at=event.at, progress=state.progress + 1),
    ev.PlanRewritten: lambda state, event: replace(state, plan=event.plan, at=event.at),
    ev.PlanShelved: lambda state, event: replace(state, shelved={**state.shelved, event.alert: event.plan}),
    ev.OrderCorrected: _order_corrected,
    ev.Exposed: _exposed,
    ev.PresetBurn: _preset_burn,
    ev.HoleCardTaken: _hole_card_taken,
    ev.AlertSet: _alert_set,
    ev.QuestionAsked: _question_asked,
    ev.RuleSilenced: lambda state, event: replace(state, silenced=state.silenced | {event.rule}),
    ev.SeatMarked: _seat_marked,
    ev.DeadlineSet: _deadline_set,
    ev.MisdealDeclared: lambda state, event: replace(state, misdeal=event.on, gathered=False),
    # what leaves the shoe from here on is of the next deal, whose first card comes a little later
    ev.CardsGathered: lambda state, _: replace(state, gathered=True, exits=()),
    ev.DealBegunAgain: _deal_begun_again,
    ev.BurnDiscounted: _burn_discounted,
    ev.HandKilled: _hand_killed,
    ev.HandRevived: _hand_revived,
    ev.ButtonCorrected: _button_corrected,
    ev.CardScrapped: _card_scrapped,
    ev.ScrapExpected: lambda state, event: replace(state, scrap_due=event.count),
    ev.PickExpected: lambda state, event: replace(state, pick_due=event.on),
    ev.MuckShuffledIn: _muck_shuffled_in,
    ev.StubShuffled: _stub_shuffled,
    ev.AntennasKnown: lambda state, event: replace(state, sensing=event.sensing),
    ev.DeckChanged: lambda state, event: replace(state, deck=event.deck),
    ev.ActionCorrected: lambda state, event: replace(state, corrected=(*state.corrected, event.seat)),
    ev.CardsChosen: lambda state, event: replace(state, chosen={**state.chosen, event.seat: event.refs}),
    ev.RemedyBegun: _remedy_begun,
    ev.CardFreed: lambda state, event: replace(state, scrapped=state.scrapped - {event.ref}),
    ev.HeldOpen: lambda state, event: replace(state, held_open=event.street, held_at_ms=event.t_ms),
    ev.HandIdentified: lambda state, _: state,
    ev.RunItAgreed: _run_it_agreed,
    ev.BoardBegun: _board_begun,
    ev.FirstBoardCounts: _first_board_counts,
    ev.CardExited: lambda state, event: replace(state, exits=(*state.exits, event.exit)),
    ev.HandEnded: lambda state, event: replace(state, ended=event.result, deadlines={}),
}


def evolve(state: State | None, event: ev.ProcedureEvent) -> State:
    """Return the state after ``event``; only ``HandOpened`` may come without a state."""
    if state is None:
        assert isinstance(event, ev.HandOpened), "a hand must be opened before anything happens in it"
        return opened(event)
    return _REDUCERS[type(event)](state, event)
