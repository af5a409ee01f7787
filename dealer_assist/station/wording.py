"""Sentences from facts: what the Now line, the pad, the lamps and a screen reader say. Pure: no Qt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from dealer_assist.domain.alerts import Alert, Step, Why
from dealer_assist.domain.facts import DeviceFact, NoticeFact, Push, SeatFact, UndoFact
from dealer_assist.domain.zones import seat_of
from dealer_assist.station.i18n import Translator
from dealer_assist.station.viewmodel import ViewState


class Line(NamedTuple):
    """The Now line: the big words, and the smaller ones in gold."""

    title: str
    detail: str


def now_line(tr: Translator, state: ViewState) -> Line:
    """What comes next, or who acts and how much to call."""
    if state.link in ("lost", "version", "simulated"):
        return Line(tr("now.lost"), tr("now_detail.lost"))
    now = state.now
    if now is None:
        if state.link == "connecting":
            return Line(tr("now.connecting"), tr("now_detail.connecting"))
        return Line(tr("generic.now"), "")
    params = now.params
    match now.code:
        case "act" if params.get("clock_over"):
            over = "check" if not params.get("call") else "fold"
            return Line(tr("now.act", params), tr(f"now_detail.clock_over_{over}"))
        case "act":
            free = not params.get("call")
            return Line(
                tr("now.act", params), tr("now_detail.act_free" if free else "now_detail.act", params)
            )
        case "push" if now.pushes:
            return _push_line(tr, now.pushes)
        case "step":
            return _step_line(tr, state, params)
        case "board" if state.boards > 1:
            return Line(tr("now.board", params), tr("now_detail.board_on", {"board": 1, **params}))
        case "idle" | "deck_not_ready" if shuffler_down(state):
            return Line(tr(f"now.{now.code}", params), tr("now_detail.shuffle_by_hand"))
        case "idle" if tr.has(f"now_detail.idle_{params.get('result')}"):
            return Line(tr("now.idle"), tr(f"now_detail.idle_{params['result']}"))
        case "unavailable":
            reason = str(params.get("reason") or "")
            return Line(
                tr("now.unavailable"),
                tr("now_detail.unavailable", reason=tr.coded("reason", reason) if reason else ""),
            )
        case code if tr.has(f"now.{code}"):
            return Line(tr(f"now.{code}", params), tr(f"now_detail.{code}", params))
        case code:
            return Line(tr("generic.now"), tr("generic.now_detail", code=code))


def shuffler_down(state: ViewState) -> bool:
    """Whether the table has a shuffler that does not work: people shuffle by hand meanwhile."""
    return any(
        device.role == "shuffler" and (device.state not in ("ok", "connecting") or device.detail == "fault")
        for device in state.devices
    )


def _push_line(tr: Translator, pushes: tuple[Push, ...]) -> Line:
    if len(pushes) > 1:
        return Line(tr("now.push_many"), tr("now_detail.push_many"))
    push = pushes[0]
    return Line(tr("now.push", amount=push.amount, seat=push.seat), hand_name(tr, push))


def hand_name(tr: Translator, push: Push) -> str:
    """The winning hand in words; nobody else left when it has no name."""
    if not push.name:
        return tr("now_detail.push_uncontested")
    return tr.coded("hand_name", push.name, push.params)


def _step_line(tr: Translator, state: ViewState, params: dict[str, Any]) -> Line:
    step, inner = params.get("step"), dict(params)
    if isinstance(params.get("params"), dict):
        inner.update(params["params"])
    named = params.get("rule")
    owner = next((alert for alert in state.alerts if alert.steps and named in (None, "", alert.rule)), None)
    rule = named or (owner.rule if owner is not None else "")
    detail = tr("now_detail.step", rule=rule) if rule else ""
    return Line(_step(tr, str(step), inner, owner), detail)


def pot_name(tr: Translator, index: int, count: int) -> str:
    """Pot, or Main and Side 1, 2 … where there are several."""
    if count <= 1:
        return tr("ui.pot")
    return tr("ui.main_pot") if index == 0 else tr("ui.side_pot", count=index)


def pushed_from(tr: Translator, push: Push, name: str) -> str:
    """The pot an award comes from, by its name, and the amount: "Main, board 2: 410"."""
    name = tr("pad.unfold_pot") if push.fund else name
    if push.board:
        return tr("pad.pot_board", pot_name=name, amount=push.amount, board=push.board)
    return tr("pad.pot_line", pot_name=name, amount=push.amount)


def push_text(tr: Translator, push: Push, count: int) -> tuple[str, str]:
    """One award as two short lines: "Main: 410 → seat 5", and the hand."""
    line = pushed_from(tr, push, pot_name(tr, push.pot, count))
    seat = tr("pad.to_seat_odd" if push.odd else "pad.to_seat", seat=push.seat)
    return f"{line} {seat}", hand_name(tr, push)


def undo_text(tr: Translator, state: ViewState) -> str:
    """What Undo would take back, in one line."""
    undo = state.undo
    if not undo.code:
        return tr("undo.none")
    return tr("undo.prefix", what=_undone(tr, undo, state))


def told_text(tr: Translator, code: str, params: dict[str, Any], state: ViewState) -> str:
    """A command that was given, as part of a sentence: "seat 3 raise 40"."""
    return _undone(tr, UndoFact(code, params), state)


def _undone(tr: Translator, undo: UndoFact, state: ViewState) -> str:
    params = undo.params
    if undo.code in ("answer", "respond") and "rule" not in params:
        # The command names an alert by its id, by its rule, or not at all; the dealer knows it by its rule.
        named = str(params.get("alert") or "")
        alert = state.alert(named)
        rule = alert.rule if alert is not None else named if named.isalnum() else ""
        params = {**params, "rule": rule or tr("level.question").lower()}
    match undo.code:
        case "act" | "correct" if params.get("to"):
            return tr(f"undo.{undo.code}_to", params)
        case "event":
            return tr("undo.event", {**params, "name": event_name(tr, str(params.get("name") or ""))})
        case "report" if not params.get("seat"):
            return tr("undo.report_none", params)
        case "enter_card" if not params.get("seat"):
            return tr("undo.enter_card_board", params)
        case code:
            return tr.coded("undo", code, params)


def run_it_text(tr: Translator, times: int) -> str:
    """How often the rest of the board is to be run."""
    return tr(f"pad.run_it_{times}") if tr.has(f"pad.run_it_{times}") else tr("pad.run_it_1")


def refusal(tr: Translator, code: str, params: dict[str, Any]) -> str:
    """Why a tap was not taken."""
    return tr.coded("refusal", code, params)


def mark_text(tr: Translator, mark: str, seat: SeatFact) -> str:
    """A quiet mark at a seat."""
    return tr.coded("mark", mark, {"count": seat.cards, "due": seat.due, "seat": seat.seat})


#: So much of a person's name stands in a row that others share; on pages of its own it stands in full.
_NAME_CHARS: Final = 20


def short_name(name: str) -> str:
    """A person's name where there is little room: a long one must not push a device's lamp out of sight."""
    name = " ".join(name.split())
    return name if len(name) <= _NAME_CHARS else name[: _NAME_CHARS - 1].rstrip() + "…"


def notice_text(tr: Translator, notice: NoticeFact) -> str:
    """A notice in one line."""
    params = dict(notice.params)
    if isinstance(params.get("dealer"), str):
        params["dealer"] = short_name(params["dealer"])
    if isinstance(params.get("reason"), str):
        params["reason"] = tr.coded("reason", params["reason"])
    if notice.code == "event":
        params["name"] = event_name(tr, str(params.get("name") or ""))
        return tr("notice.event_at" if params.get("target") else "notice.event", params)
    return tr.coded("notice", notice.code, params)


def drop_name(tr: Translator, name: str) -> str:
    """What a drop is for; its own name where there is no text."""
    return tr(f"ui.drop_{name}") if tr.has(f"ui.drop_{name}") else name.replace("_", " ")


def event_name(tr: Translator, name: str) -> str:
    """What a game calls one of its own events; its code in words where there is no text."""
    return tr(f"event.{name}") if tr.has(f"event.{name}") else name.replace("_", " ")


def game_name(tr: Translator, game: str) -> str:
    """The name of a game; its code in words where there is no text."""
    return tr(f"game.{game}") if tr.has(f"game.{game}") else game.replace("_", " ")


# -- alerts ----------------------------------------------------------------------------------------------------------------


def alert_params(alert: Alert) -> dict[str, Any]:
    """All that an alert's texts may name."""
    params = {"rule": alert.rule, "street": alert.street, "seat": alert.seat, **alert.params}
    if "seats" not in params and alert.seat is not None:
        params["seats"] = [alert.seat]
    return {"count": 1, **params}


