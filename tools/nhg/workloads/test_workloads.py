# SPDX-License-Identifier: Apache-2.0
"""Each workload in each variant at scale tiny: the answer is right and the record is complete. RTL runs in lock-step."""

from dataclasses import replace
from pathlib import Path

import pytest

from nhg import benchmark, paths, sampling, scaffold, variants
from nhg.counts import count
from nhg.errors import NhgError
from nhg.measure import Setting
from nhg.point import Point
from nhg.run import prepare, run

NAS_IS = paths.ROOT / "software/compiler/test/kernels/nas_is"
HANDED_OVER = paths.ROOT / "software/compiler/test/kernels/handed_over"
MANY = paths.ROOT / "software/compiler/test/kernels/many"
WARM = paths.ROOT / "software/compiler/test/kernels/warm"
OUTSIDE = sorted(path.parent for path in (paths.ROOT / "software/compiler/test/kernels/outside").glob("*/bench.toml"))
DX100 = sorted(path.parent for path in (paths.ROOT / "software/bench-dx100").glob("*/bench.toml"))
LATENCY_NS = 400  # simulates nearly twice as fast as 800, which suite cycles and the figures have
# Benchmark, scale and latency. Programs of 10,000 to 50,000 cycles in the caches, and runs of 8 and 32 iterations; measured 1.10, 1.27, 1.39, 1.07, 1.36,
# 1.11 and 1.00: they meet the policy's code for the first time, or do not know in front of the loop how often it repeats. Regions of 12,000 to 18,000
# cycles whose data is far: 0.99 and 1.33.
MOST_OVER_SERIAL = {
    (WARM, "tiny", LATENCY_NS): 1.13,
    (WARM, "until", LATENCY_NS): 1.3,
    (WARM, "graph", LATENCY_NS): 1.43,
    (WARM, "again", LATENCY_NS): 1.09,
    (WARM, "levels", LATENCY_NS): 1.4,
    (MANY, "listed8", LATENCY_NS): 1.15,
    (MANY, "listed32", LATENCY_NS): 1.02,
    ("bfs", "tiny", 100): 1.0,
    ("is", "tiny", 100): 1.4,
}
LONGEST = "embedding_bag"  # of OUTSIDE, on RTL
LONG_ON_RTL = {(WARM, "until"), (WARM, "again"), (WARM, "levels"), (MANY, "listed32")}
MARKED_LOOPS = 4  # at most, that a region runs one after the other: STREAM's kernels
SERIAL_FIRST = 32  # iterations of each, before tasks run


def test_workload(bench: str, variant: str, target: str) -> None:
    setting = Setting(LATENCY_NS, None, lockstep=target == "sim")
    point = Point(benchmark.load(bench), variants.VARIANTS[variant], target, setting, "tiny")
    record = run(point, prepare(point))
    assert record.operations == record.dataset["BENCH_OPERATIONS"]
    if target == "sim":
        assert record.cycles > 0 and record.far_reads > 0 and record.far_late == 0
    # A task's last store is waited for by itself, others complete with the next loads (docs/design/coalescing.md). How many tasks there are depends on
    # time, and so does what the serial loop runs before tasks do (docs/design/choice.md).
    uncertain = MARKED_LOOPS * (record.coroutines + SERIAL_FIRST) if target == "sim" and variant in ("getfin", "bafin", "full") else 0
    assert abs(record.switches - count(point).switches) <= uncertain
    compiled = point.variant.scheduler is not None
    assert (record.context_ops is not None) == (compiled or variant in variants.WITHOUT_TASKS)
    if variant in variants.WITHOUT_TASKS:
        assert record.switches == 0
    elif variant != "static":  # whose loops need no switch where all lines are near
        assert record.switches > 0 or record.loops_left_serial


@pytest.mark.parametrize("pages", ["2M", "4K"])
def test_under_sv39(pages: str, target: str) -> None:
    """In S mode, with pages of this size; the core walks tables then."""
    if target == "x86":
        pytest.skip("pages are for programs of NH-G")
    setting = Setting(LATENCY_NS, None, lockstep=target == "sim")
    point = Point(benchmark.load("gups"), variants.VARIANTS["full"], target, setting, "tiny", pages=pages)
    record = run(point, prepare(point))
    assert record.pages == pages and (target == "iss" or record.probes["l2_tlb_misses"] > 0)


def test_every_benchmark_that_is_sampled_can_begin_anywhere(target: str) -> None:
    """Each sample verifies its own operations; on RTL those of one benchmark are enough."""
    names = ["mcf"] if target == "sim" else benchmark.available()
    for chosen in filter(lambda one: one.sampling, map(benchmark.load, names)):
        for variant in (variants.BASELINE, variants.best(chosen, target).name):
            setting = Setting(LATENCY_NS, None, lockstep=target == "sim")
            sampled = Point(chosen, variants.VARIANTS[variant], "sim", setting, "tiny", samples=3)
            for one in [replace(one, target=target) for one in sampling.points(sampled)]:
                assert run(one, prepare(one)).operations == chosen.scale("tiny")["BENCH_OPERATIONS"]


def test_counters_that_tasks_meet_in_are_exact(target: str) -> None:
    """NAS IS without a clause; its verification permits no lost update."""
    chosen = benchmark.load(str(NAS_IS))
    names = variants.valid(chosen, target)
    for variant in [names[0], names[-1]] if target == "sim" else names:
        point = Point(chosen, variants.VARIANTS[variant], target, Setting(LATENCY_NS, None, lockstep=target == "sim"), "tiny")
        assert not run(point, prepare(point)).loops_left_serial


