"""The board that is due: its count (F1, F2, F4, R6) and the burn that was never read (N1–N4), judged once the cards lie still."""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.alerts import Alert, Explanation, Why
from dealer_assist.domain.table import STREETS, Street
from dealer_assist.domain.zones import BURN
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.alignment.sensing import WHOLE, sensing_of
from dealer_assist.procedure.alignment.street import unburned
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.remedies.base import board_steps, judge_board
from dealer_assist.procedure.rules import burns, short_flop, stands
from dealer_assist.procedure.rules.deal_watch import odds_why, threshold
from dealer_assist.procedure.state import BoardSlot, PlanStep, State

#: A single burn is read badly more often than it is forgotten: how much longer than the board card it may take to show.
BURN_LATE_MS: Final = 1500
#: Where the antenna is no better, its silence is weighed again so long behind the last board card; then the burn counts as unread.
LOOKS_MS: Final = (*range(3000, 9500, 500), 10_000)
#: How long a burn lies there before its board card does.
BURN_FIRST_MS: Final = 800


def _laid(state: State, street: str) -> tuple[BoardSlot, ...]:
    return tuple(slot for slot in state.board if slot.street == street and not slot.early)


def due(state: State) -> int:
    """How many board cards the street of the current step has, on all its boards."""
    return sum([step.count for step in board_steps(state, state.street)])


def complete(state: State) -> bool:
    """Whether the board cards of the current street all lie there."""
    return len(_laid(state, state.street)) == due(state)


def read_late(state: State) -> Street | None:
    """The street of whose cards some were not read, while players act on it, behind it or show their hands; the latest such.

    The next card on the board is one of those: also behind the next street's burn, once that street's own cards all lie there.
    """
    last = STREETS.index(state.street)
    if state.step.kind == "burn" or (state.step.kind == "board" and complete(state)):
        last -= 1
    elif state.step.kind not in ("bet", "show"):
        return None
    return _lacks(state, last)


def lacks(state: State) -> Street | None:
    """The latest street some of whose cards were not read, up to the one that is played or before the one whose burn or card is due."""
    last = STREETS.index(state.street)
    return _lacks(state, last if state.step.kind not in ("burn", "board") else last - 1)


def _lacks(state: State, last: int) -> Street | None:
    for street in reversed(STREETS[1 : last + 1]):
        if len(_laid(state, street)) < sum([step.count for step in board_steps(state, street)]):
            return street
    return None


def board_settled(draft: Draft) -> None:
    """The board has lain still for the settle time: judge it, and ask for the faces that are public now."""
    if draft.state.pick_due:
        return  # four cards are being scrambled: see pick_seen
    short_flop.watch(draft)
    street = draft.state.street
    laid = _laid(draft.state, street)
    if len(laid) >= due(draft.state):
        stands.burned_instead(draft)
    if len(laid) == due(draft.state) and burns.board_shown(draft):
        return
    state = draft.state
    step = state.step
    _ask_earlier(draft, street)
    if step.kind == "burn":
        _burn_unread(draft, laid)
        return
    if step.kind not in ("board", "bet", "point", "window", "discard", "show"):
        return
    for board in board_steps(state, street):
        here = tuple([slot for slot in laid if slot.zone == board.zone])
        if len(here) > board.count:
            _too_many(draft, board, here)
            return
        if len(here) == board.count:
            _ask_faces(draft, here)


def _ask_earlier(draft: Draft, street: str) -> None:
    """The faces of a street that is behind, one of whose cards was read only now, or one too many of which is gone now."""
    for before in STREETS[1 : STREETS.index(street)]:
        for board in board_steps(draft.state, before):
            here = tuple([slot for slot in _laid(draft.state, before) if slot.zone == board.zone])
            if len(here) == board.count:
                _ask_faces(draft, here)


def _ask_faces(draft: Draft, laid: tuple[BoardSlot, ...]) -> None:
    state = draft.state
    refs = tuple([slot.ref for slot in laid if slot.ref not in state.asked and slot.ref not in state.faces])
    if refs:
        draft.emit(ev.FaceAsked(refs))


