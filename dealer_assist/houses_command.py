"""``dealer-assist houses``: the houses as rule books that a dealer can read, what two of them differ in, and a check of one's own.

The rules' names, remedies and steps are the station's texts; what no screen needs is in ``house_words``. A code without a text
shows itself.
"""

from __future__ import annotations

import argparse
import textwrap
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dealer_assist.composition import UnknownName, own_name
from dealer_assist.domain.languages import LANGUAGES
from dealer_assist.procedure import house_files
from dealer_assist.procedure.catalogue import ROWS
from dealer_assist.procedure.house import House, HouseDrop, Parameters, RakeCap, Ruling, fingerprint
from firmware_protocol import toml_errors
from firmware_protocol.toml_errors import Document

if TYPE_CHECKING:
    from dealer_assist.station.i18n import Translator

_WIDTH: Final = 100
_CONDITIONS: Final = ("not_faced", "mixed", "elsewhere", "on_flop", "after_action", "after_sa")
#: Stands for a seat, a street or a count that only the hand knows.
_BLANK: Final = "…"
_STREETS: Final = {"R1": ("preflop", "flop"), "R2": ("flop", "turn"), "R3": ("turn", "river")}

#: Remedy → the codes of its steps, as a dealer sees them in the usual case (`procedure/remedies`).
STEPS: Final[dict[str, tuple[str, ...]]] = {
    name: tuple(codes.split())
    for name, codes in {
        "misdeal": "stop_pitching say_misdeal gather_all shuffle_cut redeal",
        "replace_exposed": "deal_on take_exposed top_card_to exposed_is_burn",
        "extra_to_burn": "return_extra extra_is_burn",
        "deal_missing": "missing_card_to",
        "kill_hand": "call_floor hand_to_muck no_refund",
        "correct_posts": "right_seat_posts deal_goes_on",
        "correct_button": "move_button stop_pitching say_misdeal gather_all shuffle_cut redeal",
        "recut": "recut first_card",
        "void": "freeze floor_confirms refund new_setup",
        "scrap": "set_aside_scrap deal_goes_on",
        "count_deck": "finish_hand count_deck",
        "change_deck": "do_not_deal check_shuffler other_deck fresh_deck",
        "rebuild_stub": "call_floor rebuild_stub deal_goes_on",
        "reshuffle_stub": "stub_cards_only shuffle_cut_stub deal_goes_on",
        "reshuffle_all": "stub_and_muck shuffle_cut_stub deal_goes_on",
        "take_out": "call_floor card_out shuffle_cut_stub",
        "pick_up": "pick_up",
        "re_present": "card_known",
        "play_on": "",
        "floor": "call_floor floor_rules",
        "put_burn_back": "put_back_burn",
        "keep_burn": "leave_burn finish_betting no_second_burn",
        "stands_burn_two": "burn_two",
        "wrong_card_is_burn": "call_floor shown_to_burn next_card_board",
        "extra_burn_is_board": "call_floor shown_off_board extra_to_board shown_is_next_burn",
        "extra_is_next_burn": "leave_burn no_second_burn",
        "burn_again": "burn_to_stub shuffle_cut_stub burn_anew",
        "reflop_burn_first": "gather_board shuffle_cut_stub burn_one new_flop",
        "top_is_burn": "move_top_to_burn add_next_card",
        "scramble_three": "call_floor turn_down scramble move_one_to_burn add_next_card",
        "scramble_four": "call_floor turn_down scramble floor_picks picked_is_burn",
        "reflop_no_burn": "gather_board shuffle_cut_stub new_flop_no_burn",
        "early_flop": "set_aside finish_betting shuffle_cut_stub new_flop_no_burn",
        "river_as_turn": "set_aside finish_betting burn_and_turn shuffle_with_aside river_no_burn",
        "reshuffle_turn": "set_aside finish_betting shuffle_with_aside turn_no_burn",
        "reshuffle_river": "set_aside finish_betting shuffle_with_aside river_no_burn",
        "put_back_in_order": "put_back put_back_burn finish_betting street_no_burn",
        "turn_third": "add_third",
        "redo_street": "gather_board finish_betting shuffle_cut_stub street_no_burn",
        "rebuild_board": "call_floor rebuild_board",
        "back_up": "stop_action acts_in_turn stands_if_unchanged",
        "finish_betting_first": "stop_action betting_done",
        "passive_only": "stop_action acts_in_turn call_or_fold",
        "fix_amount": "fix_amount",
        "announce": "announce",
        "refuse_raise": "call_or_fold",
        "hand_live": "freeze_muck hand_back",
        "turn_up": "turn_hands_up",
        "refuse_chips": "refuse_chips",
        "chop": "",
        "show_all": "show_all",
        "re_stack": "re_stack",
        "re_push": "call_floor re_push",
        "table_both": "table_both",
        "right_figure": "right_figure",
        "show_next": "show_next",
        "first_board_counts": "call_floor first_board_counts",
        "card_to_board": "card_to_board",
        "stop_dealing": "stop_dealing push_pot",
    }.items()
}

