"""Script lines of players and of the dealer's taps: each becomes a command as the socket takes it, with the act before it."""

from __future__ import annotations

from typing import Any, Final

from hw_sim import steps as st
from hw_sim.cards import FACES
from hw_sim.script_acts import Handler
from hw_sim.script_seats import SEATS
from hw_sim.script_words import ROW, Bad, code, number, rule_of, seat
from hw_sim.vocabulary import known

ACTIONS: Final = ("fold", "check", "call", "bet", "raise", "allin")
#: What a dealer may report by a word instead of a row of the catalogue.
REPORTS: Final = ("exposed", "early_card", "misdeal", "boxed", "dead_hand", "chop", "scrap")
_REPORT: Final = f"report ROW|{'|'.join(REPORTS)} [SEAT] [player] [count N], the row as D6; exposed and dead_hand need a seat"
#: Words that a player may say with his chips, or without.
_SAID: Final = ("check", "call", "bet", "raise", "allin")
_NEED_SEAT: Final = frozenset(("exposed", "dead_hand"))


def action(words: list[str]) -> list[st.Step]:
    """SEAT and what its player does."""
    who = seat(words[0])
    if words[1:2] == ["straddle"]:
        return _straddle(who, words[2:])
    command: dict[str, Any] = {"kind": "act", "seat": who, **_act(words[1:], "SEAT ")}
    out: list[st.Step] = [st.Fold(who)] if command["action"] == "fold" else []
    return [*out, st.Tap(command, after_ms=600)]


def _straddle(who: int, words: list[str]) -> list[st.Step]:
    if len(words) > 1:
        raise Bad("SEAT straddle [AMOUNT], the total in front; twice the bet before it without")
    command = {"kind": "straddle", "seat": who}
    if words:
        command["amount"] = number(words[0])
    return [st.Tap(command, after_ms=900)]


def _act(words: list[str], before: str) -> dict[str, Any]:
    """An action with its amount; ``counted``: more than the table believes was counted, ``ruled``: wrong, and it stands."""
    usage = f"{before}fold|check|call|bet X|raise X|allin [X], and counted or ruled behind it"
    if not words or words[0] not in ACTIONS:
        raise Bad(usage)
    name, *rest = words
    command: dict[str, Any] = {"action": "all_in" if name == "allin" else name}
    while rest and rest[-1] in ("counted", "ruled"):
        command[rest.pop()] = True
    if name in ("bet", "raise") and not rest:
        raise Bad(f"{before}{name} AMOUNT (the total in front)")
    if rest:
        if len(rest) > 1 or name in ("fold", "check") or (name == "call" and "counted" not in command):
            raise Bad(usage)
        command["to"] = number(rest[0])
    return command


def _show(words: list[str]) -> list[st.Step]:
    if len(words) != 2:
        raise Bad("show SEAT")
    return [st.Tap({"kind": "tabled", "seat": seat(words[1])}, after_ms=1200)]


def _muck(words: list[str]) -> list[st.Step]:
    if len(words) != 2:
        raise Bad("muck SEAT")
    who = seat(words[1])
    return [st.Fold(who, showdown=True), st.Tap({"kind": "mucked", "seat": who}, after_ms=600)]


def _report(words: list[str]) -> list[st.Step]:
    if len(words) < 2 or not (words[1] in REPORTS or ROW.fullmatch(words[1])):
        raise Bad(_REPORT)
    command: dict[str, Any] = {"kind": "report", "row": words[1]}
    rest = words[2:]
    if rest and rest[0].isdigit():
        command |= {"seat": seat(rest.pop(0)), "by": "dealer"}
    if rest and rest[0] == "player":
        command["by"] = rest.pop(0)
    if len(rest) == 2 and rest[0] == "count":
        command["count"] = number(rest[1], 1, 52)
        rest = []
    if rest or (words[1] in _NEED_SEAT and "seat" not in command):
        raise Bad(_REPORT)
    return [st.Tap(command, after_ms=700)]


def _rule(words: list[str]) -> list[st.Step]:
    usage = "rule OPTION [RULE], as rule scramble_four F1"
    if len(words) < 2:
        raise Bad(usage)
    command = {"kind": "rule", "alert": rule_of(words[2:], usage), "option": known("remedy", code(words[1]))}
    return [st.Tap(command, after_ms=2000)]


def _correct(words: list[str]) -> list[st.Step]:
    usage = "correct SEAT ACTION [X] [counted] [ruled] [back N]"
    if len(words) < 3:
        raise Bad(usage)
    command: dict[str, Any] = {"kind": "correct", "seat": seat(words[1])}
    rest = words[2:]
    if rest[-2:-1] == ["back"]:
        command["back"] = number(rest[-1], 0, 40)
        rest = rest[:-2]
    return [st.Tap(command | _act(rest, "correct SEAT "), after_ms=1500)]


def _stack(words: list[str]) -> list[st.Step]:
    """The chips that lie behind a seat now."""
    if len(words) != 3:
        raise Bad("stack SEAT AMOUNT|unknown, the chips behind the seat now")
    behind = None if words[2] == "unknown" else number(words[2], 0)
    return [st.Tap({"kind": "set_stack", "seat": seat(words[1]), "behind": behind}, after_ms=1500)]


