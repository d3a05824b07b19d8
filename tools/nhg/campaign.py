# SPDX-License-Identifier: Apache-2.0
"""`make figures`: several experiments measured together, their sets written, their figures drawn."""

from pathlib import Path

from nhg import paths
from nhg.errors import NhgError
from nhg.experiment import cluster, dataset, execute, native, one_set, sets
from nhg.experiment.execute import Result
from nhg.experiment.named import Named
from nhg.experiment.schema import Experiment, nearest
from nhg.figures import draw


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
