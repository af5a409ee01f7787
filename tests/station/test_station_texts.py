from __future__ import annotations

import pytest

from dealer_assist.domain import languages
from dealer_assist.domain.alerts import Alert, Step, Why
from dealer_assist.domain.facts import AlertFact, NoticeFact, NowFact, Push, SeatFact, UndoFact
from dealer_assist.station import i18n, wording
from dealer_assist.station.canned_alerts import EARLY_TURN
from dealer_assist.station.i18n import LANGUAGES, TextFault, Translator, load_all, placeholders, plural_form
from dealer_assist.station.viewmodel import ViewState

RULES = [
    "X1",
    "X2",
    "X3",
    "X4",
    "D1",
    "D2",
    "D3",
    "D4",
    "D8",
    "D9",
    "K1",
    "K6",
    "N1",
    "N5",
    "N10",
    "F1",
    "F2",
    "R1",
    "R2",
    "R3",
]
QUESTIONS = [
    "seat_in",
    "first_card",
    "out_of_turn",
    "extra_card",
    "first_off_deck",
    "same_card_twice",
    "burned",
    "boxed",
    "acted",
    "turned_up",
]
REMEDIES = [
    "misdeal",
    "replace_exposed",
    "extra_to_burn",
    "void",
    "reflop_burn_first",
    "top_is_burn",
    "put_burn_back",
    "keep_burn",
    "reflop_no_burn",
    "early_flop",
    "put_back_in_order",
    "river_as_turn",
    "reshuffle_river",
]
STEPS = [
    "stop_pitching",
    "say_misdeal",
    "gather_all",
    "shuffle_cut",
    "redeal",
    "deal_on",
    "take_exposed",
    "top_card_to",
    "exposed_is_burn",
    "return_extra",
    "extra_is_burn",
    "freeze",
    "floor_confirms",
    "refund",
    "new_setup",
    "gather_board",
    "shuffle_cut_stub",
    "burn_one",
    "new_flop",
    "move_top_to_burn",
    "add_next_card",
    "put_back_burn",
    "leave_burn",
    "finish_betting",
    "no_second_burn",
    "new_flop_no_burn",
    "set_aside",
    "put_back",
    "burn_and_turn",
    "shuffle_with_aside",
    "river_no_burn",
]
WHYS = [
    "read_at",
    "not_read",
    "seats_pending",
    "dealer_reported",
    "dealer_answered",
    "order",
    "third_card",
    "same_face",
]
MARKS = ["short", "doubtful", "assumed", "unknown_card"]
NOTICES = [
    "floor_called",
    "unknown_card",
    "journal_unavailable",
    "forbidden_data",
    "device_restarted",
    "pot_unclaimed",
    "amount_ruled",
    "amount_back",
    "amount_floor",
    "kept_binding",
    "kept_free",
]
UNDOS = [
    "act",
    "report",
    "answer",
    "respond",
    "tabled",
    "mucked",
    "enter_card",
    "tap_zone",
    "set_seat",
    "set_stack",
    "irregular",
]
REFUSALS = [
    "stale",
    "not_to_act",
    "below_minimum",
    "above_stack",
    "count_needed",
    "all_in_is",
    "call_was_short",
    "no_chips",
    "no_amounts",
    "nothing_pushed",
    "amount_stands",
    "no_check",
    "nothing_to_call",
    "not_reopened",
    "hand_complete",
    "hand_not_open",
    "hand_open",
    "betting_not_over",
    "bad_seat",
    "unknown_alert",
    "no_question",
    "nothing_to_undo",
    "cannot_push",
    "not_a_card",
    "card_already_seen",
    "zone_has_reader",
    "bad_command",
    "journal_unavailable",
    "above_maximum",
    "amount_missing",
    "call_is",
    "nobody_to_raise",
    "stack_too_short",
    "round_complete",
    "not_in_hand",
    "betting_open",
    "betting_over",
]
DEVICE_STATES = ["ok", "connecting", "stale", "lost", "refused", "fault", "tap"]
NOWS = ["idle", "deal", "act", "betting", "burn", "board", "show", "push", "unavailable", "wait"]
PHASES = ["idle", "deal", "betting", "runout", "showdown", "award", "misdeal", "void", "closed"]
HANDS = [
    "high_card",
    "pair",
    "two_pair",
    "trips",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "quads",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
]
CODES = [
    *(f"rule.{rule}.{part}" for rule in RULES for part in ("title", "ask", "says")),
    *(f"question.{code}" for code in QUESTIONS),
    *(f"question_short.{code}" for code in QUESTIONS),
    *(f"remedy.{code}" for code in REMEDIES),
    *(f"step.{code}" for code in STEPS),
    *(f"why.{code}" for code in WHYS),
    *(f"mark.{code}" for code in MARKS),
    *(f"notice.{code}" for code in NOTICES),
    *(f"undo.{code}" for code in UNDOS),
    *(f"refusal.{code}" for code in REFUSALS),
    *(f"device_state.{code}" for code in DEVICE_STATES),
    *(f"now.{code}" for code in NOWS),
    *(f"now_detail.{code}" for code in NOWS),
    *(f"phase.{code}" for code in PHASES),
    *(f"hand_name.{code}" for code in HANDS),
]
PARAMS = {
    "seat": 4,
    "back": 15,
    "seats": [5, 1],
    "count": 3,
    "street": "flop",
    "next": "turn",
    "zone": "seat4",
    "due": 6,
    "row": "exposed",
    "question": "acted",
    "answer": "no",
    "first": 3,
    "second": 4,
    "device": "reader-1",
    "reason": "disk_full",
    "action": "raise",
    "to": 1210,
    "rule": "R2",
    "response": "fixing",
    "min_to": 90,
    "max_to": 910,
    "call": 45,
    "text": "Zz",
    "card": "As",
    "rank": "7",
    "high": "K",
    "low": "2",
    "trips": "Q",
    "pair": "T",
    "hand_name": "flush",
    "amount": 10,
    "code": "x",
}


