from __future__ import annotations

import json

import msgspec
import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import equipment as eq
from dealer_assist.domain.facts import NoticeFact
from dealer_assist.domain.table import HandOpening, SeatStack
from dealer_assist.journal.keys import DeckFileRefused
from dealer_assist.table.equipment.desk import FORGOTTEN_MS
from dealer_assist.table.equipment.files import NotStored
from dealer_assist.table.ports import ScanFailed, ShufflerChanged
from hw_sim.antennas import SCAN_PERIOD_MS
from hw_sim.cards import uid_of
from hw_sim.handling import cards_of
from tests.table.equipment_rig import NOON_S, TAGS, DeskRig, with_decks

OPENING = HandOpening("h1", 1, (SeatStack(1, 200), SeatStack(2, 200)))


@pytest.fixture
def rig(tmp_path) -> DeskRig:
    return DeskRig(tmp_path)


@pytest.fixture
def registered(tmp_path) -> DeskRig:
    return with_decks(tmp_path, "Red 1")


@pytest.fixture
def both(tmp_path) -> DeskRig:
    return with_decks(tmp_path, "Red 1", "Blue 1")


def test_a_deck_is_registered_card_by_card(rig):
    assert rig.code(eq.RegisterDeck("Red 1", "red")) == ""
    assert (rig.set_up.what, rig.set_up.next, rig.set_up.of) == ("registration", "As", 52)
    rig.lay("As", "2s", "3s")
    assert (rig.set_up.done, rig.set_up.next, rig.set_up.note) == (3, "4s", "laid")
    assert rig.set_up.faces == ("As", "2s", "3s")
    rig.lay(*cards_of("A")[3:])
    assert (rig.set_up.what, rig.set_up.note) == ("", "registered")
    view = rig.decks()["Red 1"]
    assert (view.state, view.cards, view.registered_s) == ("registered", 52, NOON_S)
    assert rig.core.vault.deck_of(TAGS["Kd"]) == "Red 1"
    (deck,) = rig.files.load_decks()
    assert {bytes.fromhex(uid): face for uid, face in deck.cards.items()} == {
        TAGS[face]: face for face in cards_of("A")
    }


def test_its_file_tells_nothing_without_the_key(registered):
    paths = list((registered.folder / "decks").iterdir())
    assert [path.suffix for path in paths] == [".deck"]
    content = paths[0].read_bytes()
    assert TAGS["As"].hex().upper().encode() not in content and b'"As"' not in content
    with pytest.raises(DeckFileRefused):
        DeskRig(registered.folder, key=bytes(32))


def test_a_simulated_deck_needs_no_key_and_a_real_one_does(tmp_path):
    assert DeskRig(tmp_path / "real", key=None).code(eq.RegisterDeck("Red 1")) == "no_table_key"
    simulated = DeskRig(tmp_path / "simulated", simulated=True, key=None)
    simulated.tell(eq.RegisterDeck("Red 1"))
    simulated.lay(*cards_of("A"))
    (path,) = (tmp_path / "simulated" / "decks").glob("*.deck")
    assert json.loads(path.read_text())["simulated"] is True


def test_mistakes_of_a_registration_are_caught(both):
    rig = both
    rig.tell(eq.RegisterDeck("Red 1", "red", again=True))
    rig.lay("As")
    rig.lay("As")
    assert rig.set_up.note == "seen_before" and rig.set_up.done == 1
    rig.lay("B/2s")
    assert (rig.set_up.note, rig.set_up.params) == ("other_deck", {"deck": "Blue 1"})
    rig.lay("2s", "3s", each_ms=1)
    assert rig.set_up.note == "two_at_once" and rig.set_up.next == "2s"
    rig.lay("2s")
    assert rig.set_up.next == "3s"
    assert rig.code(eq.SetupStep("face", "As")) == "face_registered"
    assert rig.code(eq.SetupStep("face", "1s")) == "not_a_card"
    assert rig.code(eq.SetupStep("finish")) == "cards_missing"
    assert rig.code(eq.SetupStep("back")) == "" and rig.set_up.next == "2s"


