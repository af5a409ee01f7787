"""Declarations are checked, what is made from them is current, the specification's frames are real, and the package is pure."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import firmware_protocol
from firmware_protocol import frames, generate
from firmware_protocol.declarations import load
from firmware_protocol.framing import Framer
from firmware_protocol.messages import NAMES, decode
from firmware_protocol.toml_errors import ConfigError

PACKAGE = Path(firmware_protocol.__file__).parent
SOURCE = (PACKAGE / "messages.toml").read_text("utf-8")
SPEC = (PACKAGE / "spec.md").read_text("utf-8")


def test_everything_made_is_current(capsys):
    assert generate.main(["--check"]) == 0
    assert capsys.readouterr().err == ""


def test_a_stale_file_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(generate, "_HERE", tmp_path)
    (tmp_path / "messages.toml").write_text(SOURCE, "utf-8")
    (tmp_path / "spec.md").write_text(SPEC, "utf-8")
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    for name in ("message_codec.py", "message_types.py", "vectors/frames.json", "spec.md"):
        path = tmp_path / name
        before = path.read_text("utf-8")
        assert before == (PACKAGE / name).read_text("utf-8")
        path.write_text(before.replace("17", "18").replace("tag_left", "tag_gone"), "utf-8")
        capsys.readouterr()
        assert generate.main(["--check"]) == 1
        assert name in capsys.readouterr().err
        path.write_text(before, "utf-8")
    (tmp_path / "spec.md").write_text("no marks", "utf-8")
    assert generate.main(["--check"]) == 2


def test_wrong_declarations_end_with_2_and_a_place(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(generate, "_HERE", tmp_path)
    (tmp_path / "messages.toml").write_text(SOURCE.replace("id = 0x20", "id = 0xD5"), "utf-8")
    (tmp_path / "spec.md").write_text(SPEC, "utf-8")
    assert generate.main([]) == 2
    assert not (tmp_path / "message_types.py").exists()
    line = SOURCE.splitlines().index("id = 0x20") + 1
    assert f"messages.toml:{line}:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("id = 0x20", "id = 0xD0", "card order is never sent"),
        ("id = 0x20", "id = 0xDF", "card order is never sent"),
        ("id = 0x20", "id = 0x21", "an id of its own"),
        ("id = 0x20", "id = 256", "an id from 1 to 255"),
        ("first = 0xD0", "first = 0xD8", "first = 0xD0, last = 0xDF"),
        ("last = 0xDF", "last = 0xD0", "first = 0xD0, last = 0xDF"),
        (
            'kinds = ["reader", "shoe"]\ndoc = "A clean scan saw',
            'doc = "A clean scan saw',
            "kinds without shuffler",
        ),
        (
            'kinds = ["reader", "shoe"]\ndoc = "A clean scan saw',
            'kinds = ["shuffler"]\ndoc = "A',
            "without shuffler",
        ),
        (
            '{ name = "count", type = "u8", unit = "cards" }',
            '{ name = "count", type = "text", max = 52 }',
            "a number or an enum: a shuffler tells no more",
        ),
        (
            '{ name = "uids", type = "uids", max = 16 }',
            '{ name = "uids", type = "uids", max = 32 }',
            "at most 219",
        ),
        ('type = "scan_failure"', 'type = "scan_falure"', "the name of an enum"),
        ("crc = 2,", "crc = 1,", "a code of its own"),
        ('direction = "both"', 'direction = "sideways"', "direction"),
        ('unit = "cards"', 'units = "cards"', "units"),
        ("count = 51,", "count = 300,", "a value that count may have"),
        ('reason = "collision" }', 'reason = "collisions" }', "a value that reason may have"),
        ('name = "reason", type', 'name = "Reason", type', "a name in lower case"),
        ('kinds = ["shuffler"]', 'kinds = ["shufler"]', "a device kind"),
    ],
)
def test_declarations_that_are_refused(old, new, expected):
    assert SOURCE.count(old) >= 1
    with pytest.raises(ConfigError) as refused:
        load(SOURCE.replace(old, new, 1).encode(), "messages.toml")
    assert expected in str(refused.value)
    assert re.match(r"messages\.toml:\d+:\d+: ", str(refused.value))


def test_the_worked_frames_of_the_specification_decode_to_what_stands_above_them():
    block = SPEC.split("### Worked frames")[1].split("```text\n")[1].split("```")[0]
    lines = block.strip().splitlines()
    seen = set()
    for title, digits in zip(lines[::2], lines[1::2], strict=True):
        (body,) = Framer().feed(bytes.fromhex(digits))
        frame = frames.parse(body)
        kind, *words = title.removeprefix("# ").split()
        assert frame.kind.name == kind
        numbers = {name: int(value) for name, value in re.findall(r"(session|seq|ack) (\d+)", title)}
        for name, number in numbers.items():
            assert getattr(frame, name) == number
        if frame.payload:
            assert NAMES[type(decode(frame.payload))] == words[-1]
        seen.add(words[-1] if frame.payload else kind)
    assert seen == {*NAMES.values(), "ACK", "NAK", "RESET"}


def test_the_specification_names_the_limits_of_the_code():
    from firmware_protocol import device, framing, link, outbox, snapshots

    for number in (
        framing.MAX_BODY,
        framing.MAX_ENCODED + 1,
        device.CAPACITY,
        outbox.WINDOW,
        outbox.WINDOW_BYTES,
    ):
        assert str(number) in SPEC.split("## 8. Limits")[1] or number == framing.MAX_ENCODED
    assert f"{link.PERIOD_MS} ms; {link.PERIOD_MS * link.LOST_PERIODS} ms" in SPEC
    assert f"{outbox.MAX_LOST} |" in SPEC
    assert f"{outbox.FIRST_RTO_MS} ms at first" in SPEC
    assert f"nothing of an answer comes for {snapshots.TIMEOUT_MS // 1000} s" in SPEC
    assert "0x29B1" in SPEC and "0x1021" in SPEC and "0xFFFF" in SPEC


IMPURE = {
    "asyncio", "concurrent", "datetime", "io", "logging", "multiprocessing", "os", "pathlib", "queue", "random", "secrets",
    "select", "serial", "shutil", "signal", "smartcard", "socket", "sqlite3", "structlog", "subprocess", "tempfile", "threading",
    "time", "uuid",
}  # fmt: skip


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("*.py")), ids=lambda path: path.name)
def test_no_clock_port_randomness_thread_or_log_is_imported(path):
    imported = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").split(".")[0])
    allowed = {"pathlib"} if path.name == "generate.py" else set()
    assert not (imported & IMPURE) - allowed
    assert "dealer_assist" not in imported and "hw_sim" not in imported
