# SPDX-License-Identifier: Apache-2.0
"""`make bitstream`: checks what the flow needs, runs Vivado on scripts/build.tcl and writes the manifest.

usage: bitstream.py --build DIR [--design DIR] [--check] [--local ddr4|hbm] [--pcie] [--pcie-refclk PIN] [--hbm-xsdb 0|1] [--place-directive WORD]
                    [--route-directive WORD] [--recheck] [--threads N] [--allow-dirty] [--stop-after STEP]

With --check only Vivado and the git tree are looked at. With --recheck the routed design of the last run is looked at once more: no step is repeated, and
no output made, whatever has changed since. `--build` is the build folder with `gen/` (files of the platform
description), `--design` that of the source list sources.txt and the core's tables (default: `fpga` there).
Output: DIR/bitstream/ with the bitstream, probes, flash image, checkpoints, reports and manifest.json. A run goes on from the last checkpoint whose
step, and those before it, would read the same today (fingerprints.py); IP that was synthesised is kept until Vivado or the IP's properties change.
Progress: progress.py. Exit codes: 0 done · 2 arguments · 10 no Vivado · 14 git tree not clean · 18 an input is missing · 130 interrupted · those of build.tcl.
"""

import argparse
import datetime
import json
import queue
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

from fingerprints import resume, sha256, steps
from progress import Progress

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
REPORT_SECONDS = 60
ARGUMENTS, NO_VIVADO, DIRTY, VIOLATED, NO_INPUT = 2, 10, 14, 16, 18


class Failure(Exception):
    """One line for the user and the exit code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def git(*arguments: str) -> str:
    """Git on this checkout: a repository around it, and who owns the files, do not count."""
    places = [f"--git-dir={ROOT / '.git'}", f"--work-tree={ROOT}"]
    result = subprocess.run(["git", *places, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if result.returncode:
        raise Failure(DIRTY, f"git {arguments[0]} failed: {result.stderr.strip()}; build from a git checkout")
    return result.stdout.rstrip()


def find_vivado() -> str:
    vivado = shutil.which("vivado")
    if vivado is None:
        raise Failure(
            NO_VIVADO,
            "vivado is not on the PATH: install AMD Vivado with the VCU128's device files, "
            "source its settings64.sh and repeat; make bitstream-check checks the flow without it",
        )
    return vivado


def commit_word(allow_dirty: bool) -> tuple[str, bool]:
    """(commit for USR_ACCESS, tree is clean). A tree that is not clean has no commit: its word is zero."""
    commit = git("rev-parse", "HEAD")
    changed = git("status", "--porcelain").splitlines()
    if not changed:
        return commit[:8], True
    if not allow_dirty:
        raise Failure(
            DIRTY, f"{len(changed)} files differ from the commit (first: {changed[0][3:]}): commit them, or set ALLOW_DIRTY=1 for a bitstream without commit"
        )
    return "00000000", False


def inputs(build: Path, design: Path, pcie_refclk: str) -> dict[str, Path]:
    """Files the flow reads besides the Verilog, by the name of build.tcl's argument."""
    gen = build / "gen"
    known = sorted(path.stem.removeprefix("pcie_pins_") for path in gen.glob("pcie_pins_*.xdc"))
    if known and pcie_refclk not in known:
        raise Failure(ARGUMENTS, f"PCIE_REFCLK={pcie_refclk} is no reference clock pin of the board's PCIe connector: one of {', '.join(known)}")
    named = {
        "sources": design / "sources.txt",
        "platform": gen / "platform.tcl",
        "pins": gen / "pins.xdc",
        "ddr4_pins": gen / "ddr4_pins.xdc",
        "pcie_pins": gen / f"pcie_pins_{pcie_refclk}.xdc",
    }
    for path in [*named.values(), *read_list(named["sources"])]:
        if not path.is_file():
            raise Failure(NO_INPUT, f"{path} is missing: make -C fpga-vcu128 sources")
    return named


def read_list(path: Path) -> list[Path]:
    return [Path(line) for line in path.read_text().split()] if path.is_file() else []


def includes(design: Path) -> list[Path]:
    return [design, ROOT / "shell/rtl"]


def vivado_version(vivado: str) -> str:
    said = subprocess.run([vivado, "-version"], capture_output=True, text=True, check=False).stdout.split()
    return next((word for word in said if re.fullmatch(r"v\d{4}\.\d.*", word)), "")


def forward(stream: IO[str], lines: queue.Queue[str | None]) -> None:
    """Every line as it comes, then None."""
    for line in stream:
        lines.put(line)
    lines.put(None)


def run(vivado: str, out: Path, arguments: list[str], progress: Progress) -> int:
    """Runs the flow and shows its progress, also within long steps; its last line on standard error is the reason of a failure."""
    command = [
        vivado,
        "-mode",
        "batch",
        "-notrace",
        "-log",
        str(out / "vivado.log"),
        "-journal",
        str(out / "vivado.jou"),
        "-source",
        str(HERE / "scripts" / "build.tcl"),
        "-tclargs",
        *arguments,
    ]
    with subprocess.Popen(command, cwd=out, stdout=subprocess.PIPE, text=True) as process:
        lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=forward, args=(process.stdout, lines), daemon=True).start()
        step = ""
        while True:
            try:
                line = lines.get(timeout=REPORT_SECONDS)
            except queue.Empty:
                if step:
                    print(progress.line(), flush=True)
                continue
            if line is None:
                break
            if line.startswith("build: step "):
                step = line.split()[-1]
                print(progress.begin(step), flush=True)
            elif line.startswith("ip: "):
                print(line, end="", flush=True)
    if process.returncode == 0:
        progress.end()
    return process.returncode


