"""What a trace expects, in the middle of a hand and of its end, compared with what is and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from dealer_assist.table.hand import Hand, final_stacks
from dealer_assist.table.trace import Expect


class HandResult(msgspec.Struct):
    """What came of one source hand; the shape of ``replay --json``. Amounts are integers of the unit."""

    source: str
    hand: str
    result: str
    attempts: int
    unit: str
    alerts: list[dict[str, Any]]
    marks: int
    pots: list[dict[str, Any]]
    awards: dict[str, int]
    returned: dict[str, int]
    rake: int
    stacks: dict[str, int | None]
    differences: list[str] = []
    notes: list[str] = []
    drops: dict[str, int] = {}

    def as_json(self) -> bytes:
        """One line of JSON, without differences and notes."""
        fields = msgspec.to_builtins(self)
        del fields["differences"], fields["notes"]
        return msgspec.json.encode(fields)


def compare(result: HandResult, wanted: Expect, line: int) -> None:
    """Write into ``result`` what came otherwise than line ``line`` of a trace says: differences, and odd chips as notes."""
    if result.result != wanted.result:
        result.differences.append(f"line {line}: result {result.result}, expected {wanted.result}")
    if result.attempts != wanted.attempts:
        result.differences.append(f"line {line}: attempts {result.attempts}, expected {wanted.attempts}")
    for seat, stack in wanted.stacks.items():
        _compare_chips(
            result, f"line {line}: stack of seat {seat}", result.stacks.get(seat), stack, wanted.odd_chips
        )
    if wanted.awards is not None:
        for seat in sorted(wanted.awards.keys() | result.awards.keys(), key=int):
            found, won = result.awards.get(seat, 0), wanted.awards.get(seat, 0)
            _compare_chips(result, f"line {line}: award of seat {seat}", found, won, wanted.odd_chips)
    if wanted.returned is not None and result.returned != wanted.returned:
        result.differences.append(
            f"line {line}: returned {spelled(result.returned)}, expected {spelled(wanted.returned)}"
        )
    if wanted.rake is not None and result.rake != wanted.rake:
        result.differences.append(f"line {line}: rake {result.rake}, expected {wanted.rake}")
    if wanted.drops is not None and result.drops != wanted.drops:
        result.differences.append(
            f"line {line}: drops {spelled(result.drops)}, expected {spelled(wanted.drops)}"
        )
    if wanted.pots is not None:
        pots = [pot["amount"] for pot in result.pots]
        if len(wanted.pots) < 2:
            pots = [sum(pots)] if pots else []
        if pots != list(wanted.pots):
            result.differences.append(f"line {line}: pots {_listed(pots)}, expected {_listed(wanted.pots)}")
    if wanted.alerts is not None:
        said, due = (
            _listed(f"{alert['rule']} {alert['evidence']}" for alert in alerts)
            for alerts in (result.alerts, wanted.alerts)
        )
        if said != due:
            result.differences.append(f"line {line}: alerts {said}, expected {due}")


def spelled(pairs: Mapping[str, Any]) -> str:
    """Keys and values as words: ``rule R2, evidence probable``."""
    words = []
    for key, value in pairs.items():
        values = value if isinstance(value, (list, tuple)) else [value]
        none = "dead" if key == "blinds" else "unknown"
        words.append(" ".join([key, *[none if each is None else str(each) for each in values]]))
    return ", ".join(words) or "nothing"


def _listed(items: Iterable[object], none: str = "none") -> str:
    return ", ".join(map(str, items)) or none


def _chips(amount: object) -> str:
    return "unknown" if amount is None else str(amount)


def _compare_chips(
    result: HandResult, what: str, found: int | None, wanted: float | None, odd_chips: int
) -> None:
    """``wanted`` None: what nobody knows."""
    if found == wanted:
        return
    if found is None or wanted is None:
        result.differences.append(f"{what} {_chips(found)}, expected {_chips(wanted)}")
    elif not float(wanted).is_integer() and abs(found - wanted) < 1:
        result.notes.append(f"{what} {found}: the source splits a chip ({wanted})")
    elif abs(found - wanted) <= odd_chips:
        result.notes.append(f"{what} {found}: the source gives an odd chip to another seat ({wanted})")
    else:
        result.differences.append(f"{what} {found}, expected {wanted}")


def difference(hand: Hand, wanted: dict[str, Any], facts: Iterable[Any] = ()) -> str:
    """What is otherwise than ``wanted`` (an ``expect_now`` of a trace, docs/traces.md) says; "" when nothing is."""
    told = _about_alerts(hand, wanted)
    if told is None:
        told = _about_table(hand, wanted, tuple(facts))
    return "not a check that this version knows" if told is None else told


def _about_alerts(hand: Hand, wanted: dict[str, Any]) -> str | None:
    alerts = list(hand.procedure.alerts.values())
    match wanted:
        case {"no": rule}:
            return f"{rule} was raised" if any(alert.rule == rule for alert in alerts) else ""
        case {"silence": True}:
            spoken = [f"{alert.rule} {alert.evidence}" for alert in alerts if alert.evidence != "possible"]
            return f"said {', '.join(spoken)}" if spoken else ""
        case {"step": code, "state": state}:
            states = [step.state for alert in alerts for step in alert.steps if step.code == code]
            return "" if state in states else f"step {code} is {_listed(states, 'not there')}"
        case {"remedy": remedy, "rule": rule}:
            remedies = [alert.remedy for alert in alerts if alert.rule == rule]
            return "" if remedy in remedies else f"remedy of {rule} is {_listed(remedies, 'not there')}"
        case {"options": options, "rule": rule}:
            offered = [list(alert.options) for alert in alerts if alert.rule == rule]
            told = _listed([" ".join(each) for each in offered if each], "not there")
            return "" if list(options) in offered else f"options of {rule} are {told}"
        case {"source": text, "rule": rule}:
            sources = [alert.source for alert in alerts if alert.rule == rule]
            found = any(source.startswith(text) for source in sources)
            return "" if found else f"source of {rule} is {_listed(sources, 'not there')}"
        case {"question": code}:
            asked = [alert.question for alert in alerts if alert.question]
            return "" if code in asked else f"open questions: {_listed(asked)}"
        case {"rule": rule, **rest}:
            seen = [f"{alert.evidence} {alert.state}" for alert in alerts if alert.rule == rule]
            for alert in alerts:
                if alert.rule == rule and all(getattr(alert, name) == value for name, value in rest.items()):
                    return ""
            return f"{rule} is {_listed(seen, 'not there')}"
        case _:
            return None


def _about_table(hand: Hand, wanted: dict[str, Any], facts: tuple[Any, ...]) -> str | None:
    single = {type(fact).__name__: fact for fact in facts}
    match wanted:
        case {"now": "step", "step_code": code}:
            now = single["NowFact"]
            step = now.params.get("step", now.code)
            return "" if now.code == "step" and step == code else f"now is {step}"
        case {"now": code}:
            now = single["NowFact"].code
            return "" if now == code else f"now is {now}"
        case {"mark": [seat, code]}:
            marks = _seat(facts, seat).marks
            return "" if code in marks else f"marks of seat {seat} are {_listed(marks)}"
        case {"no_mark": seat}:
            marks = _seat(facts, seat).marks
            return f"marks of seat {seat} are {_listed(marks)}" if marks else ""
        case {"notice": [name, code]}:
            codes = [fact.code for fact in facts if type(fact).__name__ == "NoticeFact" and fact.id == name]
            return "" if code in codes else f"notice {name} is {_listed(codes, 'not there')}"
        case {"assumed": [seat, action]}:
            found = _seat(facts, seat)
            said = f"{found.last_action}{' (assumed)' if 'assumed' in found.marks else ''}"
            is_so = found.last_action == action and "assumed" in found.marks
            return "" if is_so else f"seat {seat} has done: {said or 'nothing'}"
        case {"hand": [seat, status]}:
            found = "dead" if seat in hand.procedure.dead else _seat(facts, seat).hand
            return "" if found == status else f"hand of seat {seat} is {found}"
        case {"pot": amount}:
            total = single["PotFact"].total
            return "" if total == amount else f"pot is {total}"
        case {"rake": amount}:
            taken = single["PotFact"].rake
            return "" if taken == amount else f"rake is {taken}"
        case {"drop": [name, amount]}:
            taken = dict(single["PotFact"].drops).get(name, 0)
            return "" if taken == amount else f"drop {name} is {taken}"
        case {"push": [seat, amount, *name]}:
            pushes = [(push.seat, push.amount, push.name) for push in single["NowFact"].pushes]
            found = any(push[:2] == (seat, amount) and name in ([], [push[2]]) for push in pushes)
            told = _listed([f"seat {push[0]} {push[1]} {push[2]}".rstrip() for push in pushes])
            return "" if found else f"pushes are {told}"
        case {"showing": seats}:
            order = list(single["NowFact"].params.get("seats", ()))
            return "" if order == seats else f"in order show: {_listed(order, 'nobody')}"
        case {"odd": seat}:
            odd = [push.seat for push in single["NowFact"].pushes if push.odd]
            return "" if seat in odd else f"odd chips go to seats {_listed(odd)}"
        case {"button": seat}:
            found = single["HandFact"].button
            return "" if found == seat else f"the button is at {found}"
        case {"blinds": blinds}:
            found = [single["HandFact"].small_blind_seat, single["HandFact"].big_blind_seat]
            told = " and ".join("dead" if at is None else str(at) for at in found)
            return "" if found == blinds else f"the blinds are at {told}"
        case {"street": street}:
            return "" if hand.procedure.street == street else f"street is {hand.procedure.street}"
        case {"attempts": attempts}:
            return "" if hand.procedure.attempt == attempts else f"attempt is {hand.procedure.attempt}"
        case {"stack": [seat, amount]}:
            if seat not in hand.betting.setup.seats:
                return f"seat {seat} is not in the hand"
            stack = _stack(hand, seat)
            return "" if stack == amount else f"stack is {_chips(stack)}"
        case {"end": result}:
            return "" if hand.result == result else f"the hand is {hand.result or 'running'}"
        case _:
            return None


def _seat(facts: tuple[Any, ...], seat: int) -> Any:
    return next(fact for fact in facts if type(fact).__name__ == "SeatFact" and fact.seat == seat)


def _stack(hand: Hand, seat: int) -> int | None:
    if hand.result or hand.settlement is not None:
        return final_stacks(hand)[seat]
    return hand.betting.known_stack_of(seat)
