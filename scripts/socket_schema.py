"""Write docs/socket.schema.json, the JSON Schema of the local socket, from the types; --check: exit 1 when it is stale."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from dealer_assist.domain.link import LINK_VERSION, Request, ServerMessage

TARGET = Path(__file__).parent.parent / "docs" / "socket.schema.json"


def schema() -> bytes:
    """The schema, formatted."""
    (server, request), parts = msgspec.json.schema_components(
        (ServerMessage, Request), ref_template="#/$defs/{name}"
    )
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Local socket of the table service, version {LINK_VERSION}",
        "server": server,
        "client": request,
        "$defs": parts,
    }
    return msgspec.json.format(msgspec.json.encode(whole, order="sorted"), indent=2) + b"\n"


def main() -> int:
    """Write, or compare."""
    if "--check" in sys.argv[1:]:
        if not TARGET.exists() or TARGET.read_bytes() != schema():
            print(f"{TARGET.name} is stale: run python scripts/socket_schema.py", file=sys.stderr)
            return 1
        return 0
    TARGET.write_bytes(schema())
    return 0


if __name__ == "__main__":
    sys.exit(main())
