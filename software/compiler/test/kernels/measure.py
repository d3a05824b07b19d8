# SPDX-License-Identifier: Apache-2.0
"""How fast the kernels of this folder are, compiled in several ways, over the plain loop.

usage: python measure.py [--kernels a,b] [--sizes 262144,...] [--rounds N] [--placements N] [--plugin FILE]
                         [VARIANT[=[@PLUGIN+]OPTION+OPTION] ...]
A VARIANT without `=` is the plain loop once more: its distance from 1 is the noise. Every way is a library in this process and works on the
same data; in a round each runs once, in turn, so that what disturbs the machine disturbs all of them. Printed is the median over the rounds
of plain time over the variant's time in that round, with the quartiles; above 1 is faster than plain. Each way first runs for
WARM_UP_SECONDS, in which `adapt` makes its first choice. Where code lies counts for several per cent in the caches: with --placements every
way is there N times, PLACEMENT_BYTES further on each, and its time in a round is the sum over these. Run it with `chrt -f 1` on a machine
that does nothing else.
A way that finds another result ends the program.
"""

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
TOOLCHAIN = Path(os.environ.get("NHG_TOOLCHAIN", ROOT / ".toolchain"))
BUILD = ROOT / "build"
KERNELS = (
    "hash_join",
    "hash_join_8",
    "bfs",
    "bfs_sparse",
    "sort_ranks",
    "sort_ranks_atomic",
    "random_access",
    "random_access_one",
    "short_sums",
    "until_sums",
)
SIZES = (1 << 18, 1 << 23, 1 << 30)
VARIANTS = {
    "plain2": None,
    "lines": ["adapt=off", "near=lines"],
    "streams": ["adapt=off", "near=streams"],
    "adapt": [],
}
WARM_UP_SECONDS = 0.4
# A run of little data is repeated until it lasts this long.
RUN_SECONDS = 0.01
# Functions are aligned to as much.
PLACEMENT_BYTES = 16


def library(kernel: str, name: str, options: list[str] | None, plugin: Path, directory: Path, placement: int) -> ctypes.CDLL:
    """`options` of the plugin; None: without it."""
    output = directory / f"{kernel}-{name}-{placement}.so"
    command = [str(TOOLCHAIN / "bin/clang"), "-O2", "-shared", "-fPIC", "-DKERNEL_LIBRARY", "-Wno-unknown-pragmas"]
    command += [f'-DKERNEL_BYTES_IN_FRONT="{placement * PLACEMENT_BYTES}"']
    command += [f"-I{ROOT}/software/runtime/include", f"-I{BUILD}/gen", "-Werror=pass-failed"]
    if options and options[0].startswith("@"):
        plugin, options = Path(options[0][1:]), options[1:]
    if options is not None:
        command += [f"-fplugin={plugin}", *(f"-fplugin-arg-asyncmem-{option}" for option in options)]
    command += [str(HERE / f"{kernel}.c"), f"{BUILD}/runtime/x86/libnhg.a", "-o", str(output)]
    subprocess.run(command, check=True)
    found = ctypes.CDLL(str(output))
    found.kernel_make.restype = ctypes.c_void_p
    found.kernel_make.argtypes = [ctypes.c_size_t]
    found.kernel_reset.argtypes = found.kernel_run.argtypes = [ctypes.c_void_p]
    found.kernel_run.restype = ctypes.c_uint64
    return found


class Measurement:
    def __init__(self, libraries: dict[str, list[ctypes.CDLL]], size: int) -> None:
        """`libraries` of a way: its placements."""
        self.libraries = libraries
        self.data = libraries["plain"][0].kernel_make(size)
        self.repeats = 1
        self.expected: int | None = None
        self.repeats = max(1, round(RUN_SECONDS * len(libraries["plain"]) / min(self.run("plain"), self.run("plain"))))

    def run(self, name: str) -> float:
        """Seconds, of all placements."""
        total = 0.0
        for placed in self.libraries[name]:
            for _ in range(self.repeats):
                self.libraries["plain"][0].kernel_reset(self.data)
                start = time.perf_counter()
                found = placed.kernel_run(self.data)
                total += time.perf_counter() - start
                if self.expected not in (None, found):
                    sys.exit(f"{name} finds {found} instead of {self.expected}")
                self.expected = found
        return total

    def ratios(self, rounds: int) -> dict[str, list[float]]:
        for name in self.libraries:
            spent = 0.0
            while spent < WARM_UP_SECONDS * len(self.libraries[name]):
                spent += self.run(name)
        found: dict[str, list[float]] = {name: [] for name in self.libraries if name != "plain"}
        for number in range(rounds):
            names = list(self.libraries) if number % 2 else list(reversed(self.libraries))
            times = {name: self.run(name) for name in names}
            for name, ratio in found.items():
                ratio.append(times["plain"] / times[name])
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernels", default=",".join(KERNELS))
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--placements", type=int, default=1)
    parser.add_argument("--plugin", type=Path, default=BUILD / "compiler/asyncmem.so")
    parser.add_argument("variants", nargs="*")
    given = parser.parse_args()
    named = (variant.partition("=") for variant in given.variants)
    variants = {name: (options.split("+") if options else []) if equals else None for name, equals, options in named} or VARIANTS
    print("| kernel, bytes |", " | ".join(variants), "|", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        for kernel in given.kernels.split(","):
            libraries = {
                name: [library(kernel, name, options, given.plugin, Path(directory), placement) for placement in range(given.placements)]
                for name, options in {"plain": None, **variants}.items()
            }
            for size in map(int, given.sizes.split(",")):
                child = os.fork()  # memory of one size is given back before the next one
                if child:
                    if os.waitpid(child, 0)[1]:
                        sys.exit(1)
                    continue
                ratios = Measurement(libraries, size).ratios(given.rounds)
                cells = []
                for name in variants:
                    low, middle, high = statistics.quantiles(ratios[name], n=4)
                    cells.append(f"{middle:.2f} [{low:.2f}, {high:.2f}]")
                print(f"| {kernel}, {size >> 10} KiB |", " | ".join(cells), "|", flush=True)
                os._exit(0)


if __name__ == "__main__":
    main()
