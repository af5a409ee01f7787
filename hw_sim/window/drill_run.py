"""``hw-sim drill``: scenarios dealt up to their irregularity, and a window to put it right in."""

from __future__ import annotations

import argparse
import signal
import sys
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QPushButton

from hw_sim.director import begin
from hw_sim.drill import Drill, Judge, Score, drill_of
from hw_sim.hands import load_hands
from hw_sim.live import LiveWorld
from hw_sim.report import Reporter
from hw_sim.window.model import HandTable
from hw_sim.window.table_window import TableWindow

_SIZE: Final = (1180, 760)
LOOK_MS: Final = 100
#: How long a person has for a recovery, in virtual ms.
PATIENCE_MS: Final = 240_000


class DrillWorld(LiveWorld):
    """Lets the window live while a hand is dealt."""

    def turn(self) -> None:
        """One round of everything that talks, and of the window."""
        super().turn()
        QApplication.processEvents()


class DrillRun:
    """One drill after the other in a window. ``over``: all are done."""

    def __init__(self, world: LiveWorld, window: TableWindow, drills: list[Drill]) -> None:
        self._world = world
        self._window = window
        self._drills = drills
        self._at = 0
        self._judge: Judge | None = None
        self.scores: list[Score] = []
        self._looks = QTimer(window)
        self._looks.timeout.connect(self._look)
        self.next_key = QPushButton("Next drill")
        self.next_key.clicked.connect(self.begin)
        self.next_key.hide()
        layout = window.layout()
        assert layout is not None
        layout.addWidget(self.next_key)

    def begin(self) -> None:
        """Deal the next drill up to its irregularity and hand it over; after the last one close the window."""
        self.next_key.hide()
        if self._at == len(self._drills):
            self._window.close()
            return
        drill = self._drills[self._at]
        self._at += 1
        window, world = self._window, self._world
        window.hold(True)
        window.stripe.setText(
            f"Drill {self._at} of {len(self._drills)}: {drill.hand.title} · the hand is being dealt…"
        )
        self._leave_open_hand()
        cards, _ = begin(drill.hand, world, world.now_ms())
        window.table.take_over(cards.places)
        window.table.empty = set(world.seats) - set(drill.hand.seats())
        for seat in drill.exposed:
            lying = window.table.places[f"seat{seat}"]
            if lying:
                window.table.turn(lying[-1].card)
        window.scene.show_cards()
        window.scene.set_button(drill.hand.opening["button"])
        window.hold(False)
        window.stripe.setText("YOUR TURN: answer on the dealer's screen, and put the cards right here")
        self._judge = Judge(drill, PATIENCE_MS)
        self._looks.start(LOOK_MS)

    def _leave_open_hand(self) -> None:
        """The hand of the drill before goes back, chips and cards; the floor does that."""
        dealer = self._world.dealer
        assert dealer is not None
        if not dealer.closed:
            dealer.tap({"kind": "void"})
        self._world.moves(self._window.table.gather(self._world.now_ms()))
        self._window.scene.show_cards()

    def _look(self) -> None:
        judge, dealer = self._judge, self._world.dealer
        if judge is None or dealer is None:
            return
        judge.look(dealer.alerts, self._world.now_ms())
        if judge.score is None:
            return
        self._looks.stop()
        self.scores.append(judge.score)
        print(judge.score.line(), flush=True)
        self._window.stripe.setText(judge.score.line())
        self.next_key.setText("Next drill" if self._at < len(self._drills) else "Finish")
        self.next_key.show()

    def stop(self) -> None:
        """Nothing is looked at any more."""
        self._looks.stop()


def run_drills(args: argparse.Namespace) -> int:
    """Open the devices and the window, and run the drills; returns when it is closed. Raises NoDrill before anything is opened."""
    drills = [drill_of(hand) for hand in load_hands(args.files, args.house, None)]
    application = QApplication.instance() or QApplication(sys.argv[:1])
    hands = [drill.hand for drill in drills]
    world = DrillWorld(
        args.folder.absolute(),
        args.socket,
        speed=args.speed,
        seed=args.seed,
        gate=False,
        reporter=Reporter(sys.stderr),
        hands=hands,
    )
    window = TableWindow(world, HandTable(world.seats, args.seed), seed=args.seed, button=1)
    window.setWindowTitle("Simulated table: drills")
    window.resize(*_SIZE)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: window.close())
    run = DrillRun(world, window, drills)
    window.hold(True)
    window.stripe.setText("Waiting for the table…")
    window.show()
    print(f"ready {args.folder}", flush=True)
    try:
        assert world.dealer is not None
        world.dealer.wait_ready()
        QTimer.singleShot(0, run.begin)
        application.exec()
        points = sum(score.points for score in run.scores)
        print(
            f"{len(run.scores)} of {len(drills)} drills, {points} of {100 * len(drills)} points", flush=True
        )
        return 0
    except TimeoutError as error:
        print(error.strerror, file=sys.stderr)
        return 1
    finally:
        run.stop()
        world.close()