def _irregular(words: list[str]) -> list[st.Step]:
    """What a seat said and pushed, in that order."""
    usage = f"irregular SEAT [said {'|'.join(_SAID)} [AMOUNT] | said AMOUNT] [chips N…] [then N…]"
    if len(words) < 3:
        raise Bad(usage)
    command: dict[str, Any] = {"kind": "irregular", "seat": seat(words[1])}
    key = ""
    for word in words[2:]:
        if word in ("said", "chips", "then"):
            key = {"said": "said", "chips": "chips", "then": "more"}[word]
            if key in command:
                raise Bad(usage)
            command[key] = "" if key == "said" else []
        elif key == "said" and word in _SAID and not command["said"]:
            command["said"] = "all_in" if word == "allin" else word
        elif key == "said" and "amount" not in command:
            command["amount"] = number(word)
        elif key in ("chips", "more"):
            command[key].append(number(word))
        else:
            raise Bad(usage)
    if [] in (command.get("chips"), command.get("more")):
        raise Bad(usage)
    return [st.Tap(command, after_ms=1500)]


def _point(words: list[str]) -> list[st.Step]:
    if len(words) != 3:
        raise Bad("point SEAT NUMBER, the number of the card among the seat's cards")
    return [
        st.Tap({"kind": "set_point", "seat": seat(words[1]), "card": number(words[2], 1, 5)}, after_ms=800)
    ]


def _unfold(words: list[str]) -> list[st.Step]:
    if len(words) != 2:
        raise Bad("unfold SEAT")
    return [st.Tap({"kind": "unfold", "seat": seat(words[1])}, after_ms=800)]


def _event(words: list[str]) -> list[st.Step]:
    if len(words) not in (3, 4):
        raise Bad("event SEAT NAME [TARGET], the target a seat")
    command: dict[str, Any] = {"kind": "event", "seat": seat(words[1]), "name": code(words[2])}
    if len(words) == 4:
        command["target"] = seat(words[3])
    return [st.Tap(command, after_ms=900)]


def _answer(words: list[str]) -> list[st.Step]:
    usage = "answer yes|no [RULE]"
    if len(words) < 2 or words[1] not in ("yes", "no"):
        raise Bad(usage)
    return [st.Tap({"kind": "answer", "alert": rule_of(words[2:], usage), "answer": words[1]}, after_ms=1000)]


def _respond(words: list[str]) -> list[st.Step]:
    usage = "respond fixing|misread|call_floor|deal_on [RULE]"
    if len(words) < 2 or words[1] not in ("fixing", "misread", "call_floor", "deal_on"):
        raise Bad(usage)
    return [
        st.Tap({"kind": "respond", "alert": rule_of(words[2:], usage), "response": words[1]}, after_ms=800)
    ]


def _tap(words: list[str]) -> list[st.Step]:
    if len(words) != 3:
        raise Bad("tap ZONE COUNT")
    return [st.Tap({"kind": "tap_zone", "zone": words[1], "count": number(words[2], 1, 5)}, after_ms=600)]


def _enter(words: list[str]) -> list[st.Step]:
    if len(words) not in (2, 3) or words[1] not in FACES:
        raise Bad("enter CARD [SEAT], as enter Ks")
    who = seat(words[2]) if len(words) == 3 else None
    return [st.Tap({"kind": "enter_card", "face": words[1], "seat": who}, after_ms=1500)]


def _set_seat(words: list[str]) -> list[st.Step]:
    if len(words) != 3 or words[2] not in ("in", "away", "out"):
        raise Bad("seat N in|away|out")
    return [st.Tap({"kind": "set_seat", "seat": seat(words[1]), "status": words[2]}, after_ms=600)]


def _push(words: list[str]) -> list[st.Step]:
    usage = "push | push to SEAT AMOUNT [SEAT AMOUNT …]"
    command: dict[str, Any] = {"kind": "push_pots"}
    if len(words) > 1:
        pairs = words[2:]
        if words[1] != "to" or not pairs or len(pairs) % 2:
            raise Bad(usage)
        to = {str(seat(who)): number(amount) for who, amount in zip(pairs[::2], pairs[1::2], strict=True)}
        if len(to) != len(pairs) // 2:
            raise Bad("each seat once")
        command["to"] = to
    return [st.Tap(command, after_ms=1000), st.Sweep()]


def _run(words: list[str]) -> list[st.Step]:
    if len(words) != 3 or words[1] != "it":
        raise Bad("run it 1|2|3")
    return [st.Tap({"kind": "run_it", "times": number(words[2], 1, 3)}, after_ms=1500)]


def _plain(kind: str) -> Handler:
    def handler(words: list[str]) -> list[st.Step]:
        if len(words) != 1:
            raise Bad(f"{words[0]} alone on its line")
        return [st.Tap({"kind": kind}, after_ms=800)]

    return handler


TAPS: Final[dict[str, Handler]] = {
    "show": _show,
    "muck": _muck,
    "push": _push,
    "run": _run,
    "report": _report,
    "rule": _rule,
    "correct": _correct,
    "stack": _stack,
    "irregular": _irregular,
    "point": _point,
    "unfold": _unfold,
    "event": _event,
    "shuffled": _plain("shuffled"),
    "answer": _answer,
    "respond": _respond,
    "undo": _plain("undo"),
    "tap": _tap,
    "enter": _enter,
    "seat": _set_seat,
    **SEATS,
}
