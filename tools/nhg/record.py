# SPDX-License-Identifier: Apache-2.0
"""A run's record: what was run, what came out, where it comes from.

The JSON schema of version 2 is schema/record-2.json, made from this model. A
record is written only for a run that verified, and all at once. Records of version 1 are read,
but no run is found by them: their model_sha256 is that of the simulator's file.
"""

import json
import os
import threading
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nhg.errors import NhgError, no_space
from nhg.variants import BASELINE

SCHEMA_VERSION: Final = 2
Count = Field(ge=0)


class Sample(BaseModel):
    """One sample of a whole run: where its measured operations begin and what they took."""

    model_config = ConfigDict(extra="forbid")
    first: int = Count
    operations: int = Field(ge=1)
    cycles: int = Count
    program_sha256: str


class Record(BaseModel):
    """One run. Counts are over the region of interest; null means the target does not measure it."""

    model_config = ConfigDict(extra="forbid")

    schema_version: Literal[1, 2] = SCHEMA_VERSION
    key: str = Field(description="sha256 over all inputs of the run")

    bench: str
    variant: str
    target: Literal["sim", "fpga", "fpga-sim", "iss", "x86"] = Field(description="fpga-sim: the simulated board")
    core: str = Field("default", description="sim: its configuration, CONFIG of make run")
    os: Literal["", "linux"] = Field("", description="sim, fpga, iss: the operating system under the program; empty: none")
    latency_ns: float = Field(ge=0, description="far-memory latency, emulated ns")
    jitter: str = Field("constant", description="how the latency varies: JITTER of make run; a table by its hash")
    jitter_ns: float = Field(0, description="what it adds to the latency at most, emulated ns")
    jitter_seed: int = 0
    bandwidth_gbps: float | None = Field(description="far-memory bandwidth, emulated GB/s; null: unlimited")
    bandwidth_mode: Literal["shared", "per-direction"] = Field("shared", description="that of reads and writes together, or of each")
    coroutines: int
    scale: str
    pages: Literal["", "2M", "4K"] = Field("", description="under Sv39: the size of pages, PAGES of make run; empty: bare")
    caches: Literal["cold", "warm"] = Field("cold", description="sim: what L3 holds at the checkpoint, CACHES of make run")
    dataset: dict[str, int] = Field(description="the scale's parameters from bench.toml")
    seed: int = Field(0, description="start state of registers without reset; 0: zeros")
    completion_seed: int | None = Field(None, ge=0, description="iss: the order in which requests of the AMU complete is drawn from it")
    compiler_flags: str
    loops_left_serial: list[str] = Field([], description="marked loops the compiler did not transform: file:line: reason")

    verified: Literal[True] = True
    wall_ns: int | None = Field(None, ge=0, description="x86: wall time of the region")
    wall_ns_samples: list[int] = Field([], description="x86: each repetition; wall_ns is the fastest")
    cycles: int | None = Field(None, ge=0)
    emulated_ns: float | None = Field(None, ge=0)
    instret: int | None = Field(None, ge=0)
    work_instret: int | None = Field(None, ge=0, description="instructions where every poll finds something: golden model, requests complete at once")
    operations: int = Count
    samples: list[Sample] = Field([], description="regions that were measured; counts are their sums (docs/design/method.md)")
    cycles_per_operation_interval: tuple[float, float] | None = Field(None, description="with samples: 95 % confidence interval of the mean (Student's t)")
    far_reads: int | None = Field(None, ge=0)
    far_writes: int | None = Field(None, ge=0)
    far_bytes: int | None = Field(None, ge=0)
    far_read_latency_ns: dict[str, float] = Field({}, description="least, mean, greatest latency of far reads")
    far_write_latency_ns: dict[str, float] = Field({}, description="the same of far writes")
    far_stalls: dict[str, int] = Field({}, description="cycles in which far requests or answers waited, by cause")
    far_late: int | None = Field(None, ge=0, description="responses later than the set latency")
    far_port_use: dict[str, float] = Field({}, description="share of the busy cycles in which the 32-byte port carried a beat of reads, of writes")
    far_limit: Literal["", "port", "core", "bandwidth", "slots", "room", "memory", "late"] = Field(
        "", description="what made far reads take longer on average than set; empty: they did not (tools/nhg/late.py)"
    )
    mlp_mean: float | None = Field(None, ge=0, description="far requests in flight: integral / busy cycles")
    mlp_peak: float | None = Field(None, ge=0, description="the same over the busiest phase of the region")
    inflight_max: int | None = Field(None, ge=0, description="most far requests in flight in one cycle")
    switches: int | None = Field(None, ge=0, description="task switches; null: not counted")
    context_ops: int | None = Field(None, ge=0, description="loads and stores of task context; null: hand-written tasks")
    branch_mispredicts: int | None = Field(None, ge=0)
    cycle_breakdown: dict[str, int] = Field(
        {}, description="cycles of the region by what the ROB head waited for (docs/reference/counters.md); they sum to cycles"
    )
    stalls: dict[str, dict[str, int]] = Field({}, description="sim: cycle_breakdown by part of the program, scheduler, context or compute")
    kernel_cycles: int | None = Field(None, ge=0, description="sim: cycles in which the ROB head was an instruction of Linux or of the firmware under it")
    page_faults: int | None = Field(None, ge=0, description="os linux: of the program, from its checkpoint to the end of the region")
    far_waits: dict[str, int] = Field(
        {}, description="sim: cycles in which a load at the ROB head waited for far memory, by line of the source; iss: far loads and stores outside requests"
    )
    probes: dict[str, int] = Field({}, description="other counters of the core over the region")

    processor: str | None = Field(None, description="x86: the model of the machine that ran it")
    git_commit: str | None
    git_dirty: bool | None
    sources_sha256: str | None = Field(None, description="of the commit's files but for what changes no result (results/README.md); null with changes")
    compiler_sha256: str | None = Field(None, description="of the plugin's sources and the version of clang")
    runtime_sha256: str | None = Field(None, description="of the runtime's sources")
    program_sha256: str = Field(description="with samples: of the first one's program")
    model_sha256: str = Field(
        description="sim, iss: of what the model's results follow from (sim/design.py); fpga: of what the bitstream says of itself; x86: of the program"
    )
    tool_versions: dict[str, str]
    host_wall_seconds: float = Field(ge=0)
    simulated_khz: float | None = Field(None, ge=0)

    @property
    def tasks(self) -> int | None:
        """Serial code has none, though its program is given a number."""
        return None if self.variant == BASELINE else self.coroutines

    @property
    def far_read_mean_ns(self) -> float | None:
        return self.far_read_latency_ns.get("mean")

    @property
    def time(self) -> float | None:
        """What a speedup is computed from: emulated ns, on x86 wall ns."""
        return self.emulated_ns if self.emulated_ns is not None else self.wall_ns


def write_json(path: Path, content: dict | list) -> None:
    """Write a JSON file so that it is there whole or not at all, whoever else writes it at the same time."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps(content, indent=2) + "\n")
        temporary.replace(path)
    except OSError as error:
        raise (no_space(path.parent) if error.errno == 28 else NhgError(f"cannot write {path}: {error.strerror}; choose another OUT")) from None
    finally:
        if temporary.exists():
            temporary.unlink()


def name_of(bench: str, variant: str, target: str, latency_ns: float, key: str) -> str:
    """Of a record's file."""
    return f"{bench}-{variant}-{target}-{latency_ns:g}ns-{key[:12]}.json"


def file_name(record: Record) -> str:
    return name_of(record.bench, record.variant, record.target, record.latency_ns, record.key)


def read(path: Path) -> Record | None:
    """The record in a file, or None when there is none."""
    try:
        return Record.model_validate_json(path.read_text())
    except (OSError, ValidationError):
        return None
