# SPDX-License-Identifier: Apache-2.0
"""Runs the suites of suites.toml: `python tools/test [--jobs N] [--length N] [SUITE...]`.

First builds the models that the suites run on, then runs up to N suites at once (by default 2, on one core 1), in the order of suites.toml.
Prints one line per suite with its counts, its time and its processes' CPU time; the whole output of a suite is in
build/test/<suite>.log and its end is shown when it fails. The last lines name once more what failed, and what the first failed tests of lit said, for a
reader who has only the end of the output.
build/test/totals holds the line "N passed, N failed". Exit code 1 if anything failed.

A length above 1 makes random tests so many times as long and runs what is left out otherwise (NHG_TEST_LENGTH: marker `long` of pytest, Simulators.scala,
fuzz/check.py); the result of all suites goes to lab/campaigns.json.
"""

import argparse
import os
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))
import campaigns  # noqa: E402
import environment  # noqa: E402

OUT = ROOT / "build/test"
TAIL_LINES = 60
# A line of a suite's output that names one failed test: of pytest, lit, scalatest, make and Python's own.
NAMES_A_FAILURE = re.compile(r"(?m)^(?:(?:[\w-]+ +)?FAILED\b.*|ERROR .*|FAIL: .*|.*\*\*\* FAILED \*\*\*.*|make.*\*\*\* .*|\w*Error: .*)$")
NAMED_OF_A_SUITE = 10
# What `lit -v` prints of a failed test. pytest's own last lines say why a test failed.
LIT_TEST = re.compile(r"(?ms)^\*{20} TEST '([^\n]*)' FAILED \*{20}\n(.*?)^\*{20}$")
QUOTED_TESTS, QUOTED_LINES = 2, 25
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
# (pattern of passed, patterns of failed); every match in the output is added up. pytest's are those of lines that hold
# nothing else (and its time): a traceback may print the same words.
PYTEST = r"(?m)^(?:=+ )?(?:\d+ \w+, )*(\d+) %s(?:, \d+ \w+)*(?: in [\d.]+s.*)?$"
COUNTS = {
    "pytest": (PYTEST % "passed", (PYTEST % "failed", PYTEST % "errors?")),
    "lit": (r"Passed *: +(\d+)", (r"Failed *: +(\d+)", r"Unresolved *: +(\d+)", r"Unexpectedly Passed *: +(\d+)")),
    "scalatest": (r"Tests: succeeded (\d+)", (r"Tests: succeeded \d+, failed (\d+)", r"aborted ([1-9]\d*)")),
}


def count(kind: str, output: str, code: int) -> tuple[int, int]:
    """Passed and failed tests of a suite; one that failed or counted nothing has at least one failure."""
    if kind == "one":
        return (1, 0) if code == 0 else (0, 1)
    passed_pattern, failed_patterns = COUNTS[kind]
    text = ESCAPE.sub("", output)
    passed = sum(map(int, re.findall(passed_pattern, text)))
    failed = sum(int(number) for pattern in failed_patterns for number in re.findall(pattern, text))
    if code != 0 or passed == 0:
        failed = max(failed, 1)
    return passed, failed


