# SPDX-License-Identifier: Apache-2.0
"""Plants one mistake after the other in the Chisel of core, caches and AMU, and checks that the unit test beside each finds it.

usage: python -m mutation [--out DIR] [--again] [NAME ...]     NAME: a mistake of xiangshan/mutations or amu-ext/mutations

A mistake is an exact substitution in one file of the module's src/main/scala. That file alone is compiled, against the classes that Mill has made of
everything else, and the test runs with the result in front of them: the sources are not touched. Each test must pass without a
mistake first. Found ones are tried again when their file or their test has changed. Exit code and progress: campaign.py; 2
also when something does not compile, elaborate or build.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from mutation import campaign
from mutation.campaign import Found, MutationError, Verdict

ROOT = Path(__file__).resolve().parents[2]
MODULES = (ROOT / "xiangshan", ROOT / "amu-ext")
MAIN = "src/main/scala"
RUN_SECONDS, REST_SECONDS = 400, 15  # of a test at most; of what is left of it after a difference
END = "\x04 end "  # Mutants.java
# What a test says when its device could not be made, instead of a difference
BROKEN = re.compile(r"ChiselException|firrtl|verilator.*failed|Suite aborted|NullPointer|NoSuchMethod|NoClassDef", re.IGNORECASE)
FAILED = re.compile(r"\*\*\* FAILED \*\*\*.*\n\s*(.*)\n")


@dataclass(frozen=True)
class Mutation(campaign.Mutation):
    """`text`, once in `module`/src/main/scala/`file`, becomes `becomes`; the ScalaTest class `test` of the module finds it."""

    test: str
    listed: Path  # the list, module/mutations/*.toml

    @property
    def module(self) -> Path:
        return self.listed.parents[1]

    def mutant(self) -> str:
        return self.source(self.module / MAIN, self.listed)


def planned() -> list[Mutation]:
    lists = [listed for module in MODULES for listed in sorted(module.glob("mutations/*.toml"))]
    return [mutation for listed in lists for mutation in campaign.planned(Mutation, listed, listed=listed)]


class Java:
    """Compiler and tests in one process (Mutants.java), with the class paths and options that Mill uses."""

    def __init__(self, folder: Path) -> None:
        """After everything has been compiled; `folder` takes the mutants' classes and what the tests leave."""
        wanted = "{__.test.runClasspath,nhg.allScalacOptions,nhg.scalaCompilerClasspath}"
        result = subprocess.run(["mill", "--no-server", "show", wanted], cwd=ROOT, capture_output=True, text=True, check=False)
        if result.returncode:
            raise MutationError(f"the tests do not compile without a mistake: {result.stderr.strip()[-300:]}")
        shown = json.loads(result.stdout)

        def paths(task: str) -> dict[str, None]:
            return {reference.split(":", 3)[-1]: None for name in shown if name.endswith(task) for reference in shown[name]}

        classes = paths("runClasspath")
        self.options: list[str] = shown["nhg.allScalacOptions"]
        self.libraries = [path for path in classes | paths("scalaCompilerClasspath") if path.endswith(".jar")]
        self.ours = [path for path in classes if not path.endswith(".jar")]
        self.folder = folder
        self.process: subprocess.Popen[str] | None = None

    def ask(self, words: list[str], seconds: int) -> tuple[str, bool]:
        """What a command prints, and whether it came to its end. After a first difference it has a short time left: the next one starts anew."""
        if self.process is None or self.process.poll() is not None:
            command = ["java", "-Xmx3g", "-Xss16m", "-cp", ":".join(self.libraries), str(Path(__file__).with_name("Mutants.java"))]
            self.process = subprocess.Popen(command, cwd=self.folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        process = self.process
        assert process.stdin and process.stdout
        process.stdin.write("\t".join(words) + "\n")
        process.stdin.flush()
        output, timers = "", [threading.Timer(seconds, process.kill)]
        timers[0].start()
        try:
            for line in process.stdout:
                if line.startswith(END):
                    return output, True
                output += line
                if len(timers) == 1 and FAILED.search(output):
                    timers.append(threading.Timer(REST_SECONDS, process.kill))
                    timers[1].start()
        finally:
            for timer in timers:
                timer.cancel()
        process.wait()
        return output, False

    def compile(self, source: Path, folder: Path) -> str:
        """Classes of a file; what the compiler has against it."""
        output, ended = self.ask(["compile", *self.options, "-cp", ":".join([*self.ours, *self.libraries]), "-d", str(folder), str(source)], RUN_SECONDS)
        return "" if ended and list(folder.rglob("*.class")) else output.strip() or "no answer"

    def test(self, names: list[str], folder: Path | None = None) -> Verdict:
        """Whether one of some test classes fails, with the classes of `folder` in front, and the first difference."""
        places = " ".join([*([str(folder)] if folder else []), *self.ours])
        seconds = RUN_SECONDS * len(names)
        output, ended = self.ask(["test", "-oW", "-R", places, *(word for name in names for word in ("-s", name))], seconds)
        return verdict(names[0], output) if ended or FAILED.search(output) else (False, f"no end after {seconds} s")

    def close(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()


def verdict(test: str, output: str) -> Verdict:
    """What ScalaTest said: a difference, or that all is well; anything else is no verdict."""
    difference = FAILED.search(output)
    if difference and not BROKEN.search(difference[1]):
        return True, difference[1].strip()
    if difference or "All tests passed" not in output:
        raise MutationError(f"{test} cannot be run: {output.strip()[-400:]}")
    return False, "all tests passed"


def source_of(test: str, module: Path) -> Path:
    """The file of a test class."""
    return module / "src/test/scala" / (test.replace(".", "/") + ".scala")


def main() -> int:
    parser = campaign.parser("Mistakes planted in core, caches and AMU, each of which a unit test must find")
    parser.add_argument("--out", type=Path, default=ROOT / "build/mutations")
    args = parser.parse_args()
    os.environ["PATH"] = f"{os.environ.get('NHG_TOOLCHAIN', ROOT / '.toolchain')}/bin:{os.environ['PATH']}"
    out = args.out.resolve()
    work = out / "mutant"
    found = Found(out / "found.json", args.again)
    java: list[Java] = []

    def prepare(chosen: list[Mutation]) -> None:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        if chosen:
            java.append(Java(work))
        for module in MODULES:
            tests = dict.fromkeys(mutation.test for mutation in chosen if mutation.module == module)
            of = {test: campaign.digest(source_of(test, module), *sorted((module / MAIN).rglob("*.scala"))) for test in tests}
            if unknown := [test for test in tests if (test, of[test]) not in found]:
                print(f"{', '.join(unknown)}: without a mistake ...", flush=True)
                failed, line = java[0].test(unknown)
                if failed:
                    raise MutationError(f"a test fails without a mistake: {line}")
                for test in unknown:
                    found.note(test, of[test])

    def check(mutation: Mutation) -> Verdict:
        classes = work / "classes"
        shutil.rmtree(classes, ignore_errors=True)
        classes.mkdir()
        mutant = work / Path(mutation.file).name
        mutant.write_text(mutation.mutant())
        if message := java[0].compile(mutant, classes):
            raise MutationError(f"{mutation.name}: does not compile: {message[:300]}")
        return java[0].test([mutation.test], classes)

    code = campaign.run(
        planned,
        lambda mutation: campaign.digest(mutation.mutant(), mutation.test, source_of(mutation.test, mutation.module)),
        prepare,
        check,
        found,
        args.names,
    )
    for process in java:
        process.close()
    return code


if __name__ == "__main__":
    sys.exit(main())