def test_a_card_laid_elsewhere_does_not_count(rig):
    rig.tell(eq.RegisterDeck("Red 1"))
    rig.lay("As", zone="seat1")
    assert rig.set_up.done == 0
    assert rig.core.hand is None, "nor does it begin a hand"


def test_a_registration_goes_on_after_the_service_was_gone(rig, tmp_path):
    rig.tell(eq.RegisterDeck("Red 1", "red"))
    rig.lay(*cards_of("A")[:20])
    again = DeskRig(tmp_path)
    assert again.decks()["Red 1"].state == "unfinished"
    again.tell(eq.RegisterDeck("Red 1"))
    assert (again.set_up.note, again.set_up.done, again.set_up.next) == ("resumed", 20, "8h")
    again.lay(*cards_of("A")[20:])
    assert again.decks()["Red 1"].state == "registered"
    assert not list((tmp_path / "decks").glob("*.part"))


def test_a_cancelled_registration_leaves_no_deck(rig, tmp_path):
    rig.tell(eq.RegisterDeck("Red 1"))
    rig.lay("As")
    assert rig.code(eq.SetupStep("cancel")) == ""
    assert rig.decks() == {} and not list((tmp_path / "decks").iterdir())


def test_a_known_deck_is_registered_again_only_on_purpose(registered):
    assert registered.code(eq.RegisterDeck("Red 1")) == "deck_exists"
    assert registered.code(eq.RegisterDeck("Red 1", again=True)) == ""
    registered.lay("2s")
    assert registered.set_up.note == "laid", "its own old cards are no other deck's"


def test_nothing_is_set_up_while_a_hand_is_running_and_no_hand_begins_meanwhile(rig):
    rig.tell(eq.Calibrate())
    refused, _ = rig.core.tell(cmd.OpenHand(OPENING), "dealer", rig.t_ms)
    assert refused is not None and refused.code == "set_up_running"
    assert rig.code(eq.RegisterDeck("Red 1")) == "set_up_running"
    rig.tell(eq.SetupStep("cancel"))
    refused, _ = rig.core.tell(cmd.OpenHand(OPENING), "dealer", rig.t_ms)
    assert refused is None
    assert rig.code(eq.RegisterDeck("Red 1")) == "in_a_hand"
    assert rig.code(eq.SetupStep("skip")) == "nothing_set_up"


# -- check ---------------------------------------------------------------------------------------------------------------------


def test_a_check_of_a_whole_deck_leaves_a_receipt(registered):
    registered.now_s += 100
    assert registered.code(eq.CheckDeck(dealer="Olena K.")) == ""
    registered.lay(*cards_of("A"))
    assert (registered.set_up.deck, registered.set_up.done) == ("Red 1", 52)
    receipt = registered.tell(eq.SetupStep("finish")).params["receipt"]
    assert receipt["result"] == "complete" and receipt["dealer"] == "Olena K."
    assert [receipt[key] for key in ("maker", "model", "serial")] == ["Maker", "M1", "SN-1"]
    assert registered.tell(eq.AskReceipt()).params["receipt"] == receipt
    assert registered.decks()["Red 1"].checked_s == NOON_S + 100
    assert [name for name, _ in registered.marks][-1] == "receipt"
    again = DeskRig(registered.folder)
    assert again.tell(eq.AskReceipt(1)).params["receipt"] == receipt
    assert again.code(eq.AskReceipt(2)) == "no_receipt"


