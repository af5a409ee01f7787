"""Make the mutants of the rules and run the tests that reach each, as `[tool.mutmut]` of pyproject.toml says; `make mutation`.

mutmut makes the mutants and keeps the results; the tests are collected once, and each mutant gets a forked process in which only
those are run that reach it, until one fails: first the ones that have killed others, then the quickest. Names as arguments
(``dealer_assist.procedure.rules.stands.x_row_now__mutmut_*``) run those again; without them all that have no result yet.
"""

from __future__ import annotations

import fnmatch
import gc
import json
import math
import os
import resource
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
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


class Run:
    """The plugin that runs the collected tests once, and then for each mutant those that reach it."""

    def __init__(self, patterns: list[str]) -> None:
        self.patterns = patterns
        self.left_out: list[str] = []
        self.kills: Counter[str] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own loop."""
        reach, cpu_s = self._clean(session)
        set_mutant_under_test("")
        gc.collect()
        gc.freeze()
        results = Results()
        tests_of = {
            name: reach.get(name.partition("__mutmut_")[0], []) for name in results.due(self.patterns)
        }
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
        self, session: pytest.Session
    ) -> tuple[dict[str, list[pytest.Item]], dict[pytest.Item, float]]:
        """Which functions each test reaches, and the processor time that it takes."""
        set_mutant_under_test("stats")
        reach: dict[str, list[pytest.Item]] = defaultdict(list)
        cpu_s: dict[pytest.Item, float] = {}
        for number, item in enumerate(session.items):
            state()._stats.clear()  # noqa: SLF001 - where mutmut notes what was reached
            start = time.process_time()
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
