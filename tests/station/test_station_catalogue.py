"""Whatever the procedure can say has its words in every language, and the report sheet offers what the catalogue lets be reported."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from dealer_assist.domain.alerts import Alert, Step
from dealer_assist.domain.commands import Command
from dealer_assist.domain.equipment import EquipmentCommand
from dealer_assist.domain.facts import Fact
from dealer_assist.domain.floor import FloorCommand
from dealer_assist.domain.history import HistoryCommand
from dealer_assist.domain.shift import ShiftCommand
from dealer_assist.domain.terms import SetTable
from dealer_assist.procedure.catalogue import ROWS
from dealer_assist.procedure.remedies import REMEDIES
from dealer_assist.procedure.remedies.checks import CHECKS
from dealer_assist.station import reportable, wording
from dealer_assist.station.i18n import LANGUAGES, Translator, load_all, placeholders

PROCEDURE = Path(str(REMEDIES["misdeal"].begin.__code__.co_filename)).parents[1]
#: parameters of an alert that its texts may name wherever the row names a seat or not
ALWAYS = {"rule", "street", "count", "next"}


def _strings(node: ast.AST) -> set[str]:
    """The strings that an expression can become: not those that it only compares with."""
    if isinstance(node, ast.IfExp):
        return _strings(node.body) | _strings(node.orelse)
    return {
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }


def _calls(folder: str, names: tuple[str, ...]) -> list[tuple[ast.Call, ast.Module]]:
    found = []
    for path in sorted((PROCEDURE / folder).glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found += [
            (node, tree)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
        ]
    return found


def _codes(call: ast.Call, tree: ast.Module) -> set[str]:
    """The codes of a call's first argument: written there, or in the loop that it stands in."""
    if not call.args:
        return set()
    written = _strings(call.args[0])
    if written or not isinstance(call.args[0], ast.Name):
        return written
    for node in ast.walk(tree):
        if isinstance(node, (ast.GeneratorExp, ast.ListComp)) and call in ast.walk(node):
            written |= {code for loop in node.generators for code in _strings(loop.iter)}
    return written


def steps() -> dict[str, set[str]]:
    """Step code → the parameters that every place which makes it gives."""
    given: dict[str, set[str]] = {}
    for call, tree in _calls("remedies", ("Step", "unseen")):
        params = {keyword.arg for keyword in call.keywords if keyword.arg not in (None, "seen", "state")}
        for argument in call.args[1:]:
            if isinstance(argument, ast.Dict):
                params |= {key.value for key in argument.keys if isinstance(key, ast.Constant)}
        for code in _codes(call, tree):
            given[code] = given[code] & params if code in given else set(params)
    return given


STEPS = steps()
WHYS = {
    code
    for folder in ("rules", ".")
    for call, tree in _calls(folder, ("Why",))
    for code in _codes(call, tree)
}
QUESTIONS = {row.question for row in ROWS.values() if row.question is not None} | {
    keyword.value.value
    for call, _ in _calls("rules", ("Alert",))
    for keyword in call.keywords
    if keyword.arg == "question" and isinstance(keyword.value, ast.Constant) and keyword.value.value
}
MARKS = (
    "short",
    "doubtful",
    "assumed",
    "unknown_card",
    "last_hand_card",
    "dead",
    "rebased",
    "missed_small_blind",
    "missed_big_blind",
    "waits_for_blind",
    "posts",
    "top_up",
)
NOTICES = (
    "deck_short",
    "deck_not_shuffled",
    "alert_fell_away",
    "hand_identified",
    "hand_not_identified",
    "event",
    "other_deck",
    "first_button",
    "draw_again",
    "dealer_push",
    "time_paid",
    "top_up_back",
)
REFUSALS = (
    "bad_row",
    "no_options",
    "bad_option",
    "cap_reached",
    "not_correctable",
    "floor_only",
    "floor_not_signed_in",
    "no_staff",
    "pin_being_checked",
    "show_badge",
    "no_pin",
    "badge_locked",
    "wrong_pin",
    "nothing_to_sign",
    "no_window",
    "no_straddles",
    "no_blinds_to_straddle",
    "straddle_not_from_here",
    "straddle_stands",
    "straddle_is",
    "straddle_at_least",
    "straddle_above_stack",
    "straddle_too_late",
    "no_killer",
    "no_blinds_to_kill",
    "not_folded",
    "chips_elsewhere",
    "seat_taken",
    "seat_not_taken",
    "seat_not_in",
    "table_full",
    "buy_in_below",
    "buy_in_above",
    "table_stakes",
    "owes_nothing",
    "nobody_left",
    "button_drawn",
    "draw_missing",
    "same_card",
)


@pytest.fixture(scope="module")
def catalogues():
    return load_all()


@pytest.fixture(scope="module", params=list(LANGUAGES))
def tr(request, catalogues):
    return Translator(request.param, catalogues)


def test_the_source_was_read():
    assert len(ROWS) > 80 and len(STEPS) > 80 and {"read_at", "dealer_reported"} <= WHYS


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("part", ["title", "ask", "says"])
def test_every_row_has_its_words(tr, row, part):
    code = f"rule.{row}.{part}"
    assert tr.has(code)
    alert = Alert(
        "a",
        row,
        "proven" if part == "says" else "probable",
        "high",
        "open",
        False,
        "turn",
        4 if ROWS[row].seat == "needed" else None,
        "seed",
        "S001",
    )
    said = wording.alert_title(tr, alert) if part == "title" else wording.alert_sentence(tr, alert)
    assert said and "{" not in said
    unknown = tr("generic.unknown_value")
    assert unknown not in said.removesuffix("?").replace("? ", " "), said


