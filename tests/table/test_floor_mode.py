"""Floor mode at the table service: badge and PIN, lock-out and time-out over restarts, what only the floor may do, what he signs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from dealer_assist.config import staff as staff_module
from dealer_assist.config.staff import Staff, save_staff
from dealer_assist.domain import commands as cmd
from dealer_assist.domain import equipment as eq
from dealer_assist.domain import floor as fl
from dealer_assist.domain.facts import NoticeFact
from dealer_assist.domain.link import Request, Result
from dealer_assist.journal.store import Journal, Row
from dealer_assist.table.equipment.set_ups import Outcome
from dealer_assist.table.ports import LinkChanged
from tests.journal.kit import settings
from tests.secrecy.search import FORMS
from tests.table.driver import Driver
from tests.table.floor_rig import KEY, MARIA, MARIAS_PIN, OLENA, PETAR, PIN, FloorRig, Held, people


def at_a_ruling() -> Driver:
    """Seat 7 was passed over for too long: the house leaves it to the floor."""
    table = Driver()
    table.deal()
    table.act("2 raise 6, 3 fold, 5 call")
    table.wait(500)
    assert table.tell(cmd.Report("A2", 7, "dealer", 3)) is None
    return table


@pytest.fixture
def table() -> Driver:
    return at_a_ruling()


@pytest.fixture
def rig(tmp_path: Path, table: Driver) -> Iterator[FloorRig]:
    made = FloorRig(tmp_path, table.core)
    made.t_ms = table.t_ms
    yield made
    made.close()


def test_a_floor_badge_and_its_pin_sign_in_and_a_key_signs_out(rig: FloorRig) -> None:
    assert (rig.floor.configured, rig.floor.name, rig.floor.badge) == (True, "", "")
    assert rig.ask(fl.SignIn(PIN)).code == "show_badge"
    rig.tap(PETAR)
    rig.until(lambda: rig.floor.badge == "Petar")
    assert rig.floor.tries_left == 3
    assert rig.ask(fl.SignIn(PIN)).ok
    assert (rig.floor.name, rig.floor.number, rig.floor.badge) == ("Petar", 40, "")
    assert rig.floor.until_s == rig.now_s + 300
    assert rig.ask(fl.SignOut()).ok
    assert (rig.floor.name, rig.floor.note) == ("", "signed_out")
    assert rig.marks("pin_tried", "floor_signed_in", "floor_signed_out") == [
        "pin_tried",
        "floor_signed_in",
        "floor_signed_out",
    ]


def test_a_dealers_badge_opens_nothing_and_brings_his_language_and_hand(rig: FloorRig) -> None:
    rig.tap(OLENA)
    rig.until(lambda: rig.facts["dealer", ""] == fl.DealerFact("Olena", "uk", "left"))
    assert rig.ask(fl.SignIn(PIN)).code == "show_badge"
    assert rig.ask(cmd.DealerPush("12")).ok
    assert rig.core.seats.ledger.dealer == "Olena", "by her number she is the same dealer"
    rig.tap("1111-2222-3333")
    rig.until(lambda: ("notice", "badge") in rig.facts)
    assert rig.facts["notice", "badge"] == NoticeFact("badge", "unknown_badge", {"badge": "1111-2222-3333"})
    rig.tap(PETAR)
    rig.until(lambda: rig.floor.badge == "Petar")
    assert rig.facts["dealer", ""] == fl.DealerFact("Olena", "uk", "left"), "the floor pushes nobody"
    assert rig.facts["notice", "badge"] == NoticeFact("badge", "", {})


def test_wrong_pins_lock_a_badge_for_longer_each_time_and_over_a_restart(
    rig: FloorRig, table: Driver
) -> None:
    for left in (2, 1):
        refused = rig.sign_in(pin="111222")
        assert (refused.code, refused.params) == ("wrong_pin", {"count": left})
    refused = rig.sign_in(pin="111222")
    assert (refused.code, refused.params["count"]) == ("badge_locked", 1)
    assert rig.floor.locked_until_s == rig.now_s + 60
    assert rig.sign_in().code == "badge_locked", "the right PIN, too"
    assert rig.sign_in(MARIA, MARIAS_PIN).ok, "another badge is not locked"
    rig.restart(table.core)
    assert rig.sign_in().code == "badge_locked"
    rig.wait(61)
    refused = rig.sign_in(pin="999111")
    assert (refused.code, refused.params["count"]) == ("badge_locked", 5), "locked for longer now"
    rig.restart(table.core)
    rig.wait(299)
    assert rig.sign_in().code == "badge_locked"
    rig.wait(2)
    assert rig.sign_in().ok
    rig.ask(fl.SignOut())
    assert rig.sign_in(pin="111222").params == {"count": 2}, "the right one has cleared what was before"


def test_a_try_counts_although_the_plug_is_pulled_while_it_is_checked(tmp_path: Path, table: Driver) -> None:
    with closing(Journal.open(tmp_path / "journal.sqlite", **settings())) as journal:
        journal.append([Row.of("mark", "pin_tried", "", {"number": 40})] * 3)
    rig = FloorRig(tmp_path, table.core)
    try:
        assert rig.sign_in().code == "badge_locked"
    finally:
        rig.close()


def test_the_table_goes_on_while_a_pin_is_checked(tmp_path: Path, table: Driver) -> None:
    held = Held()
    rig = FloorRig(tmp_path, table.core, check=held)
    try:
        rig.tap(PETAR)
        answers = rig.send(fl.SignIn(PIN))
        assert held.asked.wait(20)
        assert rig.floor.checking
        assert rig.marks("pin_tried", "pin_wrong", "floor_signed_in") == ["pin_tried"], "before it is checked"
        assert rig.ask(cmd.CallFloor()).ok
        assert rig.ask(fl.SignIn(PIN)).code == "pin_being_checked"
        assert not answers
        held.let_go.set()
        rig.until(lambda: answers)
        assert answers[0].ok
    finally:
        held.let_go.set()
        rig.close()


def test_floor_mode_ends_when_nobody_touches_anything(rig: FloorRig) -> None:
    assert rig.sign_in().ok
    rig.wait(200)
    assert rig.ask(fl.StaySignedIn()).ok
    rig.wait(200)
    assert rig.floor.name == "Petar"
    rig.wait(101)
    rig.until(lambda: not rig.floor.name)
    assert rig.floor.note == "timed_out"
    assert rig.ask(fl.StaySignedIn()).code == "floor_not_signed_in"
    rig.tap(PETAR)
    rig.until(lambda: rig.floor.badge)
    rig.wait(61)
    rig.until(lambda: not rig.floor.badge)
    assert rig.floor.note == "badge_timed_out"


def test_floor_mode_ends_in_time_although_the_clock_is_set_back(rig: FloorRig) -> None:
    assert rig.sign_in().ok
    rig.wait(1)
    rig.wait(-86_400)  # summer time, a wrong date put right: nobody is at the table meanwhile
    assert rig.floor.until_s - rig.now_s <= 300
    rig.wait(301)
    rig.until(lambda: not rig.floor.name)
    assert rig.floor.note == "timed_out"
    rig.tap(PETAR)
    rig.until(lambda: rig.floor.badge)
    rig.wait(-86_400)
    rig.wait(61)
    rig.until(lambda: not rig.floor.badge)


def test_a_badge_is_not_locked_for_days_by_a_clock_that_was_wrong(rig: FloorRig, table: Driver) -> None:
    for _ in range(3):
        refused = rig.sign_in(pin="111222")
    assert refused.code == "badge_locked"
    rig.wait(-86_400)
    assert rig.sign_in().params["count"] == 1, "a minute, as before"
    rig.wait(61)
    assert rig.sign_in(pin="999111").params["count"] == 5
    rig.close()
    rig.now_s -= 5 * 365 * 86_400  # its battery was empty
    rig.begin(table.core)
    assert rig.sign_in().params["count"] <= 60
    rig.wait(3601)
    assert rig.sign_in().ok


class Busy:
    """A desk at which cards are laid down one by one, with no command for minutes."""

    busy = True

    def tick(self, t_ms: int) -> Outcome:
        return Outcome()

    def hear(self, observation: object) -> None:
        """Nothing comes of it."""


def test_a_deck_that_is_being_registered_keeps_the_floor_signed_in(rig: FloorRig) -> None:
    assert rig.sign_in().ok
    rig.session._desk = Busy()  # type: ignore[assignment]
    for _ in range(5):
        rig.wait(200)
    assert rig.floor.name == "Petar"
    rig.session._desk = None
    rig.wait(301)
    rig.until(lambda: rig.floor.note == "timed_out")


def test_a_badge_that_stays_at_the_reader_ends_floor_mode_when_it_leaves(rig: FloorRig) -> None:
    rig.lay(PETAR)
    assert rig.ask(fl.SignIn(PIN)).ok
    rig.take(PETAR)
    rig.t_ms += 500
    rig.lay(PETAR)  # it was held at an angle
    rig.wait(3)
    assert rig.floor.name == "Petar"
    rig.take(PETAR)
    rig.wait(1)
    assert rig.floor.name == "Petar"
    rig.wait(1)
    rig.until(lambda: not rig.floor.name)
    assert rig.floor.note == "badge_left"


def test_a_reader_that_is_unplugged_takes_the_badge_with_it(rig: FloorRig) -> None:
    rig.lay(PETAR)
    assert rig.ask(fl.SignIn(PIN)).ok
    rig.session.observe(LinkChanged("badges", rig.t_ms, "lost", "no_reader"))
    rig.wait(2)
    rig.until(lambda: rig.floor.note == "badge_left")


def test_who_leaves_the_staff_is_signed_out_within_a_second(rig: FloorRig) -> None:
    assert rig.sign_in().ok
    staff = people()
    petar = staff.of_number(40)
    assert petar is not None
    save_staff(rig.path, staff.with_person(msgspec.structs.replace(petar, retired="2026-11-30")))
    rig.wait(1)
    rig.until(lambda: not rig.floor.name)
    assert rig.floor.note == "retired"
    assert rig.sign_in().code == "show_badge"
    assert rig.marks("staff_known") == ["staff_known", "staff_known"]


def test_the_table_goes_on_while_a_long_staff_file_is_read(
    rig: FloorRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, reading = threading.Event(), threading.Event()
    load = staff_module.load_staff

    def slowly(path: Path) -> Staff:
        reading.set()
        assert go_on.wait(20)
        return load(path)

    monkeypatch.setattr(staff_module, "load_staff", slowly)
    staff = people()
    save_staff(rig.path, Staff(staff=tuple([one for one in staff.staff if one.number != 40])))
    rig.wait(1)
    assert reading.wait(20)
    try:
        assert rig.ask(cmd.CallFloor()).ok, "a card, a tap: nothing waits"
        rig.tap(PETAR)
        rig.until(lambda: rig.floor.badge == "Petar")
    finally:
        go_on.set()
    rig.until(lambda: not rig.floor.badge)
    assert rig.ask(fl.SignIn(PIN)).code == "show_badge"


def test_a_staff_file_that_is_wrong_changes_nothing_and_says_where(rig: FloorRig) -> None:
    rig.path.write_text(rig.path.read_text().replace('role = "floor"', 'role = "boss"'))
    rig.wait(1)
    rig.until(lambda: rig.floor.file_wrong)
    assert rig.floor.file_wrong == "staff.toml:14"
    assert rig.sign_in().ok
    rig.path.unlink()
    rig.wait(1)
    rig.until(lambda: rig.floor.file_wrong != "staff.toml:14")
    assert rig.floor.name == "Petar"
    save_staff(rig.path, people())
    rig.wait(1)
    rig.until(lambda: not rig.floor.file_wrong)


FLOORS = (
    cmd.Void(),
    eq.RegisterDeck("Red 1"),
    eq.CheckDeck(),
    eq.Calibrate(),
    eq.Diagnose(),
    eq.SaveTrace(),
    eq.SetDeck("Red 1", "retired"),
    eq.SetupStep("finish"),
    fl.SignOff(),
    fl.StaySignedIn(),
)


def test_what_is_the_floors_is_refused_while_nobody_is_signed_in(rig: FloorRig) -> None:
    for command in FLOORS:
        for actor in ("dealer", "floor", "simulated"):
            assert rig.ask(command, actor).code == "floor_not_signed_in", (command, actor)  # type: ignore[arg-type]


def test_the_live_view_ends_also_when_its_floor_has_left(rig: FloorRig) -> None:
    """The page is closed because floor mode ended: by then nobody is signed in who could say so."""
    assert rig.ask(eq.Diagnose(30)).code == "floor_not_signed_in"
    assert rig.ask(eq.Diagnose(0)).code != "floor_not_signed_in"


def test_nobody_is_the_floor_by_saying_so(rig: FloorRig) -> None:
    assert rig.ask(cmd.Rule("A2", "kill_hand"), "floor").code == "floor_not_signed_in"
    assert rig.ask(cmd.CallFloor()).ok
    assert rig.sign_in().ok
    assert rig.ask(cmd.Void()).ok
    assert rig.core.hand is not None and rig.core.hand.procedure.ended == "void"
    told = [stored.payload for stored in rig.rows() if stored.kind == "input"]
    assert b'"actor":"floor"' in told[-1], "he speaks for himself, whatever the screen calls him"


def test_a_table_without_a_staff_file_is_as_it_was(tmp_path: Path, table: Driver) -> None:
    rig = FloorRig(tmp_path, table.core, staffed=False)
    try:
        assert rig.floor == fl.FloorModeFact(rule_on=rig.floor.rule_on)
        assert rig.ask(fl.SignIn(PIN)).code == "no_staff"
        assert rig.ask(cmd.Rule("A2", "kill_hand"), "floor").ok
        assert rig.ask(cmd.Void(), "floor").ok
        assert rig.floor.unsigned == ()
    finally:
        rig.close()


# -- rulings ---------------------------------------------------------------------------------------------------------------------------


def test_what_the_dealer_enters_for_the_floor_waits_for_a_badge(rig: FloorRig) -> None:
    [waiting] = rig.floor.rule_on
    assert rig.ask(cmd.Rule(waiting, "kill_hand")).ok
    assert rig.floor.rule_on == ()
    [ruling] = rig.floor.unsigned
    assert (ruling.rule, ruling.option, ruling.seat, ruling.hand) == ("A2", "kill_hand", 7, "h1")
    assert rig.ask(cmd.Undo()).ok
    assert rig.floor.unsigned == (), "what was taken back needs no signature"
    assert rig.floor.rule_on == (waiting,)
    assert rig.ask(cmd.Rule(waiting, "passive_only")).ok
    rig.sign_in()
    assert rig.ask(fl.SignOff((99,))).code == "nothing_to_sign"
    assert rig.ask(fl.SignOff()).params == {"count": 1}
    assert rig.floor.unsigned == ()
    assert rig.ask(cmd.Rule(waiting, "kill_hand")).ok
    assert rig.floor.unsigned == (), "the floor was there when it was entered"


def test_unsigned_rulings_and_the_shifts_alerts_outlive_their_hand_and_the_service(
    rig: FloorRig, table: Driver
) -> None:
    assert rig.ask(cmd.Rule("A2", "kill_hand")).ok
    rig.sign_in()
    assert rig.ask(cmd.Void()).ok
    assert [ruling.option for ruling in rig.floor.unsigned] == ["kill_hand"]
    rig.restart(table.core)
    assert rig.floor.name == "", "floor mode does not outlive the service"
    assert rig.floor.note == "restarted"
    [ruling] = rig.floor.unsigned
    answer = rig.ask(fl.AskShift())
    [alert] = msgspec.convert(answer.params["alerts"], list[fl.ShiftAlert])
    assert (alert.rule, alert.evidence, alert.ruled, alert.ruled_by) == (
        "A2",
        "proven",
        "kill_hand",
        "dealer",
    )
    assert answer.params["of"] == 1
    assert rig.ask(fl.AskShift(alert.number)).params == {"alerts": [], "of": 1}
    rig.sign_in(MARIA, MARIAS_PIN)
    assert rig.ask(fl.SignOff((ruling.number,))).params == {"count": 1}
    rig.restart(table.core)
    assert rig.floor.unsigned == ()
    [signed] = [stored.payload for stored in rig.rows() if stored.name == "rulings_signed"]
    assert b'"name":"Maria"' in signed and b'"option":"kill_hand"' in signed


def test_a_ruling_of_a_running_hand_that_was_signed_stays_signed_over_a_restart(
    rig: FloorRig, table: Driver
) -> None:
    assert rig.ask(cmd.Rule("A2", "kill_hand")).ok
    rig.sign_in()
    assert rig.ask(fl.SignOff()).ok
    rig.restart(table.core)
    assert rig.floor.unsigned == ()
    assert table.core.hand is not None and len(table.core.hand.rulings) == 1


def test_a_signature_is_for_what_was_there_not_for_the_same_ruling_made_again(tmp_path: Path) -> None:
    table = Driver()
    table.deal()
    rig = FloorRig(tmp_path, table.core)
    rig.t_ms = table.t_ms
    try:
        assert rig.ask(cmd.Act(2, "raise", 6, ruled=True)).ok
        rig.sign_in()
        assert rig.ask(fl.SignOff()).params == {"count": 1}
        assert rig.ask(fl.SignOut()).ok
        for seat in (3, 5, 7, 9):
            assert rig.ask(cmd.Act(seat, "fold")).ok
        assert rig.ask(cmd.Act(1, "raise", 12)).ok
        assert rig.ask(cmd.Act(2, "raise", 24, ruled=True)).ok
        [second] = rig.floor.unsigned
        assert (second.option, second.seat, second.number) == ("amount_stands", 2, 2)
        rig.restart(table.core)
        [again] = rig.floor.unsigned
        assert (again.option, again.seat) == ("amount_stands", 2)
        rig.sign_in()
        assert rig.ask(fl.SignOff((again.number,))).params == {"count": 1}
        assert rig.floor.unsigned == ()
    finally:
        rig.close()


def test_the_floor_corrects_what_the_dealer_no_longer_can(tmp_path: Path) -> None:
    table = Driver()
    table.deal()
    table.act("2 raise 6, 3 fold, 5 call, 7 fold, 9 call, 1 call")
    table.burn()
    table.board(3)
    table.wait(1500)
    rig = FloorRig(tmp_path, table.core)
    rig.t_ms = table.t_ms
    try:
        wrong = cmd.Correct(5, "fold")
        assert rig.ask(wrong).code == "floor_only"
        assert rig.ask(wrong, "floor").code == "floor_not_signed_in"
        rig.sign_in()
        assert rig.ask(wrong).ok
        assert 5 not in table.hand.bets.live
        superseded = [stored.payload for stored in rig.rows() if stored.name == "superseded"]
        assert len(superseded) == 1 and b'"actor":"floor"' in superseded[0]
    finally:
        rig.close()


def test_what_the_floor_has_ruled_is_not_the_dealers_to_take_back(rig: FloorRig) -> None:
    rig.sign_in()
    [waiting] = rig.floor.rule_on
    assert rig.ask(cmd.Rule(waiting, "kill_hand")).ok
    assert rig.ask(fl.SignOut()).ok
    assert rig.ask(cmd.Undo()).code == "floor_not_signed_in"
    assert rig.core.hand is not None and len(rig.core.hand.rulings) == 1
    rig.sign_in()
    assert rig.ask(cmd.Undo()).ok, "he takes it back himself"
    assert rig.core.hand.rulings == ()
    assert rig.ask(fl.SignOut()).ok
    assert rig.ask(cmd.Rule(waiting, "kill_hand")).ok
    assert rig.ask(cmd.Undo()).ok, "what the dealer entered for him is the dealer's"


def test_a_correction_on_a_screen_that_had_not_seen_the_seats_last_action_is_stale(rig: FloorRig) -> None:
    """Its actions are counted from the last one: it would be another action that is corrected."""
    assert rig.ask(cmd.Act(7, "call")).ok
    answers: list[Result] = []
    rig.session.ask(Request("late", "dealer", 0, cmd.Correct(7, "fold")), answers.append)
    rig.until(lambda: answers)
    assert (answers[0].ok, answers[0].code) == (False, "stale")
    assert rig.ask(cmd.Correct(7, "fold")).ok


def test_a_ruling_and_who_entered_it_come_back_from_the_inputs(table: Driver) -> None:
    for option, actor in (("kill_hand", "floor"), ("passive_only", "dealer")):
        refused, changes = table.core.tell(cmd.Rule("A2", option), actor, table.t_ms)  # type: ignore[arg-type]
        assert refused is None
        table.changes += changes
    inputs = [change.input for change in table.changes if change.input is not None]
    fresh = Driver()
    fresh.core.close()
    fresh.core.resume(inputs)
    assert fresh.hand.rulings == table.hand.rulings
    [ruling] = fresh.hand.rulings
    assert (ruling.option, ruling.by) == ("passive_only", "dealer")


# -- secrecy ---------------------------------------------------------------------------------------------------------------------------


def test_a_pin_is_nowhere_in_what_is_left(
    rig: FloorRig, table: Driver, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert PIN not in repr(fl.SignIn(PIN))
    assert PIN not in repr(Request("r1", "dealer", 1, fl.SignIn(PIN))) + str(rig.desk)
    rig.sign_in(pin="628051937")
    rig.sign_in()
    rig.ask(fl.SignOut())
    seen = [msgspec.json.encode(fact) for fact in rig.facts.values()]
    rig.restart(table.core)
    files = [path.read_bytes() for path in tmp_path.iterdir() if path.is_file()]
    said = "".join(capfd.readouterr()).encode()
    for content in [*seen, *files, said]:
        for pin in (b"628051937", PIN.encode()):
            assert not [name for name, written in FORMS.items() if written(pin) in content]
    assert [
        name
        for name, written in FORMS.items()
        if written(PIN.encode()) in b"a trace: " + PIN.encode().hex().encode()
    ]
    assert any(b"argon2id" in content for content in files), "the search saw the staff file"
    assert not [content for content in files if KEY.hex().encode() in content]


def test_a_request_with_a_pin_that_is_none_is_told_without_it() -> None:
    decoder = msgspec.json.Decoder(cmd.Command)
    for wrong in (b'"12345x7"', b'"98765"', b"9876543"):
        with pytest.raises(msgspec.ValidationError) as caught:
            decoder.decode(b'{"kind":"sign_in","pin":' + wrong + b"}")
        assert wrong.strip(b'"').decode() not in str(caught.value)