#: Where the steps depend on the row: too many cards go back, an early card also waits for the betting, a packet takes its burn along.
_ROW_STEPS: Final[dict[str, dict[str, str]]] = {
    "put_back_in_order": {
        **dict.fromkeys(("F1", "F2", "F4", "R6"), "put_back"),
        **dict.fromkeys(("R1", "R2", "R3"), "put_back finish_betting"),
        "N6": "put_back put_back_burn street_no_burn",
    },
    "redo_street": dict.fromkeys(("R6", "R8", "F3"), "gather_board shuffle_cut_stub street_no_burn"),
}


def steps_of(remedy: str, row: str) -> tuple[str, ...]:
    """The codes of a remedy's steps for a row."""
    own = _ROW_STEPS.get(remedy, {}).get(row)
    return STEPS.get(remedy, ()) if own is None else tuple(own.split())


# -- command line ----------------------------------------------------------------------------------------------------------


def add_parser(commands: Any) -> None:
    """Add ``houses`` to the sub-commands of the command line."""
    raw = argparse.RawDescriptionHelpFormatter
    houses = commands.add_parser(
        "houses",
        formatter_class=raw,
        help="house rules: list, read, compare, check",
        description="House rules as a dealer reads them. How to write one's own: docs/houses.md.\n\n"
        "  dealer-assist houses show tda2024\n  dealer-assist houses diff seed tda2024",
    )
    kinds = houses.add_subparsers(dest="kind", metavar="ACTION", required=True)
    kinds.add_parser(
        "list", help="the houses there are", description="One line a house: name, title, how much it states."
    )
    show = kinds.add_parser(
        "show",
        help="the rule book of a house",
        description="Every parameter and every ruling of a house in words, with its source, and from where gaps are filled.",
    )
    show.add_argument("house", metavar="NAME", help="a house of the list, or a .toml file")
    differ = kinds.add_parser(
        "diff",
        help="what two houses differ in",
        description="Side by side what two houses differ in; sources alone are no difference. Exit code 1 when they differ.",
    )
    differ.add_argument("first", metavar="A", help="a house of the list, or a .toml file")
    differ.add_argument("second", metavar="B", help="the other one")
    for reader in (show, differ):
        reader.add_argument("--lang", choices=LANGUAGES, default="en", help="language (default en)")
    check = kinds.add_parser(
        "check",
        help="check a house file",
        description="Names file, line, column and expectation of every mistake in a house file. Exit code 2 when there is one.",
    )
    check.add_argument("file", type=Path, metavar="FILE", help="a house as a TOML file")


def run(args: argparse.Namespace) -> int:
    """Run ``houses``; return the exit code. Raises UnknownName and ConfigError for names and files that cannot be used."""
    match args.kind:
        case "list":
            lines = list(_list())
        case "show":
            lines = list(_show(args.house, Words(args.lang)))
        case "diff":
            lines = list(_diff(args.first, args.second, Words(args.lang)))
            print("\n".join(lines) if lines else Words(args.lang).word("same"))
            return 1 if lines else 0
        case _:
            document = own_name("houses", str(args.file), _file(args.file))
            house = house_files.load(document, _document)
            lines = [f"{args.file}: house {house.name}, in order: {_stated(house)}, {fingerprint(house)}"]
    print("\n".join(lines))
    return 0


# -- houses ----------------------------------------------------------------------------------------------------------------


def names() -> list[str]:
    """The houses that a table can play by, in the order of the alphabet."""
    return [name for name in _packaged() if name not in house_files.FILLERS]


def _packaged() -> list[str]:
    files = (resources.files("dealer_assist.procedure") / "houses").iterdir()
    return sorted(entry.name.removesuffix(".toml") for entry in files if entry.name.endswith(".toml"))


def _document(name: str) -> Document:
    """A house's file by its name, or by its path when that ends in .toml. Raises OSError, which is told where it is named."""
    if name.endswith(".toml"):
        return toml_errors.parse(Path(name).read_bytes(), name)
    if name not in _packaged():
        raise UnknownName("house", name, names())
    file = resources.files("dealer_assist.procedure") / "houses" / f"{name}.toml"
    return toml_errors.parse(file.read_text(encoding="utf-8"), f"{name}.toml")


