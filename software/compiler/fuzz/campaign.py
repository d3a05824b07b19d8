# SPDX-License-Identifier: Apache-2.0
"""Many units, one after the other: progress, time left, and a state from which a broken campaign goes on."""

import hashlib
import json
import shutil
import sys
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fuzz.loops import Function
from fuzz.oracle import Finding, Oracle, Verdict
from fuzz.reduce import reduce_seed, save
from fuzz.source import LOOPS_PER_UNIT, Unit, campaign_unit
from fuzz.toolchain import HERE, PLUGIN, SANITIZERS, Config, configs, rtl_configs

PROGRESS_SECONDS = 10
MOST_REDUCTIONS = 12


def fingerprint() -> str:
    """Changes with the plugin and with the generator."""
    files = [PLUGIN, *sorted(HERE.glob("*.py")), *sorted(HERE.glob("harness.*"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]


def seed_of(loop: str) -> int:
    return int(loop.removeprefix("loop_"))


def new_state(first_unit: int, programs: int, sanitize_every: int, every_scheduler: bool, rtl_every: int, rtl_rows: bool) -> dict[str, Any]:
    return {
        "fingerprint": fingerprint(),
        "first_unit": first_unit,
        "programs": programs,
        "sanitize_every": sanitize_every,
        "every_scheduler": every_scheduler,
        "rtl_every": rtl_every,
        "rtl_rows": rtl_rows,
        "rtl": 0,
        "rtl_with_rows": 0,
        "crashing": [],
        "units": [],
        "loops": 0,
        "hazardous": 0,
        "refused": {},
        "runs": 0,
        "seconds": 0.0,
        "compared": {},
        "split": {},
        "reasons": {},
        "findings": [],
    }


class Campaign:
    """`programs` generated loops in `directory`, from those of `first_unit` on."""

    def __init__(
        self,
        directory: Path,
        first_unit: int,
        programs: int,
        sanitize_every: int,
        every_scheduler: bool,
        rtl_every: int,
        rtl_rows: bool,
        reduce_seconds: float,
    ) -> None:
        self.directory = directory
        self.units = range(first_unit, first_unit - (-programs // LOOPS_PER_UNIT))
        self.reduce_seconds = reduce_seconds
        self.state_file = directory / "state.json"
        self.state = new_state(first_unit, programs, sanitize_every, every_scheduler, rtl_every, rtl_rows)
        directory.mkdir(parents=True, exist_ok=True)
        if self.state_file.exists():
            saved = json.loads(self.state_file.read_text())
            same = ("fingerprint", "first_unit", "sanitize_every", "every_scheduler", "rtl_every", "rtl_rows")
            if all(saved[key] == self.state[key] for key in same):
                self.state = {**saved, "programs": programs}
            else:
                print("fuzz: the last campaign was of another compiler, generator, first seed or choice of loops: starting again", file=sys.stderr)

    def configs(self, number: int) -> list[Config]:
        every = self.state["sanitize_every"]
        return configs(number, every > 0 and number % every == 0, self.state["every_scheduler"])

    def check(self, number: int) -> Verdict:
        oracle = Oracle(self.directory / f"unit{number}")
        unit = campaign_unit(number)
        verdict = oracle.check(unit, f"unit{number}", self.configs(number), number + 1)
        for function in unit.functions:
            if self.runs_on_rtl(function) and function.name not in verdict.crashing:
                self.check_on_rtl(Unit(unit.cpp, (function,)), verdict)
        for path in oracle.directory.iterdir():
            path.unlink()
        oracle.directory.rmdir()
        return verdict

    def runs_on_rtl(self, function: Function) -> bool:
        every = self.state["rtl_every"]
        return every > 0 and seed_of(function.name) % every == every // 2 and (function.rows > 0 or not self.state["rtl_rows"])

    def check_on_rtl(self, unit: Unit, verdict: Verdict) -> None:
        """Adds what a unit of one loop does on RTL, where it may fail for the core's faults, too."""
        name = unit.functions[0].name
        oracle = Oracle(self.directory / name, short=True)
        seen = oracle.check(unit, name, rtl_configs(seed_of(name)), seed_of(name) + 1)
        verdict.findings += seen.findings
        verdict.runs += seen.runs
        shutil.rmtree(oracle.directory)

    def record(self, number: int, verdict: Verdict, seconds: float) -> None:
        state = self.state
        functions = [f for f in campaign_unit(number).functions if f.name not in verdict.crashing]
        hazardous = {f.name for f in functions if f.hazards}
        state["units"].append(number)
        state["loops"] += len(functions)
        state["hazardous"] += len(hazardous)
        state["refused"] = dict(Counter(state["refused"]) + Counter(f.refused for f in functions if f.refused))
        state["crashing"] += verdict.crashing
        state["runs"] += verdict.runs
        state["seconds"] += seconds
        for config in self.configs(number):
            key = f"{config.target} {config.scheduler}" + (f" {config.sanitize}" if config.sanitize else "")
            serial = {loop for (name, loop) in verdict.serial if name == config.name}
            state["compared"][key] = state["compared"].get(key, 0) + len(functions)
            state["split"][key] = state["split"].get(key, 0) + len(functions) - len(serial)
        reasons = Counter(state["reasons"])
        seen = set()
        for (name, loop), reason in verdict.serial.items():
            if loop not in seen and not name.endswith(SANITIZERS):
                seen.add(loop)
                reasons[f"{'hazard: ' if loop in hazardous else ''}{reason}"] += 1
        state["reasons"] = dict(reasons)
        on_rtl = [f for f in functions if self.runs_on_rtl(f)]
        state["rtl"] += len(on_rtl)
        state["rtl_with_rows"] += sum(f.rows > 0 for f in on_rtl)
        for finding in verdict.findings:
            state["findings"].append(
                {
                    "loop": finding.loop,
                    "config": asdict(finding.config),
                    "kind": finding.kind,
                    "detail": finding.detail,
                    "reduced": self.reduced(number, finding),
                }
            )
        self.save()

    def save(self) -> None:
        new = self.state_file.with_suffix(".new")
        new.write_text(json.dumps(self.state, indent=1) + "\n")
        new.replace(self.state_file)

    def reduced(self, number: int, finding: Finding) -> str | None:
        """Path of the reduced program; one for each loop, and not for all when there are many."""
        done = {known["loop"] for known in self.state["findings"]}
        reductions = sum(known["reduced"] is not None for known in self.state["findings"])
        print(f"fuzz: {finding.loop} differs under {finding.config.name} ({finding.kind}): {finding.detail.splitlines()[0][:200]}", flush=True)
        if finding.config.rtl or finding.loop in done or reductions >= MOST_REDUCTIONS or not self.reduce_seconds:
            return None
        seed = seed_of(finding.loop)
        oracle = Oracle(self.directory / "reduce")
        unit = reduce_seed(oracle, seed, finding.config, finding.kind, number + 1, self.reduce_seconds)
        if unit is None:
            print(f"fuzz: {finding.loop} alone does not fail: look at unit {number}", flush=True)
            return None
        path = save(unit, seed, finding.config, finding.kind, self.directory / "reduced")
        print(f"fuzz: reduced to {path}", flush=True)
        return str(path)

    def run(self, jobs: int) -> int:
        """\\returns the number of differences."""
        left = [number for number in self.units if number not in set(self.state["units"])]
        began = shown = time.monotonic()
        done = 0
        with ThreadPoolExecutor(jobs) as pool:
            waiting: dict[Future[Verdict], tuple[int, float]] = {}
            while left or waiting:
                while left and len(waiting) < jobs:
                    number = left.pop(0)
                    waiting[pool.submit(self.check, number)] = (number, time.monotonic())
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    number, started = waiting.pop(future)
                    self.record(number, future.result(), time.monotonic() - started)
                    done += 1
                now = time.monotonic()
                if now - shown > PROGRESS_SECONDS or not (left or waiting):
                    shown = now
                    remaining = (len(left) + len(waiting)) * (now - began) / done
                    print(
                        f"fuzz: {self.state['loops']} of {len(self.units) * LOOPS_PER_UNIT} loops, "
                        f"{len(self.state['findings'])} differences, {remaining / 60:.1f} min left",
                        flush=True,
                    )
        return len(self.state["findings"])

    def report(self) -> str:
        """The campaign in lines of text."""
        state = self.state
        lines = [
            f"{state['loops']} loops ({state['hazardous']} with a hazard, {sum(state['refused'].values())} to be refused), "
            f"{state['runs']} runs compared with the plain loop, {state['rtl']} loops also on RTL ({state['rtl_with_rows']} with rows), "
            f"{len(state['findings'])} differences, {state['seconds'] / 60:.0f} min of work",
            *(["", f"left out, as Clang crashes on them without the plugin: {', '.join(state['crashing'])}"] if state["crashing"] else []),
            "",
        ]
        lines += ["| configuration | loops compared | split into tasks |", "|---|---|---|"]
        lines += [f"| {key} | {count} | {100 * state['split'][key] / count:.1f} % |" for key, count in sorted(state["compared"].items())]
        lines += ["", "| to be refused because of | loops |", "|---|---|"]
        lines += [f"| {reason} | {count} |" for reason, count in Counter(state["refused"]).most_common()]
        lines += ["", "| left serial because | loops |", "|---|---|"]
        lines += [f"| {reason} | {count} |" for reason, count in Counter(state["reasons"]).most_common()]
        return "\n".join(lines) + "\n"
