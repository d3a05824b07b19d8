# SPDX-License-Identifier: Apache-2.0
"""Results that were never run."""

import pytest

from nhg.experiment.execute import Result, select
from nhg.experiment.grid import cases


@pytest.fixture
def results_of(make_record):
    """Results of a plan: `fields(values, tasks)` gives the record's fields of a case, or the reason why there is none."""

    def make(plan, fields):
        found = []
        for case in cases(plan):
            for point in case.points:
                given = fields(case.values, point.tasks)
                if isinstance(given, str):
                    found.append(Result(case, point, None, given))
                    continue
                own = {
                    "bench": case.values["benchmark"],
                    "variant": case.values["variant"],
                    "target": case.values["target"],
                    "scale": case.values["scale"],
                    "latency_ns": case.values["latency_ns"],
                    "coroutines": point.tasks,
                    "key": f"{len(found):012x}".ljust(64, "0"),
                }
                found.append(Result(case, point, make_record(**{**own, **given})))
        return select(found)

    return make
