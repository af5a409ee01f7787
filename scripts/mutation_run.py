"""Make the mutants of the rules and run the tests that reach each, as `[tool.mutmut]` of pyproject.toml says; `make mutation`.

mutmut makes the mutants and keeps the results; the tests are collected once, and each mutant gets a forked process in which only
those are run that execute the statement that it changes, until one fails: first the ones that have killed others, then the quickest.
Names as arguments (``dealer_assist.procedure.rules.stands.x_row_now__mutmut_*``) run those again; without them all that have no result yet.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import fnmatch
import gc
import json
import math
import os
import resource
import sys
import textwrap
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Final

import pytest
from mutmut.__main__ import create_mutants
from mutmut.configuration import config
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state
from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir, setup_source_paths

WORKERS: Final = 2
#: What mutmut keeps as the result of a mutant.
KILLED, SURVIVED, NOT_REACHED, TIMEOUT = 1, 0, 33, 36


class Results:
    """The results by mutant, in the files beside the mutants."""

    def __init__(self) -> None:
        self.files = {path: json.loads(path.read_text("utf-8")) for path in sorted(Path().rglob("*.meta"))}
        self.path = {key: path for path, meta in self.files.items() for key in meta["exit_code_by_key"]}

    def due(self, patterns: list[str]) -> list[str]:
        """Those that are to be run."""
        if patterns:
            return [key for key in self.path if any(fnmatch.fnmatch(key, pattern) for pattern in patterns)]
        return [key for key, path in self.path.items() if self.files[path]["exit_code_by_key"][key] is None]

    def keep(self, key: str, code: int) -> None:
        """Note the result of one mutant."""
        path = self.path[key]
        self.files[path]["exit_code_by_key"][key] = code
        path.write_text(json.dumps(self.files[path], indent=4), "utf-8")


class Statements:
    """Which tests execute which statement of a function that has mutants: a change where a test never comes is nothing to it."""

    def __init__(self) -> None:
        #: file → line → function and the place of the line in it; of the function as it is called, and as it is kept
        self._places: dict[str, dict[int, tuple[str, int]]] = {}
        self._sources: dict[str, list[str]] = {}
        self._tests: dict[tuple[str, int], dict[pytest.Item, None]] = defaultdict(dict)
        for path in sorted(Path().rglob("*.meta")):
            self._read(path.with_suffix(""))

    def _read(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        module = ".".join(path.with_suffix("").parts)
        lines = text.split("\n")
        places = self._places[str(path.resolve())] = {}
        for node in ast.parse(text).body:
            if not isinstance(node, ast.FunctionDef):
                continue
            assert node.end_lineno is not None
            key, _, number = f"{module}.{node.name}".partition("__mutmut_")
            self._sources[f"{module}.{node.name}"] = lines[node.lineno - 1 : node.end_lineno]
            if number not in ("", "orig"):
                continue
            if not number:
                key = f"{module}.x_{node.name}"
            for line in range(node.lineno, node.end_lineno + 1):
                places[line] = (key, line - node.lineno)

    @contextlib.contextmanager
    def watched(self, item: pytest.Item) -> Iterator[None]:
        """Note what a test executes while it runs."""

        def line_of(frame: FrameType, event: str, _value: object) -> object:
            if event == "line":
                place = self._places[frame.f_code.co_filename].get(frame.f_lineno)
                if place is not None:
                    self._tests[place][item] = None
            return line_of

        def call_of(frame: FrameType, _event: str, _value: object) -> object:
            return line_of if frame.f_code.co_filename in self._places else None

        threading.settrace(call_of)  # type: ignore[arg-type]
        sys.settrace(call_of)  # type: ignore[arg-type]
        try:
            yield
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]

    def tests(self, name: str, reach: dict[str, list[pytest.Item]]) -> list[pytest.Item]:
        """The tests to which a mutant can make a difference; all that reach its function where its statement is not found."""
        function = name.partition("__mutmut_")[0]
        everything = reach.get(function, [])
        before, after = self._sources.get(f"{function}__mutmut_orig"), self._sources.get(name)
        if before is None or after is None:
            return everything  # a method
        matched = difflib.SequenceMatcher(None, before[1:], after[1:], autojunk=False).get_opcodes()
        changed = [(first + 1, max(last, first + 1)) for tag, first, last, _, _ in matched if tag != "equal"]
        lines: set[int] = set()
        for first, last in changed:
            found = _statement(before, first, last)
            if not found:
                return everything
            lines |= found
        if not lines:
            return everything
        here = {item for line in lines for item in self._tests.get((function, line), ())}
        return [item for item in everything if item in here]


def _statement(source: list[str], first: int, last: int) -> set[int]:
    """The lines, from 0, of the smallest statements that the lines from ``first`` to ``last`` are in; of a compound one its head."""
    found: set[int] = set()
    (function,) = ast.parse(textwrap.dedent("\n".join(source))).body
    for line in range(first, last + 1):
        best: tuple[int, int] | None = None
        for node in ast.walk(function):
            if not isinstance(node, ast.stmt) or node is function:
                continue
            end = node.end_lineno or node.lineno
            body = getattr(node, "body", None)
            if isinstance(body, list) and body:
                end = body[0].lineno - 1 if body[0].lineno > node.lineno else node.lineno
            begin, end = node.lineno - 1, max(end, node.lineno) - 1
            if begin <= line <= end and (best is None or end - begin < best[1] - best[0]):
                best = (begin, end)
        if best is None:
            return set()
        found |= set(range(best[0], best[1] + 1))
    return found


class Run:
    """The plugin that runs the collected tests once, and then for each mutant those that reach it."""

    def __init__(self, patterns: list[str]) -> None:
        self.patterns = patterns
        self.left_out: list[str] = []
        self.kills: Counter[str] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own loop."""
        statements = Statements()
        reach, cpu_s = self._clean(session, statements)
        set_mutant_under_test("")
        gc.collect()
        gc.freeze()
        results = Results()
        tests_of = {name: statements.tests(name, reach) for name in results.due(self.patterns)}
        # Functions that few tests reach first: they are done quickly, and teach which tests kill.
        names = sorted(tests_of, key=lambda name: sum(cpu_s[item] for item in tests_of[name]))
        running: dict[int, tuple[str, int]] = {}
        for number, name in enumerate(names):
            items = sorted(tests_of[name], key=lambda item: (-self.kills[item.nodeid], cpu_s[item]))
            if not items:
                results.keep(name, NOT_REACHED)
                continue
            if len(running) == WORKERS:
                self._reap(running, results)
            told, tell = os.pipe()
            pid = os.fork()
            if not pid:
                _child(session, name, items, 10 + 5 * sum(cpu_s[item] for item in items), tell)
            os.close(tell)
            running[pid] = (name, told)
            print(f"\r{number + 1}/{len(names)} ", end="", file=sys.stderr)
        while running:
            self._reap(running, results)
        session.testsfailed = len(self.left_out)
        print(
            f"\nleft out, they fail without a mutant: {', '.join(self.left_out) or 'none'}", file=sys.stderr
        )
        return True

    def _reap(self, running: dict[int, tuple[str, int]], results: Results) -> None:
        pid, status = os.wait()
        code = os.waitstatus_to_exitcode(status)
        name, told = running.pop(pid)
        with os.fdopen(told) as pipe:
            killer = pipe.read()
        if killer:
            self.kills[killer] += 1
        results.keep(name, TIMEOUT if code < 0 else KILLED if code else SURVIVED)

    def _clean(
        self, session: pytest.Session, statements: Statements
    ) -> tuple[dict[str, list[pytest.Item]], dict[pytest.Item, float]]:
        """Which functions each test reaches, and the processor time that it takes."""
        set_mutant_under_test("stats")
        reach: dict[str, list[pytest.Item]] = defaultdict(list)
        cpu_s: dict[pytest.Item, float] = {}
        for number, item in enumerate(session.items):
            state()._stats.clear()  # noqa: SLF001 - where mutmut notes what was reached
            start = time.process_time()
            with statements.watched(item):
                _play(session, [item], session.items[number + 1] if number + 1 < len(session.items) else None)
            cpu_s[item] = time.process_time() - start
            if session.testsfailed:
                session.testsfailed = 0
                self.left_out.append(item.nodeid)
                continue
            for function in state()._stats:  # noqa: SLF001
                reach[function].append(item)
        return reach, cpu_s