@pytest.mark.parametrize("step", ["save_register", "save_calibration", "add_receipt"])
def test_a_check_that_cannot_be_stored_gives_one_receipt_when_it_can(registered, monkeypatch, step):
    registered.tell(eq.CheckDeck(dealer="Olena K."))
    registered.lay(*cards_of("A"))
    with monkeypatch.context() as full:
        full.setattr(type(registered.files), step, _full)
        assert registered.code(eq.SetupStep("finish")) == "not_stored"
        assert registered.code(eq.SetupStep("finish")) == "not_stored"
    assert registered.code(eq.AskReceipt()) == "no_receipt"
    figures = list(registered.desk.antennas.measured)
    assert registered.tell(eq.SetupStep("finish")).params["receipt"]["number"] == 1
    assert [receipt.number for receipt in registered.files.receipts()] == [1]
    if step == "add_receipt":
        assert registered.desk.antennas.measured == figures


def test_a_disk_that_fails_is_not_asked_at_every_look(registered, monkeypatch):
    asked = []

    def full(*_: object) -> None:
        asked.append(registered.now_s)
        raise NotStored("disk_full")

    monkeypatch.setattr(type(registered.files), "save_register", full)
    registered.core.tell(cmd.OpenHand(OPENING), "dealer", registered.t_ms)
    registered.put("As", "Kd", zone="seat2")
    for _ in range(20):
        registered.until(registered.t_ms + 100)
    assert len(asked) == 1
    registered.now_s += 31
    registered.until(registered.t_ms + 100)
    assert len(asked) == 2
    monkeypatch.undo()
    registered.now_s += 31
    registered.until(registered.t_ms + 100)
    assert registered.decks()["Red 1"].state == "in_use"


def test_dead_cards_and_foreign_ones_are_named(both):
    registered = both
    registered.tell(eq.CheckDeck("Red 1"))
    registered.lay(*[card for card in cards_of("A") if card not in ("7s", "Qd")], "B/Ah", "foreign/1")
    assert registered.set_up.done == 50
    receipt = registered.tell(eq.SetupStep("finish")).params["receipt"]
    assert (receipt["result"], receipt["dead"]) == ("not_complete", ("7s", "Qd"))
    assert receipt["foreign"] == {"": 1, "Blue 1": 1}
    assert registered.decks()["Red 1"].checked_s == 0


def test_cards_spread_over_several_antennas_are_read_too(registered):
    registered.tell(eq.CheckDeck("Red 1"))
    registered.lay(*cards_of("A")[:26], zone="board", each_ms=10, stay_ms=900)
    registered.lay(*cards_of("A")[26:], zone="seat2", each_ms=10, stay_ms=900)
    assert registered.set_up.done == 52


def test_nobody_learns_a_card_by_checking_few(registered):
    registered.tell(eq.CheckDeck("Red 1"))
    registered.lay("Ks")
    assert registered.set_up.done == 1
    assert b"Ks" not in msgspec.json.encode(registered.set_up)
    assert registered.tell(eq.SetupStep("finish")).params["receipt"]["dead"] == ()


# -- the register --------------------------------------------------------------------------------------------------------------


def test_a_deck_in_quarantine_is_not_dealt_from(registered):
    assert registered.code(eq.SetDeck("Red 1", "quarantine", "marked ace")) == ""
    assert registered.core.vault.deck_of(TAGS["As"]) is None
    registered.core.tell(cmd.OpenHand(OPENING), "dealer", registered.t_ms)
    registered.put("As", "Kd", zone="seat2")
    notices = {fact.id: fact for fact in registered.core.snapshot() if isinstance(fact, NoticeFact)}
    assert notices["deck_unknown"].code == "barred_deck"
    assert notices["deck_unknown"].params == {"deck": "Red 1"}
    assert registered.code(eq.SetDeck("Red 1", "out", "cleared")) == "deck_floor_only"
    assert registered.code(eq.SetDeck("Red 1", "out", "cleared"), "floor") == ""


def test_a_deck_that_was_destroyed_is_not_registered_anew(registered):
    assert registered.code(eq.SetDeck("Red 1", "retired", "worn"), "floor") == ""
    told = registered.tell(eq.RegisterDeck("Red 1", "", "muck", again=True))
    assert told.refused is not None
    assert (told.refused.code, told.refused.params["was"]) == ("deck_cannot", "retired")
    assert registered.decks()["Red 1"].state == "retired"


