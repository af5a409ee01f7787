"""How good what was said of noisy hands is, when it is known what was wrong with each: one hand at a time, then added up.

A **word** is a question or a proven alert, at the moment when a screen is told of it; quiet marks are none. A hand is *clean* when
nothing was injected into it, and every word about it is false. Of a hand with an irregularity

- it was *found* when a word of its own rule came before the hand was closed, *before the next step* when that was by the time
  when the simulated dealer would have gone on;
- the *first word* is the first of any rule that came after it; that one has the *right kind and seat* or not;
- words before it are false words, and counted apart from those of clean hands.

A question about a tap that was forgotten (a *slip* of the side file) is no false one: it is counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from tests.bench.intervals import quantile, quantile_bounds, share_bounds

Strength = Literal["question", "proven"]
NOTHING = "nothing"
CLEAN = "clean"


class Word(msgspec.Struct, frozen=True):
    """What was said, and when (virtual ms of the trace)."""

    t_ms: int
    strength: Strength
    rule: str
    seat: int | None = None


class Truth(msgspec.Struct, frozen=True):
    """One injected irregularity: a line of the side file (docs/traces.md). Times in virtual ms of the trace."""

    hand: str
    rule: str
    t: int
    next_step_t: int
    seat: int | None = None
    kind: str = ""
    readable: bool = True
    #: rules that name the same departure as rightly; a word of one of them finds it
    also: tuple[str, ...] = ()
    #: when the floor closed the hand: words after it are not about it
    void_t: int | None = None

    def names(self, word: Word) -> bool:
        """Whether a word is of this irregularity's kind."""
        return word.rule == self.rule or word.rule in self.also


class Slip(msgspec.Struct, frozen=True):
    """A tap that was forgotten or wrong: a question by one of ``rules`` from ``t`` on is not false."""

    hand: str
    slip: str
    t: int
    rules: tuple[str, ...] = ()

    def excuses(self, word: Word) -> bool:
        """Whether a word is about this slip."""
        return word.strength == "question" and word.rule in self.rules and word.t_ms >= self.t


class Seconds(msgspec.Struct):
    """Times in ms."""

    all_ms: list[int] = []

    def told(self) -> dict[str, object]:
        """Median and 95th percentile in seconds, each with bounds."""
        ordered = sorted(self.all_ms)
        if not ordered:
            return {"n": 0}
        figures: dict[str, object] = {"n": len(ordered)}
        for name, q in (("median", 0.5), ("p95", 0.95)):
            low, high = quantile_bounds(ordered, q)
            figures[name] = quantile(ordered, q) / 1000
            figures[f"{name}_bounds"] = [low / 1000, None if high is None else high / 1000]
        return figures


