# SPDX-License-Identifier: Apache-2.0
"""Plans to vary."""

from nhg.experiment.schema import Experiment

SPEEDUP = {"kind": "bars", "x": "latency_ns", "panels": "benchmark"}


def make_plan(figure=SPEEDUP, sweep=None, **changes) -> Experiment:
    axes = {"benchmark": ["gups"], "scale": "tiny", "latency_ns": [800], "variant": ["serial", "bafin"], **(sweep or {})}
    return Experiment(**{"name": "trial", "title": "Trial", "figure": figure, "sweep": axes, **changes})