@pytest.mark.parametrize("scale", ["tiny", "tiny_first"])
@pytest.mark.parametrize("kernel", [pytest.param(path, marks=[pytest.mark.long_on_rtl] if path.name == LONGEST else [], id=path.name) for path in OUTSIDE])
def test_kernels_of_outside_code(kernel: Path, scale: str, target: str) -> None:
    """With every mark, and with those that a first-time user gives, which need not lead to tasks."""
    chosen = benchmark.load(str(kernel))
    names = variants.valid(chosen, target)
    for variant in names[-1:] if target == "sim" else names:
        point = Point(chosen, variants.VARIANTS[variant], target, Setting(LATENCY_NS, None, lockstep=target == "sim"), scale)
        record = run(point, prepare(point))
        assert scale != "tiny" or not record.loops_left_serial
        assert scale != "tiny" or variant in ("static", *variants.WITHOUT_TASKS) or record.switches > 0


@pytest.mark.parametrize("kernel", DX100, ids=lambda path: path.name)
def test_kernels_of_dx100(kernel: Path, target: str) -> None:
    """Every loop becomes tasks, and keeps its promises."""
    if target == "sim":
        pytest.skip("runs of experiments/dx100.yaml verify their answers")
    chosen = benchmark.load(str(kernel))
    for variant in variants.valid(chosen, target)[1:]:
        point = Point(chosen, variants.VARIANTS[variant], target, Setting(LATENCY_NS, None), "tiny")
        record = run(point, prepare(point))
        assert not record.loops_left_serial
        assert variant in ("static", variants.CHECKER) or record.switches > 0


def test_what_a_mark_misses_is_named_by_its_line(target: str) -> None:
    """The entries of the map, which a first-time user did not mark: the core waits for them, or makes their accesses itself."""
    chosen = benchmark.load(str(next(path for path in OUTSIDE if path.name == "flat_map")))
    point = Point(chosen, variants.VARIANTS[variants.best(chosen, target).name], target, Setting(LATENCY_NS, None), "tiny_first")
    places = [place.rsplit(":", 1) for place in run(point, prepare(point)).far_waits]
    assert bool(places) == (target != "x86")
    for file, number in places[:1]:
        assert "entries[b.entry].key" in (paths.ROOT / file).read_text().splitlines()[int(number) - 1]


@pytest.mark.parametrize("scale", ["tiny", "chain", "partition"])
def test_loops_that_nobody_tuned_are_right(scale: str, target: str) -> None:
    chosen = benchmark.load(str(MANY))
    point = Point(chosen, variants.VARIANTS[variants.best(chosen, target).name], target, Setting(LATENCY_NS, None, lockstep=target == "sim"), scale)
    assert not run(point, prepare(point)).loops_left_serial


@pytest.mark.parametrize("scale", ["tiny", "near"])
def test_runs_that_are_handed_over_in_the_middle_go_on_where_they_were(scale: str, target: str) -> None:
    """Where iterations wait for memory, and where they become many."""
    chosen = benchmark.load(str(HANDED_OVER))
    point = Point(chosen, variants.VARIANTS[variants.best(chosen, target).name], target, Setting(LATENCY_NS, None, lockstep=target == "sim"), scale)
    assert not run(point, prepare(point)).loops_left_serial


@pytest.mark.parametrize(
    ("kernel", "scale", "latency_ns"),
    [pytest.param(*case, marks=[pytest.mark.long_on_rtl] if case[:2] in LONG_ON_RTL else []) for case in MOST_OVER_SERIAL],
    ids=lambda part: getattr(part, "name", part),
)
def test_short_programs_and_runs_take_little_more_than_serially(kernel: Path | str, scale: str, latency_ns: int, target: str) -> None:
    """With data in the caches tasks would take up to four times as long; with far data the choice comes from memory first."""
    chosen = benchmark.load(str(kernel))
    cycles = []
    for variant in (variants.BASELINE, variants.best(chosen, target).name):
        point = Point(chosen, variants.VARIANTS[variant], target, Setting(latency_ns, None, lockstep=target == "sim"), scale)
        cycles.append(run(point, prepare(point)).cycles)
    if target == "sim":
        assert cycles[1] < MOST_OVER_SERIAL[kernel, scale, latency_ns] * cycles[0]


def test_new_benchmark_runs_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    monkeypatch.setattr(scaffold, "BENCHMARKS", tmp_path)
    made = benchmark.load(str(scaffold.create("probe")))
    names = variants.valid(made, target)
    for variant in [names[0], names[-1]] if target == "sim" else names:
        point = Point(made, variants.VARIANTS[variant], target, Setting(LATENCY_NS, None), "tiny")
        assert not run(point, prepare(point)).loops_left_serial


def test_annotated_loops_of_cpp_are_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    monkeypatch.setattr(scaffold, "BENCHMARKS", tmp_path)
    folder = scaffold.create("probe")
    annotated, description = folder / "probe.c", folder / "bench.toml"
    # Only the plugin knows the clause, and that the variable is not declared.
    annotated.with_suffix(".cpp").write_text(annotated.read_text().replace("num_task", "reduction(+: unknown) num_task"))
    description.write_text(description.read_text().replace('"probe.c"', '"probe.cpp"'))
    made = benchmark.load(str(folder))
    point = Point(made, variants.VARIANTS[variants.valid(made, target)[-1]], target, Setting(LATENCY_NS, None), "tiny")
    with pytest.raises(NhgError, match="unknown"):
        prepare(point)
    annotated.with_suffix(".cpp").write_text(annotated.read_text())
    assert not run(point, prepare(point)).loops_left_serial
