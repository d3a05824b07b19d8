# SPDX-License-Identifier: Apache-2.0
"""Experiments as they are called: by their files, at another scale, on another core; and the commands that measure them."""

from dataclasses import dataclass
from pathlib import Path

from nhg import paths, platform
from nhg.errors import NhgError
from nhg.experiment import sets
from nhg.experiment.execute import Result
from nhg.experiment.grid import cases
from nhg.experiment.load import load
from nhg.experiment.schema import DEFAULTS, Experiment

EXPERIMENTS = paths.ROOT / "experiments"


def of_the_paper() -> list[Path]:
    return sorted(EXPERIMENTS.glob("fig*.yaml"))


@dataclass(frozen=True)
class Named:
    """An experiment as it was called: its file, and what was changed on the command line."""

    file: Path
    plan: Experiment
    scale: str = ""
    core: str = ""

    @property
    def captured(self) -> Path:
        return sets.CAPTURED / f"{self.plan.name}.csv"


def read(file: Path, scale: str = "", core: str = "") -> Named:
    """Read an experiment; at another scale, or on another core, it is the same under a name of its own."""
    plan = load(file)
    if scale:
        if any(axes.scale for axes in plan.zip):
            raise NhgError(f"SCALE={scale}: {file} has scales in step with other axes; change the file")
        sweep = plan.sweep.model_copy(update={"scale": [scale]})
        plan = plan.model_copy(update={"sweep": sweep, "name": f"{plan.name}-{scale}"})
        cases(plan)  # every benchmark has that scale
    if core:
        plan = plan.model_copy(update={"name": f"{plan.name}-{core}"})
    return Named(file, plan, scale, core)


def relative(file: Path) -> Path:
    return file.relative_to(paths.ROOT) if file.is_relative_to(paths.ROOT) else file


def command(one: Named) -> str:
    """What makes its set anew."""
    return f"make figures EXP={relative(one.file)}" + (f" SCALE={one.scale}" if one.scale else "") + (f" CONFIG={one.core}" if one.core else "")


def run_command(one: Named, result: Result) -> str:
    """What measures one point alone; a longer region is no option of `make run`, there the whole experiment is."""
    values, point = result.case.values, result.point
    if values["region_length"] != DEFAULTS["region_length"]:
        return command(one)
    variant = str(values["variant"])
    options = {
        "LAT": f"{values['latency_ns']:g}",
        "BENCH": values["benchmark"],
        "VARIANT": f"{relative(one.file)}:{variant}" if variant in one.plan.variants else variant,
        "COROS": point.coroutines,
        "SCALE": values["scale"],
        "TARGET": values["target"],
        "OS": None if values["os"] == DEFAULTS["os"] else values["os"],
        "BW": None if values["bandwidth_gbps"] is None else f"{values['bandwidth_gbps']:g}",
        "BW_MODE": None if values["bandwidth_mode"] == DEFAULTS["bandwidth_mode"] else values["bandwidth_mode"],
        "JITTER": None if values["jitter"] == DEFAULTS["jitter"] else values["jitter"],
        "JITTER_SEED": point.setting.jitter.seed or None,
        "SAMPLES": None if values["samples"] == DEFAULTS["samples"] else values["samples"],
        "WARMUP": values["warmup"],
        "CONFIG": one.core or None,
    }
    return " ".join(["make run", *(f"{name}={value}" for name, value in options.items() if value is not None)])


def chosen(files: list[str], scale: str) -> list[Named]:
    """The experiments of these files, or those of the paper's figures."""
    core = "" if paths.CONFIG == paths.DEFAULT_CORE else paths.CONFIG
    found = [read(Path(file), scale, core) for file in files or of_the_paper()]
    names = [one.plan.name for one in found]
    if len(set(names)) < len(names):
        raise NhgError(f"two of these experiments are named {next(name for name in names if names.count(name) > 1)}; name them apart")
    return found


def captured() -> list[Named]:
    """The experiments of the repository that have a captured set, also at other scales and on other cores, as `in_order`."""
    found = []
    for file in sorted(EXPERIMENTS.glob("*.yaml")):
        name = load(file).name
        for path in sorted(sets.CAPTURED.glob(f"{name}*.csv")):
            words = path.stem.removeprefix(name).split("-", 1)[1:]
            core = next((core for core in platform.cores() if words and words[0].endswith(core)), "")
            scale = words[0].removesuffix(core).strip("-") if words else ""
            if path.stem in (name, f"{name}-{scale}", f"{name}-{core}", f"{name}-{scale}-{core}"):
                found.append(read(file, scale, core))
    return sorted(found, key=in_order)


def in_order(one: Named) -> tuple:
    """The paper's figures in the paper's order, then the others by their names."""
    return (one.plan.paper is None, one.plan.paper, one.plan.name)


def of_the_report(files: list[str]) -> list[Named]:
    """What a report shows: the captured sets, and as not run the other experiments."""
    if files:
        return chosen(files, "")
    return [*captured(), *(one for one in map(read, sorted(EXPERIMENTS.glob("*.yaml"))) if not one.captured.exists())]
