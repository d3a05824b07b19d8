# SPDX-License-Identifier: Apache-2.0
"""Plants one mistake after the other in the delayer's RTL, and checks that its test benches find each.

usage: python delayer-ip/checks/mutations.py --out DIR [--quick] [--jobs N] [NAME ...]     NAME: a mutation in mutations.toml

DIR holds the benches of the RTL as it is (`make -C delayer-ip all`), which must pass first. A mistake is an exact substitution in one
file; the bench is built with it by the same Makefile and run. Exit code 0 when every mistake was found, 1 when a bench passed
or did not end, 2 when a text to be replaced is not there exactly once or something does not build.
"""

import argparse
import queue
import shutil
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

IP = Path(__file__).resolve().parents[1]
RTL = IP / "rtl"
BUILD_SECONDS, RUN_SECONDS = 1800, 600  # at most
# Quick to compile; what does not depend on the RTL is kept as it was copied.
MODEL_MAKEFLAGS = "OPT_FAST=-O0 OPT_SLOW=-O0 -o bench.o -o verilated.o -o verilated_threads.o"


class MutationError(Exception):
    """Nothing can be said about the benches; the text says why."""


@dataclass(frozen=True)
class Mutation:
    """`text`, once in rtl/`file`, becomes `becomes`; the bench `bench` finds it."""

    name: str
    file: str
    text: str
    becomes: str
    bench: str = "delayer-test-small"
    quick: bool = False

    def source(self) -> str:
        """The file with the mistake."""
        original = (RTL / self.file).read_text()
        if (count := original.count(self.text)) != 1 or self.text == self.becomes:
            raise MutationError(f"{self.name}: its text is {count} times in rtl/{self.file}; correct checks/mutations.toml")
        return original.replace(self.text, self.becomes)


def planned() -> list[Mutation]:
    return [Mutation(**entry) for entry in tomllib.loads(Path(__file__).with_name("mutations.toml").read_text())["mutation"]]


def run(bench: Path) -> tuple[bool, str]:
    """Whether the bench ended with a difference, and its last line."""
    try:
        result = subprocess.run([bench], capture_output=True, text=True, check=False, timeout=RUN_SECONDS)
    except subprocess.TimeoutExpired:
        return False, f"no end after {RUN_SECONDS} s"
    lines = (result.stdout + result.stderr).strip().splitlines()
    return result.returncode != 0, lines[-1] if lines else f"exit code {result.returncode}"


def build(mutation: Mutation, out: Path, folder: Path) -> Path:
    """The bench with the mistake. What it has in common with the bench in `out` is not compiled again."""
    mutated = folder / "rtl" / mutation.file
    mutated.parent.mkdir(parents=True, exist_ok=True)
    mutated.write_text(mutation.source())
    objects = f"{mutation.bench}-obj"
    if not (folder / objects).exists():
        shutil.copytree(out / objects, folder / objects)
    bench = folder / mutation.bench
    bench.unlink(missing_ok=True)
    files = [mutated if path.name == mutation.file else path for path in sorted(RTL.glob("*.*v"))]
    command = ["make", "-s", "-C", str(IP), f"OUT={folder}", f"MODEL_MAKEFLAGS={MODEL_MAKEFLAGS}", "RTL=" + " ".join(map(str, files)), str(bench)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=BUILD_SECONDS)
    if result.returncode:
        raise MutationError(f"{mutation.name}: does not build: {result.stderr.strip()[-300:]}")
    return bench


def check_all(mutations: list[Mutation], out: Path, jobs: int) -> list[str]:
    """Prints a line for each mistake; returns those that no bench found."""
    shutil.rmtree(out / "mutations", ignore_errors=True)
    folders: queue.Queue[Path] = queue.Queue()
    for job in range(jobs):
        folders.put(out / "mutations" / str(job))

    def check(mutation: Mutation) -> tuple[bool, str]:
        folder = folders.get()
        try:
            return run(build(mutation, out, folder))
        finally:
            folders.put(folder)

    begin = time.monotonic()
    missed: list[str] = []
    with ThreadPoolExecutor(jobs) as pool:
        results = {pool.submit(check, mutation): mutation for mutation in mutations}
        try:
            for done, future in enumerate(as_completed(results), 1):
                found, line = future.result()
                name = results[future].name
                if not found:
                    missed.append(name)
                spent = time.monotonic() - begin
                print(
                    f"{done}/{len(mutations)} {name}: {'found' if found else 'NOT FOUND'}: {line[:110]} "
                    f"({spent:.0f} s, {spent / done * (len(mutations) - done):.0f} s left)",
                    flush=True,
                )
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description="Mistakes planted in the delayer, each of which its benches must find")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--quick", action="store_true", help="the few that continuous integration tries")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    out = args.out.resolve()
    try:
        mutations = planned()
        if unknown := set(args.names) - {mutation.name for mutation in mutations}:
            raise MutationError(f"mutations.toml has no {', '.join(sorted(unknown))}")
        chosen = [mutation for mutation in mutations if (not args.names or mutation.name in args.names) and (mutation.quick or not args.quick)]
        for mutation in chosen:
            mutation.source()
        for bench in sorted({mutation.bench for mutation in chosen}):
            found, line = run(out / bench)
            if found:
                raise MutationError(f"{bench} fails without a mistake: {line}")
        missed = check_all(chosen, out, args.jobs)
    except (MutationError, OSError, subprocess.TimeoutExpired) as error:
        print(f"mutations: {error}", file=sys.stderr)
        return 2
    print(f"{len(chosen) - len(missed)} of {len(chosen)} planted mistakes found")
    if missed:
        print(f"mutations: not found: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
