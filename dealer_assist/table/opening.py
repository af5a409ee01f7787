"""How a hand of this table starts: by which house and game, in which order it is dealt, with which posts and stakes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from dealer_assist import betting
from dealer_assist.betting import HandSetup, Post
from dealer_assist.domain.commands import Refused, SetSeat
from dealer_assist.domain.rake import NO_RAKE, RakeTerms
from dealer_assist.domain.table import (
    HAND_NAME_CHARS,
    Entering,
    Entry,
    HandOpening,
    Limits,
    SeatStack,
    Tracking,
)
from dealer_assist.domain.zones import MAX_SEATS, clockwise
from dealer_assist.procedure.game import Game, Ranking
from dealer_assist.procedure.house import House, fingerprint
from dealer_assist.procedure.state import RunItRule
from dealer_assist.table import kills
from dealer_assist.table.money import odd_chip, rake_schedule, time_rake


class Rules:
    """The house and the games that a table plays by. ``games``: by name, those that a single hand may be played by (bomb pot).

    ``tracking``: where it is only cards, rounds close by burns and folds, so that entry is by exception.
    """

    #: ``unit``: the chip that pots are split down to; ``rake``: how they are raked, None for not; ``time_rake``: what each seat pays
    #: at a dealer push. The table raises :class:`RakeUnfit` for a rake that it cannot pay.
    __slots__ = (
        "entry",
        "fingerprint",
        "game",
        "games",
        "house",
        "limits",
        "rake",
        "time_rake",
        "tracking",
        "unit",
    )

    def __init__(
        self,
        house: House,
        game: Game,
        limits: Limits,
        *,
        games: Mapping[str, Game] | None = None,
        entry: Entry = "every_action",
        tracking: Tracking = "full",
        rake: RakeTerms = NO_RAKE,
    ) -> None:
        self.house = house
        self.fingerprint = fingerprint(house)
        self.game = game
        self.games = {game.name: game, **(games or {})}
        self.limits = limits
        self.entry: Entry = "by_exception" if tracking == "cards" else entry
        self.tracking: Tracking = tracking
        self.unit = odd_chip(limits, house)
        self.rake = rake_schedule(rake, house, limits)
        self.time_rake = time_rake(rake, house, limits)

    def game_of(self, opening: HandOpening) -> Game:
        """The game that this hand is played by."""
        return self.games[opening.game] if opening.game else self.game

    @property
    def run_it(self) -> RunItRule:
        """How often, and for how many players, the house lets the rest of the board be dealt."""
        parameters = self.house.parameters
        return RunItRule(parameters.run_it.value, parameters.run_it_players.value)

    def ranking(self, game: Game) -> Ranking:
        """How hands compare: the house says it for a short deck, where it says anything (S000-18 against WLA 369)."""
        if game.ranking == "standard":
            return "standard"
        setting = self.house.parameters.short_deck_ranking
        return game.ranking if setting.gap else setting.value


def deal_order(opening: HandOpening) -> tuple[int, ...]:
    """The dealt-in seats clockwise from the first left of the button, the button last."""
    return clockwise(opening.button, [record.seat for record in opening.seats])


def opening_refused(opening: HandOpening, rules: Rules) -> Refused | None:
    """Why a hand cannot be opened so; None when it can."""
    if not opening.hand.isprintable() or not 0 < len(opening.hand) <= HAND_NAME_CHARS:
        return Refused("bad_command", {"reason": "hand_name"})
    dealt_in = {record.seat for record in opening.seats}
    if len(dealt_in) != len(opening.seats) or len(dealt_in) < 2:
        return Refused("bad_command", {"reason": "seats"})
    if min(dealt_in) < 1 or max(dealt_in) > MAX_SEATS:
        return Refused("bad_command", {"reason": "seats"})
    if any(post.seat not in dealt_in for post in opening.posts):
        return Refused("bad_command", {"reason": "post_of_absent_seat"})
    if opening.game and opening.game not in rules.games:
        return Refused("bad_command", {"reason": "unknown_game"})
    if len(dealt_in) > rules.game_of(opening).max_seats:
        return Refused("bad_command", {"reason": "too_many_seats"})
    return kills.refused(opening, rules.game_of(opening).posts)


def seat_refused(command: SetSeat, seats: tuple[int, ...], opening: HandOpening | None) -> Refused | None:
    """Why a seat cannot be changed so; ``opening``: of the running hand. Its stacks stay: table stakes (A15)."""
    if command.seat not in seats:
        return Refused("bad_seat", {"seat": command.seat})
    if command.stack is None:
        return None
    if command.stack < 0:
        return Refused("bad_command", {"reason": "stack"})
    if opening is not None and any(record.seat == command.seat for record in opening.seats):
        return Refused("hand_open")
    return None


def posts_of(opening: HandOpening, order: tuple[int, ...], rules: Rules) -> tuple[Post, ...]:
    """The posts that the opening names, otherwise those of the game and the table's limits."""
    return opening.posts or posts_by_limits(opening, order, rules)