def alert_title(tr: Translator, alert: Alert) -> str:
    """The irregularity's name."""
    code = f"rule.{alert.rule}.title"
    title = tr(code, alert_params(alert)) if tr.has(code) else tr("generic.rule")
    return title if alert.evidence == "proven" else f"{title}?"


def alert_sentence(tr: Translator, alert: Alert) -> str:
    """What happened, or what to look at while it is only asked."""
    form = "says" if alert.evidence == "proven" else "ask"
    told_by = [why.code for why in alert.why if tr.has(f"ask_by.{why.code}")] if form == "ask" else []
    if told_by:
        return tr.fitting(f"ask_by.{told_by[0]}", alert_params(alert))
    code = f"rule.{alert.rule}.{form}"
    return (
        tr.fitting(code, alert_params(alert)) if tr.has(code) else tr(f"generic.rule_{form}", code=alert.rule)
    )


def alert_question(tr: Translator, alert: Alert) -> str:
    """The open question, empty when there is none."""
    return tr.coded("question", alert.question, alert_params(alert)) if alert.question else ""


def alert_level(alert: Alert) -> str:
    """Whose colours an alert wears: a question is never red."""
    if alert.evidence != "proven":
        return "low" if alert.priority == "low" else "medium"
    return alert.priority


def alert_word(tr: Translator, alert: Alert) -> str:
    """The word beside the shape."""
    if alert.evidence != "proven":
        return tr("level.question")
    if alert.state == "fixing" and not alert.question:
        return tr("level.fixing")
    return tr("level.stop") if alert.stop else tr(f"level.{alert.priority}")


