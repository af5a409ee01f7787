"""Open Hand History, version 1.4.7 of its specification: a hand is one JSON object.

Raises are told by the chips that they add; there is no bet before the flop. A pot's amount is what it held before rake and jackpot drop.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from dealer_assist.domain.table import STREETS, Street
from dealer_assist.formats.finished import FinishedHand, NotInFormat, PlayedSeat, utc
from dealer_assist.formats.money import Money

VERSION: Final = "1.4.7"
_GAMES: Final = {"holdem": "Holdem", "omaha": "Omaha"}
_LIMITS: Final = {"no_limit": "NL", "pot_limit": "PL", "fixed_limit": "FL"}
_POSTS: Final = {
    "ante": "Post Ante",
    "small_blind": "Post SB",
    "big_blind": "Post BB",
    "straddle": "Straddle",
    "dead": "Post Dead",
    "button_blind": "Post Extra Blind",
    "kill": "Post Extra Blind",
}


def ohh_line(hand: FinishedHand) -> str:
    """A hand as one line. Raises :class:`NotInFormat`: game (name), result (result), amounts, cards (street)."""
    if hand.result != "completed":
        raise NotInFormat("result", result=hand.result)
    if hand.game_type not in _GAMES or hand.boards > 1 or not hand.has_blind():
        raise NotInFormat("game", name=hand.game)
    if not hand.amounts:
        raise NotInFormat("amounts")
    unknown = [part.street for part in hand.board if "??" in part.faces]
    if unknown:
        raise NotInFormat("cards", street=unknown[0])
    return json.dumps({"ohh": _Writer(hand).hand()}, separators=(",", ":"), ensure_ascii=False)


class _Writer:
    def __init__(self, hand: FinishedHand) -> None:
        self._hand = hand
        self._money = Money.of(hand.unit)
        self._ids = {seat.seat: number for number, seat in enumerate(sorted(hand.seats, key=_seat))}

    def hand(self) -> dict[str, Any]:
        """The object of a hand."""
        hand = self._hand
        return {
            "spec_version": VERSION,
            "site_name": "dealer-assist",
            "network_name": "dealer-assist",
            "internal_version": VERSION,
            "tournament": False,
            "game_number": hand.hand,
            # A hand of a recording has no date: virtual time begins in 1970.
            "start_date_utc": utc(hand.started_ms or 0),
            "table_name": hand.table,
            "game_type": _GAMES[hand.game_type],
            "bet_limit": {"bet_type": _LIMITS[hand.structure], "bet_cap": 0},
            "table_size": max(hand.max_seats, *self._ids),
            "currency": self._money.currency,
            "dealer_seat": hand.button,
            "small_blind_amount": self._amount(hand.small_blind),
            "big_blind_amount": self._amount(hand.big_blind),
            "ante_amount": self._amount(hand.ante),
            "hero_player_id": None,
            "flags": ["Observed", *(["Run_It_Twice"] if hand.runs > 1 else [])],
            "players": [self._player(seat) for seat in sorted(hand.seats, key=_seat)],
            "rounds": [
                {
                    "id": number,
                    **part,
                    "actions": [{"action_number": at, **action} for at, action in enumerate(actions)],
                }
                for number, (part, actions) in enumerate(self._rounds())
            ],
            "pots": [
                {
                    "number": pot.number,
                    "amount": self._amount(pot.amount),
                    "rake": self._amount(pot.rake),
                    "jackpot": self._amount(pot.drops),
                    "player_wins": [
                        {"player_id": self._ids[seat], "win_amount": self._amount(share)}
                        for seat, share in pot.shares
                    ],
                }
                for pot in hand.pots
            ],
        }

    def _amount(self, units: int) -> float:
        """Exact: a float of at most 15 digits is written with those that it was made from."""
        amount = self._money.amount(units)
        return int(amount) if amount == amount.to_integral_value() else float(amount)

    def _player(self, seat: PlayedSeat) -> dict[str, Any]:
        """A player is told by the seat. Of a stack that nobody knew it is told what went in, and a big blind unless that was all of it."""
        stack = self._known(seat.seat) if seat.stack is None else seat.stack
        name = f"Seat {seat.seat}"
        return {
            "id": self._ids[seat.seat],
            "seat": seat.seat,
            "name": name,
            "display": name,
            "starting_stack": self._amount(stack),
        }

    def _known(self, seat: int) -> int:
        hand = self._hand
        acted = [action for action in hand.actions if action.seat == seat]
        put_in = sum(post.paid for post in hand.posts if post.seat == seat) + sum(
            action.added for action in acted
        )
        return put_in if any(action.all_in for action in acted) else put_in + hand.big_blind

    def _rounds(self) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """The streets that were played, other runs of the board after the first, the showdown."""
        hand = self._hand
        for street in STREETS:
            dealt = [part for part in hand.board if part.street == street and part.run == 1]
            actions = list(self._street(street))
            if street == "preflop":
                yield {"street": "Preflop"}, [*self._posts(), *actions]
            elif dealt:
                yield {"street": street.capitalize(), "cards": list(dealt[0].faces)}, actions
        for part in sorted(
            hand.board, key=lambda part: part.run
        ):  # board by board, each from its first street
            if part.run > 1:
                yield {"street": part.street.capitalize(), "cards": list(part.faces)}, []
        shows = [self._show(seat) for seat in hand.seats if seat.shown or seat.mucked]
        if shows:
            yield {"street": "Showdown"}, shows

    def _posts(self) -> Iterator[dict[str, Any]]:
        """A big blind after the first is the live post of a player who comes in."""
        big = False
        for post in self._hand.posts:
            name = _POSTS[post.kind]
            if post.kind == "big_blind":
                name, big = ("Post Extra Blind" if big else name), True
            yield {**self._put(post.seat, name, post.paid), "is_allin": post.all_in}

    def _street(self, street: Street) -> Iterator[dict[str, Any]]:
        for action in self._hand.actions:
            if action.street != street:
                continue
            name = "Raise" if action.kind == "bet" and street == "preflop" else action.kind.capitalize()
            if action.kind in ("fold", "check"):
                yield {"player_id": self._ids[action.seat], "action": name, "is_allin": False}
            else:
                yield {**self._put(action.seat, name, action.added), "is_allin": action.all_in}

    def _put(self, seat: int, action: str, added: int) -> dict[str, Any]:
        return {"player_id": self._ids[seat], "action": action, "amount": self._amount(added)}

    def _show(self, seat: PlayedSeat) -> dict[str, Any]:
        player = {"player_id": self._ids[seat.seat]}
        if not seat.shown:
            return {**player, "action": "Mucks Cards"}
        return {**player, "action": "Shows Cards", "cards": list(seat.shown)}


def _seat(seat: PlayedSeat) -> int:
    return seat.seat
