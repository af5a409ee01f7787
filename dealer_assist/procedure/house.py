"""A house as data: its parameters and, for each row of the catalogue, the remedy it prescribes; each with the rule it stands on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final, Generic, Literal, TypeVar

import msgspec

from dealer_assist.domain.alerts import Priority
from dealer_assist.procedure.catalogue import ROWS
from dealer_assist.procedure.remedies import REMEDIES
from firmware_protocol.toml_check import nearest
from firmware_protocol.toml_errors import refuse

T = TypeVar("T")


class Setting(msgspec.Struct, Generic[T], frozen=True, forbid_unknown_fields=True):
    """A parameter and its source. ``gap``: the house is silent and another set fills in (never written in a file)."""

    value: T
    source: str
    gap: bool = False


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the house does about an irregularity.

    ``remedy``: what is done, ``floor`` when somebody has to choose among ``options`` first. Where they differ: ``not_faced`` when
    no card was turned up; ``mixed`` when the card in question was taken up with others; ``elsewhere`` at a seat other than the one
    the rule names, or when a card only lies on the wrong board (P8); ``on_flop`` on the flop; ``after_action`` once somebody has
    acted on the street; ``after_sa`` after substantial action. ``stop``: the station may say STOP once it is proven. ``gap``: the
    house is silent and another set fills in (never written in a file).
    """

    remedy: str
    source: str
    priority: Priority
    stop: bool = False
    options: tuple[str, ...] = ()
    not_faced: str | None = None
    mixed: str | None = None
    elsewhere: str | None = None
    on_flop: str | None = None
    after_action: str | None = None
    after_sa: str | None = None
    gap: bool = False

    def remedies(self) -> tuple[str, ...]:
        """Every remedy that this ruling can come to."""
        places = (self.not_faced, self.mixed, self.elsewhere, self.on_flop)
        named = (self.remedy, *places, self.after_action, self.after_sa, *self.options)
        return tuple([name for name in named if name is not None])


