"""What the odds come to in words: the row of the catalogue, the check that its question names, and what it rests on."""

from __future__ import annotations

import msgspec

from dealer_assist.domain.alerts import Explanation, Why
from dealer_assist.domain.zones import seat_zone
from dealer_assist.procedure.alignment.courses import Departure
from dealer_assist.procedure.alignment.deal import Course, Odds

#: A read that shifts the odds by less than so many 1/100 nat is not named.
_LEAST: int = 50
_MOST_READS: int = 4


class Word(msgspec.Struct, frozen=True):
    """A question that can be asked about a deal: of ``seat``; ``due``: whose card it was, where that is another."""

    rule: str
    question: str
    seat: int
    due: int | None = None

    @property
    def params(self) -> dict[str, int]:
        """The parameters of its text."""
        return {"seat": self.seat} if self.due is None else {"seat": self.seat, "due": self.due}


def word_of(course: Course, plan: tuple[int, ...], count: int) -> Word | None:
    """How to ask about a course; None for the planned one. ``count``: dealt-in seats."""
    departure = course.departure
    if departure is None:
        if not course.unexplained:
            return None
        due = plan[min(course.place, len(plan) - 1)]
        return Word("D4", "out_of_turn", course.seat, due)
    if departure.kind in ("skip", "out"):
        if departure.place >= count:
            return Word("D5", "one_short", departure.seat)
        return Word("D1" if departure.place == 0 else "D3", "seat_in", departure.seat)
    if departure.kind == "start" or departure.place == 0:
        return Word("D1", "first_card", departure.due)
    return Word("D4", "out_of_turn", departure.seat, departure.due)


def shares(odds: Odds, plan: tuple[int, ...], count: int) -> list[tuple[int, Word]]:
    """The words with their shares in 1/10,000, the likeliest first."""
    found: dict[Word, int] = {}
    for course in odds.courses:
        word = word_of(course, plan, count)
        if word is not None:
            found[word] = found.get(word, 0) + course.share
    return sorted([(share, word) for word, share in found.items()], key=lambda entry: -entry[0])


#: A group of courses is told by its likeliest one where that has so many hundredths of it, else by what all of them have in common.
_OWN_NAME: int = 80
#: question → what courses have in common about which it is asked
_COMMON: dict[str, str] = {
    "seat_in": "skip",
    "one_short": "skip",
    "first_card": "first_card",
    "out_of_turn": "out_of_turn",
}


def explanations(
    odds: Odds, plan: tuple[int, ...], count: int, word: Word
) -> tuple[tuple[Explanation, ...], Course, Course | None]:
    """The two best explanations with their shares, then the likeliest course of each; the first is the one that is asked about.

    An explanation is all courses that come to one question: which of them it was makes no difference to the dealer.
    """
    groups: dict[Word | None, list[Course]] = {}
    for course in odds.courses:
        groups.setdefault(word_of(course, plan, count), []).append(course)
    mine = groups.pop(word)
    other = max(groups.items(), key=lambda entry: sum(course.share for course in entry[1]), default=None)
    found = [_explained(word, mine)]
    if other is not None:
        found.append(_explained(*other))
    return tuple(found), mine[0], None if other is None else other[1][0]


def _explained(word: Word | None, courses: list[Course]) -> Explanation:
    """Courses of one question, the likeliest first, as one explanation."""
    best = courses[0]
    share = sum(course.share for course in courses)
    departure = best.departure
    if word is None:
        return Explanation("as_planned", {"count": _unread(best)}, share)
    if best.share * 100 < share * _OWN_NAME:
        return Explanation(_COMMON[word.question], word.params, share)
    if departure is None:
        return Explanation("unexplained", {"seat": best.seat}, share)
    return Explanation(departure.kind, _told(departure), share)


def _told(departure: Departure) -> dict[str, int]:
    return {"seat": departure.seat, "due": departure.due}


def _unread(course: Course) -> int:
    return sum(ref is None for ref, _ in course.trail)


def weighed(best: Course, rival: Course | None, plan: tuple[int, ...]) -> tuple[Why, ...]:
    """What speaks most for ``best`` against ``rival``: a read each, with its weight, and a pitch that only the rival left unread."""
    if rival is None:
        return ()
    mine, other = _by_card(best), _by_card(rival)
    found = []
    for ref, (step, log) in mine.items():
        if ref in other:
            weight = (log - other[ref][1]) * 100 // 1024
            if weight >= _LEAST:
                found.append((weight, Why("came_when", {"number": step + 1}, reads=(ref,), weight=weight)))
    missing = [plan[step] for step, (ref, _) in enumerate(rival.trail) if ref is None and step < len(plan)]
    lost = _lost(rival) - _lost(best)
    whys = [why for _, why in sorted(found, key=lambda entry: -entry[0])[:_MOST_READS]]
    if missing and rival.departure is None and not rival.unexplained:
        whys.insert(0, Why("not_read", {"zone": seat_zone(missing[0])}, weight=max(1, lost)))
    return tuple(whys)


def _by_card(course: Course) -> dict[str, tuple[int, int]]:
    """Card → the number of its pitch and what it cost, in 1/1024 nat; what unread pitches before it cost is theirs."""
    found = {}
    before = 0
    for step, (ref, log) in enumerate(course.trail):
        if ref is not None:
            found[ref] = (step, log - before)
        before = log
    return found


def _lost(course: Course) -> int:
    """What the unread pitches of a course cost, as a weight against it in 1/100 nat."""
    total = before = 0
    for ref, log in course.trail:
        if ref is None:
            total += before - log
        before = log
    return total * 100 // 1024
