"""The mutants that no test noticed, after `make mutation`: by function, each with the line that was changed.

Prints how many were made, killed and left, then those that are left. What is to be said about them is in docs/mutation.md.
"""

from __future__ import annotations

import ast
import difflib
import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Exit codes of the run of a mutant: 0 all tests passed, 33 no test reaches it.
LEFT = {0: "survived", 33: "not reached"}


def functions(path: Path) -> dict[str, list[str]]:
    """The sources of all functions of a module of mutants, by name."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    return {
        node.name: lines[node.lineno : node.end_lineno]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
    }


def change(before: list[str], after: list[str]) -> list[str]:
    """The lines that differ."""
    return [
        f"{line[0]} {line[1:].strip()}"
        for line in difflib.unified_diff(before, after, lineterm="", n=0)
        if line[0] in "+-" and not line.startswith(("+++", "---"))
    ]


def main() -> int:
    """Print the list; 1 when there was no run."""
    results = sorted((ROOT / "mutants").rglob("*.meta"))
    if not results:
        print("no run was found: make mutation", file=sys.stderr)
        return 1
    count: Counter[str] = Counter()
    for path in results:
        codes = json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
        left = {key: LEFT[code] for key, code in codes.items() if code in LEFT}
        count.update(left.values())
        count["not run"] += sum(code is None for code in codes.values())
        count["killed"] += sum(code is not None and code not in LEFT for code in codes.values())
        if not left:
            continue
        sources = functions(path.with_suffix(""))
        for key, why in left.items():
            module, _, name = key.rpartition(".")
            function, _, number = name.partition("__mutmut_")
            print(f"{module}.{function.removeprefix('x_')} {number} ({why})")
            for line in change(sources[f"{function}__mutmut_orig"], sources[name]):
                print(f"    {line}")
    print(", ".join(f"{number} {what}" for what, number in count.most_common() if number))
    return 0


if __name__ == "__main__":
    sys.exit(main())
