# SPDX-License-Identifier: Apache-2.0
"""A record to vary."""

import pytest

from nhg.record import Record


@pytest.fixture
def make_record():
    def make(**changes) -> Record:
        fields = {
            "key": "0" * 64,
            "bench": "gups",
            "variant": "serial",
            "target": "sim",
            "latency_ns": 800.0,
            "bandwidth_gbps": None,
            "coroutines": 96,
            "scale": "tiny",
            "dataset": {"GUPS_LOG2_WORDS": 16},
            "compiler_flags": "-O2",
            "cycles": 3000,
            "emulated_ns": 1000.0,
            "operations": 10,
            "switches": 0,
            "context_ops": 0,
            "git_commit": None,
            "git_dirty": None,
            "program_sha256": "1" * 64,
            "model_sha256": "2" * 64,
            "tool_versions": {},
            "host_wall_seconds": 1.0,
        }
        return Record(**{**fields, **changes})

    return make