def test_cards_of_no_registered_deck_are_said_to_be_so(registered):
    registered.core.tell(cmd.OpenHand(OPENING), "dealer", registered.t_ms)
    registered.put("B/As", "B/Kd", zone="seat2")
    notices = {fact.id: fact.code for fact in registered.core.snapshot() if isinstance(fact, NoticeFact)}
    assert notices["deck_unknown"] == "unknown_deck"


def test_one_strange_card_is_no_strange_deck(registered):
    registered.core.tell(cmd.OpenHand(OPENING), "dealer", registered.t_ms)
    registered.put("B/As", zone="seat2")
    notices = {fact.id: fact.code for fact in registered.core.snapshot() if isinstance(fact, NoticeFact)}
    assert "deck_unknown" not in notices and notices["unknown/seat2"] == "unknown_card"


def test_the_first_hand_brings_a_deck_into_use(registered):
    registered.now_s += 60
    registered.core.tell(cmd.OpenHand(OPENING), "dealer", registered.t_ms)
    registered.put("As", zone="seat2")
    view = registered.decks()["Red 1"]
    assert (view.state, view.in_use_since_s) == ("in_use", NOON_S + 60)
    assert registered.code(eq.SetDeck("Red 1", "out")) == "deck_in_play"


def test_a_wrong_count_sends_the_deck_off_the_table(registered):
    registered.hear(ShufflerChanged("S1", registered.t_ms, "short", 51, 52))
    registered.until(registered.t_ms + 100)
    notice = registered.facts["notice", "deck_off/Red 1"]
    assert isinstance(notice, NoticeFact)
    assert notice.code == "deck_off_table" and notice.params["count"] == 51
    assert registered.decks()["Red 1"].wrong_counts == 1
    assert registered.marks[-1][0] == "deck_counted_wrong"
    registered.tell(eq.SetDeck("Red 1", "out", "51 cards"))
    notice = registered.facts["notice", "deck_off/Red 1"]
    assert isinstance(notice, NoticeFact) and notice.code == ""


def test_a_deck_may_change_in_mid_session(both):
    registered = both
    registered.tell(eq.SetDeck("Red 1", "out"))
    assert registered.core.vault.deck_of(uid_of("As", 1)) is None
    assert registered.core.vault.deck_of(TAGS["B/As"]) == "Blue 1"
    registered.tell(eq.SetDeck("Red 1", "in_use"))
    assert registered.core.vault.two_decks


# -- calibration ---------------------------------------------------------------------------------------------------------------


def test_each_antenna_is_touched_and_measured(rig):
    rig.tell(eq.Calibrate())
    assert (rig.set_up.next, rig.set_up.of) == ("seat1", 4)
    for zone in ("seat1", "seat2"):
        assert rig.set_up.next == zone
        rig.lay("As", zone=zone, stay_ms=3300)
    assert [(view.zone, view.state) for view in rig.set_up.touches] == [
        ("seat1", "good"),
        ("seat2", "good"),
        ("board", "now"),
        ("muck", "waiting"),
    ]
    assert rig.code(eq.SetupStep("skip")) == ""
    assert [view.state for view in rig.set_up.touches][2:] == ["missing", "now"]
    rig.lay("As", zone="muck", stay_ms=3300)
    assert (rig.set_up.what, rig.set_up.note) == ("", "calibrated")
    fact = rig.facts["antennas", ""]
    assert isinstance(fact, eq.AntennasFact)
    assert {view.zone: view.state for view in fact.antennas} == {
        "seat1": "good",
        "seat2": "good",
        "board": "missing",
        "muck": "good",
    }
    assert set(rig.core.sensing) == {"seat1", "seat2", "muck"}
    assert rig.core.sensing["seat1"].hit > 9500 and rig.core.sensing["seat1"].period_ms == 100
    again = DeskRig(rig.folder)
    assert again.core.sensing == rig.core.sensing
    assert fact.fingerprint and fact.fingerprint == again.facts["antennas", ""].fingerprint


