"""Every colour, size and font of the station, in one place. Tokens from the design; sizes follow the window."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec
from PySide6.QtGui import QColor, QFont

# -- colours (hex, so that contrast can be checked without Qt) ---------------------------------------------------------

GROUND: Final = "#0d1015"
PANEL: Final = "#141922"
LINE: Final = "#2a3342"
KEY: Final = "#232c3b"
KEY_DOWN: Final = "#35435a"
KEY_OFF: Final = "#171c25"
WELL: Final = "#0a0d12"
FELT_LIGHT: Final = "#1c6b47"
FELT_DARK: Final = "#0b3a26"
RAIL: Final = "#2b1c14"
RAIL_EDGE: Final = "#4a3122"
PILL: Final = "#08241a"
PLATE: Final = "#121720"
TEXT: Final = "#f2f5f9"
QUIET: Final = "#aebccd"
OFF: Final = "#66748a"
GOLD: Final = "#ffd479"
HIGH: Final = "#ff4d5e"
MEDIUM: Final = "#ffb020"
GOOD: Final = "#33c27f"
INFO: Final = "#7cc4ff"
INK: Final = "#14181f"
CARD: Final = "#fdfdfb"
CARD_BACK: Final = "#9c1f33"
CARD_BACK_LINE: Final = "#7a1526"
SUITS: Final = {"s": "#14181f", "h": "#d7263d", "d": "#1769d1", "c": "#12824c"}

#: role of a key → (resting, pressed, text)
KEYS: Final[dict[str, tuple[str, str, str]]] = {
    "digit": (KEY, KEY_DOWN, TEXT),
    "digit_lent": ("#1b3350", "#24456b", TEXT),
    "plain": (KEY, KEY_DOWN, TEXT),
    "outline": (PANEL, KEY_DOWN, TEXT),
    "fold": ("#5c2230", "#6d2a3a", TEXT),
    "call": ("#17583a", "#195e3e", TEXT),
    "raise": ("#1d4c8c", "#205092", TEXT),
    "all_in": ("#674714", "#6b4a15", TEXT),
    "go": ("#17583a", "#195e3e", TEXT),
    "chosen": ("#33507c", "#35527f", TEXT),
    "stop": ("#8f1d2e", "#98202f", TEXT),
    "amber": ("#674714", "#6b4a15", TEXT),
    "card": ("#e9ebec", "#ffffff", INK),
    "card_chosen": ("#ffffff", "#ffffff", INK),
}

#: level of an alert → (accent, ground, shape)
LEVELS: Final[dict[str, tuple[str, str, str]]] = {
    "high": (HIGH, "#2a1116", "triangle"),
    "medium": (MEDIUM, "#261d0e", "diamond"),
    "low": (INFO, "#111d2a", "square"),
    "good": (GOOD, "#0e231a", "circle"),
}

#: state of a device → (colour, shape)
DEVICE_STATES: Final[dict[str, tuple[str, str]]] = {
    "ok": (GOOD, "circle"),
    "connecting": (INFO, "ring"),
    "stale": (MEDIUM, "diamond"),
    "lost": (HIGH, "triangle"),
    "refused": (HIGH, "cross"),
    "fault": (HIGH, "square"),
    "tap": (GOLD, "square"),
    "floor": (GOLD, "diamond"),
    "unknown_card": (INFO, "diamond"),
    "same_card": (HIGH, "diamond"),
    "conflict": (MEDIUM, "square"),
    "failing": (MEDIUM, "triangle"),
    "mangled": (MEDIUM, "triangle"),
    "not_secured": (MEDIUM, "outline"),
    "plain_line": (QUIET, "outline"),
}

#: Milliseconds a destructive key must be held.
HOLD_MS: Final = 2000
#: Milliseconds of the panel's slide; 0 when animations are off.
SLIDE_MS: Final = 160
FAMILIES: Final = ["Inter", "Noto Sans", "DejaVu Sans"]


def luminance(colour: str) -> float:
    """Relative luminance of "#rrggbb" (WCAG 2.2), 0 to 1."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours (WCAG 2.2), 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def colour(name: str, alpha: float = 1.0) -> QColor:
    """A colour of this module as Qt wants it."""
    value = QColor(name)
    value.setAlphaF(alpha)
    return value


@lru_cache(maxsize=256)
def font(px: int, weight: int = 500) -> QFont:
    """The station's font at a size in pixels, with figures of one width."""
    made = QFont()
    made.setFamilies(FAMILIES)
    made.setPixelSize(max(px, 6))
    made.setWeight(QFont.Weight(weight))
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


class Metrics(msgspec.Struct, frozen=True):
    """Sizes in pixels for one window size. ``scale`` is 1.0 at 1920 × 1080; ``text``: how much larger than drawn texts are, 1.0 to 1.5."""

    width: int
    height: int
    scale: float
    margin: int
    gap: int
    pad_w: int
    now_h: int
    display_h: int
    key_h: int
    action_h: int
    header_h: int
    lamps_h: int
    banner_h: int
    text: float = 1.0

    def px(self, size: float) -> int:
        """A size drawn for 1920 × 1080, at this window."""
        return max(1, round(size * self.scale))

    def text_px(self, size: float) -> int:
        """The size of a text drawn for 1920 × 1080, at this window; ``lettering`` makes it as large as it is wanted."""
        return self.px(size)


def metrics_for(width: int, height: int, text: float = 1.0) -> Metrics:
    """Share a window out. Keys take all height that is left: at least 56 px at 1280 × 800, 72 px at 1920 × 1080.

    ``text`` above 1.0: what keys have beyond that goes to the big line.
    """
    scale = max(0.7, min(width / 1920, height / 1080))
    gap = 8 if height < 1000 else 12
    margin = 12 if height < 1000 else 20
    now_h = round(130 * scale)
    display_h = round(72 * scale)
    if text > 1:
        least = 56 if height < 1000 else 72
        spare = height - 2 * margin - now_h - display_h - 10 * gap - 9.4 * least
        now_h = round(min(now_h * text, now_h + max(0.0, spare - 4)))
    free = height - 2 * margin - now_h - display_h - 10 * gap
    key_h = int(free / 9.4)
    action_h = (free - 7 * key_h) // 2
    return Metrics(
        width=width,
        height=height,
        scale=scale,
        margin=margin,
        gap=gap,
        pad_w=max(416, round(width * 0.335)),
        now_h=now_h,
        display_h=display_h,
        key_h=key_h,
        action_h=action_h,
        header_h=max(56, round(72 * scale)),
        lamps_h=max(64, round(84 * scale)),
        banner_h=round(40 * scale),
        text=text,
    )
