"""What the simulated dealer saw, in plain lines: what was asked, alerted and paid, and where it was otherwise than scripted."""

from __future__ import annotations

import json
from typing import IO, Any

from hw_sim import steps as st


class Reporter:
    """Prints lines for people, or one JSON object a line, and counts differences."""

    def __init__(self, out: IO[str], *, as_json: bool = False) -> None:
        self._out = out
        self._as_json = as_json
        self._told: dict[str, tuple[Any, ...]] = {}
        self._steps: set[tuple[str, str]] = set()
        self._paid: set[tuple[int, int, int]] = set()
        self.differences: list[str] = []

    def say(self, line: str, what: str, **record: Any) -> None:
        """One line: the sentence, or as JSON ``what`` it says with the particulars, and the sentence as ``line``."""
        text = json.dumps({"what": what, **record, "line": line}) if self._as_json else line
        print(text, file=self._out, flush=True)

    def differs(self, what: str) -> None:
        """Something was otherwise than scripted."""
        self.differences.append(what)
        self.say(f"  DIFFERS: {what}", "differs", difference=what)

    def hand(self, hand: st.Hand) -> None:
        """A hand begins."""
        # Alerts are named by their hand: what still comes of the hand before is not told anew.
        self._paid.clear()
        self.say(
            f"Hand {hand.name}: {hand.title or 'as the source has it'}",
            "hand",
            hand=hand.name,
            title=hand.title,
        )

    def news(self, facts: list[dict[str, Any]]) -> None:
        """Facts as they come: alerts and awards are told."""
        for fact in facts:
            if fact["kind"] == "alert":
                self._alert(fact["alert"])
            elif fact["kind"] == "now" and fact["code"] == "push":
                self._pushes(fact["pushes"])

    def _pushes(self, pushes: list[dict[str, Any]]) -> None:
        for push in pushes:
            key = (push["pot"], push["seat"], push["board"])
            if key in self._paid:
                continue
            self._paid.add(key)
            pot = "the pot" if push["pot"] == 0 else f"side pot {push['pot']}"
            pot += f", board {push['board']}," if push["board"] else ""
            name = f", {push['name'].replace('_', ' ')}" if push["name"] else ""
            self.say(f"  paid: {push['amount']} of {pot} to seat {push['seat']}{name}", "paid", push=push)

    def _alert(self, alert: dict[str, Any]) -> None:
        number, rule, state = alert["id"], alert["rule"], alert["state"]
        now = (alert["evidence"], alert["question"], state, alert["remedy"])
        before = self._told.get(number, ("", None, "", None))
        self._told[number] = now
        where = f" (seat {alert['seat']})" if alert["seat"] else ""
        if alert["question"] and alert["question"] != before[1]:
            question = alert["question"].replace("_", " ")
            self.say(
                f"  asked: {rule}{where}, {alert['evidence']}: {question}?",
                "asked",
                alert=number,
                rule=rule,
                seat=alert["seat"],
                evidence=alert["evidence"],
                question=alert["question"],
                fact=alert,
            )
        if alert["remedy"] and (alert["evidence"], alert["remedy"]) != (before[0], before[3]):
            stop = "STOP, " if alert["stop"] else ""
            self.say(
                f"  alert: {stop}{rule}{where}, {alert['source']}: {alert['remedy'].replace('_', ' ')}",
                "alert",
                alert=number,
                rule=rule,
                seat=alert["seat"],
                evidence=alert["evidence"],
                stop=alert["stop"],
                source=alert["source"],
                remedy=alert["remedy"],
                fact=alert,
            )
        for step in alert["steps"]:
            key = (number, step["code"])
            if step["state"] in ("done", "skipped") and key not in self._steps:
                self._steps.add(key)
                self.say(
                    f"    {step['state']}: {step['code'].replace('_', ' ')}",
                    "step",
                    alert=number,
                    step=step["code"],
                    state=step["state"],
                    fact=alert,
                )
        if state in ("closed", "withdrawn", "dealt_on") and state != before[2]:
            self.say(
                f"  {rule}{where}: {state.replace('_', ' ')}",
                "alert_over",
                alert=number,
                rule=rule,
                state=state,
                fact=alert,
            )

    def close(
        self, hand: st.Hand, sections: dict[tuple[str, str], dict[str, Any]], alerts: list[dict[str, Any]]
    ) -> None:
        """The hand is over: compare."""
        wanted = hand.expect
        found = sections.get(("hand", ""), {})
        phase = {"closed": "completed"}.get(found.get("phase", ""), found.get("phase"))
        if phase != wanted["result"]:
            self.differs(f"the hand is {phase}, expected {wanted['result']}")
        if found.get("attempt") != wanted.get("attempts", 1):
            self.differs(f"attempts {found.get('attempt')}, expected {wanted.get('attempts', 1)}")
        for seat, stack in wanted.get("stacks", {}).items():
            now = sections.get(("seat", str(seat)), {}).get("stack")
            whole = not isinstance(stack, float) or stack.is_integer()
            if now is None or (now != stack if whole else abs(now - stack) >= 1):
                self.differs(f"stack of seat {seat} {now}, expected {stack}")
        pot = sections.get(("pot", ""), {})
        if wanted.get("rake", pot.get("rake", 0)) != pot.get("rake", 0):
            self.differs(f"rake {pot.get('rake', 0)}, expected {wanted['rake']}")
        drops = dict(pot.get("drops", []))
        if wanted.get("drops", drops) != drops:
            self.differs(f"drops {drops}, expected {wanted['drops']}")
        if "alerts" in wanted:
            said = [(alert["rule"], alert["evidence"]) for alert in alerts]
            if said != [(alert["rule"], alert["evidence"]) for alert in wanted["alerts"]]:
                self.differs(f"said {said}, expected {wanted['alerts']}")
        stacks = {
            key: fact["stack"]
            for (kind, key), fact in sorted(sections.items())
            if kind == "seat" and fact["stack"] is not None
        }
        self.say(
            f"  end: {phase}, stacks {', '.join(f'{seat}: {stack}' for seat, stack in stacks.items())}",
            "end",
            hand=hand.name,
            result=phase,
            stacks=stacks,
        )
