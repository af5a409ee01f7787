"""The odds of a deal: as planned, or with one departure, given everything that was read so far. Pure, in integers.

The planned course is followed once; each departure branches off it where it begins and is followed for as long as it can still
weigh anything. What fits nothing is weighed against *unexplained*: any card at any seat at any time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from dealer_assist.domain.cards import CardRef
from dealer_assist.procedure.alignment.courses import MILLION, PRIORS, UNEXPLAINED, Departure, departures
from dealer_assist.procedure.alignment.density import LOG_2, UNIT, gap_of, log_of, pace_of
from dealer_assist.procedure.alignment.forward import Path, Scene, Sight, add, best_of
from dealer_assist.procedure.alignment.sensing import WHOLE, SensingParameters

#: A departure that has less than 2^-CUT_BITS of the weight of what explains the reads best is followed no further.
CUT_BITS: Final = 13
#: A card of an unexplained deal: at one of the seats, some time in the next seconds.
_ANY_TIME: Final = UNIT // 12
#: A card of the planned course that costs so much more than usual is trouble, which another course may not have; in 1/1024 nat.
_TROUBLE: Final = 1024

Trail = tuple[tuple[CardRef | None, int], ...]


class Course(msgspec.Struct, frozen=True):
    """An explanation and what it weighs. ``departure`` None: as planned. ``trail``: see :class:`~.forward.Path`.

    ``share``: its part of all that is possible, in 1/10,000. ``unexplained``: from pitch ``place`` on anything goes.
    """

    departure: Departure | None
    weight: tuple[int, int]
    trail: Trail
    share: int = 0
    unexplained: bool = False
    place: int = 0
    #: where the first card lies that an unexplained course does not place
    seat: int = 0


class Odds(msgspec.Struct, frozen=True):
    """All explanations of a deal that weigh anything, the likeliest first. ``planned``: the share of "as planned"."""

    courses: tuple[Course, ...]
    planned: int

    @property
    def departed(self) -> int:
        """The share of all departures together, in 1/10,000."""
        return WHOLE - self.planned


def odds(
    order: tuple[int, ...],
    hole: int,
    sights: Sequence[Sight],
    antennas: Mapping[int, SensingParameters],
    now_ms: int,
    *,
    lifted: Mapping[int, int] | None = None,
    heard: Mapping[int, int] | None = None,
    exits: Sequence[int | None] | None = None,
) -> Odds:
    """Weigh what can have happened. ``antennas``: of the seats whose silence says something; all other seats are blind.

    ``lifted``, ``heard``, ``exits``: see :class:`~.forward.Scene`.
    """
    solid = sorted([(sight.first_ms, sight.seat) for sight in sights if sight.solid])
    after = dict(pairwise((*order, order[0])))
    pace_ms, measured = pace_of(
        [later - t_ms for (t_ms, seat), (later, next_) in pairwise(solid) if after[seat] == next_]
    )
    gap = gap_of(pace_ms, measured=measured)
    scene = Scene(sights, antennas, gap, now_ms, lifted=lifted, heard=heard, exits=exits)
    return _Weighing(scene, order, hole).result()


class _Weighing:
    def __init__(self, scene: Scene, order: tuple[int, ...], hole: int) -> None:
        self._scene = scene
        self._order = order
        self._hole = hole
        self._plan = order * hole
        self._courses: list[Course] = []
        #: the logarithm of what explains the reads best so far
        self._best: int | None = None
        #: what the cards behind each number of matched ones cost the planned course, its trouble with them left out
        self._ahead = [0] * (len(scene.sights) + 1)

    def result(self) -> Odds:
        """All courses with their shares."""
        at = self._planned()
        for departure in departures(self._order, self._hole):
            if departure.place < len(at):
                self._departed(departure, at[departure.place])
        for place, paths in enumerate(at):
            self._unexplained(place, paths)
        return _shares(self._courses)

    def _keep(self, course: Course) -> None:
        if course.weight[0]:
            self._courses.append(course)
            weight = log_of(*course.weight)
            if self._best is None or weight > self._best:
                self._best = weight

    def _look_ahead(self, trail: Trail) -> None:
        logs = [log for ref, log in trail if ref is not None]
        costs = [log - before for before, log in pairwise(logs)]
        if not costs:
            return
        usual = sorted(costs)[len(costs) // 2]
        ahead = [0]
        for cost in reversed(costs):
            ahead.append(ahead[-1] + (cost if cost >= usual - _TROUBLE else usual))
        # the first card that is matched costs nothing here
        self._ahead[1 : len(ahead) + 1] = ahead[::-1]

    def _hopeful(self, paths: list[Path], prior: int) -> list[Path]:
        """The paths that would weigh more than next to nothing if they had no trouble at all with the cards to come."""
        if self._best is None:
            return paths
        floor = self._best - CUT_BITS * LOG_2 - log_of(max(1, prior))
        ahead = self._ahead
        return [path for path in paths if not path.used or path.log + ahead[path.used.bit_count()] >= floor]

    def _planned(self) -> list[list[Path]]:
        """Weigh the planned course; return the paths before each of its pitches."""
        paths = [self._scene.begin()]
        at = []
        total: tuple[int, int] = (0, 0)
        heaviest: tuple[int, Trail] | None = None
        for place in range(len(self._plan) + 1):
            going = []
            last = place == len(self._plan)
            for path in paths:
                if last or self._scene.complete(path):
                    weight = self._scene.ended(path, self._plan[place:])
                    total = add(total, weight)
                    if weight[0] and (heaviest is None or log_of(*weight) > heaviest[0]):
                        heaviest = (log_of(*weight), path.trail)
                else:
                    going.append(path)
            at.append(paths)
            if not going:
                break
            paths = self._onward(going, self._plan, place)
        likely = MILLION - UNEXPLAINED - sum(PRIORS.values())
        trail = heaviest[1] if heaviest is not None else paths[0].trail if paths else ()
        self._look_ahead(trail)
        self._keep(Course(None, _times(total, likely), trail))
        return at

    def _onward(self, paths: list[Path], course: tuple[int, ...], place: int) -> list[Path]:
        """The paths behind the next pitch."""
        seat = course[place]
        later = course[place + 1 :]
        turns = later.index(seat) + 2 if seat in later else len(course)
        found: list[Path] = []
        for path in paths:
            found += self._scene.pitch(path, seat, turns)
        return best_of(found)

    def _departed(self, departure: Departure, paths: list[Path]) -> None:
        scene = self._scene
        rest = departure.rest
        paths = self._hopeful([path for path in paths if not scene.complete(path)], departure.prior)
        total: tuple[int, int] = (0, 0)
        heaviest: tuple[int, Trail] | None = None
        for number in range(len(rest) + 1):
            going = []
            last = number == len(rest)
            for path in paths:
                shown = number > 0 or departure.kind in ("skip", "out")
                if (last or scene.complete(path)) and shown:
                    weight = scene.ended(path, rest[number:])
                    total = add(total, weight)
                    if weight[0] and (heaviest is None or log_of(*weight) > heaviest[0]):
                        heaviest = (log_of(*weight), path.trail)
                elif not last:
                    going.append(path)
            if not going:
                break
            paths = self._hopeful(self._onward(going, rest, number), departure.prior)
        if total[0]:
            trail = heaviest[1] if heaviest is not None else ()
            self._keep(Course(departure, _times(total, departure.prior), trail, place=departure.place))

    def _unexplained(self, place: int, paths: list[Path]) -> None:
        scene = self._scene
        seats = max(1, len(scene.antennas))
        prior = UNEXPLAINED // len(self._plan)
        for path in paths:
            left = (scene.solid & ~path.used).bit_count()
            if not left:
                continue
            weight, exponent = path.weight()
            exponent -= scene.glimpsed_bits(path)
            for _ in range(left):
                weight = weight * _ANY_TIME // seats
                exponent -= UNIT.bit_length() - 1
            first = next(
                sight.seat
                for index, sight in enumerate(scene.sights)
                if sight.solid and not path.used >> index & 1
            )
            self._keep(
                Course(
                    None, (weight * prior, exponent), path.trail, unexplained=True, place=place, seat=first
                )
            )


def _times(weight: tuple[int, int], prior: int) -> tuple[int, int]:
    return weight[0] * prior, weight[1]


def _shares(courses: list[Course]) -> Odds:
    if not courses:
        return Odds((), WHOLE)
    top = max(course.weight[1] for course in courses)
    whole = [course.weight[0] << max(0, 256 + course.weight[1] - top) for course in courses]
    total = sum(whole)
    shared = sorted(
        (
            (-part, number, msgspec.structs.replace(course, share=part * WHOLE // total))
            for number, (part, course) in enumerate(zip(whole, courses, strict=True))
        ),
        key=lambda entry: entry[:2],
    )
    planned = sum(
        part
        for part, course in zip(whole, courses, strict=True)
        if course.departure is None and not course.unexplained
    )
    return Odds(tuple([course for _, _, course in shared if course.share]), planned * WHOLE // total)
