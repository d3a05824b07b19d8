# SPDX-License-Identifier: Apache-2.0
"""What is measured: one benchmark in one variant on one target under one setting."""

from dataclasses import dataclass

from nhg.benchmark import Benchmark
from nhg.measure import Setting
from nhg.variants import Variant


@dataclass(frozen=True)
class Point:
    """One configuration to be measured."""

    benchmark: Benchmark
    variant: Variant
    target: str
    setting: Setting
    scale: str = "small"
    coroutines: int | None = None

    @property
    def name(self) -> str:
        return f"{self.benchmark.name}/{self.variant.name}"

    @property
    def identity(self) -> tuple:
        """Equal for points that are the same run, also where two experiments want it."""
        macros = tuple(sorted(self.benchmark.scale(self.scale).items()))
        return (self.benchmark.build_name, self.variant, self.target, self.setting, self.scale, macros, self.tasks)

    @property
    def tasks(self) -> int:
        return self.coroutines or self.benchmark.tasks(self.variant.name)