def _too_many(draft: Draft, board: PlanStep, laid: tuple[BoardSlot, ...]) -> None:
    count = len(laid)
    if board.street != "flop":
        rule = "R6"
    elif count - board.count > 1:
        rule = "F2"
    else:
        rule = "F4" if draft.bets.street == "flop" and draft.bets.actions else "F1"
    for fewer in ("F1", "F4"):
        four = draft.alert(fewer)
        if four is None or rule == fewer:
            continue
        if four.evidence != "probable":
            return
        draft.withdraw(four)
    last = draft.alert(rule, open_only=False)
    if rule in draft.state.silenced and last is not None and last.state == "dealt_on":
        first_play(draft, board.street)  # as the dealer has said before
        return
    draft.raise_alert(
        rule,
        "probable",
        question="turned_up",
        params={"count": count, "extra": count - board.count, "next": board.street},
        why=(
            Why(
                "read_at",
                {"zone": board.zone, "count": count},
                reads=tuple([slot.ref for slot in laid]),
                weight=500,
            ),
        ),
    )


def burn_still_unread(draft: Draft) -> None:
    """The burn of the turn or river had its time to be read."""
    state = draft.state
    if state.step.kind == "burn":
        _burn_unread(draft, _laid(state, state.street), waited=True)


def _burn_unread(draft: Draft, laid: tuple[BoardSlot, ...], *, waited: bool = False) -> None:
    """Board cards lie where a burn is due. Absence is no proof: it is asked about, after the flop only at a burn spot known to read."""
    state = draft.state
    street = state.step.street
    if len(laid) < due(state):
        return
    rule = "N1" if street == "flop" else "N3"
    known_good = street == "flop" or bool(state.burns)
    poor = sensing_of(state.sensing, BURN).poor
    if BURN not in state.readers or poor or not known_good or _no_question_left(draft, rule, laid):
        pass_unread_burn(draft, street)
        return
    if rule == "N3" and not waited:
        last_ms = max(slot.first_ms for slot in laid)
        draft.deadline("burn_late", last_ms + state.settle_ms + BURN_LATE_MS)
        return
    last_ms = max(slot.first_ms for slot in laid)
    now_ms = max(draft.now_ms, last_ms + state.settle_ms)
    share = _unburned(state, laid, now_ms)
    ask = threshold(draft, draft.house.parameters.cost_missed_burn_s.value)
    if share < ask:
        looks = [last_ms + ms for ms in LOOKS_MS if last_ms + ms > now_ms]
        if looks:
            draft.deadline("burn_late", looks[0])
        else:
            pass_unread_burn(draft, street)
        return
    draft.raise_alert(
        rule,
        "probable",
        question="burned",
        params={"street": street, "count": len(laid), "next": street},
        why=(
            Why(
                "read_at",
                {"zone": laid[0].zone, "count": len(laid)},
                reads=tuple([slot.ref for slot in laid]),
                weight=300,
            ),
            Why("not_read", {"zone": "burn"}, weight=200),
            odds_why(share, ask),
        ),
        explanations=(
            Explanation("no_burn", {"street": street}, share),
            Explanation("burn_unread", {"street": street}, WHOLE - share),
        ),
    )


def _unburned(state: State, laid: tuple[BoardSlot, ...], now_ms: int) -> int:
    """The share of "no card was burned", in 1/10,000."""
    first_ms = min([slot.first_ms for slot in laid], default=now_ms)
    earlier = {ref for ref, zone in state.where.items() if zone == BURN}
    if not earlier and any(ref in state.came_ms for ref in state.burns):
        return 0  # the older burns have fallen silent, too: nothing is heard there now
    glimpsed = any(
        glimpse.zone == BURN and glimpse.first_ms >= first_ms - 2 * BURN_FIRST_MS - BURN_LATE_MS
        for glimpse in state.glimpses
        if glimpse.ref not in state.where and glimpse.ref not in state.owner
    )
    antenna = sensing_of(state.sensing, BURN)
    return unburned(antenna, now_ms - first_ms + BURN_FIRST_MS, glimpsed=glimpsed, hears=bool(earlier))


def _no_question_left(draft: Draft, rule: str, laid: tuple[BoardSlot, ...]) -> bool:
    """Whether the dealer deals on, or these are other cards than the ones that were asked about: their burn went unread."""
    if rule in draft.state.silenced:
        return True
    alert = draft.alert(rule)
    if alert is None or alert.evidence != "proven":
        return False
    return {slot.ref for slot in laid} != set(alert.why[0].reads)


def burn_glimpsed(draft: Draft, t_ms: int) -> None:
    """A card was read once at the burn spot: where a burn is asked about, it was burned after all."""
    state = draft.state
    ask = threshold(draft, draft.house.parameters.cost_missed_burn_s.value)
    for rule in ("N1", "N3"):
        alert = draft.alert(rule)
        if alert is None or alert.evidence != "probable" or alert.question != "burned":
            continue
        if _unburned(state, _laid(state, alert.street), t_ms) < ask // 2:
            draft.withdraw(alert)
            pass_unread_burn(draft, alert.street)


