"""Writes traces: what the devices would send and the dealer would tap, as JSON lines in virtual time (docs/traces.md)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from firmware_protocol.toml_errors import ConfigError, Problem
from hw_sim import steps as st
from hw_sim.antennas import SCAN_PERIOD_MS, Field, TagEvent
from hw_sim.cards import FACES, FIRST_DECK, OTHER_DECK, deck_map, tags_of
from hw_sim.fault_desk import FaultDesk
from hw_sim.fault_field import FaultyField
from hw_sim.faults import Unsupported, entry_of
from hw_sim.noise import CLEAN, Profile
from hw_sim.noisy_field import field_of
from hw_sim.physics import Movement
from hw_sim.shoe import Counted, ShoeSensor

READER: Final = "reader-1"
SHUFFLER: Final = "shuffler-1"
SHOE: Final = "shoe-1"
SEATS: Final = tuple(range(1, 12))
ANTENNAS: Final = {
    **{f"seat{seat}": seat for seat in SEATS},
    "board": 12,
    "burn": 13,
    "muck": 14,
    "board2": 15,
    "board3": 16,
}
GATE: Final = "gate-1"
GATE_ANTENNAS: Final = {"gate": 1}
#: From a scan to the host, in virtual ms.
LATENCY_MS: Final = 12
#: Open loop: how long an expectation is given before it is checked.
ALERT_MS: Final = 5500


class TraceWorld:
    """A :class:`~hw_sim.director.World` that writes lines. One reader, one shuffler, a gate where a hand has cards on it."""

    def __init__(
        self,
        write: Callable[[str], object],
        *,
        seed: int = 1,
        profile: Profile = CLEAN,
        shoe_error_rate: float = 0.0,
    ) -> None:
        self._write = write
        self._seed = seed
        self._shoe_error_rate = shoe_error_rate
        self._shoe: ShoeSensor | None = None
        self._tags = tags_of(seed)
        # a card is held to the gate until it is read
        self._source = ""
        self._deck = len(FACES)
        self._faults: FaultDesk | None = None
        self._fields: dict[str, Field] = {
            READER: field_of(ANTENNAS, self._tags, profile.sensing, seed=seed),
            GATE: Field(GATE_ANTENNAS, self._tags),
        }
        self._noise = profile.name
        self._header: tuple[Any, ...] | None = None
        self._shift = 0

    # -- World -----------------------------------------------------------------------------------------------------------------------

    def prepare(self, hand: st.Hand, now_ms: int) -> int:
        """Header when the table changed."""
        if self._header is None:
            for field in self._fields.values():
                field.until(now_ms - LATENCY_MS)  # what a reader says before the first hand nobody hears
        self.until(now_ms)
        self._head(hand)
        self._source = hand.source
        self._deck = len(hand.plan.faces)
        if not hand.shoe:
            self._shoe = None
        elif self._shoe is None or self._shoe.sees_faces != (hand.shoe == "sees"):
            self._shoe = ShoeSensor(
                sees_faces=hand.shoe == "sees", error_rate=self._shoe_error_rate, seed=self._seed
            )
            self._shoe.tell = self._shoe_said
        if any(isinstance(step, st.Inject) for step in (*hand.before, *hand.steps)):
            self._breakable(with_shuffler=hand.shuffler != "none")
        for field in self._fields.values():
            field.begin_hand(now_ms)
        return max(now_ms, self._shift)

    def _breakable(self, *, with_shuffler: bool) -> None:
        """A hand with faults: from now on the reader's antennas can be broken."""
        field = self._fields[READER]
        if not isinstance(field, FaultyField):
            field = self._fields[READER] = FaultyField(field, ANTENNAS, tags_of(self._seed), seed=self._seed)
        self._faults = FaultDesk("trace", field, self._said if with_shuffler else None)
        self._faults.add_shoe(self._shoe)

    def open_hand(self, hand: st.Hand, now_ms: int) -> int:
        """A complete deck unless the script sees to that, then the opening."""
        if hand.shuffler == "auto":
            now_ms = self.shuffler(hand, st.ShufflerState("ready"), now_ms)
            now_ms = self.shuffler(hand, st.ShufflerVerdict(len(hand.plan.faces)), now_ms)
        self.until(now_ms)
        self._line(now_ms, open_hand=hand.opening)
        return now_ms + 400

    def shuffler(self, hand: st.Hand, says: st.Says, now_ms: int) -> int:
        """Write what the shuffler says."""
        self.until(now_ms)
        self._said(says, now_ms)
        return now_ms

    def _said(self, says: st.Says, now_ms: int) -> None:
        t_ms = now_ms - LATENCY_MS
        match says:
            case st.ShufflerState(state):
                self._line(now_ms, dev=SHUFFLER, msg="shuffler_state", t_ms=t_ms, state=state)
            case st.ShufflerVerdict():
                result, count, expected = says.message(self._deck)
                self._line(
                    now_ms,
                    dev=SHUFFLER,
                    msg="shuffler_verdict",
                    t_ms=t_ms,
                    result=result,
                    count=count,
                    expected=expected,
                )

    def _shoe_said(self, state: str, now_ms: int) -> None:
        assert self._shoe is not None
        self._line(
            now_ms,
            dev=SHOE,
            msg="shoe_state",
            t_ms=now_ms - LATENCY_MS,
            state=state,
            count=self._shoe.number,
        )

    def moves(self, movements: list[Movement]) -> None:
        """Remember what the antennas will see."""
        for movement in movements:
            for field in self._fields.values():
                field.move(movement)
            if self._shoe is not None:
                self._shoe.move(movement)

    def until(self, t_ms: int) -> int:
        """Write the reports up to a time; faults whose time is over end on the way."""
        faults = self._faults
        while faults is not None and (end_ms := faults.next_ms()) is not None and end_ms <= t_ms:
            self._reports(end_ms)
            faults.tick(end_ms, end_ms)
        self._reports(t_ms)
        return t_ms

    def _reports(self, t_ms: int) -> None:
        events: list[tuple[TagEvent | Counted, str]] = [
            (event, device)
            for device, field in self._fields.items()
            for event in field.until(t_ms - LATENCY_MS)
        ]
        if self._shoe is not None:
            events += [(counted, SHOE) for counted in self._shoe.until(t_ms - LATENCY_MS)]
        for event, device in sorted(events, key=lambda told: told[0].t_ms):
            if isinstance(event, Counted):
                self._counted(event)
            else:
                self._report(device, event)

    def read_for_ms(self, face: str, zone: str, now_ms: int) -> int:
        """For how long at the most the zone's antenna has read this card in this hand, but for flickers."""
        return self._fields[READER].read_for_ms(face, zone, now_ms)

    def tap(self, tap: st.Tap, now_ms: int) -> int:
        """Write a tap."""
        self._line(now_ms, tap=tap.command, **({"refused": tap.refused} if tap.refused else {}))
        return now_ms

    def check(self, check: st.Check, now_ms: int) -> int:
        """Open loop: let time pass where something has to come by itself, then write the check."""
        if check.settle_ms == 0 and not ({"pot", "rake", "drop", "stack", "street"} & check.wanted.keys()):
            now_ms = self.until(now_ms + ALERT_MS)
        at = {"scenario_line": check.line} if check.line else {}
        self._line(now_ms, expect_now=check.wanted, **at)
        return now_ms

    def fault(self, fault: st.Fault, now_ms: int) -> None:
        """A trace holds messages, not cables: faults of the line leave nothing in it."""

    def break_down(self, step: st.Inject, now_ms: int) -> None:
        """A fault begins or ends, of those that leave something in a trace. Raises ConfigError where it cannot be done."""
        self.until(now_ms)
        assert self._faults is not None
        try:
            self._faults.apply(step.fault, now_ms, now_ms)
        except Unsupported as error:
            raise _refused(self._source, step, error.expected) from None

    def close_hand(self, hand: st.Hand, now_ms: int) -> int:
        """Write what must have come of the hand."""
        now_ms = self.until(now_ms + 1500)
        self._line(now_ms, expect=hand.expect)
        return now_ms + 500

    # -- lines -----------------------------------------------------------------------------------------------------------------------

    def _head(self, hand: st.Hand) -> None:
        key = (
            hand.source,
            hand.small_blind,
            hand.big_blind,
            hand.ante,
            str(hand.stakes),
            hand.house,
            hand.game,
            hand.entry,
            hand.tracking,
            hand.unit,
            str(hand.rake),
            hand.chips,
            str(hand.registered),
            hand.shuffler == "none",
            hand.decks,
            "gate" in hand.places(),
            self._sensing(hand),
            hand.shoe,
        )
        if key == self._header:
            return
        self._header = key
        devices: list[dict[str, Any]] = [
            _device(READER, "reader", ANTENNAS, scan_period_ms=self._fields[READER].scan_period_ms)
        ]
        if hand.shuffler != "none":
            devices.append(_device(SHUFFLER, "shuffler", {}))
        if hand.shoe:
            devices.append(_device(SHOE, "shoe", {}))
        if "gate" in hand.places():
            devices.append(_device(GATE, "gate", GATE_ANTENNAS, scan_period_ms=SCAN_PERIOD_MS))
        faces = hand.plan.faces
        decks = [
            {
                "name": FIRST_DECK,
                "simulated": True,
                "cards": deck_map(self._seed, hand.registered, faces),
            },
            {
                "name": OTHER_DECK,
                "simulated": True,
                "cards": deck_map(self._seed, {}, faces, OTHER_DECK),
            },
        ]
        header = {
            "trace": 1,
            "source": hand.source,
            "table": "T1",
            "house": hand.house,
            "game": hand.game,
            "entry": hand.entry,
            **({"tracking": hand.tracking} if hand.tracking != "full" else {}),
            "unit": hand.unit,
            "limits": {
                "small_blind": hand.small_blind,
                "big_blind": hand.big_blind,
                "ante": hand.ante,
                **hand.stakes,
                **({"chips": list(hand.chips)} if hand.chips else {}),
            },
            **({"rake": hand.rake} if hand.rake else {}),
            "sensing": self._sensing(hand),
            "devices": devices,
            **({"decks": decks} if hand.decks > 1 else {"deck": decks[0]}),
        }
        self._write(json.dumps(header, separators=(",", ":")) + "\n")

    def _sensing(self, hand: st.Hand) -> str:
        """How well the table may think that its antennas read: ``clean`` only where they miss none of the deal."""
        pitches = [step for step in hand.steps if isinstance(step, st.Pitch | st.DealRest)]
        missing = any(getattr(step, "unread", False) or step.late_ms for step in pitches)
        if self._noise in ("fine", "bad"):
            return self._noise
        return "table" if missing or self._noise != "clean" else "clean"

    def _report(self, device: str, event: TagEvent) -> None:
        at_ms = event.t_ms + LATENCY_MS
        if event.kind == "restarted":
            self._line(at_ms, dev=device, msg=event.kind, t_ms=event.t_ms)
            return
        told: dict[str, Any]
        match event.kind:
            case "scan_failed":
                told = {"reason": "crc"}
            case "inventory":
                told = {"uids": [uid.hex().upper() for uid in event.uids]}
            case _:
                told = {"uid": event.uid.hex().upper()}
        scan = {"t_ms": event.t_ms, "scan": event.scan, "scan_period_ms": self._fields[device].scan_period_ms}
        self._line(at_ms, dev=device, msg=event.kind, antenna=event.antenna, **told, **scan)

    def _counted(self, exit_: Counted) -> None:
        self._line(
            exit_.t_ms + LATENCY_MS,
            dev=SHOE,
            msg="shoe_exit",
            t_ms=exit_.t_ms,
            number=exit_.number,
            face=exit_.face,
        )

    def _line(self, at_ms: int, /, **fields: Any) -> None:
        self._write(json.dumps({"t": at_ms, **fields}, separators=(",", ":")) + "\n")


def live_only(hand: st.Hand) -> ConfigError | None:
    """What in a hand happens on real ports only, so that no trace can hold it; None: nothing."""
    for step in (*hand.before, *hand.steps):
        if isinstance(step, st.Inject) and "trace" not in entry_of(step.fault).where:
            return _refused(hand.source, step, "a fault that a trace can hold: this one needs hw-sim run")
        if isinstance(step, st.Check) and "lamp" in step.wanted:
            return _refused(hand.source, step, "nothing about lamps: a trace has none, they need hw-sim run")
    return None


def _refused(source: str, step: st.Inject | st.Check, expected: str) -> ConfigError:
    text = step.text if isinstance(step, st.Inject) else "expect lamp"
    return ConfigError(source, [Problem(step.line, 1, "script", expected, repr(text))])


def _device(name: str, role: str, antennas: dict[str, int], **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "role": role,
        "antennas": {str(number): zone for zone, number in antennas.items()},
        **more,
    }
