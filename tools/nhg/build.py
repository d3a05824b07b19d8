# SPDX-License-Identifier: Apache-2.0
"""Builds what a run needs: runtime, compiler plugin, models, and one program per configuration.

Each is left to make, which does nothing when it is up to date.
"""

import hashlib
import re
import shlex
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nhg import paths, platform
from nhg.benchmark import Benchmark
from nhg.errors import NhgError
from nhg.programs import call
from nhg.progress import step
from nhg.variants import Variant, sources

# Targets of tools/models.mk that a run needs.
MODELS = {"sim": ("runtime", "golden", "sim"), "fpga": ("runtime", "golden"), "iss": ("runtime", "golden"), "x86": ("runtime",), "elf": ("sim",)}
# Of these what is said while they are built, and about how long that takes on two cores.
NAMES = {
    "runtime": ("building the runtime", 10.0),
    "golden": ("building the golden model", 60.0),
    "sim": ("building the simulator, once", 150.0),
    "guided": ("building the simulator again, guided by a profile, once", 300.0),
    "plugin": ("building the compiler plugin, once", 60.0),
    "trace": ("building the simulator with waveforms and pipeline log, once", 180.0),
}
PAGE_BITS = {"": "", "2M": "21", "4K": "12"}  # of Sv39
# The compiler's warning at the pragma of such a loop.
LEFT_SERIAL = re.compile(r"([^/\s]+:\d+):\d+: warning: loop left serial: (.*?)(?: \[-W\S+\])?$", re.MULTILINE)


@dataclass(frozen=True)
class Program:
    """A built program: its file, its content's hash, and what it was compiled with."""

    file: Path
    sha256: str
    flags: str
    loops_left_serial: tuple[str, ...] = ()
    elf: Path | None = None  # where the line table is, if `file` is the checkpoint of a machine that will run the program
    samples: tuple["Program", ...] = ()  # of a sampled run: the program of each sample, of which this is the first


def sha256_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def design_of(model: Path) -> str:
    """The hash of what the results of a simulator or of the golden model follow from: the same on every machine (sim/design.py)."""
    place = model.with_name(paths.DESIGN)
    try:
        return place.read_text().strip()
    except OSError:
        raise NhgError(f"{place} is missing, which is made with {model.name}; run make -f tools/models.mk golden sim") from None


def make(arguments: list[str], what: str, first_seconds: float | None = None) -> None:
    """`first_seconds`: about how long it takes where it was never done before."""
    with step(what, first_seconds):
        call(
            ["make", "-s", "--no-print-directory", "-j2", *arguments, f"BUILD={paths.BUILD}", f"CONFIG={paths.CONFIG}", f"NHG_TOOLCHAIN={paths.TOOLCHAIN}"],
            what=what,
        )


def check_name() -> None:
    """CONFIG names a core."""
    if paths.CONFIG not in platform.cores():
        raise NhgError(f"CONFIG={paths.CONFIG} is no configuration of the core: one of {' '.join(platform.cores())}")


def check_configuration(target: str) -> None:
    """CONFIG names a core that a point of this target can be measured on. What is only counted, on the golden model, is the same for all of them."""
    check_name()
    if paths.CONFIG != paths.DEFAULT_CORE and "sim" not in MODELS[target]:
        raise NhgError(f"CONFIG={paths.CONFIG} is for TARGET=sim: leave it out")


@cache
def build_trace_simulator() -> None:
    """The simulator that WATCH needs; says so when that takes its time."""
    make(["-C", str(paths.ROOT), "-f", "tools/models.mk", "trace"], *NAMES["trace"])


@cache
def build_guided_simulator() -> None:
    """The same simulator, a fifth faster, for what takes hours."""
    make(["-C", str(paths.ROOT), "-f", "tools/models.mk", "guided"], *NAMES["guided"])


@cache
def build_models(target: str, with_plugin: bool) -> None:
    """Runtime, the models of a target and, if asked for, the compiler plugin; once per command."""
    check_name()
    for goal in (*MODELS[target], *(["plugin"] if with_plugin else [])):
        make(["-C", str(paths.ROOT), "-f", "tools/models.mk", goal], *NAMES[goal])


def plugin_flags(benchmark: Benchmark, variant: Variant, counting: bool = False) -> list[str]:
    """What the compiler is told beside the benchmark's macros; a variant written by hand is left as it is."""
    if not variant.needs_plugin:
        return []
    options = ["sched=none"]
    if variant.scheduler is not None:
        options = [f"sched={variant.scheduler}", *variant.options, *(["count"] if counting else []), *(["adapt=off"] if benchmark.always_tasks else [])]
    return [f"-fplugin={paths.PLUGIN}", *(f"-fplugin-arg-asyncmem-{option}" for option in options)]


def page_bits(pages: str) -> str:
    """PAGES as program.mk takes it."""
    if pages not in PAGE_BITS:
        raise NhgError(f"PAGES={pages} is no size of pages: one of {' '.join(filter(None, PAGE_BITS))}")
    return PAGE_BITS[pages]


def build_program(benchmark: Benchmark, variant: Variant, scale: str, coroutines: int, architecture: str, counting: bool = False, pages: str = "") -> Program:
    """Compile and link one program; the folder name holds everything that distinguishes it.

    `architecture` is riscv, linux (a static program of Linux on NH-G) or x86. With `counting` it also counts its task switches and context operations, which
    makes it slower.
    """
    macros = {**benchmark.scale(scale), "BENCH_COROUTINES": coroutines, **({"BENCH_COUNT": 1} if counting else {})}
    defines = [f"-D{name}={value}" for name, value in sorted(macros.items())]
    plugin = plugin_flags(benchmark, variant, counting)
    translation = [f"PAGE_BITS={page_bits(pages)}"] if pages else []
    digest = hashlib.sha256(" ".join([*defines, *plugin, *benchmark.flags, *translation]).encode()).hexdigest()[:8]
    out = paths.BUILD / "bench" / benchmark.build_name / architecture / f"{variant.name}-{scale}-{coroutines}-{digest}"
    out.mkdir(parents=True, exist_ok=True)
    common = paths.BENCHMARKS / "common/main.c"
    files = [common, *(benchmark.directory / name for name in sources(benchmark, variant))]
    make(
        [
            "-f",
            str(paths.ROOT / "tools/nhg/program.mk"),
            f"ROOT={paths.ROOT}",
            f"ARCH={architecture}",
            f"OUT={out}",
            f"BENCH_DIR={benchmark.directory}",
            "SOURCES=" + " ".join(map(str, files)),
            "DEFINES=" + " ".join(defines),
            "PLUGIN_FLAGS=" + " ".join(plugin),
            "FLAGS=" + " ".join(benchmark.flags),
            *translation,
        ],
        f"compiling {benchmark.name}/{variant.name}{', counting' if counting else ''}",
    )
    shown = [flag.replace(str(paths.BUILD), "build") for flag in ["-O2", *defines, *plugin, *benchmark.flags]]
    return Program(out / "program", sha256_of(out / "program"), shlex.join(shown), left_serial(out))


def left_serial(folder: Path) -> tuple[str, ...]:
    """The marked loops the compiler could not transform, as "file:line: reason"."""
    said = "".join(log.read_text() for log in sorted(folder.glob("*.o.log")))
    return tuple(f"{place}: {reason}" for place, reason in LEFT_SERIAL.findall(said))
