"""Decks: two in turn, shufflers and hands that shuffle, strange tags, cards that come back, and by whose rules a hand is judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from dealer_assist.cli import main as assist
from dealer_assist.composition import load_game, load_house
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.cards import STANDARD_52
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.facts import DeviceFact, NoticeFact
from dealer_assist.domain.table import HandOpening, Limits, SeatStack
from dealer_assist.procedure import events as pe
from dealer_assist.procedure.house import fingerprint, ruling_mistakes
from dealer_assist.table.core import Core
from dealer_assist.table.decks import Decks
from dealer_assist.table.opening import Rules
from dealer_assist.table.ports import LinkChanged, ShufflerChanged, TagGlimpsed, TagPlaced, TagRemoved
from dealer_assist.table.seats import Seats
from dealer_assist.table.setup import Setup
from dealer_assist.table.vault import Vault
from hw_sim.cli import main as simulator
from tests.table.driver import BUTTON, ORDER, SEATS, Driver, NoZones, uid

HOUSES = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")
PHONE = b"\x04phone\0\0"


def uid_b(face: str) -> bytes:
    """The tag of a card of the second deck."""
    return b"\xe0\x04\x02" + face.encode() + b"\0\0\0"


class Zones(NoZones):
    """Zones in which cards of an earlier hand may still lie."""

    def __init__(self) -> None:
        super().__init__({})
        self.lying: dict[str, tuple[bytes, ...]] = {}

    def occupied(self) -> dict[str, tuple[bytes, ...]]:
        return self.lying


class TwoDecks(Driver):
    """A table with a shuffler and two decks in turn; no hand is open yet."""

    def __init__(self, *, house: str = "seed", game: str = "nlhe", shuffler: bool = True) -> None:
        self.zones = Zones()
        readers = {f"seat{seat}" for seat in range(1, 12)} | {"board", "burn", "muck"}
        setup = Setup(
            name="test",
            house=house,
            game=game,
            limits=Limits(1, 2),
            entry="every_action",
            unit="1 chip",
            simulated=True,
            language="en",
            seats=tuple(range(1, 12)),
            readers=frozenset(readers),
            shuffler=shuffler,
        )
        cards = {**{uid(face): face for face in STANDARD_52}, **{uid_b(face): face for face in STANDARD_52}}
        decks = {**{uid(face): "A" for face in STANDARD_52}, **{uid_b(face): "B" for face in STANDARD_52}}
        self.core = Core(
            setup,
            Rules(load_house(house), load_game(game), Limits(1, 2)),
            Vault(cards, decks=decks, settle_ms=setup.settle_ms),
            self.zones,
            Seats({}),
            new_key=lambda hand: hand.encode().ljust(32, b"k"),
        )
        self.t_ms, self.pace_ms, self.changes, self.order = 1000, 600, [], ORDER
        self.where: dict[str, str] = {}
        self.deck = iter(STANDARD_52)
        self.hands = 0
        self.change_deck("A")

    def change_deck(self, name: str) -> None:
        """Cards come from this deck now."""
        self.tag = uid if name == "A" else uid_b

    def open(self) -> None:
        self.hands += 1
        self.deck = iter(STANDARD_52)
        stacks = tuple(SeatStack(seat, 200) for seat in SEATS)
        assert self.tell(cmd.OpenHand(HandOpening(f"h{self.hands}", BUTTON, stacks))) is None

    def put(self, face: str, zone: str, *, late_ms: int = 0) -> str:
        self.where[face] = zone
        self.tag_at(self.tag(face), zone)
        return face

    def tag_at(self, tag: bytes, zone: str) -> None:
        self.move(TagPlaced(zone, tag, self.t_ms - 100, self.t_ms, self.t_ms + 100))

    def tag_gone(self, tag: bytes, zone: str) -> None:
        self.move(TagRemoved(zone, tag, self.t_ms, self.t_ms + 500))

    def take(self, face: str) -> None:
        self.tag_gone(self.tag(face), self.where.pop(face))

    def shuffler(self, state: str, count: int | None = None, expected: int = 52) -> None:
        self.wait(100)
        told = ShufflerChanged("shuffler", self.t_ms, state, count, None if count is None else expected)
        self.changes += self.core.observe(told)

    def play(self) -> None:
        """A hand that ends at the first bet, and its cards taken up."""
        self.open()
        self.deal()
        self.wait(1000)
        self.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
        assert self.tell(cmd.PushPots()) is None
        self.gather()
        self.wait(3000)

    def notice(self, name: str) -> str:
        found = [fact for fact in self.core.snapshot() if isinstance(fact, NoticeFact) and fact.id == name]
        return found[0].code if found else ""


def rows(table: Driver) -> list[tuple[str, str]]:
    return [(alert.rule, alert.state) for alert in table.alerts()]


# -- two decks, shuffled in turn ---------------------------------------------------------------------------------------------------


def test_a_card_that_is_read_once_before_the_first_one_lies_there_is_kept() -> None:
    """Which of two decks is dealt from is known from the first card that lies somewhere: what was seen before counts all the same."""
    table = TwoDecks()
    table.open()
    first = table.next_card()
    for tag in (uid(first), uid_b(table.next_card())):
        table.move(TagGlimpsed("seat9", tag, table.t_ms, table.t_ms))
    assert table.hand.procedure.glimpses == ()
    table.where[first] = "seat9"
    table.pitch(1)
    [kept] = table.hand.procedure.glimpses
    assert kept.zone == "seat9"
    table.where.pop(first)
    table.put(first, "seat9")
    assert table.hand.procedure.owner[kept.ref] == 9


def test_two_decks_in_turn_are_dealt_in_silence() -> None:
    table = TwoDecks()
    table.shuffler("ready", 52)
    for deck in "ABAB":
        table.change_deck(deck)
        table.open()
        table.deal()
        table.shuffler("shuffling")  # the other deck
        table.shuffler("complete", 52)
        table.wait(1000)
        assert table.alerts() == []
        table.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
        assert table.tell(cmd.PushPots()) is None
        table.gather()
        table.wait(3000)
        assert table.notice("deck") == ""


def test_the_deck_just_used_is_told_at_its_first_card_although_the_other_one_is_ready() -> None:
    table = TwoDecks()
    table.shuffler("complete", 52)
    table.open()
    table.deal()
    table.shuffler("shuffling")
    table.shuffler("complete", 52)
    table.wait(1000)
    table.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
    assert table.tell(cmd.PushPots()) is None
    table.gather()
    table.wait(3000)
    table.open()
    assert table.alerts() == []
    table.pitch(9)
    assert table.alert("K12").question == "deck_shuffled"


@pytest.mark.parametrize("house", HOUSES)
def test_after_a_misdeal_of_an_unshuffled_deck_nobody_asks_again(house: str) -> None:
    table = TwoDecks(house=house)
    table.shuffler("idle")
    table.open()
    table.pitch(9)
    table.answer("no")
    assert table.alert("K12").remedy == "misdeal"
    table.gather()
    table.pitch(9, 1)
    assert table.hand.procedure.attempt == 2
    assert rows(table) == [("K12", "closed")]


@pytest.mark.parametrize("trouble", ["jam", "door_open"])
def test_a_shuffle_that_was_interrupted_is_not_complete(trouble: str) -> None:
    table = TwoDecks()
    table.shuffler("shuffling")
    table.shuffler(trouble)
    table.open()
    table.pitch(table.order[0])
    assert table.alert("K12").question == "deck_shuffled"


@pytest.mark.parametrize("trouble", ["fault", "link"])
def test_while_the_shuffler_is_down_people_shuffle_and_nobody_is_asked(trouble: str) -> None:
    table = TwoDecks()
    table.shuffler("shuffling")
    if trouble == "link":
        lamp = DeviceFact("shuffler", "shuffler", "ok")
        table.changes += table.core.set_devices([lamp], table.core.readers)
        table.changes += table.core.observe(LinkChanged("shuffler", table.t_ms, "lost"))
    else:
        table.shuffler(trouble)
    table.play()
    assert table.alerts() == []


def test_a_shuffler_that_is_back_is_believed_again() -> None:
    table = TwoDecks()
    table.shuffler("jam")
    table.play()
    table.shuffler("loading")
    table.open()
    table.pitch(9)
    assert table.alert("K12").state == "open"
    table.shuffler("complete", 52)


def test_a_deck_shuffled_by_hand_is_good_for_one_hand() -> None:
    table = TwoDecks()
    table.shuffler("idle")
    assert table.tell(cmd.Shuffled()) is None
    table.play()
    assert table.alerts() == []
    table.open()
    table.pitch(9)
    assert [alert.rule for alert in table.alerts()] == ["K12"]


def test_a_shuffle_that_ends_while_it_is_asked_about_settles_the_question() -> None:
    table = TwoDecks()
    table.shuffler("shuffling")
    table.open()
    table.pitch(9)
    assert table.alert("K12").state == "open"
    assert table.tell(cmd.Shuffled()) is None
    assert table.alert("K12").state == "withdrawn"


# -- counts --------------------------------------------------------------------------------------------------------------------------


def test_a_short_count_is_shown_between_hands_and_told_before_the_first_card() -> None:
    table = TwoDecks()
    table.shuffler("complete", 52)
    table.open()
    table.deal()
    table.shuffler("shuffling")
    table.shuffler("short", 47)
    assert table.notice("deck") == "deck_short"
    table.wait(1000)
    table.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
    assert table.tell(cmd.PushPots()) is None
    table.gather()
    table.wait(3000)
    assert table.notice("deck") == "deck_short"
    table.open()
    alert = table.alert("K5")
    assert (alert.evidence, alert.params) == ("proven", {"count": 47, "expected": 52})
    assert not table.hand.procedure.pitches
    table.shuffler("shuffling")
    table.shuffler("complete", 52)
    assert table.alert("K5").state == "closed"
    assert table.notice("deck") == ""


def test_a_short_deck_beside_a_good_one_is_told_at_its_first_card() -> None:
    table = TwoDecks()
    table.shuffler("complete", 52)
    table.play()  # A; B is not seen yet
    table.change_deck("B")
    table.shuffler("complete", 52)  # A
    table.play()
    table.shuffler("short", 51)  # B
    assert table.notice("deck") == "deck_short"
    table.open()
    table.pitch(9)
    assert [alert.rule for alert in table.alerts()] == ["K5"]


@pytest.mark.parametrize(
    ("said", "count"), [("long", 53), ("duplicate", 52), ("unreadable", 52), ("complete", 51)]
)
def test_every_bad_verdict_is_a_deck_that_is_not_whole(said: str, count: int) -> None:
    decks = Decks(shuffler=True)
    decks.shuffler_says(said, count, 52)
    decks.shuffler_says("ready", None, None)
    bad = decks.short()
    assert bad is not None and bad.count == count
    assert decks.next_hand().state == "short"


# -- strange tags ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_a_card_of_the_other_deck_stops_and_no_chip_goes_back_before_the_floor_has_looked(house: str) -> None:
    table = TwoDecks(house=house)
    table.open()
    table.pitch(9, 1)
    table.wait(600)
    table.tag_at(uid_b("Kd"), "seat2")
    alert = table.alert("K2")
    assert (alert.evidence, alert.stop, alert.question) == ("proven", True, "foreign_card")
    assert table.hand.procedure.ended == ""
    table.pitch(3)  # nothing is blocked
    table.answer("yes")
    assert table.hand.procedure.ended == "void"
    assert table.tell(cmd.PushPots()) is None
    assert table.hand.result == "void"
    assert {record.stack for record in table.core.seats.records.values()} == {200}
    assert table.alert("K2").state == "closed"


@pytest.mark.parametrize("said", ["no", "misread"])
def test_a_misread_card_of_the_other_deck_leaves_the_hand_as_it_was(said: str) -> None:
    table = TwoDecks()
    table.open()
    table.deal()
    table.wait(600)
    table.tag_at(uid_b("Kd"), "burn")
    if said == "no":
        table.answer("no")
    else:
        assert table.tell(cmd.Respond("K2", "misread")) is None
    table.tag_gone(uid_b("Kd"), "burn")
    table.tag_at(uid_b("Kd"), "burn")
    assert rows(table) == [("K2", "withdrawn")]
    table.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
    assert table.tell(cmd.PushPots()) is None
    assert table.hand.result == "completed"


def test_a_phone_is_asked_about_once_and_not_in_the_next_hand_either() -> None:
    table = TwoDecks(shuffler=False)
    table.open()
    table.pitch(9)
    table.tag_at(PHONE, "seat5")
    assert (table.alert("K2").evidence, table.notice("unknown/seat5")) == ("probable", "unknown_card")
    table.answer("no")
    table.tag_gone(PHONE, "seat5")
    assert table.notice("unknown/seat5") == ""
    table.tag_at(PHONE, "seat7")
    assert rows(table) == [("K2", "closed")]
    table.report("misdeal")
    table.gather()
    table.open()
    table.pitch(9)
    table.tag_at(PHONE, "seat5")
    assert table.alerts() == []


def test_a_strange_tag_that_is_taken_away_settles_its_own_question() -> None:
    table = TwoDecks(shuffler=False)
    table.open()
    table.deal()
    table.tag_at(PHONE, "board")
    assert table.alert("K2").question == "foreign_card"
    table.tag_gone(PHONE, "board")
    assert rows(table) == [("K2", "withdrawn")]
    table.tag_at(PHONE, "muck")
    assert rows(table) == [("K2", "withdrawn")]


def test_a_card_left_from_the_other_deck_does_not_say_which_deck_is_dealt() -> None:
    table = TwoDecks(shuffler=False)
    table.zones.lying = {"seat3": (uid("As"),)}  # type: ignore[attr-defined]
    table.open()
    assert rows(table) == [("K13", "open")]
    table.tag_gone(uid("As"), "seat3")
    table.tag_at(uid("As"), "burn")  # picked up, over the burn spot
    table.tag_gone(uid("As"), "burn")
    table.change_deck("B")
    table.deal()
    table.wait(1000)
    assert rows(table) == [("K13", "closed")]


def test_after_a_misdeal_the_other_deck_may_be_dealt() -> None:
    table = TwoDecks()
    table.shuffler("complete", 52)
    table.open()
    table.pitch(9, 1)
    table.report("misdeal")
    table.gather()
    table.shuffler("complete", 52)
    table.change_deck("B")
    table.deal()
    table.wait(1000)
    assert table.hand.procedure.attempt == 2
    assert table.alerts() == []


# -- cards that come back --------------------------------------------------------------------------------------------------------------


def dealt(house: str = "seed") -> tuple[Driver, dict[int, list[str]]]:
    table = Driver(house=house)
    held = table.deal()
    table.wait(1000)
    return table, held


@pytest.mark.parametrize("house", HOUSES)
def test_a_folded_card_on_the_board_speaks_until_the_muck_is_shuffled_in(house: str) -> None:
    for shuffled_in in (False, True):
        table, held = dealt(house)
        table.act("2 call, 3 fold")
        table.put(held[3][0], "muck")
        table.put(held[3][1], "muck")
        table.check_down()
        burned = table.burn()
        table.board(3)
        table.wait(1500)
        if shuffled_in:
            table.report("K8")
            assert table.tell(cmd.Rule("K8", "reshuffle_all")) is None
            for face in (*held[3], burned):
                table.take(face)
        table.check_down()
        table.wait(900)
        table.put(burned if shuffled_in else table.next_card(), "burn")
        table.wait(900)
        table.put(held[3][0], "board")
        table.wait(1500)
        said = [alert.rule for alert in table.alerts()]
        assert said == (["K8"] if shuffled_in else ["K11"])
        if shuffled_in:
            assert table.hand.board_faces()[-1] == held[3][0]
            table.check_down()
            table.street(1)
            table.check_down()
            table.showdown()  # hands that were live all along still show their faces
            assert table.hand.result == "completed"
        else:
            assert table.alert("K11").stop
            assert held[3][0] not in table.hand.procedure.faces.values()


def test_a_burn_that_is_turned_comes_out_and_still_counts_as_that_streets_burn() -> None:
    table, _ = dealt()
    table.check_down()
    burned = table.burn()
    table.wait(900)
    table.put(burned, "board")
    assert table.alert("K11").remedy == "take_out"
    table.take(burned)
    table.board(3)
    table.wait(1500)
    assert table.alert("K11").state == "closed"
    table.check_down()
    table.street(1)
    table.check_down()
    table.street(1)
    assert [alert.rule for alert in table.alerts()] == ["K11"]
    assert burned not in table.hand.procedure.faces.values()


# -- rulings on a hand need a hand -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", ["seed", "roberts", "wsop_cash"])
def test_a_dead_hand_is_offered_only_where_it_is_known_whose(house: str) -> None:
    table, _ = dealt(house)
    table.report("K9")
    assert table.alert("K9").remedy == "count_deck"
    assert table.tell(cmd.Rule("K9", "kill_hand")) == Refused("no_options", {"alert": "K9"})
    other, _ = dealt(house)
    other.report("K9", 5)
    assert other.alert("K9").options == ("count_deck", "kill_hand")
    assert other.tell(cmd.Rule("", "kill_hand")) is None
    assert other.hand.procedure.dead == {5}


@pytest.mark.parametrize("row", ["K5", "K8", "N9"])
def test_a_house_cannot_kill_a_hand_where_no_seat_is_named(row: str) -> None:
    ruling = load_house("seed").rules["K9"]
    assert any(mistake.startswith(f"rules.{row}") for mistake in ruling_mistakes(row, ruling))


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("row", ["K3", "K9", "K11"])
def test_a_report_without_a_seat_can_always_be_ruled(house: str, row: str) -> None:
    table, _ = dealt(house)
    table.act("2 call, 3 call")
    table.report(row)
    for option in table.alert(row).options:
        assert table.tell(cmd.Rule(row, option)) is None
    assert table.hand.procedure.dead == frozenset()


# -- a card that shows up late -----------------------------------------------------------------------------------------------------------


def test_a_flop_card_that_is_read_after_the_first_bet_ends_the_note_about_it() -> None:
    table, _ = dealt()
    table.check_down()
    table.burn()
    table.board(2)
    table.wait(1500)
    table.act("9 check")
    assert rows(table) == [("K10", "open")]
    table.board(1)
    table.wait(1500)
    assert rows(table) == [("K10", "closed")]
    assert len(table.hand.board_faces()) == 3


# -- by whose rules ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_the_record_of_a_hand_names_its_house_and_every_alert_does(house: str) -> None:
    table = Driver(house=house)
    opened = [
        event for change in table.changes for event in change.events if isinstance(event, pe.HandOpened)
    ]
    assert [(event.house, event.fingerprint) for event in opened] == [(house, fingerprint(load_house(house)))]
    table.pitch(9)
    table.report("exposed", 9)
    assert {alert.house for alert in table.alerts()} == {house}
    assert table.alert("X1").source == load_house(house).rules["X1"].source


def test_a_fingerprint_changes_with_every_ruling_and_not_with_the_title() -> None:
    seed = load_house("seed")
    assert len({fingerprint(load_house(name)) for name in HOUSES}) == len(HOUSES)
    assert fingerprint(replace(seed, title="Another")) == fingerprint(seed)
    ruling = replace(seed.rules["D8"], source="S001 E9")
    assert fingerprint(replace(seed, rules={**seed.rules, "D8": ruling})) != fingerprint(seed)


# -- one tag at two antennas ---------------------------------------------------------------------------------------------------------------


def test_one_tag_at_a_seat_and_on_the_board_is_an_antenna_and_no_second_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = Path(__file__).parent.parent / "scenarios" / "clean_showdown.toml"
    out = tmp_path / "hand.jsonl"
    assert simulator(["trace", str(scenario), "-o", str(out)]) == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    seat, board = 2, 12
    tag = next(line["uid"] for line in lines if line.get("antenna") == seat)
    flop = [index for index, line in enumerate(lines) if line.get("antenna") == board][:3]
    bleed = {**lines[flop[-1]], "uid": tag}
    lines.insert(flop[-1] + 1, bleed)
    out.write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    assert assist(["replay", "--check", str(out)]) == 0, capsys.readouterr().err


def test_what_the_shuffler_says_of_a_deck_that_was_collected_is_of_the_next_hand() -> None:
    """A decided hand whose push nobody tapped is over when its cards are collected: its deck may come from the shuffler."""
    table = TwoDecks()
    table.shuffler("ready")
    table.open()
    table.deal()
    table.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
    assert table.hand.settlement is not None
    table.gather()
    table.shuffler("shuffling")
    table.shuffler("complete", 52)
    table.wait(3000)
    table.put("4h", "seat1")
    assert table.hand.procedure.opening.hand != "h1"
    assert table.alerts() == []
