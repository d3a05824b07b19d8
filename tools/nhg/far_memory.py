# SPDX-License-Identifier: Apache-2.0
"""How far memory behaves in a run, as the writes of its registers that make it so: the same for the simulator and for the board."""

from dataclasses import dataclass

from nhg import platform
from nhg.jitter import CONSTANT, Jitter

ENTRIES_PER_WORD = 4  # of the jitter table: signed, 16 bits
ENTRY_BITS = 16
HISTOGRAM_SHIFT = 5  # of the latencies: bins of 32 cycles, of which the first ends with the latency set
# Full speed, until the program starts.
FASTEST = (("latency_cycles", 0), ("bandwidth", 0), ("jitter_model", 0))


@dataclass(frozen=True)
class FarMemory:
    """The delayer's settings, as its registers take them."""

    latency_cycles: int
    bandwidth_fixed: int = 0
    bandwidth_mode: int = 0
    jitter: Jitter = CONSTANT

    @property
    def registers(self) -> list[tuple[str, int, int]]:
        """Registers of far_control as (name, index, value), in the order in which they are to be written."""
        offsets = self.jitter.table
        table = [
            sum((offset % (1 << ENTRY_BITS)) << ENTRY_BITS * k for k, offset in enumerate(offsets[first : first + ENTRIES_PER_WORD]))
            for first in range(0, len(offsets), ENTRIES_PER_WORD)
        ]
        return [
            ("latency_cycles", 0, self.latency_cycles),
            ("bandwidth_mode", 0, self.bandwidth_mode),
            ("bandwidth", 0, self.bandwidth_fixed),
            *(("jitter_table", index, word) for index, word in enumerate(table)),
            ("jitter_amplitude", 0, self.jitter.amplitude),
            ("jitter_probability", 0, self.jitter.probability),
            ("jitter_seed", 0, self.jitter.seed),
            ("jitter_model", 0, self.jitter.model),
        ]

    @property
    def histogram_registers(self) -> list[tuple[str, int]]:
        """Where the bins of the histograms lie."""
        return [("histogram_base", max(self.latency_cycles + 1 - (1 << HISTOGRAM_SHIFT), 0)), ("histogram_shift", HISTOGRAM_SHIFT)]

    @property
    def simulator_options(self) -> list[str]:
        """The same writes as options of nhg-sim."""
        counts = platform.description()["registers"]["far_control"]
        return [
            word
            for name, index, value in self.registers
            for word in ("--far-control", f"{name}[{index}]={value}" if "count" in counts[name] else f"{name}={value}")
        ]


def of(latency_ns: float, bandwidth_gbps: float | None, bandwidth_mode: str, jitter: Jitter) -> FarMemory:
    """From emulated ns and GB/s."""
    return FarMemory(platform.latency_cycles(latency_ns), platform.bandwidth_fixed(bandwidth_gbps), platform.bandwidth_mode(bandwidth_mode), jitter)
