# SPDX-License-Identifier: Apache-2.0
"""What is measured: one benchmark in one variant on one target under one setting."""

from dataclasses import dataclass

from nhg.benchmark import OPERATIONS, Benchmark
from nhg.measure import Setting
from nhg.variants import RISCV, Variant


@dataclass(frozen=True)
class Point:
    """One configuration to be measured."""

    benchmark: Benchmark
    variant: Variant
    target: str
    setting: Setting
    scale: str = "small"
    coroutines: int | None = None
    samples: int = 1
    pages: str = ""  # under Sv39: their size
    os: str = "bare"

    @property
    def on_linux(self) -> bool:
        """In the Linux of NH-G; on x86 it is the machine's."""
        return self.os == "linux" and self.target in RISCV

    @property
    def name(self) -> str:
        return f"{self.benchmark.name}/{self.variant.name}"

    @property
    def identity(self) -> tuple:
        """Equal for points that are the same run, also where two experiments want it."""
        macros = tuple(sorted(self.dataset.items()))
        return (self.benchmark.build_name, self.variant, self.target, self.setting, self.scale, macros, self.tasks, self.samples, self.pages, self.os)

    @property
    def dataset(self) -> dict[str, int]:
        """The macros of its scale; of samples that lie all over the whole run those of that, but for the number of operations that are measured."""
        macros = self.benchmark.scale(self.scale)
        if self.samples == 1 or not self.benchmark.sampling:
            return macros
        return {**macros, **self.benchmark.whole_run[self.scale], OPERATIONS: macros[OPERATIONS]}

    @property
    def tasks(self) -> int:
        return self.coroutines or self.benchmark.tasks(self.variant.name)
