"""How alerts ask for the dealer: priorities told apart, sounds and their pause, the queue, why, and what taking one in hand changes."""

from __future__ import annotations

import io
import itertools
import os
import re
import wave
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from dealer_assist.domain.alerts import Alert, Explanation, Saves, Why
from dealer_assist.domain.commands import Answer, Respond, Rule
from dealer_assist.domain.facts import AlertFact, NowFact, SavesFact
from dealer_assist.domain.link import Result, Update
from dealer_assist.procedure.alignment.courses import Kind
from dealer_assist.station import alert_words, canned, canned_signals, pad, theme, wording
from dealer_assist.station.audio import PAUSE_S
from dealer_assist.station.canned_alerts import (
    BOXED,
    EARLY_TURN,
    EXPOSED,
    FLOOR_CHOICE,
    FOUR_CARD_FLOP,
    MISDEAL,
    NOTE,
)
from dealer_assist.station.canned_signals import SKIPPED, UNBURNED
from dealer_assist.station.i18n import LANGUAGES, Translator, load_all
from dealer_assist.station.keys import Key
from dealer_assist.station.shots import STATES, make
from dealer_assist.station.signals import SIGNALS, URGENCY, Attention, signal_of
from dealer_assist.station.sound import LOUDEST, Sounds, pulses, tone
from tests.station.taps import Sent

#: One alert of each priority, new and not taken in hand.
HIGH = replace(FOUR_CARD_FLOP, stop=False)
MEDIUM = replace(EXPOSED, state="open", id="10482/21")
LOW = replace(NOTE, state="open", id="10482/22", remedy="announce")
FURTHER = replace(
    EARLY_TURN, steps=(EARLY_TURN.steps[0], replace(EARLY_TURN.steps[1], state="done"), *EARLY_TURN.steps[2:])
)