class RakeCap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``cap``: the most that is raked of a hand with ``players`` dealt in or fewer, in units of money."""

    players: int
    cap: float


class HouseDrop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``amount`` goes beside the rake once the pots hold ``from_pot``, in units of money; ``needs_flop``: not without a flop."""

    name: str
    amount: float
    from_pot: float = 0.0
    needs_flop: bool = True


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """House parameters (PROCEDURES part D); what a ruling can say is in the rulings. Times in seconds, money in big blinds or chips."""

    exposed_misdeal_first_n: Setting[int]
    exposed_total_misdeal: Setting[int]
    substantial_action: Setting[Literal["roberts", "tda", "wsop_cash"]]
    check_and_fold_is_action: Setting[bool]
    no_burn_deadline: Setting[Literal["first_action", "substantial_action"]]
    burn_order_compensation: Setting[bool]
    away_is_dealt_in: Setting[bool]
    wrong_button_next_hand: Setting[Literal["rebalance", "stands"]]
    button_type: Setting[Literal["dead", "moving"]]
    first_button: Setting[Literal["high_card", "high_card_by_suit", "right_of_dealer"]]
    max_seats: Setting[int]
    tap_grace_s: Setting[float]
    cost_false_question_s: Setting[int]
    cost_missed_deal_s: Setting[int]
    cost_missed_burn_s: Setting[int]
    allin_faceup: Setting[bool]
    show_order_after_first: Setting[Literal["clockwise", "side_pots_first", "director"]]
    run_it: Setting[int]
    run_it_players: Setting[int]
    odd_chip_unit: Setting[Literal["smallest_in_game", "smallest_in_blinds"]]
    short_deck_ranking: Setting[Literal["short_trips_over_straight", "short_straight_over_trips"]]
    fl_max_bets: Setting[int]
    fl_uncapped_headsup: Setting[Literal["never", "players_left", "round_starts"]]
    fl_allin_reopen: Setting[Literal["half_bet", "full_bet"]]
    half_of_a_raise: Setting[bool]
    undercall: Setting[Literal["call", "floor"]]
    pot_bet_too_low: Setting[Literal["street", "substantial_action"]]
    pl_round_small_blind: Setting[bool]
    straddle: Setting[Literal["none", "under_the_gun", "under_the_gun_or_button", "any_seat"]]
    straddle_raise: Setting[Literal["difference", "whole"]]
    restraddle: Setting[bool]
    buyin_min_limit: Setting[int]
    buyin_min_limit_of: Setting[Literal["small_bet", "big_bet"]]
    buyin_min_nl: Setting[int]
    buyin_max_nl: Setting[int]
    return_within_min: Setting[int]
    return_rule: Setting[Literal["same_amount", "maximum", "none"]]
    new_player_posts: Setting[Literal["post_or_wait", "dealt_in", "free"]]
    missed_blinds: Setting[Literal["one_and_a_half", "post_all", "big_blind_live"]]
    rake_percent: Setting[float]
    rake_cap: Setting[float]
    rake_step: Setting[float]
    no_flop_no_drop: Setting[bool]
    rake_caps_by_players: Setting[tuple[RakeCap, ...]]
    drops: Setting[tuple[HouseDrop, ...]]
    time_rake: Setting[float]
    clock_s: Setting[int]

    def __post_init__(self) -> None:
        refuse(self._mistakes())

    def _mistakes(self) -> Iterator[str]:
        for name, (low, high) in _RANGES.items():
            if not low <= getattr(self, name).value <= high:
                yield f"{name}.value: expected {low} to {high}"
        if abs(self.rake_percent.value * 100 - round(self.rake_percent.value * 100)) > _NOISE:
            yield "rake_percent.value: expected two decimals at most"
        caps = self.rake_caps_by_players.value
        if [cap.players for cap in caps] != sorted({cap.players for cap in caps}):
            yield "rake_caps_by_players.value: expected rising numbers of players"
        if any(not 2 <= cap.players <= _SEATS_AT_MOST or cap.cap < 0 for cap in caps):
            yield "rake_caps_by_players.value: expected 2 to 11 players and caps of 0 or more"
        if any(not drop.name or drop.amount < 0 or drop.from_pot < 0 for drop in self.drops.value):
            yield "drops.value: expected a name and amounts of 0 or more"


#: What a percentage with two decimals can be off as a float.
_NOISE: Final = 1e-6
_SEATS_AT_MOST: Final = 11

