"""``python -m firmware_protocol.dump FILE|-``: what a recorded line says, one line a frame.

UIDs, undecodable bytes and hexadecimal digits in diagnostics are blanked unless ``--reveal-uids`` is given: with a deck file they
name cards. The content of forbidden messages is never shown.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Final

from firmware_protocol.describe import Describer

_PORTION: Final = 65536
_HEX: Final = frozenset(b"0123456789abcdefABCDEF \t\r\n")


class NotHex(ValueError):
    """A file that should be hexadecimal text and is not. ``line`` counts from 1."""

    def __init__(self, line: int) -> None:
        self.line = line
        super().__init__(f"line {line}: expected pairs of hexadecimal digits")


def from_hex(data: bytes) -> bytes:
    """Hexadecimal text, blanks and line ends anywhere between pairs, as bytes; raise :class:`NotHex`."""
    out = bytearray()
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            out += bytes.fromhex(line.decode("ascii"))
        except ValueError:
            raise NotHex(number) from None
    return bytes(out)


def lines(data: bytes, *, form: str = "auto", reveal_uids: bool = False) -> Iterator[str]:
    """The description of a whole recording. ``form``: ``raw``, ``hex``, or ``auto`` for hex where it is nothing but that."""
    if form == "hex" or (form == "auto" and data and _HEX.issuperset(data)):
        data = from_hex(data)
    describer = Describer(reveal_uids=reveal_uids)
    for at in range(0, len(data), _PORTION):
        yield from describer.feed(data[at : at + _PORTION])
    yield from describer.end()


def main(arguments: Sequence[str] | None = None, stdin: BinaryIO | None = None) -> int:
    """Run the command. 0: all described; 2: a file that cannot be read or is not what ``--format`` says."""
    description, _, more = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="python -m firmware_protocol.dump", description=description.split(": ", 1)[-1], epilog=more
    )
    parser.add_argument(
        "file", metavar="FILE|-", help="recorded bytes, raw or as hexadecimal text; - is standard input"
    )
    parser.add_argument("--format", choices=("auto", "raw", "hex"), default="auto", help="default: auto")
    parser.add_argument("--reveal-uids", action="store_true", help="show UIDs and undecodable bytes")
    given = parser.parse_args(arguments)
    try:
        if given.file == "-":
            data = (stdin or sys.stdin.buffer).read()
        else:
            with open(given.file, "rb") as file:  # noqa: PTH123  # the package imports no pathlib
                data = file.read()
        for line in lines(data, form=given.format, reveal_uids=given.reveal_uids):
            sys.stdout.write(line + "\n")
    except OSError as error:
        sys.stderr.write(f"{given.file}: {error.strerror or error}\n")
        return 2
    except NotHex as error:
        sys.stderr.write(f"{given.file}: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
