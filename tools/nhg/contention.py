# SPDX-License-Identifier: Apache-2.0
"""Conditions of a run on the simulator that follow from a seed, for tests in which much meets."""

import random

from nhg.far_memory import FarMemory
from nhg.jitter import CONSTANT, Jitter


def conditions(seed: int) -> list[str]:
    """Far latency, jitter, bandwidth, back-pressure and start state of the registers that belong to a seed."""
    rng = random.Random(seed)
    latency_cycles = rng.choice([0, 30, 100, 300, 600, 3000])
    options, jitter, bandwidth = ["--seed", str(rng.randint(1, 1 << 30))], CONSTANT, (0, 0)
    if rng.random() < 0.5:  # uniform, normal or two-point
        amplitude_cycles = rng.choice([10, 100, latency_cycles])
        jitter = Jitter("", rng.randint(1, 3), amplitude_cycles, rng.randint(0, 65535), seed)
    if rng.random() < 0.3:  # 1/4 to 16 bytes a cycle
        bandwidth = (1 << rng.randint(14, 20), rng.randint(0, 1))
    options += FarMemory(latency_cycles, *bandwidth, jitter).simulator_options
    if rng.random() < 0.6:
        options += ["--memory-stall-percent", str(rng.choice([1, 5, 20, 60]))]
    return options
