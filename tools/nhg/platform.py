# SPDX-License-Identifier: Apache-2.0
"""Units and limits of the platform, from tools/platform/platform.toml.

One core cycle stands for 1/3 ns. Latency is in emulated ns at the command line
and in cycles (16 bits) in the delayer; bandwidth is in GB/s at the command line
and in bytes per cycle, 16.16 fixed point, in the regulator, 0 meaning unlimited.
"""

import math
import tomllib
from functools import cache
from pathlib import Path

from nhg.errors import NhgError

# Not by nhg.paths, which reads CONFIG, and options.py needs this before CONFIG is known.
DESCRIPTION = Path(__file__).resolve().parents[1] / "platform/platform.toml"

LATENCY_CYCLES_MAX = 0xFFFF
FRACTION_BITS = 16


@cache
def description() -> dict:
    with DESCRIPTION.open("rb") as stream:
        return tomllib.load(stream)


def cores() -> tuple[str, ...]:
    """What CONFIG of make may name, the default first."""
    return tuple(description()["cores"])


def cycles_per_ns() -> float:
    return description()["clock"]["emulated_mhz"] / 1000


def latency_ns_max() -> int:
    """Largest latency the delayer's 16-bit cycle register can hold, in whole emulated ns."""
    return int(LATENCY_CYCLES_MAX / cycles_per_ns())


def bandwidth_gbps_max() -> float:
    """One beat every cycle, in GB/s."""
    clock = description()["clock"]
    return clock["bytes_per_beat"] * cycles_per_ns()


def _number(name: str, text: str, advice: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise NhgError(f"{name}={text} is not a number: {advice}")
    return value


def parse_latency_ns(text: str) -> float:
    """Check LAT and return it in emulated ns."""
    advice = f"give emulated nanoseconds from 0 to {latency_ns_max()}, for example LAT=800"
    value = _number("LAT", text, advice)
    if not 0 <= value <= latency_ns_max():
        raise NhgError(f"LAT={text} is beyond the delayer's range: {advice}")
    return value


def parse_bandwidth_gbps(text: str) -> float | None:
    """Check BW and return it in GB/s; None is unlimited."""
    least = cycles_per_ns() / (1 << FRACTION_BITS)
    advice = f"give GB/s from {least:.6f} to {bandwidth_gbps_max():g}, or 0 for unlimited"
    value = _number("BW", text, advice)
    if value == 0:
        return None
    if not least <= value <= bandwidth_gbps_max():
        raise NhgError(f"BW={text} is beyond the regulator's range: {advice}")
    return value


def parse_bandwidth_mode(text: str) -> str:
    """Check BW_MODE: BW is the bandwidth of reads and writes together (shared), or of each (per-direction)."""
    modes = [name.replace("_", "-") for name in description()["bandwidth"]]
    if text not in modes:
        raise NhgError(f"BW_MODE={text} is not known: give {' or '.join(modes)}")
    return text


def parse_coroutines(text: str) -> int:
    """Check COROS; every coroutine needs an ID of the AMU."""
    most = description()["amu"]["max_id"]
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise NhgError(f"COROS={text} is not a number from 1 to {most}: the AMU has {most} IDs")
    return int(text)


def latency_cycles(latency_ns: float) -> int:
    return min(round(latency_ns * cycles_per_ns()), LATENCY_CYCLES_MAX)


def bandwidth_fixed(bandwidth_gbps: float | None) -> int:
    """Bytes per cycle, 16.16; 0 = unlimited."""
    if bandwidth_gbps is None:
        return 0
    return max(1, round(bandwidth_gbps / cycles_per_ns() * (1 << FRACTION_BITS)))


def bandwidth_mode(name: str) -> int:
    """The mode's value in the delayer's register."""
    return description()["bandwidth"][name.replace("-", "_")]


def register(region: str, name: str) -> int:
    """Address of a device register."""
    platform = description()
    place = platform["regions"][region]
    return place["base"] + platform["registers"][place.get("like", region)][name]["offset"]


def metric(name: str) -> int:
    """Index of a software-reported metric."""
    return description()["metrics"][name]
