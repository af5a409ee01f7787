"""The simulated dealer: looks at the facts before tapping, taps, waits for what must hold, and outlives a table service that restarts."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from hw_sim import steps as st
from hw_sim.client import Client, ServiceGone
from hw_sim.report import Reporter

#: Real seconds: for the service and its devices to come up, and for a tap to become possible and be answered.
CONNECT_S: Final = 60.0
TAP_S: Final = 20.0
#: However fast virtual time runs, the service needs real time too.
CHECK_S: Final = 3.0


class Dealer:
    """Taps on the service's socket. ``turn`` lets everything else go on for a moment; ``devices``: how many lamps there must be."""

    def __init__(self, client: Client, turn: Callable[[], None], report: Reporter, *, devices: int) -> None:
        self._client = client
        self._turn = turn
        self._report = report
        self._devices = devices
        self._away = False

    def pump(self) -> None:
        """Take what the service says; try to connect where there is no connection."""
        client = self._client
        try:
            client.keep_up()
        except ServiceGone:
            self._away = True
            self._report.say("  the table service is gone", "service_gone")
        self._report.news(client.take_news())

    def wait_ready(self) -> None:
        """Until the service answers and has opened every device. Raises TimeoutError."""
        end = time.monotonic() + CONNECT_S
        while not self._ready():
            self._turn()
            if time.monotonic() > end:
                what = f"open the devices: {self._lamps()}" if self._client.connected else "open its socket"
                raise TimeoutError(110, f"the table service did not {what}")
        if self._away:
            self._away = False
            self._report.say("  the table service is back", "service_back")

    def hold(self) -> None:
        """A dealer whose screen is dead waits with the cards, too."""
        if self._away:
            self.wait_ready()

    def _ready(self) -> bool:
        lamps = self._lamps()
        return (
            self._client.connected
            and len(lamps) >= self._devices
            and all(state == "ok" for state in lamps.values())
        )

    def _lamps(self) -> dict[str, str]:
        return {key: fact["state"] for (kind, key), fact in self._client.sections.items() if kind == "device"}

    @property
    def alerts(self) -> Mapping[str, Mapping[str, Any]]:
        """Every alert of the running hand, by id, as it stands."""
        return self._client.alerts

    @property
    def closed(self) -> bool:
        """Whether no hand is open."""
        return self._client.section("hand").get("phase") in (
            "idle",
            "award",
            "closed",
            "misdeal",
            "void",
            "chopped",
        )

    # -- taps ------------------------------------------------------------------------------------------------------------------------

    def tap(self, command: dict[str, Any], *, refused: str = "") -> None:
        """Tap when the screen is ready for it. A stale tap is made again; so is one that a dying service did not take.

        ``refused``: the code that the service must refuse it with.
        """
        self.hold()
        if not refused:  # the screen never gets ready for what is refused
            self._await(command)
        if command.get("alert"):
            # a script names the rule, the socket takes the alert's id
            command = {**command, "alert": self._client.alert_of(command["alert"])}
        end = time.monotonic() + TAP_S
        while True:
            try:
                result = self._result(self._client.request(command), end)
            except ServiceGone:
                self.wait_ready()
                if self._taken(command):
                    return
                end = time.monotonic() + TAP_S
                continue
            if result is None:
                self._report.differs(f"tap {command}: no answer")
            elif result["code"] == "stale" and time.monotonic() < end:
                continue
            elif refused:
                if result["code"] != refused:
                    said = result["code"] or "taken"
                    self._report.differs(f"tap {command}: {said}, expected it to be refused as {refused}")
            elif not result["ok"]:
                self._report.differs(f"tap {command}: refused, {result['code']} {result['params']}")
            return

    def _result(self, name: str, end_s: float) -> dict[str, Any] | None:
        while name not in self._client.results:
            if self._away:
                raise ServiceGone(32, "the table service is gone", name)
            if time.monotonic() > end_s:
                return None
            self._turn()
        return self._client.results.pop(name)

    def _await(self, command: dict[str, Any]) -> None:
        """A dealer looks before tapping: the seat must be to act, the award must be shown."""
        end = time.monotonic() + TAP_S
        while not self._possible(command) and time.monotonic() < end:
            self._turn()
            self.hold()

    def _possible(self, command: dict[str, Any]) -> bool:
        pad = self._client.section("pad")
        now = self._client.section("now")
        # where actions are assumed, the tap is what tells the table that the seats before it have acted
        assumed = self._client.section("table").get("entry") == "by_exception"
        match command["kind"]:
            case "act":
                # a fold out of turn is a fold
                return command["action"] == "fold" or assumed or bool(pad.get("seat") == command["seat"])
            case "push_pots":
                return assumed or bool(pad.get("can_push"))
            case "tabled" | "mucked":
                return assumed or command["seat"] in pad.get("showdown", ()) or self._given_up(command)
            case "set_point" | "unfold":
                return command["seat"] in now.get("params", {}).get("seats", ())
            case "run_it":
                return pad.get("run_it", 0) >= command["times"] or assumed
            case "rule":
                return any(alert.get("options") for alert in self._client.alerts.values())
            case _:
                return True

    def _given_up(self, command: dict[str, Any]) -> bool:
        return self._client.section("seat", str(command["seat"])).get("hand") in ("tabled", "mucked")

    def _taken(self, command: dict[str, Any]) -> bool:
        """Whether a tap whose answer was lost with the service had been stored, as far as the facts tell."""
        match command["kind"]:
            case "open_hand" if "opening" not in command:
                return bool(self._client.section("hand").get("phase") == "deal")
            case "open_hand":
                return bool(self._client.section("hand").get("hand") == command["opening"]["hand"])
            case "act" if command["action"] == "fold":
                return self._client.section("seat", str(command["seat"])).get("hand") == "folded"
            case "act":
                return bool(self._client.section("pad").get("seat") != command["seat"])
            case "tabled" | "mucked":
                return self._given_up(command)
            case "push_pots":
                return not self._client.section("pad").get("can_push")
            case "answer":
                return not any(alert["question"] for alert in self._client.alerts.values())
            case "set_point" | "unfold" | "rule":
                return not self._possible(command)
            case "undo":
                return True  # twice would take back one tap too many
            case _:
                return False

    # -- checks ----------------------------------------------------------------------------------------------------------------------

    def check(self, check: st.Check, now_ms: Callable[[], int], from_ms: int) -> None:
        """Wait for what must hold, at most as long as it may take; what must not be is known at once."""
        end_ms = max(from_ms, now_ms()) + check.within_ms
        end_s = time.monotonic() + CHECK_S
        while problem := self._client.problem(check.wanted):
            late = now_ms() > end_ms and time.monotonic() > end_s
            if late or {"no", "silence"} & check.wanted.keys():
                self._report.differs(f"expected {check.wanted}: {problem}")
                return
            self._turn()
            self.hold()

    def close_hand(self, hand: st.Hand) -> None:
        """Compare what came of a hand, once the service has closed it."""
        result = hand.expect["result"]
        if result == "misdeal" and not self.closed:
            self.tap({"kind": "report", "row": "misdeal"})  # the script leaves the hand: every chip back
        wanted = {"completed": "closed"}.get(result, result)
        end = time.monotonic() + TAP_S
        while self._client.section("hand").get("phase") != wanted and time.monotonic() < end:
            self._turn()
            self.hold()
        self._report.close(hand, self._client.sections, list(self._client.alerts.values()))
