"""Remedies of the deal: misdeal, an exposed card replaced, an extra card as the burn, a missing card given, a dead hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dealer_assist.domain.alerts import Alert, Step
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.remedies.base import Remedy, checklist, rows, unseen
from dealer_assist.procedure.state import OFF_TABLE

if TYPE_CHECKING:
    from dealer_assist.procedure.draft import Draft


def _misdeal(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    draft.emit(ev.MisdealDeclared(on=True))
    attempt = draft.state.attempt
    return (
        unseen("stop_pitching"),
        unseen("say_misdeal"),
        Step("gather_all", {"attempt": attempt}),
        unseen("shuffle_cut"),
        Step("redeal", {"seat": draft.state.order[0], "attempt": attempt}),
    )


def _not_misdeal(draft: Draft, alert: Alert) -> None:
    draft.emit(ev.MisdealDeclared(on=False))


def _replace_exposed(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    seat = alert.seat
    assert seat is not None
    held = draft.state.held.get(seat, ())
    alone = len(held) == 1 and not held[0].startswith(OFF_TABLE)
    card = {"card": held[0]} if alone else {}  # the only card there is the one that was turned up
    draft.emit(ev.PresetBurn("?", seat))
    return (
        Step("deal_on"),
        Step("take_exposed", {"seat": seat, **card}),
        Step("top_card_to", {"seat": seat}),
        Step("exposed_is_burn"),
    )


def _no_preset(draft: Draft, alert: Alert) -> None:
    state = draft.state
    for ref in state.held.get(alert.seat or 0, ()):
        if ref.startswith(OFF_TABLE) and alert.seat is not None:
            draft.emit(ev.HoleCardTaken(ref, alert.seat))  # it was not off the table after all
    draft.emit(ev.PresetBurn(None, None))


def _extra_to_burn(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    seat = alert.seat
    assert seat is not None
    held = draft.state.held.get(seat, ())
    if len(held) > draft.state.hole:
        draft.emit(ev.HoleCardTaken(held[-1], seat))
        draft.emit(ev.PresetBurn(held[-1], None))
    return (Step("return_extra", {"seat": seat}), Step("extra_is_burn"))


def _kill_hand(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The hand is dead, its chips stay in the pot (TDA 38, WLA 110); its cards go to the muck unseen."""
    seat = alert.seat
    assert seat is not None
    draft.emit(ev.HandKilled(seat))
    return (unseen("call_floor"), Step("hand_to_muck", {"seat": seat}), unseen("no_refund", seat=seat))


def _correct_button(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """A misdeal; the seat of the alert is the one that should have the button."""
    assert alert.seat is not None
    wrong = draft.state.opening.button
    draft.emit(ev.ButtonCorrected(alert.seat))
    return (unseen("move_button", seat=alert.seat, wrong=wrong), *_misdeal(draft, alert))


def _button_was_right(draft: Draft, alert: Alert) -> None:
    draft.emit(ev.ButtonCorrected(int(alert.steps[0].params["wrong"])))
    _not_misdeal(draft, alert)


REMEDIES: Final[dict[str, Remedy]] = {
    "misdeal": Remedy(
        rows("X1 X2 X4 X7 D1 D2 D3 D4 D5 D8 D9 D11 D12 D14 K3 K7 K11 K12 A18"), _misdeal, _not_misdeal
    ),
    "replace_exposed": Remedy(rows("X2 X3 X3b X5 X7"), _replace_exposed, _no_preset, of_seat=True),
    "extra_to_burn": Remedy(rows("D8"), _extra_to_burn, _no_preset, of_seat=True),
    "deal_missing": Remedy(rows("D5 D7"), checklist(Step("missing_card_to")), of_seat=True),
    "kill_hand": Remedy(rows("D2 D6 D7 D10 D11 A2 A9 A10 A11 A14 K3 K9 K11 P6 R4"), _kill_hand, of_seat=True),
    "correct_posts": Remedy(rows("D13"), checklist(unseen("right_seat_posts"), Step("deal_goes_on"))),
    "correct_button": Remedy(rows("D12"), _correct_button, _button_was_right, of_seat=True),
    "recut": Remedy(rows("D14"), checklist(unseen("recut"), Step("first_card"))),
}