@pytest.fixture(scope="module")
def catalogues():
    return load_all()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_every_code_of_the_contract_has_a_text_that_fills(catalogues, language, code):
    tr = Translator(language, catalogues)
    assert tr.has(code)
    text = tr(code, PARAMS)
    assert (
        text
        and "{" not in text
        and "?" not in text.removesuffix("?").replace("antenna?", "").replace("антена?", "")
    )


def test_languages_have_the_same_codes_with_the_same_placeholders(catalogues):
    english, ukrainian = catalogues["en"], catalogues["uk"]
    assert english.keys() == ukrainian.keys()
    for code, text in english.items():
        ignored = {"count", "seats"} if isinstance(text, str) != isinstance(ukrainian[code], str) else set()
        assert placeholders(text) - ignored == placeholders(ukrainian[code]) - ignored, code


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        ({"a": "text {seat}"}, "uses no placeholder; en.toml uses seat"),
        ({}, "a is missing"),
        ({"a": "{seat}", "b": "more"}, "b is not in en.toml"),
        ({"a": {"one": "{seat}", "other": "{seat}"}}, "plural forms one, few, many expected"),
        ({"a": ""}, "is empty"),
        ({"a": 3}, "a text or a table of texts expected"),
    ],
)
def test_a_catalogue_that_differs_is_refused_with_its_place(monkeypatch, broken, expected):
    tables = {language: {"a": "{seat}"} for language in i18n.LANGUAGES}
    tables["uk"] = broken if broken != {"a": "text {seat}"} else {"a": "text"}
    monkeypatch.setattr(i18n, "load_catalogue", lambda language: i18n._flatten(language, tables[language]))
    with pytest.raises(TextFault, match=expected):
        load_all()


def test_every_language_of_the_product_has_a_name_and_plurals():
    assert tuple(i18n.LANGUAGES) == languages.LANGUAGES
    assert set(i18n.PLURAL_FORMS) == set(languages.LANGUAGES)


def test_ukrainian_and_russian_plurals():
    forms = {
        1: "one",
        21: "one",
        2: "few",
        24: "few",
        0: "many",
        5: "many",
        11: "many",
        12: "many",
        112: "many",
    }
    assert {number: plural_form("uk", number) for number in forms} == forms
    assert {number: plural_form("ru", number) for number in forms} == forms


@pytest.mark.parametrize("language", ["en", "bg"])
def test_one_and_other(language):
    assert [plural_form(language, number) for number in (0, 1, 2, 21)] == ["other", "one", "other", "other"]