def platform_value(build: Path, name: str) -> str:
    """A variable of platform.tcl."""
    path = build / "gen" / "platform.tcl"
    if not path.is_file():
        raise Failure(NO_INPUT, f"{path} is missing: make -C fpga-vcu128 sources")
    return re.search(rf"variable {name} \{{(.*)\}}", path.read_text()).group(1)


def counter_names(tables: str) -> list[str]:
    """Names of the counters in the order of a bank, from nhg_probes.svh: concatenations of padded names, the first one last."""
    names: list[str] = []
    for macro in ("NHG_COUNTER_NAMES", "NHG_PROBE_NAMES"):
        words = re.findall(r"256'h([0-9a-f]+)", re.search(rf"`define {macro} (.*)", tables).group(1))
        names += [int(word, 16).to_bytes(32, "little").rstrip(b"\0").decode("ascii") for word in reversed(words)]
    return names


def pairs(path: Path) -> list[tuple[str, str]]:
    return [tuple(line.split("=", 1)) for line in path.read_text().splitlines()] if path.is_file() else []


def write_manifest(build: Path, design: Path, out: Path, stamp: str, clean: bool) -> None:
    results = pairs(out / "results.txt")
    manifest = {
        "schema": 1,
        **{key: value for key, value in results if key != "violation"},
        "clean": clean,
        "core_khz": round(1000 * float(platform_value(build, "core_mhz"))),
        "counters": counter_names((design / "nhg_probes.svh").read_text()),
        "violations": [value for key, value in results if key == "violation"],
        "ip": dict(pairs(out / "ip_versions.txt")),
        "inputs_sha256": stamp,
        "outputs_sha256": {path.name: sha256(path) for path in sorted(out.glob("vcu128_top*"))},
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }
    partial = out / "manifest.json.partial"
    partial.write_text(json.dumps(manifest, indent=2) + "\n")
    partial.rename(out / "manifest.json")


def main() -> int:
    parser = argparse.ArgumentParser(prog="bitstream", description="Build the VCU128 bitstream")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--design", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--local", choices=("ddr4", "hbm"), default="ddr4", help="where local memory lies")
    parser.add_argument("--pcie", action="store_true")
    parser.add_argument("--pcie-refclk", default="", help="package pin of the clock's P side, of those in platform.toml")
    for step in ("place", "route"):
        parser.add_argument(f"--{step}-directive", default="", help=f"of Vivado's {step}_design; the default is its own")
    parser.add_argument("--recheck", action="store_true")
    parser.add_argument("--hbm-xsdb", type=int, choices=(0, 1), default=1)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--allow-dirty", action="store_true")
    parser.add_argument("--stop-after", default="bitstream")
    args = parser.parse_args()
    try:
        vivado = find_vivado()
        commit, clean = commit_word(args.allow_dirty or args.recheck)
        if args.check:
            return 0
        design = args.design or args.build / "fpga"
        named = inputs(args.build, design, args.pcie_refclk or platform_value(args.build, "pcie_refclk"))
        chosen = {
            "local": args.local,
            "pcie": str(int(args.pcie)),
            "hbm_xsdb": str(args.hbm_xsdb),
            "place_directive": args.place_directive,
            "route_directive": args.route_directive,
        }
        out = args.build / "bitstream"
        if args.recheck and not (out / "checkpoints/route.dcp").is_file():
            raise Failure(NO_INPUT, f"RECHECK=1: {out / 'checkpoints/route.dcp'} is missing: no design was routed here; run make bitstream without it")
        wanted = {} if args.recheck else steps(named, read_list(named["sources"]), includes(design), chosen, vivado_version(vivado))
        step = "route" if args.recheck else resume(out, wanted)
        if step and not args.recheck:
            print(f"build: going on after {step}", flush=True)
        options = [
            *(f"{key}={value}" for key, value in chosen.items()),
            f"commit={commit}",
            f"recheck={int(args.recheck)}",
            f"out={out}",
            f"include={' '.join(f'{{{folder}}}' for folder in includes(design))}",
            f"threads={args.threads}",
            f"resume={step}",
            f"stop_after={args.stop_after}",
            *(f"{key}={path}" for key, path in named.items()),
        ]
        code = run(vivado, out, options, Progress(args.build / "bitstream_times.json"))
    except Failure as failure:
        print(f"bitstream: {failure}", file=sys.stderr)
        return failure.code
    except KeyboardInterrupt:
        print("bitstream: interrupted; repeat to go on after the last checkpoint", file=sys.stderr)
        return 130
    if args.recheck and code == 0:
        print("bitstream: the routed design meets everything")
    if code in (0, VIOLATED) and (out / "results.txt").is_file() and not args.recheck:
        write_manifest(args.build, design, out, wanted["route"], clean)
        print(f"bitstream: {out / 'manifest.json'}")
    return code


if __name__ == "__main__":
    sys.exit(main())