def _file(path: Path) -> Document:
    try:
        return toml_errors.parse(path.read_bytes(), str(path))
    except OSError as error:
        raise toml_errors.unreadable(str(path), error) from error


def _load(name: str) -> House:
    if name in house_files.FILLERS:
        raise UnknownName("house", name, names())
    document = _file(Path(name)) if name.endswith(".toml") else _document(name)
    return house_files.load(own_name("houses", name, document), _document)


def gap_from(document: Document, section: str, key: str) -> str | None:
    """The set that fills this gap of a house; None where the house states it itself or takes it over by ``extends``."""
    if key in document.data.get(section, {}):
        return None
    base = document.data.get("extends")
    if base is not None:
        below = _document(document.beside(base))
        if _states(below, section, key):
            return None
        filled = gap_from(below, section, key)
        if filled is not None:
            return filled
    fillers: list[str] = document.data.get("gaps", [])
    return next((name for name in fillers if _states(_document(document.beside(name)), section, key)), None)


def _states(document: Document, section: str, key: str) -> bool:
    base = document.data.get("extends")
    return key in document.data.get(section, {}) or (
        base is not None and _states(_document(document.beside(base)), section, key)
    )


def _stated(house: House) -> str:
    own = sum(not ruling.gap for ruling in house.rules.values())
    return f"{own} rulings of {len(house.rules)} its own, {len(house.rules) - own} gaps filled"


def _list() -> Iterator[str]:
    for name in names():
        house = _load(name)
        yield f"{name:<18}{house.title:<28}{_stated(house):<46}{fingerprint(house)}"


# -- words -----------------------------------------------------------------------------------------------------------------


class Words:
    """The words of the rule book in one language."""

    def __init__(self, language: str) -> None:
        from dealer_assist.station.i18n import Translator, load_catalogue  # noqa: PLC0415 - other commands need no texts

        self._texts = load_catalogue(language)
        self._translator: Translator = Translator(language, {language: self._texts})
        source = resources.files("dealer_assist") / "house_words" / f"{language}.toml"
        self._own: dict[str, dict[str, str]] = tomllib.loads(source.read_text(encoding="utf-8"))

    def word(self, code: str, **params: str) -> str:
        """A word of the rule book itself."""
        return self._own["word"][code].format(**params)

    def parameter(self, name: str) -> str:
        """The name of a parameter, in words."""
        return self._own["parameter"].get(name, name)

    def value(self, value: object) -> str:
        """The value of a parameter, in words."""
        match value:
            case bool():
                return self.word("yes" if value else "no")
            case float():
                return f"{value:g}"
            case tuple():
                return "; ".join(self._entry(entry) for entry in value) or self.word("nothing_set")
            case _:
                return self._own["value"].get(str(value), str(value))

    def _entry(self, entry: object) -> str:
        """One entry of a parameter that is a list."""
        match entry:
            case RakeCap():
                return self.word("cap_for", cap=f"{entry.cap:g}", players=str(entry.players))
            case HouseDrop():
                said = self.word(
                    "drop", name=entry.name, amount=f"{entry.amount:g}", from_pot=f"{entry.from_pot:g}"
                )
                return said if entry.needs_flop else f"{said} ({self.word('no_flop_too')})"
            case _:
                return str(entry)

    def title(self, row: str) -> str:
        """The name of a row of the catalogue; empty when it has none."""
        code = f"rule.{row}.title"
        return self._translator(code) if self._translator.has(code) else ""

    def remedy(self, name: str) -> str:
        """The name of a remedy."""
        return self._translator(f"remedy.{name}")

    def steps(self, row: str, remedy: str) -> list[str]:
        """The steps of a remedy, with blanks for what only the hand knows."""
        return [self._step(row, code) for code in steps_of(remedy, row)]

    def _step(self, row: str, code: str) -> str:
        from dealer_assist.station.i18n import placeholders  # noqa: PLC0415 - other commands need no texts

        text = self._texts.get(f"step.{code}", "")
        params: dict[str, Any] = dict.fromkeys(placeholders(text), _BLANK) if text else {}
        here, coming = _STREETS.get(row, (None, None))
        params.update(
            {
                name: street
                for name, street in (("street", here), ("next", coming))
                if street and name in params
            }
        )
        if code == "picked_is_burn" and "street" in params:
            params["street"] = "turn"
        if "count" in params:
            params["count"] = 3 if row == "R1" or code == "floor_picks" else 1
        return self._translator(f"step.{code}", params)

    def ruling(self, row: str, key: str, ruling: Ruling) -> list[str]:
        """What ``key`` of a ruling says: a line for the ruling itself, or for each choice of the floor, and its steps below."""
        name = getattr(ruling, key)
        if name != "floor":
            return [self.remedy(name), *self._numbered(row, name)]
        lines = [f"{self.word('floor')}:"]
        for index, option in enumerate(ruling.options):
            lead = f"{self.word('or')} " if index else ""
            lines += [f"– {lead}{self.remedy(option)}", *self._numbered(row, option)]
        return lines

    def _numbered(self, row: str, name: str) -> list[str]:
        steps = self.steps(row, name)
        if not steps and name == "play_on":
            return [f"   {self.word('nothing')}"]
        return [f"   {number}. {step}" for number, step in enumerate(steps, start=1)]

    def short(self, ruling: Ruling) -> str:
        """A ruling in one line, without steps."""
        parts = []
        for key in ("remedy", *_CONDITIONS):
            name = getattr(ruling, key)
            if name is None:
                continue
            options = f" {self.word('or')} ".join(self.remedy(option) for option in ruling.options)
            said = f"{self.word('floor')}: {options}" if name == "floor" else self.remedy(name)
            parts.append(said if key == "remedy" else f"{self.word(key)}: {said}")
        return ". ".join([*([self.word("stop")] if ruling.stop else []), *parts])


