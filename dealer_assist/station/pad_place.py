"""Where each key of the pad is: a function of the window's size, the dealer's hand side and the table's set-up, and of nothing else.

What happens at the table changes what a place says, never where it is: nothing moves under a finger.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect

from dealer_assist.station.theme import Metrics

DIGITS: Final = ("7", "8", "9", "4", "5", "6", "1", "2", "3", "0", "00", "delete")
#: ready amounts: what each is follows from the hand (ready.py)
PRESETS: Final = ("ready-0", "ready-1", "ready-2", "ready-3")
ACTIONS: Final = ("fold", "call", "raise", "all_in")
#: what the game asks of single seats stands in the place of the presets, one key over each
ASKS: Final = ("ask-0", "ask-1", "ask-2")
FOOT: Final = ("irregular", "report", "call_floor")
_ACROSS: Final = 3


def places(metrics: Metrics, *, mirrored: bool, between: Sequence[str] = ()) -> dict[str, QRect]:
    """Key → its place on the pad. ``between``: the keys of the table that stand in the presets' row between hands, from the left.

    For the left hand the actions and the foot are mirrored: what was nearest to the thumb still is. Digits stay in reading order.
    """
    gap, width = metrics.gap, metrics.pad_w - 2 * metrics.margin
    key_h, action_h = metrics.key_h, metrics.action_h
    found: dict[str, QRect] = {}
    top = metrics.display_h + gap
    listing = top
    for row in range(len(DIGITS) // _ACROSS):
        found |= _row(DIGITS[row * _ACROSS : (row + 1) * _ACROSS], top, width, key_h, gap)
        top += key_h + gap
    found |= _row(PRESETS, top, width, key_h, gap)
    found |= _row(ASKS, top, width, key_h, gap)
    found |= _row(between, top, width, key_h, gap)
    found["pushed_otherwise"] = QRect(0, top, width, key_h)
    found["listing"] = QRect(0, listing, width, top - gap - listing)
    top += key_h + gap
    found["go"] = QRect(0, top, width, 2 * action_h + gap)
    for pair in (ACTIONS[:2], ACTIONS[2:]):
        found |= _row(pair[::-1] if mirrored else pair, top, width, action_h, gap)
        top += action_h + gap
    found["undo"] = QRect(0, top, width, key_h)
    top += key_h + gap
    found |= _row(FOOT[::-1] if mirrored else FOOT, top, width, key_h, gap)
    found["display"] = QRect(0, 0, width, metrics.display_h)
    return found


def _row(codes: Sequence[str], top: int, width: int, height: int, gap: int) -> dict[str, QRect]:
    """Places side by side, all as wide."""
    found = {}
    for index, code in enumerate(codes):
        left = round(index * (width + gap) / len(codes))
        right = round((index + 1) * (width + gap) / len(codes)) - gap
        found[code] = QRect(left, top, right - left, height)
    return found
