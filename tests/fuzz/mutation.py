"""Blind changes of kept inputs: bits, bytes, runs, words of the target, pieces of other inputs. The same seed gives the same changes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

LARGEST: Final = 1 << 14


def changed(data: bytes, others: Sequence[bytes], words: Sequence[bytes], rng: random.Random) -> bytes:
    """``data`` with one to six changes; at most ``LARGEST`` bytes."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        at = rng.randrange(len(out) + 1)
        end = min(len(out), at + rng.choice((1, 2, 4, 16, 64)))
        match rng.randrange(9):
            case 0 if at < len(out):
                out[at] ^= 1 << rng.randrange(8)
            case 1 if at < len(out):
                out[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
            case 2:
                del out[at:end]
            case 3:
                out[at:at] = rng.randbytes(rng.choice((1, 2, 8)))
            case 4:
                out[at:at] = out[at:end] * rng.choice((1, 2, 40))
            case 5 if words:
                out[at:at] = rng.choice(words)
            case 6 if words:
                out[at:end] = rng.choice(words)
            case 7 if others:
                other = rng.choice(others)
                begin = rng.randrange(len(other) + 1)
                out[at:at] = other[begin : begin + rng.choice((4, 32, 400))]
            case _:
                out = out[:at]
    return bytes(out[:LARGEST])
