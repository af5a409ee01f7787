"""The scorer: known words about known hands give known figures; bounds against values that can be had otherwise."""

from __future__ import annotations

import math

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.table import ForcedBet, HandOpening, Limits, SeatStack
from dealer_assist.table.ports import TagArrived, TagLeft
from dealer_assist.table.trace import Entry, Expect, Header, TraceDevice
from tests.bench import accuracy_run
from tests.bench.accuracy_page import MARKER, write_into
from tests.bench.accuracy_run import SEEDS, Costs, chunks, read_side_file
from tests.bench.accuracy_score import Score, Slip, Truth, Word, total
from tests.bench.debounce_decider import FIXED, Settings, words_of
from tests.bench.intervals import quantile, quantile_bounds, share_bounds

# ---------------------------------------------------------------- bounds


def test_bounds_of_none_and_all_are_known_in_closed_form():
    for n in (1, 20, 1000, 50_000):
        low, high = share_bounds(0, n)
        assert low == 0.0
        assert high == pytest.approx(1 - 0.025 ** (1 / n), rel=1e-9)
        assert share_bounds(n, n) == (pytest.approx(0.025 ** (1 / n), rel=1e-9), 1.0)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (1, 10, 0.0025286, 0.4450161),
        (5, 10, 0.1870860, 0.8129140),
        (8, 80, 0.0442, 0.1876),
        (93, 100, 0.86108, 0.97137),
    ],
)
def test_bounds_of_shares_as_in_tables(k, n, low, high):
    assert share_bounds(k, n) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_the_bounds_leave_a_fortieth_on_each_side():
    n, k = 60, 7
    low, high = share_bounds(k, n)
    at_least = sum(math.comb(n, i) * low**i * (1 - low) ** (n - i) for i in range(k, n + 1))
    at_most = sum(math.comb(n, i) * high**i * (1 - high) ** (n - i) for i in range(k + 1))
    assert (at_least, at_most) == (pytest.approx(0.025), pytest.approx(0.025))


def test_no_share_is_above_one():
    with pytest.raises(ValueError, match="no share"):
        share_bounds(3, 2)


def test_quantiles_and_their_bounds_by_rank():
    values = [float(i) for i in range(1, 101)]
    assert (quantile(values, 0.5), quantile(values, 0.95)) == (50.0, 95.0)
    # The textbook's ranks for the median of 100: 40th and 61st.
    assert quantile_bounds(values, 0.5) == (40.0, 61.0)
    assert quantile_bounds([1.0, 2.0, 3.0], 0.95)[1] is None


# ---------------------------------------------------------------- one hand


def question(t_ms, rule="D3", seat=4):
    return Word(t_ms, "question", rule, seat)


SKIP = Truth("h", "D3", 1000, 5000, seat=4, kind="skip", also=("D1",), void_t=9000)


def scored(words, truth=None, slips=()):
    score = Score()
    score.take(words, truth, slips)
    return score


def test_a_clean_hand_in_silence():
    figures = scored([]).figures()
    assert figures["clean_hands"] == 1
    assert figures["false_proven_per_1000"]["k"] == figures["questions_per_1000"]["k"] == 0
    assert figures["confusion"] == {"clean": {"nothing": 1}}


def test_false_words_count_hands_and_words():
    score = scored([question(1), Word(2, "proven", "N1"), Word(3, "proven", "N1")])
    assert (score.clean_proven, score.clean_asked, score.clean_any) == (1, 1, 1)
    assert (score.false_proven, score.false_questions) == (2, 1)
    assert score.false_words == {"question D3": 1, "proven N1": 2}
    assert score.figures()["false_proven_per_1000"]["value"] == 1000


def test_found_in_time_with_the_right_seat():
    score = scored([question(1900)], SKIP)
    assert (score.found, score.found_in_time, score.right_kind, score.right_kind_and_seat) == (1, 1, 1, 1)
    assert score.first_word.told()["median"] == 0.9
    assert score.of_rules("D") == (1, 1, 1)
    assert score.clean == 0


def test_found_too_late_for_the_next_step_and_the_wrong_seat():
    score = scored([question(5001, seat=5)], SKIP)
    assert (score.found, score.found_in_time, score.right_kind, score.right_kind_and_seat) == (1, 0, 1, 0)


def test_a_rule_that_names_the_same_act_finds_it_too():
    score = scored([question(2000, "D1")], SKIP)
    assert (score.found, score.found_in_time, score.right_kind_and_seat) == (1, 1, 1)
    assert score.confusion == {"D3": {"D1": 1}}


def test_another_rule_first_is_no_right_kind_but_its_own_word_later_finds_it():
    score = scored([question(1500, "D4", 5), question(2500)], SKIP)
    assert (score.found, score.found_in_time, score.any_word, score.right_kind) == (1, 1, 1, 0)
    assert score.first_word.all_ms == [500]


