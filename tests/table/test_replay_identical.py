"""A trace replays identically: the same facts, byte for byte, whatever the interpreter's hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_PROGRAM = """
import hashlib, sys
import msgspec
from dealer_assist.composition import core_for_trace
from dealer_assist.replay import Replay
from dealer_assist.table.trace import read
digest = hashlib.sha256()
replay = Replay(
    lambda header: core_for_trace(header, None), watch=lambda change: digest.update(msgspec.json.encode((change.facts, change.gone)))
)
hands = len(list(replay.feed(read("trace", open(sys.argv[1], "rb")))))
print(hands, digest.hexdigest())
"""


def test_facts_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent
    trace = tmp_path / "trace.jsonl"
    files = [root / "data" / "pluribus_sample.phhs", root / "scenarios" / "r2_early_turn.toml"]
    subprocess.run(
        [sys.executable, "-m", "hw_sim.cli", "trace", *map(str, files), "-o", str(trace)],
        check=True,
        timeout=120,
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", _PROGRAM, str(trace)],
            check=True,
            capture_output=True,
            timeout=120,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1
    assert int(said.pop().split()[0]) > 60
