"""The order of the deal, judged by the odds of the alignment: one question where they say so, withdrawn when they no longer do.

A card in its turn costs nothing: the odds are only weighed once something departs from the plan, and again at each further card, at
a glimpse, and a few times after the last card, when what may have been read late has shown or has not.
"""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.alerts import Alert, Why
from dealer_assist.domain.zones import seat_of, seat_zone
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.alignment.deal import Odds, odds
from dealer_assist.procedure.alignment.density import LEAVE_MS, log_of
from dealer_assist.procedure.alignment.forward import Sight
from dealer_assist.procedure.alignment.sensing import SensingParameters, sensing_of
from dealer_assist.procedure.alignment.words import Word, explanations, shares, weighed
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.rules import shoe
from dealer_assist.procedure.state import State

#: The deadline at which the odds are weighed again.
DEADLINE: Final = "order"
#: When that is, in ms behind the last card that was read.
LOOKS_MS: Final = (1000, 1400, 1800, 2200, 2700, 3500, 4500, 6000)
#: As long as the next card is due, a departure is only named when it outweighs every other one so many times: a seat that was passed
#: over may be served next.
_CLEAR: Final = 6
#: A deal that began at the wrong seat is only named when it is so much likelier than the costs ask, as long as cards are due: where the
#: deal ends tells it from a first card that was not read, and that is known before anybody acts.
_BEGINNING: Final = 7500
#: The questions that the odds ask and withdraw.
QUESTIONS: Final = frozenset({"seat_in", "first_card", "out_of_turn", "one_short"})
RULES: Final = ("D1", "D3", "D4", "D5")
#: A card that lies at a seat and is none of the deal: its own pitch was not read as one.
OTHER_CARDS: Final = ("K2", "K3", "K11")
_WHOLE: Final = 10_000
#: Below this share nothing is looked at again by time alone.
_SUSPICIOUS: Final = 100


def readable(state: State) -> tuple[int, ...]:
    """The dealt-in seats whose zone has a working reader, in the order of the deal."""
    return tuple([seat for seat in state.order if seat_zone(seat) in state.readers])


def threshold(draft: Draft, missed_s: int) -> int:
    """From which share on a question is worth its cost, in 1/10,000."""
    false_s = draft.house.parameters.cost_false_question_s.value
    return _WHOLE * false_s // (false_s + missed_s)


