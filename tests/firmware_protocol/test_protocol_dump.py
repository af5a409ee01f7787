"""The dump: readable, and nothing in it that a card could be told from."""

from __future__ import annotations

import io
import re

import pytest

from firmware_protocol import dump, frames
from firmware_protocol.describe import Describer, describe_message
from firmware_protocol.messages import Inventory, LogText, ScanFailed, ScanFailure, TagArrived, encode
from tests.firmware_protocol.kit import UID, Bench

TAG = frames.data_frame(0x1234, 17, 4, encode(TagArrived(3, 60100, 1202, 50, UID)))
ORDER = frames.data_frame(0x1234, 18, 4, bytes([0xD1]) + UID)


def run(data: bytes, *arguments: str, capsys) -> tuple[int, str, str]:
    code = dump.main([*arguments, "-"], stdin=io.BytesIO(data))
    out, err = capsys.readouterr()
    return code, out, err


def test_frames_become_lines(capsys):
    code, out, _ = run(TAG + frames.ack_frame(0x1234, 17) + frames.reset_frame(1), capsys=capsys)
    assert code == 0
    assert out.splitlines() == [
        "DATA session=1234 seq=17 ack=4 tag_arrived antenna=3 t_ms=60100 scan=1202 scan_period_ms=50 uid=<8 bytes>",
        "ACK session=1234 ack=17",
        "RESET session=0001",
    ]


def test_nothing_that_names_a_card_is_shown_unless_asked_for(capsys):
    damaged = bytearray(TAG)
    damaged[3] ^= 1
    stream = b"".join(
        [
            TAG,
            frames.data_frame(1, 1, 1, encode(Inventory(1, 2, 3, 4, 50, 1, 1, (UID, UID[::-1])))),
            bytes(damaged),
            frames.data_frame(1, 1, 1, b"\x7f" + UID),
            frames.data_frame(1, 1, 1, encode(TagArrived(3, 60100, 1202, 50, UID)) + b"\1"),
            frames.data_frame(1, 1, 1, encode(LogText(f"saw {UID.hex()} and {UID.hex(':').upper()}"))),
            frames.data_frame(1, 1, 1, encode(LogText(f"saw {int.from_bytes(UID)}"))),
            frames.encode_frame(b"\x77" + UID),
            ORDER,
            TAG[:20],
        ]
    )
    code, out, _ = run(stream, capsys=capsys)
    assert code == 0
    assert len(out.splitlines()) == 10
    for form in (UID.hex(), UID[::-1].hex(), UID.hex(":"), str(int.from_bytes(UID))):
        assert form.lower() not in out.lower()
    # Digits that are shown are numbers of frames and fields, never bytes.
    assert not re.search(r"(?<!session=)\b[0-9a-f]{6,}\b", out.replace("60100", ""))
    assert "2 UIDs" in out and "undecodable bytes" in out and "no end of frame" in out
    assert "FORBIDDEN message 0xd1, 9 bytes dropped" in out
    code, revealed, _ = run(stream, "--reveal-uids", capsys=capsys)
    assert revealed.count(UID.hex()) >= 5
    assert revealed.splitlines()[8] == out.splitlines()[8]


def test_hexadecimal_text_is_understood(capsys):
    code, out, _ = run((TAG.hex(" ") + "\n" + TAG.hex()).encode(), capsys=capsys)
    assert code == 0 and len(out.splitlines()) == 2
    code, out, err = run(b"00 11\n0g\n", "--format", "hex", capsys=capsys)
    assert (code, out) == (2, "")
    assert "line 2" in err


def test_a_file_that_is_not_there(capsys, tmp_path):
    assert dump.main([str(tmp_path / "none.bin")]) == 2
    assert "none.bin: No such file" in capsys.readouterr().err
    (tmp_path / "some.bin").write_bytes(TAG)
    assert dump.main([str(tmp_path / "some.bin")]) == 0
    assert "tag_arrived" in capsys.readouterr().out


def test_a_whole_conversation_is_described_the_same_in_any_portions():
    bench = Bench()
    bench.emit(0, 20, every_ms=30)
    whole, single = Describer(), Describer()
    lines = whole.feed(bench.up.written)
    one_by_one = [line for byte in bench.up.written for line in single.feed(bytes([byte]))]
    assert lines == one_by_one
    assert sum("tag_arrived" in line for line in lines) == 20
    assert not any("undecodable" in line or "malformed" in line for line in lines)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("antenna 5 retuned", "'antenna 5 retuned'"),
        ("uid 04A1B2C3", "'uid <hex>'"),
        ("uid 04 a1 b2 c3 d4", "'uid <hex>'"),
        ("uid 0x04,0xa1,0xb2,0xc3", "'uid <hex>'"),
        ("boot 12.3 V", "'boot 12.3 V'"),
    ],
)
def test_diagnostics_are_shown_without_runs_of_hexadecimal_digits(text, shown):
    assert describe_message(LogText(text)) == f"log_text text={shown}"


def test_enums_are_shown_by_name():
    line = describe_message(ScanFailed(5, 1, 2, 50, ScanFailure.NO_FIELD))
    assert line == "scan_failed antenna=5 t_ms=1 scan=2 scan_period_ms=50 reason=no_field"
