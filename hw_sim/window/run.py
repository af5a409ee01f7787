"""``hw-sim table``: simulated devices, and a window in place of a script."""

from __future__ import annotations

import argparse
import signal
import sys

from PySide6.QtWidgets import QApplication

from hw_sim.live import LiveWorld
from hw_sim.report import Reporter
from hw_sim.window.model import HandTable
from hw_sim.window.players import Players
from hw_sim.window.table_window import TableWindow

_SIZE = (1180, 760)
#: Where nobody sits at first.
_EMPTY = (2, 5, 8)


def run_table(args: argparse.Namespace) -> int:
    """Open the devices and the window; return when it is closed or the process is told to end."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    world = LiveWorld(
        args.folder.absolute(),
        None,
        speed=args.speed,
        seed=args.seed,
        gate=False,
        badges=args.badges,
        reporter=Reporter(sys.stdout, as_json=False),
    )
    table = HandTable(world.seats, args.seed)
    table.empty = set(_EMPTY)
    players = (
        Players(args.socket, [seat for seat in world.seats if seat not in _EMPTY]) if args.socket else None
    )
    window = TableWindow(world, table, seed=args.seed, button=args.button, players=players)
    window.resize(*_SIZE)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: window.close())
    window.show()
    print(f"ready {args.folder}", flush=True)
    try:
        return int(application.exec())
    finally:
        if players is not None:
            players.close()
        world.close()
