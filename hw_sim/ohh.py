"""Hands in Open Hand History (.ohh, .json one or many; .jsonl one a line) as hands to play, as a dealer of a house deals them.

What the source says of the end (pots, what went back, who won what, rake) is what must come of the hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from phevaluator import evaluate_cards

from firmware_protocol.toml_check import KeyPath
from hw_sim import steps as st
from hw_sim.entry import LIVE_POSTS
from hw_sim.history import UNKNOWN, Course, closing, deck_of_hand, faces_of, spare_cards
from hw_sim.houses import Habits
from hw_sim.ohh_source import Action, Record, Round, load_records

#: Where a file of this kind is told by its name.
SUFFIXES: Final = (".ohh", ".json", ".jsonl")

GAMES: Final = {"NL": "nlhe", "PL": "plhe", "FL": "flhe"}
#: The kinds of posts. An extra blind is the live post of a player who comes in between the blinds.
POSTS: Final = {
    "Post Ante": "ante",
    "Post SB": "small_blind",
    "Post BB": "big_blind",
    "Straddle": "straddle",
    "Post Dead": "dead",
    "Post Extra Blind": "big_blind",
}
#: What happens at a table beside the hand; it changes nothing in it.
BESIDE: Final = frozenset(("Sits Down", "Stands Up", "Added Chips"))
KINDS: Final = {"Fold": "fold", "Check": "check", "Call": "call", "Bet": "raise", "Raise": "raise"}
BOARDS: Final = {"Flop": 3, "Turn": 1, "River": 1}
MAX_SEATS: Final = 11
#: Currencies that are none.
PLAY_MONEY: Final = ("XPM", "PPC")
#: The most that a table rakes, in percent: a cap then says how much it is.
MOST_PERCENT: Final = 20


def load_ohh(path: Path, habits: Habits, limit: int | None = None) -> Iterator[st.Hand]:
    """The hands of a file, dealt as a house does. Raises ConfigError with the place of what cannot be played."""
    for number, record in enumerate(load_records(path)):
        if limit is not None and number >= limit:
            return
        yield _Reader(record, path.name, habits).hand()


class _Reader:
    """One hand of a source."""

    def __init__(self, record: Record, file: str, habits: Habits) -> None:
        self._record = record
        self._source = record.hand
        self._file = file
        self._habits = habits
        self._seats: dict[int, int] = {}
        self._stacks: dict[int, int] = {}
        self._check_table()
        self._button = self._source.dealer_seat
        self._order = self._clockwise()
        self._set_button_right()
        self._holes: dict[int, list[str]] = {}
        self._shown: set[int] = set()
        self._gave_up: set[int] = set()
        self._runs: dict[str, list[list[str]]] = {}
        self._put = dict.fromkeys(self._stacks, 0)
        self._bets = dict.fromkeys(self._stacks, 0)
        self._returned: dict[int, int] = {}

    def hand(self) -> st.Hand:
        """The hand to play."""
        record, source = self._record, self._source
        small = record.units(source.small_blind_amount, ("small_blind_amount",))
        big = record.units(source.big_blind_amount, ("big_blind_amount",))
        self._read_cards()
        posts, posted = self._posts(small, big)
        steps, live = self._steps(posted)
        awards, drops, expect = self._expect()
        return st.Hand(
            name=source.game_number,
            source=self._file,
            opening={
                "hand": source.game_number,
                "button": self._button,
                "seats": [{"seat": seat, "stack": self._stacks[seat]} for seat in sorted(self._stacks)],
                "posts": posts,
            },
            deck=self._deck(live, awards),
            steps=tuple(steps),
            expect=expect,
            small_blind=small,
            big_blind=big,
            ante=record.units(source.ante_amount, ("ante_amount",)),
            game=GAMES[source.bet_limit.bet_type],
            unit=self._unit(),
            rake=self._rake(expect["rake"], drops),
        )

    def _unit(self) -> str:
        """What the smallest unit is: a chip where the amounts are whole and of no currency."""
        decimals, currency = self._record.decimals, self._source.currency
        if currency in ("", *PLAY_MONEY):
            return f"{10**-decimals:.{decimals}f}" if decimals else "1 chip"
        return f"{10**-decimals:.{decimals}f} {currency}"

    def _rake(self, rake: int, drops: int) -> dict[str, Any]:
        """Terms that take what the source took: they are not known, only what they came to in this hand."""
        if not rake and not drops:
            return {}
        flop = "Flop" in self._runs
        return {
            "schedule": "own",
            "percent": MOST_PERCENT,
            "cap": rake,
            "no_flop_no_drop": flop,
            "drops": [{"name": "jackpot", "amount": drops, "needs_flop": flop}] if drops else [],
        }

    # -- who sits where ------------------------------------------------------------------------------------------------------------

    def _check_table(self) -> None:
        record, source = self._record, self._source
        if source.game_type != "Holdem":
            raise record.error(("game_type",), "Holdem")
        if source.bet_limit.bet_type not in GAMES:
            raise record.error(("bet_limit", "bet_type"), f"one of {', '.join(GAMES)}")
        if not 1 <= source.dealer_seat <= MAX_SEATS:
            raise record.error(("dealer_seat",), f"a seat from 1 to {MAX_SEATS}")
        if not record.units(source.big_blind_amount, ("big_blind_amount",)):
            raise record.error(("big_blind_amount",), "the big blind")
        for index, player in enumerate(source.players):
            if player.is_sitting_out:
                continue
            where: KeyPath = ("players", index)
            if not 1 <= player.seat <= MAX_SEATS or player.seat in self._stacks:
                raise record.error((*where, "seat"), f"a seat from 1 to {MAX_SEATS}, each once")
            if player.id in self._seats:
                raise record.error((*where, "id"), "each player once")
            stack = record.units(player.starting_stack, (*where, "starting_stack"))
            if not stack:
                raise record.error((*where, "starting_stack"), "chips, or a player who is sitting out")
            self._seats[player.id] = player.seat
            self._stacks[player.seat] = stack
        if len(self._stacks) < 2:
            raise record.error(("players",), "two players or more")

    def _clockwise(self) -> list[int]:
        return sorted(self._stacks, key=lambda seat: (seat - self._button - 1) % MAX_SEATS)

    def _set_button_right(self) -> None:
        """Where the small blind is not left of the button that the source names, the blinds are believed: they were paid."""
        for number, part in enumerate(self._source.rounds):
            for index, action in enumerate(part.actions):
                if action.action != "Post SB" or len(self._order) < 3:
                    continue
                at = self._order.index(self._seat(action, ("rounds", number, "actions", index)))
                if at:
                    self._button = self._order[at - 1]
                    self._order = self._clockwise()
                    return

    def _seat(self, action: Action, where: KeyPath) -> int:
        if action.player_id not in self._seats:
            raise self._record.error((*where, "player_id"), "one of the players")
        return self._seats[action.player_id]

    # -- cards ---------------------------------------------------------------------------------------------------------------------

    def _read_cards(self) -> None:
        """What is known of any card: dealt to somebody who looked, on the board, shown at any time."""
        for number, part in enumerate(self._source.rounds):
            for index, action in enumerate(part.actions):
                where: KeyPath = ("rounds", number, "actions", index)
                if action.action == "Mucks Cards":
                    self._gave_up.add(self._seat(action, where))
                if action.action in ("Dealt Cards", "Shows Cards", "Mucks Cards") and action.cards:
                    self._hold(self._seat(action, where), action, where)
            if part.street in BOARDS:
                where = ("rounds", number, "cards")
                cards = self._faces(part.cards or (), where)
                if len(cards) != BOARDS[part.street]:
                    raise self._record.error(
                        where, f"{BOARDS[part.street]} cards of the {part.street.lower()}"
                    )
                self._runs.setdefault(part.street, []).append(cards)

    def _hold(self, seat: int, action: Action, where: KeyPath) -> None:
        cards = self._faces(action.cards or (), (*where, "cards"))
        known = self._holes.get(seat, [])
        if len(cards) > 2 or (len(known) == 2 and not set(cards) <= set(known)):
            raise self._record.error((*where, "cards"), f"the two cards that {seat} holds")
        if len(cards) > len(known):
            self._holes[seat] = cards
        if action.action == "Shows Cards" and len(cards) == 2:
            self._shown.add(seat)

    def _faces(self, cards: tuple[str, ...], where: KeyPath) -> list[str]:
        try:
            return faces_of(cards)
        except ValueError as error:
            raise self._record.error(where, str(error)) from None

    def _deck(self, live: list[int], awards: Mapping[int, int]) -> tuple[str, ...]:
        """The order of the deck. Hands that nobody saw are other cards; at the showdown such that win nothing."""
        most = max((len(run) for run in self._runs.values()), default=0)
        boards = [run[at] for at in range(most) for run in self._runs.values() if at < len(run)]
        try:
            spare = spare_cards(f"ohh/{self._source.game_number}", (*self._holes.values(), *boards))
        except ValueError as error:
            raise self._record.error(("rounds",), str(error)) from None
        board = [face for run in self._runs.values() for face in run[0]]
        if len(live) > 1 and len(board) == sum(BOARDS.values()) and most == 1:
            to_beat = max(
                (
                    evaluate_cards(*self._holes[seat], *board)
                    for seat in awards
                    if len(self._holes.get(seat, ())) == 2
                ),
                default=0,
            )
            for seat in live:
                if seat not in self._holes and to_beat:
                    self._holes[seat] = _beaten(spare, board, to_beat)
        return deck_of_hand(self._order, self._holes, boards, spare)

    # -- chips ---------------------------------------------------------------------------------------------------------------------

    def _posts(self, small: int, big: int) -> tuple[list[dict[str, Any]], Course]:
        """The forced bets as the table is told them, and where the betting starts."""
        posts: list[dict[str, Any]] = []
        bets = dict.fromkeys(self._order, 0)
        stacks = dict(self._stacks)
        full = {"small_blind": small, "big_blind": big}
        level, raise_by = 0, big
        for number, part in enumerate(self._source.rounds):
            for index, action in enumerate(part.actions):
                if action.action not in POSTS:
                    continue
                where: KeyPath = ("rounds", number, "actions", index)
                seat, kind = self._seat(action, where), POSTS[action.action]
                amount = self._record.units(action.amount, (*where, "amount"))
                if amount > stacks[seat]:
                    raise self._record.error((*where, "amount"), "at most what the player has")
                stacks[seat] -= amount
                self._put[seat] += amount
                if kind in LIVE_POSTS:
                    bets[seat] += amount
                    if kind == "straddle":
                        raise_by = max(raise_by, bets[seat] - (0 if self._habits.whole_straddle else level))
                    level = max(level, bets[seat], full[kind] if action.action == "Post BB" else 0)
                # All that a player has is a blind that is short; it is told in full, as it is owed.
                posted = max(amount, full.get(kind, 0)) if not stacks[seat] and kind in full else amount
                posts.append({"seat": seat, "amount": posted, "kind": kind})
        self._bets = dict(bets)
        course = Course(
            self._order,
            stacks,
            bets,
            level,
            allin_faceup=self._habits.allin_faceup,
            raise_by=raise_by,
            big_blind=big,
        )
        return posts, course

    def _steps(self, course: Course) -> tuple[list[st.Step], list[int]]:
        out: list[st.Step] = [st.DealRest()]
        dealt: set[str] = set()
        times = self._times()
        for number, part in enumerate(self._source.rounds):
            if part.street in BOARDS and part.street not in dealt:
                self._give_back(course)
                again = [street for street in dealt if len(self._runs[street]) > 1]
                if times > 1 and len(self._runs[part.street]) > 1 and not again:
                    out.append(st.Tap({"kind": "run_it", "times": times}, after_ms=1500))
                dealt.add(part.street)
                out += course.street(BOARDS[part.street])
            elif part.street not in (*BOARDS, "Preflop", "Showdown"):
                raise self._record.error(("rounds", number, "street"), "a street of hold'em")
            out += self._actions(course, number, part)
        self._give_back(course)
        for run in range(2, times + 1):
            for street in [street for street, runs in self._runs.items() if len(runs) >= run]:
                out += course.another_board(BOARDS[street], run)
        winners = {
            self._seats.get(win.player_id, 0)
            for pot in self._source.pots
            for win in pot.player_wins
            if win.win_amount
        }
        winners -= self._gave_up
        return [*out, *course.showdown(self._shown, winners), *closing()], list(course.live)

    def _times(self) -> int:
        """How often the board is run: as often as the source has it and the house allows it."""
        return min(max((len(run) for run in self._runs.values()), default=1), self._habits.run_it)

    def _actions(self, course: Course, number: int, part: Round) -> Iterator[st.Step]:
        for index, action in enumerate(part.actions):
            if action.action in POSTS or action.action in BESIDE or action.action.endswith(" Cards"):
                continue
            where: KeyPath = ("rounds", number, "actions", index)
            seat = self._seat(action, where)
            added = self._record.units(action.amount, (*where, "amount"))
            if added > course.stacks[seat]:
                raise self._record.error((*where, "amount"), "at most what the player has")
            self._put[seat] += added
            self._bets[seat] += added
            kind = KINDS.get(action.action)
            if kind is None:
                raise self._record.error((*where, "action"), "an action of a hand")
            to = course.bets[seat] + added
            if kind == "raise" and to <= course.level:
                kind = "call"  # it raises nothing
            small = to < course.least_to(seat) and self._source.bet_limit.bet_type != "FL"
            try:
                # A raise that is none by the house's rules stands by a ruling: sites cut raises to what the last opponent holds.
                yield from course.act(seat, kind, to, ruled=kind == "raise" and small)
            except ValueError as error:
                raise self._record.error(where, str(error)) from None

    def _give_back(self, course: Course) -> None:
        """What of the last bet nobody matched."""
        *_, second, most = sorted(self._bets.values())
        seat = max(self._bets, key=self._bets.__getitem__)
        if most > second and seat in course.live:
            self._returned[seat] = self._returned.get(seat, 0) + most - second
        self._bets = dict.fromkeys(self._bets, 0)

    # -- the end -------------------------------------------------------------------------------------------------------------------

    def _expect(self) -> tuple[dict[int, int], int, dict[str, Any]]:
        """Who won what by the source, what was dropped beside the rake, and all that must come of the hand."""
        record, source = self._record, self._source
        awards: dict[int, int] = {}
        rake = drops = 0
        pots: list[int] = []
        for number, pot in enumerate(source.pots):
            where: KeyPath = ("pots", number)
            pots.append(record.units(pot.amount, (*where, "amount")))
            rake += record.units(pot.rake, (*where, "rake"))
            drops += record.units(pot.jackpot, (*where, "jackpot"))
            for index, win in enumerate(pot.player_wins):
                if win.player_id not in self._seats:
                    raise record.error((*where, "player_wins", index, "player_id"), "one of the players")
                amount = record.units(win.win_amount, (*where, "player_wins", index, "win_amount"))
                seat = self._seats[win.player_id]
                if amount:
                    awards[seat] = awards.get(seat, 0) + amount
        stacks = {
            str(seat): stack - self._put[seat] + self._returned.get(seat, 0) + awards.get(seat, 0)
            for seat, stack in sorted(self._stacks.items())
        }
        expect: dict[str, Any] = {
            "result": "completed",
            "attempts": 1,
            "alerts": [],
            # parts of a pot that boards award are not told apart by the source
            "pots": [sum(pots)] if self._times() > 1 else [amount for amount in pots if amount],
            "returned": {str(seat): amount for seat, amount in sorted(self._returned.items())},
            "rake": rake,
            "drops": {"jackpot": drops} if drops else {},
        }
        if self._times() == max((len(run) for run in self._runs.values()), default=1):
            expect["awards"] = {str(seat): amount for seat, amount in sorted(awards.items())}
            expect["stacks"] = stacks
            # a pot that is shared: who gets the odd chip is a rule of the house that the source may not have played by
            expect["odd_chips"] = 1 if len(awards) > 1 else 0
        return awards, drops, expect


def _beaten(spare: list[str], board: list[str], to_beat: int) -> list[str]:
    """Two of the spare cards that win nothing against a hand of this value, taken out of them."""
    for pair in combinations(spare, 2):
        if evaluate_cards(*pair, *board) > to_beat:
            for face in pair:
                spare.remove(face)
            return list(pair)
    return [UNKNOWN, UNKNOWN]
