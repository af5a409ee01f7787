"""The felt in words, a line for each thing on it: for a screen reader, and for whoever prefers to read. No card that is not public."""

from __future__ import annotations

from typing import NamedTuple

from dealer_assist.domain.facts import BoardCard, SeatFact
from dealer_assist.station.i18n import Translator
from dealer_assist.station.scene import values
from dealer_assist.station.scene.moves import lying
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import drop_name, mark_text, now_line, pot_name


class Line(NamedTuple):
    """A line; ``seat`` (0: none) and ``board`` say what a choice of it opens, as a tap on that thing does."""

    text: str
    seat: int = 0
    board: bool = False


def lines(tr: Translator, state: ViewState) -> tuple[Line, ...]:
    """What comes next, each seat, button, boards, burns and muck, each pot, notices."""
    now = now_line(tr, state)
    found = [Line(f"{now.title}. {now.detail}" if now.detail else now.title)]
    found += [Line(_seat(tr, state, fact), seat=fact.seat) for fact in state.seats]
    hand = state.hand
    if hand is not None and hand.button:
        found.append(Line(tr("felt.button", zone=tr("zone_cap.button"), seat=hand.button)))
    found += [Line(_board(tr, state, number), board=True) for number in range(1, state.boards + 1)]
    board = state.board
    found.append(Line(tr("felt.pile", name=tr("ui.burns"), count=board.burns)))
    found.append(Line(tr("felt.pile", name=tr("ui.mucked"), count=board.mucked)))
    found += _pots(tr, state)
    found += [Line(notice.text) for notice in values.notices(tr, state)]
    return tuple(found)


def _seat(tr: Translator, state: ViewState, fact: SeatFact) -> str:
    words = [tr("ui.seat", seat=fact.seat)]
    if fact.status != "in":
        words.append(tr(f"ui.{fact.status}"))
    if fact.status != "empty":
        words.append(tr("ui.no_stack") if fact.stack is None else tr.number(fact.stack))
    if fact.to_act:
        words.append(tr("felt.action"))
    blind = values.blind_word(tr, state, fact.seat)
    if blind:
        words.append(blind)
    if fact.last_action:
        words.append(tr.coded("action", fact.last_action))
    elif fact.hand in ("folded", "mucked"):
        words.append(tr("action.fold" if fact.hand == "folded" else "pad.mucked_done"))
    if fact.bet:
        words.append(tr("felt.bet", amount=fact.bet))
    laid = lying(state, fact.seat)
    if laid.faces:
        words.append(tr("felt.tabled", cards=", ".join(card_name(tr, face) for face in laid.faces)))
    if laid.backs:
        words.append(tr("felt.cards", count=laid.backs))
    words += [mark_text(tr, mark, fact) for mark in fact.marks]
    if fact.won:
        words.append(tr("felt.won", amount=fact.won))
    return ", ".join(words)


def card_name(tr: Translator, face: str) -> str:
    """A public card in words."""
    return tr("felt.card", rank=face[0], suit=tr(f"suit.{face[-1]}"))


def _board(tr: Translator, state: ViewState, number: int) -> str:
    name = tr("zone_cap.board" if number == 1 else f"zone_cap.board{number}")
    laid = [card for card in state.board.cards if card.board == number]
    if not laid:
        return tr("felt.board_empty", name=name)
    words = [_board_card(tr, card) for card in laid if card.face is not None]
    hidden = sum(card.face is None for card in laid)
    if hidden:
        words.append(tr("felt.board_hidden", count=hidden))
    return tr("felt.board", name=name, cards=", ".join(words))


def _board_card(tr: Translator, card: BoardCard) -> str:
    name = card_name(tr, card.face or "")
    return tr("felt.board_early", card=name) if card.early else name


def _pots(tr: Translator, state: ViewState) -> list[Line]:
    pot = state.pot
    count = len(pot.pots)
    found = [
        Line(
            tr("felt.pot", name=pot_name(tr, index, count), amount=view.amount, seats=view.eligible)
            if view.eligible
            else tr("felt.pot_alone", name=pot_name(tr, index, count), amount=view.amount)
        )
        for index, view in enumerate(pot.pots)
    ]
    if pot.in_front:
        found.append(Line(tr("felt.pot_alone", name=tr("ui.in_front"), amount=pot.in_front)))
    if pot.rake:
        found.append(Line(tr("felt.pot_alone", name=tr("ui.rake"), amount=pot.rake)))
    found += [
        Line(tr("felt.pot_alone", name=drop_name(tr, name), amount=amount)) for name, amount in pot.drops
    ]
    return found
