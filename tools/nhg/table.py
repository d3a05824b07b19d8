# SPDX-License-Identifier: Apache-2.0
"""The table `make run` prints: one column per run, serial first, and the speedup."""

from rich.console import Console
from rich.table import Table

from nhg import late
from nhg.record import Record

ROWS: tuple[tuple[str, str, str], ...] = (
    ("coroutines", "tasks", "{:,}"),
    ("operations", "operations", "{:,}"),
    ("cycles", "cycles", "{:,}"),
    ("emulated time", "emulated_ns", "{:,.0f} ns"),
    ("wall time", "wall_ns", "{:,} ns"),
    ("instructions", "instret", "{:,}"),
    ("far reads", "far_reads", "{:,}"),
    ("far writes", "far_writes", "{:,}"),
    ("far bytes", "far_bytes", "{:,}"),
    ("far reads took, mean", "far_read_mean_ns", "{:,.0f} ns"),
    ("far answers late", "far_late", "{:,}"),
    ("far in flight, mean", "mlp_mean", "{:.1f}"),
    ("far in flight, busiest phase", "mlp_peak", "{:.1f}"),
    ("far in flight, most", "inflight_max", "{:,}"),
    ("switches", "switches", "{:,}"),
    ("context operations", "context_ops", "{:,}"),
    ("branch mispredicts", "branch_mispredicts", "{:,}"),
    ("simulated kHz", "simulated_khz", "{:.1f}"),
    ("host seconds", "host_wall_seconds", "{:.1f}"),
)

# Of the lines of the source at which the core waits for far memory.
LINES_SHOWN, SHARE_SHOWN = 3, 0.005


def speedup(baseline: Record, other: Record) -> float | None:
    """Time of the baseline over time of the other; None when the target measures no time."""
    if not baseline.time or not other.time:
        return None
    return baseline.time / other.time


def conditions(record: Record) -> str:
    bandwidth = "unlimited" if record.bandwidth_gbps is None else f"{record.bandwidth_gbps:g} GB/s {record.bandwidth_mode}"
    jitter = "" if record.jitter == "constant" else f", jitter {record.jitter} (seed {record.jitter_seed})"
    completion = "" if record.completion_seed is None else f", completion seed {record.completion_seed}"
    scale = record.scale + (f", pages of {record.pages}" if record.pages else "") + (", L3 warm" if record.caches == "warm" else "")
    core = "" if record.core == "default" else f" with core {record.core}"
    return f"{record.bench}, scale {scale}, target {record.target}{core}, far latency {record.latency_ns:g} ns{jitter}, bandwidth {bandwidth}{completion}"


def render(records: list[Record]) -> Table:
    table = Table()
    table.add_column("")
    for record in records:
        table.add_column(record.variant, justify="right")
    for label, field, form in ROWS:
        values = [getattr(record, field) for record in records]
        if any(value is not None for value in values):
            table.add_row(label, *("-" if value is None else form.format(value) for value in values))
    table.add_row("answer", *("verified" for _ in records))
    ratios = [speedup(records[0], record) for record in records]
    if len(records) > 1 and all(ratio is not None for ratio in ratios):
        table.add_row("speedup over " + records[0].variant, *(f"{ratio:.2f}x" for ratio in ratios), style="bold")
    return table


def breakdown(records: list[Record]) -> Table:
    """What the ROB head waited for, in percent of the region's cycles; of a transformed program also by its parts."""
    table = Table(title="cycles, %")
    table.add_column("")
    columns: list[tuple[int, dict[str, int]]] = []
    for record in records:
        table.add_column(record.variant, justify="right")
        columns.append((record.cycles or 1, record.cycle_breakdown))
        parts = {part: cycles for part, cycles in record.stalls.items() if sum(cycles.values())}
        for part, cycles in parts.items() if len(parts) > 1 else ():
            table.add_column(part, justify="right", style="dim")
            columns.append((record.cycles or 1, cycles))
    for cause in records[0].cycle_breakdown:
        if any(cycles.get(cause) for _, cycles in columns):
            table.add_row(cause.replace("_", " "), *(f"{cycles.get(cause, 0) / total:.1%}".removesuffix("%") for total, cycles in columns))
    table.add_row("all", *(f"{sum(cycles.values()) / total:.1%}".removesuffix("%") for total, cycles in columns))
    return table


def waits(record: Record) -> str | None:
    """The lines of the source that cost the core most because far memory had not answered: what another mark would make a request."""
    total = record.cycles or sum(record.far_waits.values())
    most = [(line, count / total) for line, count in list(record.far_waits.items())[:LINES_SHOWN] if count / total >= SHARE_SHOWN]
    if not most:
        return None
    what = "waits for far memory, of all cycles" if record.cycles else "far accesses that are no requests"
    return f"{what}: " + ", ".join(f"{share:.1%} {line}" for line, share in most)


def show(records: list[Record]) -> None:
    print(conditions(records[0]))
    Console(highlight=False).print(render(records))
    if any(record.cycle_breakdown for record in records):
        Console(highlight=False).print(breakdown(records))
    for record in records:
        if said := waits(record):
            print(f"{record.variant}: {said}")
        for loop in record.loops_left_serial:
            print(f"{record.variant}: loop left serial: {loop}")
        if interval := record.cycles_per_operation_interval:
            mean = f"{(interval[0] + interval[1]) / 2:,.1f} cycles an operation, {interval[0]:,.1f} to {interval[1]:,.1f} with 95 % confidence"
            print(f"{record.variant}: {len(record.samples)} samples, from operations {' '.join(f'{one.first:,}' for one in record.samples)}: {mean}")
    for record in records:
        if record.far_limit and not record.far_late:
            print(f"{record.variant}: {late.took(record)}")
    for line in late.lines(records):
        print(line)
