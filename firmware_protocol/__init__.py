"""The wire protocol of our own devices, both roles. No clock, port, thread, file or log: bytes and ``now_ms`` go in, bytes come out.

The specification is ``spec.md``; every message is declared in ``messages.toml`` and nowhere else.
"""
