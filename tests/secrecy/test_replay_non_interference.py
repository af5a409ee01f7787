"""The same hands with the hidden faces exchanged: facts, results and logs are the same bytes."""

from __future__ import annotations

from tests.secrecy.hands import EACH_SCENARIO, Dealt, exchanged, hidden, real_hands
from tests.secrecy.replayed import Shown, replayed, scenario_replayed

HANDS = 200


def assert_blind(hand: Dealt, first: Shown, seed: int) -> int:
    """Nothing that a hand leaves depends on a hidden face; how many hidden cards the antennas read."""
    other = exchanged(hand.cards, set(first.public), seed)
    changed = {uid for uid, face in hand.cards.items() if other[uid] != face}
    assert sorted(other.values()) == sorted(hand.cards.values())
    assert changed == set(hidden(hand.cards, set(first.public)))
    again = replayed(hand, other)
    assert again.facts == first.facts
    assert again.result == first.result
    assert again.log == first.log
    assert first.public <= hand.face_up()
    return len(changed & hand.read())


def test_real_hands_show_nothing_of_hidden_cards() -> None:
    hands = real_hands(HANDS)
    read = [assert_blind(hand, replayed(hand, hand.cards), seed) for seed, hand in enumerate(hands)]
    assert len({hand.name for hand in hands}) == HANDS
    assert min(read) >= 4, "a hand without hidden cards proves nothing"
    assert sum(read) > 10 * HANDS


@EACH_SCENARIO
def test_irregularities_show_nothing_of_hidden_cards(name: str) -> None:
    hand, first = scenario_replayed(name)
    assert sum(assert_blind(hand, first, seed) for seed in range(2)) > 0
