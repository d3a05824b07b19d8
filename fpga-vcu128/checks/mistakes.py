# SPDX-License-Identifier: Apache-2.0
"""Undoes, one after the other, what the first hour with a board rests on, and checks that a test finds each.

usage: python fpga-vcu128/checks/mistakes.py --build DIR [--again] [NAME ...]     NAME: the beginning of a name in mistakes.toml

DIR is the build folder after `make -C fpga-vcu128 sources`. The tests run in a copy of the repository's files below it, so nothing here is
touched; each must pass there first without a mistake. Exit code and progress: tools/mutation/campaign.py.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from mutation import campaign  # noqa: E402
from mutation.campaign import MutationError, Verdict  # noqa: E402

LISTED = Path(__file__).with_name("mistakes.toml")
SECONDS = 900  # of a test at most
FAILED, PASSED = 1, 0  # of pytest
OURS = "fpga-vcu128/test"  # whose tests take a build folder


@dataclass(frozen=True)
class Mutation(campaign.Mutation):
    """`text`, once in `file` of the repository, becomes `becomes`; one of the tests `test` finds it, after `make` has made what they need."""

    test: list[str]
    make: list[str] = field(default_factory=list)

    def mutant(self) -> str:
        return self.source(ROOT, LISTED)


class Copy:
    """The repository's files and the part of the build folder that the tests read, at another place."""

    def __init__(self, build: Path) -> None:
        self.root, self.build, self._original = build / "mistakes/tree", build / "mistakes/build", build

    def make(self) -> None:
        shutil.rmtree(self.root.parent, ignore_errors=True)
        listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True)
        for name in listed.stdout.splitlines():
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)
        shutil.copytree(self._original / "fpga", self.build / "fpga", ignore=shutil.ignore_patterns("resources"))
        sources = self.build / "fpga/sources.txt"
        sources.write_text("".join(f"{self._moved(Path(line))}\n" for line in sources.read_text().split()))
        self.generate()

    def _moved(self, path: Path) -> Path:
        """Where a source is here."""
        if path.is_relative_to(self._original):
            return self.build / path.relative_to(self._original)
        return self.root / path.relative_to(ROOT)

    def generate(self) -> bool:
        """The files of the platform's description; False when it was refused."""
        command = [sys.executable, str(self.root / "tools/platform/generate.py"), str(self.build / "gen")]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def test(self, mutation: Mutation) -> Verdict:
        environment = os.environ | {"PYTHONPATH": f"{self.root}/tools:{self.root}/sim/tests", "PYTHONDONTWRITEBYTECODE": "1", "BUILD": str(self.build)}
        environment["NHG_LATENCY_BENCH"] = str(self.build / "latency/latency-bench")
        if mutation.make:
            made = subprocess.run(
                ["make", "-s", *mutation.make, f"BUILD={self.build}"],
                cwd=self.root,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
                timeout=SECONDS,
            )
            if made.returncode and not mutation.test:
                return True, (made.stdout + made.stderr).strip().splitlines()[-1]
            if made.returncode:
                raise MutationError(f"{mutation.name}: make {mutation.make[-1]}: {made.stderr.strip()[-300:]}")
        if not mutation.test:
            return False, "make succeeded"
        own = ["--build", str(self.build)] if mutation.test[0].startswith(OURS) else []
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *mutation.test, *own]
        result = subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS)
        lines = [line for line in result.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))] or result.stdout.splitlines()[-1:]
        if result.returncode not in (FAILED, PASSED):
            raise MutationError(f"{mutation.name}: pytest {' '.join(mutation.test)}: {result.stdout.strip()[-300:]}")
        return result.returncode == FAILED, lines[0] if lines else ""

    def with_mistake(self, mutation: Mutation) -> Verdict:
        file = self.root / mutation.file
        original = file.read_text()
        described = mutation.file.startswith("tools/platform/")
        try:
            file.write_text(mutation.mutant())
            if described and not self.generate():
                return True, "generate.py refuses the description"
            return self.test(mutation)
        finally:
            file.write_text(original)
            if described:
                self.generate()


def main() -> int:
    parser = campaign.parser("What the first hour with a board rests on, undone one by one, which a test must find")
    parser.add_argument("--build", type=Path, required=True)
    args = parser.parse_args()
    copy = Copy(args.build.resolve())

    def prepare(chosen: list[Mutation]) -> None:
        copy.make()
        for mutation in {(tuple(each.test), tuple(each.make)): each for each in chosen}.values():
            failed, line = copy.test(mutation)
            if failed:
                raise MutationError(f"fails without a mistake: {line}")

    def depends(mutation: Mutation) -> str:
        files = [ROOT / test.partition("::")[0] for test in mutation.test]
        return campaign.digest(mutation.mutant(), *mutation.test, *mutation.make, *files)

    found = campaign.Found(args.build.resolve() / "mistakes.json", args.again)
    return campaign.run(lambda: campaign.planned(Mutation, LISTED), depends, prepare, copy.with_mistake, found, args.names)


if __name__ == "__main__":
    sys.exit(main())
