"""Exact 95 % bounds: of a share (Clopper and Pearson 1934), and of a median or another quantile (order statistics).

No distribution is assumed of the seconds, and none but the binomial of the shares. Nothing but the standard library.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

CONFIDENCE = 0.95


def _at_most(k: int, n: int, p: float) -> float:
    """P(X <= k) for n draws of chance p, summed from the greatest term down to what no longer counts."""
    if k >= n or p <= 0.0:
        return 1.0
    if k < 0 or p >= 1.0:
        return 0.0
    mode = min(k, int((n + 1) * p))
    log_term = (
        math.lgamma(n + 1)
        - math.lgamma(mode + 1)
        - math.lgamma(n - mode + 1)
        + mode * math.log(p)
        + (n - mode) * math.log1p(-p)
    )
    top = math.exp(log_term)
    total = term = top
    for i in range(mode, 0, -1):
        term *= i / (n - i + 1) * (1.0 - p) / p
        total += term
        if term < top * 1e-17:
            break
    term = top
    for i in range(mode, k):
        term *= (n - i) / (i + 1) * p / (1.0 - p)
        total += term
        if term < top * 1e-17:
            break
    return min(total, 1.0)


def _solve(wanted: float, k: int, n: int) -> float:
    """The chance p at which P(X <= k) is ``wanted``: it falls as p grows."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _at_most(k, n, middle) > wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def share_bounds(k: int, n: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Exact bounds of a share of which k of n were seen. None of n: from 0 to about 3.7/n (two-sided; one-sided it is 3/n)."""
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is no share")
    if n == 0:
        return 0.0, 1.0
    tail = (1.0 - confidence) / 2
    low = 0.0 if k == 0 else _solve(1.0 - tail, k - 1, n)
    high = 1.0 if k == n else _solve(tail, k, n)
    return low, high


def quantile(ordered: Sequence[float], q: float) -> float:
    """The least value that at least a share q of them does not exceed."""
    if not ordered:
        raise ValueError("no values")
    return ordered[max(0, math.ceil(q * len(ordered)) - 1)]


def quantile_bounds(
    ordered: Sequence[float], q: float, confidence: float = CONFIDENCE
) -> tuple[float, float | None]:
    """Bounds of the quantile of what they were drawn from, by their ranks; above is None when there are too few to say."""
    n = len(ordered)
    if n == 0:
        raise ValueError("no values")
    tail = (1.0 - confidence) / 2
    # Of n values B(n, q) lie below the quantile: the r-th is below it unless fewer than r do.
    low = 0
    while low < n and _at_most(low, n, q) <= tail:
        low += 1
    high = low
    while high < n and _at_most(high, n, q) < 1.0 - tail:
        high += 1
    return ordered[max(0, low - 1)], ordered[high] if high < n else None