def step_text(tr: Translator, step: Step, alert: Alert | None = None) -> str:
    """One step of the recovery; in the words of its rule or remedy where these have their own."""
    return _step(tr, step.code, step.params, alert)


def _step(tr: Translator, code: str, params: dict[str, Any], alert: Alert | None) -> str:
    filled = {"count": 1, **params}
    if alert is not None:
        for owner in (alert.rule, alert.remedy):
            if tr.has(f"step_of.{owner}.{code}"):
                return tr.fitting(f"step_of.{owner}.{code}", filled)
    return tr.coded("step", code, filled)


def remedy_text(tr: Translator, alert: Alert) -> str:
    """What the house does, and whether the floor chose it; empty while that is open."""
    if alert.evidence != "proven" or alert.remedy is None or waits_for_floor(alert) or not alert.steps:
        return ""
    remedy = tr.coded("remedy", alert.remedy, alert_params(alert))
    return tr("alert.ruled" if alert.ruled else "alert.remedy", remedy=remedy)


def waits_for_floor(alert: Alert) -> bool:
    """Whether the ruling is left to the floor and not made yet."""
    return bool(alert.options) and alert.ruled is None


def why_text(tr: Translator, why: Why) -> str:
    """One piece of the evidence."""
    return tr.coded("why", why.code, {"count": 1, **why.params})


def rules_text(tr: Translator, alert: Alert) -> str:
    """House, source and rule; where the house is silent, that another's rule fills in."""
    return tr(
        "alert.gap" if alert.gap else "alert.rules", house=alert.house, source=alert.source, rule=alert.rule
    )


# -- devices ---------------------------------------------------------------------------------------------------------------


class Lamp(NamedTuple):
    """A lamp: what it stands for, and its state."""

    text: str
    state: str
    name: str
    zone: str = ""


