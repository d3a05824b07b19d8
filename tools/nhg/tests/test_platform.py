# SPDX-License-Identifier: Apache-2.0
"""Units and limits of the command line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhg import platform
from nhg.errors import NhgError


@pytest.mark.parametrize(("latency_ns", "cycles"), [(100, 300), (200, 600), (400, 1200), (800, 2400), (1000, 3000)])
def test_latencies_of_the_specification(latency_ns, cycles):
    assert platform.latency_cycles(platform.parse_latency_ns(str(latency_ns))) == cycles


@pytest.mark.parametrize("text", ["fast", "", "nan", "inf", "-1", "21846", "1e9", "800ns"])
def test_bad_latency_is_one_line(text):
    with pytest.raises(NhgError) as error:
        platform.parse_latency_ns(text)
    assert f"LAT={text}" in str(error.value) and "\n" not in str(error.value)


@given(st.floats(0, 21845))
def test_every_accepted_latency_fits_the_register(latency_ns):
    assert 0 <= platform.latency_cycles(latency_ns) <= 0xFFFF


@pytest.mark.parametrize(("gbps", "fixed"), [("3", 1 << 16), ("96", 32 << 16), ("1.5", 1 << 15)])
def test_bandwidth_is_bytes_per_cycle_in_fixed_point(gbps, fixed):
    assert platform.bandwidth_fixed(platform.parse_bandwidth_gbps(gbps)) == fixed


def test_no_bandwidth_limit_is_zero():
    assert platform.bandwidth_fixed(platform.parse_bandwidth_gbps("0")) == 0


@pytest.mark.parametrize("text", ["x", "-3", "97", "nan", "0.00001"])
def test_bad_bandwidth(text):
    with pytest.raises(NhgError, match="BW="):
        platform.parse_bandwidth_gbps(text)


def test_bandwidth_modes_are_those_of_the_delayer():
    modes = [platform.parse_bandwidth_mode(text) for text in ("shared", "per-direction")]
    assert [platform.bandwidth_mode(mode) for mode in modes] == [0, 1]
    with pytest.raises(NhgError, match="BW_MODE=both is not known: give shared or per-direction"):
        platform.parse_bandwidth_mode("both")


@pytest.mark.parametrize("text", ["0", str(platform.description()["amu"]["max_id"] + 1), "-1", "many", "1.5"])
def test_bad_number_of_coroutines(text):
    with pytest.raises(NhgError, match="COROS="):
        platform.parse_coroutines(text)
