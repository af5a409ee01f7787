"""A hand is taken up again from its inputs: same street, pot and next step, with the hand key and without it."""

from __future__ import annotations

import msgspec

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Void
from dealer_assist.table.inputs import Input
from dealer_assist.table.ports import TagPlaced
from tests.table.driver import Driver, uid

_LINES = msgspec.json.Decoder(Input)


def inputs_of(table: Driver) -> list[Input]:
    """What the journal would have kept, through JSON and back."""
    return [
        _LINES.decode(msgspec.json.encode(change.input))
        for change in table.changes
        if change.input is not None
    ]


def sections(table: Driver) -> set[str]:
    return {repr(fact) for fact in table.core.snapshot()}


def in_the_middle() -> Driver:
    table = Driver()
    table.deal()
    table.act("2 raise 6, 3 fold, 5 call, 7 fold, 9 fold, 1 call")
    table.street(3)
    table.act("1 check, 2 bet 10, 5 raise 30")
    assert table.tell(cmd.Undo()) is None
    table.act("5 call")
    return table


def taken_up(table: Driver, *, key: bytes | None, other: Driver | None = None) -> Driver:
    """A new core that folds the inputs, then hears the inventory of every antenna. ``other``: it is not of the usual table."""
    other = other or Driver()
    other.core.hand = None
    other.core._new_key = lambda hand: key if key is not None else b"?" * 32  # type: ignore[method-assign]
    other.core.resume(inputs_of(table), key_kept=key is not None)
    other.t_ms = table.t_ms
    other.where = dict(table.where)
    other.deck = table.deck
    other.changes = []
    for face, zone in table.where.items():
        other.move(TagPlaced(zone, uid(face), other.t_ms, other.t_ms, other.t_ms))
    return other


def test_same_hand_with_its_key() -> None:
    table = in_the_middle()
    other = taken_up(table, key=b"h1".ljust(32, b"k"))
    assert other.hand == table.hand
    assert sections(other) == sections(table)


def test_same_hand_after_the_key_was_lost() -> None:
    table = in_the_middle()
    other = taken_up(table, key=None)
    assert other.hand == table.hand
    assert sections(other) == sections(table)
    other.act("1 fold")
    other.street(1)
    other.act("2 check, 5 check")
    other.street(1)
    other.act("2 check, 5 check")
    other.showdown()
    assert other.hand.result == "completed"
    assert other.alerts() == []


def test_a_hand_that_began_while_a_reader_was_lost_is_taken_up_with_its_taps() -> None:
    table = Driver()
    assert table.core.tell(Void(), "floor", table.t_ms)[0] is None
    table.changes = [*table.core.set_devices((), table.core.setup.readers - {"burn"})]
    assert table.tell(cmd.OpenHand()) is None
    table.order = tuple(table.hand.procedure.order)
    table.deal()
    table.check_down()
    assert table.tell(cmd.TapZone("burn")) is None
    assert table.tell(cmd.Undo()) is None
    assert table.tell(cmd.TapZone("burn")) is None
    other = taken_up(table, key=b"2".ljust(32, b"k"))
    assert other.hand.procedure.step == table.hand.procedure.step
    assert len(other.hand.procedure.burns) == len(table.hand.procedure.burns) == 1
