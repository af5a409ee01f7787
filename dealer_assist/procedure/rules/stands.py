"""What stands once somebody has acted on a street: its row is another one then.

A missed burn (N1 → N2, N3 → N4), an extra one (N5, N6 → N7; N8), a fourth card of the flop (F1 → F4). In a run-out nobody acts, and
all of it can be put right until the pots are awarded (R8).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.table import Street
from dealer_assist.domain.zones import BOARDS
from dealer_assist.procedure import events as ev
from dealer_assist.procedure import substantial
from dealer_assist.procedure.catalogue import ROWS
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.remedies.base import burns_before, extra_burn
from dealer_assist.procedure.rulings import acted, chosen

#: Rows about a missed burn: the house says from when on it can no longer be put right (`no_burn_deadline`).
_MISSED: Final = ("N1", "N3")


def before_action(draft: Draft) -> None:
    """A player is about to act on the street whose cards lie there, while something about them still waits to be put right."""
    if draft.house.parameters.no_burn_deadline.value == "first_action":
        _turn_over(draft, draft.state.street, _MISSED)
    _turn_over(draft, draft.state.street, ("N5", "N6", "N8", "F1"))


def after_action(draft: Draft) -> None:
    """Somebody has acted."""
    if draft.bets.runout or not draft.bets.actions:
        return
    street = draft.bets.street
    if too_late_for_the_burn(draft):
        _turn_over(draft, street, _MISSED)
    _turn_over(draft, street, ("N5", "N6", "N8", "F1"))


def too_late_for_the_burn(draft: Draft) -> bool:
    """Whether a missed burn of the street that is bet on can no longer be put right."""
    actions = draft.bets.actions
    if draft.house.parameters.no_burn_deadline.value == "substantial_action":
        return substantial.by_house(draft)(actions)
    return bool(actions)


def row_now(draft: Draft, name: str, street: Street) -> str:
    """The row that a reported one is by now: of turn and river (N3) or of the flop (N1), and after action or before it."""
    here = {"N3": "N1", "N4": "N2"} if street == "flop" else {"N1": "N3", "N2": "N4"}
    name = here.get(name, name)
    after = ROWS[name].acted
    if after is None or draft.bets.runout:
        return name
    if name in _MISSED and draft.bets.street == street:
        return after if too_late_for_the_burn(draft) else name
    return after if acted(draft, street) else name


def _turn_over(draft: Draft, street: Street, rules: tuple[str, ...]) -> None:
    for rule in rules:
        alert = draft.alert(rule)
        if alert is None or alert.street != street or not _untouched(draft, alert):
            continue
        if rule in ("N5", "N8") and not any(_shown(draft, street)):
            continue
        if rule == "N8":
            _preset_burn_stays_away(draft, alert)
        else:
            _become(draft, alert, ROWS[rule].acted or "N7")


def _shown(draft: Draft, street: Street) -> Iterator[str]:
    return (slot.ref for slot in draft.state.board if slot.street == street)


def _untouched(draft: Draft, alert: Alert) -> bool:
    """Whether nothing has been done about it yet: what is half mended is mended to the end."""
    state = draft.state
    if any(step.seen and step.state == "done" for step in alert.steps):
        return False  # what was passed over lies before one that is done
    return all(
        state.where.get(slot.ref, slot.zone) in BOARDS for slot in state.board if slot.street == alert.street
    )


def _become(draft: Draft, alert: Alert, rule: str) -> None:
    draft.cancel_remedy(alert)
    draft.withdraw(alert)
    raised = draft.raise_alert(
        rule,
        alert.evidence,
        question=alert.question,
        street=alert.street,
        params=alert.params,
        why=alert.why,
        answered=alert.answered,
    )
    if raised is not None and rule == "N7":
        extra_counts_for_nothing(draft, raised)


def extra_counts_for_nothing(draft: Draft, alert: Alert) -> None:
    """The next street burns as always: the house says so, or nobody has said yet that it was a second burn."""
    if alert.evidence != "proven" or alert.remedy == "play_on":
        discount(draft, alert)


def discount(draft: Draft, alert: Alert) -> None:
    """The extra burn of this alert lies dead; a preset burn that was forgotten is none any more."""
    state = draft.state
    if alert.rule == "N8" and state.preset_burn is not None and state.preset_burn not in state.burns:
        draft.emit(ev.PresetBurn(None, None))
    named = [ref for why in alert.why for ref in why.reads if ref in state.burns or ref in state.spare_burns]
    extra = named[-1] if named else extra_burn(state)
    if extra is not None:
        draft.emit(ev.BurnDiscounted(extra))
        burn_due_again(draft)


def burned_instead(draft: Draft) -> bool:
    """The street lies there after another burn than the one that was set for it (N8), and no second one: the board stands (case E-10).

    The burn that was made is the street's; the card that was set for it is out, no later burn is compared with it. Returns whether
    it is so.
    """
    state = draft.state
    alert = draft.alert("N8")
    if alert is None or alert.evidence != "proven" or alert.street != state.street:
        return False
    if state.preset_burn in (None, "?", *state.burns) or not state.spare_burns:
        return False
    draft.emit(ev.PresetBurn(None, None))
    draft.emit(ev.SpareBurnUsed(state.spare_burns[-1]))
    if not draft.state.spare_burns:
        draft.begin_remedy(alert, "play_on")
    draft.advance()
    return True


#: Rows about two burns before a street.
_TWO_BURNS: Final = ("N5", "N6", "N8")
#: Rows about too many cards of a street.
COUNTED: Final = ("F1", "F2", "F4", "R6")


def counted(draft: Draft, street: Street) -> bool:
    """Whether something is asked or said about too many cards of this street."""
    return any((alert := draft.alert(rule)) is not None and alert.street == street for rule in COUNTED)


def cards_decide(draft: Draft, street: Street) -> None:
    """Two burns and too many cards are ruled on once, by the row of the cards: the extra burn lies dead or goes with them."""
    for rule in _TWO_BURNS:
        alert = draft.alert(rule)
        if alert is not None and alert.street == street:
            draft.cancel_remedy(alert)
            draft.withdraw(alert)
            discount(draft, alert)


def told_otherwise(draft: Draft, alert: Alert) -> None:
    """The dealer deals on, or says that nothing is wrong: what was burned in the preset one's place is the burn, any other is none."""
    instead = draft.state.spare_burns if alert.rule == "N8" else ()
    if not instead:
        discount(draft, alert)
        return
    for ref in instead:
        draft.emit(ev.SpareBurnUsed(ref))
    draft.emit(ev.PresetBurn(None, None))


def burn_due_again(draft: Draft) -> None:
    """A burn that counted for the next street is none any more: the plan goes back to it, while no card of the street lies there."""
    state = draft.state
    for place in range(state.at):
        step = state.plan[place]
        if step.kind != "burn" or len(state.burns) >= burns_before(state, place + 1):
            continue
        if not any(slot.street == step.street for slot in state.board):
            draft.emit(ev.StepReached(place))
            return


def _preset_burn_stays_away(draft: Draft, alert: Alert) -> None:
    """N8 after action: the flop stands as it was burned."""
    if alert.evidence != "proven":
        extra_counts_for_nothing(draft, alert)
        return
    if burned_instead(draft):
        return
    for ref in draft.state.spare_burns:
        draft.emit(ev.SpareBurnUsed(ref))  # it was burned in the preset one's place
    name = chosen(draft, alert)
    if name == alert.remedy:
        return
    draft.cancel_remedy(alert)
    alert = draft.begin_remedy(alert, name)
    extra_counts_for_nothing(draft, alert)