def test_words_of_the_trade(catalogues):
    uk, en = Translator("uk", catalogues), Translator("en", catalogues)
    state = ViewState(link="ready", facts={("now", ""): NowFact("act", {"seat": 5, "call": 45})})
    assert wording.now_line(uk, state) == ("ХІД: МІСЦЕ 5", "ДОСТАВИТИ 45")
    assert wording.now_line(en, state) == ("ACTION: SEAT 5", "45 to call")
    assert uk("pad.fold") == "ФОЛД"
    assert en("question.acted", seats=[5, 1]) == "Have seats 5 and 1 acted?"
    assert en("question.acted", seats=[5]) == "Has seat 5 acted?"
    assert uk("question.acted", seats=[5, 1]) == "Місця 5 і 1 вже ходили?"
    assert uk("step.finish_betting", street="turn") == "Завершіть торгівлю на терні"
    assert en("hand_name.two_pair", high="K", low="7") == "two pair, kings and sevens"
    assert uk("hand_name.straight", high="K") == "стріт до короля"
    assert en.number(12040) == "12\u202f040"
    assert uk("why.read_at", zone="board", count=4) == "Зчитано 4 карти: борд"
    assert en("why.pushed_to_uncounted", seat=5, amount=120, due=9_000) == "Seat 5 got 120, won 9\u202f000"
    for count, words in ((36, "зчитано всі 36 карт."), (52, "зчитано всі 52 карти.")):
        assert words in uk("setup_note.check_complete", deck="R1", of=count, number=3)
    assert en("notice.device_restarted", device="reader-1") == "reader-1 restarted"


@pytest.mark.parametrize("language", LANGUAGES)
def test_codes_that_nobody_knows_never_fail(catalogues, language):
    tr = Translator(language, catalogues)
    alert = Alert(
        "a",
        "Z9",
        "proven",
        "high",
        "open",
        True,
        "flop",
        None,
        "h",
        "s",
        {},
        "who",
        None,
        "cure",
        (Step("dance", {"x": 1}),),
        (Why("felt"),),
    )
    seat = SeatFact(1, "in", "live", None, 0, 1, 2, to_act=False, marks=("odd",))
    said = [
        wording.alert_title(tr, alert),
        wording.alert_sentence(tr, alert),
        wording.alert_question(tr, alert),
        wording.step_text(tr, alert.steps[0]),
        wording.why_text(tr, alert.why[0]),
        wording.mark_text(tr, "odd", seat),
        wording.notice_text(tr, NoticeFact("n", "odd")),
        wording.undo_text(tr, ViewState(facts={("undo", ""): UndoFact("odd")})),
        wording.refusal(tr, "odd", {}),
        wording.hand_name(tr, Push(0, 1, 5, "odd")),
        wording.now_line(tr, ViewState(link="ready", facts={("now", ""): NowFact("odd")})).title,
        tr("no.such.code"),
        tr("step.redeal"),
        tr("rule.R2.says", seats=None),
    ]
    assert all(said)


def test_lamps_say_what_is_not_well_first_and_gather_the_rest(catalogues):
    from dealer_assist.domain.facts import DeviceFact

    tr = Translator("en", catalogues)
    lamps = wording.lamps(
        tr,
        (
            DeviceFact("r", "reader", "ok", ("seat1", "seat2", "seat3", "seat5", "board")),
            DeviceFact("g", "reader", "lost", ("burn",)),
            DeviceFact("s", "shuffler", "ok"),
        ),
    )
    assert [(lamp.text, lamp.state) for lamp in lamps] == [
        ("Burn: lost", "lost"),
        ("Seats 1–3, 5", "ok"),
        ("Board", "ok"),
        ("Shuffler", "ok"),
    ]


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("10482/1", "Undo: R2 – no"),
        ("R2", "Undo: R2 – no"),
        ("", "Undo: question – no"),
        ("10482/77", "Undo: question – no"),
    ],
)
def test_undo_names_an_answer_by_its_rule(catalogues, named, expected):
    facts = {
        ("undo", ""): UndoFact("answer", {"alert": named, "answer": "no"}),
        ("alert", EARLY_TURN.id): AlertFact(EARLY_TURN),
    }
    assert wording.undo_text(Translator("en", catalogues), ViewState(facts=facts)) == expected
