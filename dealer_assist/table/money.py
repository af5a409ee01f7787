"""What the house's rules about money come to at this table: the rake in its smallest unit, and the chip that pots are split in."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from dealer_assist.betting import Drop, RakeSchedule
from dealer_assist.domain.rake import RakeTerms
from dealer_assist.domain.table import Limits
from dealer_assist.procedure.house import House, Parameters


class RakeUnfit(ValueError):
    """A rake that cannot be paid at this table: the key of ``rake``, what was expected and what is there."""

    def __init__(self, key: str, expected: str, found: str) -> None:
        self.key = key
        self.expected = expected
        self.found = found
        super().__init__(f"rake.{key}: expected {expected}, found {found}")


def rake_schedule(terms: RakeTerms, house: House, limits: Limits) -> RakeSchedule | None:
    """The schedule by which the pots of this table are raked; None: they are not. Raises :class:`RakeUnfit`."""
    match terms.schedule:
        case "none":
            return None
        case "own":
            return _own(terms, smallest_chip(limits))
        case _:
            return _of_house(terms.per_money_unit, house.parameters, smallest_chip(limits))


def time_rake(terms: RakeTerms, house: House, limits: Limits) -> int:
    """What each seat pays at a dealer push, in the smallest unit; 0: nothing. Raises :class:`RakeUnfit`."""
    chip = smallest_chip(limits)
    if terms.schedule == "house":
        return _paid_in_chips(house.parameters.time_rake.value, terms.per_money_unit, "time_rake", chip)
    if terms.schedule == "own" and terms.time % chip:
        raise RakeUnfit("time", f"a multiple of the smallest chip of {chip}", f"{terms.time}")
    return terms.time if terms.schedule == "own" else 0


def _own(terms: RakeTerms, chip: int) -> RakeSchedule:
    percent = Fraction(str(terms.percent)) * 100
    if percent.denominator != 1:
        raise RakeUnfit("percent", "two decimals at most", f"{terms.percent}")
    step = terms.step or chip
    if step % chip:
        raise RakeUnfit("step", f"a multiple of the smallest chip of {chip}", f"{step}")
    if terms.chop % chip:
        raise RakeUnfit("chop", f"a multiple of the smallest chip of {chip}", f"{terms.chop}")
    for index, drop in enumerate(terms.drops):
        if drop.amount % chip:
            raise RakeUnfit(
                f"drops.{index}.amount", f"a multiple of the smallest chip of {chip}", f"{drop.amount}"
            )
    caps = tuple([(cap.players, cap.cap) for cap in terms.caps_by_players])
    if [players for players, _ in caps] != sorted({players for players, _ in caps}):
        raise RakeUnfit("caps_by_players", "rising numbers of players", str([most for most, _ in caps]))
    return RakeSchedule(
        int(percent),
        terms.cap,
        step,
        terms.no_flop_no_drop,
        caps,
        tuple([Drop(drop.name, drop.amount, drop.from_pot, drop.needs_flop) for drop in terms.drops]),
        terms.chop,
    )


def _of_house(per_unit: int, parameters: Parameters, chip: int) -> RakeSchedule:
    step = _paid_in_chips(parameters.rake_step.value, per_unit, "rake_step", chip) or chip
    return RakeSchedule(
        int(Fraction(str(parameters.rake_percent.value)) * 100),
        _chips(parameters.rake_cap.value, per_unit, "rake_cap"),
        step,
        parameters.no_flop_no_drop.value,
        tuple(
            [
                (entry.players, _chips(entry.cap, per_unit, "rake_caps_by_players"))
                for entry in parameters.rake_caps_by_players.value
            ]
        ),
        tuple(
            [
                Drop(
                    drop.name,
                    _paid_in_chips(drop.amount, per_unit, "drops", chip),
                    _chips(drop.from_pot, per_unit, "drops"),
                    drop.needs_flop,
                )
                for drop in parameters.drops.value
            ]
        ),
    )


def _paid_in_chips(money: float, per_unit: int, parameter: str, chip: int) -> int:
    """An amount of the house that is paid in chips: as :func:`_chips`, and a multiple of the smallest one."""
    amount = _chips(money, per_unit, parameter)
    if amount % chip:
        raise RakeUnfit(
            "per_money_unit",
            f"one that makes the house's {parameter} of {money:g} a multiple of the smallest chip of {chip}",
            f"{per_unit}",
        )
    return amount


def _chips(money: float, per_unit: int, parameter: str) -> int:
    """An amount of the house in the table's smallest unit."""
    amount = Fraction(str(money)) * per_unit
    if amount.denominator != 1:
        raise RakeUnfit(
            "per_money_unit",
            f"one in which the house's {parameter} of {money:g} is a whole number",
            f"{per_unit}",
        )
    return int(amount)


# -- chips -----------------------------------------------------------------------------------------------------------------


def smallest_chip(limits: Limits) -> int:
    """The smallest chip in play: 1 where the table does not say which there are."""
    return min(limits.chips, default=1)


def odd_chip(limits: Limits, house: House) -> int:
    """The chip that pots are split down to: the smallest in the game (TDA 20), or the smallest of the blinds (WLA26 152), by the house."""
    if not limits.chips or house.parameters.odd_chip_unit.value == "smallest_in_game":
        return smallest_chip(limits)
    used = [paid_in(blind, limits.chips) for blind in (limits.small_blind, limits.big_blind)]
    return min([min(chips) for chips in used if chips], default=smallest_chip(limits))


def paid_in(amount: int, chips: Iterable[int]) -> tuple[int, ...]:
    """The kinds of chips that ``amount`` is paid in, the largest first, as few as can be; none when these chips cannot pay it."""
    kinds = sorted(chips, reverse=True)
    for first in range(len(kinds)):
        left, used = amount, []
        for kind in kinds[first:]:
            if left >= kind:
                used.append(kind)
                left %= kind
        if used and not left:
            return tuple(used)
    return ()