def test_words_before_it_and_after_the_void_are_not_about_it():
    score = scored([question(999), question(9000)], SKIP)
    assert (score.irregular_false, score.found, score.any_word) == (1, 0, 0)
    assert score.confusion == {"D3": {"nothing": 1}}


def test_what_readers_cannot_see_is_in_no_figure():
    score = scored([question(2000)], Truth("h", "D3", 1000, 5000, readable=False))
    assert (score.unreadable, score.irregular, score.clean, score.found) == (1, 0, 0, 0)


def test_a_question_about_a_forgotten_tap_is_not_false():
    slip = Slip("h", "forgotten_tap", 3000, ("N10", "R1"))
    score = scored([question(4000, "N10", None), question(2000, "N10", None)], None, [slip])
    assert (score.about_slips, score.clean_asked, score.false_questions) == (1, 1, 1)
    assert scored([Word(4000, "proven", "N10")], None, [slip]).clean_proven == 1


def test_parts_add_up_to_the_whole():
    hands = [
        ([], None),
        ([question(1)], None),
        ([question(1900)], SKIP),
        ([], SKIP),
        ([question(3000, "D1")], SKIP),
    ]
    whole = Score()
    for words, truth in hands:
        whole.take(words, truth)
    parts = total(scored(words, truth) for words, truth in hands)
    assert parts == whole
    assert parts.figures()["found_by_hand_end"]["value"] == pytest.approx(2 / 3)
    assert parts.figures()["by_kind"]["skip"]["hands"] == 3


# ---------------------------------------------------------------- the peer

HEADER = Header(
    1,
    "seed",
    "nlhe",
    Limits(1, 2),
    (
        TraceDevice(
            "r", "reader", {**{str(seat): f"seat{seat}" for seat in range(1, 7)}, "12": "board", "13": "burn"}
        ),
    ),
)
OPENING = HandOpening(
    "h",
    6,
    tuple(SeatStack(seat, 100) for seat in (1, 2, 3, 4)),
    (ForcedBet(1, 1, "small_blind"), ForcedBet(2, 2, "big_blind")),
)


class Dealt:
    """A trace by hand: cards come every 600 ms, each lies from its first scan on."""

    def __init__(self) -> None:
        self.t_ms = 1000
        self.entries = [Entry(0, 1, HEADER), Entry(1000, 2, OPENING)]
        self.cards = 0

    def card(self, antenna, after_ms=600):
        self.t_ms += after_ms
        self.cards += 1
        uid = self.cards.to_bytes(8, "big")
        self._add(TagArrived("r", antenna, uid, self.t_ms, self.t_ms // 100, 100))
        return uid

    def deal(self, seats):
        for seat in seats:
            self.card(seat)
        return self

    def tap(self, *acts: tuple[int, str]):
        for seat, action in acts:
            self.t_ms += 1000
            self._add(cmd.Act(seat, action))
        return self

    def lift(self, antenna, uid, after_ms=100):
        self.t_ms += after_ms
        self._add(TagLeft("r", antenna, uid, self.t_ms, self.t_ms // 100, 100))

    def rest(self, ms=5000):
        self.t_ms += ms
        self._add({})
        return self

    def _add(self, what):
        self.entries.append(Entry(self.t_ms, len(self.entries) + 1, what))

    def words(self, settings=FIXED):
        end = [Entry(self.t_ms, 0, Expect())]
        return [(word.rule, word.seat) for word in words_of([*self.entries, *end], settings)["h"]]


ROUND = (1, 2, 3, 4)
CLOSED = ((3, "call"), (4, "call"), (1, "call"), (2, "check"))
BOARD, BURN = 12, 13


def flop(dealt, *, burns=1, cards=3):
    for _ in range(burns):
        dealt.card(BURN, 1000)
    for _ in range(cards):
        dealt.card(BOARD, 100)
    return dealt


def test_the_peer_is_silent_about_a_right_hand():
    dealt = flop(Dealt().deal(ROUND * 2).rest().tap(*CLOSED))
    dealt.tap((1, "check"), (2, "check"), (3, "check"), (4, "check"))
    flop(dealt, cards=1)
    assert dealt.rest().words() == []


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        ((1, 2, 4, 3, 1, 2, 3, 4), [("D4", 4)]),
        ((1, 2, 4, 1, 2, 4), [("D3", 3), ("D5", 3)]),
        ((2, 3, 4, 2, 3, 4), [("D1", 1)]),
        ((1, 2, 3, 4, 1, 2, 3, 4, 1), [("D8", 1)]),
        ((1, 2, 5, 3, 4), [("D2", 5)]),
        ((1, 2, 3, 4, 1, 3, 4), [("D5", 2)]),
    ],
)
def test_what_the_peer_says_of_departures_of_the_deal(seats, said):
    words = Dealt().deal(seats).rest().words()
    assert words[: len(said)] == said


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (lambda dealt: flop(dealt.tap(*CLOSED), burns=0), [("N1", None)]),
        (lambda dealt: flop(dealt.tap(*CLOSED), burns=2), [("N5", None)]),
        (lambda dealt: flop(dealt.tap(*CLOSED), cards=4), [("F1", None)]),
        (lambda dealt: flop(dealt.tap(*CLOSED[:-1]), cards=0), [("N10", None)]),
        (lambda dealt: flop(dealt.tap(*CLOSED[:-1])), [("R1", None)]),
    ],
)
def test_what_the_peer_says_of_burns_and_the_board(play, said):
    assert play(Dealt().deal(ROUND * 2).rest()).rest().words() == said