class Clock:
    """Seconds that pass when a test says so."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def table(open_window):
    def show(name, **options):
        window = open_window(STATES[name](), **options)
        sent = Sent()
        window.set_sender(sent)
        return window, sent

    return show


@pytest.fixture
def timed(table, heard):
    """A window whose sounds go by a clock of ours."""
    window, sent = table("play", sounds=heard)
    clock = Clock()
    window.audio._clock = clock

    def wait(seconds):
        clock.now += seconds
        window.audio.tick()

    return window, sent, heard, wait


def show(window, *alerts: Alert, gone: tuple[Alert, ...] = ()):
    window.receive(
        (
            Update(
                window.state.seq + 1,
                0,
                tuple([AlertFact(alert) for alert in alerts]),
                tuple([("alert", alert.id) for alert in gone]),
            ),
        )
    )


def tap(qtbot, key: Key):
    assert key.isVisible() and key.isEnabled(), key.objectName()
    qtbot.mouseClick(key, Qt.MouseButton.LeftButton)


# -- priorities ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_priorities_differ_in_colour_shape_word_sound_and_rate(language):
    tr = Translator(language)
    alerts = (FOUR_CARD_FLOP, HIGH, MEDIUM, LOW, SKIPPED)
    assert len({wording.alert_word(tr, alert) for alert in alerts}) == len(alerts)
    three = (HIGH, MEDIUM, LOW)
    looks = [theme.LEVELS[wording.alert_level(alert)] for alert in three]
    assert all(len({look[part] for look in looks}) == 3 for part in (0, 1, 2))
    signals = [signal_of(alert) for alert in three]
    assert [pulses(signal.sound) for signal in signals] == [10, 3, 1]
    assert len({signal.half_ms for signal in signals}) == 3


def test_no_flash_is_above_two_hertz_and_each_rate_is_that_of_its_priority():
    rates = {name: 500 / signal.half_ms for name, signal in SIGNALS.items() if signal.half_ms}
    assert 1.4 <= rates["high"] <= 2.0 and 0.4 <= rates["medium"] <= 0.8 and "low" not in rates
    assert max(rates.values()) <= 2.0
    assert {signal.sound for signal in SIGNALS.values()} <= set(URGENCY)


@pytest.mark.parametrize(("alert", "half_ms"), [(HIGH, 300), (MEDIUM, 800), (LOW, 0), (SKIPPED, 800)])
def test_an_alert_flashes_at_its_rate(table, alert, half_ms):
    window, _ = table("play", animated=True)
    show(window, alert)
    assert window.panel.flash_ms == half_ms
    assert window.panel.bright == bool(half_ms)


def test_nothing_flashes_where_nothing_is_to_move(table):
    window, _ = table("play")
    show(window, HIGH)
    assert window.panel.flash_ms == 0 and not window.panel.bright


def test_taking_it_in_hand_makes_it_steady_and_does_not_clear_it(table, qtbot):
    window, sent = table("play", animated=True)
    show(window, FOUR_CARD_FLOP)
    tap(qtbot, window.panel.keys["fixing"])
    assert sent == [Respond(FOUR_CARD_FLOP.id, "fixing")]
    assert window.panel.flash_ms  # until the table service has it
    window.receive((Result("1", ok=True),))
    show(window, replace(FOUR_CARD_FLOP, state="fixing"))
    assert window.panel.flash_ms == 0 and window.panel.alert.rule == "F1"
    assert window.panel.accessibleName().startswith("FIXING")
    assert not window.panel.keys["fixing"].isEnabled()
    assert all(window.panel.keys[code].isEnabled() for code in ("misread", "call_floor", "deal_on"))


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        (HIGH, HIGH, True),
        (HIGH, replace(HIGH, state="fixing"), False),
        (EARLY_TURN, EARLY_TURN, True),
        (EARLY_TURN, FURTHER, False),
        (MISDEAL, replace(MISDEAL, question="first_off_deck"), True),
        (replace(HIGH, options=("void",)), replace(HIGH, options=("void",), ruled="void"), False),
        (SKIPPED, SKIPPED, True),
    ],
)  # fmt: skip
def test_what_counts_as_taken_in_hand(before, after, wanted):
    attention = Attention()
    attention.follow((before,))
    attention.follow((after,))
    assert attention.wanted(after) == wanted


def test_who_has_called_the_floor_has_it_in_hand_until_something_new_comes(table, qtbot):
    window, sent = table("floor-choice", animated=True)
    assert window.panel.flash_ms == 300
    tap(qtbot, window.panel.keys["call_floor"])
    window.receive((Result("1", ok=True),))
    assert sent == [Respond(FLOOR_CHOICE.id, "call_floor")] and window.panel.flash_ms == 0
    show(window, FOUR_CARD_FLOP)
    assert window.panel.alert.rule == "F1" and window.panel.flash_ms == 300
    tap(qtbot, window.pad.keys["call_floor"])
    window.receive((Result("2", ok=False, code="hand_not_open"),))
    assert window.panel.flash_ms == 300  # it was not called
    tap(qtbot, window.pad.keys["call_floor"])
    window.receive((Result("3", ok=True),))
    assert window.panel.flash_ms == 0


def test_what_a_hand_leaves_up_when_it_is_voided_asks_for_nothing_more(timed, qtbot):
    """Its table takes no answer to it any more: it must not sound and flash until the next hand."""
    window, sent, heard, wait = timed
    show(window, FOUR_CARD_FLOP)
    count = len(heard)
    window.receive((Update(window.state.seq + 1, 0, (NowFact("idle", {"result": "void"}),)),))
    wait(60)
    assert len(heard) == count and window.panel.flash_ms == 0
    keys = window.panel.keys
    assert [code for code in ("fixing", "misread", "deal_on") if keys[code].isEnabled()] == []
    tap(qtbot, keys["call_floor"])
    assert sent == [Respond(FOUR_CARD_FLOP.id, "call_floor")]


def test_the_floors_choice_has_keys_of_the_keyboard(table, qtbot):
    window, sent = table("floor-choice")
    qtbot.keyClick(window, Qt.Key.Key_F10)
    qtbot.waitUntil(lambda: sent == [Rule(FLOOR_CHOICE.id, "kill_hand")])
    qtbot.keyClick(window, Qt.Key.Key_F11)
    assert len(sent) == 1  # voiding a hand is held


# -- sounds ----------------------------------------------------------------------------------------------------------------


def test_each_alert_is_heard_once_as_it_comes_with_the_sound_of_its_priority(timed):
    window, _, heard, _ = timed
    for alert in (SKIPPED, MEDIUM, HIGH):
        show(window, alert)
        show(window, alert)
    assert heard == ["question", "medium", "high"]
    show(window, replace(SKIPPED, evidence="proven", question=None, stop=True))
    assert heard[3:] == ["high"]


def test_an_urgent_one_is_heard_again_until_it_is_taken_in_hand(timed):
    window, _, heard, wait = timed
    show(window, HIGH)
    wait(9)
    assert heard == ["high"]
    wait(1)
    wait(10)
    assert heard == ["high"] * 3
    show(window, replace(HIGH, state="fixing"))
    wait(60)
    assert heard == ["high"] * 3


def test_a_medium_one_comes_again_later_and_a_question_not(timed):
    window, _, heard, wait = timed
    show(window, MEDIUM, SKIPPED)
    heard.clear()
    for _ in range(6):
        wait(10)
    assert heard == ["medium", "medium"]


def test_sounds_are_paused_by_a_tap_with_the_time_left_and_come_back_by_themselves(timed, qtbot):
    window, _, heard, wait = timed
    show(window, HIGH)
    key = window.lamps.sound_key
    assert key.text() == "Sound"
    tap(qtbot, key)
    assert heard == ["high", ""] and key.text() == "2:00" and "paused" in key.accessibleName()
    wait(47)
    assert key.text() == "1:13"
    show(window, HIGH, MEDIUM)
    wait(72)
    assert key.text() == "0:01" and heard == ["high", ""]
    wait(1)
    assert key.text() == "Sound" and sorted(heard[2:]) == ["high", "medium"]
    assert window.audio.left_s == 0
    assert PAUSE_S <= 120


def test_what_was_put_right_in_the_pause_is_not_heard_after_it(timed, qtbot):
    window, _, heard, wait = timed
    tap(qtbot, window.lamps.sound_key)
    show(window, HIGH)
    show(window, replace(HIGH, state="closed"))
    wait(PAUSE_S)
    assert heard == [""]


def test_a_second_tap_ends_the_pause_and_a_key_of_the_keyboard_does_both(timed, qtbot):
    window, _, heard, _ = timed
    qtbot.keyClick(window, Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: window.audio.left_s == PAUSE_S)
    show(window, HIGH)
    assert heard == [""]
    tap(qtbot, window.lamps.sound_key)
    assert window.audio.left_s == 0
    window.audio.tick()
    assert heard == ["", "high"]


def test_the_pause_runs_by_itself(open_window, heard, qtbot):
    window = open_window(canned.STATES["play"](), sounds=heard)
    clock = Clock()
    window.audio._clock = clock
    window.audio.toggle_pause()
    clock.now += PAUSE_S
    qtbot.waitUntil(lambda: window.audio.left_s == 0 and window.lamps.sound_key.text() == "Sound")


def test_a_station_that_can_make_no_sound_says_so(table):
    window, _ = table("play")
    key = window.lamps.sound_key
    assert key.text() == "No sound" and "loudspeaker" in key.accessibleName()
    show(window, HIGH)
    assert window.panel.isVisible()


def test_a_lost_service_is_heard_once(timed):
    window, _, heard, _ = timed
    window.service_lost()
    window.service_lost()
    assert heard == ["lost"]


def test_sounds_are_made_louder_and_softer_in_the_tables_menu_and_never_silent(timed, qtbot):
    window, _, heard, _ = timed
    tap(qtbot, window.header.table_key)
    keys = window.table_sheet.keys
    tap(qtbot, keys["louder"])
    assert (heard.loudness, keys["louder"].sub) == (4, "4/5")
    tap(qtbot, keys["louder"])
    assert not keys["louder"].isEnabled() and heard == ["question", "question"]
    for _ in range(4):
        tap(qtbot, keys["softer"])
    assert heard.loudness == 1 and not keys["softer"].isEnabled()


def test_where_no_sound_is_made_there_is_nothing_to_turn(table, qtbot):
    window, _ = table("play")
    tap(qtbot, window.header.table_key)
    assert not any(window.table_sheet.keys[code].isEnabled() for code in ("softer", "louder"))


@pytest.mark.parametrize("name", URGENCY)
def test_sounds_are_short_soft_and_without_a_click(name):
    with wave.open(io.BytesIO(tone(name, loudness=LOUDEST))) as file:
        frames = file.readframes(file.getnframes())
        assert file.getnframes() / file.getframerate() < 4
    samples = memoryview(frames).cast("h")
    assert abs(samples[0]) < 300 and abs(samples[-1]) < 300
    assert 0.3 * 32767 < max(samples) < 0.7 * 32767


def test_each_step_of_loudness_is_louder():
    peaks = [
        max(memoryview(tone("question", loudness=step)[44:]).cast("h")) for step in range(1, LOUDEST + 1)
    ]
    assert all(low * 1.4 < high for low, high in itertools.pairwise(peaks))


def player(folder, name, script):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def players(monkeypatch, tmp_path):
    """Makes programs that stand for the system's players: only those are found."""
    found = {}
    monkeypatch.setattr("shutil.which", found.get)

    def add(name, script):
        found[name] = str(player(tmp_path, name, script))

    return add