def burn_read_late(draft: Draft) -> None:
    """The burn is there after all: the question falls away, and the board is judged as it lies."""
    for rule in ("N1", "N3"):
        if draft.withdraw_asked(rule):
            draft.advance()
            board_settled(draft)


def answered_burned(draft: Draft, alert: Alert, answer: str) -> None:
    """Was a card burned? Yes: it was not read. No: the cards stand where the burn should be; N1 asks whether they were turned up."""
    if answer == "no":
        asks = alert.rule == "N1" and draft.house.rules["N1"].not_faced is not None
        draft.prove(draft.set_alert(alert, answered="no"), question="turned_up" if asks else None)
        return
    draft.set_alert(alert, answered="yes", question=None, state="closed")
    pass_unread_burn(draft, alert.street)


def pass_unread_burn(draft: Draft, street: str) -> None:
    """Go on as if the burn of this street had been read."""
    if draft.state.step.kind == "burn" and draft.state.street == street:
        burns.skip_unread(draft)
        board_settled(draft)


def let_lie(draft: Draft, alert: Alert) -> None:
    """The floor lets it stand: a missed burn is passed over, what is too many of a street does not play and is taken away."""
    if alert.rule in ("N1", "N3"):
        pass_unread_burn(draft, alert.street)
    elif alert.rule in stands.COUNTED:
        first_play(draft, alert.street)


def first_play(draft: Draft, street: str) -> None:
    """The cards that came first are the street's; what is too many does not play and is taken away."""
    for step in board_steps(draft.state, street):
        laid = [slot.ref for slot in _laid(draft.state, street) if slot.zone == step.zone]
        if extra := tuple(laid[step.count :]):
            draft.emit(ev.BoardJudged(extra, early=True))
    judge_board(draft)


def unsure_which(draft: Draft, street: str) -> bool:
    """Whether too many cards of a street are read, and the dealer says that it is a misread: nobody knows which ones are the street's."""
    count = len(_laid(draft.state, street))
    due_here = sum([step.count for step in board_steps(draft.state, street)])
    told = [draft.alert(rule, open_only=False) for rule in stands.COUNTED]
    return count > due_here and any(
        alert is not None
        and alert.street == street
        and alert.state == "withdrawn"
        and alert.rule in draft.state.silenced
        for alert in told
    )


def answered_turned_up(draft: Draft, alert: Alert, answer: str) -> None:
    """Turned up? For F1, F2, F4, R6 this is the proof; for what is proven already it chooses the remedy.

    Where the house makes no difference, cards that lie face down are ruled on like the others (TDA 39-A).
    """
    face_down = draft.house.rules[alert.rule].not_faced if answer == "no" else None
    if alert.rule in stands.COUNTED:
        stands.cards_decide(draft, alert.street)
    if alert.evidence == "proven":
        alert = draft.set_alert(alert, question=None)
        if face_down is not None:
            draft.begin_remedy(alert, face_down)
        return
    alert = draft.set_alert(alert, answered="yes" if answer == "yes" else "no", question=None)
    if face_down is not None:
        draft.begin_remedy(draft.set_alert(alert, state="fixing"), face_down)
    else:
        draft.prove(alert)


#: Scrambled cards come and go: how long three must lie still beside an empty place before the fourth counts as drawn.
PICK_STILL_MS: Final = 2000


def pick_seen(draft: Draft) -> None:
    """One of four scrambled cards has been away for a while: it is the one that the floor drew."""
    state = draft.state
    if not state.pick_due:
        return
    told = draft.alert("F1") or draft.alert("F4")
    laid = {slot.ref for slot in _laid(state, "flop")}
    four = told.why[0].reads if told is not None else ()
    drawn = [ref for ref in four if ref not in laid]
    if len(drawn) == 1:
        burns.picked(draft, drawn[0])
        board_settled(draft)


def scrambled(state: State) -> bool:
    """Whether the flop is being scrambled, or the drawn card is not yet the next burn."""
    return any(
        alert.remedy == "scramble_four" and alert.state in ("open", "fixing")
        for alert in state.alerts.values()
    )


def laid_back(draft: Draft, ref: str, t_ms: int) -> None:
    """Cards of a flop that is being scrambled come back; one that seemed drawn was not."""
    if draft.state.preset_burn == ref:
        draft.emit(ev.PresetBurn(None, None))
        draft.emit(ev.PickExpected(on=True))
    draft.deadline("picked", t_ms + PICK_STILL_MS)
