"""What the simulated dealer saw, in plain lines: what was asked, alerted and paid, and where it was otherwise than scripted."""

from __future__ import annotations

from typing import IO, Any

from hw_sim import steps as st


class Reporter:
    """Prints lines and counts differences."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._told: dict[str, tuple[Any, ...]] = {}
        self._steps: set[tuple[str, str]] = set()
        self.differences: list[str] = []

    def say(self, line: str) -> None:
        """One line."""
        print(line, file=self._out, flush=True)

    def differs(self, what: str) -> None:
        """Something was otherwise than scripted."""
        self.differences.append(what)
        self.say(f"  DIFFERS: {what}")

    def hand(self, hand: st.Hand) -> None:
        """A hand begins."""
        self._told.clear()
        self._steps.clear()
        self.say(f"Hand {hand.name}: {hand.title or 'as the source has it'}")

    def news(self, facts: list[dict[str, Any]]) -> None:
        """Facts as they come: alerts and awards are told."""
        for fact in facts:
            if fact["kind"] == "alert":
                self._alert(fact["alert"])
            elif fact["kind"] == "now" and fact["code"] == "push":
                for push in fact["pushes"]:
                    pot = "the pot" if push["pot"] == 0 else f"side pot {push['pot']}"
                    name = f", {push['name'].replace('_', ' ')}" if push["name"] else ""
                    self.say(f"  paid: {push['amount']} of {pot} to seat {push['seat']}{name}")

    def _alert(self, alert: dict[str, Any]) -> None:
        now = (alert["evidence"], alert["question"], alert["state"], alert["remedy"])
        if self._told.get(alert["id"]) != now:
            before = self._told.get(alert["id"])
            self._told[alert["id"]] = now
            where = f" (seat {alert['seat']})" if alert["seat"] else ""
            if alert["state"] in ("closed", "withdrawn", "dealt_on"):
                self.say(f"  {alert['rule']}{where}: {alert['state'].replace('_', ' ')}")
            elif alert["question"] and (before is None or before[1] != alert["question"]):
                self.say(
                    f"  asked: {alert['rule']}{where}, {alert['evidence']}: {alert['question'].replace('_', ' ')}?"
                )
            if alert["evidence"] == "proven" and (before is None or before[0] != "proven"):
                stop = "STOP, " if alert["stop"] else ""
                remedy = str(alert["remedy"]).replace("_", " ")
                self.say(f"  alert: {stop}{alert['rule']}{where}, {alert['source']}: {remedy}")
        for step in alert["steps"]:
            key = (alert["id"], step["code"])
            if step["state"] in ("done", "skipped") and key not in self._steps:
                self._steps.add(key)
                self.say(f"    {step['state']}: {step['code'].replace('_', ' ')}")

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
        if "alerts" in wanted:
            said = [(alert["rule"], alert["evidence"]) for alert in alerts]
            if said != [(alert["rule"], alert["evidence"]) for alert in wanted["alerts"]]:
                self.differs(f"said {said}, expected {wanted['alerts']}")
        stacks = {
            key: fact["stack"]
            for (kind, key), fact in sorted(sections.items())
            if kind == "seat" and fact["stack"]
        }
        self.say(f"  end: {phase}, stacks {stacks}")
