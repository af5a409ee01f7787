"""Hands for the proofs of secrecy: what the devices send and the dealer taps, and which tag is which card in each hand.

Every hand has a deck of tags of its own, so that the hidden faces of one hand can be exchanged without touching another's.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.zones import BOARDS
from dealer_assist.table import trace
from dealer_assist.table.ports import Observation, TagArrived
from dealer_assist.table.trace import Entry, Header
from hw_sim import steps as st
from hw_sim.director import play
from hw_sim.phh import load_phh
from hw_sim.scenario import load_scenario
from hw_sim.trace import TraceWorld

TESTS = Path(__file__).parent.parent
SAMPLE = TESTS / "data" / "pluribus_sample.phhs"
#: The two long runs are made once, by the worker that has their tests.
ON_ONE_WORKER = pytest.mark.xdist_group("two_runs")
#: All that is proven of one scenario is proven on one worker, where its first play is kept.
EACH_SCENARIO = pytest.mark.parametrize(
    "name",
    [
        pytest.param(path.stem, id=path.stem, marks=pytest.mark.xdist_group(f"secrecy_{path.stem}"))
        for path in sorted((TESTS / "scenarios").glob("*.toml"))
    ],
)

FULL_DECK = 52
#: UID → face
Cards = dict[bytes, str]


class Dealt(msgspec.Struct, frozen=True):
    """One hand as a trace: its header, its entries, and the deck that it was dealt with."""

    name: str
    header: Header
    entries: tuple[Entry, ...]
    cards: Cards

    def header_with(self, cards: Cards) -> Header:
        """The header of the same trace with another deck map."""
        decks = [
            msgspec.structs.replace(deck, cards={uid: cards[bytes.fromhex(uid)] for uid in deck.cards})
            for deck in self.header.all_decks()
        ]
        return msgspec.structs.replace(
            self.header, deck=decks[0], decks=tuple(decks) if len(decks) > 1 else ()
        )

    def decks(self) -> dict[bytes, str]:
        """The deck of each tag, where there is more than one."""
        decks = self.header.all_decks()
        if len(decks) < 2:
            return {}
        return {bytes.fromhex(uid): deck.name for deck in decks for uid in deck.cards}

    def read(self) -> set[bytes]:
        """The tags that any antenna read."""
        return {what.uid for what in self.observations() if isinstance(what, TagArrived)}

    def observations(self) -> list[Observation]:
        """What the devices sent."""
        return [entry.what for entry in self.entries if isinstance(entry.what, Observation)]

    def face_up(self) -> set[str]:
        """The faces that people at the table may see: cards that lay on the board, of tabled seats, or said aloud.

        From the trace alone, so that it does not depend on what the product thinks is public.
        """
        zones = {int(number): zone for number, zone in self.header.devices[0].antennas.items()}
        tabled = {f"seat{entry.what.seat}" for entry in self.entries if isinstance(entry.what, cmd.Tabled)}
        seen = {
            self.cards[what.uid]
            for what in self.observations()
            if isinstance(what, TagArrived)
            and what.uid in self.cards
            and zones[what.antenna] in tabled | set(BOARDS)
        }
        return seen | {entry.what.face for entry in self.entries if isinstance(entry.what, cmd.EnterCard)}

    def drawn(self) -> set[str]:
        """The cards that were turned up in the draw for the first button, before any hand."""
        draws = [entry.what for entry in self.entries if isinstance(entry.what, cmd.FirstButton)]
        return {face for draw in draws for face in draw.cards.values()}


def deal(hand: st.Hand, seed: int, start_ms: int = 1000) -> tuple[Dealt, int]:
    """Play a hand with the deck of ``seed``; the hand, and the time when it was over."""
    lines: list[str] = []
    end_ms = play(hand, TraceWorld(lines.append, seed=seed), start_ms)
    header, *entries = trace.read(hand.name, lines)
    assert isinstance(header.what, Header)
    cards = {bytes.fromhex(uid): face for deck in header.what.all_decks() for uid, face in deck.cards.items()}
    return Dealt(hand.name, header.what, tuple(entries), cards), end_ms


@functools.cache
def real_hands(count: int) -> tuple[Dealt, ...]:
    """The first ``count`` of the sample's real hands, one after the other in time; again with other suits when they are used up."""
    sample = list(load_phh(SAMPLE, allin_faceup=True))
    hands = []
    now_ms = 1000
    for number in range(count):
        hand = sample[number % len(sample)]
        again = number // len(sample)
        if again:
            hand = _other_suits(hand, again)
        dealt, now_ms = deal(hand, seed=100 + number, start_ms=now_ms)
        hands.append(dealt)
    return tuple(hands)


def _other_suits(hand: st.Hand, by: int) -> st.Hand:
    """The same hand with the suits turned: other cards, the same course and the same winners."""
    turned = {suit: "cdhs"[("cdhs".index(suit) + by) % 4] for suit in "cdhs"}
    name = f"{hand.name}#{by}"
    deck = tuple(face[0] + turned[face[1]] for face in hand.deck)
    return msgspec.structs.replace(hand, name=name, deck=deck, opening={**hand.opening, "hand": name})


@functools.cache
def scenario(name: str) -> Dealt:
    """A scenario by the name of its file."""
    return deal(load_scenario(TESTS / "scenarios" / f"{name}.toml"), seed=1)[0]


def hidden(cards: Cards, public: set[str]) -> list[bytes]:
    """The tags whose face never becomes public.

    One registered like another is what K1 is about, one that the game does not have is what K3 is about: they stay.
    """
    return [uid for deck in _by_deck(cards) for uid in _hidden(deck, public)]


def _by_deck(cards: Cards) -> list[Cards]:
    """The tags of each deck: of two, one comes after the other."""
    size = len(cards) if len(cards) <= FULL_DECK else len(cards) // 2
    tags = list(cards.items())
    return [dict(tags[:size]), dict(tags[size:])]


def _hidden(deck: Cards, public: set[str]) -> list[bytes]:
    often = Counter(deck.values())
    strange = "2345" if len(deck) < FULL_DECK else ""
    return sorted(
        uid
        for uid, face in deck.items()
        if face not in public and often[face] == 1 and face[0] not in strange
    )


def exchanged(cards: Cards, public: set[str], seed: int) -> Cards:
    """The decks with every hidden face on another hidden card of its deck; same tags, same public cards."""
    other = dict(cards)
    rng = random.Random(seed)
    for deck in _by_deck(cards):
        uids = _hidden(deck, public)
        rng.shuffle(uids)
        faces = [deck[uid] for uid in uids]
        other.update(zip(uids, faces[1:] + faces[:1], strict=True))
    return other
