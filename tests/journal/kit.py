"""What the journal's tests share: fixed keys, counted clocks, a small hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nacl.signing import SigningKey

from dealer_assist.journal.sealing import Sealer
from dealer_assist.journal.store import Journal, Row

SIGNING_KEY = bytes(range(32))
PUBLIC_KEY = bytes(SigningKey(SIGNING_KEY).verify_key)
SURVEILLANCE_KEY = b"\x07" * 32
ORIGIN = "house/table-7"

Opener = Callable[..., Journal]


def settings(**changed: Any) -> dict[str, Any]:
    """Arguments of ``Journal.open`` with clocks that count."""
    ticks = iter(range(10**9))
    return {
        "clock_mono_ns": lambda: 1_000 + next(ticks),
        "clock_utc_ns": lambda: 1_700_000_000_000_000_000 + next(ticks),
        "simulated": False,
        "origin": ORIGIN,
        "signing_key": SIGNING_KEY,
    } | changed


def play_hand(journal: Journal, hand: str, sealer: Sealer | None = None, cards: int = 4) -> None:
    """A small hand: inputs with events and seals, the closing mark, a checkpoint."""
    journal.append([Row.of("input", "open_hand", hand, {"button": 3})])
    for number in range(cards):
        seals = (
            ()
            if sealer is None
            else ((hand, sealer.seal(hand, f"seat{number + 1}", "Ks", b"\x04" * 7, number)),)
        )
        journal.append(
            [
                Row.of("input", "card_placed", hand, {"zone": f"seat{number + 1}", "t_ms": number}),
                Row.of("event", "card_dealt", hand, {"seat": number + 1, "ref": f"c{number}"}),
            ],
            seals,
        )
    journal.append([Row.of("mark", "hand_closed", hand, {})])
    journal.checkpoint(hand)
