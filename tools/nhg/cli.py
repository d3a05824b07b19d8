# SPDX-License-Identifier: Apache-2.0
"""Commands: `run`, `coremark`, `core`, `figures`, `compare`, `reproduce`, `report`, `regions`, `new-benchmark`. An empty option means its default, as make passes them."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from nhg import benchmark, core, coremark, paths, platform, regions, scaffold, variants
from nhg import reproduce as reproduction
from nhg.board import selftest
from nhg.board.link import connected
from nhg.elf import run_elf
from nhg.elf import show as show_elf
from nhg.errors import NhgError, no_space
from nhg.experiment import campaign, grid
from nhg.experiment import compare as comparison
from nhg.experiment.load import load
from nhg.figures import report as page
from nhg.jitter import check_range, parse_seed
from nhg.jitter import parse as parse_jitter
from nhg.measure import Setting
from nhg.point import Point
from nhg.record import SCHEMA_VERSION, Record, file_name, write_json
from nhg.run import prepare, run
from nhg.table import show, speedup
from nhg.watch import parse as parse_watch

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)
Text = Annotated[str, typer.Option()]


@app.command(name="run")
def run_command(
    lat: Text = "",
    jitter: Text = "",
    jitter_seed: Text = "",
    bench: Text = "",
    variant: Text = "",
    coros: Text = "",
    bw: Text = "",
    bw_mode: Text = "",
    scale: Text = "",
    target: Text = "",
    out: Text = "",
    max_cycles: Text = "",
    lockstep: Text = "",
    seed: Text = "",
    elf: Text = "",
    watch: Text = "",
    samples: Text = "",
    warmup: Text = "",
) -> None:
    """Build, run, check and record one benchmark; without a variant: serial, the best one and the speedup. ELF: run that program."""
    setting = Setting(
        latency_ns=platform.parse_latency_ns(lat or "800"),
        bandwidth_gbps=platform.parse_bandwidth_gbps(bw) if bw else None,
        bandwidth_mode=platform.parse_bandwidth_mode(bw_mode or "shared"),
        jitter=parse_jitter(jitter, jitter_seed),
        max_cycles=parse_count("MAX_CYCLES", max_cycles) if max_cycles else None,
        lockstep=is_on(lockstep),
        completion_seed=parse_seed("SEED", seed) if seed else Setting.completion_seed,
        watch=parse_watch(watch, target or "sim") if watch else None,
    )
    check_range(setting.jitter, setting.latency_ns)
    if elf:
        given = {"BENCH": bench, "VARIANT": variant, "COROS": coros, "SCALE": scale, "OUT": out, "TARGET": target.removeprefix("sim")}
        given |= {"SAMPLES": samples, "WARMUP": warmup}
        run_program(Path(elf), setting, [name for name, value in given.items() if value])
        return
    checks = variant == variants.CHECKER
    where = variants.check_target(target or ("x86" if checks else "sim"))
    chosen = benchmark.load(bench or "gups")
    if warmup:
        chosen = chosen.warmed(parse_count("WARMUP", warmup, least=0))
    size = scale or "small"
    chosen.scale(size)
    tasks = platform.parse_coroutines(coros) if coros else None
    if variant and not checks:
        wanted = [variant_named(chosen, variant, where)]
    else:
        wanted = [variants.choose(chosen, variants.BASELINE, where), variants.choose(chosen, variant, where) if checks else variants.best(chosen, where)]
    place = Path(out).absolute() if out else None
    if place and place.is_dir():
        raise NhgError(f"OUT={out} is a folder: give the name of a file")
    number = parse_count("SAMPLES", samples) if samples else 1
    records = []
    for one in wanted:
        point = Point(chosen, one, where, setting, size, tasks, number)
        records.append(run(point, prepare(point)))
    write_records(records, place)
    show(records)
    if chosen.directory == paths.SELFTEST and where == "fpga":
        selftest.report(connected(), records[-1])


def variant_named(chosen: benchmark.Benchmark, text: str, target: str) -> variants.Variant:
    """A variant by its name, or FILE:NAME, one of an experiment's own."""
    file, _, name = text.rpartition(":")
    return grid.variant_of(load(Path(file)), chosen, name, target) if file else variants.choose(chosen, name, target)


def run_program(file: Path, setting: Setting, refused: list[str]) -> None:
    """Run an ELF file as it is, and end with its exit code."""
    if refused:
        raise NhgError(f"ELF={file} runs that program as it is, on the RTL simulator: leave out {' and '.join(refused)}")
    ended = run_elf(file, setting)
    show_elf(file, ended, setting)
    if ended.exit_code:
        print(f"nhg: {file.name} ended with exit code {ended.exit_code}", file=sys.stderr)
        raise typer.Exit(ended.exit_code)


