# SPDX-License-Identifier: Apache-2.0
"""A campaign of planted mistakes: each is an exact substitution in one source file, tried alone, and some test must find it.

How a mistake is built and which test runs is the caller's. Here are the list (TOML, an array `mutation`), the progress, the verdict, and the
memory of what was found, so that a campaign that was stopped goes on where it was.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

Verdict = tuple[bool, str]  # whether the test ended with a difference, and its last line


class MutationError(Exception):
    """Nothing can be said about the tests; the text says why."""


@dataclass(frozen=True)
class Mutation:
    """`text`, once in `file`, becomes `becomes`."""

    name: str
    file: str
    text: str
    becomes: str

    def source(self, folder: Path, listed: Path) -> str:
        """The file below `folder` with the mistake; `listed` is the list to be corrected where it does not fit."""
        original = (folder / self.file).read_text()
        if (count := original.count(self.text)) != 1 or self.text == self.becomes:
            place = f"{listed.parent.name}/{listed.name}"
            raise MutationError(f"{self.name}: its text is {count} times in {folder.name}/{self.file}; correct {place}")
        return original.replace(self.text, self.becomes)


M = TypeVar("M", bound=Mutation)


def planned(kind: type[M], listed: Path, /, **more: Any) -> list[M]:
    """The mistakes of a list, with what `kind` needs beside the list's keys."""
    return [kind(**entry, **more) for entry in tomllib.loads(listed.read_text())["mutation"]]


def parser(about: str) -> argparse.ArgumentParser:
    """The options that every campaign has."""
    options = argparse.ArgumentParser(description=about)
    options.add_argument("--again", action="store_true", help="also what was found before and has not changed since")
    options.add_argument("names", nargs="*", metavar="NAME", help="the beginning of a mistake's name; all without")
    return options


def digest(*parts: str | Path) -> str:
    """Of texts and of the contents of files."""
    texts = [part.read_bytes() if isinstance(part, Path) else part.encode() for part in parts]
    return hashlib.sha256(b"".join(hashlib.sha256(text).digest() for text in texts)).hexdigest()


class Found:
    """What was found, by name, with a digest of all that the verdict depends on; kept in a file."""

    def __init__(self, path: Path, again: bool) -> None:
        self.path = path
        self.known: dict[str, str] = json.loads(path.read_text()) if path.exists() and not again else {}

    def __contains__(self, entry: tuple[str, str]) -> bool:
        name, of = entry
        return self.known.get(name) == of

    def note(self, name: str, of: str) -> None:
        self.known[name] = of
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(self.known, indent=1))


def try_all(mutations: Sequence[M], check: Callable[[M], Verdict], noted: Callable[[M], None], jobs: int) -> list[str]:
    """Prints a line for each mistake; returns those that no test found."""
    begin = time.monotonic()
    missed: list[str] = []
    with ThreadPoolExecutor(jobs) as pool:
        results = {pool.submit(check, mutation): mutation for mutation in mutations}
        try:
            for done, future in enumerate(as_completed(results), 1):
                found, line = future.result()
                mutation = results[future]
                if found:
                    noted(mutation)
                else:
                    missed.append(mutation.name)
                spent = time.monotonic() - begin
                print(
                    f"{done}/{len(mutations)} {mutation.name}: {'found' if found else 'NOT FOUND'}: {line[:110]} "
                    f"({spent:.0f} s, {spent / done * (len(mutations) - done):.0f} s left)",
                    flush=True,
                )
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return missed


def run(
    plan: Callable[[], list[M]],
    depends: Callable[[M], str],
    prepare: Callable[[list[M]], None],
    check: Callable[[M], Verdict],
    found: Found,
    names: Sequence[str] = (),
    jobs: int = 1,
) -> int:
    """Tries the mistakes of `plan`, those whose names begin as one of `names` if there are any; returns the exit code.

    `depends` is a digest of what the verdict of a mistake depends on; it raises MutationError where the text is not there once. `prepare` is
    called once with what is to be tried, and raises where a test fails without a mistake. Exit code 0 when every mistake was
    found, 1 when a test passed or did not end, 2 when nothing can be said.
    """
    try:
        mutations = plan()
        if unknown := [name for name in names if not any(mutation.name.startswith(name) for mutation in mutations)]:
            raise MutationError(f"no mistake begins with {', '.join(unknown)}")
        chosen = [mutation for mutation in mutations if not names or mutation.name.startswith(tuple(names))]
        of = {mutation.name: depends(mutation) for mutation in chosen}
        left = [mutation for mutation in chosen if (mutation.name, of[mutation.name]) not in found]
        if len(left) < len(chosen):
            print(f"{len(chosen) - len(left)} found before, unchanged since", flush=True)
        prepare(left)
        missed = try_all(left, check, lambda mutation: found.note(mutation.name, of[mutation.name]), jobs)
    except (MutationError, OSError, subprocess.TimeoutExpired) as error:
        print(f"mutations: {error}", file=sys.stderr)
        return 2
    print(f"{len(chosen) - len(missed)} of {len(chosen)} planted mistakes found")
    if missed:
        print(f"mutations: not found: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0