def of_suites() -> dict[str, str]:
    """The environment of a suite."""
    ours = environment.ours(os.environ)
    return {
        **ours,
        "PATH": os.pathsep.join([f"{ours['NHG_TOOLCHAIN']}/venv/bin", ours["PATH"]]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OBJCACHE": f"python3 -S -E {Path(__file__).with_name('compile_once.py')} {ROOT / 'build/verilated'}",
    }


def run_suite(name: str, suite: dict) -> tuple[int, int]:
    """Run one suite, print its line, return its counts."""
    print(f"{name:12} {suite['about']} (about {suite['minutes']} min) ...", flush=True)
    log = OUT / f"{name}.log"
    began = time.monotonic()
    with log.open("w") as stream:
        process = subprocess.Popen(
            ["/bin/sh", "-c", suite["command"]], cwd=ROOT, env=of_suites(), stdin=subprocess.DEVNULL, stdout=stream, stderr=subprocess.STDOUT
        )
        _, status, used = os.wait4(process.pid, 0)
    code = process.returncode = os.waitstatus_to_exitcode(status)
    output = log.read_text(errors="replace")
    passed, failed = count(suite["counts"], output, code)
    reason = "\n".join([*output.splitlines()[-TAIL_LINES:], ""]) if failed else ""
    verdict = f"FAILED, whole output in {log.relative_to(ROOT)}" if failed else "ok"
    seconds = f"{time.monotonic() - began:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of CPU"
    print(f"{reason}{name:12} {verdict}: {passed} passed, {failed} failed, {seconds}", flush=True)
    return passed, failed


def named_failures(name: str) -> str:
    """The failed tests of a suite as its log names them, a line each."""
    text = ESCAPE.sub("", (OUT / f"{name}.log").read_text(errors="replace"))
    lines = NAMES_A_FAILURE.findall(text)
    more = [f"and {len(lines) - NAMED_OF_A_SUITE} more"] if len(lines) > NAMED_OF_A_SUITE else []
    names = "".join(f"  {line.strip()}\n" for line in [*lines[:NAMED_OF_A_SUITE], *more]) or "  (its output names none)\n"
    said = [
        f"  {test}:\n" + "".join(f"    {line}\n" for line in output.strip().splitlines()[-QUOTED_LINES:])
        for test, output in LIT_TEST.findall(text)[:QUOTED_TESTS]
    ]
    return names + "".join(said)


def models_of(suites: Iterable[dict]) -> dict | None:
    """The suite that builds what others run on, before them, so that no two of them build it at once."""
    models = sorted({model for suite in suites for model in suite.get("models", [])})
    if not models:
        return None
    command = f"make -s -j{os.cpu_count() or 1} -f tools/models.mk {' '.join(models)}"
    return {"about": f"builds {', '.join(models)}", "command": command, "counts": "one", "minutes": 4}


def run_all(suites: dict[str, dict], jobs: int, run: Callable[[str, dict], tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Runs suites, `jobs` at once and beside them those that mostly wait, each as early as its turn and what it `holds` allow; the counts of each."""
    waiting = list(suites)
    running: dict[Future[tuple[int, int]], str] = {}
    counts = {}
    with ThreadPoolExecutor(max(1, len(suites))) as pool:
        while waiting or running:
            for name in list(waiting):
                held = {thing for other in running.values() for thing in suites[other].get("holds", [])}
                working = sum(not suites[other].get("waits") for other in running.values())
                if (working < jobs or suites[name].get("waits")) and not held & set(suites[name].get("holds", [])):
                    waiting.remove(name)
                    running[pool.submit(run, name, suites[name])] = name
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                counts[running.pop(done)] = done.result()
    return counts


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="test", description="Runs test suites; all of them when none is named.")
    parser.add_argument("suites", nargs="*", metavar="SUITE")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="suites at once (default: %(default)s)")
    parser.add_argument("--length", type=int, default=1, help="of random tests; above 1 also what is left out otherwise (default: %(default)s)")
    options = parser.parse_args(arguments)
    os.environ["NHG_TEST_LENGTH"] = str(options.length)
    with Path(__file__).with_name("suites.toml").open("rb") as stream:
        suites = tomllib.load(stream)
    unknown = [name for name in options.suites if name not in suites]
    if unknown:
        print(f"test: unknown suite {unknown[0]}: one of {' '.join(suites)}", file=sys.stderr)
        return 1
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "totals").unlink(missing_ok=True)
    began = time.monotonic()
    chosen = {name: suites[name] for name in options.suites or suites}
    models = models_of(chosen.values())
    counts = {"models": run_suite("models", models)} if models else {}
    if any(broken for _, broken in counts.values()):
        chosen = {name: suite for name, suite in chosen.items() if "models" not in suite}
    counts |= run_all(chosen, max(1, options.jobs), run_suite)
    failed = {name: number for name, (_, number) in counts.items() if number}
    totals = f"{sum(passed for passed, _ in counts.values())} passed, {sum(failed.values())} failed"
    (OUT / "totals").write_text(totals + "\n")
    for name in failed:
        print(f"{name}: failed\n{named_failures(name)}", end="")
    minutes = (time.monotonic() - began) / 60
    if options.length > 1 and not options.suites:
        campaigns.record(ROOT, f"make test LENGTH={options.length}", totals, minutes)
    print(f"total: {totals}, {minutes:.0f} min")
    return 1 if failed else 0


if __name__ == "__main__":
    environment.enter("test")
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("test: interrupted", file=sys.stderr)
        sys.exit(130)
