# SPDX-License-Identifier: Apache-2.0
"""One run on the board, from the image to a result of the same form as the simulator's (sim/harness/measurement.cc)."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from nhg import platform
from nhg.board.control import Board, State
from nhg.board.image import Image
from nhg.errors import NhgError
from nhg.jitter import CONSTANT, Jitter

WATCHDOG_CYCLES = 100_000
WATCHDOG_LATENCIES = 4  # a core that waits longer than this for far memory is stuck
LOCAL_LATENCY_CYCLES = 240  # 80 ns emulated, as the simulator's local memory has (sim/rtl/sim_top.sv)
FAR_PREFIX, BREAKDOWN_PREFIX = "far_", "cycles_"
EXTREMES = ("_max", "_min")  # far memory's counters that are not sums
PROGRESS_SECONDS = 10.0
PROGRESS_SECONDS_TERMINAL = 1.0


class Stuck(NhgError):
    """The program made no progress or did not end in time."""

    exit_code = 6


@dataclass(frozen=True)
class FarMemory:
    """How far memory behaves."""

    latency_cycles: int
    bandwidth_fixed: int = 0
    bandwidth_mode: int = 0
    jitter: Jitter = CONSTANT

    @property
    def registers(self) -> list[tuple[str, int, int]]:
        """Registers of far_control as (name, index, value), in the order in which they are to be written."""
        table = [sum((offset & 0xFFFF) << 16 * k for k, offset in enumerate(self.jitter.table[first:first + 4]))
                 for first in range(0, len(self.jitter.table), 4)]
        return [("latency_cycles", 0, self.latency_cycles),
                ("bandwidth_mode", 0, self.bandwidth_mode), ("bandwidth", 0, self.bandwidth_fixed),
                *(("jitter_table", index, word) for index, word in enumerate(table)),
                ("jitter_amplitude", 0, self.jitter.amplitude), ("jitter_probability", 0, self.jitter.probability),
                ("jitter_seed", 0, self.jitter.seed), ("jitter_model", 0, self.jitter.model)]


class Reporter:
    """Progress on stderr: what, how much, time left."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._what = ""
        self._began = self._last = time.monotonic()

    def __call__(self, what: str, done: int, of: int) -> None:
        now = time.monotonic()
        if what != self._what:
            self._what, self._began, self._last = what, now, now
        if now - self._last < (PROGRESS_SECONDS_TERMINAL if self._terminal else PROGRESS_SECONDS):
            return
        self._last = now
        left = f", {(now - self._began) * (of - done) / done:.0f} s left" if of and done else ""
        share = f"{done:,} of {of:,} bytes" if of else f"cycle {done:,}, {done / (now - self._began) / 1000:.1f} kHz"
        print(f"board: {what}: {share}{left}", file=sys.stderr, flush=True)


def run(board: Board, image: Image, far: FarMemory, max_cycles: int, console: Callable[[bytes], None]) -> dict:
    """Load, run and measure; `console` takes the program's output as it comes."""
    report = Reporter()
    restarted = board.access.restart()
    board.wait_for_memory()
    board.stop()
    for region in ("far_control", "local_control"):  # full speed until the program starts
        for name in ("latency_cycles", "bandwidth", "jitter_model"):
            board.set(region, name, 0)
    if not restarted:
        board.clear_memory(report)
    board.load(image, report)
    for name, index, value in far.registers:
        board.set("far_control", name, value, index)
    board.set("local_control", "latency_cycles", LOCAL_LATENCY_CYCLES)
    board.start(image.reset_pc)
    began = time.monotonic()
    state = _follow(board, far, max_cycles, console, report)
    seconds = time.monotonic() - began
    result = _result(board, state, far, seconds)
    board.stop()
    return result


def _follow(board: Board, far: FarMemory, max_cycles: int, console: Callable[[bytes], None], report: Reporter) -> State:
    """Stream the console until the program has ended."""
    patience = max(WATCHDOG_CYCLES, WATCHDOG_LATENCIES * (far.latency_cycles + far.jitter.longest))
    while True:
        state = board.state()
        if text := board.take_console(state):
            console(text)
        if state.exited:
            return state
        if state.idle_cycles > patience:
            raise Stuck(f"watchdog: no instruction retired for {state.idle_cycles} cycles at cycle {state.cycles}: "
                        f"{_head(board)}; run it with TARGET=sim LOCKSTEP=1")
        if state.cycles > max_cycles:
            raise Stuck(f"the program did not end within {max_cycles} cycles ({_head(board)}); "
                        "raise MAX_CYCLES or look for an endless loop")
        report("running", state.cycles, 0)
        if not text:
            board.access.pause()


def _head(board: Board) -> str:
    """What the ROB waits for now."""
    board.snapshot()
    now = board.counters("now")
    return f"ROB head pc={now['rob_head_pc']:#x}" if now.get("rob_head_valid") else "ROB empty"


def _result(board: Board, state: State, far: FarMemory, seconds: float) -> dict:
    last = board.counters("now")
    has_region = state.roi_begin and state.roi_end
    first = board.counters("begin") if has_region else dict.fromkeys(last, 0)
    to = board.counters("end") if has_region else last
    counted = {name: to[name] - first[name] for name in to}
    counted.update((name, to[name]) for name in to if name.startswith(FAR_PREFIX) and name.endswith(EXTREMES))
    far_counts = {name.removeprefix(FAR_PREFIX): value for name, value in counted.items() if name.startswith(FAR_PREFIX)}
    mean = _ratio(far_counts["inflight_integral"], far_counts["busy_cycles"])
    peak_integral, peak_busy = board.words("board", "peak_integral", 2)
    probes = {name: value for name, value in counted.items()
              if not name.startswith(FAR_PREFIX) and name not in ("cycles", "instret")}
    return {
        "exit_code": state.exit_value,
        "has_region": has_region, "lockstep": False,
        "latency_cycles": far.latency_cycles, "bandwidth_fixed": far.bandwidth_fixed, "bandwidth_mode": far.bandwidth_mode,
        "jitter_model": far.jitter.model, "seed": 0,
        "cycles": counted["cycles"], "instret": counted.get("instret"),
        "total_cycles": last["cycles"], "total_instret": last.get("instret"),
        "far": far_counts,
        "mlp_mean": mean, "mlp_busiest": _ratio(peak_integral, peak_busy) if peak_busy else mean,
        "cycle_breakdown": {name.removeprefix(BREAKDOWN_PREFIX): value for name, value in probes.items()
                            if name.startswith(BREAKDOWN_PREFIX)},
        "probes": {name: value for name, value in probes.items() if not name.startswith(BREAKDOWN_PREFIX)},
        "metrics": list(board.words("board", "metric", platform.description()["registers"]["board"]["metric"]["count"])),
        "host_seconds": seconds, "sim_khz": last["cycles"] / seconds / 1000 if seconds else 0.0,
    }


def _ratio(numerator: int, denominator: int) -> float:
    return numerator / denominator if denominator else 0.0
