"""The figures of an accuracy run as text for people: a dated section of docs/accuracy.md, and the short table on the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

MARKER: Final = "<!-- runs, newest first; written by tests/bench/bench_accuracy.py -->"
GOALS: Final = """Goals (docs/architecture.md): with `table` reads at most 0.5 false proven and 4 questions in 1,000 clean hands
(floor: 1 and 20), at least .93 of the single departures of the deal found before the next step, with `fine` reads .96; the
first word after 1.0 s (median) and 2 s (95th percentile) at most; at most 10 ms a scan (99th percentile)."""

ROWS: Final = (
    ("clean hands", "clean_hands"),
    ("with a false proven alert, in 1,000", "false_proven_per_1000"),
    ("with a question, in 1,000", "questions_per_1000"),
    ("with either, in 1,000", "any_false_word_per_1000"),
    ("irregular hands", "irregular_hands"),
    ("of the deal: found before the next step", "deal_found_before_next_step"),
    ("all: found before the next step", "found_before_next_step"),
    ("found by the end of the hand", "found_by_hand_end"),
    ("something was said", "any_word"),
    ("the first word: right kind", "right_kind"),
    ("the first word: right kind and seat", "right_kind_and_seat"),
    ("false word before it", "false_word_before_it"),
)


def number(value: float | None, digits: int = 3) -> str:
    """Three figures, no more."""
    if value is None:
        return "–"
    if value >= 100:
        return f"{value:.0f}"
    if value >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 1 else f"{value:.{digits}f}"


def share_text(share: dict[str, Any]) -> str:
    """A share or rate with its bounds: ``.942 (.913–.964)``."""
    if not share["n"]:
        return "no hand"
    low, high = share["bounds"]
    return f"{number(share['value'])} ({number(low)}–{number(high)})"


def cell(figures: dict[str, Any], key: str) -> str:
    """One figure."""
    value = figures[key]
    return share_text(value) if isinstance(value, dict) else f"{value:,}"


def seconds_text(told: dict[str, Any], name: str) -> str:
    """A quantile with its bounds in seconds."""
    if not told["n"]:
        return "no word"
    low, high = told[f"{name}_bounds"]
    return f"{told[name]:.2f} ({low:.2f}–{'?' if high is None else f'{high:.2f}'})"


def table_of(judged: dict[str, dict[str, Any]]) -> list[str]:
    """One column for each way of judging."""
    names = list(judged)
    lines = ["| | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    for title, key in ROWS:
        lines.append(f"| {title} | " + " | ".join(cell(judged[name]["score"], key) for name in names) + " |")
    for title, quantile in (("median", "median"), ("95th percentile", "p95")):
        cells = [seconds_text(judged[name]["score"]["first_word_s"], quantile) for name in names]
        lines.append(f"| seconds to the first word, {title} | " + " | ".join(cells) + " |")
    for title, key in (("ms a scan", "scan_cost"), ("ms of processor time a scan", "scan_cpu")):
        costs = [judged[name][key] for name in names]
        cells = [
            f"{number(cost['p50_ms'])}, {number(cost['p99_ms'])}" if cost["n"] else "–" for cost in costs
        ]
        lines.append(f"| {title}, median and 99th percentile | " + " | ".join(cells) + " |")
    return lines


def confusion_of(figures: dict[str, Any]) -> list[str]:
    """Injected × said first."""
    confusion = figures["confusion"]
    said = sorted(
        {rule for row in confusion.values() for rule in row}, key=lambda rule: (rule == "nothing", rule)
    )
    lines = ["| injected | " + " | ".join(said) + " |", "|---|" + "--:|" * len(said)]
    order = sorted(confusion, key=lambda rule: (rule == "clean", rule))
    for injected in order:
        row = confusion[injected]
        lines.append(f"| {injected} | " + " | ".join(str(row.get(rule, "")) for rule in said) + " |")
    return lines


def kinds_of(figures: dict[str, Any]) -> list[str]:
    """How well each kind is found, the worst first."""
    rows = figures["by_kind"]
    lines = [
        "| kind | hands | before the next step | by the end | right kind and seat first | seconds, median and 95th percentile |",
        "|---|--:|---|---|---|---|",
    ]
    for kind in sorted(rows, key=lambda kind: rows[kind]["before_next_step"]["value"]):
        row = rows[kind]
        cells = [share_text(row[key]) for key in ("before_next_step", "by_hand_end", "right_kind_and_seat")]
        told = figures["by_kind_s"].get(kind)
        cells.append(f"{told['median']:.2f}, {told['p95']:.2f}" if told else "–")
        lines.append(f"| {kind} | {row['hands']} | {' | '.join(cells)} |")
    return lines


def section(run: dict[str, Any]) -> str:
    """The section of one run."""
    lines = [f"## {run['date']}", ""]
    hands = ", ".join(f"{name} {profile['hands']:,}" for name, profile in run["profiles"].items())
    lines += [
        f"`{run['command']}`; revision {run['revision']}; hands: {hands}; share with an irregularity {run['irregular']:g}.",
        f"First seed {run['seed']}; sources: {', '.join(run['sources'])}. {run['machine']}, load {run['load']}.",
        "Figures in brackets are exact 95 % bounds.",
    ]
    if run["missing"]:
        lines.append(f"**{run['missing']}**")
    for name, profile in run["profiles"].items():
        if not profile["judged"]:
            continue
        product = profile["judged"]["product"]
        figures = product["score"]
        lines += ["", f"### Reads as `{name}`", "", *table_of(profile["judged"])]
        lines += [
            "",
            f"The peer's own setting, chosen for this profile on {profile['trained_on']} other hands: {profile['tuned']}.",
        ]
        lines += ["", "What was injected, and what the product said first:", "", *confusion_of(figures)]
        lines += ["", *kinds_of(figures)]
        words = ", ".join(f"{word} {count}" for word, count in figures["false_words"].items()) or "none"
        lines += [
            "",
            f"False words in clean hands, by rule: {words}.",
            f"Questions about taps that were forgotten, none of them false: {figures['questions_about_slips']}.",
            f"Irregular hands whose departure the antennas cannot show, in none of the figures: {figures['unreadable_hands']}.",
            f"Clean hands that ended otherwise than their source says: {product['differ']} of {figures['clean_hands']:,}.",
            "",
        ]
        for verdict in profile["goals"]:
            lines.append(f"- {verdict}")
    return "\n".join(lines) + "\n"


HEAD: Final = f"""# Accuracy under noise

