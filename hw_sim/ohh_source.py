"""Open Hand History as typed values: one hand a JSON object, a file of one or of many. Every mistake has its line and column.

The format is version 1.4.7 of the Open Hand History specification; older ones are read alike. What the simulator has no use for
(the site, times, names, bounties) is not looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Final

import msgspec

from firmware_protocol.toml_check import KeyPath, dotted, shown
from firmware_protocol.toml_errors import ConfigError, Problem, unreadable

#: Amounts finer than this are no money: an exporter wrote binary fractions.
MOST_DECIMALS: Final = 4

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_STEP: Final = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+)\]")
_VALIDATION: Final = re.compile(r"(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?$", re.DOTALL)
_MALFORMED: Final = re.compile(r"JSON is malformed: (?P<what>.*) \(byte (?P<byte>\d+)\)")
_MISSING: Final = re.compile(r"^Object missing required field `(\w+)`$")
_EXPECTED: Final = re.compile(r"^Expected `(.*?)`, got `(.*)`$")


class BetLimit(msgspec.Struct, frozen=True):
    """NL, PL or FL."""

    bet_type: str


class Player(msgspec.Struct, frozen=True):
    """A seat and its chips before the hand, in units of the currency."""

    id: int
    seat: int
    starting_stack: Decimal
    is_sitting_out: bool = False


class Action(msgspec.Struct, frozen=True):
    """What a player did. ``amount``: chips added, in units of the currency."""

    action: str
    player_id: int | None = None
    amount: Decimal | None = None
    cards: tuple[str, ...] | None = None
    is_allin: bool = False


class Round(msgspec.Struct, frozen=True):
    """A street, its cards and what was done on it; a street that comes again is another run of the board."""

    street: str
    actions: tuple[Action, ...] = ()
    cards: tuple[str, ...] | None = None


class PlayerWin(msgspec.Struct, frozen=True):
    """What a player got of a pot."""

    player_id: int
    win_amount: Decimal


class SourcePot(msgspec.Struct, frozen=True):
    """A pot with its rake and its drop; some sources write all pots of a hand as one."""

    amount: Decimal
    player_wins: tuple[PlayerWin, ...] = ()
    rake: Decimal | None = None
    jackpot: Decimal | None = None


class Ohh(msgspec.Struct, frozen=True):
    """One hand."""

    game_number: str
    game_type: str
    bet_limit: BetLimit
    dealer_seat: int
    players: tuple[Player, ...]
    rounds: tuple[Round, ...]
    pots: tuple[SourcePot, ...]
    big_blind_amount: Decimal | None = None
    small_blind_amount: Decimal | None = None
    ante_amount: Decimal | None = None
    currency: str = ""
    flags: tuple[str, ...] = ()


class _Root(msgspec.Struct, frozen=True):
    ohh: Ohh


class Record(msgspec.Struct, frozen=True):
    """A hand of a file and where it stands: ``at`` is the offset of its object in ``text``."""

    file: str
    text: str
    at: int
    hand: Ohh
    decimals: int

    def error(self, path: KeyPath, expected: str, found: str | None = None) -> ConfigError:
        """A mistake at ``path`` below ``ohh``."""
        whole: KeyPath = ("ohh", *path)
        place = _place(self.text, self.at, whole)
        return _error(
            self.file, self.text, place, dotted(whole), expected, found or _found(self.text, self.at, whole)
        )

    def units(self, amount: Decimal | None, path: KeyPath) -> int:
        """An amount in smallest units; None is none. Raises ConfigError where it is negative or no money."""
        if amount is None:
            return 0
        scaled = amount.scaleb(self.decimals)
        if scaled < 0 or scaled != scaled.to_integral_value():
            raise self.error(path, f"an amount of money, with at most {self.decimals} decimals")
        return int(scaled)


def load_records(path: Path) -> Iterator[Record]:
    """The hands of a file, one after the other. Raises ConfigError with the place of what is none.

    The smallest unit is a hundredth of the currency, or what the finest amount in the file needs; a whole one where no amount has
    decimals.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable(str(path), error) from error
    file = str(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", "replace")
        raise _error(
            file, before, len(before), "", "text in UTF-8", f"byte 0x{content[error.start]:02x}"
        ) from None
    found = list(_objects(file, text))
    if not found:
        raise _error(file, text, 0, "", 'a hand as {"ohh": {…}}', "nothing")
    decimals = max((_decimals(hand) for _, hand in found), default=0)
    if 0 < decimals <= 2:
        decimals = 2
    for at, hand in found:
        yield Record(file, text, at, hand, min(decimals, MOST_DECIMALS))


def _objects(file: str, text: str) -> Iterator[tuple[int, Ohh]]:
    decoder = msgspec.json.Decoder(_Root)
    reader = json.JSONDecoder()
    at = _skip(text, 0)
    while at < len(text):
        try:
            _, end = reader.raw_decode(text, at)
        except json.JSONDecodeError as error:
            told = error.msg[:1].lower() + error.msg[1:]
            raise _error(file, text, error.pos, "", "JSON", f"a mistake in it: {told}") from None
        except RecursionError:
            raise _error(
                file, text, at, "", "lists and objects nested less deep", "too many levels"
            ) from None
        try:
            hand = decoder.decode(text[at:end]).ohh
        except msgspec.ValidationError as error:
            raise _wrong(file, text, at, str(error)) from None
        except msgspec.DecodeError as error:  # what only json takes: NaN, half a surrogate pair
            raise _not_json(file, text, at, str(error)) from None
        yield at, hand
        at = _skip(text, end)


def _decimals(hand: Ohh) -> int:
    amounts: list[Decimal | None] = [hand.small_blind_amount, hand.big_blind_amount, hand.ante_amount]
    amounts += [player.starting_stack for player in hand.players]
    amounts += [action.amount for part in hand.rounds for action in part.actions]
    for pot in hand.pots:
        amounts += [pot.amount, pot.rake, pot.jackpot, *(win.win_amount for win in pot.player_wins)]
    return max((_scale(amount) for amount in amounts if amount is not None), default=0)


def _scale(amount: Decimal) -> int:
    exponent = amount.normalize().as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0


# -- places ------------------------------------------------------------------------------------------------------------------------


def _error(file: str, text: str, at: int, path: str, expected: str, found: str) -> ConfigError:
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return ConfigError(file, (Problem(line, column, path, expected, found),))


def _wrong(file: str, text: str, at: int, message: str) -> ConfigError:
    """What msgspec says of an object, with its place."""
    match = _VALIDATION.match(message)
    assert match is not None
    path: KeyPath = tuple(name or int(number) for name, number in _STEP.findall(match["path"] or ""))
    place = _place(text, at, path)
    if missing := _MISSING.match(match["what"]):
        return _error(file, text, place, dotted((*path, missing[1])), "it", "nothing")
    if expected := _EXPECTED.match(match["what"]):
        return _error(
            file, text, place, dotted(path), f"a value of type {expected[1]}", _found(text, at, path)
        )
    return _error(file, text, place, dotted(path), f"another value: {match['what']}", _found(text, at, path))


def _not_json(file: str, text: str, at: int, message: str) -> ConfigError:
    """What msgspec says of an object at ``at`` that is no JSON, with its place: it counts bytes."""
    told = _MALFORMED.fullmatch(message)
    if told is None:
        return _error(file, text, at, "", "JSON", f"a mistake in it: {message}")
    before = text[at:].encode()[: int(told["byte"])].decode("utf-8", "ignore")
    return _error(file, text, at + len(before), "", "JSON", f"a mistake in it: {told['what']}")


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


def _found(text: str, at: int, path: KeyPath) -> str:
    value, _ = json.JSONDecoder().raw_decode(text, at)
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return "nothing"
    return shown(value)


def _place(text: str, at: int, path: KeyPath) -> int:
    """The offset of the value at ``path`` in the object at ``at``; of the nearest value around it when it is not written."""
    for step in path:
        inside = _member(text, at, step)
        if inside is None:
            return at
        at = inside
    return at


def _member(text: str, at: int, step: str | int) -> int | None:
    value_at = json.JSONDecoder().raw_decode
    opened = text[at]
    if opened not in "{[" or isinstance(step, str) is not (opened == "{"):
        return None
    at = _skip(text, at + 1)
    index = 0
    while text[at] not in "}]":
        name: str | int = index
        if opened == "{":
            name, at = value_at(text, at)
            at = _skip(text, _skip(text, at) + 1)
        if name == step:
            return at
        _, at = value_at(text, at)
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
        index += 1
    return None
