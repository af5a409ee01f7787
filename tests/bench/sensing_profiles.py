"""A table that knows how well the antennas of a noise profile read, as after a calibration; or that believes they read as another's."""

from __future__ import annotations

from typing import Final

from dealer_assist.composition import core_for_trace
from dealer_assist.procedure.alignment.sensing import FAMILIES
from dealer_assist.table.core import Core
from dealer_assist.table.trace import Header

#: Whose parameters a table is told when it is told the wrong ones.
WRONG: Final = {"clean": "bad", "fine": "bad", "table": "fine", "bad": "fine"}


def core_with(header: Header, profile: str | None) -> Core:
    """The table of a trace, told that its antennas read as a profile does; None: nobody has measured them."""
    core = core_for_trace(header, None)
    if profile is not None:
        core.sensing.update(dict.fromkeys(core.setup.readers, FAMILIES[profile]))
    return core
