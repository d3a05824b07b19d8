# SPDX-License-Identifier: Apache-2.0
"""When do far memory's answers come late? Runs the latency bench (latency_bench.sv) for each latency and kind of traffic, and writes a table in
Markdown: the most bursts in flight for which none of BURSTS is late, and with 512 in flight how many are and their mean latency."""

import argparse
import os
import subprocess
from pathlib import Path

LATENCIES_NS = (100, 200, 400, 800)
CYCLES_PER_NS = 3
WINDOW_MAX = 512
# What a burst waits for, see sim/board/hbm.h
RULES = {
    "one ID, to one pseudo channel at a time": "ids=1,id_rule=1",
    "one ID, one burst at a time": "ids=1,id_rule=2",
    "one ID for each pseudo channel": "ids=2,id_rule=1",
    "one ID for each pseudo channel, one burst at a time": "ids=2,id_rule=2",
    "IDs as the design sends them": "ids=0,id_rule=2",
}
TRAFFIC = {
    "random reads": {},
    "random reads and writes": {"writes": 50},
    "random reads in 16 MiB": {"pattern": 2, "bytes": 16 << 20},
    "streaming reads": {"pattern": 1},
    "rows of one bank": {"pattern": 3},
}


def run(bench: Path, parameters: str, **options: int) -> dict[str, int]:
    """The numbers that one run prints."""
    done = subprocess.run(
        [bench, *(f"+{name}={value}" for name, value in options.items())],
        env=os.environ | {"NHG_HBM": parameters},
        capture_output=True,
        text=True,
        check=True,
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("latency="))
    return {name: int(value) for name, value in (word.split("=") for word in line.split())}


def window_in_time(bench: Path, parameters: str, **options: int) -> int:
    """The most bursts in flight with which nothing is late."""
    low, high = 0, WINDOW_MAX
    while low < high:
        middle = (low + high + 1) // 2
        if run(bench, parameters, window=middle, **options)["late"]:
            high = middle - 1
        else:
            low = middle
    return low


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bench", type=Path)
    parser.add_argument("--bursts", type=int, default=4000)
    parser.add_argument("--rules", nargs="*", choices=RULES, default=list(RULES))
    parser.add_argument("--traffic", nargs="*", choices=TRAFFIC, default=list(TRAFFIC))
    arguments = parser.parse_args()
    print("| rule of the IDs | traffic |" + "".join(f" {latency} ns |" for latency in LATENCIES_NS))
    print("|---|---|" + "---|" * len(LATENCIES_NS))
    for rule in arguments.rules:
        for traffic in arguments.traffic:
            cells = []
            for latency in LATENCIES_NS:
                options = {"latency": latency * CYCLES_PER_NS, "bursts": arguments.bursts} | TRAFFIC[traffic]
                most = window_in_time(arguments.bench, RULES[rule], **options)
                full = run(arguments.bench, RULES[rule], window=WINDOW_MAX, **options)
                cells.append(f" {most}; {full['late']}, {full['read_mean'] / CYCLES_PER_NS:.0f} ns |")
            print(f"| {rule} | {traffic} |" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
