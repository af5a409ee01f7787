"""From facts to what the items say: pots, plates, notices, the street, in the language of the screen."""

from __future__ import annotations

from dealer_assist.domain.facts import SeatFact
from dealer_assist.station.i18n import Translator
from dealer_assist.station.scene.cards import BoardCardValue, PileValue
from dealer_assist.station.scene.items import PlateValue
from dealer_assist.station.scene.pills import Notice, Pill
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import alert_title, drop_name, mark_text, notice_text, pot_name

#: notices of what somebody did, not of what is wrong
_CALM = frozenset(
    {
        "floor_called",
        "pot_unclaimed",
        "alert_fell_away",
        "hand_identified",
        "hand_not_identified",
        "event",
        "dealer_push",
        "first_button",
        "time_paid",
    }
)
#: no pile is drawn thicker than this many cards
_THICK = 5


def notices(tr: Translator, state: ViewState) -> tuple[Notice, ...]:
    """The table's notices, what was put right, what was noted."""
    found = [
        Notice(notice_text(tr, notice), "low" if notice.code in _CALM else "medium")
        for notice in state.notices
    ]
    done = state.put_right
    if done is not None and not state.alerts:
        found.append(Notice(tr("ui.put_right", rule=done.rule, title=alert_title(tr, done)), "good"))
    note = state.noted
    if note is not None:
        found.append(Notice(tr("ui.noted", rule=note.rule, title=alert_title(tr, note)), "low"))
    return tuple(found)


def street(tr: Translator, state: ViewState) -> str | None:
    """The street, or the phase where that says more; None between hands."""
    hand = state.hand
    if hand is None or state.phase in ("idle", "closed"):
        return None
    if hand.phase in ("misdeal", "void", "chopped", "showdown", "award", "deal"):
        return tr.coded("phase", hand.phase).upper()
    return tr(f"street_cap.{hand.street}") if tr.has(f"street_cap.{hand.street}") else hand.street.upper()


def pots(tr: Translator, state: ViewState) -> tuple[Pill, ...] | None:
    """Each pot, with the seats that can win it where there are several; bets still in front; rake and drops."""
    pot = state.pot
    if not pot.total:
        return None
    count = len(pot.pots)
    pills = [
        Pill(
            pot_name(tr, index, count),
            tr.number(view.amount),
            view.eligible if count > 1 else (),
            chip=count == 1,
        )
        for index, view in enumerate(pot.pots)
    ]
    if pot.in_front and not pills:
        pills.append(Pill(tr("ui.pot"), tr.number(pot.total)))
    elif pot.in_front:
        pills.append(Pill(tr("ui.in_front"), f"+{tr.number(pot.in_front)}"))
    if pot.rake:
        pills.append(Pill(tr("ui.rake"), tr.number(pot.rake)))
    pills += [Pill(drop_name(tr, name), tr.number(amount)) for name, amount in pot.drops]
    return tuple(pills)


def plate(tr: Translator, state: ViewState, seat: int, fact: SeatFact | None, *, narrow: bool) -> PlateValue:
    """A seat's plate."""
    if fact is None or fact.status == "empty":
        return PlateValue(seat, "", tr("ui.empty"), "", "empty", narrow)
    stack = tr("ui.no_stack") if fact.stack is None else tr.number(fact.stack)
    mark = mark_text(tr, fact.marks[0], fact) if fact.marks else ""
    if fact.status in ("away", "out") and fact.hand in ("none", "folded"):
        return PlateValue(seat, stack, tr(f"ui.{fact.status}"), mark, "away", narrow)
    caption = tr.coded("action", fact.last_action) if fact.last_action else ""
    blind = blind_word(tr, state, seat)
    tone = "live"
    if fact.won:
        tone, caption, blind = "won", tr("ui.won", amount=fact.won), ""
    elif fact.to_act:
        tone = "turn"
    elif fact.hand in ("folded", "mucked", "none") and state.phase not in ("idle", "closed"):
        tone = "folded"
        if fact.hand in ("folded", "mucked"):
            caption = tr("action.fold" if fact.hand == "folded" else "pad.mucked_done")
    return PlateValue(seat, stack, caption, mark, tone, narrow, blind)


def blind_word(tr: Translator, state: ViewState, seat: int) -> str:
    """Which blind a seat has in this hand, in short; empty for none."""
    hand = state.hand
    if hand is None or state.phase in ("idle", "closed"):
        return ""
    if seat == hand.small_blind_seat:
        return tr("blind.small")
    return tr("blind.big") if seat == hand.big_blind_seat else ""


def board_row(tr: Translator, state: ViewState, board: int) -> list[BoardCardValue | None]:
    """The five places of a board. The cards that all boards begin with lie on the first; below them the others have no places."""
    laid = [card for card in state.board.cards if card.board == board]
    first = state.board.common if board > 1 else 0
    row: list[BoardCardValue | None] = []
    for index in range(5):
        if index < first:
            row.append(None)
        elif index - first < len(laid):
            card = laid[index - first]
            kind = "back" if card.face is None else "face"
            row.append(BoardCardValue(kind, card.face, card.early, tr("ui.early")))
        else:
            row.append(BoardCardValue("empty", None, False, ""))
    return row


def piles(tr: Translator, state: ViewState) -> tuple[PileValue, PileValue, PileValue]:
    """Stub, burns and muck. How thick the stub is drawn says nothing: nobody counts it."""
    burns, mucked = state.board.burns, state.board.mucked
    words = tr("ui.burns"), tr("ui.mucked")
    longest = max(words, key=len)
    return (
        PileValue(4, tidy=True),
        PileValue(min(burns, _THICK), True, words[0], tr.number(burns), longest),
        PileValue(min(mucked, _THICK), False, words[1], tr.number(mucked), longest),
    )
