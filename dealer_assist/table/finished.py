"""A hand that is over, as it may be told: what of the state the formats write. The state holds no hidden card, and so does this."""

from __future__ import annotations

from collections.abc import Iterator

from dealer_assist.betting import BettingState, Settlement, least_bet
from dealer_assist.domain.table import STREETS
from dealer_assist.domain.zones import BOARDS
from dealer_assist.formats.finished import (
    BoardCards,
    Drop,
    FinishedHand,
    FundLine,
    GameType,
    PlayedAction,
    PlayedPost,
    PlayedPot,
    PlayedSeat,
)
from dealer_assist.procedure.game import Game
from dealer_assist.table.hand import Hand, final_stacks
from dealer_assist.table.opening import Rules
from dealer_assist.table.setup import Setup


def finished(hand: Hand, rules: Rules, setup: Setup) -> FinishedHand:
    """The hand once it is over. When it was played is not known here: the journal's rows say it."""
    assert hand.result
    state, betting = hand.procedure, hand.betting
    start = betting.setup
    game = rules.game_of(state.opening)
    settlement = None if hand.result != "completed" else hand.settlement
    return FinishedHand(
        hand=state.hand,
        table=setup.name,
        house=setup.house,
        game=game.name,
        game_type=_game_type(game),
        structure=start.structure,
        unit=setup.unit,
        simulated=setup.simulated,
        result=hand.result,
        button=state.opening.button,
        small_blind=start.small_blind,
        big_blind=start.big_blind,
        ante=rules.limits.ante,
        bets=(least_bet(start, 0), least_bet(start, 2)),
        seats=tuple(_seats(hand)),
        posts=tuple(_posts(betting)),
        actions=tuple(
            [
                PlayedAction(
                    STREETS[taken.street],
                    taken.seat,
                    taken.kind,
                    taken.added,
                    taken.to,
                    taken.all_in,
                    taken.assumed,
                )
                for taken in betting.log
            ]
        ),
        board=tuple(_board(hand)),
        pots=() if settlement is None else tuple(_pots(settlement)),
        returned=() if settlement is None else settlement.returned,
        rake=0 if settlement is None else settlement.rake,
        drops=() if settlement is None else tuple([Drop(name, amount) for name, amount in settlement.drops]),
        fund=tuple(_fund(betting, settlement)),
        boards=game.boards,
        runs=1 if state.first_only else state.times,
        max_seats=max(setup.seats, default=10),
        amounts=start.amounts,
    )


def _game_type(game: Game) -> GameType:
    """One of the games that other programs know: nothing but hole cards, a board and betting on four streets."""
    plain = (
        game.folded == "muck"
        and not game.events
        and game.posts in ("blinds", "antes", "antes_and_button_blind")
    )
    if not plain or any(street.discard or street.point for street in game.street):
        return ""
    match game.deck, game.hole, game.use:
        case "standard52", 2, "any":
            return "holdem"
        case "standard52", 4, "two_and_three":
            return "omaha"
        case "short36", 2, "any":
            return "short_deck"
        case _:
            return ""


def _seats(hand: Hand) -> Iterator[PlayedSeat]:
    betting = hand.betting
    end = final_stacks(hand)
    for index, seat in enumerate(betting.setup.seats):
        known = seat not in betting.setup.unknown
        yield PlayedSeat(
            seat,
            betting.setup.stacks[index] if known else None,
            end.get(seat),
            hand.faces_of(seat) if seat in hand.tabled else (),
            folded=betting.folded[index],
            mucked=seat in hand.mucked,
        )


def _posts(betting: BettingState) -> Iterator[PlayedPost]:
    left = dict(zip(betting.setup.seats, betting.setup.stacks, strict=True))
    for post in betting.setup.posts:
        paid = min(post.amount, left[post.seat])
        left[post.seat] -= paid
        yield PlayedPost(post.seat, post.kind, paid, left[post.seat] == 0)


def _board(hand: Hand) -> Iterator[BoardCards]:
    """Street by street, the first board first; of later ones what is their own."""
    state = hand.procedure
    for street in STREETS:
        for run, zone in enumerate(hand.boards() or BOARDS[:1], 1):
            faces = [
                state.faces.get(slot.ref, "??")
                for slot in state.slots
                if slot.zone == zone and slot.street == street and not slot.early
            ]
            if faces:
                yield BoardCards(street, tuple(faces), run)


def _pots(settlement: Settlement) -> Iterator[PlayedPot]:
    """Pots by number, whatever boards award their parts. Rake and drops are figures of the hand: the main pot gives the rake first."""
    rake = settlement.rake
    for number in sorted({part.number for part in settlement.pots}):
        parts = [part for part in settlement.pots if part.number == number]
        shares: dict[int, int] = {}
        for part in parts:
            for seat, share in zip(part.winners, part.shares, strict=True):
                shares[seat] = shares.get(seat, 0) + share
        taken = sum(part.taken for part in parts)
        raked = min(rake, taken)
        rake -= raked
        amount = sum(part.pot.amount for part in parts)
        yield PlayedPot(number, amount, raked, taken - raked, tuple(sorted(shares.items())))


def _fund(betting: BettingState, settlement: Settlement | None) -> Iterator[FundLine]:
    for seat, paid in () if betting.fund is None else betting.fund.paid:
        yield FundLine(seat, "unfold", paid)
    if settlement is None:
        return
    for part in settlement.fund:
        for seat, share in zip(part.winners, part.shares, strict=True):
            yield FundLine(seat, "wins unfold fund", share)
    for seat, amount in settlement.fund_returned:
        yield FundLine(seat, "returned from unfold fund", amount)
