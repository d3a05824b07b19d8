# SPDX-License-Identifier: Apache-2.0
"""What each floating-point unit takes of the VCU128 and its longest path, as Yosys maps it alone: the apparatus of fpga-vcu128/checks.

usage: area.py --fir DIR --out DIR MODULE ...     DIR/MODULE.fir: from nhg.fpu.ElaborateFpu

Area is without, delay with a flattened hierarchy. Exit code 1 when a path takes longer than the core's period even between neighbouring cells.
"""

import argparse
import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECKS = ROOT / "fpga-vcu128" / "checks"
sys.path.insert(0, str(CHECKS))

import core_modules  # noqa: E402
import timing  # noqa: E402
import yosys  # noqa: E402
from cells import Resources  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description="Area and longest paths of the floating-point units")
    parser.add_argument("--fir", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("modules", nargs="+")
    args = parser.parse_args()
    delay_ns = tomllib.loads((CHECKS / "budget.toml").read_text())["delay_ns"]
    period_ns = 1000 / tomllib.loads((ROOT / "tools/platform/platform.toml").read_text())["clock"]["fpga_mhz"]
    problems: list[str] = []
    for module in args.modules:
        folder = (args.out / module).resolve()
        subprocess.run(["firtool", args.fir / f"{module}.fir", *core_modules.FIRTOOL_OPTIONS, "-o", folder], check=True)
        read = " ".join(["read_verilog -sv -DSYNTHESIS", *(yosys.inside(path) for path in sorted(folder.glob("*.sv")))])
        paths = timing.longest(folder, read, module, delay_ns)
        used = Resources.of(json.loads((folder / "stat.json").read_text())["design"]["num_cells_by_type"])
        print(f"{module}: {used.lut:,g} LUT, {used.ff:,g} flip-flops, {used.dsp:g} DSP")
        print(timing.table(module, paths), flush=True)
        problems += timing.too_long(module, paths, period_ns)
    for problem in problems:
        print(f"area: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
