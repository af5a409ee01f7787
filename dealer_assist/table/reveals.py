"""Board cards that the procedure made public and whose faces are still to be fetched from the vault."""

from __future__ import annotations

from collections.abc import Iterable

from dealer_assist.domain.cards import CardRef, Face
from dealer_assist.domain.zones import BOARDS, BURN
from dealer_assist.procedure import events as pe
from dealer_assist.procedure.state import State
from dealer_assist.table.events import TableEvent
from dealer_assist.table.hand import Hand
from dealer_assist.table.vault import Vault


class Reveals:
    """Asks the vault for each card once it has lain still for ``settle_ms``. A card that is no board card any more is forgotten."""

    def __init__(self, vault: Vault, settle_ms: int) -> None:
        self._vault = vault
        self._settle_ms = settle_ms
        self._due: dict[CardRef, int] = {}

    def ask(self, refs: Iterable[CardRef], t_ms: int) -> None:
        """Fetch these, from ``t_ms`` on."""
        for ref in refs:
            self._due[ref] = t_ms

    def hear(self, event: TableEvent, state: State) -> None:
        """Cards that went back into the stub may come again anywhere: the vault forgets where they lay.

        ``state`` is the hand's after the event. A flop that is being scrambled, and the card that is the next burn, are in no stub.
        """
        match event:
            case pe.BurnTakenBack():
                self._vault.left(event.ref, BURN, back_in_stub=True)
            case pe.BoardCardGone():
                for board in BOARDS:
                    self._vault.left(event.ref, board, back_in_stub=True)
                if state.pick_due or event.ref == state.preset_burn:
                    self._vault.keep([event.ref])
            case pe.PresetBurn(ref=str(ref)):
                self._vault.keep([ref])
            case pe.CardsGathered():
                self._vault.forget_places()
            case pe.MuckShuffledIn():
                self._vault.back_in_stub(event.refs)
            case pe.AlertSet() if event.alert.rule == "K2" and event.alert.answered == "no":
                for ref in event.alert.why[0].reads:
                    self._vault.no_card(ref)
            case _:
                pass

    def clear(self) -> None:
        """The hand is over."""
        self._due = {}

    def next_ms(self) -> int | None:
        """When :meth:`take` has something to do, or None."""
        return min(self._due.values()) if self._due else None

    def take(self, hand: Hand, t_ms: int) -> tuple[CardRef, Face] | None:
        """The next card that is due and that the vault gives a face for, or None; one still moving is asked for again."""
        slots = {slot.ref: slot for slot in hand.procedure.slots}
        for ref in [ref for ref, due_ms in self._due.items() if due_ms <= t_ms]:
            slot = slots.get(ref)
            if slot is None or slot.early:
                del self._due[ref]
                continue
            still_ms = slot.first_ms + self._settle_ms
            if t_ms < still_ms:
                self._due[ref] = still_ms
                continue
            del self._due[ref]
            face = self._vault.reveal_board(ref, t_ms)
            if face is not None:
                return ref, face
        return None
