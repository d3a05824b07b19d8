# SPDX-License-Identifier: Apache-2.0
"""What each command does that runs in the toolchain's Python. Its options, given as make has them, are declared in options.py."""

import argparse
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from nhg import benchmark, boot, campaign, core, coremark, far_curves, linux_boot, linux_command, options, paths, platform, regions, scaffold, variants
from nhg import reproduce as reproduction
from nhg.board import selftest
from nhg.board.link import connected
from nhg.elf import run_elf
from nhg.elf import show as show_elf
from nhg.errors import Interrupted, NhgError, no_space
from nhg.experiment import compare as comparison
from nhg.experiment import grid, named
from nhg.experiment.load import load
from nhg.figures import report as page
from nhg.jitter import check_range, parse_seed
from nhg.jitter import parse as parse_jitter
from nhg.measure import CACHES, COLD, WARM, Setting
from nhg.point import Point
from nhg.record import SCHEMA_VERSION, Record, file_name, write_json
from nhg.run import prepare, run
from nhg.table import show, speedup
from nhg.watch import parse as parse_watch


def run_command(**words: str) -> None:
    """Build, run, check and record one benchmark; without a variant: serial, the best one and the speedup. ELF: run that program."""
    given = options.filled("run", words)
    setting = Setting(
        latency_ns=platform.parse_latency_ns(given.lat),
        bandwidth_gbps=platform.parse_bandwidth_gbps(given.bw) if given.bw else None,
        bandwidth_mode=platform.parse_bandwidth_mode(given.bw_mode),
        jitter=parse_jitter(given.jitter, given.jitter_seed),
        max_cycles=parse_count("MAX_CYCLES", given.max_cycles) if given.max_cycles else None,
        lockstep=is_on(given.lockstep),
        completion_seed=parse_seed("SEED", given.seed) if given.seed else Setting.completion_seed,
        caches=given.caches,
        watch=parse_watch(given.watch, given.target or "sim") if given.watch else None,
    )
    check_range(setting.jitter, setting.latency_ns)
    if given.elf:
        others = ("bench", "os", "variant", "coros", "scale", "out", "target", "samples", "warmup", "pages", "caches")
        usual = (("target", "sim"), ("caches", COLD))
        run_program(Path(given.elf), setting, [name.upper() for name in others if words.get(name) and (name, words[name]) not in usual])
        return
    if given.cmd or given.files or given.region:
        run_shell(given, setting, [name.upper() for name in ("bench", "variant", "coros", "scale", "out", "samples", "warmup") if words.get(name)])
        return
    checks = given.variant == variants.CHECKER
    where = variants.check_target(given.target or ("x86" if checks else "sim"))
    system = system_named(given.os, where)
    if given.pages and (where == "x86" or system == "linux"):
        raise NhgError("PAGES is for programs of NH-G without an operating system: leave it out with TARGET=x86 and OS=linux")
    if given.caches not in CACHES or (given.caches == WARM and where != "sim"):
        raise NhgError(f"CACHES={given.caches}: give cold, or with TARGET=sim warm")
    chosen = benchmark.load(given.bench)
    if given.warmup:
        chosen = chosen.warmed(parse_count("WARMUP", given.warmup, least=0))
    chosen.scale(given.scale)
    tasks = platform.parse_coroutines(given.coros) if given.coros else None
    if given.variant and not checks:
        wanted = [variant_named(chosen, given.variant, where)]
    else:
        other = variants.choose(chosen, given.variant, where) if checks else variants.best(chosen, where)
        wanted = [variants.choose(chosen, variants.BASELINE, where), other]
    place = Path(given.out).absolute() if given.out else None
    if place and place.is_dir():
        raise NhgError(f"OUT={given.out} is a folder: give the name of a file")
    number = parse_count("SAMPLES", given.samples) if given.samples else 1
    records = []
    for one in wanted:
        point = Point(chosen, one, where, setting, given.scale, tasks, number, given.pages, system)
        records.append(run(point, prepare(point)))
    write_records(records, place)
    show(records)
    if chosen.directory == paths.SELFTEST and where == "fpga":
        selftest.report(connected(), records[-1])


