# SPDX-License-Identifier: Apache-2.0
"""The histogram that the self-test prints."""

import pytest

from nhg import far_memory
from nhg.board import selftest
from nhg.errors import NhgError
from nhg.jitter import CONSTANT


class Histograms:
    """A board that has only these."""

    def __init__(self, read, write):
        self.words = lambda region, name, count: {"read_histogram": read, "write_histogram": write}[name]


def test_what_came_in_time_is_one_bin():
    far = far_memory.of(800, None, "shared", CONSTANT)
    (_, base), (_, shift) = far.histogram_registers
    assert base + (1 << shift) == far.latency_cycles + 1
    counts = [100, 0, 7, *[0] * 28, 1]
    assert selftest.rows(counts) == [("as set", 100), ("up to 21 ns later", 7), ("later still", 1)]
    assert selftest.lines("read", [30, 0, 15, *[0] * 29])[1].endswith("30 " + "#" * 27)


def test_late_answers_fail_it(make_record, capsys):
    full = {"latency_ns": 200.0, "far_read_latency_ns": {"mean": 326.3}, "far_limit": "port"}
    selftest.report(Histograms([5, *[0] * 31], [0] * 32), make_record(far_late=0, **full))
    said = capsys.readouterr().out
    assert "as set" in said and "far reads took 326 ns on average, 200 ns are set; the limit was the 32-byte port" in said
    with pytest.raises(NhgError, match="3 answers after their time"):
        selftest.report(Histograms([5, *[0] * 31], [0] * 32), make_record(far_late=3))
