from __future__ import annotations

import functools
import json
from pathlib import Path

import pytest

from dealer_assist.table.trace import Entry, read
from hw_sim.director import play
from hw_sim.hands import load_hands
from hw_sim.noise import misses
from hw_sim.trace import TraceWorld
from tests.table.recorded import OF_THE_HAND, hand_lines, recorded

TESTS = Path(__file__).parents[1]
SCENARIOS = sorted((TESTS / "scenarios").glob("*.toml"))
HANDS = 4


@functools.cache
def trace(*files: Path, hands: int | None = None, miss_rate: float = 0.0) -> tuple[Entry, ...]:
    lines: list[str] = []
    world = TraceWorld(lines.append, seed=1, profile=misses(miss_rate))
    now_ms = 1000
    for hand in load_hands(list(files), None, hands):
        now_ms = play(hand, world, now_ms)
    return tuple(read("t", lines))


@pytest.mark.parametrize("path", SCENARIOS[::66], ids=lambda path: path.stem)
def test_a_recorded_trace_replays_identically(path):
    left = recorded(trace(path))
    assert left.live and {fact["kind"] for fact in left.live} <= set(OF_THE_HAND)
    assert left.replayed == left.live
    assert [result.differences for result in left.results] == [[]] * len(left.results)


def test_so_do_many_hands_in_a_row_with_reads_that_miss():
    left = recorded(trace(TESTS / "data" / "pluribus_sample.phhs", hands=HANDS, miss_rate=0.05))
    assert len(left.results) == HANDS
    assert left.replayed == left.live
    assert not any(result.differences for result in left.results)


def test_no_more_lines_are_kept_than_were_asked_for_while_a_hand_goes_on():
    entries = trace(TESTS / "data" / "pluribus_sample.phhs", hands=HANDS)
    most = 5 * recorded(entries).most_kept // HANDS // 4
    assert recorded(entries, most_lines=most).most_kept <= most


def test_a_hand_that_its_first_card_opens_is_opened_by_it_again():
    left = recorded(trace(TESTS / "data" / "pluribus_sample.phhs", hands=3), opens_itself=True)
    opened = [line for line in hand_lines(left.lines) if "open_hand" in line]
    assert opened, "no hand was opened by its cards"
    assert left.replayed == left.live


def test_a_trace_names_no_card_that_was_not_public():
    entries = trace(TESTS / "data" / "pluribus_sample.phhs", hands=HANDS)
    lines = recorded(entries).lines
    text = b"".join(lines)
    head = json.loads(lines[0])
    named = [face for deck in head["decks"] for face in deck["cards"].values() if face[0] not in "#!"]
    shown = {
        face for line in hand_lines(lines) if "tap" in line for face in [line["tap"].get("face")] if face
    }
    public = _public(entries)
    assert named and set(named) | shown <= public
    for uid in entries[0].what.deck.cards:  # type: ignore[union-attr]
        assert uid.encode() not in text and bytes.fromhex(uid) not in text


def _public(entries: tuple[Entry, ...]) -> set[str]:
    from dealer_assist.composition import core_for_trace
    from dealer_assist.replay import Replay
    from tests.secrecy.replayed import revealed

    changes: list = []
    list(Replay(lambda header: core_for_trace(header, None), watch=changes.append).feed(entries))
    return set(revealed(changes))


def test_the_same_card_has_another_token_in_each_hand():
    lines = recorded(trace(TESTS / "data" / "pluribus_sample.phhs", hands=HANDS)).lines
    hand, hands_of = 0, {}
    for line in hand_lines(lines):
        if "expect" in line:
            hand += 1
        if line.get("msg") == "tag_arrived":
            hands_of.setdefault(line["uid"], set()).add(hand)
    assert hand == HANDS
    assert all(len(hands) == 1 for hands in hands_of.values())


def test_another_key_gives_other_tokens():
    entries = trace(SCENARIOS[0])
    first, second = (recorded(entries, key=bytes([byte]) * 32).lines for byte in (1, 2))
    uids = [{line["uid"] for line in hand_lines(lines) if "uid" in line} for lines in (first, second)]
    assert uids[0] and not uids[0] & uids[1]
