"""The simulated shoe: what it counts follows from what comes off the stub; it errs only where it is told to."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_protocol.toml_errors import ConfigError
from hw_sim import steps as st
from hw_sim.hands import load_hands
from hw_sim.physics import Cards
from hw_sim.scenario import jitter
from hw_sim.script import parse_script
from hw_sim.shoe import ShoeSensor, from_shoe

HEAD = """title = "t"
table = { seats = [1, 2, 3], button = 3, blinds = [1, 2], stacks = 200 }
"""


def hand(folder: Path, script: str) -> st.Hand:
    path = folder / "shoe.toml"
    path.write_text(f'{HEAD}script = """\n{script}\n"""\n')
    [loaded] = load_hands([path], None, None)
    return loaded


def counted(loaded: st.Hand, sensor: ShoeSensor) -> list[tuple[int, str]]:
    cards = Cards(loaded, jitter(loaded.name))
    now_ms = 0
    for step in loaded.steps:
        if isinstance(step, st.Tap | st.Check | st.Wait):
            continue
        movements, now_ms = cards.play(step, now_ms)
        for movement in movements:
            sensor.move(movement)
    found = sensor.until(now_ms + 10_000)
    assert [exit_.t_ms for exit_ in found] == sorted(exit_.t_ms for exit_ in found)
    return [(exit_.number, exit_.face) for exit_ in found]


def test_every_card_off_the_stub_is_counted_and_no_other(tmp_path: Path) -> None:
    loaded = hand(tmp_path, "shoe on faces\ndeal\nburn\nboard 3\nmove seat1:1 muck\nmove stub seat2")
    assert loaded.shoe == "sees"
    assert counted(loaded, ShoeSensor(sees_faces=True)) == [(number, "down") for number in range(1, 12)]


def test_the_next_card_is_missed_counted_twice_or_face_up(tmp_path: Path) -> None:
    script = "shoe on\ndeal 1\nshoe miss\ndeal 2\nshoe extra\ndeal 3\nshoe up\ndeal 1 2 3"
    loaded = hand(tmp_path, script)
    assert loaded.shoe == "counts"
    assert counted(loaded, ShoeSensor(sees_faces=False)) == [(number, "unknown") for number in range(1, 7)]
    faces = [face for _, face in counted(loaded, ShoeSensor(sees_faces=True))]
    assert faces == ["down", "down", "down", "up", "down", "down"]


def test_errors_are_drawn_by_the_seed_and_are_as_rare_as_they_are_told_to_be(tmp_path: Path) -> None:
    loaded = hand(tmp_path, "shoe on faces\n" + "deal 1\n" * 50)
    missed = wrong = 0
    for seed in range(40):
        one, same = (ShoeSensor(sees_faces=True, error_rate=0.05, seed=seed) for _ in range(2))
        found = counted(loaded, one)
        assert found == counted(loaded, same)
        missed += 50 - len(found)
        wrong += sum(face == "up" for _, face in found)
    assert 50 < missed < 150
    assert 50 < wrong < 150
    with pytest.raises(ValueError, match="between 0 and 1"):
        ShoeSensor(sees_faces=True, error_rate=1.0)


def test_any_hand_can_be_dealt_from_a_shoe(tmp_path: Path) -> None:
    loaded = hand(tmp_path, "deal")
    assert loaded.shoe == ""
    assert from_shoe(loaded, None) is loaded
    assert from_shoe(loaded, "counts").shoe == "counts"
    seeing = from_shoe(loaded, "sees")
    assert seeing.shoe == "sees"
    assert from_shoe(seeing, "counts") is seeing


@pytest.mark.parametrize("line", ["shoe", "shoe off", "shoe on face", "shoe miss 2"])
def test_a_line_that_is_none_is_told(line: str) -> None:
    with pytest.raises(ValueError, match=r"shoe on \[faces\], before the deal, or shoe miss\|up\|extra"):
        parse_script(f"shoe on\n{line}")


@pytest.mark.parametrize("script", ["deal 1\nshoe on\ndeal", "shoe miss\ndeal"])
def test_a_shoe_is_there_before_the_first_card(tmp_path: Path, script: str) -> None:
    with pytest.raises(ConfigError, match="shoe on before the first card"):
        hand(tmp_path, script)