@pytest.mark.parametrize("row", ROWS)
def test_what_a_row_says_is_one_glance(catalogues, row):
    for language, texts in catalogues.items():
        for part in ("says_any", "says"):
            text = texts.get(f"rule.{row}.{part}")
            if isinstance(text, str):
                assert len(text) <= 75, (language, row, text)
                break
        title = texts[f"rule.{row}.title"]
        assert isinstance(title, str) and len(title) <= 42 and not placeholders(title), (language, row)


@pytest.mark.parametrize("remedy", REMEDIES)
def test_every_remedy_has_a_name_that_fits_a_key(tr, remedy):
    assert tr.has(f"remedy.{remedy}")
    assert len(tr(f"remedy.{remedy}")) <= 46


@pytest.mark.parametrize("step", sorted({*STEPS, *CHECKS}))
def test_every_step_has_words_that_its_parameters_fill(tr, step, catalogues):
    assert tr.has(f"step.{step}")
    given = {"seat": 4, "count": 3, "street": "turn", "zone": "seat4", "attempt": 1, "board": 2}
    said = wording.step_text(tr, Step(step, given))
    assert said and "{" not in said and "?" not in said
    needed = placeholders(catalogues[tr.language][f"step.{step}"]) - {"count"}
    # A checklist adds the alert's seat; a remedy of rows without one needs the other form.
    assert needed <= STEPS.get(step, set()) | {"seat"}
    if "seat" in needed - STEPS.get(step, set()):
        seated = {row.id for row in ROWS.values() if row.seat == "needed"}
        used = [remedy for remedy in REMEDIES.values() if _makes(remedy, step)]
        assert tr.has(f"step.{step}_any") or all(remedy.rows <= seated for remedy in used), step


def _makes(remedy, step: str) -> bool:
    made = remedy.begin.__closure__ or ()
    cells = [cell.cell_contents for cell in made if isinstance(cell.cell_contents, tuple)]
    return any(isinstance(part, Step) and part.code == step for cell in cells for part in cell)


def test_words_of_one_remedy_or_row_stand_for_a_step_that_exists(catalogues):
    for texts in catalogues.values():
        for code in texts:
            section, _, rest = code.partition(".")
            if section == "step_of":
                owner, _, step = rest.partition(".")
                assert owner in REMEDIES or owner in ROWS, code
                assert step in STEPS, code


def test_every_question_and_reason_has_its_words(tr):
    for question in QUESTIONS:
        assert tr.has(f"question.{question}") and tr.has(f"question_short.{question}"), question
    for why in WHYS:
        assert tr.has(f"why.{why}"), why


@pytest.mark.parametrize(
    ("section", "codes"),
    [
        ("mark", MARKS),
        ("notice", NOTICES),
        ("refusal", REFUSALS),
        ("phase", ("chopped",)),
        ("now", ("discard", "point", "window", "deck_not_ready")),
        ("now_detail", ("discard", "point", "window", "deck_not_ready")),
        ("row", ("exposed", "early_card", "misdeal", "boxed", "dead_hand", "chop", "scrap")),
        (
            "action",
            ("ante", "small_blind", "big_blind", "straddle", "dead", "button_blind", "unfold_ante", "kill"),
        ),
    ],
)
def test_codes_of_the_screen_have_their_words(tr, section, codes):
    given = {
        "seat": 4,
        "seats": [4],
        "count": 2,
        "due": 2,
        "expected": 52,
        "rule": "R2",
        "name": "x_ray",
        "zone": "burn",
        "price": 3,
        "by": 5,
        "amount": 20,
        "stack": 10,
        "least": 40,
        "most": 200,
        "dealer": "Olena",
        "max_bets": 4,
    }
    for code in codes:
        assert tr.has(f"{section}.{code}"), code
        said = tr(f"{section}.{code}", given)
        assert said and "{" not in said
        assert tr("generic.unknown_value") not in said.removesuffix("?"), said


def test_undo_names_every_command(tr):
    # what is set up between hands is no tap of a hand
    others = (EquipmentCommand, FloorCommand, HistoryCommand, ShiftCommand)
    for command in set(_members(Command)).difference(*map(_members, others), {SetTable}):
        tag = str(command.__struct_config__.tag)
        assert tag == "undo" or tr.has(f"undo.{tag}"), tag


def _members(union):
    return union.__args__


def test_every_game_has_a_name(tr):
    for path in (PROCEDURE / "games").glob("*.toml"):
        assert tr.has(f"game.{path.stem}"), path.stem


def test_the_report_sheet_offers_exactly_the_rows_that_a_person_may_report():
    offered = [row for rows in reportable.FAMILIES.values() for row in rows]
    assert offered == list(ROWS)
    assert {row: reportable.seat_need(row) for row in offered} == {row: ROWS[row].seat for row in offered}


def test_facts_of_the_domain_are_known():
    assert {kind.__name__ for kind in _members(Fact)} >= {"TableFact", "AlertFact", "NoticeFact"}
