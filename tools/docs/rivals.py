# SPDX-License-Identifier: Apache-2.0
"""Tables of docs/design/rivals.md: what others say of their work (experiments/rivals.toml), and ours of the captured sets of experiments/dx100.yaml.

A set that is not captured leaves its cells empty, and the table says which command fills them.
"""

import math
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "experiments/rivals.toml"
CAPTURED = ROOT / "results/captured"
PREFIX = "dx100-"  # of the kernels' names in records
LATENCIES_NS = (200, 800)
Cycles = dict[tuple[str, str, int], int]
Table = Callable[[tuple[str, ...], Sequence[tuple[str, ...]]], str]


def captured(core: str) -> Cycles:
    """Cycles by kernel, variant and latency; empty without a set."""
    from nhg.experiment import sets

    place = CAPTURED / (f"dx100-{core}.csv" if core else "dx100.csv")
    if not place.exists():
        return {}
    return {
        (record.bench.removeprefix(PREFIX), row["case_variant"], int(record.latency_ns)): record.cycles
        for row, record in sets.read(place)
        if record and record.cycles
    }


def published() -> dict[str, float]:
    """DX100's speedup of each kernel."""
    return {kernel: without / with_it for kernel, (without, with_it) in tomllib.loads(PUBLISHED.read_text())["dx100"]["cycles"].items()}


def spelled(number: float | None) -> str:
    return "" if number is None else f"{number:.2f}"


def mean(numbers: list[float | None]) -> float | None:
    """Geometric; None where a number is missing."""
    known = [number for number in numbers if number is not None]
    return math.prod(known) ** (1 / len(known)) if known and len(known) == len(numbers) else None


def kernels(table: Table) -> str:
    """A row for each kernel: DX100's speedup, and ours of `full` over serial on the same core and over serial on the larger one."""
    ours, larger = captured(""), captured("large")

    def over(baseline: Cycles, kernel: str, latency_ns: int) -> float | None:
        serial, full = baseline.get((kernel, "serial", latency_ns)), ours.get((kernel, "full", latency_ns))
        return serial / full if serial and full else None

    columns = [(baseline, latency_ns) for latency_ns in LATENCIES_NS for baseline in (ours, larger)]
    values: dict[str, list[float | None]] = {
        kernel: [speedup, *(over(baseline, kernel, latency_ns) for baseline, latency_ns in columns)] for kernel, speedup in published().items()
    }
    rows = [(f"`{kernel}`", *map(spelled, row)) for kernel, row in values.items()]
    rows.append(("**mean**", *(spelled(mean(list(column))) for column in zip(*values.values(), strict=True))))
    header = ("kernel", "DX100", *(f"{what}, {latency_ns} ns" for latency_ns in LATENCIES_NS for what in ("over serial", "over serial on `large`")))
    missing = [option for option, found in (("", ours), (" CONFIG=large", larger)) if not found]
    commands = " and ".join(f"`make figures EXP=experiments/dx100.yaml CAPTURE=1{option}`" for option in missing)
    return table(header, rows) + (f"\n\nEmpty cells are not captured: {commands} fill them." if missing else "")


def means(table: Table) -> str:
    """What each published mean is of."""
    rows = [
        (each["name"], f"{each['speedup']:g}", each["over"], each["memory"], each["machine"], each["workloads"], each["source"])
        for each in tomllib.loads(PUBLISHED.read_text())["mean"]
    ]
    return table(("", "speedup", "over", "memory", "machine", "workloads", "source"), rows)


def source(_table: Table) -> str:
    """Where the kernels' numbers of DX100 come from; a commit's hash stands in the file, not on a page."""
    return str(tomllib.loads(PUBLISHED.read_text())["dx100"]["source"])