def test_a_tap_within_the_timeout_settles_the_peer():
    dealt = flop(Dealt().deal(ROUND * 2).rest().tap(*CLOSED[:-1]))
    dealt.t_ms -= 300
    assert dealt.tap(CLOSED[-1]).rest().words() == []


def test_an_undone_tap_is_none():
    dealt = Dealt().deal(ROUND * 2).rest().tap(*CLOSED)
    dealt._add(cmd.Undo())
    assert flop(dealt).rest().words() == [("R1", None)]


def test_k_reads_are_wanted():
    dealt = Dealt().deal((1, 2))
    dealt.lift(2, (2).to_bytes(8, "big"))  # read once only
    dealt.deal((3, 4)).rest()
    assert dealt.words() == [("D3", 2)]
    assert dealt.words(Settings(k=1)) == []


# ---------------------------------------------------------------- the run


def test_the_side_file_is_read_as_documented():
    truths, slips = read_side_file(
        b'{"hand":"h12","kind":"skip","rule":"D3","also":["D1"],"seat":4,"street":"preflop","t":61200,"next_step_t":68950,'
        b'"void_t":74100,"end_t":75600,"readable":true}\n'
        b'{"hand":"h13","slip":"forgotten_tap","rules":["N10","R1"],"seat":3,"t":90100,"made_t":96500}\n'
    )
    assert truths == {"h12": Truth("h12", "D3", 61200, 68950, 4, "skip", True, ("D1",), 74100)}
    assert slips == {"h13": [Slip("h13", "forgotten_tap", 90100, ("N10", "R1"))]}


def test_chunks_cover_every_hand_once_a_pass_and_go_on_with_another_seed(tmp_path):
    file = tmp_path / "hands.ohh.jsonl"
    file.write_text("{}\n" * 25)
    got = list(chunks([file], 40, 7, size=10))
    first = [chunk for chunk in got if chunk.seed // SEEDS == 7]
    assert sorted((chunk.first, chunk.count) for chunk in first) == [(0, 10), (10, 10), (20, 5)]
    assert sum(chunk.count for chunk in got) == 40
    assert {chunk.seed // SEEDS for chunk in got} == {7, 8}
    assert len({chunk.seed for chunk in got}) == len(got)
    assert len({chunk.name for chunk in got}) == len(got)


def test_results_of_other_code_are_not_gone_on_with_wherever_the_project_lies(tmp_path, monkeypatch):
    root = (
        tmp_path / "station"
    )  # the folder of the whole project: what lies in it decides although the station's package does not
    for name in ("dealer_assist/procedure/house.py", "dealer_assist/station/window.py", "hw_sim/noise.py"):
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text("1")
    for name in ("accuracy_run", "accuracy_score", "debounce_decider", "sensing_profiles"):
        path = root / "tests" / "bench" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1")
    monkeypatch.setattr(accuracy_run, "ROOT", root)
    before = accuracy_run.fingerprint()
    (root / "dealer_assist/station/window.py").write_text("2")
    assert accuracy_run.fingerprint() == before
    (root / "dealer_assist/procedure/house.py").write_text("2")
    assert accuracy_run.fingerprint() != before


def test_costs_are_right_to_two_percent():
    costs = Costs()
    for us in range(1, 10_001):
        costs.take(float(us))
    assert costs.quantile_ms(0.5) == pytest.approx(5.0, rel=0.02)
    assert costs.quantile_ms(0.99) == pytest.approx(9.9, rel=0.02)
    assert costs.told()["max_ms"] == 10.0


def test_the_newest_run_is_first_on_the_page(tmp_path):
    page = tmp_path / "accuracy.md"
    write_into(page, "## first\n")
    write_into(page, "## second\n")
    text = page.read_text()
    assert text.count(MARKER) == 1
    assert text.index("## second") < text.index("## first")
    page.write_text("something else")
    with pytest.raises(ValueError, match="expected a page"):
        write_into(page, "## third\n")
