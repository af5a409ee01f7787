"""House rules of the sources that no linter knows. Prints one line a finding, `file:line: what`; exit code 1 when there are any.

- Lock files carry hashes and no address of an index; settings, documents and sources name no folder of somebody's machine.
- The pure packages open, print and import nothing at run time.
- Log events are written out where they are logged.
- A module stays readable: at most MAX_LINES lines.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("dealer_assist", "firmware_protocol", "hw_sim")
#: These read no clock, randomness, file or log. What their imports may be is import-linter's; here are the built-in functions.
PURE = ("dealer_assist/domain", "dealer_assist/procedure", "dealer_assist/betting", "firmware_protocol")
#: Run by people and by `make check`, never by the product.
PURE_BUT = ("firmware_protocol/generate", "firmware_protocol/dump")
BANNED_CALLS = frozenset({"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint"})
#: About 400 is the aim; one that is generated says so at its top, and may be as long as it gets.
MAX_LINES = 480
GENERATED = re.compile(r"^Made from .*; do not edit\.$", re.MULTILINE)
LOGGERS = frozenset({"_log", "log", "logger", "_logger"})
LOG_METHODS = frozenset({"traffic", "debug", "info", "warning", "error", "critical", "exception"})
EVENT = re.compile(r"[a-z][a-z0-9_]{0,59}")

ADDRESS = re.compile(r"https?:|://|--index-url|--extra-index-url|--find-links|--trusted-host", re.IGNORECASE)
PINNED = re.compile(r"^[A-Za-z0-9._\-]+==\S+ \\$")
#: A home, a temporary folder with a name in it, a folder of a workplace: not on anybody else's machine.
HERE = re.compile(
    r"(?<![\w./$])/(?:root|work|home/(?!\.\.\.)[a-z][\w-]*|tmp/[a-z][\w-]*/[\w-]+|opt/(?:wheels|pypi))(?:/|\b)"
)
TEXT_FILES = frozenset(
    {".py", ".toml", ".md", ".txt", ".in", ".sh", ".json", ".c", ".h", ".cfg", ".ini", ".yml", ""}
)

Finding = tuple[str, int, str]


def tracked() -> list[Path]:
    """The files of the project, as git knows them; in a copy without git, all that are not made here."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
        ).stdout.decode()
        names = [name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = [
            str(path.relative_to(ROOT))
            for path in ROOT.rglob("*")
            if not any(part.startswith((".", "build", "var")) for part in path.relative_to(ROOT).parts[:-1])
        ]
    return [ROOT / name for name in names if (ROOT / name).is_file() and not (ROOT / name).is_symlink()]


def check_lock(path: Path, text: str) -> Iterator[Finding]:
    """Every package pinned with hashes, and nothing else."""
    hashes = 0
    pinned: tuple[int, str] | None = None
    lines = [*text.splitlines(), ""]
    for number, line in enumerate(lines, start=1):
        if ADDRESS.search(line):
            yield name_of(path), number, "a lock file must not name an index or an address"
        if line.startswith(("#", "    #")):
            continue
        if line.startswith("    --hash=sha256:"):
            hashes += 1
            continue
        if pinned is not None and not hashes:
            yield name_of(path), pinned[0], f"{pinned[1]} has no hash"
        pinned, hashes = None, 0
        if PINNED.match(line):
            pinned = (number, line.split("==", maxsplit=1)[0])
        elif line.strip():
            yield (
                name_of(path),
                number,
                f"expected `package==version \\` or a hash, found {line.strip()[:60]!r}",
            )


def check_text(path: Path, text: str) -> Iterator[Finding]:
    """No folder of the machine it was written on."""
    for number, line in enumerate(text.splitlines(), start=1):
        if match := HERE.search(line):
            yield name_of(path), number, f"names a folder of one machine: {match[0]}"


def check_module(path: Path, text: str) -> Iterator[Finding]:
    """Size, purity, log events."""
    name = name_of(path)
    tree = ast.parse(text, name)
    if (size := text.count("\n")) > MAX_LINES and not GENERATED.search(ast.get_docstring(tree) or ""):
        yield name, size, f"{size} lines, more than {MAX_LINES}: split it by idea"
    pure = name.startswith(PURE) and not name.startswith(PURE_BUT)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        if pure and isinstance(function, ast.Name) and function.id in BANNED_CALLS:
            yield name, node.lineno, f"{function.id}() in a pure package"
        if (
            isinstance(function, ast.Attribute)
            and function.attr in LOG_METHODS
            and isinstance(function.value, ast.Name)
            and function.value.id in LOGGERS
        ):
            event = node.args[0] if node.args else None
            literal = (
                isinstance(event, ast.Constant)
                and isinstance(event.value, str)
                and EVENT.fullmatch(event.value)
            )
            if not literal or len(node.args) != 1:
                yield (
                    name,
                    node.lineno,
                    "a log call takes one constant event name in snake_case, and fields by name",
                )


def name_of(path: Path) -> str:
    """The file as findings call it."""
    return path.relative_to(ROOT).as_posix()


def findings() -> Iterator[Finding]:
    """Everything that is found in the tree."""
    for path in tracked():
        if path.suffix not in TEXT_FILES:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            yield name_of(path), 1, "not text in UTF-8"
            continue
        name = name_of(path)
        if name.startswith("requirements/") and path.suffix == ".txt":
            yield from check_lock(path, text)
        if path != Path(__file__).resolve():
            yield from check_text(path, text)
        if path.suffix == ".py" and name.startswith(PACKAGES):
            yield from check_module(path, text)


def main() -> int:
    """Print the findings."""
    found = sorted(findings())
    for name, line, what in found:
        print(f"{name}:{line}: {what}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
