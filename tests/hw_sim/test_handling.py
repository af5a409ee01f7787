from __future__ import annotations

import json
import subprocess

import pytest

from dealer_assist.demo import program
from hw_sim.antennas import Field
from hw_sim.cards import tags_of
from hw_sim.handling import ORDER, NotHandled, asked, cards_of, laid

TAGS = tags_of(1)
ZONES = {"muck": 14, "seat3": 3}


def test_each_card_of_a_deck_is_read_once_and_goes_away():
    field = Field(ZONES, TAGS)
    movements, done_ms = laid(cards_of("B"), "muck", 1000)
    for movement in movements:
        field.move(movement)
    events = field.until(done_ms + 1000)
    arrived = [event.uid for event in events if event.kind == "tag_arrived"]
    assert arrived == [TAGS[f"B/{face}"] for face in ORDER]
    assert sum(event.kind == "tag_left" for event in events) == 52
    assert field.inventory(14) == ()


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({"do": "lay", "zone": "seat9"}, "a zone"),
        ({"do": "lay", "zone": "muck", "deck": "C"}, "a deck"),
        ({"do": "lay", "zone": "muck", "cards": ["Xx"]}, "cards"),
        ({"do": "touch", "zone": "muck", "card": "1"}, "a card"),
        ({"do": "touch", "zone": "muck", "stay_ms": 0}, "stay_ms"),
    ],
)
def test_what_cannot_be_laid_is_refused(request_, expected):
    with pytest.raises(NotHandled) as refused:
        asked(request_, ZONES, TAGS, 0)
    assert expected in refused.value.expected


def test_a_script_registers_checks_and_calibrates(tmp_path):
    script = "lay A muck 1s\ntouch seat3 4s\nopen\ndeal\nexpect silence"
    file = tmp_path / "set_up.toml"
    file.write_text(
        'title = "Set-up"\nhouse = "seed"\ngame = "nlhe"\n'
        "table = { seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = 200 }\n"
        f'deck = "seed:42"\nscript = """\n{script}\n"""\n'
    )
    done = subprocess.run(
        [*program("hw-sim"), "trace", str(file)], capture_output=True, text=True, timeout=60, check=True
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    opened = next(number for number, line in enumerate(lines) if "open_hand" in line)
    before = [line for line in lines[:opened] if line.get("msg") == "tag_arrived"]
    assert [line["antenna"] for line in before] == [14] * 52 + [3]
