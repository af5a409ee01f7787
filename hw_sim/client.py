"""The simulated dealer on the table service's socket: keeps the facts, taps, and looks whether something holds (docs/socket.md)."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from pathlib import Path
from typing import Any

#: What is told of an alert only when it was asked for.
_MORE = frozenset(("ruled", "source", "options"))


class ServiceGone(OSError):
    """The table service closed the socket."""


class Client:
    """One connection; never blocks but in :meth:`connect`. ``retry_s``: how long :meth:`keep_up` waits before it tries again."""

    def __init__(self, path: Path, *, retry_s: float = 0.1) -> None:
        self._path = path
        self._retry_s = retry_s
        self._again_s = 0.0
        self._socket: socket.socket | None = None
        self._buffer = b""
        self._count = 0
        self.seq = -1
        self.sections: dict[tuple[str, str], dict[str, Any]] = {}
        self.results: dict[str, dict[str, Any]] = {}
        #: every alert of the running hand, by id, as it stood last
        self.alerts: dict[str, dict[str, Any]] = {}
        self.news: list[dict[str, Any]] = []

    @property
    def connected(self) -> bool:
        """Whether there is a connection and its snapshot has come."""
        return self._socket is not None and self.seq >= 0

    def connect(self) -> bool:
        """Try to connect; False when nobody listens yet."""
        trial = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            trial.connect(str(self._path))
        except OSError:
            trial.close()
            return False
        trial.setblocking(False)
        self._socket = trial
        self._buffer = b""
        self.seq = -1
        return True

    def keep_up(self) -> None:
        """Take what has come; where there is no connection, try now and then. Raises ServiceGone when it has just been lost."""
        if self._socket is None and time.monotonic() >= self._again_s:
            self._again_s = time.monotonic() + self._retry_s
            self.connect()
        self.pump()

    def close(self) -> None:
        """Leave. What was known stays known until the next snapshot."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def request(self, command: dict[str, Any]) -> str:
        """Send a command; returns its id. Its result comes later."""
        if self._socket is None:
            raise ServiceGone(32, "the table service is gone", str(self._path))
        self._count += 1
        name = f"sim{self._count}"
        line = json.dumps(
            {"type": "request", "id": name, "actor": "simulated", "after": self.seq, "command": command}
        )
        try:
            self._socket.setblocking(True)
            self._socket.sendall(line.encode() + b"\n")
            self._socket.setblocking(False)
        except OSError as error:
            self.close()
            raise ServiceGone(32, "the table service is gone", str(self._path)) from error
        return name

    def pump(self) -> None:
        """Take what has come."""
        if self._socket is None:
            return
        with contextlib.suppress(BlockingIOError):
            while True:
                try:
                    data = self._socket.recv(65536)
                except ConnectionError:
                    data = b""
                if not data:
                    self.close()
                    raise ServiceGone(32, "the table service closed the socket", str(self._path))
                self._buffer += data
        *lines, self._buffer = self._buffer.split(b"\n")
        for line in lines:
            self._take(json.loads(line))

    def section(self, kind: str, key: str = "") -> dict[str, Any]:
        """A section of the facts, {} while it is not known."""
        return self.sections.get((kind, key), {})

    def _pushes(self) -> list[dict[str, Any]]:
        pushes: list[dict[str, Any]] = self.section("now").get("pushes", [])
        return pushes

    def _take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "snapshot":
                self.sections.clear()
                self.alerts.clear()
                self._facts(message)
            case "update":
                for kind, key in message["gone"]:
                    self.sections.pop((kind, key), None)
                    if kind == "alert":
                        self.alerts.pop(key, None)
                self._facts(message)
            case "result":
                self.results[message["id"]] = message
            case _:
                pass

    def _facts(self, message: dict[str, Any]) -> None:
        self.seq = message["seq"]
        for fact in message["facts"]:
            kind = fact["kind"]
            if kind == "alert":
                key = fact["alert"]["id"]
                self.alerts[key] = fact["alert"]
            else:
                key = str(fact.get("seat", "") if kind == "seat" else fact.get("id", ""))
            self.sections[(kind, key)] = fact
            self.news.append(fact)

    def alert_of(self, rule: str) -> str:
        """The id of the newest alert of a rule; where there is none, what was given."""
        named = [key for key, alert in self.alerts.items() if alert["rule"] == rule]
        return named[-1] if named else rule

    def take_news(self) -> list[dict[str, Any]]:
        """The facts since the last call, in order."""
        news, self.news = self.news, []
        return news

    def problem(self, wanted: dict[str, Any]) -> str:
        """What is otherwise than ``wanted`` says now; "" when nothing is."""
        alerts = list(self.alerts.values())
        match wanted:
            case {"no": rule}:
                return f"{rule} was raised" if any(alert["rule"] == rule for alert in alerts) else ""
            case {"silence": True}:
                said = [
                    f"{alert['rule']} {alert['evidence']}"
                    for alert in alerts
                    if alert["evidence"] != "possible"
                ]
                return f"said {', '.join(said)}" if said else ""
            case {"step": code, "state": state}:
                seen = [step["state"] for alert in alerts for step in alert["steps"] if step["code"] == code]
                return "" if state in seen else f"step {code} is {seen or 'not there'}"
            case {"question": code}:
                asked = [alert["question"] for alert in alerts if alert["question"]]
                return "" if code in asked else f"open questions: {asked or 'none'}"
            case {"rule": rule, **rest}:
                own = [alert for alert in alerts if alert["rule"] == rule]
                if any(all(_is(alert, name, value) for name, value in rest.items()) for alert in own):
                    return ""
                names = ("evidence", "state", "remedy", *(name for name in rest if name in _MORE))
                return (
                    f"{rule} is {[tuple(alert.get(name) for name in names) for alert in own] or 'not there'}"
                )
            case {"now": code, **rest}:
                now = self.section("now")
                problem = _same("now", now.get("code"), code)
                if problem or "step_code" not in rest:
                    return problem
                return _same("step", now.get("params", {}).get("step"), rest["step_code"])
            case {"mark": [seat, code]}:
                marks = self.section("seat", str(seat)).get("marks", [])
                return "" if code in marks else f"marks of seat {seat}: {marks or 'none'}"
            case {"no_mark": seat}:
                return _same(
                    f"marks of seat {seat}", list(self.section("seat", str(seat)).get("marks", [])), []
                )
            case {"lamp": [device, state, *detail]}:
                lamp = self.section("device", device)
                shows = [lamp.get("state"), lamp.get("detail")][: 1 + len(detail)]
                return _same(f"lamp of {device}", shows, [state, *detail])
            case {"notice": [name, code]}:
                return _same(f"notice {name}", self.section("notice", name).get("code"), code)
            case {"assumed": [seat, action]}:
                found = self.section("seat", str(seat))
                assumed = "assumed" in found.get("marks", [])
                last = found.get("last_action", "")
                return "" if assumed and last == action else f"seat {seat}: {last}, assumed {assumed}"
            case {"hand": [seat, status]}:
                return _same(f"hand of seat {seat}", self.section("seat", str(seat)).get("hand"), status)
            case {"pot": amount}:
                return _same("pot", self.section("pot").get("total"), amount)
            case {"rake": amount}:
                return _same("rake", self.section("pot").get("rake", 0), amount)
            case {"drop": [name, amount]}:
                drops = dict(self.section("pot").get("drops", []))
                return _same(f"drop {name}", drops.get(name, 0), amount)
            case {"push": [seat, amount, *name]}:
                pushes = [[push["seat"], push["amount"], push["name"]] for push in self._pushes()]
                due = any(push[:2] == [seat, amount] and name in ([], push[2:]) for push in pushes)
                return "" if due else f"pushes are {pushes or 'none'}"
            case {"showing": seats}:
                return _same("who shows", self.section("now").get("params", {}).get("seats", []), seats)
            case {"odd": seat}:
                odd = [push["seat"] for push in self._pushes() if push.get("odd")]
                return "" if seat in odd else f"odd chips go to {odd or 'nobody'}"
            case {"street": street}:
                return _same("street", self.section("hand").get("street"), street)
            case {"button": seat}:
                return _same("button", self.section("hand").get("button"), seat)
            case {"blinds": [small, big]}:
                hand = self.section("hand")
                blinds = [hand.get("small_blind_seat"), hand.get("big_blind_seat")]
                return _same("blinds", blinds, [small, big])
            case {"stack": [seat, amount]}:
                return _same(f"stack of seat {seat}", self.section("seat", str(seat)).get("stack"), amount)
            case _:
                return "not a check that this version knows"


def _is(alert: dict[str, Any], name: str, wanted: Any) -> bool:
    """Whether an alert has it; of a source the beginning, of options the same ones."""
    found = alert.get(name)
    if name == "source":
        return str(found).startswith(wanted)
    return list(found or ()) == wanted if name == "options" else bool(found == wanted)


def _same(what: str, found: object, wanted: object) -> str:
    return "" if found == wanted else f"{what} is {found}"
