# SPDX-License-Identifier: Apache-2.0
"""The commands of `make` and their options, each declared here and nowhere else: what may be given, its default, its help.

A command is given options as `make` has them, NAME=value. This module imports nothing that the set-up installs.
"""

import argparse
import difflib
import os
from collections.abc import Iterable
from dataclasses import dataclass

from nhg import platform


@dataclass(frozen=True)
class Option:
    """`form` shows what a value looks like; an option that is left out, or empty, has its default. `variable`: of the environment, which hands it on."""

    name: str
    form: str
    about: str
    default: str = ""
    variable: str = ""


class OptionError(Exception):
    """One line: what is no option, and the nearest that is one."""


CONFIG = Option("CONFIG", "|".join(platform.cores()[1:]), "another core: twice the registers, queues and MSHRs; a part left out", variable="NHG_CONFIG")
PAGES = Option("PAGES", "2M|4K", "the program runs under Sv39, in S mode, each address mapped to itself by pages of this size; without it bare, in M mode")
BOARD = Option("BOARD", "xdma[:device]|jtag[:host:port]|sim", "the board of TARGET=fpga", variable="NHG_BOARD")
BITSTREAM = Option("BITSTREAM", "manifest.json", "what the board was made from", variable="NHG_BITSTREAM")
EXPERIMENTS = Option("EXP", '"a.yaml b.yaml"', "experiments; without it those of the paper's figures")
OUT = Option("OUT", "run.json", "the record, or both and the speedup, as a file of its own")