def lamps(
    tr: Translator, devices: tuple[DeviceFact, ...], troubles: Mapping[str, str] | None = None
) -> tuple[Lamp, ...]:
    """One lamp a zone, the seats that are well gathered in one; what is not well comes first and says so.

    ``troubles``: zones whose reader works and whose cards are not in order (:func:`troubled_zones`). A device that is not well says in
    a lamp of its own why, and what to do. The last one is lit where the line of a device is not secured.
    """
    troubles = troubles or {}
    well: list[int] = []
    reasons: list[Lamp] = []
    troubled: list[Lamp] = []
    quiet: list[Lamp] = []
    for device in devices:
        reason = _reason(tr, device)
        if reason:
            reasons.append(Lamp(reason, device.state if device.state != "ok" else "stale", reason))
        if not device.zones:
            word = tr.coded("device_state", device.state)
            name = tr.coded("role", device.role) if tr.has(f"role.{device.role}") else device.id
            lamp = Lamp(name if device.state == "ok" else f"{name}: {word}", device.state, f"{name}: {word}")
            (quiet if device.state == "ok" else troubled).append(lamp)
            continue
        for zone in device.zones:
            state = troubles.get(zone, "ok") if device.state == "ok" else device.state
            seat = seat_of(zone)
            if state == "ok" and seat is not None:
                well.append(seat)
                continue
            name, word = _zone_name(tr, zone), tr.coded("device_state", state)
            text = name if state == "ok" else f"{name}: {word}"
            lamp = Lamp(text, state, f"{name}: {word}", zone)
            (quiet if state == "ok" else troubled).append(lamp)
    seats = (
        [Lamp(tr("lamps.seats", list=_ranges(well)), "ok", tr("lamps.seats", list=_ranges(well)))]
        if well
        else []
    )
    for detail in ("not_secured", "plain_line"):
        unsecured = [device.id for device in devices if device.state == "ok" and device.detail == detail]
        if unsecured:
            word = tr(f"lamps.{detail}")
            quiet.append(Lamp(word, detail, f"{word}: {', '.join(unsecured)}"))
    return (*reasons, *troubled, *seats, *quiet)


def _reason(tr: Translator, device: DeviceFact) -> str:
    """Why a device is not well, and the one thing to do; empty when it is, or when there is nothing to say."""
    code = device.detail
    if code == "protocol_version" and device.params.get("update") == "table":
        code = "protocol_version_table"
    said = device.state != "ok" or device.role == "shoe"
    if not said or not tr.has(f"device_detail.{code}"):
        return ""
    return f"{device.id}: {tr.coded('device_detail', code, device.params)}"


#: What a notice says of a zone → the state of its lamp.
_OF_A_ZONE: Final = {
    "unknown_card": "unknown_card",
    "other_deck": "unknown_card",
    "barred_card": "unknown_card",
    "zone_conflict": "conflict",
    "zone_failing": "failing",
    "zone_mangled": "mangled",
}


def troubled_zones(state: ViewState) -> dict[str, str]:
    """Zones that are read and whose cards are not in order: a card of no deck, the same card twice, one card at several antennas."""
    found = {}
    for notice in state.notices:
        if notice.code in _OF_A_ZONE and "zone" in notice.params:
            found[str(notice.params["zone"])] = _OF_A_ZONE[notice.code]
    for alert in state.alerts:
        if alert.rule == "K1" and "zone" in alert.params:
            found[str(alert.params["zone"])] = "same_card"
    return found


def _zone_name(tr: Translator, zone: str) -> str:
    seat = seat_of(zone)
    if seat is not None:
        return tr("ui.seat", seat=seat)
    return tr(f"zone_cap.{zone}") if tr.has(f"zone_cap.{zone}") else zone


def _ranges(numbers: list[int]) -> str:
    parts: list[str] = []
    run: list[int] = []
    for number in [*sorted(set(numbers)), None]:
        if run and (number is None or number != run[-1] + 1):
            parts.append(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}")
            run = []
        if number is not None:
            run.append(number)
    return ", ".join(parts)


def table_summary(tr: Translator, state: ViewState) -> str:
    """The picture in words, for a screen reader. Names no card that is not public."""
    parts = [now_line(tr, state).title]
    for seat in state.seats:
        stack = tr("ui.no_stack") if seat.stack is None else tr.number(seat.stack)
        words = [tr("ui.seat", seat=seat.seat), stack]
        if seat.bet:
            words.append(f"{tr('action.bet')} {tr.number(seat.bet)}")
        words.extend(mark_text(tr, mark, seat) for mark in seat.marks)
        words.extend(seat.tabled)
        parts.append(" ".join(words))
    for number in range(1, state.boards + 1):
        faces = [card.face for card in state.board.cards if card.face and card.board == number]
        if faces:
            parts.append(
                f"{tr('zone_cap.board' if number == 1 else f'zone_cap.board{number}')} {' '.join(faces)}"
            )
    parts.append(f"{tr('ui.pot')} {tr.number(state.pot.total)}")
    return ". ".join(parts)
