"""The codes that scripts may name: rules, remedies, steps, questions …, read from the product's English texts as data.

Every code of the product has a text there, so a word that has none is a mistake of the script and not of the hand.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Final

from firmware_protocol.toml_check import nearest
from hw_sim.houses import procedure_folder
from hw_sim.script_words import Bad

#: Section of the texts → what one of its codes is.
_SECTIONS: Final = {
    "rule": "a rule",
    "remedy": "a remedy",
    "step": "a step of a checklist",
    "question": "a question",
    "now": "what the screen says is due",
    "mark": "a mark",
    "notice": "a notice",
}


@cache
def codes(section: str) -> frozenset[str]:
    """The codes of one section."""
    folder = procedure_folder("houses").parents[1] / "station" / "texts"
    found: set[str] = set()
    for name in ("en.toml", "alerts.en.toml"):
        found |= tomllib.loads((folder / name).read_text(encoding="utf-8")).get(section, {}).keys()
    return frozenset(found)


def known(section: str, code: str) -> str:
    """The code, if it is one; raises Bad with the one that is nearly it."""
    if code not in codes(section):
        raise Bad(f"{_SECTIONS[section]} that there is{nearest(code, codes(section))}")
    return code
