"""The languages of the screen, the rule book and the terminals, by their codes."""

from __future__ import annotations

from typing import Final, Literal, get_args

Language = Literal["bg", "uk", "ru", "en"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
