"""Descriptions of the commands for ``--help``."""

from __future__ import annotations

import textwrap


def help_text(sentences: str, *examples: str) -> str:
    """A description, and examples that nobody breaks across lines."""
    wrapped = textwrap.fill(sentences, 79, break_on_hyphens=False)
    return "\n".join([wrapped, *(["", *(f"  {example}" for example in examples)] if examples else [])])
