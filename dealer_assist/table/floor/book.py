"""What waits for the floor's signature, and the alerts of the shift: kept over hands, and taken up again from the journal's marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal

import msgspec

from dealer_assist.domain.floor import ShiftAlert, UnsignedRuling
from dealer_assist.table.events import RulingEntered
from dealer_assist.table.hand import Hand

#: So long ago is not this shift.
SHIFT_S: Final = 12 * 3600
#: So many alerts are kept, and so many told at a time.
MOST_ALERTS: Final = 500
PAGE: Final = 40
_Key = tuple[str, str, str, int | None, int]


class Signed(msgspec.Struct, frozen=True):
    """Rulings that a floor supervisor signed, and up to which alert of the shift he had them before him."""

    number: int
    name: str
    rulings: tuple[UnsignedRuling, ...]
    alerts: int


class Book:
    """One table's. Numbers count from 1 and are never used twice."""

    def __init__(self) -> None:
        self.alerts: list[ShiftAlert] = []
        self._unsigned: dict[_Key, UnsignedRuling] = {}
        self._signed: set[_Key] = set()
        self._alert_number = 0
        self._ruling_number = 0
        self._running: tuple[UnsignedRuling, ...] = ()

    # -- as hands go on --------------------------------------------------------------------------------------------------------------

    def see(self, hand: Hand | None, now_s: int) -> None:
        """The rulings of the hand that is running, as they are now: one that was taken back is not among them."""
        if hand is None or hand.result:
            self._running = ()
            return
        self._running = tuple(self._to_sign(hand, now_s))

    def close(self, hand: Hand, now_s: int) -> list[tuple[str, Any]]:
        """A hand is over: what the journal keeps of its alerts and of rulings that nobody has signed."""
        marks: list[tuple[str, Any]] = []
        for ruling in self._to_sign(hand, now_s):
            self._unsigned[_key(ruling)] = ruling
            marks.append(("ruling_unsigned", ruling))
        told = list(self._told(hand, now_s))
        if told:
            self._keep(told, now_s)
            marks.append(("hand_alerts", told))
        self._running = ()
        return marks

    def _to_sign(self, hand: Hand, now_s: int) -> Iterator[UnsignedRuling]:
        known = {_key(ruling): ruling for ruling in self._running}
        alike: Counter[tuple[str, str, int | None]] = Counter()
        for entered in hand.rulings:
            kind = (entered.alert, entered.option, entered.seat)
            alike[kind] += 1
            ruling = _ruling(hand, entered, now_s, alike[kind])
            key = _key(ruling)
            if entered.by == "floor" or key in self._signed:
                continue
            if key in known:
                yield known[key]
                continue
            self._ruling_number += 1
            yield msgspec.structs.replace(ruling, number=self._ruling_number)

    def _told(self, hand: Hand, now_s: int) -> Iterator[ShiftAlert]:
        by: dict[str, Literal["dealer", "floor"]] = {ruling.alert: ruling.by for ruling in hand.rulings}
        for alert in hand.procedure.alerts.values():
            if alert.evidence == "possible":
                continue  # a quiet mark at the seat
            self._alert_number += 1
            yield ShiftAlert(
                self._alert_number,
                hand.procedure.hand,
                now_s,
                alert.rule,
                alert.evidence,
                alert.state,
                alert.street,
                alert.seat,
                alert.answered or "",
                alert.remedy or "",
                len(alert.steps),
                len([step for step in alert.steps if step.state == "done"]),
                alert.ruled or "",
                by.get(alert.id, "") if alert.ruled else "",
                alert.params,
            )

    def _keep(self, told: Iterable[ShiftAlert], now_s: int) -> None:
        self.alerts += told
        self.alerts = [alert for alert in self.alerts if alert.t_utc_s >= now_s - SHIFT_S][-MOST_ALERTS:]

    # -- what the floor does ---------------------------------------------------------------------------------------------------------

    @property
    def unsigned(self) -> tuple[UnsignedRuling, ...]:
        """What waits, the oldest first."""
        return (*self._unsigned.values(), *self._running)

    def sign(self, numbers: Iterable[int], number: int, name: str) -> Signed | None:
        """Sign these rulings, all where none is named; None where one of them does not wait."""
        wanted = set(numbers)
        signed = tuple([ruling for ruling in self.unsigned if not wanted or ruling.number in wanted])
        if len(signed) < len(wanted):
            return None
        for ruling in signed:
            self._signed.add(_key(ruling))
            self._unsigned.pop(_key(ruling), None)
        self._running = tuple([ruling for ruling in self._running if ruling not in signed])
        return Signed(number, name, signed, self._alert_number)

    def page(self, before: int) -> tuple[list[ShiftAlert], int]:
        """The last alerts before number ``before`` (0: all), the last first; and how many the shift has."""
        older = [alert for alert in self.alerts if not before or alert.number < before]
        return older[: -PAGE - 1 : -1], len(self.alerts)

    # -- the journal's marks -----------------------------------------------------------------------------------------------------------

    def take_up(self, name: str, payload: bytes, now_s: int) -> None:
        """One mark of the journal, in its order."""
        match name:
            case "ruling_unsigned":
                ruling = msgspec.json.decode(payload, type=UnsignedRuling)
                self._unsigned[_key(ruling)] = ruling
                self._ruling_number = max(self._ruling_number, ruling.number)
            case "rulings_signed":
                for ruling in msgspec.json.decode(payload, type=Signed).rulings:
                    self._signed.add(_key(ruling))
                    self._unsigned.pop(_key(ruling), None)
                    self._ruling_number = max(self._ruling_number, ruling.number)
            case "hand_alerts":
                told = msgspec.json.decode(payload, type=list[ShiftAlert])
                self._alert_number = max([self._alert_number, *[alert.number for alert in told]])
                self._keep(told, now_s)
            case _:
                pass


def _ruling(hand: Hand, entered: RulingEntered, now_s: int, nth: int) -> UnsignedRuling:
    return UnsignedRuling(
        0, hand.procedure.hand, entered.alert, entered.rule, entered.option, entered.seat, now_s, nth
    )


def _key(ruling: UnsignedRuling) -> _Key:
    return ruling.hand, ruling.alert, ruling.option, ruling.seat, ruling.nth
