# SPDX-License-Identifier: Apache-2.0
"""Runs one program on one target and returns what the target measured.

sim: the golden model checks the program and takes the checkpoint, the RTL runs
from it; fpga: likewise on the board. iss: the golden model alone. x86: natively. The golden model completes requests of the
AMU in an order drawn from a seed and keeps their bytes unreadable until then. A program that does not end or whose answer is wrong raises.
"""

import json
import signal
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from nhg import far_memory, parts, paths, platform, result
from nhg.board import session
from nhg.board.image import read as read_image
from nhg.board.link import connected
from nhg.build import Program, design_of, sha256_of
from nhg.errors import NhgError
from nhg.far_memory import FarMemory
from nhg.jitter import CONSTANT, Jitter
from nhg.origin import processor
from nhg.programs import Outcome, execute
from nhg.progress import step
from nhg.result import Snapshots
from nhg.watch import Watch

# The golden model gives up on a program after this many instructions (about a minute).
INSTRUCTIONS_MAX = 10_000_000_000
# The RTL's limit: this many far-memory latencies per operation and cycles per instruction, on top of a fixed part.
LATENCIES_PER_OPERATION = 64
CYCLES_PER_INSTRUCTION = 8
CYCLES_FIXED = 2_000_000
CYCLES_BESIDE_LATENCY = 500
SIMULATOR_EXIT = platform.description()["simulator_exit"]
SIMULATOR_ADVICE = {
    SIMULATOR_EXIT["bad_input"]: "check the arguments",
    SIMULATOR_EXIT["watchdog"]: "the core is stuck; trace that cycle (sim/harness/README.md)",
    SIMULATOR_EXIT["mismatch"]: "the core computes something else than the golden model",
    SIMULATOR_EXIT["max_cycles"]: "the workload does not terminate or needs more; raise MAX_CYCLES",
    SIMULATOR_EXIT["assertion"]: "trace that cycle (sim/harness/README.md)",
}
# How the simulator's lines about its progress begin.
PROGRESS = "nhg-sim: cycle "
# What L3 holds where an RTL run begins: nothing, or what the golden model's accesses up to the checkpoint leave there, written lines dirty.
COLD, WARM = CACHES = ("cold", "warm")
# In the report of a program compiled with -masync=check.
PROMISE_BROKEN = ": asyncmem: iteration "


@dataclass(frozen=True)
class Setting:
    """What a run varies besides its program."""

    latency_ns: float
    bandwidth_gbps: float | None
    bandwidth_mode: str = "shared"
    jitter: Jitter = CONSTANT
    max_cycles: int | None = None
    lockstep: bool = False
    completion_seed: int = 1
    caches: str = COLD
    watch: Watch | None = None

    @property
    def lockstep_options(self) -> list[str]:
        return ["--lockstep", "--golden-lib", str(paths.GOLDEN_LIBRARY)] if self.lockstep else []

    @property
    def far_memory(self) -> FarMemory:
        return far_memory.of(self.latency_ns, self.bandwidth_gbps, self.bandwidth_mode, self.jitter)


@dataclass(frozen=True)
class Measurement:
    """Fields of the record that the target delivers, and the software-reported metrics."""

    metrics: list[int]
    fields: dict = field(default_factory=dict)
    host_wall_seconds: float = 0.0
    model_sha256: str = ""
    tool_versions: dict[str, str] = field(default_factory=dict)
    snapshots: Snapshots | None = None


def ending(code: int) -> str:
    """What the exit code of a program says (negative: the signal that ended it on x86)."""
    status = platform.description()["exit_status"]
    if code in (status["abort"], -signal.SIGABRT):
        return "the program aborted"
    if code < 0:
        return f"the program was ended by {signal.Signals(-code).name}"
    if code >= status["trap"]:
        return f"the program trapped (cause {code - status['trap']})"
    return f"wrong answer: the program ended with exit code {code}"


def check_answer(name: str, outcome: Outcome, metrics: list[int] | None) -> None:
    """Raise unless the program ended well and reported a right answer."""
    broken = [line for line in outcome.stderr if PROMISE_BROKEN in line]
    if broken:
        raise NhgError(f"{name}: a promise is broken: {broken[0]}")
    if outcome.code != 0:
        lines = outcome.stderr if outcome.code < 0 else outcome.stdout.strip().splitlines()
        said = f": {lines[-1][:300]}" if lines else ""
        raise NhgError(f"{name}: {ending(outcome.code)}{said}; no record was written")
    if metrics is None or metrics[platform.metric("verified")] != 1:
        raise NhgError(f"{name}: the program did not report a verified answer; no record was written")


def read_json(name: str, path: Path) -> dict:
    try:
        return json.loads(path.read_text())
    except (OSError, json.JSONDecodeError):
        raise NhgError(f"{name}: the run left no readable result; run make doctor") from None


