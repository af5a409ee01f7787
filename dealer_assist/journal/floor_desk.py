"""A table's floor desk from its configuration and its journal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from dealer_assist.config.files import read_hex_key
from dealer_assist.config.staff import StaffFile
from dealer_assist.config.table import TableConfig
from dealer_assist.journal.pins import UidAndPin
from dealer_assist.journal.reader import StoredRow
from dealer_assist.table.core import Core
from dealer_assist.table.floor.check import ProverThread
from dealer_assist.table.floor.desk import MARKS, FloorDesk


def is_floors(row: StoredRow) -> bool:
    """Whether the floor desk goes on from this row of the journal."""
    return row.kind == "mark" and row.name in MARKS


def floor_desk(
    core: Core, config: TableConfig, rows: Iterable[StoredRow], utc_s: Callable[[], int]
) -> FloorDesk:
    """The desk; ``rows``: those of :func:`is_floors`. Raises ConfigError where the staff file is wrong."""
    staff = config.staff
    dealers = {dealer.badge: dealer.name for dealer in config.dealers}
    if staff is None or config.keys.badge_key is None:
        desk = FloorDesk(core, source=None, prover=None, utc_s=utc_s, dealers=dealers)
    else:
        source = StaffFile(Path(staff.file))
        desk = FloorDesk(
            core,
            source=source,
            prover=ProverThread(UidAndPin(read_hex_key(Path(config.keys.badge_key)))),
            utc_s=utc_s,
            tries=staff.tries,
            session_s=staff.session_s,
            dealers=dealers,
        )
    desk.take_up((row.name, row.payload, row.t_utc_ns // 1_000_000_000) for row in rows)
    return desk