class Score(msgspec.Struct):
    """Counts; those of parts may be added."""

    clean: int = 0
    #: clean hands with at least one false proven alert, and with at least one question; then how many of both there were
    clean_proven: int = 0
    clean_asked: int = 0
    clean_any: int = 0
    false_proven: int = 0
    false_questions: int = 0
    #: questions about forgotten taps, in all hands
    about_slips: int = 0
    irregular: int = 0
    #: with words before anything was wrong
    irregular_false: int = 0
    found_in_time: int = 0
    found: int = 0
    #: after it something was said at all, before the hand was closed
    any_word: int = 0
    right_kind: int = 0
    right_kind_and_seat: int = 0
    first_word: Seconds = msgspec.field(default_factory=Seconds)
    #: injected (or "clean") → said first (or "nothing") → hands
    confusion: dict[str, dict[str, int]] = {}
    #: injected rule, and kind → hands, found in time, found, right kind and seat first
    by_rule: dict[str, list[int]] = {}
    by_kind: dict[str, list[int]] = {}
    #: kind → ms to the first word
    kind_ms: dict[str, list[int]] = {}
    #: what clean hands were told, strength and rule → words
    false_words: dict[str, int] = {}
    #: hands with something that readers could not see; they count in nothing above
    unreadable: int = 0

    def take(self, words: Sequence[Word], truth: Truth | None, slips: Sequence[Slip] = ()) -> None:
        """Add one hand."""
        told = []
        for word in sorted(words, key=lambda word: word.t_ms):
            if any(slip.excuses(word) for slip in slips):
                self.about_slips += 1
            elif truth is None or truth.void_t is None or word.t_ms < truth.void_t:
                told.append(word)
        if truth is None:
            self._clean(told)
        elif not truth.readable:
            self.unreadable += 1
        else:
            self._irregular(told, truth)

    def _clean(self, told: list[Word]) -> None:
        self.clean += 1
        strengths = Counter(word.strength for word in told)
        self.clean_proven += strengths["proven"] > 0
        self.clean_asked += strengths["question"] > 0
        self.clean_any += bool(told)
        self.false_proven += strengths["proven"]
        self.false_questions += strengths["question"]
        for word in told:
            _count(self.false_words, f"{word.strength} {word.rule}")
        self._confuse(CLEAN, told[0].rule if told else NOTHING)

    def _irregular(self, told: list[Word], truth: Truth) -> None:
        self.irregular += 1
        self.irregular_false += any(word.t_ms < truth.t for word in told)
        after = [word for word in told if word.t_ms >= truth.t]
        own = [word for word in after if truth.names(word)]
        found = bool(own)
        in_time = found and own[0].t_ms <= truth.next_step_t
        self.found += found
        self.found_in_time += in_time
        first = after[0] if after else None
        right = first is not None and truth.names(first)
        exact = right and first is not None and (truth.seat is None or first.seat == truth.seat)
        for rows, name in ((self.by_rule, truth.rule), (self.by_kind, truth.kind)):
            rows[name] = _sum(rows.get(name), [1, int(in_time), int(found), int(exact)])
        self._confuse(truth.rule, NOTHING if first is None else first.rule)
        if first is not None:
            self.any_word += 1
            self.right_kind += right
            self.right_kind_and_seat += exact
            self.first_word.all_ms.append(first.t_ms - truth.t)
            self.kind_ms[truth.kind] = [*self.kind_ms.get(truth.kind, ()), first.t_ms - truth.t]

    def _confuse(self, injected: str, said: str) -> None:
        _count(self.confusion.setdefault(injected, {}), said)

    def add(self, other: Score) -> None:
        """Add the counts of other hands."""
        for name in self.__struct_fields__:
            mine, theirs = getattr(self, name), getattr(other, name)
            if isinstance(mine, int):
                setattr(self, name, mine + theirs)
        self.first_word.all_ms += other.first_word.all_ms
        for kind, times in other.kind_ms.items():
            self.kind_ms[kind] = [*self.kind_ms.get(kind, ()), *times]
        for rows, more in ((self.by_rule, other.by_rule), (self.by_kind, other.by_kind)):
            for name, row in more.items():
                rows[name] = _sum(rows.get(name), row)
        for word, count in other.false_words.items():
            _count(self.false_words, word, count)
        for injected, said in other.confusion.items():
            for rule, count in said.items():
                _count(self.confusion.setdefault(injected, {}), rule, count)

    def of_rules(self, first_letter: str) -> tuple[int, int, int]:
        """Hands, found in time and found, of the rules that begin with a letter: D are the departures of the deal."""
        rows = [row for rule, row in self.by_rule.items() if rule.startswith(first_letter)]
        hands, in_time, found = (sum(row[column] for row in rows) for column in range(3))
        return hands, in_time, found

    def figures(self) -> dict[str, object]:
        """Every figure, each share with its bounds; shares of clean hands in 1,000 hands."""
        deal, deal_in_time, _ = self.of_rules("D")
        return {
            "clean_hands": self.clean,
            "irregular_hands": self.irregular,
            "unreadable_hands": self.unreadable,
            "false_proven_per_1000": share(self.clean_proven, self.clean, 1000),
            "questions_per_1000": share(self.clean_asked, self.clean, 1000),
            "any_false_word_per_1000": share(self.clean_any, self.clean, 1000),
            "false_proven": self.false_proven,
            "false_questions": self.false_questions,
            "questions_about_slips": self.about_slips,
            "found_before_next_step": share(self.found_in_time, self.irregular),
            "deal_found_before_next_step": share(deal_in_time, deal),
            "found_by_hand_end": share(self.found, self.irregular),
            "any_word": share(self.any_word, self.irregular),
            "false_word_before_it": share(self.irregular_false, self.irregular),
            "right_kind": share(self.right_kind, self.any_word),
            "right_kind_and_seat": share(self.right_kind_and_seat, self.any_word),
            "first_word_s": self.first_word.told(),
            "by_rule": _rows(self.by_rule),
            "by_kind": _rows(self.by_kind),
            "by_kind_s": {kind: Seconds(times).told() for kind, times in sorted(self.kind_ms.items())},
            "false_words": dict(sorted(self.false_words.items())),
            "confusion": {
                injected: dict(sorted(said.items())) for injected, said in sorted(self.confusion.items())
            },
        }


def _rows(rows: dict[str, list[int]]) -> dict[str, object]:
    return {
        name: {
            "hands": hands,
            "before_next_step": share(in_time, hands),
            "by_hand_end": share(found, hands),
            "right_kind_and_seat": share(exact, hands),
        }
        for name, (hands, in_time, found, exact) in sorted(rows.items())
    }


def _sum(row: list[int] | None, more: list[int]) -> list[int]:
    return list(more) if row is None else [a + b for a, b in zip(row, more, strict=True)]


def share(k: int, n: int, scale: int = 1) -> dict[str, object]:
    """k of n with its bounds, in ``scale``."""
    low, high = share_bounds(k, n)
    return {"k": k, "n": n, "value": k / n * scale if n else None, "bounds": [low * scale, high * scale]}


def total(scores: Iterable[Score]) -> Score:
    """All of them added up."""
    whole = Score()
    for score in scores:
        whole.add(score)
    return whole


def _count(counts: dict[str, int], key: str, by: int = 1) -> None:
    counts[key] = counts.get(key, 0) + by