def odds_why(share: int, ask: int) -> Why:
    """What a question rests on besides the reads: its share among all explanations and the one from which on it is asked, in 1/10,000."""
    weight = log_of(share) - log_of(max(1, _WHOLE - share))
    return Why("odds", {"share": share // 100, "ask": ask // 100}, weight=max(1, weight * 100 // 1024))


def owed(state: State) -> set[int | None]:
    """Seats that get a card in place of one that does not play (K3, K11)."""
    return {
        alert.seat
        for alert in state.alerts.values()
        if alert.state in ("open", "fixing") and any(step.code == "missing_card_to" for step in alert.steps)
    }


def watch(draft: Draft, t_ms: int) -> None:
    """Weigh the deal as it was read up to now; ask, or let a question fall away."""
    state = draft.state
    if state.misdeal or state.ended or state.step.kind != "deal" or not state.pitches:
        return
    mixed = draft.alert("K2")
    if mixed is not None and mixed.evidence == "proven":
        return  # a deck that is none: which card came when is no matter
    found = _odds(state, t_ms)
    if found is None:
        return
    plan = state.order * state.hole
    ask = threshold(draft, draft.house.parameters.cost_missed_deal_s.value)
    said = shares(found, plan, len(state.order))
    by_word = {word: share for share, word in said}
    for alert in _asked(state):
        if by_word.get(_word(alert), 0) < ask // 2:
            draft.withdraw(alert)
    if said and said[0][0] >= ask:
        clear = _clear(said) or t_ms >= _last_ms(state) + LOOKS_MS[0]
        if clear and _by_now(state, t_ms, *said[0]):
            _ask(draft, t_ms, said[0][1], said[0][0], found, ask)
    suspicious = found.departed >= _SUSPICIOUS or _anything_missing(state)
    _look_again(draft, t_ms, on=suspicious)


def glimpsed(draft: Draft, zone: str, t_ms: int) -> None:
    """A card was read once at a zone: it counts where one is missing."""
    state = draft.state
    if seat_of(zone) is not None and (DEADLINE in state.deadlines or any(_asked(state))):
        watch(draft, t_ms)


def _look_again(draft: Draft, t_ms: int, *, on: bool) -> None:
    last_ms = _last_ms(draft.state)
    looks = [last_ms + ms for ms in LOOKS_MS if last_ms + ms > t_ms]
    draft.deadline(DEADLINE, looks[0] if on and looks else None)


def _last_ms(state: State) -> int:
    """When the last card of the deal was read."""
    return max(pitch.first_ms for pitch in state.pitches)


def _clear(said: list[tuple[int, Word]]) -> bool:
    return len(said) < 2 or said[0][0] >= _CLEAR * said[1][0]


def _by_now(state: State, t_ms: int, share: int, word: Word) -> bool:
    """Whether there is no use in waiting for more cards to tell."""
    if word.question != "first_card" or share >= _BEGINNING:
        return True
    seats = readable(state)
    left = len(seats) * state.hole - sum(pitch.seat in seats for pitch in state.pitches)
    return left < 1 or (left == 1 and t_ms >= _last_ms(state) + LOOKS_MS[0])


def _anything_missing(state: State) -> bool:
    """Whether a seat has fewer cards than one that was served after it."""
    held = [len(state.held.get(seat, ())) for seat in readable(state)]
    return any(count < max(held[index:]) for index, count in enumerate(held))


def _asked(state: State) -> list[Alert]:
    """The questions about the order that are open and unanswered."""
    return [
        alert
        for alert in state.alerts.values()
        if alert.state == "open"
        and alert.evidence == "probable"
        and alert.question in QUESTIONS
        and alert.explanations
    ]


def _word(alert: Alert) -> Word:
    return Word(alert.rule, alert.question or "", alert.seat or 0, alert.params.get("due"))


def _ask(draft: Draft, asked_ms: int, word: Word, share: int, found: Odds, ask: int) -> None:
    state = draft.state
    if any(_word(alert) == word for alert in _asked(state)):
        return
    for alert in _asked(state):
        draft.withdraw(alert)  # one question at a time: the likelier one
    plan = state.order * state.hole
    count = len(state.order)
    told, best, rival = explanations(found, plan, count, word)
    planned = next(
        (course for course in found.courses if course.departure is None and not course.unexplained), rival
    )
    t_ms = state.pitches[-1].first_ms
    short = word.question in ("seat_in", "one_short") and not word.params.get("stray")
    shoe_why = (shoe.why(state, t_ms),) if short and shoe.unread(state, t_ms) == 0 else ()
    question = draft.raise_alert(
        word.rule,
        "probable",
        question=word.question,
        seat=word.seat,
        params=word.params,
        why=(*weighed(best, planned, plan), *shoe_why, odds_why(share, ask)),
        explanations=told,
    )
    if question is not None:
        draft.emit(ev.QuestionAsked(question.id, asked_ms))


def _odds(state: State, t_ms: int) -> Odds | None:
    """The odds of the running deal; None where no seat's antenna says anything."""
    antennas = _antennas(state)
    if not antennas:
        return None
    exits: list[int | None] | None = None
    if state.exits and shoe.SHOE in state.readers and shoe.unread(state, t_ms) is not None:
        exits = []
        for exit_ in state.exits:
            exits += [None] * exit_.missed
            exits.append(exit_.t_ms)
    return odds(
        state.order,
        state.hole,
        _sights(state, antennas),
        antennas,
        t_ms,
        lifted=_lifted(state),
        heard=_heard(state),
        exits=exits,
    )


def _antennas(state: State) -> dict[int, SensingParameters]:
    """The seats whose silence says something: their antenna works and reads well, and nothing about them was settled otherwise."""
    blind = {alert.seat for alert in state.alerts.values() if _settled(alert)} | owed(state)
    blind |= {alert.params.get("due") for alert in state.alerts.values() if _settled(alert)}
    blind |= {pitch.seat for pitch in state.pitches if pitch.since_ms >= pitch.first_ms}
    if state.preset_burn not in (None, "?"):
        blind |= set(
            state.exposed
        )  # its exposed card is taken away; the replacement comes when it comes, not in the order
    found = {}
    for seat in state.order:
        zone = seat_zone(seat)
        antenna = sensing_of(state.sensing, zone)
        if zone in state.readers and seat not in blind and not antenna.poor:
            found[seat] = antenna
    return found


def _settled(alert: Alert) -> bool:
    """Whether a person has said what became of this seat's card, or it was another card."""
    if alert.rule in OTHER_CARDS:
        return True
    return alert.rule in RULES and alert.answered is not None and alert.state != "withdrawn"


def _sights(state: State, antennas: dict[int, SensingParameters]) -> list[Sight]:
    sights = []
    first: dict[tuple[str, int], int] = {}
    for glimpse in state.glimpses:
        seat = seat_of(glimpse.zone)
        if seat is not None and (glimpse.ref, seat) not in first:
            first[glimpse.ref, seat] = glimpse.first_ms
    pitched = {pitch.ref for pitch in state.pitches}
    for pitch in state.pitches:
        antenna = antennas.get(pitch.seat)
        if antenna is None:
            continue
        earlier = first.get((pitch.ref, pitch.seat), pitch.first_ms)
        if earlier < pitch.first_ms:
            sights.append(Sight(pitch.ref, pitch.seat, earlier - antenna.period_ms, earlier))
        else:
            sights.append(Sight(pitch.ref, pitch.seat, pitch.since_ms, pitch.first_ms))
    for (ref, seat), first_ms in first.items():
        antenna = antennas.get(seat)
        if antenna is not None and ref not in pitched and ref not in state.where:
            sights.append(Sight(ref, seat, first_ms - antenna.period_ms, first_ms, solid=False))
    return sights


def _lifted(state: State) -> dict[int, int]:
    """Seat → since when one of its cards is not read where it was dealt to; where nobody knows, it was read last so long before that."""
    found: dict[int, int] = {}
    for seat, refs in state.held.items():
        for ref in refs:
            if state.where.get(ref) != seat_zone(seat):
                told_ms = state.away_ms.get(ref, state.came_ms.get(ref, state.t_ms))
                since_ms = state.last_ms.get(ref, told_ms - LEAVE_MS)
                found[seat] = min(since_ms, found.get(seat, since_ms))
    return found


def _heard(state: State) -> dict[int, int]:
    """Seat → since when a card of it has lain there without being missed for long, so that nothing covered the seat."""
    found: dict[int, int] = {}
    for pitch in state.pitches:
        if state.where.get(pitch.ref) == seat_zone(pitch.seat):
            since_ms = max(pitch.first_ms, state.came_ms.get(pitch.ref, 0))
            found[pitch.seat] = min(since_ms, found.get(pitch.seat, since_ms))
    return found
