# SPDX-License-Identifier: Apache-2.0
"""One run from its configuration to its record."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from nhg import late, linux, measure, paths, platform, sampling
from nhg.board.link import connected
from nhg.build import Program, build_models, build_program, build_trace_simulator, check_configuration, design_of
from nhg.counts import Counts, count
from nhg.errors import NhgError
from nhg.origin import compiler_sha256, git_state, runtime_sha256, sources_sha256, tool_versions
from nhg.point import Point
from nhg.record import SCHEMA_VERSION, Record


def prepare(point: Point) -> Program:
    """Build the models and the program of a point, or the programs of its samples."""
    point.benchmark.scale(point.scale)
    if point.samples > 1:
        programs = tuple(prepare(one) for one in sampling.points(point))
        return replace(programs[0], samples=programs)
    if point.target == "fpga" and not connected().identity.has_amu and point.variant.needs_amu:
        raise NhgError(f"VARIANT={point.variant.name} needs an AMU, which the core of this bitstream does not have; give VARIANT=serial, coroutine or static")
    check_configuration(point.target)
    if point.target == "sim" and paths.CONFIG == "no-amu" and point.variant.needs_amu:
        raise NhgError(f"VARIANT={point.variant.name} needs the AMU, which CONFIG=no-amu lacks; give VARIANT=serial, coroutine or static")
    build_models(point.target, point.variant.needs_plugin)
    if point.on_linux:
        linux.build()
    if point.setting.watch:
        build_trace_simulator()
    architecture = "x86" if point.target == "x86" else "linux" if point.on_linux else "riscv"
    program = build_program(point.benchmark, point.variant, point.scale, point.tasks, architecture, pages=point.pages)
    return linux.with_program(program) if point.on_linux else program


def models_of(target: str) -> list[Path]:
    """The models that a record's numbers come from: the golden model counts instructions and takes the checkpoint that others begin from."""
    return {"sim": [paths.SIMULATOR, paths.ISS], "fpga": [paths.ISS], "iss": [paths.ISS], "x86": []}[target]


def key_of(point: Point, program: Program) -> str:
    """Content address of a run: hash of the program, the models and the parameters. It is the same on every machine that builds the same sources."""
    designs = [design_of(model) for model in models_of(point.target)]
    inputs: dict[str, object] = {
        "schema": SCHEMA_VERSION,
        "program": program.sha256,
        "models": [connected().identity.sha256, *designs] if point.target == "fpga" else designs,
        "target": point.target,
        "latency_cycles": platform.latency_cycles(point.setting.latency_ns),
        "bandwidth_fixed": platform.bandwidth_fixed(point.setting.bandwidth_gbps),
    }
    if point.setting.bandwidth_mode != "shared":
        inputs["bandwidth_mode"] = point.setting.bandwidth_mode
    if point.setting.jitter.model:
        inputs["jitter"] = point.setting.jitter.registers
    if point.setting.caches != measure.COLD:
        inputs["caches"] = point.setting.caches
    if program.samples:
        inputs["samples"] = [one.sha256 for one in program.samples]
    if point.target == "iss":
        inputs["completion_seed"] = point.setting.completion_seed
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def switches(measured: measure.Measurement, counted: Counts) -> int | None:
    """Task switches: with the AMU one for each finished group taken, which the core counts; otherwise those counted apart."""
    return measured.fields.get("probes", {}).get("amu_finished") or counted.switches


def measured_samples(point: Point, program: Program) -> measure.Measurement:
    """One measurement of all samples of a point."""
    points = sampling.points(point)
    runs = []
    for number, (one, own) in enumerate(zip(points, program.samples, strict=True), 1):
        runs.append(measure.TARGETS[point.target](f"{point.name}, sample {number} of {point.samples}", own, one.setting))
    return sampling.together(point.name, points, program.samples, runs)


def recorded_target(point: Point) -> str:
    """A simulated board is not a board."""
    return "fpga-sim" if point.target == "fpga" and connected().access.simulated else point.target


def run(point: Point, program: Program, counted: Counts | None = None) -> Record:
    """Measure a prepared point; raises unless the answer is verified. Counts switches unless they are given."""
    counted = counted or count(point)
    measured = measured_samples(point, program) if program.samples else measure.TARGETS[point.target](point.name, program, point.setting)
    commit, dirty = git_state()
    metrics = measured.metrics
    record = Record(
        key=key_of(point, program),
        bench=point.benchmark.name,
        variant=point.variant.name,
        target=recorded_target(point),  # type: ignore[arg-type]
        core=paths.CONFIG,
        os="linux" if point.on_linux else "",
        page_faults=metrics[-1] if point.on_linux else None,  # software/runtime/linux/host.c
        latency_ns=point.setting.latency_ns,
        bandwidth_gbps=point.setting.bandwidth_gbps,
        bandwidth_mode=point.setting.bandwidth_mode,  # type: ignore[arg-type]
        jitter=point.setting.jitter.name,
        jitter_seed=point.setting.jitter.seed,
        jitter_ns=point.setting.jitter.longest / platform.cycles_per_ns(),
        coroutines=point.tasks,
        scale=point.scale,
        caches=point.setting.caches,  # type: ignore[arg-type]
        pages=point.pages,  # type: ignore[arg-type]
        dataset=point.dataset,
        compiler_flags=program.flags,
        loops_left_serial=list(program.loops_left_serial),
        operations=metrics[platform.metric("operations")],
        switches=switches(measured, counted),
        context_ops=counted.context_ops,
        git_commit=commit,
        git_dirty=dirty,
        sources_sha256=sources_sha256(),
        compiler_sha256=compiler_sha256(),
        runtime_sha256=runtime_sha256(),
        program_sha256=program.sha256,
        model_sha256=measured.model_sha256,
        tool_versions={**tool_versions(point.target), **measured.tool_versions},
        host_wall_seconds=measured.host_wall_seconds,
        **measured.fields,
    )
    return record.model_copy(update={"far_limit": late.limit(record)})