COMMANDS: dict[str, tuple[str, tuple[Option, ...]]] = {
    "run": (
        "build, run, check and record a benchmark; without VARIANT: serial, the best one and the speedup. With ELF: run that program",
        (
            Option("LAT", "ns", "latency of far memory", "800"),
            Option("BENCH", "name|folder", "a benchmark", "gups"),
            Option("VARIANT", "serial|tuned|coroutine|amac|tasks|static|getfin|bafin|full|check", "how it is compiled; FILE.yaml:NAME: of an experiment's own"),
            Option("COROS", "n", "coroutines; without it the benchmark's own number"),
            Option("BW", "GB/s", "bandwidth of far memory; without it no limit"),
            Option("BW_MODE", "shared|per-direction", "what it limits", "shared"),
            Option("JITTER", "uniform:ns|normal:ns|two-point:ns:percent|table:file", "latency that varies (docs/guide/far-memory.md)"),
            Option("JITTER_SEED", "n", "of its generator"),
            Option("SCALE", "tiny|small|paper", "size of the data", "small"),
            PAGES,
            Option("CACHES", "cold|warm", "warm: on RTL L3 begins as the program's set-up leaves it, full and dirty (docs/design/method.md)", "cold"),
            Option("TARGET", "sim|fpga|iss|x86", "RTL simulator, board, golden model, this machine"),
            Option("OS", "bare|linux", "linux: as a program of Linux on NH-G (docs/guide/linux.md)"),
            OUT,
            Option("MAX_CYCLES", "n", "cycles after which the run is given up"),
            Option("LOCKSTEP", "1", "compare every instruction with the golden model"),
            Option("SAMPLES", "n", "so many regions of the whole run, at other addresses each, with a confidence interval (docs/design/method.md)"),
            Option("WARMUP", "operations", "before what is measured"),
            Option("SEED", "n", "the golden model completes requests of the AMU in an order drawn from it"),
            Option("CMD", "'ls -l; ./a.out'", "with OS=linux: a command of the shell in place of a benchmark (docs/guide/linux.md)"),
            Option("FILES", "folder", "with CMD: static programs and files that it finds where it starts"),
            Option("REGION", "command|program", "with CMD: what is measured, all of it or what the program marks"),
            Option("ELF", "file", "any bare program for NH-G, on RTL, as it is"),
            Option("WATCH", "from:to", "pipeline log and waveforms of these cycles of the measured region (docs/start/watch.md)"),
            CONFIG,
            BOARD,
            BITSTREAM,
        ),
    ),
    "coremark": ("EEMBC CoreMark on RTL: CoreMark/MHz, IPC, mispredictions", (Option("ITERATIONS", "n", "of the timed part", "10"), PAGES, CONFIG)),
    "boot": (
        "from reset through OpenSBI to user mode and power-off, on RTL in lock-step (docs/guide/boot.md)",
        (
            Option("OS", "bare|linux", "what boots: a payload that does what an operating system needs, or Linux (docs/guide/linux.md)", "bare"),
            Option("CMD", "'ls; uname'", "with OS=linux: typed at the shell's prompt"),
            Option("SEGMENTS", "n", "with OS=linux on RTL: so many segments of 5,000,000 instructions now; the same command goes on"),
            Option("LAT", "ns", "latency of far memory", "800"),
            Option("TARGET", "sim|iss", "RTL simulator, or the golden model alone: seconds", "sim"),
            Option("LOCKSTEP", "0|1", "on RTL, compare every instruction with the golden model", "1"),
            CONFIG,
        ),
    ),
    "core": ("the core in one table: latencies, rates, CoreMark, beside what is asked of it (docs/design/core.md)", (CONFIG,)),
    "far-curves": (
        "far memory's delay over its bandwidth, idle to saturated, as a program measures it, beside what is set (docs/guide/far-memory.md)",
        (Option("LAT", "ns", "latency of far memory", "800"), Option("BW", "GB/s", "bandwidth of far memory", "6"), CONFIG),
    ),
    "figures": (
        "measure what is missing of experiments and draw them; goes on where it stopped (experiments/README.md)",
        (
            EXPERIMENTS,
            Option("SCALE", "tiny|small|paper", "in place of the experiments' own"),
            Option("JOBS", "n", "runs at a time; without it two, of a board one, on a cluster as its profile says"),
            Option("DRY_RUN", "1", "say what would run, and for about how long"),
            Option("REDRAW", "1", "draw the captured sets, run nothing"),
            Option("RECALL", "1", "draw what has been measured so far"),
            Option("CAPTURE", "1", "keep the sets in results/captured"),
            Option("CLUSTER", "slurm|profile", "the runs as jobs of a cluster (docs/guide/cluster.md)"),
            CONFIG,
            BOARD,
            BITSTREAM,
        ),
    ),
    "compare": (
        "the runs of two sets (.csv, .parquet), folders or commits that changed beyond noise",
        (Option("A", "set", "before"), Option("B", "set", "after")),
    ),
    "reproduce": (
        "a captured run again, built and run as its commit says, compared to the cycle",
        (Option("RUN", "key", "of the run, or its beginning"),),
    ),
    "report": (
        "one page of the captured sets: figures, numbers, the paper beside them, where each comes from",
        (EXPERIMENTS, Option("OUT", "page.html", "the page; without it build/report/index.html")),
    ),
    "regions": (
        "compare the measured region of each benchmark with its whole run",
        (Option("BENCH", "name|folder", "one benchmark"), Option("SCALE", "tiny|small|paper", "size of the data", "small")),
    ),
    "new-benchmark": (
        "a benchmark directory that builds and runs",
        (Option("NAME", "x", "its name"), Option("DIR", "folder", "made there, not in software/bench")),
    ),
    "test": (
        "every test that CI runs, or suites of it",
        (
            Option("SUITE", '"name name"', "suites (tools/test/suites.toml)"),
            Option("LENGTH", "n", "above 1 the campaign: random tests n times as long, and what CI leaves out; lab/campaigns.json has its last result", "1"),
        ),
    ),
    "format": (
        "let the formatters write; reports what the linters find (tools/style)",
        (Option("FILES", '"a.py b.cc"', "these files; without it all of the repository"),),
    ),
    "fuzz": (
        "compare generated loops with their plain form; goes on where it stopped",
        (Option("PROGRAMS", "n", "how many", "20000"), Option("FIRST_SEED", "n", "of the generator", "0")),
    ),
    "random": (
        "random programs in M, S and U mode, with interrupts and page tables, on RTL in lock-step; lab/campaigns.json has the last result",
        (
            Option("INSTRUCTIONS", "n", "how many", "10000000"),
            Option("KIND", '"contended modes pages"', "of program: modes, contended (all accesses on a few lines), pages (that change; with modes)", "modes"),
            Option("FIRST_SEED", "n", "of the generator", "100000"),
        ),
    ),
    "mutations": (
        "plant mistakes in core and AMU, which the unit tests must find; goes on where it stopped",
        (Option("NAME", '"beginning of a name"', "these mistakes"),),
    ),
    "setup": ("install the toolchain", (Option("PART", '"name name"', "these parts only; make doctor lists them"),)),
    "doctor": ("what is installed, what is missing, what each part is for", ()),
    "bitstream": (
        "the VCU128 bitstream, with Vivado (docs/guide/bitstream.md)",
        (
            Option("LOCAL", "hbm", "local memory in HBM, too: no DDR4"),
            Option("PCIE", "1", "with the link over PCIe"),
            Option("PCIE_REFCLK", "pin", "of its reference clock"),
            Option("HBM_XSDB", "0|1", "Vivado's monitor of HBM"),
            Option("THREADS", "n", "of Vivado", "8"),
            Option("ALLOW_DIRTY", "1", "of a checkout with changes"),
            Option("PLACE_DIRECTIVE", "word", "how Vivado places"),
            Option("ROUTE_DIRECTIVE", "word", "how Vivado routes"),
            Option("RECHECK", "1", "only look at the routed design once more"),
            Option("CORE", "XSTop.v", "of another XiangShan"),
        ),
    ),
    "program": (
        "the bitstream into the board (docs/guide/board.md)",
        (Option("BITSTREAM", "manifest.json", "which"), Option("HW_SERVER", "host:port", "where the cable is")),
    ),
    "bitstream-check": ("everything about it that needs no Vivado", ()),
}
# Of developers: python -m nhg schema.
HIDDEN: dict[str, tuple[str, tuple[Option, ...]]] = {"schema": ("write the published JSON schema of a record from its model", ())}

