# SPDX-License-Identifier: Apache-2.0
"""One run on the board, from the image to its snapshots of the counters."""

import sys
import time
from collections.abc import Callable

from nhg import platform
from nhg.board.control import Board, State
from nhg.board.image import Image
from nhg.errors import NhgError
from nhg.far_memory import FASTEST, FarMemory
from nhg.result import Snapshots

WATCHDOG_CYCLES = 100_000
WATCHDOG_LATENCIES = 4  # a core that waits longer than this for far memory is stuck
PROGRESS_SECONDS = 10.0
PROGRESS_SECONDS_TERMINAL = 1.0


class Stuck(NhgError):
    """The program made no progress or did not end in time."""

    exit_code = 6


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


def run(board: Board, image: Image, far: FarMemory, max_cycles: int, console: Callable[[bytes], None]) -> Snapshots:
    """Load, run and measure; `console` takes the program's output as it comes."""
    report = Reporter()
    restarted = board.access.restart()
    board.wait_for_memory()
    board.stop()
    for region in ("far_control", "local_control"):  # full speed until the program starts
        for name, value in FASTEST:
            board.set(region, name, value)
    if not restarted:
        board.clear_memory(report)
    board.load(image, report)
    for name, index, value in far.registers:
        board.set("far_control", name, value, index)
    for name, value in far.histogram_registers:
        board.set("far_control", name, value)
    board.set("local_control", "latency_cycles", platform.description()["memory"]["local_latency_cycles"])
    board.start(image.reset_pc)
    began = time.monotonic()
    state = _follow(board, far, max_cycles, console, report)
    seconds = time.monotonic() - began
    snapshots = _snapshots(board, state, seconds)
    board.stop()
    return snapshots


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
            raise Stuck(
                f"watchdog: no instruction retired for {state.idle_cycles} cycles at cycle {state.cycles}: {_head(board)}; run it with TARGET=sim LOCKSTEP=1"
            )
        if state.cycles > max_cycles:
            raise Stuck(f"the program did not end within {max_cycles} cycles ({_head(board)}); raise MAX_CYCLES or look for an endless loop")
        report("running", state.cycles, 0)
        if not text:
            board.access.pause()


def _head(board: Board) -> str:
    """What the ROB waits for now."""
    board.snapshot()
    now = board.counters("now")
    return f"ROB head pc={now['rob_head_pc']:#x}" if now.get("rob_head_valid") else "ROB empty"


def _snapshots(board: Board, state: State, seconds: float) -> Snapshots:
    def bank(name: str) -> tuple[int, ...]:
        return board.words("board", name, len(board.identity.counters))

    has_region = state.roi_begin and state.roi_end
    peak_integral, peak_busy = board.words("board", "peak_integral", 2)
    return Snapshots(
        exit_code=state.exit_value,
        counters=board.identity.counters,
        begin=bank("begin") if has_region else None,
        end=bank("end") if has_region else None,
        now=bank("now"),
        peak_integral=peak_integral,
        peak_busy=peak_busy,
        metrics=list(board.words("board", "metric", platform.description()["registers"]["board"]["metric"]["count"])),
        host_seconds=seconds,
    )
