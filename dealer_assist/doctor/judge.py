"""Every judgement, in the order in which a technician should read them."""

from __future__ import annotations

from dealer_assist.doctor.judge_devices import judge_pcsc, judge_ports
from dealer_assist.doctor.judge_host import (
    judge_clock,
    judge_files,
    judge_memory,
    judge_screen,
    judge_setup,
    judge_versions,
)
from dealer_assist.doctor.seen import Finding, Machine


def judge(seen: Machine) -> tuple[Finding, ...]:
    """All findings about what was seen."""
    return tuple(
        finding
        for part in (
            judge_setup,
            judge_ports,
            judge_pcsc,
            judge_files,
            judge_memory,
            judge_versions,
            judge_screen,
            judge_clock,
        )
        for finding in part(seen)
    )
