"""The script of a scenario: one line a physical act, a tap or an expectation (docs/scenarios.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from hw_sim import steps as st
from hw_sim.script_acts import ACTS
from hw_sim.script_expect import check
from hw_sim.script_taps import TAPS, action
from hw_sim.script_words import CODE, Bad

_BLOCKS: Final = ("when", "otherwise", "end")


class ScriptError(ValueError):
    """Lines that are no steps. ``mistakes``: index of the line, column from 1, what was expected there, what was found."""

    def __init__(self, mistakes: list[tuple[int, int, str, str]]) -> None:
        self.mistakes = mistakes
        index, _, expected, found = mistakes[0]
        super().__init__(f"line {index + 1}: expected {expected}, found {found!r}")


class Script(msgspec.Struct, frozen=True):
    """A script understood, for one house.

    ``lines``: for each step the index of its line. ``final``: what its expectations after the hand's end add to the final
    ``expect``. ``pushed``: whether the pots are pushed, so that the hand comes to its end. ``opened``: how many steps come before
    the line ``open``, None without that line.
    """

    steps: tuple[st.Step, ...]
    lines: tuple[int, ...]
    final: dict[str, Any]
    pushed: bool
    opened: int | None = None

    def leading(self) -> int:
        """How many steps come before the hand is opened: those before ``open``, else what the shuffler says at the beginning."""
        if self.opened is not None:
            return self.opened
        said = 0
        for count, step in enumerate(self.steps, start=1):
            if not isinstance(step, st.ShufflerState | st.ShufflerVerdict | st.ShoeOn | st.Wait):
                break
            if not isinstance(step, st.Wait):
                said = count
        return said


class _Blocks:
    """Which lines count for a house: ``when HOUSE…``, ``otherwise``, ``end``."""

    def __init__(self, house: str, houses: Sequence[str]) -> None:
        self._house = house
        self._houses = houses
        self.opened: int | None = None
        self._otherwise = False
        self.counts = True

    def take(self, words: list[str], index: int) -> None:
        """A line that begins or ends a block. Raises Bad."""
        word, names = words[0], words[1:]
        if word == "when":
            if self.opened is not None:
                raise Bad(f"end before another when; line {self.opened + 1} of the script has one")
            self.opened, self._otherwise = index, False
            self.counts = self._house in names
            if not names or not set(names) <= set(self._houses):
                raise Bad(f"when HOUSE…, of this file's houses: {', '.join(self._houses)}")
        elif names or self.opened is None or (word == "otherwise" and self._otherwise):
            raise Bad(f"{word} alone on its line, once, after when HOUSE…")
        elif word == "otherwise":
            self._otherwise = True
            self.counts = not self.counts
        else:
            self.opened = None
            self.counts = True


def parse_script(text: str, house: str = "seed", houses: Sequence[str] = ()) -> Script:
    """The steps of a script as ``house`` plays it, of the file's ``houses``. Raises :class:`ScriptError` with every line that is none."""
    out: list[st.Step] = []
    lines: list[int] = []
    final: dict[str, Any] = {}
    mistakes: list[tuple[int, int, str, str]] = []
    pushed = False
    opened: int | None = None
    blocks = _Blocks(house, houses or (house,))
    raws = text.splitlines()
    for index, raw in enumerate(raws):
        line = raw.split("#", 1)[0].strip()
        if not line:
            continue
        words = line.split()
        try:
            if words[0] in _BLOCKS:
                blocks.take(words, index)
                continue
            if words == ["open"]:
                if blocks.counts and opened is not None:
                    raise Bad("open once")
                opened = len(out) if blocks.counts else opened
                continue
            new = _line(words, index)
        except Bad as error:
            mistakes.append((index, _column(raw), error.expected, line))
            continue
        if not blocks.counts:
            continue
        pushed = (pushed or words[0] == "push") and words[0] != "next"
        for step in new:
            if isinstance(step, st.Check) and _is_final(step.wanted, pushed=pushed):
                _merge(final, step.wanted)
            else:
                out.append(replace(step, line=index) if isinstance(step, st.Inject) else step)
                lines.append(index)
    if blocks.opened is not None:
        raw = raws[blocks.opened]
        mistakes.append((blocks.opened, _column(raw), "end after the lines of this when", raw.strip()))
    if mistakes:
        raise ScriptError(sorted(mistakes))
    return Script(tuple(out), tuple(lines), final, pushed, opened)


def _column(raw: str) -> int:
    return len(raw) - len(raw.lstrip()) + 1


def _is_final(wanted: dict[str, Any], *, pushed: bool) -> bool:
    return "end" in wanted or "attempts" in wanted or (pushed and "stack" in wanted)


def _merge(final: dict[str, Any], wanted: dict[str, Any]) -> None:
    if "end" in wanted:
        final["result"] = wanted["end"]
    elif "attempts" in wanted:
        final["attempts"] = wanted["attempts"]
    else:
        seat, amount = wanted["stack"]
        final.setdefault("stacks", {})[str(seat)] = amount


def _refused(words: list[str], index: int) -> list[st.Step]:
    """A tap that the table does not take. Nothing is done with cards for it."""
    taps = [step for step in _line(words[2:], index) if isinstance(step, st.Tap)] if len(words) > 2 else []
    if len(taps) != 1 or not CODE.fullmatch(words[1]):
        raise Bad("refused CODE and a line that is a tap, as refused straddle_is 5 straddle 3")
    return [replace(taps[0], refused=words[1])]


def _line(words: list[str], index: int) -> list[st.Step]:
    if words[0] == "refused":
        return _refused(words, index)
    if words[0].isdigit():
        return action(words)
    if words[0] == "expect":
        return [check(words, index)]
    handler = ACTS.get(words[0]) or TAPS.get(words[0])
    if handler is None:
        known = sorted([*ACTS, *TAPS, *_BLOCKS, "expect", "open", "refused"])
        raise Bad(f"a seat and its action, or one of {', '.join(known)}")
    return handler(words)
