# SPDX-License-Identifier: Apache-2.0
"""From an experiment to its cases: one for each place in the figure, with the points that have to be measured for it."""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from nhg import benchmark, jitter, sampling, variants
from nhg.errors import NhgError
from nhg.experiment.quantities import QUANTITIES
from nhg.experiment.schema import AXES, DEFAULT, DEFAULTS, Axis, Best, Experiment, Filter, nearest
from nhg.measure import Setting
from nhg.point import Point

# A file that asks for more is taken for a mistake.
POINTS_MAX = 20_000


class Misfit(NhgError):
    """A point that cannot be had; `place` is where the experiment asks for it."""

    def __init__(self, text: str, *place: int | str) -> None:
        super().__init__(text)
        self.place = place


@dataclass(frozen=True)
class Case:
    """The values of its axes, and its points: one, one for each repetition with jitter, or several of which the fastest counts."""

    values: dict[str, object]
    points: tuple[Point, ...]

    @property
    def chooses(self) -> bool:
        return isinstance(self.values["coroutines"], Best)

    @property
    def name(self) -> str:
        shown = [f"{axis} {value}" for axis, value in self.values.items() if axis not in ("benchmark", "variant") and value != DEFAULTS[axis]]
        return f"{self.values['benchmark']}/{self.values['variant']}" + "".join(f", {text}" for text in shown)

    @property
    def key(self) -> tuple:
        """What tells cases apart. Serial code has no coroutines, so their number does not."""
        return tuple(None if axis == "coroutines" and self.values["variant"] == variants.BASELINE else str(self.values[axis]) for axis in AXES)

    def compared_with(self, baseline: Mapping[Axis, object]) -> "Case":
        """The case that it is divided by in a ratio; it may not be among the points."""
        return Case({**self.values, **{str(axis): value for axis, value in baseline.items()}}, ())


def groups_of(plan: Experiment) -> list[list[dict[str, object]]]:
    """What is taken each with each: the values of an axis, and those that go in step, in the order of AXES."""
    swept = [[{axis: value} for value in values] for axis, values in plan.sweep.given.items()]
    zipped = [[dict(zip(axes.given, row, strict=True)) for row in zip(*axes.given.values(), strict=True)] for axes in plan.zip]
    return sorted([*swept, *zipped], key=lambda group: min(AXES.index(axis) for axis in group[0]))


def combinations(plan: Experiment) -> Iterator[dict[str, object]]:
    """Values of all axes: the product of what is swept and of each zip."""
    for parts in itertools.product(*groups_of(plan)):
        values = DEFAULTS | {axis: value for part in parts for axis, value in part.items()}
        yield {axis: values[axis] for axis in AXES}


def left_out(plan: Experiment, values: dict[str, object]) -> Filter | None:
    """The filter because of which a point is not measured."""
    if plan.keep and not any(wanted.takes(values) for wanted in plan.keep):
        return plan.keep[0]
    return next((unwanted for unwanted in plan.drop if unwanted.takes(values)), None)


@cache
def loaded(bench: str) -> benchmark.Benchmark:
    return benchmark.load(bench)


def place_of(plan: Experiment, axis: str, value: object) -> tuple[int | str, ...]:
    """Where in the file an axis has a value."""
    for place, axes in ((("sweep", axis), plan.sweep), *((("zip", number, axis), axes) for number, axes in enumerate(plan.zip))):
        if value in axes.given.get(axis, []):
            return (*place, axes.given[axis].index(value))
    return ("sweep", axis)


def variant_of(plan: Experiment, chosen: benchmark.Benchmark, name: str, target: str) -> variants.Variant:
    """One of the experiment's own variants, or a common one that the benchmark has."""
    own = plan.variants.get(name)
    if own is not None:
        return variants.Variant(name, own.scheduler, variants.TARGETS, tuple(own.options))
    legal = [*variants.valid(chosen, target), *plan.variants]
    if name not in legal:
        known = "not available for {} on {}" if name in variants.VARIANTS else "no variant of {} on {}"
        raise Misfit(f"{name} is {known.format(chosen.name, target)}; {nearest(name, legal)}; or drop it", *place_of(plan, "variant", name))
    return variants.choose(chosen, name, target)


