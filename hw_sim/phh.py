"""Poker hand histories in PHH (.phh one hand, .phhs many) as hands to play, with the show order that a house prescribes."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware_protocol.toml_errors import parse, unreadable
from hw_sim import steps as st
from hw_sim.history import UNKNOWN, Course, closing, deck_of_hand, faces_of, spare_cards


def load_phh(path: Path, *, allin_faceup: bool, limit: int | None = None) -> Iterator[st.Hand]:
    """The hands of a file. Raises ConfigError with the place of what cannot be played."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable(str(path), error) from error
    try:
        data = tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        parse(content, str(path))  # says where
        raise
    tables = [(name, table) for name, table in data.items() if isinstance(table, dict)]
    many = bool(tables) and "actions" not in data
    chosen = tables if many else [("", data)]
    for number, (name, table) in enumerate(chosen):
        if limit is not None and number >= limit:
            return
        try:
            yield _hand(path.name, name, table, allin_faceup=allin_faceup)
        except _Unplayable as error:
            document = parse(content, str(path))
            where = (name, *error.path) if many else error.path
            raise document.error_at(where, error.expected) from None


class _Unplayable(ValueError):
    def __init__(self, path: tuple[str | int, ...], expected: str) -> None:
        self.path = path
        self.expected = expected
        super().__init__(expected)


def _hand(file: str, name: str, table: dict[str, Any], *, allin_faceup: bool) -> st.Hand:
    for key in ("variant", "actions", "starting_stacks", "blinds_or_straddles", "antes", "min_bet"):
        if key not in table:
            raise _Unplayable((), f"the key {key} of a no-limit hold'em hand")
    if table["variant"] != "NT":
        raise _Unplayable(("variant",), "NT, no-limit hold'em")
    count = len(table["starting_stacks"])
    if not 2 <= count <= 11:
        raise _Unplayable(("starting_stacks",), "2 to 11 players")
    for key in ("starting_stacks", "antes", "blinds_or_straddles"):
        for index, amount in enumerate(table[key]):
            if type(amount) is not int or amount < 0:
                raise _Unplayable((key, index), "a whole number of chips")
        if len(table[key]) != count:
            raise _Unplayable((key,), f"an amount for each of the {count} players")
    blinds = _blinds(table["blinds_or_straddles"])
    reader = _Reader(table, blinds, allin_faceup=allin_faceup)
    steps = reader.steps()
    source = table.get("_source") or f"{file}/{name or 1}"
    posted = sorted(amount for amount in blinds if amount > 0)
    expect: dict[str, Any] = {"result": "completed", "attempts": 1, "alerts": []}
    if "finishing_stacks" in table:
        expect["stacks"] = {str(seat): stack for seat, stack in enumerate(table["finishing_stacks"], start=1)}
    return st.Hand(
        name=source,
        source=file,
        opening={
            "hand": source,
            "button": count,
            "seats": [
                {"seat": seat, "stack": stack} for seat, stack in enumerate(table["starting_stacks"], start=1)
            ],
            "posts": _posts(table["antes"], blinds),
        },
        deck=reader.deck(source),
        steps=tuple(steps),
        expect=expect,
        small_blind=posted[0] if posted else 1,
        big_blind=table["min_bet"],
        ante=max(table["antes"], default=0),
    )


def _blinds(amounts: list[int]) -> list[int]:
    """Forced bets by seat. Heads-up the format names small and big blind in that order, but player 1 has the big one."""
    if len(amounts) == 2 and amounts[0] < amounts[1]:
        return amounts[::-1]
    return amounts


def _posts(antes: list[int], blinds: list[int]) -> list[dict[str, Any]]:
    """Antes, then blinds: the first two seats have the blinds, the others straddle; heads-up the button (last) has the small one."""
    kinds = ["big_blind", "small_blind"] if len(blinds) == 2 else ["small_blind", "big_blind"]
    posts: list[dict[str, Any]] = [
        {"seat": seat, "amount": amount, "kind": "ante"}
        for seat, amount in enumerate(antes, start=1)
        if amount > 0
    ]
    forced: list[dict[str, Any]] = [
        {"seat": index + 1, "amount": amount, "kind": kinds[index] if index < 2 else "straddle"}
        for index, amount in enumerate(blinds)
        if amount > 0
    ]
    return posts + sorted(forced, key=lambda post: post["kind"] != "small_blind")


