"""``python -m firmware_protocol.generate [--check]``: writes what ``messages.toml`` says into the files made from it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from firmware_protocol import declarations, generate_c, generate_code, generate_docs
from firmware_protocol.toml_errors import ConfigError

_HERE = Path(__file__).parent
SOURCE = "messages.toml"


def outputs(source: bytes, spec: str, file: str = SOURCE) -> dict[str, str]:
    """The content of every file made from the declarations ``source``, by its name; raise ``ConfigError`` or ``MarkerMissing``.

    ``spec``: the specification as it is, whose marked parts are made anew.
    """
    declared = declarations.load(source, file)
    vectors = {f"vectors/{name}": text for name, text in generate_docs.vectors(declared).items()}
    return {
        **vectors,
        "spec.md": generate_docs.spec(declared, spec),
        "message_types.py": generate_code.types_source(declared),
        "message_codec.py": generate_code.codec_source(declared),
        "c/tp_messages.h": generate_c.header_source(declared),
        "c/tp_messages.c": generate_c.code_source(declared),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or with ``--check`` name those that are not as declared. 1: some are; 2: the declarations are wrong."""
    parser = argparse.ArgumentParser(prog="python -m firmware_protocol.generate", description=main.__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 when a file is stale")
    check = parser.parse_args(arguments).check
    try:
        made = outputs(
            (_HERE / SOURCE).read_bytes(), (_HERE / "spec.md").read_text("utf-8"), str(_HERE / SOURCE)
        )
    except (ConfigError, generate_docs.MarkerMissing, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    stale = [
        name
        for name, text in made.items()
        if not (_HERE / name).exists() or (_HERE / name).read_text("utf-8") != text
    ]
    for name in stale:
        if check:
            print(
                f"{name} is not what {SOURCE} declares: run python -m firmware_protocol.generate",
                file=sys.stderr,
            )
        else:
            (_HERE / name).parent.mkdir(exist_ok=True)
            (_HERE / name).write_text(made[name], "utf-8")
            print(f"wrote {name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
