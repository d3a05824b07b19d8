# SPDX-License-Identifier: Apache-2.0
"""The cycles of runs by cause and by part of the program, in percent (docs/reference/counters.md)."""

import math

import pandas as pd

from nhg.errors import NhgError
from nhg.experiment.execute import Result
from nhg.experiment.schema import Experiment
from nhg.figures.quantities import described, series_of
from nhg.parts import PARTS

CAUSES = ("retiring", "execution", "near_load", "far_load", "store", "amu", "finish", "recovery", "frontend", "registers", "queues")
HAND_WRITTEN_TASKS = ("coroutine", "amac")


def share_name(part: str, cause: str) -> str:
    """The column of a cause's cycles in one part of the program."""
    return f"{part} {cause}"


SHARES = [share_name(part, cause) for part in PARTS for cause in CAUSES]


def shares(plan: Experiment, results: list[Result]) -> pd.DataFrame:
    """One row a chosen point: percent of its cycles by cause, by part of the program (NaN where no part but compute is known), and by both (`share_name`)."""
    rows = []
    for result in results:
        if not result.chosen:
            continue
        record = result.record
        row = {**result.case.values, "series": series_of(plan, result.case), "reason": result.reason, "about": described(result), "name": result.case.name}
        if record and record.cycles and record.cycle_breakdown:
            by_part = {part: sum(record.stalls.get(part, {}).values()) for part in PARTS}
            # Compiled tasks may have left everything to the plain loop; hand-written ones have a scheduler, whether the line table shows it or not.
            known = any(by_part[part] for part in PARTS[:-1]) or record.variant not in HAND_WRITTEN_TASKS
            row["cycles"] = record.cycles
            row |= {cause: 100 * record.cycle_breakdown[cause] / record.cycles for cause in CAUSES}
            row |= {part: 100 * count / record.cycles if known else math.nan for part, count in by_part.items()}
            row |= {share_name(part, cause): 100 * record.stalls.get(part, {}).get(cause, 0) / record.cycles for part in PARTS for cause in CAUSES if known}
            if not known:
                row["reason"] = "parts of hand-written code are not told apart"
        elif not row["reason"]:
            row["reason"] = "this target does not count causes" if record else "not measured"
        rows.append(row)
    table = pd.DataFrame(rows).reindex(columns=[*rows[0], *(name for name in ("cycles", *CAUSES, *PARTS, *SHARES) if name not in rows[0])])
    if table.cycles.isna().all():
        raise NhgError(f"experiment {plan.name}: no point was verified, no figure: {rows[0]['name']} is missing: {rows[0]['reason']}")
    return table