def _play(session: pytest.Session, items: list[pytest.Item], then: pytest.Item | None = None) -> str:
    """Run tests until one fails; which, or nothing."""
    for item, following in zip(items, [*items[1:], then], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return item.nodeid
    return ""


def _child(session: pytest.Session, name: str, items: list[pytest.Item], limit_s: float, tell: int) -> None:
    """The forked process of one mutant: never returns."""
    code = KILLED
    try:
        for descriptor in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
        limit = math.ceil(limit_s + time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        set_mutant_under_test(name)
        failed = _play(session, items)
        os.write(tell, failed.encode())
        code = KILLED if failed else SURVIVED
    finally:
        os._exit(code)


def main(patterns: list[str]) -> int:
    """0 when every mutant that was due has its result, and every test passed without one."""
    set_mutant_under_test("mutant_generation")
    Path("mutants").mkdir(exist_ok=True)
    copy_src_dir()
    copy_also_copy_files()
    setup_source_paths()
    create_mutants(WORKERS)
    chosen = config()
    os.chdir("mutants")
    arguments = [
        *chosen.pytest_add_cli_args,
        *chosen.pytest_add_cli_args_test_selection,
        "-q",
        "-p",
        "no:xdist",
    ]
    return int(pytest.main(arguments, plugins=[Run(patterns)]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
