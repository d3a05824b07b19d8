# SPDX-License-Identifier: Apache-2.0
"""The variants of a benchmark and how each is compiled.

serial is the annotated source without transformation, tuned hand-written serial code with
prefetches some operations ahead (COROS of them), which some benchmarks have, coroutine the
hand-written C++20 one with prefetches (the paper's SOTA baseline), amac the hand-written
state machines some benchmarks have, tasks those of the library (software/tasks); static, getfin and bafin are the compiler's
schedulers (section III of the paper). getfin and bafin are
basic code generation, a switch for each remote access (the paper's CoroAMU-D, without
and with its hardware's jump); full is bafin with everything the compiler can do.
check is the plain loop that checks what the pragma promises, natively.
"""

from dataclasses import dataclass

from nhg import paths
from nhg.benchmark import Benchmark
from nhg.errors import NhgError


@dataclass(frozen=True)
class Variant:
    """`scheduler` is the compiler's; None: hand-written. `sources` names those of bench.toml.

    `options` are further options of the plugin, without the prefix -fplugin-arg-asyncmem-.
    """

    name: str
    scheduler: str | None
    targets: tuple[str, ...]
    options: tuple[str, ...] = ()
    sources: str = "annotated"

    @property
    def needs_plugin(self) -> bool:
        """Compiled with the plugin: to be transformed, or so that the line table says where what is written by hand moves its context."""
        return self.scheduler is not None or self.sources in ("coroutine", "amac")

    @property
    def needs_amu(self) -> bool:
        """On RISC-V."""
        return self.scheduler in ("getfin", "bafin") or self.sources == "tasks"


TARGETS = ("sim", "fpga", "iss", "x86")
RISCV = ("sim", "fpga", "iss")
# What programs run on.
SYSTEMS = ("bare", "linux")


def systems(target: str) -> tuple[str, ...]:
    """What the programs of a target may run on, the usual one first."""
    return SYSTEMS if target in RISCV else ("linux",)


def compiled(name: str, targets: tuple[str, ...]) -> Variant:
    """A variant that is a mode of the compiler, with the options its driver gives the plugin for -masync=NAME."""
    modes = (line.split() for line in (paths.ROOT / "software/compiler/modes.txt").read_text().splitlines())
    scheduler, *options = next(options for mode, *options in modes if mode == name)
    return Variant(name, scheduler.removeprefix("sched="), targets, tuple(options))


VARIANTS = {
    variant.name: variant
    for variant in (
        Variant("serial", "none", TARGETS),
        Variant("tuned", None, TARGETS, sources="tuned"),
        Variant("coroutine", None, TARGETS, sources="coroutine"),
        Variant("amac", None, TARGETS, sources="amac"),
        Variant("tasks", None, TARGETS, sources="tasks"),
        compiled("static", TARGETS),
        compiled("getfin", RISCV),
        compiled("bafin", RISCV),
        compiled("full", RISCV),
        compiled("check", ("x86",)),
    )
}
BASELINE = "serial"
CHECKER = "check"
WITHOUT_TASKS = (BASELINE, "tuned", CHECKER)


def with_tasks(variant: str, number: int) -> str:
    """How many tasks a run has, as it ends the name of one; serial code has none, though its program is given a number."""
    return "" if variant == BASELINE else f", {number} coroutines"


def sources(benchmark: Benchmark, variant: Variant) -> list[str]:
    own = getattr(benchmark.sources, variant.sources)
    return [*benchmark.sources.common, *own] if own else []


def valid(benchmark: Benchmark, target: str) -> list[str]:
    """Variants this benchmark has sources for and this target can run."""
    return [name for name, variant in VARIANTS.items() if target in variant.targets and sources(benchmark, variant)]


def check_target(target: str) -> str:
    if target not in TARGETS:
        raise NhgError(f"TARGET={target} is unknown: one of {' '.join(TARGETS)}")
    return target


def choose(benchmark: Benchmark, name: str, target: str) -> Variant:
    for other in benchmark.coroutines:
        if other not in ("default", *VARIANTS):
            raise NhgError(f"{benchmark.directory}/bench.toml: coroutines.{other}: no such variant; give default or one of {' '.join(VARIANTS)}")
    names = valid(benchmark, target)
    if name not in names:
        raise NhgError(f"VARIANT={name} is not available for {benchmark.name} on {target}: one of {' '.join(names)}")
    return VARIANTS[name]


def best(benchmark: Benchmark, target: str) -> Variant:
    """The most capable variant the target can run: full, on x86 static."""
    return VARIANTS[[name for name in valid(benchmark, target) if name != CHECKER][-1]]
