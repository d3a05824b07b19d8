# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs translation units: the plain loop, and every way the plugin transforms it."""

import os
import random
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from driver.commands import BUILD, RISCV_TARGET, TOOLCHAIN, Request, compile_flags, link_flags, parse

HERE = Path(__file__).resolve().parent
PLUGIN = Path(os.environ.get("FUZZ_PLUGIN", BUILD / "compiler/asyncmem.so"))

SIMULATOR = Path(os.environ.get("NHG_SIM", BUILD / "sim/nhg-sim"))

COMPILE_SECONDS = 180
RUN_SECONDS = 1200
# Cycles bound a run on RTL: one task alone may wait for 17 million of them.
RTL_SECONDS = 3600
MAX_CYCLES = 50_000_000
# Most of these are polls where every task updates one word, or few tasks run: requests complete late on purpose.
MAX_INSTRUCTIONS = 60_000_000_000
FLAGS = (f"-I{HERE}", "-Wno-everything", "-Wpass-failed", "-ferror-limit=3")
CPP = ("-std=c++20", "-fno-exceptions", "-fno-rtti")
SANITIZERS = ("address", "undefined")
# The harness keeps its arrays until the program ends.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}


@dataclass(frozen=True)
class Config:
    """One way to compile a unit. scheduler None: without the plugin."""

    target: str
    scheduler: str | None
    optimize: str = "-O2"
    coalesce: str = "all"
    context: str = "minimal"
    frames: str = "kept"
    # Empty: what fits the target, on x86-64 several forms to choose from.
    near: str = "streams"
    sanitize: str = ""
    levels: int = 64
    # With 1 the forms of a loop change all the time.
    adapt: str = "off"
    live: str = "grow"
    # On the RTL simulator instead of the golden model.
    rtl: bool = False

    @property
    def name(self) -> str:
        parts = [self.target, self.scheduler or "plain", self.optimize.removeprefix("-"), self.coalesce, self.context, self.near or "forms"]
        parts += [f"frames{self.frames}"] if self.frames != "kept" else []
        parts += [f"levels{self.levels}"] if self.levels != 64 else []
        parts += [f"adapt{self.adapt}"] if self.adapt != "off" else []
        parts += [f"live{self.live}"] if self.live != "grow" else []
        parts += ["rtl"] if self.rtl else []
        return "-".join(parts + ([self.sanitize] if self.sanitize else []))

    @property
    def plugin_options(self) -> list[str]:
        options = {
            "sched": self.scheduler,
            "coalesce": self.coalesce,
            "context": self.context,
            "frames": self.frames,
            "near": self.near,
            "levels": self.levels,
            "adapt": self.adapt,
            "live": self.live,
        }
        given = (f"-fplugin-arg-asyncmem-{key}={value}" for key, value in options.items() if value)
        return [f"-fplugin={PLUGIN}", "-fplugin-arg-asyncmem-verify", *given]


PLAIN = Config("x86", None, "-O1")
OPTIMIZE = ("-O2", "-O3", "-O1", "-O2", "-Os")
COALESCE = ("none", "fields", "sets", "all")
NEAR = ("none", "streams", "none", "streams", "lines")
LEVELS = (64, 3, 1)
# Units whose loops also run under the checker of promises, which must find nothing: hazards are seen, and refused.
CHECK_EVERY = 4
SCHEDULERS = (("x86", "static"), ("riscv", "static"), ("riscv", "getfin"), ("riscv", "bafin"))


