"""The script of a scenario: one line a physical act, a tap or an expectation (docs/scenarios.md)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec

from hw_sim import steps as st
from hw_sim.cards import FACES

#: Virtual ms that an expected alert may take to come, and that silence must last.
ALERT_MS: Final = 8000
SILENCE_MS: Final = 6000

_ACTIONS: Final = {"fold", "check", "call", "bet", "raise", "allin"}
_PLACE: Final = re.compile(r"(seat(?:1[01]|[1-9])|board)(?::[1-9])?|burn|muck|aside|stub")
_EVIDENCE: Final = {"possible", "probable", "proven"}
_STATES: Final = {"open", "fixing", "closed", "withdrawn", "dealt_on"}
_RESULTS: Final = {"completed", "misdeal", "void"}
_STREETS: Final = {"preflop", "flop", "turn", "river"}
_RULE: Final = re.compile(r"[A-Z]{1,2}[0-9]{1,2}")


class ScriptError(ValueError):
    """Lines that are no steps. ``mistakes``: index of the line, column from 1, what was expected there, what was found."""

    def __init__(self, mistakes: list[tuple[int, int, str, str]]) -> None:
        self.mistakes = mistakes
        index, _, expected, found = mistakes[0]
        super().__init__(f"line {index + 1}: expected {expected}, found {found!r}")


class Script(msgspec.Struct, frozen=True):
    """A script understood.

    ``lines``: for each step the index of its line. ``final``: what its expectations after the hand's end add to the final
    ``expect``. ``pushed``: whether the pots are pushed, so that the hand comes to its end.
    """

    steps: tuple[st.Step, ...]
    lines: tuple[int, ...]
    final: dict[str, Any]
    pushed: bool


class _Bad(ValueError):
    def __init__(self, expected: str) -> None:
        self.expected = expected
        super().__init__(expected)


def parse_script(text: str) -> Script:
    """The steps of a script. Raises :class:`ScriptError` with every line that is none."""
    out: list[st.Step] = []
    lines: list[int] = []
    final: dict[str, Any] = {}
    mistakes: list[tuple[int, int, str, str]] = []
    pushed = False
    for index, raw in enumerate(text.splitlines()):
        line = raw.split("#", 1)[0].strip()
        if not line:
            continue
        words = line.split()
        try:
            new = _line(words, index)
        except _Bad as error:
            mistakes.append((index, len(raw) - len(raw.lstrip()) + 1, error.expected, line))
            continue
        pushed = pushed or words[0] == "push"
        for step in new:
            if isinstance(step, st.Check) and _is_final(step.wanted, pushed=pushed):
                _merge(final, step.wanted)
            else:
                out.append(step)
                lines.append(index)
    if mistakes:
        raise ScriptError(mistakes)
    return Script(tuple(out), tuple(lines), final, pushed)


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


def _number(text: str, low: int = 1, high: int = 10**9) -> int:
    if not text.isdigit() or not low <= int(text) <= high:
        raise _Bad(f"a number from {low} to {high}")
    return int(text)


def _seat(text: str) -> int:
    return _number(text, 1, 11)


def _ms(text: str) -> int:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s)", text)
    if found is None:
        raise _Bad("a time, as 2s or 500ms")
    return int(float(found[1]) * (1000 if found[2] == "s" else 1))


def _suffixes(words: list[str]) -> tuple[list[str], int, int]:
    """Words without ``unread [k]`` and ``late T``; how many are unread, and how late the reads are."""
    rest, unread, late = [], 0, 0
    index = 0
    while index < len(words):
        if words[index] == "unread":
            unread = 1
            if index + 1 < len(words) and words[index + 1].isdigit() and index > 0:
                unread = _number(words[index + 1], 1, 5)
                index += 1
        elif words[index] == "late":
            if index + 1 >= len(words):
                raise _Bad("late TIME, as late 800ms")
            late = _ms(words[index + 1])
            index += 1
        else:
            rest.append(words[index])
        index += 1
    return rest, unread, late


def _line(words: list[str], index: int) -> list[st.Step]:
    if words[0].isdigit():
        return _action(words)
    handler = _LINES.get(words[0])
    if handler is None:
        raise _Bad(f"a seat and its action, or one of {', '.join(sorted(_LINES))}")
    return handler(words, index)


def _action(words: list[str]) -> list[st.Step]:
    seat = _seat(words[0])
    if len(words) < 2 or words[1] not in _ACTIONS:
        raise _Bad("SEAT fold|check|call|bet X|raise X|allin")
    action = words[1]
    command: dict[str, Any] = {
        "kind": "act",
        "seat": seat,
        "action": "all_in" if action == "allin" else action,
    }
    if action in ("bet", "raise"):
        if len(words) != 3:
            raise _Bad(f"SEAT {action} AMOUNT (the total in front)")
        command["to"] = _number(words[2])
    elif len(words) != 2:
        raise _Bad(f"SEAT {action}")
    out: list[st.Step] = [st.Fold(seat)] if action == "fold" else []
    return [*out, st.Tap(command, after_ms=600)]


def _deal(words: list[str], index: int) -> list[st.Step]:
    rest, unread, late = _suffixes(words[1:])
    if not rest or rest == ["rest"]:
        return [st.DealRest(late)]
    return [st.Pitch(_seat(word), unread=bool(unread), late_ms=late) for word in rest]


def _burn(words: list[str], index: int) -> list[st.Step]:
    rest, unread, late = _suffixes(words[1:])
    if rest:
        raise _Bad("burn [unread] [late TIME]")
    return [st.Burn(unread=bool(unread), late_ms=late)]


def _board(words: list[str], index: int) -> list[st.Step]:
    rest, unread, late = _suffixes(words[1:])
    if len(rest) != 1:
        raise _Bad("board COUNT [unread [COUNT]] [late TIME]")
    return [st.Board(_number(rest[0], 1, 5), unread, late)]


def _move(words: list[str], index: int) -> list[st.Step]:
    if len(words) not in (3, 4) or not all(_PLACE.fullmatch(word) for word in words[1:3]):
        raise _Bad("move FROM TO [COUNT]: places seatN, seatN:K, board, board:K, burn, muck, aside, stub")
    return [st.Move(words[1], words[2], _number(words[3], 1, 5) if len(words) == 4 else 1)]


def _show(words: list[str], index: int) -> list[st.Step]:
    if len(words) != 2:
        raise _Bad("show SEAT")
    return [st.Tap({"kind": "tabled", "seat": _seat(words[1])}, after_ms=1200)]


def _muck(words: list[str], index: int) -> list[st.Step]:
    if len(words) != 2:
        raise _Bad("muck SEAT")
    seat = _seat(words[1])
    return [st.Fold(seat), st.Tap({"kind": "mucked", "seat": seat}, after_ms=600)]


def _report(words: list[str], index: int) -> list[st.Step]:
    match words[1:]:
        case ["exposed", seat]:
            command = {"kind": "report", "row": "exposed", "seat": _seat(seat), "by": "dealer"}
        case ["exposed", seat, "player"]:
            command = {"kind": "report", "row": "exposed", "seat": _seat(seat), "by": "player"}
        case [("early_card" | "misdeal") as row]:
            command = {"kind": "report", "row": row}
        case _:
            raise _Bad("report exposed SEAT [player] | report early_card | report misdeal")
    return [st.Tap(command, after_ms=700)]


def _answer(words: list[str], index: int) -> list[st.Step]:
    if len(words) != 2 or words[1] not in ("yes", "no"):
        raise _Bad("answer yes | answer no")
    return [st.Tap({"kind": "answer", "alert": "", "answer": words[1]}, after_ms=1000)]


def _respond(words: list[str], index: int) -> list[st.Step]:
    if len(words) != 2 or words[1] not in ("fixing", "misread", "call_floor", "deal_on"):
        raise _Bad("respond fixing|misread|call_floor|deal_on")
    return [st.Tap({"kind": "respond", "alert": "", "response": words[1]}, after_ms=800)]


def _tap(words: list[str], index: int) -> list[st.Step]:
    if len(words) != 3:
        raise _Bad("tap ZONE COUNT")
    return [st.Tap({"kind": "tap_zone", "zone": words[1], "count": _number(words[2], 1, 5)}, after_ms=600)]


def _enter(words: list[str], index: int) -> list[st.Step]:
    if len(words) not in (2, 3) or words[1] not in FACES:
        raise _Bad("enter CARD [SEAT], as enter Ks")
    return [
        st.Tap(
            {"kind": "enter_card", "face": words[1], "seat": _seat(words[2]) if len(words) == 3 else None},
            after_ms=1500,
        )
    ]


def _set_seat(words: list[str], index: int) -> list[st.Step]:
    if len(words) != 3 or words[2] not in ("in", "away", "out"):
        raise _Bad("seat N in|away|out")
    return [st.Tap({"kind": "set_seat", "seat": _seat(words[1]), "status": words[2]}, after_ms=600)]


def _wait(words: list[str], index: int) -> list[st.Step]:
    if len(words) != 2:
        raise _Bad("wait TIME, as wait 2s")
    return [st.Wait(_ms(words[1]))]


def _fault(words: list[str], index: int) -> list[st.Step]:
    if words[0] == "garbage":
        if len(words) != 3:
            raise _Bad("garbage DEVICE COUNT")
        return [st.Fault("garbage", words[1], _number(words[2], 1, 100_000))]
    if len(words) != 2:
        raise _Bad(f"{words[0]} DEVICE")
    return [st.Fault(words[0], words[1])]


def _plain(step: st.Step) -> Callable[[list[str], int], list[st.Step]]:
    def handler(words: list[str], index: int) -> list[st.Step]:
        if len(words) != 1:
            raise _Bad(f"{words[0]} alone on its line")
        return [step]

    return handler


def _push(words: list[str], index: int) -> list[st.Step]:
    return [st.Tap({"kind": "push_pots"}, after_ms=1000), st.Sweep()]


def _undo(words: list[str], index: int) -> list[st.Step]:
    return [st.Tap({"kind": "undo"}, after_ms=800)]


def _expect(words: list[str], index: int) -> list[st.Step]:
    wanted, settle = _wanted(words[1:])
    return [st.Check(wanted, within_ms=ALERT_MS, settle_ms=settle, line=index)]


def _wanted(words: list[str]) -> tuple[dict[str, Any], int]:
    match words:
        case ["silence"]:
            return {"silence": True}, SILENCE_MS
        case ["no", rule] if _RULE.fullmatch(rule):
            return {"no": rule}, SILENCE_MS
        case ["step", code, ("done" | "current" | "pending" | "skipped") as state]:
            return {"step": code, "state": state}, 0
        case ["remedy", rule, name]:
            return {"rule": rule, "remedy": name}, 0
        case ["question", code]:
            return {"question": code}, 0
        case ["now", code]:
            return {"now": code}, 0
        case ["pot", amount]:
            return {"pot": _number(amount, 0)}, 0
        case ["stack", seat, amount]:
            return {"stack": [_seat(seat), _number(amount, 0)]}, 0
        case ["street", street] if street in _STREETS:
            return {"street": street}, 0
        case ["attempts", count]:
            return {"attempts": _number(count)}, 0
        case ["end", result] if result in _RESULTS:
            return {"end": result}, 0
        case [rule, evidence] if _RULE.fullmatch(rule) and evidence in _EVIDENCE:
            return {"rule": rule, "evidence": evidence}, 0
        case [rule, state] if _RULE.fullmatch(rule) and state in _STATES:
            return {"rule": rule, "state": state}, 0
        case _:
            raise _Bad(
                "expect RULE EVIDENCE|STATE, no RULE, silence, step CODE STATE, remedy RULE NAME, question CODE, now CODE, "
                "pot N, stack SEAT N, street S, attempts N or end RESULT"
            )


_LINES: Final[dict[str, Callable[[list[str], int], list[st.Step]]]] = {
    "deal": _deal,
    "burn": _burn,
    "board": _board,
    "move": _move,
    "gather": _plain(st.Gather()),
    "shuffle": _plain(st.Shuffle()),
    "show": _show,
    "muck": _muck,
    "push": _push,
    "report": _report,
    "answer": _answer,
    "respond": _respond,
    "undo": _undo,
    "tap": _tap,
    "enter": _enter,
    "seat": _set_seat,
    "wait": _wait,
    "unplug": _fault,
    "plug": _fault,
    "garbage": _fault,
    "expect": _expect,
}
