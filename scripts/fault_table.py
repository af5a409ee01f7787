"""docs/faults.md: every fault that the simulator can make, and what a dealer sees of it. ``--check``: only compare.

Made from the catalogue (``hw_sim/faults.py``) and the rows of ``tests/faults/rows.toml``. A row whose fault is no fault, whose tests
are not there or do not use the fault, and a fault that no row has, is a mistake: it is named, and the exit code is 1.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hw_sim.faults import CATALOGUE, COMPONENTS, Entry, Key, parse  # noqa: E402
from hw_sim.script_words import Bad  # noqa: E402

ROWS = ROOT / "tests/faults/rows.toml"
PAGE = ROOT / "docs/faults.md"

HEAD = """# Faults of the simulated hardware

What goes wrong with readers, lines, adapters, card readers and shufflers at a table, on purpose. The same line in a scenario and,
as JSON, on the control channel of `hw-sim run` ([scenarios.md](scenarios.md)):

    fault COMPONENT FAULT [INSTANCE] [KEY=VALUE …]
    {"do": "fault", "component": "line", "fault": "wrong", "instance": "reader", "share": "5%", "for": "2s"}

Nothing breaks by itself: a scenario needs the key `faults = true`, the control channel the switch `hw-sim run --faults`. What cannot
be done is refused in words and never pretended: a fault that the component does not have, a card that does not lie there, a shuffler
where there is none, and in a trace (`hw-sim trace`) everything that happens on real ports only. `fault COMPONENT ok [INSTANCE]` ends
all faults of a component or of one instance; `for=TIME` lets one end by itself, in virtual time. A fault of a card ends when the card
is moved.

Besides these a cable can always be pulled (`unplug`, `plug`), noise be put on a line (`garbage`), and a device be restarted (`reboot`
on the control channel): that is what hands can do at a table.

What is not here, because it is no device's: disks, clocks, memory and processes of the table's machine; those are in the tests of the
journal, of the session and of whole tables. Noise that is always there is no fault but a profile ([traces.md](traces.md)).

Made by `scripts/fault_table.py` from the catalogue and `tests/faults/rows.toml`; do not edit.

## The catalogue

*Trace*: also `hw-sim trace` can make it. The kinds *ok, off, stuck, garbage, wrong, slow, delayed, intermittent* are those of PX4's failure
injection; the others are what only card tables have.
"""


def main() -> int:
    """Write the page, or compare it."""
    rows = tomllib.loads(ROWS.read_text(encoding="utf-8"))["row"]
    mistakes = list(mistakes_in(rows))
    if mistakes:
        print("\n".join(mistakes))
        return 1
    text = page(rows)
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        print("docs/faults.md is not what the catalogue makes: run scripts/fault_table.py")
        return 1
    return 0


def mistakes_in(rows: list[dict[str, object]]) -> Iterator[str]:
    """What is wrong with the rows, a sentence each."""
    made: set[str] = set()
    for row in rows:
        name = f"{ROWS.name}: {row['what']!r}"
        tests = row["tests"]
        assert isinstance(tests, list)
        if not tests:
            yield f"{name}: expected a test"
        for test in tests:
            if not exists(test):
                yield f"{name}: there is no test {test}"
        scripts = [
            (ROOT / test).read_text(encoding="utf-8")
            for test in tests
            if test.endswith(".toml") and exists(test)
        ]
        faults = row["faults"]
        assert isinstance(faults, list)
        for line in faults:
            try:
                fault = parse(line.split()[1:])
            except Bad as error:
                yield f"{name}: {line!r}: expected {error.expected}"
                continue
            made.add(f"{fault.component} {fault.fault}")
            if not any(
                re.search(rf"^{line.split(' for=')[0].split(' share=')[0]}", text, re.MULTILINE)
                for text in scripts
            ):
                yield f"{name}: none of its files has a line {line!r}"
    for entry in CATALOGUE:
        if entry.name not in made:
            yield f"{ROWS.name}: no row has the fault {entry.name!r}"


def exists(test: str) -> bool:
    """Whether a test is there: its file, its function, and of a parametrised one the name of its part."""
    file, _, function = test.partition("::")
    path = ROOT / file
    if not path.is_file():
        return False
    function, _, part = function.partition("[")
    text = path.read_text(encoding="utf-8")
    return (not function or f"def {function}(" in text) and (not part or f'"{part[:-1]}"' in text)


def page(rows: list[dict[str, object]]) -> str:
    """The whole page."""
    lines = [HEAD]
    for component in COMPONENTS:
        lines += [
            f"### {component}",
            "",
            INSTANCES[component],
            "",
            "| Fault | What happens | Keys | Trace |",
            "|---|---|---|---|",
        ]
        lines += [_entry(entry) for entry in CATALOGUE if entry.component == component]
        lines.append("")
    lines += [
        "## What the dealer sees",
        "",
        "Each row is shown by its tests: hands dealt with the fault in them, in a trace or on real ports against a running table service.",
        "",
        "| What goes wrong | Seen in | Fault | What the dealer sees | Tests |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        faults, tests = row["faults"], row["tests"]
        assert isinstance(faults, list)
        assert isinstance(tests, list)
        cells = (
            str(row["what"]),
            str(row["source"]),
            "<br>".join(f"`{line.removeprefix('fault ')}`" for line in faults) or "–",
            str(row["sees"]),
            "<br>".join(_test(test) for test in tests),
        )
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


INSTANCES = {
    "line": "Bytes between a device and the host. The instance is `reader` (without one), `shuffler` or `shoe`.",
    "port": "The adapter and its cable. The instance is `reader` (without one), `shuffler` or `shoe`.",
    "reader": "The program of the table's reader.",
    "shuffler": "What the shuffler says, and its program.",
    "shoe": "What the shoe says, and its program; where a hand is dealt from one.",
    "antenna": "One antenna of the reader. The instance is the place: `seat4`, `board`, `muck` …",
    "card": "One card. The instance is where it lies: `seat4:2` is the second card that came to seat 4.",
    "pcsc": "pcscd, its reader and the card on it; with `--burn-gate pcsc`.",
}


def _entry(entry: Entry) -> str:
    keys = "; ".join(_key(key) for key in entry.keys) or "–"
    trace = "yes" if "trace" in entry.where else "no"
    return f"| `{entry.fault}` | {entry.what} | {keys} | {trace} |"


def _key(key: Key) -> str:
    words = f": {', '.join(f'`{word}`' for word in key.words)}" if key.words else ""
    usual = "" if key.default is None else f" ({_shown(key)} without it)"
    return f"`{key.name}` {key.what}{words}{usual}"


def _shown(key: Key) -> str:
    if key.kind == "share" and isinstance(key.default, int):
        return f"{key.default / 100:g} %"
    return f"{key.default} ms" if key.kind == "time" else str(key.default)


def _test(test: str) -> str:
    file, _, function = test.partition("::")
    name = function or Path(file).name
    return f"[{name.replace('[', ': ').rstrip(']')}](../{file})"


if __name__ == "__main__":
    sys.exit(main())
