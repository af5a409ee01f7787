"""Write what antennas can never tell apart into docs/alignment.md, or check that the page has it (``--check``)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[1] / "docs" / "alignment.md"
BEGIN: Final = "<!-- twins: written by scripts/alignment_table.py -->"
END: Final = "<!-- end of twins -->"

sys.path.insert(0, str(PAGE.parents[1]))

from dealer_assist.procedure.alignment.twins import SETS, twins  # noqa: E402 - found beside this script


def table() -> str:
    """A row for each departure, a column for each set of antennas."""
    columns = [twins(zones, shoe=shoe) for _, zones, shoe in SETS]
    lines = [
        "| departure | " + " | ".join(name for name, _, _ in SETS) + " |",
        "|---" * (len(SETS) + 1) + "|",
    ]
    for rows in zip(*columns, strict=True):
        cells = [_cell(twin.told, twin.alone) for twin in rows]
        lines.append(f"| {rows[0].name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(told: str, alone: str) -> str:
    if told:
        return told
    return "**never**" if not alone else f"**never**; with every card read: {alone}"


def main(argv: list[str]) -> int:
    """Write, or check."""
    text = PAGE.read_text(encoding="utf-8")
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    wanted = f"{text[:begin]}\n\n{table()}\n\n{text[end:]}"
    if "--check" in argv:
        if text != wanted:
            print("docs/alignment.md: run scripts/alignment_table.py", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