@app.command(name="coremark")
def coremark_command(iterations: Text = "") -> None:
    """Build CoreMark, run it on RTL, check its answers, print CoreMark/MHz."""
    print(coremark.measure(parse_count("ITERATIONS", iterations) if iterations else coremark.ITERATIONS))


@app.command(name="core")
def core_command() -> None:
    """How strong the core is: latencies, rates and CoreMark on RTL, as one table."""
    print(core.measure())


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


@app.command()
def figures(
    exp: Text = "", scale: Text = "", jobs: Text = "", dry_run: Text = "", redraw: Text = "", recall: Text = "", capture: Text = "", cluster: Text = ""
) -> None:
    """Measure what is missing of experiments and draw their figures; of none named: those of the paper."""
    if is_on(redraw):
        campaign.redraw(campaign.chosen(exp.split(), scale) if exp or scale else campaign.captured())
        return
    plans = [one.plan for one in campaign.chosen(exp.split(), scale)]
    number = parse_count("JOBS", jobs) if jobs else None
    if is_on(dry_run):
        print("\n".join(campaign.dry_run(plans, number)))
    else:
        campaign.measure_and_draw(plans, number, is_on(capture), is_on(recall), cluster)


@app.command()
def compare(a: Text = "", b: Text = "") -> None:
    """Compare two sets of experiments run by run; ends with 1 where a run changed beyond noise."""
    changed, lines = comparison.compare(a, b)
    print("\n".join(lines))
    if changed:
        raise typer.Exit(1)


@app.command(name="reproduce")
def reproduce_command(run: Text = "") -> None:
    """Build and run a captured run again at its commit; ends with 1 unless it is the same to the cycle."""
    same, line = reproduction.reproduce(run)
    print(line)
    if not same:
        raise typer.Exit(1)


@app.command()
def report(exp: Text = "", out: Text = "") -> None:
    """One page with the figures of the captured sets, or of those named."""
    print(f"report: {page.write(campaign.of_the_report(exp.split()), Path(out).absolute() if out else paths.BUILD / 'report/index.html')}")


@app.command(name="regions")
def regions_command(bench: Text = "", scale: Text = "") -> None:
    """Profile the measured region and the whole run of one or all benchmarks, side by side."""
    print(regions.write([bench] if bench else regions.profiled(), scale or "small"))


@app.command(name="new-benchmark")
def new_benchmark(name: Text = "") -> None:
    """Create a benchmark directory that builds and runs."""
    print(f"benchmark: {scaffold.create(name)}")


@app.command()
def schema() -> None:
    """Write the published JSON schema of a record from its model (for developers)."""
    write_json(Path(__file__).with_name("schema") / f"record-{SCHEMA_VERSION}.json", Record.model_json_schema())


def forget_make() -> None:
    """Keep the options of `make run` (OUT, TARGET, ...) from the makefiles that are called below."""
    for name in (
        "MAKEFLAGS",
        "MFLAGS",
        "MAKELEVEL",
        "MAKEOVERRIDES",
        "LAT",
        "JITTER",
        "JITTER_SEED",
        "BENCH",
        "VARIANT",
        "COROS",
        "BW",
        "BW_MODE",
        "SCALE",
        "TARGET",
        "BOARD",
        "BITSTREAM",
        "OUT",
        "MAX_CYCLES",
        "LOCKSTEP",
        "SEED",
        "ELF",
        "WATCH",
        "SAMPLES",
        "WARMUP",
        "EXP",
        "NAME",
        "ITERATIONS",
        "JOBS",
        "DRY_RUN",
        "REDRAW",
        "RECALL",
        "CAPTURE",
        "CLUSTER",
        "A",
        "B",
        "RUN",
    ):
        os.environ.pop(name, None)


def main() -> None:
    forget_make()
    try:
        sys.exit(app(standalone_mode=False))  # the code of typer.Exit, else None
    except NhgError as error:
        print(f"nhg: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except OSError as error:
        reason = no_space(paths.BUILD) if error.errno == 28 else f"{error.filename}: {error.strerror}"
        sys.exit(f"nhg: {reason}")
    except KeyboardInterrupt:
        sys.exit("nhg: interrupted; repeat to go on")
    except Exception as error:
        if hasattr(error, "format_message"):
            sys.exit(f"nhg: {error.format_message()}")
        raise