_RANGES: Final[dict[str, tuple[float, float]]] = {
    "exposed_misdeal_first_n": (0, 2),
    "exposed_total_misdeal": (1, 10),
    "max_seats": (2, 11),
    "tap_grace_s": (0, 30),
    "cost_false_question_s": (1, 3600),
    "cost_missed_deal_s": (1, 3600),
    "cost_missed_burn_s": (1, 3600),
    "run_it": (1, 3),
    "run_it_players": (2, 11),
    "fl_max_bets": (1, 10),
    "buyin_min_limit": (0, 1000),
    "buyin_min_nl": (0, 10000),
    "buyin_max_nl": (0, 10000),
    "return_within_min": (0, 1440),
    "rake_percent": (0, 20),
    "rake_cap": (0, 1000),
    "rake_step": (0, 100),
    "time_rake": (0, 1000),
    "clock_s": (0, 600),
}


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set of house rules, complete: every parameter, and a ruling for every row of the catalogue."""

    name: str
    title: str
    parameters: Parameters
    rules: dict[str, Ruling]

    def __post_init__(self) -> None:
        refuse(self._mistakes())

    def _mistakes(self) -> Iterator[str]:
        missing = [row for row in ROWS if row not in self.rules]
        if missing:
            yield f"rules: expected a ruling for {', '.join(missing)}"
        for row, ruling in self.rules.items():
            yield from ruling_mistakes(row, ruling)
        if not missing:
            yield from self._disagreements()

    def _disagreements(self) -> Iterator[str]:
        """Parameters that say in one word what rulings carry out must not say something else."""
        compensates = self.parameters.burn_order_compensation.value
        for row in ("N2", "N4"):
            if ("stands_burn_two" in self.rules[row].remedies()) != compensates:
                word = "stands_burn_two" if compensates else "another remedy"
                yield f"rules.{row}.remedy: expected {word}, as parameters.burn_order_compensation says"
        if self.parameters.allin_faceup.value and "turn_up" not in self.rules["A12"].remedies():
            yield "rules.A12.remedy: expected turn_up, as parameters.allin_faceup says"


def fingerprint(house: House) -> str:
    """What a house rules, in 16 hex digits: two tables have the same where every parameter, ruling and source is the same.

    The title is left out. From SHA-256: nobody comes upon another house with the same digits by accident.
    """
    rules = msgspec.json.encode((house.name, house.parameters, house.rules), order="sorted")
    return hashlib.sha256(rules).hexdigest()[:16]


def ruling_mistakes(row: str, ruling: Ruling) -> Iterator[str]:
    """Why a ruling cannot be carried out or its recovery could not be verified, each mistake led by its key."""
    here = f"rules.{row}"
    if row not in ROWS:
        yield f"{here}: expected a row of the catalogue{nearest(row, ROWS)}, one of {', '.join(ROWS)}"
        return
    known = ROWS[row]
    for key in ("remedy", "not_faced", "mixed", "elsewhere", "on_flop", "after_action", "after_sa"):
        name = getattr(ruling, key)
        if name is not None:
            yield from _remedy_mistakes(f"{here}.{key}", row, name)
    if not ruling.source.strip():
        yield f"{here}.source: expected the rule that this stands on"
    for key, allowed in _ONLY_FOR.items():
        if getattr(ruling, key) is not None and row not in allowed:
            yield f"{here}.{key}: expected only for {', '.join(allowed)}, it cannot apply to {row}"
    yield from _option_mistakes(here, row, ruling)
    if ruling.not_faced is not None and not known.faced:
        yield f"{here}.not_faced: expected only where cards may lie face down, {row} does not ask"
    if ruling.after_action is not None and known.acted is not None:
        yield f"{here}.after_action: expected nothing, {row} is {known.acted} once somebody has acted"
    if ruling.stop and not known.stop:
        may = ", ".join(row.id for row in ROWS.values() if row.stop)
        yield f"{here}.stop: expected false, only {may} may say STOP"


def _option_mistakes(here: str, row: str, ruling: Ruling) -> Iterator[str]:
    if len(set(ruling.options)) != len(ruling.options):
        yield f"{here}.options: expected each remedy once"
    for index, name in enumerate(ruling.options):
        if name == "floor":
            yield f"{here}.options.{index}: expected a remedy, the floor is who chooses it"
        else:
            yield from _remedy_mistakes(f"{here}.options.{index}", row, name)
    if ruling.options and "floor" not in ruling.remedies():
        yield f"{here}.options: expected none, nothing here is left to the floor"
    if "floor" in ruling.remedies() and len(ruling.options) < 2:
        yield f"{here}.options: expected two remedies or more for the floor to choose from"


#: Conditions of a ruling that only some rows can meet.
_ONLY_FOR: Final = {"mixed": ("D8",), "elsewhere": ("D5", "D8", "P8"), "on_flop": ("N6",)}


def _remedy_mistakes(here: str, row: str, name: str) -> Iterator[str]:
    remedy = REMEDIES.get(name)
    if remedy is None:
        yield f"{here}: expected a remedy{nearest(name, REMEDIES)}, one of {', '.join(sorted(REMEDIES))}"
    elif remedy.of_seat and ROWS[row].seat == "none":
        yield f"{here}: expected a remedy that needs no seat, a report of {row} names none"
    elif row not in remedy.rows:
        fitting = sorted(other for other, entry in REMEDIES.items() if row in entry.rows)
        yield f"{here}: expected one of {', '.join(fitting)}; the steps of {name!r} could not be verified for {row}"
