"""House, game and limits that are changed between hands: what counts from the next hand on, what is refused, what a restart finds."""

from __future__ import annotations

import msgspec
import pytest

from dealer_assist.composition import load_game, load_house
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.facts import TableFact
from dealer_assist.domain.rake import RakeTerms
from dealer_assist.domain.table import Limits
from dealer_assist.domain.terms import SetTable
from dealer_assist.table.opening import Rules
from dealer_assist.table.recording import Recorder
from dealer_assist.table.terms_desk import TERMS, Terms, TermsDesk
from dealer_assist.table.trace import Header
from tests.table.driver import Driver
from tests.table.test_rules import play_to_end

CONFIGURED = Terms("seed", "nlhe", Limits(1, 2))
HOUSES = {"seed": "seed", "tda2024": "tda2024", "gone": "/nowhere/gone.toml"}
GAMES = {"nlhe": "nlhe", "omaha": "omaha"}


def make(terms: Terms) -> Rules:
    rake = (
        RakeTerms(schedule="own", percent=10, cap=5, step=5) if terms.limits.big_blind == 77 else RakeTerms()
    )
    others = {name: load_game(name) for name in GAMES if name != terms.game}
    return Rules(load_house(terms.house), load_game(terms.game), terms.limits, games=others, rake=rake)


def desk_of(table: Driver, mark: bytes | None = None, configured: Terms = CONFIGURED) -> TermsDesk:
    return TermsDesk(table.core, None, configured, houses=HOUSES, games=GAMES, make=make, mark=mark)


def over() -> Driver:
    table = Driver()
    table.deal()
    play_to_end(table)
    table.gather()
    table.wait(2000)
    return table


def fact(table: Driver) -> TableFact:
    (found,) = [known for known in table.core.snapshot() if isinstance(known, TableFact)]
    return found


def test_the_next_hand_is_played_by_what_was_set() -> None:
    table = over()
    desk = desk_of(table)
    assert fact(table).houses == ("seed", "tda2024", "gone")
    told = desk.tell(SetTable("tda2024", "omaha", 5, 10, 1))
    table.core.show(told.facts)
    shown = fact(table)
    assert (shown.house, shown.game, shown.small_blind, shown.big_blind, shown.ante) == (
        "tda2024",
        "omaha",
        5,
        10,
        1,
    )
    assert shown.games[0] == "omaha" and set(shown.games) == {"nlhe", "omaha"}
    assert table.tell(cmd.OpenHand()) is None
    posts = {post.kind: post.amount for post in table.hand.procedure.opening.posts}
    assert (posts["small_blind"], posts["big_blind"], posts["ante"]) == (5, 10, 1)
    assert table.hand.procedure.step.kind == "deal" and table.core.rules.game.hole == 4
    assert desk.tell(SetTable(big_blind=20)).refused == Refused("in_a_hand")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (SetTable(small_blind=20), "small_blind_above_big"),
        (SetTable(house="nobodys"), "no_such_house"),
        (SetTable(house="gone"), "no_such_house"),
        (SetTable(game="razz"), "bad_command"),
    ],
)
def test_what_cannot_be_changes_nothing(command: SetTable, code: str) -> None:
    table = over()
    desk = desk_of(table)
    before = fact(table), table.core.rules
    told = desk.tell(command)
    assert told.refused is not None and told.refused.code == code
    assert (fact(table), table.core.rules) == before and not told.marks


def test_amounts_are_whole_chips_where_the_chips_are_known() -> None:
    table = over()
    desk = desk_of(table, configured=Terms("seed", "nlhe", Limits(5, 10, chips=(5, 25))))
    assert desk.tell(SetTable(big_blind=12)).refused == Refused("not_whole_chips", {"amount": 5})
    assert desk.tell(SetTable(big_blind=25)).refused is None


def test_a_restart_finds_it_again_unless_the_configuration_was_changed() -> None:
    table = over()
    told = desk_of(table).tell(SetTable(small_blind=5, big_blind=10))
    ((name, kept),) = told.marks
    mark = msgspec.json.encode(kept)
    assert name == TERMS
    again = over()
    assert desk_of(again, mark).terms.limits.big_blind == 10
    assert again.core.rules.limits.big_blind == 10 and fact(again).big_blind == 10
    changed = over()
    assert desk_of(changed, mark, Terms("tda2024", "nlhe", Limits(1, 2))).terms.house == "tda2024"
    assert changed.core.rules.limits.big_blind == 2


def test_a_file_that_is_gone_is_passed_over_at_the_start() -> None:
    table = over()
    told = desk_of(table).tell(SetTable(small_blind=5, big_blind=10))
    kept = msgspec.structs.replace(told.marks[0][1], terms=Terms("/nowhere/gone.toml", "nlhe", Limits(1, 2)))
    again = over()
    assert desk_of(again, msgspec.json.encode(kept)).terms == CONFIGURED


def test_a_recording_begins_anew_with_a_header_of_its_own() -> None:
    table = over()
    recorder = Recorder(table.core, Header(1, "seed", "nlhe", Limits(1, 2), (), games=("omaha",)))
    desk = TermsDesk(table.core, recorder, CONFIGURED, houses=HOUSES, games=GAMES, make=make, mark=None)

    def a_hand() -> None:
        recorder.devices((), table.core.readers)
        refused, changes = table.core.tell(cmd.OpenHand(), "dealer", table.t_ms)
        assert refused is None
        recorder.after(changes)
        assert table.core.tell(cmd.Void(), "floor", table.t_ms)[0] is None
        table.core.close()
        recorder.after(table.core.tick(table.t_ms))

    a_hand()
    assert desk.tell(SetTable("tda2024", "omaha", 5, 10)).refused is None
    a_hand()
    lines = [msgspec.json.decode(line) for line in recorder.taken().lines(bytes(32))]
    headers = [line for line in lines if "trace" in line]
    assert [(line["house"], line["game"], line["limits"]["big_blind"]) for line in headers] == [
        ("seed", "nlhe", 2),
        ("tda2024", "omaha", 10),
    ]
    assert headers[1]["games"] == ["nlhe"]
