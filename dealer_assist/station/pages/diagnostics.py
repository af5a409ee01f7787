"""Diagnostics: what each antenna sees, never which card; what was measured of it; what each device's line has suffered."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtCore import QRectF, QTimer
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Command
from dealer_assist.domain.equipment import AntennaView, Diagnose, LinkView, SaveTrace
from dealer_assist.domain.link import Result
from dealer_assist.domain.zones import seat_of
from dealer_assist.station import theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.pages.antennas import AntennaPage
from dealer_assist.station.pages.page import CENTRE, LEFT, RIGHT, Leaves
from dealer_assist.station.pages.rows import Cell, RowKey
from dealer_assist.station.pages.table_picture import STATES, Spot, SpotKey, spot_title
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import refusal

View = Literal["antennas", "figures", "devices"]
VIEWS: Final[tuple[View, ...]] = ("antennas", "figures", "devices")
#: For how long the table is asked to tell what the antennas see, and when it is asked again.
ASK_S: Final = 600
AGAIN_MS: Final = 540_000
_LINES: Final = 8
#: Counters that only say that a device is alive.
NO_FAULTS: Final = frozenset({"frames", "sessions", "events", "setup_done"})
_WELL: Final = ("ok", "plain_line")
#: Columns of the figures: code, share of the width.
_COLUMNS: Final = (
    ("zone", 0.2),
    ("state", 0.2),
    ("read", 0.13),
    ("badly", 0.13),
    ("ghost", 0.13),
    ("scan", 0.13),
    ("bleeds", 0.2),
)


class DiagnosticsPage(AntennaPage):
    """Opened from the table's menu, also in a hand. It asks for the live view when it opens, and gives it up when it closes."""

    name = "diagnostics"
    behind_badge = True
    stays_in_hand = True

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, metrics)
        self._view: View = "antennas"
        self._leaves = Leaves()
        self._timer = QTimer(self)
        self._timer.setInterval(AGAIN_MS)
        self._timer.timeout.connect(self._ask)
        for view, letter in zip(VIEWS, "QWE", strict=True):
            self.add_key(view, size=28, shortcut=letter)
        self.add_key("save", size=28, shortcut="S")
        self.add_key("earlier", size=28, shortcut=",")
        self.add_key("later", size=28, shortcut=".")
        for number in range(_LINES):
            code = f"device-{number}"
            key = RowKey(self, code, px=metrics.text_px(24))
            key.hide()
            self.keys[code], self._sizes[code] = key, 24

    def opened(self) -> None:
        """Ask for the live view."""
        self._view, self._leaves = "antennas", Leaves()
        self._ask()
        self._timer.start()

    def left(self) -> None:
        """Nobody looks any more."""
        self._timer.stop()
        if self.ready:
            self.command.emit(Diagnose(0))

    def _ask(self) -> None:
        if self.ready:
            self.command.emit(Diagnose(ASK_S))

    def show_state(self, tr: Translator, state: ViewState, *, ready: bool) -> None:
        """Follow the state; a table that has come back is asked anew."""
        back = ready and not self.ready and self._timer.isActive()
        super().show_state(tr, state, ready=ready)
        if back:
            self._ask()

    def answered(self, command: Command, result: Result) -> None:
        """A refusal is said, and where the recording lies."""
        if self.tr_ is None or not isinstance(command, Diagnose | SaveTrace):
            return
        if not result.ok:
            self.say(refusal(self.tr_, result.code, result.params))
        elif isinstance(command, SaveTrace):
            file = str(result.params.get("path", "")).rpartition("/")[2]
            self.say(self.tr_("page_diagnostics.saved", count=int(result.params.get("hands", 0)), file=file))

    def on_key(self, code: str) -> None:
        """Another view, another leaf, or the recording."""
        self.note = ""
        if code == "save":
            self.command.emit(SaveTrace())
        elif code in ("earlier", "later"):
            self._leaves.turn(1 if code == "later" else -1)
        else:
            chosen = next((view for view in VIEWS if view == code), None)
            if chosen is not None:
                self._view, self._leaves = chosen, Leaves()
        self.arrange()

    # -- what is shown -----------------------------------------------------------------------------------------------------

    def lay_out(self, tr: Translator, box: QRectF) -> None:
        """The chosen view; what checks less; the keys."""
        gap = self.gap
        keys_top = box.bottom() - self.key_h
        said_h = self.px(64)
        body = QRectF(box.left(), box.top(), box.width(), keys_top - gap * 2 - said_h - box.top())
        self._leaves.count = 1
        if self._view == "antennas":
            self.lay_out_picture(tr, body)
        elif self._view == "figures":
            self._figures(tr, body)
        else:
            self._devices(tr, body)
        said = QRectF(box.left(), keys_top - gap - said_h, box.width(), said_h)
        for code, zones in (("by_hand", self.state.tap_zones), ("reduced", tuple(self._reduced()))):
            if zones:
                places = tr.listed([tr("page_diagnostics.place", zone=zone) for zone in zones])
                text, ink = tr(f"page_diagnostics.{code}", places=places), theme.MEDIUM
                break
        else:
            text, ink = tr("page_diagnostics.full"), theme.QUIET
        self.write(text, said, 26, ink=ink, weight=600 if ink == theme.MEDIUM else 500, lines=2)
        turning = ["earlier", "later"] if self._leaves.count > 1 else []
        self.put_row([*VIEWS, "save", *turning], QRectF(box.left(), keys_top, box.width(), self.key_h))
        for code in (*VIEWS, "save", *turning):
            self.keys[code].say(tr(f"page_diagnostics.{code}"))
            self.keys[code].set_role("chosen" if code == self._view else "plain")
        self.keys["save"].setEnabled(self.ready)

    def _reduced(self) -> list[str]:
        """Zones whose silence says little, by what the table says."""
        return [
            str(notice.params.get("zone", ""))
            for notice in self.state.notices
            if notice.code == "reduced_checking"
        ]

    def show_spot(self, tr: Translator, spot: Spot, key: SpotKey, title: str) -> None:
        """Occupied or not, and how many cards; the shape says how well it reads, or that its device is away."""
        antenna = self._antenna(spot)
        device = next((device for device in self.state.devices if device.id == spot.key[0]), None)
        away = device is not None and device.state not in _WELL
        state = "away" if away else antenna.state
        if state == "good" and spot.zone in self._reduced():
            state = "poor"
        if away and device is not None:
            said = tr(f"device_state.{device.state}")
        elif antenna.cards is None:
            said = "–"
        elif antenna.cards:
            said = tr("page_diagnostics.cards", count=antenna.cards)
        else:
            said = tr("page_diagnostics.empty")
        key.show_spot(title, said, state, picked=bool(antenna.cards))

    def _antenna(self, spot: Spot) -> AntennaView:
        return next(view for view in self.state.antennas if (view.device, view.antenna) == spot.key)

    # -- figures -----------------------------------------------------------------------------------------------------------

    def _figures(self, tr: Translator, box: QRectF) -> None:
        """What calibration measured, a line an antenna."""
        line_h = self.px(52)
        per_leaf = max(1, int((box.height() - line_h) / line_h))
        seen = {spot.key: spot for spot in self._all_spots()}
        order = sorted(
            self.state.antennas, key=lambda view: (seat_of(view.zone) or 99, view.zone, view.antenna)
        )
        shown = self._leaves.cut(order, per_leaf)
        self._line(
            [(tr(f"page_diagnostics.col_{code}"), theme.QUIET) for code, _ in _COLUMNS],
            QRectF(box.left(), box.top(), box.width(), line_h),
        )
        for number, view in enumerate(shown, 1):
            known = view.scans > 0 and view.state != "missing"
            figures = [
                (spot_title(tr, seen[view.device, view.antenna]), theme.TEXT),
                (tr(f"antenna_state.{view.state}"), STATES[view.state][1]),
                (_percent(tr, view.hit_per_10k) if known else "–", theme.TEXT),
                (_percent(tr, view.badly_placed_per_10k) if known else "–", theme.TEXT),
                (_percent(tr, view.ghost_per_10k) if known else "–", theme.TEXT),
                (
                    tr("page_diagnostics.ms", count=view.scan_period_ms) if view.scan_period_ms else "–",
                    theme.TEXT,
                ),
                (", ".join(tr("page_diagnostics.place", zone=zone) for zone in view.bleeds_to), theme.MEDIUM),
            ]
            top = box.top() + number * line_h
            if number % 2:
                self.panel(QRectF(box.left(), top, box.width(), line_h), theme.WELL)
            self._line(figures, QRectF(box.left(), top, box.width(), line_h))

    def _line(self, figures: list[tuple[str, str]], box: QRectF) -> None:
        whole = sum(share for _, share in _COLUMNS)
        left = box.left() + 8
        for (text, ink), (code, share) in zip(figures, _COLUMNS, strict=True):
            width = (box.width() - 16) * share / whole
            align = LEFT if code in ("zone", "state", "bleeds") else RIGHT
            room = QRectF(left, box.top(), width - self.gap, box.height())
            if code == "bleeds":
                room.setLeft(room.left() + self.gap)
            self.write(text, room, 24, ink=ink, weight=700 if code == "zone" else 500, align=align, lines=2)
            left += width

    def _all_spots(self) -> list[Spot]:
        """The antennas with their number among those of their zone."""
        of_zone: dict[str, list[AntennaView]] = {}
        for view in self.state.antennas:
            of_zone.setdefault(view.zone, []).append(view)
        return [
            Spot((view.device, view.antenna), zone, index + 1 if len(views) > 1 else 0, QRectF())
            for zone, views in of_zone.items()
            for index, view in enumerate(sorted(views, key=lambda view: (view.device, view.antenna)))
        ]

    # -- devices -----------------------------------------------------------------------------------------------------------

    def _devices(self, tr: Translator, box: QRectF) -> None:
        """A line a device: its state, what it says it is, how often it was lost, its faults."""
        gap = 6
        line_h = self.key_h
        per_leaf = min(_LINES, max(1, int((box.height() + gap) / (line_h + gap))))
        shown = self._leaves.cut(self.state.links, per_leaf)
        if not shown:
            self.write(tr("page_diagnostics.waiting"), box, 30, ink=theme.QUIET, align=CENTRE, lines=2)
        for number, link in enumerate(shown):
            code = f"device-{number}"
            key = self.keys[code]
            assert isinstance(key, RowKey)
            self.put(code, QRectF(box.left(), box.top() + number * (line_h + gap), box.width(), line_h))
            key.set_role("outline")
            key.setEnabled(False)  # there is nothing to tap: it is a line to read
            key.show_row(self._cells(tr, link), shape=_lamp(link.state))

    def _cells(self, tr: Translator, link: LinkView) -> tuple[Cell, ...]:
        state = tr(f"device_state.{link.state}")
        lamp = next((device for device in self.state.devices if device.id == link.device), None)
        if link.detail and tr.has(f"device_detail.{link.detail}"):
            params = {} if lamp is None else lamp.params
            state = f"{state}: {tr.fitting(f'device_detail.{link.detail}', params)}"
        role = tr(f"role.{link.role}") if tr.has(f"role.{link.role}") else link.role
        what = " ".join(part for part in (link.maker, link.model, link.firmware) if part)
        faults = [
            f"{tr(f'counter.{name}')} {tr.number(count)}"
            for name, count in sorted(link.counters.items())
            if count and name not in NO_FAULTS
        ]
        lost = tr("page_diagnostics.lost", count=link.losses) if link.losses else ""
        return (
            Cell(f"{role} {link.device}", 0.27, weight=700),
            Cell(state, 0.2, theme.DEVICE_STATES.get(link.state, (theme.TEXT, ""))[0], 600),
            Cell(what or "–", 0.23, theme.QUIET),
            Cell(lost, 0.13, theme.MEDIUM if link.losses else theme.QUIET),
            Cell(
                " · ".join(faults) or tr("page_diagnostics.no_faults"),
                0.25,
                theme.MEDIUM if faults else theme.QUIET,
            ),
        )


def _lamp(state: str) -> tuple[str, str]:
    colour, shape = theme.DEVICE_STATES.get(state, (theme.QUIET, "ring"))
    return shape, colour


def _percent(tr: Translator, per_10k: int) -> str:
    """Of 10,000, as a percentage with one decimal."""
    whole, rest = divmod(round(per_10k / 10), 10)
    return f"{whole}{tr('format.decimal')}{rest} %"
