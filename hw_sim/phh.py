"""Poker hand histories in PHH (.phh one hand, .phhs many) as hands to play, with the show order that a house prescribes."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from firmware_protocol.toml_errors import parse, unreadable
from hw_sim import steps as st
from hw_sim.cards import FACES, shuffled

#: A card that the source does not know.
UNKNOWN: Final = "??"


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
    """Turns the action strings of one hand into steps, with the little betting knowledge that takes: bets, stacks, who is in."""

    def __init__(self, table: dict[str, Any], blinds: list[int], *, allin_faceup: bool) -> None:
        count = len(blinds)
        self._actions: list[str] = table["actions"]
        self._starting: list[int] = table["starting_stacks"]
        self._finishing: list[float] = table.get("finishing_stacks", [])
        self._count = count
        self._faceup = allin_faceup
        self._bets = dict.fromkeys(range(1, count + 1), 0)
        self._stacks = dict(enumerate(table["starting_stacks"], start=1))
        for seat, ante in enumerate(table["antes"], start=1):
            self._stacks[seat] -= min(ante, self._stacks[seat])
        for seat, blind in enumerate(blinds, start=1):
            self._pay(seat, blind)
        self._level = max(self._bets.values())
        self._live = list(range(1, count + 1))
        self._aggressor: int | None = None
        self._tabled: list[int] = []
        self._holes: dict[int, list[str]] = {}
        self._boards: list[list[str]] = []
        self._shown: dict[int, bool] = {}

    def deck(self, name: str) -> tuple[str, ...]:
        """The order of the deck that deals these cards, with unused ones as burns."""
        order = list(range(1, self._count + 1))
        first: list[str] = []
        known = {card for cards in (*self._holes.values(), *self._boards) for card in cards}
        if len(known - {UNKNOWN}) != sum(
            card != UNKNOWN for cards in (*self._holes.values(), *self._boards) for card in cards
        ):
            raise _Unplayable(("actions",), "each card once")
        spare = [face for face in shuffled(f"phh/{name}") if face not in known]
        for round_no in range(2):
            for seat in order:
                cards = self._holes.get(seat, [])
                face = cards[round_no] if round_no < len(cards) else UNKNOWN
                first.append(spare.pop() if face == UNKNOWN else face)
        for board in self._boards:
            first += [spare.pop(), *(spare.pop() if face == UNKNOWN else face for face in board)]
        return tuple(first + spare)

    def steps(self) -> list[st.Step]:
        """The whole hand."""
        out: list[st.Step] = []
        shows: list[tuple[int, bool]] = []
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
                        out += self._street(_faces(cards))
                    case [player, "sm", *cards]:
                        seat = self._seat(player)
                        shows.append((seat, bool(cards)))
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
        if len(self._live) > 1:
            out += self._showdown(dict(shows))
        return [*out, st.Tap({"kind": "push_pots"}, after_ms=1000), st.Sweep()]

    def _seat(self, player: str) -> int:
        if not player.startswith("p") or not player[1:].isdigit() or not 1 <= int(player[1:]) <= self._count:
            raise ValueError(f"a player from p1 to p{self._count}")
        return int(player[1:])

    def _pay(self, seat: int, total: int) -> None:
        added = min(total - self._bets[seat], self._stacks[seat])
        self._stacks[seat] -= added
        self._bets[seat] += added

    def _street(self, faces: list[str]) -> list[st.Step]:
        tabling: list[st.Step] = []
        if self._faceup and self._betting_over():
            tabling = self._table([seat for seat in self._show_order() if seat not in self._tabled])
        self._boards.append(faces)
        if not self._betting_over():
            self._aggressor = None
        self._bets = dict.fromkeys(self._bets, 0)
        self._level = 0
        return [*tabling, st.Burn(), st.Board(len(faces)), st.Wait(900)]

    def _betting_over(self) -> bool:
        return sum(1 for seat in self._live if self._stacks[seat] > 0) <= 1

    def _act(self, seat: int, action: str, amount: list[str]) -> list[st.Step]:
        command: dict[str, Any] = {"kind": "act", "seat": seat}
        if seat not in self._live:
            raise ValueError("a player who has not folded")
        match action:
            case "f":
                self._live.remove(seat)
                return [st.Fold(seat), st.Tap({**command, "action": "fold"}, after_ms=600)]
            case "cc":
                facing = self._level > self._bets[seat]
                self._pay(seat, self._level)
                return [
                    st.Wait(700),
                    st.Tap({**command, "action": "call" if facing else "check"}, after_ms=400),
                ]
            case "cbr" if len(amount) == 1 and amount[0].isdigit():
                total = int(amount[0])
                command["action"] = "raise" if self._level else "bet"
                self._pay(seat, total)
                self._level = max(self._level, total)
                self._aggressor = seat
                return [st.Wait(1200), st.Tap({**command, "to": total}, after_ms=500)]
            case _:
                raise ValueError("f, cc or cbr X")

    def _show_order(self) -> list[int]:
        if self._aggressor in self._live:
            at = self._live.index(self._aggressor)
            return self._live[at:] + self._live[:at]
        return list(self._live)

    def _table(self, seats: list[int]) -> list[st.Step]:
        self._tabled += seats
        return [st.Tap({"kind": "tabled", "seat": seat}, after_ms=900) for seat in seats]

    def _winners(self) -> set[int]:
        """Seats that end with more than their stack and what nobody called: they must show to be paid."""
        paid = {seat: stack - self._stacks[seat] for seat, stack in enumerate(self._starting, start=1)}
        *_, second, most = sorted(paid.values())
        back = {seat: most - second if amount == most else 0 for seat, amount in paid.items()}
        return {
            seat
            for seat, stack in enumerate(self._finishing, start=1)
            if seat in self._live and stack > self._stacks[seat] + back[seat]
        }

    def _showdown(self, shows: dict[int, bool]) -> list[st.Step]:
        """Seats that the source shows are tabled in the house's order; those that muck do so after them."""
        order = [seat for seat in self._show_order() if seat not in self._tabled]
        winners = self._winners()
        shown = [seat for seat in order if shows.get(seat, True) or seat in winners]
        out = self._table(shown)
        for seat in order:
            if seat not in shown:
                out += [st.Fold(seat), st.Tap({"kind": "mucked", "seat": seat}, after_ms=700)]
        return out


def _faces(text: str) -> list[str]:
    """Cards as PHH writes them; "??" is a card that the source does not know."""
    faces = [text[at : at + 2] for at in range(0, len(text), 2)]
    if not all(face in FACES or face == UNKNOWN for face in faces):
        raise ValueError("cards as rank and suit, like AsKd")
    return faces
