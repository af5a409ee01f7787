"""The simulated dealer's view of the table: whether what a script expects holds, by the facts on the socket."""

from __future__ import annotations

import json
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hw_sim.client import Client

ALERT = {
    "id": "h1/F1/1",
    "rule": "F1",
    "evidence": "proven",
    "state": "open",
    "remedy": "mix_four",
    "question": None,
    "steps": [{"code": "set_aside", "state": "done"}],
    "options": ["mix_four", "reshuffle"],
    "ruled": "mix_four",
    "source": "TDA 39-A",
}
FACTS = [
    {"kind": "alert", "alert": {**ALERT, "id": "h1/F1/0", "ruled": None}},
    {"kind": "alert", "alert": ALERT},
    {"kind": "now", "code": "step", "params": {"step": "set_aside"}, "pushes": []},
    {"kind": "seat", "seat": 3, "hand": "folded", "stack": 90, "last_action": "fold", "marks": ["assumed"]},
    {"kind": "seat", "seat": 4, "hand": "live", "stack": 90, "last_action": "call", "marks": []},
    {"kind": "notice", "id": "shuffler", "code": "count_short"},
]


@pytest.fixture
def client() -> Iterator[Client]:
    with tempfile.TemporaryDirectory(prefix="client-") as folder:
        path = Path(folder) / "t.sock"
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
            server.bind(str(path))
            server.listen()
            client = Client(path)
            assert client.connect()
            service, _ = server.accept()
            with service:
                service.sendall(json.dumps({"type": "snapshot", "seq": 7, "facts": FACTS}).encode() + b"\n")
                while not client.connected:
                    client.pump()
                yield client
                client.close()


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        ({"rule": "F1", "evidence": "proven"}, True),
        ({"rule": "F1", "evidence": "probable"}, False),
        ({"rule": "F1", "ruled": "mix_four"}, True),
        ({"rule": "F1", "ruled": "reshuffle"}, False),
        ({"rule": "F1", "source": "TDA 39"}, True),
        ({"rule": "F1", "source": "39"}, False),
        ({"options": ["mix_four", "reshuffle"], "rule": "F1"}, True),
        ({"options": ["mix_four"], "rule": "F1"}, False),
        ({"step": "set_aside", "state": "done"}, True),
        ({"now": "step"}, True),
        ({"now": "act"}, False),
        ({"now": "step", "step_code": "set_aside"}, True),
        ({"now": "step", "step_code": "mix"}, False),
        ({"mark": [3, "assumed"]}, True),
        ({"mark": [4, "assumed"]}, False),
        ({"no_mark": 4}, True),
        ({"no_mark": 3}, False),
        ({"notice": ["shuffler", "count_short"]}, True),
        ({"notice": ["shuffler", "count_long"]}, False),
        ({"assumed": [3, "fold"]}, True),
        ({"assumed": [3, "check"]}, False),
        ({"assumed": [4, "call"]}, False),
        ({"hand": [3, "folded"]}, True),
        ({"hand": [3, "live"]}, False),
    ],
)
def test_what_holds_is_seen_and_what_does_not_is_told(
    client: Client, wanted: dict[str, Any], holds: bool
) -> None:
    problem = client.problem(wanted)
    assert (problem == "") is holds
    assert "not a check" not in problem


def test_an_alert_that_a_script_names_by_its_rule_is_the_newest_of_it(client: Client) -> None:
    assert client.alert_of("F1") == ALERT["id"]
    assert client.alert_of("R2") == "R2"