def test_a_poor_antenna_is_said_to_check_less(tmp_path):
    rig = DeskRig(tmp_path, miss_rate=0.6)
    rig.tell(eq.Calibrate(("seat1",)))
    rig.put("As", zone="seat1", for_ms=9000)
    notice = rig.facts["notice", "reduced/seat1"]
    assert isinstance(notice, NoticeFact) and notice.code == "reduced_checking"
    assert rig.core.sensing["seat1"].poor


def test_the_wrong_antenna_is_told(rig):
    rig.tell(eq.Calibrate(("seat1",)))
    rig.lay("As", zone="seat2", stay_ms=3000)
    assert "other_antenna" in rig.said and rig.set_up.done == 0


def test_a_neighbour_that_reads_the_same_card_bleeds(rig):
    rig.tell(eq.Calibrate(("seat1",)))
    rig.put("As", zone="seat2", for_ms=1)
    rig.put("As", zone="seat1", for_ms=4000)
    fact = rig.facts["antennas", ""]
    assert isinstance(fact, eq.AntennasFact)
    assert next(view for view in fact.antennas if view.zone == "seat1").bleeds_to == ("seat2",)


def test_a_deck_check_refines_the_figures(registered):
    registered.tell(eq.CheckDeck("Red 1"))
    registered.lay(*cards_of("A"), zone="board", each_ms=1500, stay_ms=1200)
    registered.tell(eq.SetupStep("finish"))
    board = next(one for one in registered.desk.antennas.measured if one.zone == "board")
    assert board.placed == 52 and board.badly == 0 and board.scans > 52 * 8
    assert registered.core.sensing["board"].hit > 9900


def test_diagnostics_count_cards_and_name_none(registered):
    registered.tell(eq.Diagnose(5))
    registered.lay("As", "Kd", zone="board", each_ms=10, stay_ms=600)
    seen = registered.facts["antennas", ""]
    assert isinstance(seen, eq.AntennasFact)
    counts = {view.zone: view.cards for view in seen.antennas}
    assert counts["seat1"] == 0
    links = registered.facts["links", ""]
    assert isinstance(links, eq.LinksFact) and links.links[0].serial == "SN-1"
    registered.until(registered.t_ms + 8000)
    seen = registered.facts["antennas", ""]
    assert isinstance(seen, eq.AntennasFact) and {view.cards for view in seen.antennas} == {None}


def test_flicker_in_play_is_watched(tmp_path):
    rig = DeskRig(tmp_path, miss_rate=0.5)
    rig.core.tell(cmd.OpenHand(OPENING), "dealer", rig.t_ms)
    for _ in range(12):
        rig.lay("As", zone="seat1", stay_ms=4000)
    notice = rig.facts.get(("notice", "reduced/seat1"))
    assert isinstance(notice, NoticeFact) and notice.code == "reduced_checking"
    assert rig.core.sensing["seat1"].poor, "the next hand is judged by it"


# -- what goes wrong there -----------------------------------------------------------------------------------------------------


def test_a_registration_that_cannot_be_stored_says_so_and_goes_on(rig, monkeypatch):
    rig.tell(eq.RegisterDeck("Red 1"))
    rig.lay(*cards_of("A")[:51])
    monkeypatch.setattr(type(rig.files), "save_deck", _full)
    rig.lay("Kd")
    assert (rig.set_up.what, rig.set_up.note, rig.set_up.params) == (
        "registration",
        "not_stored",
        {"reason": "disk_full"},
    )
    assert rig.code(eq.SetupStep("finish")) == "not_stored"
    monkeypatch.undo()
    assert rig.code(eq.SetupStep("finish")) == ""
    rig.until(rig.t_ms + 100)
    assert rig.decks()["Red 1"].state == "registered"


def _full(*_: object) -> None:
    raise NotStored("disk_full")


