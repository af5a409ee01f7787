"""House files as data: a key is looked up in the file, then in what it extends, then in what fills its gaps."""

from __future__ import annotations

from pathlib import Path

import pytest

from hw_sim.houses import UnknownHouse, habits_of

YES = "[parameters]\nallin_faceup = { value = true, source = 'TDA 16' }\n"
NO = "[parameters]\nallin_faceup = { value = false, source = 'ours' }\n"
OTHER = "[parameters]\ntap_grace_s = { value = 4.0, source = 'ours' }\n"


def house(folder: Path, **files: str) -> str:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return str(folder / "own.toml")


@pytest.mark.parametrize(
    ("files", "faceup"),
    [
        ({"own": YES}, True),
        ({"own": NO}, False),
        ({"own": OTHER}, False),
        ({"own": 'extends = "base.toml"\n' + NO, "base": YES}, False),
        ({"own": 'extends = "base.toml"\n' + OTHER, "base": YES}, True),
        ({"own": 'gaps = ["one.toml", "two.toml"]\n', "one": OTHER, "two": YES}, True),
        ({"own": 'gaps = ["one.toml", "two.toml"]\n', "one": NO, "two": YES}, False),
        ({"own": 'extends = "base.toml"\ngaps = ["one.toml"]\n', "base": NO, "one": YES}, False),
        ({"own": 'extends = "base.toml"\n', "base": 'gaps = ["one.toml"]\n', "one": YES}, True),
        ({"own": 'extends = "base.toml"\n', "base": 'extends = "own.toml"\n'}, False),
        ({"own": "[parameters]\nallin_faceup = true\n"}, True),
    ],
)
def test_a_key_is_looked_up_in_order(tmp_path: Path, files: dict[str, str], faceup: bool) -> None:
    assert habits_of(house(tmp_path, **files)).allin_faceup is faceup


def test_an_unknown_house_in_another_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnknownHouse, match="nowhere"):
        habits_of(house(tmp_path, own='extends = "nowhere"\n'))
