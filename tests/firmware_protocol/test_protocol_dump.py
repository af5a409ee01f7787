"""What a dump shows, and what it must not show unasked."""

from __future__ import annotations

import io
import sys

import pytest

from firmware_protocol import frames, messages
from firmware_protocol.dump import describe, dump, main
from firmware_protocol.framing import encode_frame
from firmware_protocol.messages import Heartbeat, Inventory, LogText, TagArrived

UID = bytes.fromhex("e0040100c0ffee11")
TAG = TagArrived(antenna=3, t_ms=60100, scan=1202, scan_period_ms=50, uid=UID)
TAG_FRAME = frames.data_frame(0x0001, 17, 4, messages.encode(TAG))


def leaks(text: str) -> bool:
    flat = text.lower().replace(" ", "")
    return UID.hex() in flat or UID[::-1].hex() in flat or "c0ffee" in flat


def test_a_frame_is_a_line_with_its_offset_header_and_fields():
    beat = frames.plain_frame(messages.encode(Heartbeat(60000, 5, 17)))
    assert list(dump(b"\0" + beat + TAG_FRAME + frames.nak_frame(1, 16))) == [
        "00000001  PLAIN  heartbeat uptime_ms=60000 boot_id=5 last_seq=17",
        (
            f"{1 + len(beat):08x}  DATA   session=0001 seq=17 ack=4 tag_arrived antenna=3 t_ms=60100 scan=1202"
            " scan_period_ms=50 uid=<8 bytes>"
        ),
        f"{1 + len(beat) + len(TAG_FRAME):08x}  NAK    session=0001 ack=16",
    ]


def test_uids_are_blank_unless_asked_for():
    inventory = Inventory(7, 3, 0, 1, 50, 1, 1, (UID, UID))
    data = TAG_FRAME + frames.data_frame(1, 18, 4, messages.encode(inventory))
    assert not leaks("\n".join(dump(data)))
    assert "uids=[<8 bytes>, <8 bytes>]" in "\n".join(dump(data))
    shown = "\n".join(dump(data, reveal_uids=True))
    assert shown.count(UID.hex()) == 3


@pytest.mark.parametrize("bit", range(8 * (len(TAG_FRAME) - 1)))
def test_a_damaged_frame_shows_no_byte_of_a_card(bit):
    damaged = bytearray(TAG_FRAME)
    damaged[bit // 8] ^= 1 << bit % 8
    text = "\n".join(dump(bytes(damaged)))
    assert not leaks(text)
    assert "bytes>" in text


def test_bytes_that_are_no_message_are_blank_whatever_is_wrong_with_them():
    body = messages.encode(TAG)
    for data in (
        body,  # unfinished
        body + b"\0",  # no frame
        encode_frame(b"\x09" + body),  # no link header
        frames.plain_frame(b"\x77" + body),  # unknown message
        frames.data_frame(1, 1, 0, body + b"\x00"),  # too long
        frames.data_frame(1, 1, 0, bytes([body[0], 0]) + body[2:]),  # antenna 0
        TAG_FRAME[:-1] + TAG_FRAME,  # two run together
        b"\xaa" * 300 + body + b"\0",  # longer than any frame
    ):
        text = "\n".join(dump(data))
        assert "bytes>" in text
        assert not leaks(text)


def test_card_order_stays_blank_even_when_uids_are_asked_for():
    for message_id in range(0xD0, 0xE0):
        frame = frames.data_frame(1, 1, 0, bytes([message_id]) + UID * 6)
        (line,) = dump(frame, reveal_uids=True)
        assert line.endswith(f"FORBIDDEN id=0x{message_id:02x} <49 bytes>")
        assert not leaks(line)


def test_texts_cannot_break_a_line():
    assert describe(frames.DATA_HEADER.pack(1, 1, 1, 0) + messages.encode(LogText("it's 'so'"))).endswith(
        """log_text text="it's 'so'\""""
    )


def test_files_hold_bytes_or_hex(tmp_path, capsys):
    raw, text = tmp_path / "line.bin", tmp_path / "line.hex"
    raw.write_bytes(TAG_FRAME)
    text.write_text(TAG_FRAME.hex(" ") + "\n")
    assert main([str(raw)]) == 0
    from_raw = capsys.readouterr().out
    assert main([str(text)]) == 0
    assert capsys.readouterr().out == from_raw
    assert "tag_arrived" in from_raw and not leaks(from_raw)
    assert main(["--reveal-uids", str(text)]) == 0
    assert UID.hex() in capsys.readouterr().out


def test_standard_input_is_a_file_too(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TAG_FRAME.hex().encode())))
    assert main(["-"]) == 0
    assert "seq=17" in capsys.readouterr().out


def test_hex_that_is_none_names_its_place(tmp_path, capsys):
    text = tmp_path / "line.hex"
    text.write_text("00 01\n02 0g\n")
    assert main(["--format", "hex", str(text)]) == 2
    assert "line 2, column 4: expected two hex digits" in capsys.readouterr().err
    text.write_text("00 01 2\n")
    assert main([str(text)]) == 2
    assert "line 1, column 7" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_said(tmp_path, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([str(tmp_path / "none")])
    assert stopped.value.code == 2
    assert "No such file" in capsys.readouterr().err