def run_iss(name: str, program: Program, seed: int | None) -> dict:
    """Run to the end on the golden model, requests completing in an order drawn from `seed` (None: each at once); a program that ended well is not
    run twice."""
    order = "at-once" if seed is None else str(seed)
    cached = program.file.with_name(f"iss-{program.sha256[:16]}-{sha256_of(paths.ISS)[:16]}-{order}.json")
    if cached.exists():
        return read_json(name, cached)
    with tempfile.TemporaryDirectory(dir=program.file.parent) as scratch:
        file = Path(scratch) / "result.json"
        with step(f"{name} on the golden model{', completion at once' if seed is None else ''}"):
            outcome = execute(
                [
                    paths.ISS,
                    "--elf",
                    program.file,
                    *([] if seed is None else ["--adversarial", str(seed)]),
                    "--max-insns",
                    str(INSTRUCTIONS_MAX),
                    "--result",
                    file,
                ],
                what=f"{name} on the golden model",
            )
        if not file.exists():
            raise NhgError(f"{name}: the golden model stopped: {outcome.cause()}")
        content = read_json(name, file)
        check_answer(f"{name} on the golden model, {'completion at once' if seed is None else f'SEED={seed}'}", outcome, content["metrics"])
        file.rename(cached)
    return content


def checkpoint(name: str, program: Program) -> Path:
    """The checkpoint at the program's mark, taken once per program and golden model; beside it the lines that caches would hold there."""
    place = program.file.with_name(f"checkpoint-{program.sha256[:16]}-{sha256_of(paths.ISS)[:16]}.bin")
    if not place.exists():
        with tempfile.TemporaryDirectory(dir=program.file.parent) as scratch:
            taken = Path(scratch) / "checkpoint.bin"
            with step(f"{name}: taking the checkpoint"):
                outcome = execute(
                    [
                        paths.ISS,
                        "--elf",
                        program.file,
                        "--max-insns",
                        str(INSTRUCTIONS_MAX),
                        "--checkpoint",
                        taken,
                        "--recent-lines",
                        recent_lines(taken),
                    ],
                    what=f"{name}: taking the checkpoint",
                )
            if outcome.code != 0:
                raise NhgError(f"{name}: no checkpoint: {outcome.cause()}")
            recent_lines(taken).rename(recent_lines(place))
            taken.rename(place)
    return place


def recent_lines(checkpoint: Path) -> Path:
    return checkpoint.with_suffix(".lines")


def work_instructions(name: str, program: Program) -> int:
    """The region's instructions where no poll finds nothing."""
    return run_iss(name, program, None)["roi_instret"]


# Points of one program that are measured at the same time share its golden run and checkpoint: the first makes them.
preparing = threading.Lock()


def on_golden(name: str, program: Program, seed: int) -> tuple[dict, int, Path]:
    """Result of the golden model, its order drawn from `seed`; the region's instructions where no poll finds nothing; and the checkpoint."""
    with preparing:
        return run_iss(name, program, seed), work_instructions(name, program), checkpoint(name, program)


def cycle_limit(iss: dict, setting: Setting) -> int:
    """Cycles after which the RTL run counts as not terminating."""
    latency = platform.latency_cycles(setting.latency_ns) + setting.jitter.longest + CYCLES_BESIDE_LATENCY
    operations = iss["metrics"][platform.metric("operations")]
    return CYCLES_FIXED + CYCLES_PER_INSTRUCTION * iss["instret"] + LATENCIES_PER_OPERATION * operations * latency


def simulator_cause(outcome: Outcome) -> str:
    """The simulator's line that says why it stopped; what it says beside that (the last instructions) goes to the user at once."""
    lines = [line for line in outcome.stderr if line.strip() and not line.startswith(PROGRESS)]
    causes = [line for line in lines if line.startswith("nhg-sim: ")]
    print("\n".join(line for line in lines if line not in causes), end="\n" if len(lines) > len(causes) else "")
    return causes[0].removeprefix("nhg-sim: ")[:300] if causes else outcome.cause()


def advice(code: int, setting: Setting) -> str:
    """What to do about an exit code of the simulator's own."""
    if setting.watch and code == SIMULATOR_EXIT["bad_input"]:
        return f"give another window than WATCH={setting.watch}"
    return SIMULATOR_ADVICE.get(code, "that is an error of the simulator")