How often the product is wrong about a clean hand, how much of what goes wrong it finds, how soon, and whether it says the right
thing; beside a plain debounce-and-timeout decider (`tests/bench/debounce_decider.py`) that reads the same traces: k reads place a
card, a timeout makes one missing, a margin makes an order wrong. Real hands are dealt by the simulator with reads as each profile
has them, one in ten with one departure from the procedure ([traces.md](traces.md)); the traces stream through the product's whole
core in memory. `make accuracy HANDS=50000` makes a full run, `make bench` a short one; a run that was broken off goes on where it
stopped.

{GOALS}

A *question* or *proven* alert counts as a word, marks do not. Found: a word of the injected rule (or of one that names the same
act) before the floor closed the hand. First word: of any rule, from the moment when the wrong card lay, or the missing one would
have. Hands with several false words count once.

{MARKER}
"""


def write_into(page: Path, text: str) -> None:
    """Put a section on the page, above the older ones."""
    whole = page.read_text("utf-8") if page.exists() else HEAD
    if MARKER not in whole:
        raise ValueError(f"{page} has no line {MARKER!r}: expected a page that this command has written")
    head, _, rest = whole.partition(MARKER)
    page.write_text(
        f"{head}{MARKER}\n\n{text}{rest.rstrip()}\n" if rest.strip() else f"{head}{MARKER}\n\n{text}", "utf-8"
    )
