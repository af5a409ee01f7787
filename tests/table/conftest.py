"""Every alert of every driven table is checked, whatever the test is about."""

from __future__ import annotations

from tests.procedure.alert_checks import _alerts_are_fit_to_be_shown  # noqa: F401 - used by every test
