"""Random hands of every game that both our engine and PokerKit play: setup, deck and a legal action to try."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Literal, cast

import msgspec

from dealer_assist.betting import (
    Action,
    HandSetup,
    Legal,
    Post,
    StructureName,
    blinds_and_antes,
    hand_rank,
)
from dealer_assist.domain.cards import STANDARD_52

GameName = Literal["texas", "omaha", "short"]
SHORT_36 = tuple([card for card in STANDARD_52 if card[0] not in "2345"])

#: How the games are mixed: name, structure, weight.
MIX: tuple[tuple[GameName, StructureName, int], ...] = (
    ("texas", "no_limit", 9),
    ("texas", "pot_limit", 3),
    ("texas", "fixed_limit", 4),
    ("omaha", "pot_limit", 2),
    ("short", "no_limit", 2),
)


@dataclass(frozen=True)
class Game:
    """A hand before its first card: what it starts from, and where every card of the deck will lie."""

    name: GameName
    setup: HandSetup
    deck: tuple[str, ...]
    boards: int = 1

    @property
    def hole_cards(self) -> int:
        return 4 if self.name == "omaha" else 2

    def hole(self, index: int) -> tuple[str, ...]:
        count = self.hole_cards
        return self.deck[count * index : count * (index + 1)]

    def board(self, number: int) -> tuple[str, ...]:
        end = len(self.deck) - 5 * number
        return self.deck[end - 5 : end]

    def board_cards(self, number: int, street: int) -> tuple[str, ...]:
        """What a street adds to a board."""
        board = self.board(number)
        return board[:3] if street == 1 else board[street + 1 : street + 2]

    def strengths(self, seats: tuple[int, ...]) -> list[dict[int, int]]:
        """The hand values of the seats, one dictionary a board."""
        order = self.setup.seats
        return [
            {
                seat: hand_rank(
                    self.hole(order.index(seat)),
                    self.board(number),
                    "two_and_three" if self.name == "omaha" else "any",
                    "short_straight_over_trips" if self.name == "short" else "standard",
                )
                for seat in seats
            }
            for number in range(self.boards)
        ]


def random_game(rng: random.Random, only: tuple[GameName, StructureName] | None = None) -> Game:
    """2 to 9 seats (as many as the deck serves); most stacks are too short for what is wanted."""
    name, structure = only or cast(
        "tuple[GameName, StructureName]",
        rng.choices([each[:2] for each in MIX], [each[2] for each in MIX])[0],
    )
    boards = 2 if rng.random() < 0.1 else 1
    most = {"texas": 9, "omaha": 9, "short": 9}[name]
    count = rng.randint(2, most)
    big = rng.choice((2, 10, 25, 100))
    # Heads-up with equal blinds PokerKit takes the wrong seat for the button (its issue 31's root).
    small = rng.choice((big // 2, max(1, big // 3), big // 2 if count == 2 else big))
    ante = rng.choice((0, 0, 0, 1, big // 2, big))
    depth = rng.choice((2, 6, 20, 200))
    stacks = [
        rng.randint(1, depth * big) if rng.random() < 0.8 else rng.randint(1, 3 * big) for _ in range(count)
    ]
    seats = tuple(sorted(rng.sample(range(1, 12), count)))
    turn = rng.randrange(count)
    seats = seats[turn:] + seats[:turn]
    kind = "blinds"
    if name == "short" or rng.random() < 0.05:
        kind = "antes_and_button_blind"
    elif rng.random() < 0.05:
        kind, ante = "antes", max(1, ante)
    if kind == "blinds":
        posts = _odd_posts(
            rng, seats, stacks, list(blinds_and_antes(seats, small, big, ante)), (small, big, ante)
        )
    else:
        posts = [Post(seat, ante, "ante") for seat in seats] if ante else []
        if kind == "antes_and_button_blind":
            posts.append(Post(seats[-1], big, "button_blind"))
    setup = HandSetup(
        seats,
        seats[-1],
        tuple(stacks),
        tuple(posts),
        big,
        structure=structure,
        straddle_raise=rng.choice(("difference", "whole")),
        small_blind=small if kind == "blinds" else 0,
        round_small_blind=structure == "pot_limit" and rng.random() < 0.1,
        max_bets=rng.choice((4, 4, 4, 3, 5)),
        half_raise=rng.random() < 0.8,
    )
    deck = list(SHORT_36 if name == "short" else STANDARD_52)
    rng.shuffle(deck)
    return Game(name, setup, tuple(deck), boards)


def _odd_posts(
    rng: random.Random,
    seats: tuple[int, ...],
    stacks: list[int],
    posts: list[Post],
    stakes: tuple[int, int, int],
) -> list[Post]:
    """At times one ante for all, a dead small blind, straddles, live and dead posts of players who come back."""
    small, big, ante = stakes
    count = len(seats)
    big_seat = seats[0] if count == 2 else seats[1]
    dice = rng.random()
    if dice < 0.1:
        payer = rng.choice((big_seat, seats[-1]))
        return [Post(payer, ante or big, "ante"), *blinds_and_antes(seats, small, big)]
    if count < 4:
        return posts
    # PokerKit finds the big blind by its chips: with none in front of it, it would begin elsewhere.
    stacks[1] = max(stacks[1], ante + 1)
    if dice < 0.15:
        posts = [post for post in posts if post.kind != "small_blind"]
    if dice < 0.35:
        # A straddle that is not under the gun is paid in full: a short one is an all-in and moves no start of the action.
        first = rng.choice((2, 2, count - 1, rng.randrange(2, count)))
        stacks[first] = max(stacks[first], 2 * big + ante) if first != 2 else stacks[first]
        posts.append(Post(seats[first], 2 * big, "straddle"))
        if first == 2 and count > 4 and rng.random() < 0.3:
            posts.append(Post(seats[3], 4 * big, "straddle"))
    elif dice < 0.45:
        back = rng.randrange(2, count)
        if not ante:
            # PokerKit takes what is dead first, as an ante.
            posts.append(Post(seats[back], small, "dead"))
        posts.append(Post(seats[back], big, "big_blind"))
    return posts


def killed(rng: random.Random, game: Game) -> Game:
    """The same hand as a kill pot, where a seat that has no blind can kill it: half as much again or twice the limits."""
    setup = game.setup
    kinds = {post.kind for post in setup.posts}
    if len(setup.seats) < 3 or "big_blind" not in kinds or "straddle" in kinds:
        return game
    big = setup.big_blind
    kill = rng.choice((2 * big, -(-3 * big // 2)))
    killer = rng.choice(setup.seats[2:])
    posts = [post for post in setup.posts if post.seat != killer or post.kind == "ante"]
    posts.append(Post(killer, kill, "kill"))
    sizes = {"small_bet": kill, "big_bet": 2 * kill} if setup.structure == "fixed_limit" else {}
    return replace(game, setup=msgspec.structs.replace(setup, posts=tuple(posts), kill=kill, **sizes))


def random_action(rng: random.Random, options: Legal) -> Action:
    """A legal action: often a call, raises from the least to all-in, now and then a fold that need not be."""
    dice = rng.random()
    if options.can_raise and dice < 0.35:
        assert options.min_to is not None and options.max_to is not None
        most = options.max_to
        kind = rng.choice(("least", "some", "some", "all"))
        to = options.min_to
        if kind == "some":
            to = min(most, options.min_to + rng.randint(0, 2 * options.pot))
        return Action(options.seat, "raise", most if kind == "all" else to)
    if options.can_check:
        return Action(options.seat, "check" if dice < 0.98 else "fold")
    return Action(options.seat, "fold" if dice > 0.8 else "call")


__all__ = ["Game", "GameName", "random_action", "random_game"]
