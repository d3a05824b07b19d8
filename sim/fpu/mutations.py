# SPDX-License-Identifier: Apache-2.0
"""Plants one mistake after the other in the floating-point units, and checks that their tests find each.

usage: python sim/fpu/mutations.py --build DIR --toolchain DIR [--again] [NAME ...]     NAME: a mutation in mutations.toml

A mistake is an exact substitution in one file of nhg/fpu; BUILD/fpu/mutations takes the mutants, each of which is built into its unit's test
and run. Exit code and progress: tools/mutation/campaign.py; 2 also when something does not build.
"""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from mutation import campaign  # noqa: E402
from mutation.campaign import MutationError, Verdict  # noqa: E402

UNITS = Path("xiangshan/src/main/scala/nhg/fpu")
LISTED = HERE / "mutations.toml"
BUILD_SECONDS, RUN_SECONDS = 1800, 600  # at most


@dataclass(frozen=True)
class Mutation(campaign.Mutation):
    """`text`, once in nhg/fpu/`file`, becomes `becomes`; the test of `unit` finds it."""

    unit: str

    def mutant(self) -> str:
        return self.source(ROOT / UNITS, LISTED)


def elaborate(mutations: list[Mutation], tree: Path, toolchain: Path) -> None:
    """The CHIRRTL of all mutants, each mutant a package of its own, in one run of Mill: TREE/NUMBER/fpu/fir."""
    for name in ("build.sc", ".mill-jvm-opts"):
        shutil.copy(ROOT / name, tree)
    shutil.copytree(ROOT / "tools/platform", tree / "tools/platform")  # of which Mill makes constants
    calls = []
    for number, mutation in enumerate(mutations):
        package = f"nhg.fpu.mutant{number}"
        folder = tree / UNITS / package
        folder.mkdir(parents=True)
        for source in (ROOT / UNITS).glob("*.scala"):
            text = mutation.mutant() if source.name == mutation.file else source.read_text()
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


def found(mutation: Mutation, build: Path, support: Path, toolchain: Path) -> Verdict:
    """Whether the test ended with a difference, and its last line."""
    test = build / "fpu" / f"fpu-test-{mutation.unit}"
    run(["make", "-s", "-C", HERE, f"BUILD={build}", f"NHG_TOOLCHAIN={toolchain}", f"SUPPORT={support}", "OPT=-O1", test], HERE, mutation.name)
    try:
        result = subprocess.run([test], capture_output=True, text=True, check=False, timeout=RUN_SECONDS)
    except subprocess.TimeoutExpired:
        return False, f"no end after {RUN_SECONDS} s"
    return result.returncode == 1, (result.stdout + result.stderr).strip().splitlines()[-1]


def main() -> int:
    parser = campaign.parser("Mistakes planted in the floating-point units, each of which their tests must find")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--toolchain", type=Path, required=True)
    args = parser.parse_args()
    toolchain = args.toolchain.absolute()
    out = args.build.resolve() / "fpu"
    tree = out / "mutations"
    sources = [*sorted((ROOT / UNITS).glob("*.scala")), *sorted(HERE.glob("*.cc")), *sorted(HERE.glob("*.h"))]
    builds: dict[str, Path] = {}

    def prepare(chosen: list[Mutation]) -> None:
        shutil.rmtree(tree, ignore_errors=True)
        tree.mkdir(parents=True)
        builds.update({mutation.name: tree / str(number) for number, mutation in enumerate(chosen)})
        if chosen:
            elaborate(chosen, tree, toolchain)

    return campaign.run(
        lambda: campaign.planned(Mutation, LISTED),
        lambda mutation: campaign.digest(mutation.mutant(), mutation.unit, *sources),
        prepare,
        lambda mutation: found(mutation, builds[mutation.name], out / "libfputest.a", toolchain),
        campaign.Found(out / "mutations.json", args.again),
        args.names,
    )


if __name__ == "__main__":
    sys.exit(main())
