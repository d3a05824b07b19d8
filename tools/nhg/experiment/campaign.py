# SPDX-License-Identifier: Apache-2.0
"""`make figures`: several experiments measured together, their sets written, their figures drawn."""

from dataclasses import dataclass
from pathlib import Path

from nhg import paths
from nhg.errors import NhgError
from nhg.experiment import cluster, dataset, execute, native, one_set, sets
from nhg.experiment.execute import Result
from nhg.experiment.grid import cases
from nhg.experiment.load import load
from nhg.experiment.schema import DEFAULTS, Experiment, nearest
from nhg.figures import draw

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


def named(file: Path, scale: str = "", core: str = "") -> Named:
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
    core = "" if paths.CONFIGURATIONS[0] == paths.CONFIG else paths.CONFIG
    found = [named(Path(file), scale, core) for file in files or of_the_paper()]
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
            core = next((core for core in paths.CONFIGURATIONS if words and words[0].endswith(core)), "")
            scale = words[0].removesuffix(core).strip("-") if words else ""
            if path.stem in (name, f"{name}-{scale}", f"{name}-{core}", f"{name}-{scale}-{core}"):
                found.append(named(file, scale, core))
    return sorted(found, key=in_order)


def in_order(one: Named) -> tuple:
    """The paper's figures in the paper's order, then the others by their names."""
    return (one.plan.paper is None, one.plan.paper, one.plan.name)


def of_the_report(files: list[str]) -> list[Named]:
    """What a report shows: the captured sets, and as not run the other experiments."""
    if files:
        return chosen(files, "")
    return [*captured(), *(one for one in map(named, sorted(EXPERIMENTS.glob("*.yaml"))) if not one.captured.exists())]


def is_native(plan: Experiment) -> bool:
    return plan.values("target") == ["x86"]


def dry_run(plans: list[Experiment], jobs: int | None) -> list[str]:
    models = [plan for plan in plans if not is_native(plan)]
    lines = execute.dry_run(models, jobs) if models else []
    return lines + [f"{plan.name}: wall times of this machine, {plan.repetitions} repetitions; it should be idle" for plan in plans if is_native(plan)]


def shown(places: list[Path]) -> None:
    for place in places:
        print(f"{'table' if place.suffix == '.md' else 'set' if place.suffix == '.parquet' else 'figure'}: {place}")


def finish(plan: Experiment, results: list[Result], capture: bool) -> int:
    """Write the set of an experiment and draw its figure; return how many points are missing."""
    places = dataset.write(results, paths.RESULTS / "sets" / plan.name)
    if capture:
        places += dataset.capture(results, plan.name)
    try:
        places += draw.draw(plan, results, paths.PLOTS)
    except NhgError as error:
        print(error)
    shown(places)
    return sum(result.record is None for result in results)


def measure_and_draw(plans: list[Experiment], jobs: int | None, capture: bool, only_recall: bool, cluster_profile: str = "") -> None:
    """All points on models together, the longest first; wall times after them, when nothing else runs. With `only_recall` draw what there is."""
    if capture:
        one_set.begin({target for plan in plans for target in plan.values("target")})
    missing = points = 0
    models = [plan for plan in plans if not is_native(plan)]
    engine = cluster.by_profile(cluster_profile, plans) if cluster_profile else execute.here
    measured = execute.measure_all(models, jobs, only_recall, engine) if models else {}
    for plan in sorted(plans, key=is_native):
        if is_native(plan) and only_recall:
            print(f"{plan.name}: wall times are measured together; left out")
            continue
        results = native.measure_all(plan) if is_native(plan) else measured[plan.name]
        missing += finish(plan, results, capture)
        points += len(results)
    if capture:
        one_set.end()
    if missing:
        raise NhgError(f"{missing} of {points} points have no verified record; the figures name them, {paths.RESULTS / 'failed'} has the reasons")


def redraw(wanted: list[Named]) -> None:
    """Draw from the captured sets, a line each; nothing is built or run."""
    for one in wanted:
        if not one.captured.exists():
            known = [path.stem for path in sorted(sets.CAPTURED.glob("*.csv"))]
            advice = nearest(one.plan.name, known) if known else "none is captured"
            raise NhgError(f"REDRAW: no captured set of {one.plan.name}; {advice}")
        places = draw.draw(one.plan, dataset.fill(one.plan, one.captured), paths.PLOTS, quiet=True)
        print(f"{one.plan.name}: {paths.PLOTS / one.plan.name}.{{{','.join(place.suffix[1:] for place in places)}}}", flush=True)
