"""What the screens of a table show: one fact a section, from the running hand, the seats' own records and the devices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from dealer_assist.domain import facts as fx
from dealer_assist.table import project
from dealer_assist.table.hand import Hand
from dealer_assist.table.ports import (
    DeviceRestarted,
    ForbiddenData,
    LinkChanged,
    ShoeChanged,
    ShufflerChanged,
    ZoneTrouble,
)
from dealer_assist.table.project import Section
from dealer_assist.table.saves import saves_of
from dealer_assist.table.seats import Seats
from dealer_assist.table.setup import Setup

#: The sections that every hand has, beside its seats and alerts.
_OF_A_HAND: Final = (project.HAND, project.BOARD, project.POT, project.NOW, project.PAD)


class Screen:
    """The sections as they were last shown."""

    def __init__(self, setup: Setup, seats: Seats, clock_s: int = 0) -> None:
        self._setup = setup
        self._seats = seats
        #: how long a seat has on which the clock was called, by the house; 0: it has no clock
        self.clock_s = clock_s
        #: seats whose stack was set since the last hand began, outside a hand
        self.rebased: set[int] = set()
        #: houses that the table may play by
        self.houses: tuple[str, ...] = ()
        self._sections: dict[Section, fx.Fact] = {}
        self.keep(self._first())

    def facts(self) -> tuple[fx.Fact, ...]:
        """Every section once."""
        return tuple(self._sections.values())

    def keep(self, facts: Iterable[fx.Fact]) -> tuple[fx.Fact, ...]:
        """Take facts over; returns those that are not as they were before."""
        changed = []
        sections = self._sections
        for fact in facts:
            key = fx.section(fact)
            if sections.get(key) != fact:
                sections[key] = fact
                changed.append(fact)
        return tuple(changed)

    def draw(self, hand: Hand, sections: Iterable[Section]) -> list[fx.Fact]:
        """Draw these sections of the hand anew and take them over; returns those that are not as they were before."""
        shown = self._sections
        changed = []
        for section in sections:
            fact = self.section(hand, section)
            if shown.get(section) != fact:
                shown[section] = fact
                changed.append(fact)
        return changed

    def new_hand(self) -> list[Section]:
        """Alerts and notices of the last hand go. Returns their sections."""
        self.rebased.clear()
        return self._drop([section for section in self._sections if section[0] in ("alert", "notice")])

    def fallen_away(self, hand: Hand) -> list[Section]:
        """Alerts that an undo left without a cause go. Returns their sections."""
        alerts = hand.procedure.alerts
        return self._drop(
            [section for section in self._sections if section[0] == "alert" and section[1] not in alerts]
        )

    def has(self, section: Section) -> bool:
        """Whether this section is shown."""
        return section in self._sections

    def role_of(self, device: str) -> str:
        """The role of a device as its lamp says it."""
        lamp = self._sections.get(("device", device))
        return lamp.role if isinstance(lamp, fx.DeviceFact) else ""

    def _drop(self, gone: list[Section]) -> list[Section]:
        for section in gone:
            del self._sections[section]
        return gone

    # -- the table -------------------------------------------------------------------------------------------------------------

    def table(self, setup: Setup) -> fx.TableFact:
        """What the table plays by from now on."""
        self._setup, limits = setup, setup.limits
        return fx.TableFact(
            setup.name,
            setup.house,
            setup.game,
            limits.small_blind,
            limits.big_blind,
            limits.ante,
            setup.unit,
            setup.seats,
            setup.entry,
            setup.simulated,
            setup.language,
            setup.games or (setup.game,),
            limits.ante_kind,
            limits.kill,
            setup.tracking,
            self._seats.rules.buy_in_min,
            self._seats.rules.buy_in_max,
            self._seats.rules.first_button,
            tuple(sorted(limits.chips)),
            self.houses,
            self.clock_s,
        )

    def _first(self) -> list[fx.Fact]:
        return [
            self.table(self._setup),
            fx.HandFact("", 0, "idle", "preflop", None, None, None),
            fx.BoardFact((), 0, 0),
            fx.PotFact((), 0, 0),
            fx.NowFact("idle"),
            fx.PadFact(None, can_open=True),
            fx.UndoFact(),
            self.saves(None),
            *self.seats(None),
        ]

    # -- the hand --------------------------------------------------------------------------------------------------------------

    def hand(self, hand: Hand) -> list[fx.Fact]:
        """Every section of a hand."""
        alerts = [("alert", name) for name in hand.procedure.alerts]
        sections = (*_OF_A_HAND, *alerts)
        return [*(project.render(hand, section) for section in sections), self.saves(hand), *self.seats(hand)]

    def section(self, hand: Hand, section: Section) -> fx.Fact:
        """A section of the hand; a seat that is not in it is drawn from the table's own records."""
        kind, key = section
        if section == project.SAVES:
            return self.saves(hand)
        return self.seat(hand, int(key)) if kind == "seat" else project.render(hand, section)

    def saves(self, hand: Hand | None) -> fx.SavesFact:
        """What the alerts of this table came to; a hand that is over is in the ledger already."""
        before = self._seats.ledger.saves
        if hand is None or hand.result:
            return fx.SavesFact(before)
        return fx.SavesFact(before + saves_of(hand.procedure))

    def seats(self, hand: Hand | None) -> list[fx.Fact]:
        """Every seat of the table."""
        return [self.seat(hand, seat) for seat in self._setup.seats]

    def seat(self, hand: Hand | None, seat: int) -> fx.SeatFact:
        """A seat: of the running hand, or as it waits for the next one, with what the last one left to see."""
        dealt_in = hand is not None and seat in hand.procedure.order
        if hand is not None and dealt_in and not hand.result:
            fact = project.seat_fact(hand, seat)
            bought = self._seats.ledger.seat(seat).queued  # comes on the table when the hand is over
            return replace(fact, marks=(*fact.marks, "top_up")) if bought else fact
        record = self._seats.ledger.seat(seat)
        settlement = hand.settlement if hand is not None and dealt_in else None
        more = hand.pushed_more(seat) if hand is not None and dealt_in else 0
        marks = hand.procedure.marks.get(seat, ()) if hand is not None and not hand.result else ()
        marks = (*marks, *self._seats.marks(seat))
        return fx.SeatFact(
            seat,
            record.status,
            "none",
            record.stack,
            0,
            0,
            0,
            to_act=False,
            tabled=hand.faces_of(seat) if hand is not None and dealt_in else (),
            marks=(*marks, "rebased") if more or seat in self.rebased else marks,
            won=settlement.pushed().get(seat, 0) + more if settlement is not None else 0,
        )

    # -- devices ---------------------------------------------------------------------------------------------------------------

    def trouble(self, movement: ZoneTrouble) -> fx.NoticeFact:
        """What the zones say of an antenna."""
        code = "" if movement.kind == "clear" else f"zone_{movement.kind}"
        return fx.NoticeFact(f"zone/{movement.zone}", code, {"zone": movement.zone})

    def device(
        self, observation: LinkChanged | DeviceRestarted | ForbiddenData | ShufflerChanged | ShoeChanged
    ) -> fx.Fact:
        """What a device says of itself: its lamp, or a notice."""
        device = observation.device
        lamp = self._sections.get(("device", device))
        old = lamp if isinstance(lamp, fx.DeviceFact) else fx.DeviceFact(device, "reader", "ok")
        match observation:
            case LinkChanged():
                params = dict(observation.params)
                return fx.DeviceFact(
                    device, old.role, observation.state, old.zones, observation.detail, params
                )
            case DeviceRestarted():
                return fx.NoticeFact(f"restart/{device}", "device_restarted", {"device": device})
            case ForbiddenData():
                return fx.NoticeFact(f"forbidden/{device}", "forbidden_data", {"device": device})
            case ShoeChanged():
                detail = "" if observation.state == "counting" else f"shoe_{observation.state}"
                return fx.DeviceFact(device, "shoe", old.state, ("shoe",), detail)
            case ShufflerChanged():
                params = {"count": observation.count or 0, "expected": observation.expected or 0}
                return fx.DeviceFact(device, "shuffler", old.state, (), observation.state, params)
