# SPDX-License-Identifier: Apache-2.0
"""What an experiment can show: quantities of a run, some of them over a baseline."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from nhg.record import Record


def ratio(part: float | None, whole: float | None) -> float:
    return part / whole if part is not None and whole else math.nan


def work_of(record: Record) -> int | None:
    """Instructions but for polls that find nothing; all, where the golden model, which counts them, took tasks and this run the plain loop."""
    if record.work_instret is None or record.instret is None:
        return record.work_instret
    return min(record.work_instret, record.instret)


@dataclass(frozen=True)
class Quantity:
    """Its axis title, how numbers are written, and its value from a record and that of the baseline (of a ratio)."""

    title: str
    form: str
    value: Callable[[Record, Record], float]
    is_ratio: bool = False
    over_software: bool = False  # the baseline is the fastest variant of the experiment that does without the AMU, each at its best number of coroutines
    inner: str = ""  # the quantity that is a part of this one


QUANTITIES: dict[str, Quantity] = {
    "speedup": Quantity("speedup (×)", "{:.2f}", lambda own, base: ratio(base.time, own.time), is_ratio=True),
    "over_software": Quantity(
        "speedup over the fastest software (×)", "{:.2f}", lambda own, base: ratio(base.time, own.time), is_ratio=True, over_software=True
    ),
    "instructions": Quantity("instructions (×)", "{:.2f}", lambda own, base: ratio(own.instret, base.instret), is_ratio=True, inner="work_instructions"),
    "work_instructions": Quantity(
        "instructions without polls that find nothing (×)", "{:.2f}", lambda own, base: ratio(work_of(own), base.instret), is_ratio=True
    ),
    "switches": Quantity("switches (×)", "{:.2f}", lambda own, base: ratio(own.switches, base.switches), is_ratio=True),
    "switches_per_operation": Quantity("switches an operation", "{:.2f}", lambda own, base: ratio(own.switches, own.operations)),
    "context_per_switch": Quantity("context operations a switch", "{:.2f}", lambda own, base: ratio(own.context_ops, own.switches)),
    "cycles_per_operation": Quantity("cycles an operation", "{:,.1f}", lambda own, base: ratio(own.cycles, own.operations)),
    "operations_per_us": Quantity("operations a microsecond", "{:,.2f}", lambda own, base: ratio(1000 * own.operations, own.time)),
    "ns_per_operation": Quantity("ns an operation", "{:,.1f}", lambda own, base: ratio(own.time, own.operations)),
    "in_flight_mean": Quantity("far requests in flight, mean", "{:.1f}", lambda own, base: math.nan if own.mlp_mean is None else own.mlp_mean),
    "in_flight_busiest": Quantity("far requests in flight, busiest phase", "{:.1f}", lambda own, base: math.nan if own.mlp_peak is None else own.mlp_peak),
    "far_gbps": Quantity("far traffic (GB/s)", "{:.2f}", lambda own, base: ratio(own.far_bytes, own.emulated_ns)),
}
