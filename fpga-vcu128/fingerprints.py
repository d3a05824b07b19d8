# SPDX-License-Identifier: Apache-2.0
"""What each step of the Vivado flow reads, as a checksum, so that a checkpoint is kept as long as nothing it was made from has changed.

steps(...) returns step -> fingerprint, of the step and of all before it: files, options, Vivado's version. What no step reads but the last (gates, the
list of endpoints that may be without timing, the commit) or none (documents) is in none of them.
resume(out, wanted) returns the step whose checkpoint in `out` is the last that is as wanted, or nothing, and removes what is not. The fingerprints
of the checkpoints are in out/inputs.json, written before the first step runs.
"""

import hashlib
import json
import shutil
from pathlib import Path

HERE = Path(__file__).resolve().parent
STEPS = ("synth", "opt", "place", "route")  # with a checkpoint, in order
# Scripts that a step runs, besides those of the steps before it; build.tcl only calls them
SCRIPTS = {"synth": ("environment", "ip", "design", "checkpoint", "synth"), "opt": ("opt",), "place": ("place",), "route": ("route",)}
OPTIONS = {"synth": ("local", "pcie", "hbm_xsdb"), "opt": (), "place": ("place_directive",), "route": ("route_directive",)}
IN_CONSTRAINTS = {"local": {"ddr4": "ddr4"}, "pcie": {"1": "pcie"}}  # option -> value -> constraints that only this design has
KEPT = ("ip", "ip_versions.txt", "checkpoints", "reports")  # of the output, the first always: ip.tcl decides about it


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _platform(path: Path) -> str:
    """The platform's variables but for the versions of Vivado that are allowed, of which each run uses one."""
    return "\n".join(line for line in path.read_text().splitlines() if " vivado_" not in line)


def _read_by_synthesis(named: dict[str, Path], sources: list[Path], include: list[Path], options: dict[str, str]) -> list[Path]:
    extra = [name for option, by_value in IN_CONSTRAINTS.items() if (name := by_value.get(options[option]))]
    headers = [path for folder in include for path in sorted(folder.glob("*.svh"))]
    constraints = [HERE / "constraints" / f"{name}.xdc" for name in ("vcu128", *extra)]
    return [*sources, *headers, named["pins"], *(named[f"{name}_pins"] for name in extra), *constraints]


def steps(named: dict[str, Path], sources: list[Path], include: list[Path], options: dict[str, str], vivado: str) -> dict[str, str]:
    result, before = {}, f"Vivado {vivado}\n{_platform(named['platform'])}"
    for step in STEPS:
        digest = hashlib.sha256(before.encode())
        for option in OPTIONS[step]:
            digest.update(f"{option}={options[option]}\n".encode())
        files = [HERE / "scripts" / f"{name}.tcl" for name in SCRIPTS[step]]
        for path in files + (_read_by_synthesis(named, sources, include, options) if step == "synth" else []):
            digest.update(f"{path.name} {sha256(path)}\n".encode())
        result[step] = before = digest.hexdigest()
    return result


def resume(out: Path, wanted: dict[str, str]) -> str:
    inputs, checkpoints = out / "inputs.json", out / "checkpoints"
    try:
        kept = json.loads(inputs.read_text())
    except (OSError, ValueError):
        kept = {}
    last = ""
    for step in STEPS:
        if kept.get(step) != wanted[step] or not (checkpoints / f"{step}.dcp").is_file():
            break
        last = step
    out.mkdir(parents=True, exist_ok=True)
    for path in out.iterdir():
        if path.name not in KEPT[: None if last else 1]:
            path.unlink() if path.is_file() else shutil.rmtree(path)
    for step in STEPS[STEPS.index(last) + 1 if last else 0 :]:
        (checkpoints / f"{step}.dcp").unlink(missing_ok=True)
    inputs.write_text(json.dumps(wanted, indent=1) + "\n")
    return last
