# SPDX-License-Identifier: Apache-2.0
"""From the points of an experiment to its files in plots/: the figure, and its numbers as Markdown and CSV."""

from pathlib import Path
from typing import TYPE_CHECKING

from nhg.errors import NhgError
from nhg.experiment.execute import Result
from nhg.experiment.schema import Experiment
from nhg.figures import tables, warmup
from nhg.variants import BASELINE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Kinds that are tables without a picture: their rows, and what writes them
TABLES = {"edges": (tables.edge_rows, tables.edges), "warmup": (warmup.rows, warmup.draw)}

WIDE, NARROW = 10.2, 3.4  # inches that a figure takes at most: on a page or a desk's screen, on a telephone


def subtitle(results: list[Result]) -> str:
    """Under which conditions the points were measured, as far as all have them alike."""
    records = [result.record for result in results if result.record]
    scales = sorted({f"{record.scale}" for record in records})
    said = [f"scale {' and '.join(scales)}"] if scales else []
    numbers = {record.coroutines for record in records if record.variant != BASELINE}
    said += [f"{numbers.pop()} coroutines"] if len(numbers) == 1 else []
    targets = sorted({record.target for record in records})
    names = {"sim": "NH-G on RTL", "fpga": "NH-G on the board", "fpga-sim": "simulated board", "iss": "golden model", "x86": "this x86-64 machine"}
    said += [" and ".join(names[target] for target in targets)] if targets else []
    if set(targets) & {"sim", "iss"} and all(record.jitter == "constant" for record in records):
        said.append("n = 1 run a point, the same to the cycle each time")
    samples = {len(record.wall_ns_samples) for record in records if record.wall_ns_samples}
    if samples:
        said.append(f"fastest of n = {min(samples)}{f' to {max(samples)}' if len(samples) > 1 else ''} runs")
    cores = sorted({record.core for record in records} - {"default"})
    said += [f"core {' and '.join(cores)}"] if cores else []
    return ", ".join(said)


def title_of(plan: Experiment, results: list[Result]) -> str:
    beside = f" (paper: figure {plan.paper})" if plan.paper else ""
    return f"{plan.title}{beside}\n{subtitle(results)}"


def picture(plan: Experiment, results: list[Result], title: str, limit: float) -> "Figure":
    """The figure, at most so many inches wide; without a title neither conditions nor notes stand in it."""
    from nhg.figures import bars, breakdown, lines  # matplotlib takes seconds to load

    return {"bars": bars.draw, "lines": lines.draw, "breakdown": breakdown.draw}[plan.figure.kind](plan, results, title, limit)


def draw(plan: Experiment, results: list[Result], folder: Path, quiet: bool = False) -> list[Path]:
    """Write <name>.pdf, .png and .svg, .md and .csv into a folder; print the tables unless `quiet`; return their paths. Of TABLES there is no picture."""
    if not any(result.record for result in results):
        first = results[0]
        raise NhgError(f"experiment {plan.name}: no point was verified, no figure: {first.case.name} is missing: {first.reason or 'not measured'}")
    if plan.figure.kind in TABLES:
        return TABLES[plan.figure.kind][1](plan, results, folder, quiet)
    from nhg.figures import style

    figure = picture(plan, results, title_of(plan, results), WIDE)
    return style.save(figure, folder / plan.name) + tables.write(plan, results, folder, quiet)