def played(sounds, qtbot):
    qtbot.waitUntil(lambda: not sounds.poll())


def test_a_missing_player_is_no_error(players):
    sounds = Sounds()
    assert not sounds.able
    sounds.play("high")
    sounds.close()


def test_a_sound_goes_to_a_player_of_the_system(players, tmp_path, qtbot):
    players("paplay", f'head -c 4 "$1" > {tmp_path}/heard')
    sounds = Sounds()
    sounds.play("question")
    played(sounds, qtbot)
    assert (tmp_path / "heard").read_bytes() == b"RIFF" and sounds.able
    sounds.close()


def test_sounds_are_made_before_the_first_alert_and_a_full_disk_is_said_by_silence(
    players, tmp_path, monkeypatch, qtbot
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    players("paplay", "exit 0")
    sounds = Sounds()
    sounds.prepare()
    (folder,) = tmp_path.glob("station-sounds-*")
    assert {path.name for path in folder.iterdir()} == {f"{name}-3.wav" for name in URGENCY}
    sounds.close()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    sounds.prepare()
    sounds.play("high")
    assert not sounds.able


def test_where_one_player_finds_no_loudspeaker_another_one_is_tried(players, tmp_path, qtbot):
    players("paplay", f"echo p >> {tmp_path}/tried; exit 1")
    players("aplay", f"echo a >> {tmp_path}/tried; [ -e {tmp_path}/device ]")
    sounds = Sounds()
    sounds.play("high")
    played(sounds, qtbot)
    assert not sounds.able and (tmp_path / "tried").read_text().split() == ["p", "a"]
    (tmp_path / "device").touch()
    sounds.play("high")
    played(sounds, qtbot)
    assert sounds.able
    sounds.close()


def test_an_urgent_sound_breaks_in_and_a_less_urgent_one_waits(players, tmp_path, qtbot):
    players("paplay", f'basename "$1" >> {tmp_path}/heard; case "$1" in *low*) sleep 5;; esac')
    sounds = Sounds()
    sounds.play("low")
    qtbot.waitUntil(lambda: (tmp_path / "heard").exists() and (tmp_path / "heard").stat().st_size > 0)
    sounds.play("high")
    sounds.play("question")
    played(sounds, qtbot)
    heard = (tmp_path / "heard").read_text().split()
    assert heard == ["low-3.wav", "high-3.wav", "question-3.wav"]
    sounds.close()
    assert not [name for name in os.listdir(tmp_path) if name.startswith("station-sounds")]


def test_a_player_that_hangs_is_no_loudspeaker(players, tmp_path):
    players("paplay", f"trap '' TERM; echo p >> {tmp_path}/tried; exec sleep 60")
    players("aplay", f'echo "$(basename "$2")" >> {tmp_path}/heard; exec sleep 60')
    clock = Clock()
    sounds = Sounds(clock=clock)
    sounds.play("high")
    sounds.play("question")
    clock.now += 4
    assert sounds.poll() and sounds.able
    clock.now += 2
    assert sounds.poll(), "another player is tried"
    clock.now += 6
    assert not sounds.poll() and not sounds.able, "the screen says that nothing can be heard"
    clock.now += 60
    sounds.play("high")
    assert sounds.poll(), "and it is tried again at the next sound"
    sounds.hush()
    sounds.close()


def test_a_player_that_does_not_end_holds_nobody_up(players, tmp_path, qtbot):
    """A sound server that hangs, and a player that waits for it whatever it is told: the screen goes on, and so does its end."""
    players("paplay", f"trap '' TERM; echo $$ >> {tmp_path}/pids; while :; do sleep 1; done")
    sounds = Sounds()
    sounds.play("low")
    qtbot.waitUntil(lambda: (tmp_path / "pids").exists() and (tmp_path / "pids").stat().st_size > 0)
    sounds.hush()
    assert not sounds.poll(), "it is ended, or is being ended, and nobody has waited for it"
    sounds.play("question")
    qtbot.waitUntil(lambda: len((tmp_path / "pids").read_text().split()) == 2)
    sounds.close()
    for pid in (tmp_path / "pids").read_text().split():
        assert not Path(f"/proc/{pid}").exists(), "nothing is left behind"


# -- the queue -------------------------------------------------------------------------------------------------------------


def test_several_are_counted_by_urgency_and_the_next_one_is_named(table, qtbot):
    window, _ = table("queue")
    panel = window.panel
    assert panel.queue.place == "1/3" and panel.alert.rule == "R2"
    assert panel.queue.text() == "Next: QUESTION – Seat skipped?"
    assert panel.queue.accessibleName().startswith("Alert 1 of 3. Next")
    seen = []
    for _ in range(3):
        tap(qtbot, panel.keys["next"])
        seen.append(panel.alert.rule)
    assert seen == ["D3", "X3", "R2"]


def test_more_than_can_be_drawn_are_still_counted_and_reached_by_key(table, qtbot):
    window, _ = table("play")
    rules = ("N5", "D3", "N10", "K1", "D8", "F1", "D5")
    show(window, *[replace(BOXED, id=f"10482/{n}", rule=rule) for n, rule in enumerate(rules)])
    seen = set()
    for count in range(len(rules)):
        seen.add(window.panel.alert.rule)
        assert window.panel.queue.place == f"{count + 1}/7"
        before = window.panel.alert.id
        qtbot.keyClick(window, Qt.Key.Key_F6)
        qtbot.waitUntil(lambda before=before: window.panel.alert.id != before)
    assert seen == set(rules)


def test_what_is_less_urgent_does_not_take_the_panel_and_what_is_more_does(table, qtbot):
    window, sent = table("queue")
    for _ in range(2):
        tap(qtbot, window.panel.keys["next"])
    assert window.panel.alert.rule == "X3"
    show(window, replace(MEDIUM, id="10482/30", seat=2, params={"seat": 2}))
    assert window.panel.alert.id == EXPOSED.id
    show(window, gone=(EXPOSED,))
    assert window.panel.alert.rule == "R2"
    tap(qtbot, window.panel.keys["next"])
    tap(qtbot, window.panel.keys["yes"])
    assert sent == [Answer(SKIPPED.id, "yes")]


@pytest.mark.parametrize("code", ["yes", "misread", "option-0"])
def test_a_tap_is_for_the_alert_under_the_finger_as_it_came_down(table, qtbot, code):
    """A more urgent one that comes to the front before the finger is up is not answered by it."""
    window, sent = table("play")
    panel = window.panel
    front = FLOOR_CHOICE if code == "option-0" else SKIPPED
    show(window, front)
    key = panel.options[0] if code == "option-0" else panel.keys[code]
    qtbot.mousePress(key, Qt.MouseButton.LeftButton)
    urgent = replace(front, id="10482/40", priority="high", stop=True)
    show(window, urgent)
    assert panel.alert.id == urgent.id and key.isVisible()
    qtbot.mouseRelease(key, Qt.MouseButton.LeftButton)
    assert sent == [] and window.pad.message
    tap(qtbot, key)
    assert [command.alert for command in sent] == [urgent.id]


def test_a_finger_on_its_way_to_the_felt_answers_no_question_that_slides_under_it(table, qtbot, monkeypatch):
    monkeypatch.setattr(pad, "REACTION_MS", 60_000)
    window, sent = table("play")
    show(window, SKIPPED)
    tap(qtbot, window.panel.keys["no"])
    assert sent == [] and "changed" in window.pad.message
    monkeypatch.setattr(pad, "REACTION_MS", 0)
    tap(qtbot, window.panel.keys["no"])
    assert sent == [Answer(SKIPPED.id, "no")]


def test_a_key_that_is_held_is_for_the_alert_that_was_there_when_it_went_down(table, qtbot, monkeypatch):
    monkeypatch.setattr(theme, "HOLD_MS", 60)
    window, sent = table("play")
    show(window, MISDEAL)
    qtbot.keyPress(window, Qt.Key.Key_F4)
    show(window, replace(MISDEAL, id="10482/41"))
    assert window.panel.alert.id == "10482/41"
    qtbot.wait(150)
    qtbot.keyRelease(window, Qt.Key.Key_F4)
    assert sent == []


def test_one_alone_has_no_queue(table):
    window, _ = table("stop")
    assert not window.panel.queue.isVisible()


# -- why -------------------------------------------------------------------------------------------------------------------


def test_a_question_says_what_explains_the_reads_and_how_much_each_counts(table):
    window, _ = table("explained")
    spoken = window.panel.accessibleDescription()
    assert "Most likely: seat 4 was passed over (88\xa0%)" in spoken
    assert "Or: the deal is right, 1 card was not read (11\xa0%)" in spoken
    assert "No card read: seat 4 (strong sign)" in spoken
    assert not window.panel.keys["why"].isVisible()  # all of it can be read
    shares = [block.value for block in window.panel._laid.blocks if block.marker == "share"]
    assert shares == ["8810", "1130"]


def test_reasons_take_the_place_of_the_steps_and_give_it_back(table, qtbot):
    window, _ = table("play")
    crowded = replace(MISDEAL, explanations=SKIPPED.explanations, why=SKIPPED.why)
    show(window, crowded)
    panel = window.panel
    markers = {block.marker for block in panel._laid.blocks}
    assert "step" in markers and "share" not in markers and panel.keys["why"].text() == "Why?"
    tap(qtbot, panel.keys["why"])
    markers = {block.marker for block in panel._laid.blocks}
    assert {"share", "weight"} <= markers and "step" not in markers and panel.keys["why"].text() == "Steps"
    assert panel.keys["fixing"].isVisible()  # the answers stay
    qtbot.keyClick(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: panel.keys["why"].text() == "Why?")
    tap(qtbot, panel.keys["why"])
    show(window, replace(FOUR_CARD_FLOP, id="10482/40"))
    assert panel.keys["why"].text() != "Steps"  # another alert begins with its steps


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_explanation_has_its_words(language):
    catalogue = load_all()[language]
    tr = Translator(language)
    known = {*get_args(Kind), "as_planned", "as_planned_all", "unexplained", "no_burn", "burn_unread"}
    known |= {"out_of_turn", "first_card", "two_flop", "third_unread"}
    assert {code.removeprefix("explains.") for code in catalogue if code.startswith("explains.")} == known
    for code in known:
        said = alert_words.explanation_text(
            tr, Explanation(code, {"seat": 4, "due": 7, "count": 2, "street": "flop"}, 6_200), best=True
        )
        assert "62\xa0%" in said and "{" not in said and "?" not in said
    all_read = alert_words.explanation_text(tr, Explanation("as_planned", {"count": 0}, 10_000), best=False)
    assert "0" not in all_read and "99\xa0%" in all_read


def test_a_weight_is_a_strength_whichever_way_it_speaks():
    assert [alert_words.strength(Why("x", weight=weight)) for weight in (0, 99, 100, -250, 300, 4000)] == [
        1,
        1,
        2,
        2,
        3,
        3,
    ]


def test_no_reason_names_a_card():
    for alert in (SKIPPED, UNBURNED):
        spoken = " ".join(alert_words.spoken(Translator("en"), alert))
        assert not re.search(r"\b[2-9TJQKA][shdc]\b", spoken)


# -- saves, and every picture --------------------------------------------------------------------------------------------


def test_what_was_put_right_is_counted_on_the_screen(table):
    window, _ = table("play")
    assert "fixed at this table" not in window.lamps.accessibleName()
    window.receive((Update(2, 0, (SavesFact(Saves(told=2, own=1, misread=4)),)),))
    assert [lamp.text for _, _, lamp in window.lamps.shown if lamp.state == "saves"] == ["✓ 3"]
    assert "3 errors fixed" in window.lamps.accessibleName()


@pytest.mark.parametrize(
    ("size", "language"), [((1280, 800), "bg"), ((1280, 800), "uk"), ((1920, 1080), "en")]
)
@pytest.mark.parametrize("name", canned_signals.STATES)
def test_every_word_is_inside_and_no_key_touches_another(qtbot, dressed, name, size, language):
    window = make(name, size, language)
    window.grab()
    for part in (window.panel, window.lamps, window.header):
        assert part.text_fits(), part.objectName()
        keys = [child for child in part.children() if isinstance(child, Key) and child.isVisible()]
        for key in keys:
            assert key.text_fits() and key.accessibleName() and part.rect().contains(key.geometry())
        for one, other in itertools.combinations(keys, 2):
            assert not one.geometry().intersects(other.geometry())
    window.shut()
    qtbot.wait(1)
