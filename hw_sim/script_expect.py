"""Script lines that say what must hold: the ``expect_now`` of a trace."""

from __future__ import annotations

from typing import Any, Final

from hw_sim import steps as st
from hw_sim.script_words import CODE, RULE, STREETS, Bad, number, seat
from hw_sim.vocabulary import known

#: Virtual ms that an expected alert may take to come, and that silence must last.
ALERT_MS: Final = 8000
SILENCE_MS: Final = 6000
#: Lamps go by real time, however fast the hand is dealt.
LAMP_MS: Final = 120_000

_EVIDENCE: Final = ("possible", "probable", "proven")
_STATES: Final = ("open", "fixing", "closed", "withdrawn", "dealt_on")
_RESULTS: Final = ("completed", "misdeal", "void", "chopped")
_HANDS: Final = ("none", "live", "all_in", "folded", "tabled", "mucked", "dead")
_ACTS: Final = ("fold", "check", "call", "bet", "raise", "all_in")
#: Devices as scripts call them → what they are called at the simulated table.
_DEVICES: Final = {
    "reader": "SIM-READER-1",
    "shuffler": "SIM-SHUFFLER-1",
    "shoe": "SIM-SHOE-1",
    "gate": "SIM-GATE-1",
}
_LAMPS: Final = ("ok", "connecting", "stale", "lost", "refused", "fault")
_FORMS: Final = (
    "expect RULE EVIDENCE|STATE, no RULE, silence, step CODE STATE, remedy RULE NAME, options RULE OPTION…, "
    "ruled RULE OPTION, source RULE TEXT…, question CODE, now CODE, now step CODE, mark SEAT CODE, no_mark SEAT, "
    "lamp DEVICE STATE [DETAIL], "
    "notice ID CODE, assumed SEAT ACTION, hand SEAT STATUS, pot N, rake N, drop NAME N, push SEAT N [HAND], odd SEAT, showing SEAT…, "
    "stack SEAT N|unknown, button SEAT, blinds SEAT|dead SEAT, street S, attempts N or end RESULT"
)


def check(words: list[str], line: int) -> st.Check:
    """The check of an ``expect`` line, whose words begin with ``expect``."""
    wanted = _about_alerts(words[1:]) or _about_table(words[1:])
    if not wanted:
        raise Bad(_FORMS)
    settle = SILENCE_MS if {"no", "silence"} & wanted.keys() else 0
    within = LAMP_MS if "lamp" in wanted else ALERT_MS
    return st.Check(wanted, within_ms=within, settle_ms=settle, line=line)


def _about_alerts(words: list[str]) -> dict[str, Any]:
    match words:
        case ["silence"]:
            return {"silence": True}
        case ["no", rule] if RULE.fullmatch(rule):
            return {"no": known("rule", rule)}
        case ["step", step, ("done" | "current" | "pending" | "skipped") as state]:
            return {"step": known("step", step), "state": state}
        case ["remedy", rule, name]:
            return {"rule": known("rule", rule), "remedy": known("remedy", name)}
        case ["options", rule, *options] if RULE.fullmatch(rule) and options:
            return {"options": [known("remedy", name) for name in options], "rule": known("rule", rule)}
        case ["ruled", rule, option] if RULE.fullmatch(rule):
            return {"rule": known("rule", rule), "ruled": known("remedy", option)}
        case ["source", rule, *text] if RULE.fullmatch(rule) and text:
            return {"rule": known("rule", rule), "source": " ".join(text)}
        case ["question", code]:
            return {"question": known("question", code)}
        case [rule, evidence] if RULE.fullmatch(rule) and evidence in _EVIDENCE:
            return {"rule": known("rule", rule), "evidence": evidence}
        case [rule, state] if RULE.fullmatch(rule) and state in _STATES:
            return {"rule": known("rule", rule), "state": state}
        case _:
            return {}


def _about_table(words: list[str]) -> dict[str, Any]:
    match words:
        case ["now", "step", code]:
            return {"now": "step", "step_code": known("step", code)}
        case ["now", code]:
            return {"now": known("now", code)}
        case ["mark", who, code] if CODE.fullmatch(code):
            return {"mark": [seat(who), known("mark", code)]}
        case ["no_mark", who]:
            return {"no_mark": seat(who)}
        case ["lamp", device, state] if device in _DEVICES and state in _LAMPS:
            return {"lamp": [_DEVICES[device], state]}
        case ["lamp", device, state, detail] if device in _DEVICES and state in _LAMPS:
            return {"lamp": [_DEVICES[device], state, detail]}
        case ["notice", name, code]:
            return {"notice": [name, known("notice", code)]}
        case ["assumed", who, action] if action in (*_ACTS, "allin"):
            return {"assumed": [seat(who), "all_in" if action == "allin" else action]}
        case ["hand", who, status] if status in _HANDS:
            return {"hand": [seat(who), status]}
        case ["pot", amount]:
            return {"pot": number(amount, 0)}
        case ["rake", amount]:
            return {"rake": number(amount, 0)}
        case ["drop", name, amount]:
            return {"drop": [name, number(amount, 0)]}
        case ["push", who, amount, *name] if len(name) < 2:
            return {"push": [seat(who), number(amount, 0), *name]}
        case ["showing", *whose] if whose:
            return {"showing": [seat(who) for who in whose]}
        case ["odd", who]:
            return {"odd": seat(who)}
        case ["stack", who, amount]:
            return {"stack": [seat(who), None if amount == "unknown" else number(amount, 0)]}
        case ["button", who]:
            return {"button": seat(who)}
        case ["blinds", small, big]:
            return {"blinds": [None if small == "dead" else seat(small), seat(big)]}
        case ["street", street] if street in STREETS:
            return {"street": street}
        case ["attempts", count]:
            return {"attempts": number(count)}
        case ["end", result] if result in _RESULTS:
            return {"end": result}
        case _:
            return {}
