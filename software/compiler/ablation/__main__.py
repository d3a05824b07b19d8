# SPDX-License-Identifier: Apache-2.0
"""What each mechanism of the compiler is worth: off one at a time, in workloads, list, tree and the kernels of outside code.

usage: python -m ablation [--list] [--only rtl,kinds,x86] [--benchmarks a,b] [--latencies 100,800] [--out DIR] [--table FILE] [NAME ...]
NAME: a mechanism of mechanisms.toml, by how it begins. Needs PYTHONPATH=tools:software/compiler.

A point on RTL whose program is the same without the mechanism is not run, nor is one whose program was run before: results.json in `out` is by content. So
the command goes on where it stopped. The table goes to the laboratory notes; a ratio above 1 is what the mechanism gains.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean

from ablation import points
from ablation.mechanism import Compiler, Mechanism, listed

from nhg import paths
from nhg.errors import NhgError

TABLE = paths.ROOT / "lab/ablation.md"
PARTS = ("rtl", "kinds", "x86")
# What keeps a mechanism: of one point, of the mean over the points of a variant and latency.
ONE, MEAN = 1.05, 1.02

Rows = list[str]


def rtl(mechanism: Mechanism, plugin: Path, places: list[points.Place], latencies: list[int], results: points.Results) -> tuple[list[str], Rows]:
    """Cells of a mechanism, a variant and latency each; and a line for each point that changes much."""
    pairs = {place: (points.built(place, paths.PLUGIN, ()), points.built(place, plugin, mechanism.options)) for place in places}
    changed = {place: pair for place, pair in pairs.items() if pair[0].sha256 != pair[1].sha256}
    cells, lines = [f"{len(changed)} of {len(pairs)}"], []
    for variant in points.VARIANTS:
        for latency in latencies:
            ratios = {}
            for place, (on, off) in changed.items():
                if place.variant != variant:
                    continue
                print(f"{mechanism.name}: {place.name} {variant} {latency} ns ...", flush=True)
                before, after = (points.cycles(one, latency, results) for one in (on, off))
                if isinstance(before, str) or isinstance(after, str):
                    lines.append(f"- {place.name}, {variant}, {latency} ns: {after if isinstance(after, str) else before}")
                    continue
                ratios[place.name] = after / before
            same = len(pairs) // len(points.VARIANTS) - len(ratios)
            mean = geometric_mean([*ratios.values(), *[1.0] * same])
            best = max(ratios.items(), key=lambda item: item[1], default=("", 1.0))
            cells.append(f"{mean:.3f}, {best[0]} {best[1]:.2f}" if ratios else "same")
            lines += [f"- {name}, {variant}, {latency} ns: {ratio:.2f}" for name, ratio in ratios.items() if not 1 / ONE < ratio < ONE]
            if mean >= MEAN:
                lines.append(f"- mean, {variant}, {latency} ns: {mean:.3f}")
    newly = [
        f"- {place.name}, {place.variant}: {why}"
        for place, (on, off) in changed.items()
        if on.program and off.program
        for why in set(off.program.loops_left_serial) - set(on.program.loops_left_serial)
    ]
    return cells, lines + newly


def write(table: Path, heads: list[str], rows: dict[str, list[str]], details: dict[str, Rows]) -> None:
    text = [
        "# What each mechanism of the compiler is worth",
        "",
        "`python -m ablation` (software/compiler/ablation): each mechanism off, cycles without it over cycles with it; first the mean over all points of the "
        "variant, then the point that loses most. Lines are those of its files.",
        "",
        f"| {' | '.join(heads)} |",
        f"|{'---|' * len(heads)}",
        *(f"| {' | '.join(cells)} |" for cells in rows.values()),
        "",
    ]
    for name, lines in details.items():
        if lines:
            text += [f"## {name}", "", *lines, ""]
    table.parent.mkdir(parents=True, exist_ok=True)
    new = table.with_suffix(".new")
    new.write_text("\n".join(text))
    new.replace(table)


def main() -> int:
    parser = argparse.ArgumentParser(prog="ablation", description="What each mechanism of the compiler is worth")
    parser.add_argument("--list", action="store_true", help="only the mechanisms, their lines and files")
    parser.add_argument("--only", default=",".join(PARTS), help="of " + ", ".join(PARTS))
    parser.add_argument("--benchmarks", default="", help="only these on RTL")
    parser.add_argument("--latencies", default="100,800", help="ns")
    parser.add_argument("--out", type=Path, default=paths.BUILD / "ablation")
    parser.add_argument("--table", type=Path, default=TABLE)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    given.out = given.out.resolve()  # the plugin is built in another folder
    every = listed()
    chosen = [one for one in every if not given.names or one.name.startswith(tuple(given.names))]
    if given.list:
        print("\n".join(f"{one.lines:5} {one.name}: {one.about}" for one in chosen))
        return 0
    latencies = [int(each) for each in given.latencies.split(",")]
    places = [place for place in points.places() if not given.benchmarks or Path(place.bench).name in given.benchmarks.split(",")]
    wanted: dict[str, Callable[[Mechanism, Path], tuple[list[str], Rows]]] = {}
    heads = ["mechanism", "lines", "paper"]
    results = points.Results(given.out / "results.json")
    if "rtl" in given.only:
        heads += ["programs changed", *(f"{variant} {latency} ns" for variant in points.VARIANTS for latency in latencies)]
        wanted["rtl"] = lambda one, plugin: rtl(one, plugin, places, latencies, results)
    if "kinds" in given.only:
        heads.append("kinds changed")

        def count(one: Mechanism, plugin: Path) -> tuple[list[str], Rows]:
            wrong = points.kinds(plugin, given.out) if one.changes else []
            return [str(len(wrong)) if one.changes else ""], [f"- {line}" for line in wrong]

        wanted["kinds"] = count
    if "x86" in given.only:
        heads.append("kernels on x86")

        def native(one: Mechanism, plugin: Path) -> tuple[list[str], Rows]:
            ratios = dict(points.on_x86(one, plugin))
            return [f"{geometric_mean(ratios.values()):.3f}"], [f"- x86, {name}: {ratio:.2f}" for name, ratio in ratios.items() if not 1 / ONE < ratio < ONE]

        wanted["x86"] = native
    rows: dict[str, list[str]] = {}
    details: dict[str, Rows] = {}
    try:
        compiler = Compiler(given.out)
        for one in chosen:
            rows[one.name] = [one.name, str(one.lines), one.paper]
            details[one.name] = [f"- without it: {one.keeps}"] if one.keeps else []
            if one.can_be_off:
                plugin = compiler.without(one)
                for part in wanted.values():
                    cells, lines = part(one, plugin)
                    rows[one.name] += cells
                    details[one.name] += lines
            rows[one.name] += [""] * (len(heads) - len(rows[one.name]))
            write(given.table, heads, rows, details)
    except NhgError as error:
        print(f"ablation: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
