"""Calibration on a picture of the table: the antenna to touch is lit, those that are done are ticked, what is missing is skipped."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Command
from dealer_assist.domain.equipment import Calibrate, SetupFact, SetupStep
from dealer_assist.domain.link import Result
from dealer_assist.station import theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.pages.antennas import AntennaPage
from dealer_assist.station.pages.faces import draw_progress
from dealer_assist.station.pages.page import RIGHT
from dealer_assist.station.pages.table_picture import Spot, SpotKey
from dealer_assist.station.theme import Metrics
from dealer_assist.station.wording import refusal

_STEPS: Final = {"skip": "skip", "back": "back", "keep": "finish", "leave": "cancel"}
#: Notes that ask for something.
_ASKING: Final = frozenset({"other_antenna", "mangled", "not_stored", "poor"})


class CalibrationPage(AntennaPage):
    """Opened from the table's menu. Places that are tapped before it begins are the only ones that are measured."""

    name = "calibration"
    behind_badge = True
    wants_number = False

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, metrics)
        self._picked: frozenset[str] = frozenset()
        self.add_key("begin", role="go", size=30, shortcut="⏎")
        self.add_key("none", size=28, shortcut="N")
        self.add_key("skip", size=28, shortcut="S")
        self.add_key("back", size=28, shortcut="A")
        self.add_key("keep", role="go", size=28, shortcut="K")
        self.add_key("leave", size=28, shortcut="L")

    def opened(self) -> None:
        """Nothing is chosen."""
        self._picked = frozenset()

    def left(self) -> None:
        """A calibration that nobody looks at is left off."""
        self.leave_off("calibration")

    def answered(self, command: Command, result: Result) -> None:
        """A refusal is said."""
        if isinstance(command, Calibrate | SetupStep) and not result.ok and self.tr_ is not None:
            self.say(refusal(self.tr_, result.code, result.params))

    def lay_out(self, tr: Translator, box: QRectF) -> None:
        """The picture; under it what to do now; the keys."""
        fact = self.state.setup
        going = fact.what == "calibration"
        gap = self.gap
        keys_top = box.bottom() - self.key_h
        said_h = self.px(112)
        self.lay_out_picture(
            tr, QRectF(box.left(), box.top(), box.width(), keys_top - gap * 2 - said_h - box.top())
        )
        said = QRectF(box.left(), keys_top - gap - said_h, box.width(), said_h)
        if going:
            self._going(tr, fact, said)
            codes = ["skip", "back", "keep", "leave"]
        else:
            self._idle(tr, fact, said)
            codes = ["begin", "none"] if self._picked else ["begin"]
        self.put_row(codes, QRectF(box.left(), keys_top, box.width(), self.key_h))
        for code in codes:
            self.keys[code].say(tr(f"page_calibration.{code}"))
            self.keys[code].setEnabled(self.ready)
        if not going:
            zones = [antenna.zone for antenna in self.state.antennas]
            count = len([zone for zone in zones if not self._picked or zone in self._picked])
            self.keys["begin"].say(tr("page_calibration.begin", count=count))
            self.keys["begin"].setEnabled(self.ready and bool(count) and not fact.what)

    def _going(self, tr: Translator, fact: SetupFact, box: QRectF) -> None:
        """What to touch, what was heard last, how far it is."""
        half = box.height() / 2
        left = box.width() * 0.68
        title = tr("page_calibration.touch", zone=fact.zone)
        self.write(title, QRectF(box.left(), box.top(), left, half), 34, ink=theme.GOLD, weight=700)
        count = QRectF(box.left() + left, box.top(), box.width() - left, half)
        self.write(tr("page_decks.of", done=fact.done, of=fact.of), count, 32, weight=700, align=RIGHT)
        note = tr.coded("setup_note", fact.note, dict(fact.params)) if fact.note else ""
        asking = fact.note in _ASKING
        self.write(
            note,
            QRectF(box.left(), box.top() + half, left, half),
            27,
            ink=theme.MEDIUM if asking else theme.QUIET,
            weight=700 if asking else 500,
            lines=2,
        )
        bar = QRectF(
            box.left() + left + self.gap, box.top() + half * 1.5 - 7, box.width() - left - self.gap, 14
        )
        self.draw(partial(draw_progress, box=bar, done=fact.done, of=fact.of))

    def _idle(self, tr: Translator, fact: SetupFact, box: QRectF) -> None:
        half = box.height() / 2
        if fact.what:
            self.write(tr("page_calibration.busy"), box, 28, ink=theme.MEDIUM, weight=600, lines=2)
            return
        said = tr("page_calibration.help") if self.state.antennas else tr("page_calibration.no_antennas")
        self.write(said, QRectF(box.left(), box.top(), box.width(), half), 27, lines=2)
        if fact.note in ("calibrated", "cancelled", "not_stored"):
            note = tr.coded("setup_note", fact.note, dict(fact.params))
            ink = theme.MEDIUM if fact.note == "not_stored" else theme.GOOD
            self.write(note, QRectF(box.left(), box.top() + half, box.width(), half), 27, ink=ink, weight=600)

    def show_spot(self, tr: Translator, spot: Spot, key: SpotKey, title: str) -> None:
        """While it goes on, how far each is; else what it came to."""
        going = self.state.setup.what == "calibration"
        touched = {(view.device, view.antenna): view.state for view in self.state.setup.touches}
        known = {(view.device, view.antenna): view.state for view in self.state.antennas}
        state = touched.get(spot.key, "unmeasured" if going else known.get(spot.key, "unmeasured"))
        said = tr(f"antenna_state.{state}")
        if going and spot.key not in touched:
            said = tr("antenna_state.left_out")
        key.show_spot(title, said, state, lit=state == "now", picked=not going and spot.zone in self._picked)
        key.setEnabled(self.ready and not self.state.setup.what)

    def on_key(self, code: str) -> None:
        """Begin, take a step, or choose antennas."""
        self.note = ""
        antenna = self.antenna_of(code)
        if antenna is not None:
            self._picked ^= {self.spots[antenna].zone}
        elif code == "none":
            self._picked = frozenset()
        elif code == "begin":
            zones = dict.fromkeys(spot.zone for spot in self.spots.values() if spot.zone in self._picked)
            self.sets_up = True
            self.command.emit(Calibrate(tuple(zones)))
        else:
            self.sets_up = True
            self.command.emit(SetupStep(_STEPS[code]))  # type: ignore[arg-type]
        self.arrange()
