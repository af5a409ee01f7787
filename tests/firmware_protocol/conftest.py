"""A busy machine makes no test of this folder fail: what is generated has no time limit."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("no_deadline", deadline=None)
settings.load_profile("no_deadline")
