"""The command as a technician meets it: words, exit codes, and a table on simulated devices."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from dealer_assist.cli import main
from dealer_assist.demo import program
from dealer_assist.doctor.command import as_json, in_words
from dealer_assist.doctor.judge import judge
from tests.doctor.machines import READER, SOUND
from tests.e2e.rig import Rig, refused

ADVICE = "Put its cable in"


def test_a_sound_machine_is_told_in_a_screenful() -> None:
    words = in_words(SOUND, judge(SOUND))
    assert "PROBLEMS" not in words and "WARNINGS" not in words
    assert words.endswith("All in order.")
    assert len(words.splitlines()) <= 40
    assert max(map(len, words.splitlines())) <= 100


def test_what_is_broken_comes_first_numbered_with_what_to_do_and_the_verdict_last() -> None:
    lost = replace(SOUND, wanted_ports=(replace(READER, port="", reason="no_port"),), fonts={"Inter": False})
    lines = in_words(lost, judge(lost)).splitlines()
    assert lines[2:4] == [
        "PROBLEMS",
        "  1. Reader TR-000123 is not plugged in: nothing in /dev/serial/by-id bears its number.",
    ]
    assert lines[4].startswith("     Do: " + ADVICE)
    assert any(line.startswith("  2. The font Inter") for line in lines)
    assert lines[-1] == "1 problem. Do what number 1 says, then run this again."


def test_warnings_alone_break_nothing() -> None:
    plain = replace(SOUND, fonts={"Inter": False})
    assert in_words(plain, judge(plain)).endswith("Nothing is broken; 1 warning. The table can be opened.")


def test_json_holds_findings_and_what_was_seen() -> None:
    lost = replace(SOUND, wanted_ports=(replace(READER, port="", reason="no_port"),))
    whole = json.loads(as_json(lost, judge(lost)))
    assert (whole["problems"], whole["warnings"]) == (1, 0)
    (problem,) = [finding for finding in whole["findings"] if finding["level"] == "problem"]
    assert problem["area"] == "ports" and ADVICE in problem["do"]
    assert whole["seen"]["ports"][0]["by_path"] == ["pci-0000:00:14.0-usb-0:3:1.0-port0"]


def test_a_file_that_is_no_tables_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text("seats = 9\n")
    said = refused(program("dealer-assist"), "doctor", tmp_path / "t.toml")
    assert "t.toml:1" in said
    assert "nothing.toml" in refused(program("dealer-assist"), "doctor", tmp_path / "nothing.toml")


@pytest.mark.process
@pytest.mark.timeout(120)
def test_a_simulated_table_is_in_order_while_it_runs_and_tells_what_is_pulled(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Rig() as rig:
        simulator, _ = rig.table()
        client = rig.client()
        rig.until(lambda: set(client.lamps().values()) == {"ok"}, "all lamps")
        main(["doctor", str(rig.config), "--json"])
        whole = json.loads(capsys.readouterr().out)
        ports = [finding["what"] for finding in whole["findings"] if finding["area"] == "ports"]
        assert any("SIM-READER-1 is plugged in" in what for what in ports)
        assert any("in use by the table service" in what for what in ports)
        bad = [finding for finding in whole["findings"] if finding["level"] == "problem"]
        assert [finding for finding in bad if finding["area"] != "memory"] == []
        assert whole["seen"]["memory"]["service"] is not None
        # names of keys, never what is in them
        assert (rig.folder / "SIM-READER-1.key").read_text().strip() not in json.dumps(whole)
        rig.control("unplug", device="SIM-READER-1")
        done = subprocess.run(
            [*program("dealer-assist"), "doctor", str(rig.config)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert "Reader SIM-READER-1 is simulated, and the simulator does not run." in done.stdout
        assert simulator.alive()