def variant_named(chosen: benchmark.Benchmark, text: str, target: str) -> variants.Variant:
    """A variant by its name, or FILE:NAME, one of an experiment's own."""
    file, _, name = text.rpartition(":")
    return grid.variant_of(load(Path(file)), chosen, name, target) if file else variants.choose(chosen, name, target)


def system_named(text: str, target: str) -> str:
    """What programs run on; without a name what is usual for the target."""
    systems = variants.systems(target)
    if text and text not in systems:
        raise NhgError(f"OS={text}: programs of TARGET={target} run on {' or '.join(systems)}; give that")
    return text or systems[0]


def run_program(file: Path, setting: Setting, refused: list[str]) -> None:
    """Run an ELF file as it is, and end with its exit code."""
    if refused:
        raise NhgError(f"ELF={file} runs that program as it is, on the RTL simulator: leave out {' and '.join(refused)}")
    ended = run_elf(file, setting)
    show_elf(file, ended, setting)
    if ended.exit_code:
        print(f"nhg: {file.name} ended with exit code {ended.exit_code}", file=sys.stderr)
        sys.exit(ended.exit_code)


def run_shell(given: argparse.Namespace, setting: Setting, refused: list[str]) -> None:
    """Run a command of the shell under Linux, and end with its exit code."""
    if given.os != "linux" or not given.cmd:
        raise NhgError("CMD, FILES and REGION are for a command under Linux: give OS=linux and CMD='...'")
    if refused:
        raise NhgError(f"CMD runs a command in place of a benchmark: leave out {' and '.join(refused)}")
    files = Path(given.files).absolute() if given.files else None
    command = linux_command.Command(given.cmd, files, given.region or linux_command.REGIONS[0])
    if code := linux_command.run(command, given.target or "sim", setting):
        print(f"nhg: the command ended with exit code {code}", file=sys.stderr)
        sys.exit(code)


def coremark_command(**words: str) -> None:
    """Build CoreMark, run it on RTL, check its answers, print CoreMark/MHz."""
    given = options.filled("coremark", words)
    print(coremark.measure(parse_count("ITERATIONS", given.iterations), given.pages))


def boot_command(**words: str) -> None:
    """Boot OpenSBI and a payload or Linux, on RTL in lock-step or on the golden model."""
    given = options.filled("boot", words)
    if given.os not in variants.SYSTEMS:
        raise NhgError(f"OS={given.os}: give one of {' '.join(variants.SYSTEMS)}")
    setting = Setting(platform.parse_latency_ns(given.lat), bandwidth_gbps=None, max_cycles=boot.CYCLES_MAX, lockstep=is_on(given.lockstep))
    if given.os == "linux":
        print(linux_boot.boot(given.target, given.cmd, setting, parse_count("SEGMENTS", given.segments) if given.segments else None))
        return
    if given.cmd or given.segments:
        raise NhgError("CMD and SEGMENTS are for OS=linux: leave them out")
    print(boot.boot(given.target, setting))


def core_command() -> None:
    """How strong the core is: latencies, rates and CoreMark on RTL, as one table."""
    print(core.measure())


def far_curves_command(**words: str) -> None:
    """Far memory's curves of delay over bandwidth, drawn and as a table."""
    given = options.filled("far-curves", words)
    limit_gbps = platform.parse_bandwidth_gbps(given.bw)
    if limit_gbps is None:
        raise NhgError(f"BW={given.bw}: curves end at a limit; give one in GB/s, such as 6")
    print(far_curves.measure(platform.parse_latency_ns(given.lat), limit_gbps))


def is_on(text: str) -> bool:
    """Whether a switch of the command line is given."""
    return text not in ("", "0")


def parse_count(name: str, text: str, least: int = 1) -> int:
    if not text.isdecimal() or int(text) < least:
        raise NhgError(f"{name}={text} is not a whole number from {least} on")
    return int(text)