class _Reader:
    """Turns the action strings of one hand into steps."""

    def __init__(self, table: dict[str, Any], blinds: list[int], *, allin_faceup: bool) -> None:
        count = len(blinds)
        self._actions: list[str] = table["actions"]
        self._starting: list[int] = table["starting_stacks"]
        self._finishing: list[float] = table.get("finishing_stacks", [])
        self._order = range(1, count + 1)
        stacks = dict(enumerate(table["starting_stacks"], start=1))
        for seat, ante in enumerate(table["antes"], start=1):
            stacks[seat] -= min(ante, stacks[seat])
        bets = {seat: min(blind, stacks[seat]) for seat, blind in enumerate(blinds, start=1)}
        behind = {seat: stack - bets[seat] for seat, stack in stacks.items()}
        self._course = Course(self._order, behind, bets, max(bets.values()), allin_faceup=allin_faceup)
        self._holes: dict[int, list[str]] = {}
        self._boards: list[list[str]] = []

    def deck(self, name: str) -> tuple[str, ...]:
        """The order of the deck that deals these cards, with unused ones as burns."""
        try:
            spare = spare_cards(f"phh/{name}", (*self._holes.values(), *self._boards))
        except ValueError as error:
            raise _Unplayable(("actions",), str(error)) from None
        return deck_of_hand(self._order, self._holes, self._boards, spare)

    def steps(self) -> list[st.Step]:
        """The whole hand."""
        out: list[st.Step] = []
        shows: dict[int, bool] = {}
        dealt = False
        for index, text in enumerate(self._actions):
            words = text.split("#", 1)[0].split()
            try:
                match words:
                    case ["d", "dh", player, cards]:
                        self._holes[self._seat(player)] = _faces(cards)
                    case ["d", "db", cards]:
                        if not dealt:
                            out.append(st.DealRest())
                            dealt = True
                        self._boards.append(_faces(cards))
                        out += self._course.street(len(self._boards[-1]))
                    case [player, "sm", *cards]:
                        seat = self._seat(player)
                        shows[seat] = bool(cards)
                        if cards and UNKNOWN in self._holes.get(seat, ()):
                            self._holes[seat] = _faces(cards[0])
                    case [player, action, *amount]:
                        if not dealt:
                            out.append(st.DealRest())
                            dealt = True
                        out += self._act(self._seat(player), action, amount)
                    case []:
                        continue
                    case _:
                        raise ValueError("an action as 'd dh p1 AsKd', 'd db 7d5h9d', 'p1 f|cc|cbr X|sm'")
            except (ValueError, KeyError) as error:
                raise _Unplayable(("actions", index), str(error)) from None
        winners = self._winners()
        shown = [seat for seat in self._course.live if shows.get(seat, True) or seat in winners]
        return [*out, *self._course.showdown(shown), *closing()]

    def _seat(self, player: str) -> int:
        if not player.startswith("p") or not player[1:].isdigit() or int(player[1:]) not in self._order:
            raise ValueError(f"a player from p1 to p{len(self._order)}")
        return int(player[1:])

    def _act(self, seat: int, action: str, amount: list[str]) -> list[st.Step]:
        course = self._course
        match action:
            case "f":
                return course.act(seat, "fold")
            case "cc":
                return course.act(seat, "call" if course.level > course.bets[seat] else "check")
            case "cbr" if len(amount) == 1 and amount[0].isdigit():
                return course.act(seat, "raise", int(amount[0]))
            case _:
                raise ValueError("f, cc or cbr X")

    def _winners(self) -> set[int]:
        """Seats that end with more than their stack and what nobody called: they must show to be paid."""
        stacks = self._course.stacks
        paid = {seat: stack - stacks[seat] for seat, stack in enumerate(self._starting, start=1)}
        *_, second, most = sorted(paid.values())
        back = {seat: most - second if amount == most else 0 for seat, amount in paid.items()}
        return {
            seat
            for seat, stack in enumerate(self._finishing, start=1)
            if seat in self._course.live and stack > stacks[seat] + back[seat]
        }


def _faces(text: str) -> list[str]:
    """Cards as PHH writes them."""
    return faces_of(text[at : at + 2] for at in range(0, len(text), 2))