def test_a_damaged_registration_is_not_taken_for_a_deck(rig, tmp_path):
    rig.tell(eq.RegisterDeck("Red 1"))
    rig.lay("As")
    (path,) = (tmp_path / "decks").iterdir()
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    again = DeskRig(tmp_path)
    refused = again.tell(eq.RegisterDeck("Red 1")).refused
    assert refused is not None and (refused.code, refused.params) == ("not_stored", {"reason": "damaged"})


def test_a_deck_that_is_a_day_in_use_is_listed_without_anybody_asking(registered):
    registered.tell(eq.SetDeck("Red 1", "in_use"))
    registered.now_s += 25 * 3600
    registered.until(registered.t_ms + 100)
    assert registered.decks()["Red 1"].long_in_use


def test_a_set_up_never_holds_up_a_game(rig):
    rig.tell(eq.RegisterDeck("Red 1"))
    rig.lay("As", "2s")
    rig._keep(rig.desk.leave_off(rig.t_ms))  # as the session does when a hand is opened
    assert (rig.set_up.what, rig.set_up.note) == ("", "paused")
    refused, _ = rig.core.tell(cmd.OpenHand(OPENING), "dealer", rig.t_ms)
    assert refused is None


def test_a_forgotten_set_up_is_left_off(rig):
    rig.tell(eq.Calibrate())
    rig.t_ms += FORGOTTEN_MS - 1000
    rig.until(rig.t_ms + 500)
    assert rig.set_up.what == "calibration"
    rig.until(rig.t_ms + 2000)
    assert rig.set_up.what == "" and not rig.core.setting_up


def test_a_registration_that_cannot_begin_leaves_the_table_alone(rig, monkeypatch):
    monkeypatch.setattr(type(rig.files), "save_register", _full)
    assert rig.code(eq.RegisterDeck("Red 1")) == "not_stored"
    assert not rig.core.setting_up and not rig.desk.busy


def test_a_deck_whose_file_was_kept_before_the_power_went_is_registered(rig, tmp_path, monkeypatch):
    rig.tell(eq.RegisterDeck("Red 1"))
    rig.lay(*cards_of("A")[:51])
    monkeypatch.setattr(type(rig.files), "save_register", _full)  # the last thing that a registration does
    rig.lay("Kd")
    monkeypatch.undo()
    again = DeskRig(tmp_path)
    assert again.decks()["Red 1"].state == "registered"
    assert len(again.desk._book.in_play().cards) == 52


def test_what_an_antenna_suffers_is_told_while_something_is_set_up(rig):
    notices = {}

    def fail(count):
        for _ in range(count):
            rig.t_ms += SCAN_PERIOD_MS
            for change in rig.core.observe(ScanFailed("R1", 1, rig.t_ms, 1, SCAN_PERIOD_MS, "crc")):
                notices.update((fact.id, fact.code) for fact in change.facts if isinstance(fact, NoticeFact))

    fail(10)
    assert notices["zone/seat1"] == "zone_failing"
    rig.tell(eq.Calibrate(("muck",)))
    for change in rig.core.tick(rig.t_ms + 5000):
        notices.update((fact.id, fact.code) for fact in change.facts if isinstance(fact, NoticeFact))
    assert notices["zone/seat1"] == "", "it was over while something was set up"


def test_a_registration_that_cannot_be_left_off_in_order_holds_up_no_game_either(rig, tmp_path, monkeypatch):
    rig.tell(eq.RegisterDeck("Red 1"))
    rig.lay("As", "2s")
    monkeypatch.setattr(type(rig.files), "save_register", _full)
    rig._keep(rig.desk.leave_off(rig.t_ms))
    assert (rig.set_up.what, rig.set_up.note, rig.set_up.params) == (
        "",
        "not_stored",
        {"reason": "disk_full"},
    )
    refused, _ = rig.core.tell(cmd.OpenHand(OPENING), "dealer", rig.t_ms)
    assert refused is None
    monkeypatch.undo()
    again = DeskRig(tmp_path)
    again.tell(eq.RegisterDeck("Red 1"))
    assert again.set_up.done == 2, "what was laid before is kept"