# -- rule book -------------------------------------------------------------------------------------------------------------


def _show(name: str, words: Words) -> Iterator[str]:
    document = _document(name)
    house = _load(name)
    yield f"{house.title} ({house.name})"
    base, gaps = document.data.get("extends"), document.data.get("gaps")
    if base:
        yield words.word("extends", name=base)
    if gaps:
        yield words.word("gaps", names=", ".join(gaps))
    if not base and not gaps:
        yield words.word("no_gaps")
    yield ""
    yield words.word("parameters")
    for key in Parameters.__struct_fields__:
        setting = getattr(house.parameters, key)
        yield f"{words.parameter(key)}: {words.value(setting.value)}"
        yield f"    [{setting.source}]{_gap(document, 'parameters', key, words)}"
    yield ""
    yield words.word("rulings")
    for row in ROWS:
        yield ""
        yield from _row(row, house.rules[row], words, _gap(document, "rules", row, words))


def _gap(document: Document, section: str, key: str, words: Words) -> str:
    source = gap_from(document, section, key)
    return f" ({words.word('gap', name=source)})" if source else ""


def _row(row: str, ruling: Ruling, words: Words, gap: str) -> Iterator[str]:
    stop = f"  [{words.word('stop')}]" if ruling.stop else ""
    yield f"{row:<4}{words.title(row)}{stop}".rstrip()
    for key in ("remedy", *_CONDITIONS):
        if getattr(ruling, key) is None:
            continue
        first, *below = words.ruling(row, key, ruling)
        yield f"    {words.word(key)}: {first}"
        for line in below:
            yield f"    {line}"
    yield f"    [{ruling.source}]{gap}"


# -- differences -----------------------------------------------------------------------------------------------------------


def _diff(first: str, second: str, words: Words) -> list[str]:
    one, other = _load(first), _load(second)
    blocks: list[tuple[str, str, str]] = []
    for key in Parameters.__struct_fields__:
        mine, theirs = getattr(one.parameters, key), getattr(other.parameters, key)
        if mine.value != theirs.value:
            blocks.append(
                (
                    words.parameter(key),
                    f"{words.value(mine.value)} [{mine.source}]",
                    f"{words.value(theirs.value)} [{theirs.source}]",
                )
            )
    for row in ROWS:
        my_rule, their_rule = one.rules[row], other.rules[row]
        if _ruled(my_rule) != _ruled(their_rule):
            left, right = (f"{words.short(rule)} [{rule.source}]" for rule in (my_rule, their_rule))
            blocks.append((f"{row} {words.title(row)}".rstrip(), left, right))
    if not blocks:
        return []
    lines = _columns(one.name, other.name)
    for title, left, right in blocks:
        lines += ["", title, *_columns(left, right)]
    return lines


def _ruled(ruling: Ruling) -> tuple[object, ...]:
    return (ruling.remedy, *(getattr(ruling, key) for key in _CONDITIONS), ruling.options, ruling.stop)


def _columns(left: str, right: str) -> list[str]:
    """Two texts side by side."""
    width = _WIDTH // 2 - 3
    lefts, rights = textwrap.wrap(left, width), textwrap.wrap(right, width)
    rows = max(len(lefts), len(rights))
    pairs = zip(lefts + [""] * (rows - len(lefts)), rights + [""] * (rows - len(rights)), strict=True)
    return [f"  {mine:<{width}} │ {theirs}".rstrip() for mine, theirs in pairs]