def points_of(plan: Experiment, values: dict) -> tuple[Point, ...]:
    """The points of one case."""
    try:
        chosen = loaded(values["benchmark"])
    except NhgError as error:
        raise Misfit(str(error), *place_of(plan, "benchmark", values["benchmark"])) from None
    if values["scale"] not in chosen.scales:
        raise Misfit(f"{chosen.name} has no scale {values['scale']}; {nearest(values['scale'], chosen.scales)}", *place_of(plan, "scale", values["scale"]))
    systems = variants.systems(values["target"])
    if values["os"] not in (DEFAULT, *systems):
        raise Misfit(
            f"programs of target {values['target']} do not run on {values['os']}; the nearest legal value is {systems[0]}", *place_of(plan, "os", values["os"])
        )
    system = systems[0] if values["os"] == DEFAULT else values["os"]
    if values["caches"] != DEFAULTS["caches"] and values["target"] != "sim":
        raise Misfit(f"caches of target {values['target']} begin cold; the nearest legal value is cold", *place_of(plan, "caches", values["caches"]))
    variant = variant_of(plan, chosen, values["variant"], values["target"])
    longer = chosen.longer(values["region_length"])
    if values["warmup"] is not None:
        longer = longer.warmed(values["warmup"])
    asked = values["coroutines"]
    numbers: tuple[int | None, ...] = asked.best if isinstance(asked, Best) else (None if asked == DEFAULT else asked,)
    if variant.name == variants.BASELINE:
        numbers = (None,)  # has none to choose, and all its points are one
    seeds = range(plan.repetitions) if values["jitter"] != DEFAULTS["jitter"] else (0,)
    found = []
    for number, seed in itertools.product(numbers, seeds):
        varied = jitter.parse(values["jitter"], str(seed))
        try:
            jitter.check_range(varied, values["latency_ns"])
        except NhgError as error:
            raise Misfit(str(error), *place_of(plan, "jitter", values["jitter"])) from None
        setting = Setting(values["latency_ns"], values["bandwidth_gbps"], values["bandwidth_mode"], varied, caches=values["caches"])
        found.append(Point(longer, variant, values["target"], setting, values["scale"], number, values["samples"], os=system))
        if values["samples"] > 1:
            try:
                sampling.check(found[-1])
            except NhgError as error:
                raise Misfit(f"{error}; the nearest legal value is 1", *place_of(plan, "samples", values["samples"])) from None
    return tuple(found)


def check_axes(plan: Experiment) -> None:
    """Every axis at most once, and what has no default."""
    given = [axis for axes in (plan.sweep, *plan.zip) for axis in axes.given]
    for number, axes in enumerate(plan.zip):
        for axis in axes.given:
            if given.count(axis) > 1:
                raise Misfit(f"{axis} is given twice; leave it in sweep or in one zip", "zip", number, axis)
    for axis, values in plan.sweep.given.items():
        for number, value in enumerate(values):
            if value in values[:number]:
                raise Misfit(f"sweep.{axis}: {value} stands twice; leave one", "sweep", axis, number)
    for axis in ("benchmark", "variant", *(() if plan.values("target") == ["x86"] else ("latency_ns",))):
        if axis not in given:
            raise Misfit(f"{axis} is missing; give it in sweep or zip", "sweep")
    seeds = plan.repetitions if plan.values("jitter") != [DEFAULTS["jitter"]] else 1
    number = math.prod(map(len, groups_of(plan))) * max(len(value.best) if isinstance(value, Best) else 1 for value in plan.values("coroutines")) * seeds
    if number > POINTS_MAX:
        raise Misfit(f"{number:,} points are asked for, and {POINTS_MAX:,} are the most; take values out", "sweep")


def check_figure(plan: Experiment, found: list[Case]) -> None:
    """The figure shows axes that vary, and every point of a ratio has its baseline."""
    given = [axis for axes in (plan.sweep, *plan.zip) for axis in axes.given]
    for what, axis in (("x", plan.figure.x), ("panels", plan.figure.panels)):
        if axis is not None and axis not in given:
            raise Misfit(f"figure.{what}: {axis} is not swept; {nearest(axis, given)}", "figure", what)
    ratios = [name for name in plan.figure.quantities if QUANTITIES[name].is_ratio and not QUANTITIES[name].over_software]
    if any(QUANTITIES[name].over_software for name in plan.figure.quantities) and all(point.variant.needs_amu for case in found for point in case.points):
        raise Misfit("figure: over_software needs a variant without the AMU, and none is among the points; add one", "figure", "quantities")
    if plan.figure.kind not in ("bars", "lines") or not ratios:
        return
    keys = {case.key for case in found}
    for case in found:
        if case.compared_with(plan.figure.baseline).key not in keys:
            base = " ".join(f"{axis} {value}" for axis, value in plan.figure.baseline.items())
            raise Misfit(f"figure: {ratios[0]} needs a baseline ({base}), and {case.name} has none; add it to the points", "figure")


def cases(plan: Experiment) -> list[Case]:
    """Every case, in the order of the axes; raises Misfit where one cannot be had."""
    check_axes(plan)
    found = [Case(values, points_of(plan, values)) for values in combinations(plan) if not left_out(plan, values)]
    if not found:
        raise Misfit("no point is left: keep and drop exclude all", "keep" if plan.keep else "drop")
    targets = {case.values["target"] for case in found}
    if "x86" in targets and (len(targets) > 1 or plan.values("jitter") != [DEFAULTS["jitter"]]):
        raise Misfit(
            "wall times of x86 stand alone: no other target and no jitter beside them; the nearest legal value is x86", *place_of(plan, "target", "x86")
        )
    if plan.repetitions > 1 and "x86" not in targets and plan.values("jitter") == [DEFAULTS["jitter"]]:
        raise Misfit("repetitions: without jitter every run on a model is the same to the cycle; the nearest legal value is 1", "repetitions")
    return found


def skipped(plan: Experiment) -> list[str]:
    """One line for each filter that leaves points out: how many and why."""
    counted: dict[str, int] = {}
    for values in combinations(plan):
        if unwanted := left_out(plan, values):
            counted[unwanted.because] = counted.get(unwanted.because, 0) + 1
    return [f"{number} points left out: {because}" for because, number in counted.items()]
