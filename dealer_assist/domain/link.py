"""Messages of the local socket, one JSON object a line. Version 1.

Server → client: Hello, then Snapshot, then Update; Result answers a Request. Client → server: Request.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from dealer_assist.domain.commands import Actor, Command
from dealer_assist.domain.facts import Fact

LINK_VERSION: Final = 1


class Hello(msgspec.Struct, frozen=True, tag="hello", tag_field="type"):
    """First line of a connection."""

    version: int
    table: str
    simulated: bool


class Snapshot(msgspec.Struct, frozen=True, tag="snapshot", tag_field="type"):
    """The whole state: every section once, true as of ``seq``. A client drops all it knew."""

    seq: int
    facts: tuple[Fact, ...]


class Update(msgspec.Struct, frozen=True, tag="update", tag_field="type"):
    """The sections that one input changed. ``seq`` counts up by one an update; ``t_ms`` is table time.

    ``gone`` names sections that no longer exist, as (kind, key): the alerts of a hand that is over.
    """

    seq: int
    t_ms: int
    facts: tuple[Fact, ...]
    gone: tuple[tuple[str, str], ...] = ()


class Result(msgspec.Struct, frozen=True, tag="result", tag_field="type"):
    """The fate of a request: ``ok``, or a refusal's code and parameters (``stale`` when ``after`` was too old)."""

    id: str
    ok: bool
    code: str = ""
    params: dict[str, Any] = {}


class Request(msgspec.Struct, frozen=True, tag="request", tag_field="type"):
    """A command. ``after`` is the last ``seq`` its sender had seen when the person tapped."""

    id: str
    actor: Actor
    after: int
    command: Command


ServerMessage = Hello | Snapshot | Update | Result
