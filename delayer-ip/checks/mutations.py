# SPDX-License-Identifier: Apache-2.0
"""Plants one mistake after the other in the delayer's RTL, and checks that its test benches find each.

usage: python delayer-ip/checks/mutations.py --out DIR [--quick] [--again] [--jobs N] [NAME ...]     NAME: a mutation in mutations.toml

DIR holds the benches of the RTL as it is (`make -C delayer-ip all`), which must pass first. A mistake is an exact substitution in one
file; the bench is built with it by the same Makefile and run. Exit code and progress: tools/mutation/campaign.py; 2 also when
something does not build.
"""

import queue
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

IP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(IP.parent / "tools"))

from mutation import campaign  # noqa: E402
from mutation.campaign import MutationError, Verdict  # noqa: E402

RTL = IP / "rtl"
LISTED = Path(__file__).with_name("mutations.toml")
BUILD_SECONDS, RUN_SECONDS = 1800, 600  # at most
# Quick to compile; what does not depend on the RTL is kept as it was copied.
MODEL_MAKEFLAGS = "OPT_FAST=-O0 OPT_SLOW=-O0 -o bench.o -o verilated.o -o verilated_threads.o"


@dataclass(frozen=True)
class Mutation(campaign.Mutation):
    """`text`, once in rtl/`file`, becomes `becomes`; the bench `bench` finds it."""

    bench: str = "delayer-test-small"
    quick: bool = False

    def mutant(self) -> str:
        return self.source(RTL, LISTED)


def planned() -> list[Mutation]:
    return campaign.planned(Mutation, LISTED)


def run(bench: Path) -> Verdict:
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
    mutated.write_text(mutation.mutant())
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


def main() -> int:
    parser = campaign.parser("Mistakes planted in the delayer, each of which its benches must find")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--quick", action="store_true", help="the few that continuous integration tries, found before or not")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    out = args.out.resolve()
    folders: queue.Queue[Path] = queue.Queue()
    for job in range(args.jobs):
        folders.put(out / "mutations" / str(job))
    sources = [path for folder in (RTL, IP / "tb") for path in sorted(folder.iterdir())]

    def depends(mutation: Mutation) -> str:
        return campaign.digest(mutation.mutant(), mutation.bench, *sources)

    def prepare(chosen: list[Mutation]) -> None:
        shutil.rmtree(out / "mutations", ignore_errors=True)
        for bench in sorted({mutation.bench for mutation in chosen}):
            found, line = run(out / bench)
            if found:
                raise MutationError(f"{bench} fails without a mistake: {line}")

    def check(mutation: Mutation) -> Verdict:
        folder = folders.get()
        try:
            return run(build(mutation, out, folder))
        finally:
            folders.put(folder)

    found = campaign.Found(out / "mutations.json", again=args.again or args.quick)
    return campaign.run(lambda: [mutation for mutation in planned() if mutation.quick or not args.quick], depends, prepare, check, found, args.names, args.jobs)


if __name__ == "__main__":
    sys.exit(main())