def write_records(records: list[Record], out: Path | None) -> None:
    """Each record goes to results/, and to OUT: the record itself, or both records and the speedup."""
    for record in records:
        path = paths.RESULTS / file_name(record)
        write_json(path, record.model_dump(mode="json"))
        print(f"record: {path}")
    if out is None:
        return
    content = records[0].model_dump(mode="json")
    if len(records) > 1:
        content = {
            "schema_version": SCHEMA_VERSION,
            "speedup": speedup(records[0], records[-1]),
            "runs": [record.model_dump(mode="json") for record in records],
        }
    write_json(out, content)
    print(f"record: {out}")


def figures(**words: str) -> None:
    """Measure what is missing of experiments and draw their figures; of none named: those of the paper."""
    given = options.filled("figures", words)
    files = given.exp.split()
    if is_on(given.redraw):
        campaign.redraw(named.chosen(files, given.scale) if files or given.scale else named.captured())
        return
    plans = [one.plan for one in named.chosen(files, given.scale)]
    number = parse_count("JOBS", given.jobs) if given.jobs else None
    if is_on(given.dry_run):
        print("\n".join(campaign.dry_run(plans, number)))
    else:
        campaign.measure_and_draw(plans, number, is_on(given.capture), is_on(given.recall), given.cluster)


def compare(**words: str) -> None:
    """Compare two sets of experiments run by run; ends with 1 where a run changed beyond noise."""
    given = options.filled("compare", words)
    changed, lines = comparison.compare(given.a, given.b)
    print("\n".join(lines))
    if changed:
        sys.exit(1)


def reproduce_command(**words: str) -> None:
    """Build and run a captured run again at its commit; ends with 1 unless it is the same to the cycle."""
    same, line = reproduction.reproduce(options.filled("reproduce", words).run)
    print(line)
    if not same:
        sys.exit(1)


def report(**words: str) -> None:
    """One page with the figures of the captured sets, or of those named."""
    given = options.filled("report", words)
    place = Path(given.out).absolute() if given.out else paths.BUILD / "report/index.html"
    print(f"report: {page.write(named.of_the_report(given.exp.split()), place)}")


def regions_command(**words: str) -> None:
    """Profile the measured region and the whole run of one or all benchmarks, side by side."""
    given = options.filled("regions", words)
    print(regions.write([given.bench] if given.bench else regions.profiled(), given.scale))


def new_benchmark(**words: str) -> None:
    """Create a benchmark directory that builds and runs."""
    option = options.filled("new-benchmark", words)
    print(f"benchmark: {scaffold.create(option.name, option.dir)}")


def schema() -> None:
    """Write the published JSON schema of a record from its model (for developers)."""
    write_json(Path(__file__).with_name("schema") / f"record-{SCHEMA_VERSION}.json", Record.model_json_schema())


COMMANDS: dict[str, Callable[..., None]] = {
    "run": run_command,
    "coremark": coremark_command,
    "boot": boot_command,
    "core": core_command,
    "far-curves": far_curves_command,
    "figures": figures,
    "compare": compare,
    "reproduce": reproduce_command,
    "report": report,
    "regions": regions_command,
    "new-benchmark": new_benchmark,
    "schema": schema,
}


def interrupt(number: int, _frame: object) -> None:
    """A terminal that closes, and `kill`, do what Ctrl-C does."""
    raise KeyboardInterrupt


def main(command: str, given: dict[str, str]) -> None:
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup has it
            signal.signal(number, interrupt)
    try:
        COMMANDS[command](**given)
    except (KeyboardInterrupt, Interrupted):
        with suppress(OSError):  # the terminal may be gone
            print("nhg: interrupted; the same command goes on", file=sys.stderr)
        sys.exit(130)
    except NhgError as error:
        print(f"nhg: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except OSError as error:
        reason = no_space(paths.BUILD) if error.errno == 28 else f"{error.filename}: {error.strerror}"
        sys.exit(f"nhg: {reason}")