def posts_by_limits(
    opening: HandOpening,
    order: tuple[int, ...],
    rules: Rules,
    *,
    blinds: tuple[int | None, int] | None = None,
    entering: Sequence[Entering] = (),
) -> tuple[Post, ...]:
    """The posts of the hand's game and the table's limits; ``blinds``, ``entering``: as :func:`betting.forced_bets` takes them."""
    kind = rules.game_of(opening).posts
    return betting.forced_bets(
        kind,
        order,
        kills.limits_of(rules.limits, bomb=kind == "antes" and rules.game.posts != "antes"),
        button=opening.button if opening.button in order else None,
        blinds=blinds,
        entering=entering,
        killer=kills.killer_of(opening),
        unit=rules.unit,
    )


def with_posts(opening: HandOpening, rules: Rules) -> HandOpening:
    """The opening with its posts written out: the blinds, antes and straddles of this hand."""
    return replace(opening, posts=posts_of(opening, deal_order(opening), rules))


def written_out(
    opening: HandOpening, rules: Rules, bystanders: Callable[[set[int]], tuple[SeatStack, ...]]
) -> HandOpening:
    """The opening with its posts, and the seats beside it that may turn out to be in; no stacks where none are tracked."""
    beside = opening.bystanders or bystanders({record.seat for record in opening.seats})
    seats = opening.seats
    if rules.tracking != "full":
        seats, beside = _uncounted(seats), _uncounted(beside)
    return replace(with_posts(replace(opening, seats=seats), rules), bystanders=beside)


def _uncounted(records: tuple[SeatStack, ...]) -> tuple[SeatStack, ...]:
    return tuple([SeatStack(record.seat) for record in records])


def hand_setup(opening: HandOpening, order: tuple[int, ...], rules: Rules) -> HandSetup:
    """The betting's start."""
    stacks = {record.seat: record.stack for record in opening.seats}
    seats = tuple(seat for seat in order if seat in stacks)
    posts = tuple([post for post in posts_of(opening, seats, rules) if post.seat in seats])
    game = rules.game_of(opening)
    parameters = rules.house.parameters
    return HandSetup(
        seats,
        opening.button,
        tuple([betting.UNKNOWN_STACK if (stack := stacks[seat]) is None else stack for seat in seats]),
        posts,
        big_blind=rules.limits.big_blind,
        unit=rules.unit,
        structure=game.betting,
        straddle=parameters.straddle.value,
        straddle_raise=parameters.straddle_raise.value,
        restraddle=parameters.restraddle.value,
        small_blind=rules.limits.small_blind,
        round_small_blind=game.betting == "pot_limit" and parameters.pl_round_small_blind.value,
        **kills.bets_of(rules.limits, opening, rules.unit),
        max_bets=parameters.fl_max_bets.value,
        uncapped_headsup=parameters.fl_uncapped_headsup.value,
        half_raise=parameters.fl_allin_reopen.value == "half_bet",
        first_street=game.first_street,
        rake=rules.rake,
        side_pots_show_first=parameters.show_order_after_first.value == "side_pots_first",
        unknown=tuple([seat for seat in seats if stacks[seat] is None]),
        amounts=rules.tracking != "cards",
    )


def amount_rules(house: House) -> betting.AmountRules:
    """How the house reads chips and words (A6)."""
    parameters = house.parameters
    return betting.AmountRules(parameters.half_of_a_raise.value, parameters.undercall.value)