def on_sim(name: str, program: Program, setting: Setting) -> Measurement:
    iss, work, image = on_golden(name, program, setting.completion_seed)
    with tempfile.TemporaryDirectory(dir=program.file.parent) as scratch:
        file = Path(scratch) / "result.json"
        began = time.monotonic()
        with step(f"{name} on RTL", instructions=work):
            outcome = execute(
                [
                    paths.TRACE_SIMULATOR if setting.watch else paths.SIMULATOR,
                    "--checkpoint",
                    image,
                    "--result",
                    file,
                    *setting.far_memory.simulator_options,
                    "--max-cycles",
                    str(setting.max_cycles or cycle_limit(iss, setting)),
                    *setting.lockstep_options,
                    *(["--warm-lines", str(recent_lines(image))] if setting.caches == WARM else []),
                    *(setting.watch.options(Path(scratch), "--trace-region") if setting.watch else []),
                ],
                what=f"{name} on RTL",
                show=PROGRESS,
            )
        seconds = time.monotonic() - began
        if outcome.code in SIMULATOR_ADVICE:
            raise NhgError(f"{name}: {simulator_cause(outcome)}; {advice(outcome.code, setting)}; no record was written")
        if outcome.code < 0 or outcome.code > SIMULATOR_EXIT["first_own"]:
            raise NhgError(f"{name}: the simulator ended with code {outcome.code}: {outcome.cause()}")
        snapshots = result.read(name, file) if outcome.code == 0 else None
        if setting.watch and snapshots:
            setting.watch.keep(Path(scratch), program.file.parent)
    check_answer(name, outcome, snapshots.metrics if snapshots else None)
    assert snapshots  # or the answer was not right
    computed = result.compute(snapshots)
    fields = {**result.record_fields(name, computed), "work_instret": work}
    if computed.cycles_by_pc:
        lines = parts.of_program(program.elf or program.file)
        if program.elf:
            fields["kernel_cycles"] = parts.kernel_cycles(computed.cycles_by_pc)
        fields["stalls"] = parts.stalls(name, lines, computed.cycles_by_pc, computed.cycle_breakdown)
        fields["far_waits"] = parts.far_waits(lines, computed.cycles_by_pc, computed.cycle_breakdown)
    return Measurement(snapshots.metrics, fields, seconds, design_of(paths.SIMULATOR), snapshots=snapshots)


def on_fpga(name: str, program: Program, setting: Setting) -> Measurement:
    """The same checkpoint on the board, or on the simulation of its top.

    A core without AMU is another one than NH-G, whose checkpoint's restore stub it cannot fetch: it gets the program itself.
    """
    if setting.lockstep:
        raise NhgError("LOCKSTEP=1 needs TARGET=sim: the board has no commit trace")
    iss = run_iss(name, program, setting.completion_seed)
    board = connected()
    image = read_image(checkpoint(name, program) if board.identity.has_amu else program.file)
    said = bytearray()

    def console(text: bytes) -> None:
        said.extend(text)
        print(text.decode(errors="replace"), end="", flush=True)

    began = time.monotonic()
    snapshots = session.run(board, image, setting.far_memory, setting.max_cycles or cycle_limit(iss, setting), console)
    seconds = time.monotonic() - began
    check_answer(name, Outcome(snapshots.exit_code, said.decode(errors="replace"), []), snapshots.metrics)
    versions = {"bitstream": board.identity.commit, "link": board.access.name}
    if board.bitstream_sha256:
        versions["bitstream_sha256"] = board.bitstream_sha256
    fields = {**result.record_fields(name, result.compute(snapshots)), "work_instret": work_instructions(name, program)}
    return Measurement(snapshots.metrics, fields, seconds, board.identity.sha256, versions, snapshots)


def on_iss(name: str, program: Program, setting: Setting) -> Measurement:
    content = run_iss(name, program, setting.completion_seed)
    fields = {
        "instret": content["roi_instret"],
        "work_instret": work_instructions(name, program),
        "completion_seed": setting.completion_seed,
        "far_waits": parts.by_line(parts.of_program(program.elf or program.file), content["far_accesses"]) if content["far_accesses"] else {},
    }
    return Measurement(
        content["metrics"],
        fields,
        content["host_seconds"],
        design_of(paths.ISS),
    )


def on_x86(name: str, program: Program, setting: Setting) -> Measurement:
    with tempfile.TemporaryDirectory(dir=program.file.parent) as scratch:
        file = Path(scratch) / "result.json"
        began = time.monotonic()
        outcome = execute([program.file], what=f"{name} on x86", environment={"NHG_RESULT": str(file)})
        seconds = time.monotonic() - began
        content = read_json(name, file) if outcome.code == 0 else {"metrics": None}
    check_answer(name, outcome, content["metrics"])
    return Measurement(content["metrics"], {"wall_ns": content["roi_wall_ns"], "processor": processor()}, seconds, program.sha256)


TARGETS = {"sim": on_sim, "fpga": on_fpga, "iss": on_iss, "x86": on_x86}