# Variables that hold for every command, from the environment or behind make.
VARIABLES = {
    "NHG_TOOLCHAIN": "folder of the toolchain, .toolchain otherwise",
    "NHG_BUILD": "folder of what is built, build otherwise",
    "NHG_RESULTS": "folder of the records, results otherwise",
    "NHG_PLOTS": "folder of the figures, plots otherwise",
    "NHG_DEBIAN_MIRROR": "address or folder of a Debian archive (tools/setup/README.md)",
    "NHG_DEBIAN_KEYRING": "Debian's keys",
    "NHG_IVY_SETTINGS": "settings of Ivy, for a mirror of Maven",
    "NHG_UPDATE_CYCLES": "1: test SUITE=cycles writes what it measures",
}
OF_MAKE = ("MAKE", "MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "SHELL", ".SHELLFLAGS", "VPATH")


def nearest(given: str, legal: Iterable[str]) -> str:
    return max(legal, key=lambda name: difflib.SequenceMatcher(None, given.upper(), name.upper()).ratio())


def of(command: str) -> tuple[Option, ...]:
    """The options of a command."""
    known = COMMANDS | HIDDEN
    if command not in known:
        raise OptionError(f"{command} is no command; the nearest is {nearest(command, COMMANDS)} (make help lists them)")
    return known[command][1]


def check(commands: Iterable[str], names: Iterable[str]) -> None:
    """Every name that stands behind `make` is an option of one of these commands, a documented variable, or make's own."""
    named = list(dict.fromkeys(commands))
    legal = list(dict.fromkeys(option.name for command in named if command != "help" for option in of(command)))
    for name in names:
        if name in OF_MAKE or name in legal or name in VARIABLES:
            continue
        others = [command for command, (_, options) in COMMANDS.items() if name in (option.name for option in options)]
        if others:
            raise OptionError(f"{name} is no option of make {' '.join(named)}, but of make {', '.join(others)}; leave it out")
        legal += [known for known in VARIABLES if name.startswith("NHG_")]
        advice = f"the nearest is {nearest(name, legal)} (make help lists them)" if legal else f"make {' '.join(named)} has none"
        raise OptionError(f"{name} is no option; {advice}")


def filled(command: str, given: dict[str, str]) -> argparse.Namespace:
    """The options of a command by their names in lower case: what is given, or their defaults."""
    names = {option.name.lower(): option for option in of(command)}
    check([command], [name.upper() for name in given])
    return argparse.Namespace(**{name: given.get(name) or option.default for name, option in names.items()})


def parse(words: list[str]) -> tuple[str, dict[str, str]]:
    """A command and its options from the words `COMMAND NAME=value...`; what the environment hands on is put there."""
    if not words or "=" in words[0]:
        raise OptionError(f"give a command: {' '.join(COMMANDS)}")
    command, *rest = words
    for word in rest:
        if "=" not in word:
            raise OptionError(f"{word} is no option; give NAME=value")
    given = dict(word.split("=", 1) for word in rest)
    check([command], given)
    variables = {option.name: option.variable for option in of(command) if option.variable}
    os.environ.update({variable: given[name] for name, variable in variables.items() if given.get(name)})
    return command, {name.lower(): value for name, value in given.items() if name not in variables}


def help_text() -> str:
    """What `make help` says."""
    lines = []
    for command, (about, options) in COMMANDS.items():
        lines += [f"make {command:16} {about}"]
        for option in options:
            default = f" ({option.default})" if option.default else ""
            lines += [f"     {f'{option.name}={option.form}':32} {option.about}{default}"]
    return "\n".join([*lines, "variables, of the environment or behind make:", *(f"     {name:32} {about}" for name, about in VARIABLES.items())])
