# SPDX-License-Identifier: Apache-2.0
"""Plants one mistake after the other in the floating-point units, and checks that their tests find each.

usage: python sim/fpu/mutations.py --build DIR --toolchain DIR [NAME ...]     NAME: a mutation in mutations.toml

A mistake is an exact substitution in one file of nhg/fpu; BUILD/fpu/mutations takes the mutants, each of which is built into its unit's test
and run. Exit code 0 when every mistake was found, 1 when a test passed or did not end, 2 when a text to be replaced is not
there exactly once or something does not build.
"""

import argparse
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
UNITS = Path("xiangshan/src/main/scala/nhg/fpu")
BUILD_SECONDS, RUN_SECONDS = 1800, 600  # at most


class MutationError(Exception):
    """Nothing can be said about the tests; the text says why."""


@dataclass(frozen=True)
class Mutation:
    """`text`, once in nhg/fpu/`file`, becomes `becomes`; the test of `unit` finds it."""

    name: str
    unit: str
    file: str
    text: str
    becomes: str

    def source(self) -> str:
        """The file with the mistake."""
        original = (ROOT / UNITS / self.file).read_text()
        if (count := original.count(self.text)) != 1 or self.text == self.becomes:
            raise MutationError(f"{self.name}: its text is {count} times in {self.file}; correct mutations.toml")
        return original.replace(self.text, self.becomes)


def elaborate(mutations: list[Mutation], tree: Path, toolchain: Path) -> None:
    """The CHIRRTL of all mutants, each mutant a package of its own, in one run of Mill: TREE/NUMBER/fpu/fir."""
    shutil.rmtree(tree / UNITS, ignore_errors=True)
    for name in ("build.sc", ".mill-jvm-opts"):
        shutil.copy(ROOT / name, tree)
    calls = []
    for number, mutation in enumerate(mutations):
        package = f"nhg.fpu.mutant{number}"
        folder = tree / UNITS / package
        folder.mkdir(parents=True)
        for source in (ROOT / UNITS).glob("*.scala"):
            text = mutation.source() if source.name == mutation.file else source.read_text()
            (folder / source.name).write_text(text.replace("package nhg.fpu\n", f"package {package}\n", 1))
        (fir := tree / str(number) / "fpu/fir").mkdir(parents=True, exist_ok=True)
        calls.append(f'  {package}.ElaborateFpu.main(Array("{fir}"))')
    (tree / UNITS / "Mutants.scala").write_text("\n".join(["object Mutants extends App {", *calls, "}", ""]))
    run([toolchain / "bin/mill", "--no-server", "nhg.runMain", "Mutants"], tree, "elaboration of the mutants")
    for number in range(len(mutations)):
        (tree / str(number) / "fpu/fir/elaborated").touch()


def run(command: list[str | Path], folder: Path, what: str) -> None:
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=BUILD_SECONDS)
    if result.returncode:
        raise MutationError(f"{what}: does not build: {(result.stdout + result.stderr).strip()[-600:]}")


def found(mutation: Mutation, build: Path, support: Path, toolchain: Path) -> tuple[bool, str]:
    """Whether the test ended with a difference, and its last line."""
    test = build / "fpu" / f"fpu-test-{mutation.unit}"
    run(["make", "-s", "-C", HERE, f"BUILD={build}", f"NHG_TOOLCHAIN={toolchain}", f"SUPPORT={support}", "OPT=-O1", test], HERE, mutation.name)
    try:
        result = subprocess.run([test], capture_output=True, text=True, check=False, timeout=RUN_SECONDS)
    except subprocess.TimeoutExpired:
        return False, f"no end after {RUN_SECONDS} s"
    return result.returncode == 1, (result.stdout + result.stderr).strip().splitlines()[-1]


def main() -> int:
    parser = argparse.ArgumentParser(description="Mistakes planted in the floating-point units, each of which their tests must find")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--toolchain", type=Path, required=True)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    toolchain = args.toolchain.absolute()
    tree = args.build.resolve() / "fpu" / "mutations"
    missed: list[str] = []
    try:
        mutations = [Mutation(**entry) for entry in tomllib.loads((HERE / "mutations.toml").read_text())["mutation"]]
        if unknown := set(args.names) - {mutation.name for mutation in mutations}:
            raise MutationError(f"mutations.toml has no {', '.join(sorted(unknown))}")
        chosen = [mutation for mutation in mutations if not args.names or mutation.name in args.names]
        for mutation in chosen:
            mutation.source()
        shutil.rmtree(tree, ignore_errors=True)
        tree.mkdir(parents=True)
        elaborate(chosen, tree, toolchain)
        for number, mutation in enumerate(chosen):
            was_found, line = found(mutation, tree / str(number), args.build.resolve() / "fpu/libfputest.a", toolchain)
            print(f"{number + 1}/{len(chosen)} {mutation.name}: {'found' if was_found else 'NOT FOUND'}: {line[:160]}", flush=True)
            missed += [] if was_found else [mutation.name]
    except (MutationError, OSError, subprocess.TimeoutExpired) as error:
        print(f"mutations: {error}", file=sys.stderr)
        return 2
    print(f"{len(chosen) - len(missed)} of {len(chosen)} planted mistakes found")
    if missed:
        print(f"mutations: not found: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