def configs(unit_number: int, sanitize: bool, every_scheduler: bool) -> list[Config]:
    """x86-64 and one way for riscv64, or all of them; the other options change from unit to unit."""
    optimize = OPTIMIZE[unit_number % len(OPTIMIZE)]
    context = "basic" if unit_number % 3 == 2 else "minimal"
    levels = LEVELS[unit_number // 2 % len(LEVELS)]
    found = [
        Config(
            target,
            scheduler,
            optimize,
            COALESCE[(unit_number + position) % len(COALESCE)],
            context,
            near=NEAR[(unit_number // 2 + position) % len(NEAR)],
            levels=levels,
        )
        for position, (target, scheduler) in enumerate(SCHEDULERS)
    ]
    found += [
        Config("riscv", "bafin", optimize, frames=("kept", "fresh")[unit_number // 2 % 2]),
        Config("x86", "static", optimize, near="" if unit_number % 3 else "streams", adapt="1"),
        # Forms that change all the time, or tasks that get more iterations while they run.
        Config("riscv", SCHEDULERS[1 + unit_number % 3][1], optimize, adapt=("1", "300")[unit_number % 2]),
        Config("riscv", SCHEDULERS[2 + unit_number // 2 % 2][1], optimize, live="adapt"),
    ]
    if not every_scheduler:
        found = [found[5 * (unit_number % 2)], found[(1, 2, 3, 4, 6, 7)[unit_number // 5 % 6]]]
    if sanitize:
        found += [
            Config("x86", "static", optimize, near=found[0].near, sanitize=sanitizer, adapt=adapt)
            for sanitizer, adapt in zip(SANITIZERS, ("off", "1") if unit_number % 4 < 2 else ("1", "off"))
        ]
    if unit_number % CHECK_EVERY == 0:
        found.append(Config("x86", "check", optimize))
    return list(dict.fromkeys(found))


def rtl_configs(seed: int) -> list[Config]:
    """One way for the AMU, on the golden model and on RTL."""
    turn = seed + seed // 100  # a campaign may take every hundredth seed
    way = Config("riscv", ("bafin", "getfin")[turn % 2], OPTIMIZE[turn // 2 % len(OPTIMIZE)], COALESCE[turn // 2 % len(COALESCE)])
    return [way, replace(way, rtl=True)]


class Fault(Exception):
    """A compiler or a program that ended badly; args: what, its output."""

    def __init__(self, what: str, output: str) -> None:
        super().__init__(what)
        self.what, self.output = what, output


def call(command: list[str], seconds: int, what: str) -> tuple[str, str]:
    """Standard output and error of a command that must end well."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False, errors="replace", env=ENVIRONMENT)
    except subprocess.TimeoutExpired as late:
        partial = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else ""
        raise Fault(f"{what} does not end", partial) from late
    if done.returncode:
        raise Fault(f"{what} ends with {done.returncode}", done.stdout + "\n" + done.stderr)
    return done.stdout, done.stderr


def request(config: Config, file: Path) -> Request:
    """The driver's view of a configuration; the plugin's options are added here, they are more than the driver has."""
    return parse(["-masync=off", *([f"--target={RISCV_TARGET}"] if config.target == "riscv" else []), str(file)])


def compile_file(source: Path, output: Path, config: Config, flags: tuple[str, ...] = ()) -> str:
    """\\returns the compiler's warnings."""
    cpp = source.suffix == ".cpp"
    wanted = request(config, source)
    command = [
        str(TOOLCHAIN / "bin" / ("clang++" if cpp else "clang")),
        *compile_flags(wanted, cpp),
        *FLAGS,
        *flags,
        *(CPP if cpp else ()),
        config.optimize,
        *wanted.clang_arguments,
        "-c",
        "-o",
        str(output),
    ]
    if config.sanitize:
        # gcc's runtime, which is linked, has no check of calls through pointers.
        command += [f"-fsanitize={config.sanitize}", "-fno-sanitize-recover=all", "-fno-sanitize=function"]
    if config.scheduler:
        command += config.plugin_options
    return call(command, COMPILE_SECONDS, "the compiler")[1]


def rtl_memory(seed: int) -> list[str]:
    """Options of the simulator: how memory behaves, latency to back-pressure, and the registers' start state."""
    draw = random.Random(seed)
    latency = draw.choice((0, 30, 100, 300, 300, 900))
    far = {"latency_cycles": latency, "jitter_seed": seed}
    if draw.random() < 0.5:
        far |= {"jitter_amplitude": draw.choice((10, 100, latency)), "jitter_probability": draw.randrange(1 << 16), "jitter_model": draw.choice((1, 2, 3))}
    if draw.random() < 0.3:
        far["bandwidth"] = 1 << draw.randint(17, 20)  # 2 to 16 bytes a cycle
    stalls = draw.choice((0, 0, 5, 30))
    written = (word for register, value in far.items() for word in ("--far-control", f"{register}={value}"))
    return ["--seed", str(draw.randint(1, 1 << 30)), "--memory-stall-percent", str(stalls), *written]


def link(objects: list[Path], program: Path, config: Config) -> None:
    if config.sanitize:
        # LLVM's sanitizer runtime is not part of the toolchain; gcc's has the same interface.
        command = ["gcc", f"-fsanitize={config.sanitize}", *map(str, objects)]
    else:
        wanted = request(config, objects[0])
        before, behind = link_flags(wanted, cpp=False)
        command = [str(TOOLCHAIN / "bin/clang"), *before, *wanted.clang_arguments, *map(str, objects[1:]), *behind]
    call([*command, "-o", str(program)], COMPILE_SECONDS, "the linker")


def run(program: Path, config: Config, seed: int) -> str:
    """\\returns what the program prints. Drawn from `seed`: on the golden model the order in which requests complete, on RTL the memory."""
    command = [str(program)]
    if config.target == "riscv":
        command = [str(BUILD / "golden/nhg-iss"), "--elf", str(program), "--adversarial", str(seed), "--max-insns", str(MAX_INSTRUCTIONS)]
    if not config.rtl:
        return call(command, RUN_SECONDS, "the program")[0]
    # The golden model gets to where the loop begins; RTL goes on from there.
    image = program.with_suffix(".checkpoint")
    call([*command, "--checkpoint", str(image)], RUN_SECONDS, "the program on the golden model")
    limit = ["--max-cycles", str(MAX_CYCLES)]
    return call([str(SIMULATOR), "--checkpoint", str(image), *limit, *rtl_memory(seed)], RTL_SECONDS, "the program on RTL")[0]


class Harness:
    """The objects every program needs, built once per target. `short`: each loop runs once, with few iterations."""

    def __init__(self, directory: Path, short: bool = False) -> None:
        self.directory = directory
        self.short = short
        self._objects: dict[tuple[str, str], list[Path]] = {}

    def objects(self, config: Config) -> list[Path]:
        key = (config.target, config.sanitize)
        if key not in self._objects:
            names = ["harness.c", "heap.c"] if config.sanitize else ["harness.c"]
            made = []
            for name in names:
                output = self.directory / f"{Path(name).stem}-{config.target}{config.sanitize}.o"
                compile_file(HERE / name, output, Config(config.target, None, "-O2"), ("-DFUZZ_SHORT",) if self.short else ())
                made.append(output)
            self._objects[key] = made
        return self._objects[key]

    def build(self, source: Path, program: Path, config: Config) -> str:
        """\\returns the compiler's warnings."""
        output = program.with_suffix(".o")
        warnings = compile_file(source, output, config)
        link([output, *self.objects(config)], program, config)
        return warnings
