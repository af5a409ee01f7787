"""Script lines about the seats: who sits down, buys more, posts or waits; the draw for the first button; another dealer."""

from __future__ import annotations

from typing import Any, Final

from hw_sim import steps as st
from hw_sim.cards import FACES
from hw_sim.script_acts import Handler
from hw_sim.script_words import Bad, number, seat


def _sit(words: list[str]) -> list[st.Step]:
    usage = "sit SEAT AMOUNT [from SEAT], the seat that the player left before"
    if len(words) not in (3, 5) or (len(words) == 5 and words[3] != "from"):
        raise Bad(usage)
    command: dict[str, Any] = {"kind": "sit_down", "seat": seat(words[1]), "buy_in": number(words[2])}
    if len(words) == 5:
        command["returned_from"] = seat(words[4])
    return [st.Tap(command, after_ms=1500)]


def _top_up(words: list[str]) -> list[st.Step]:
    if len(words) != 3:
        raise Bad("top_up SEAT AMOUNT, 0 to take back what waits")
    return [st.Tap({"kind": "top_up", "seat": seat(words[1]), "amount": number(words[2], 0)}, after_ms=1200)]


def _of_seat(kind: str) -> Handler:
    def handler(words: list[str]) -> list[st.Step]:
        if len(words) != 2:
            raise Bad(f"{words[0]} SEAT")
        return [st.Tap({"kind": kind, "seat": seat(words[1])}, after_ms=800)]

    return handler


def _draw(words: list[str]) -> list[st.Step]:
    usage = "draw SEAT CARD [SEAT CARD …], as draw 2 Ks 4 9h"
    pairs = words[1:]
    if len(pairs) % 2 or not all(card in FACES for card in pairs[1::2]):
        raise Bad(usage)
    cards = {str(seat(who)): card for who, card in zip(pairs[::2], pairs[1::2], strict=True)}
    if len(cards) != len(pairs) // 2:
        raise Bad("each seat once")
    return [st.Tap({"kind": "first_button", "cards": cards}, after_ms=2000)]


def _dealer(words: list[str]) -> list[st.Step]:
    if len(words) != 2:
        raise Bad("dealer NAME, who takes over")
    return [st.Tap({"kind": "dealer_push", "dealer": words[1]}, after_ms=1000)]


def _next(words: list[str]) -> list[st.Step]:
    """The next hand as the table has it; who is dealt in is its matter, so that the lines of its deal name the seats."""
    if len(words) != 1:
        raise Bad("next alone on its line, behind a push")
    return [st.Tap({"kind": "open_hand"}, after_ms=2500)]


SEATS: Final[dict[str, Handler]] = {
    "sit": _sit,
    "top_up": _top_up,
    "posts": _of_seat("post_now"),
    "waits": _of_seat("wait_for_blind"),
    "draw": _draw,
    "dealer": _dealer,
    "next": _next,
}
