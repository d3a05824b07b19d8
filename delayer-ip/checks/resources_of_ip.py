# SPDX-License-Identifier: Apache-2.0
"""Resources of the packaged delayer (far_memory_delayer_ip), as Yosys maps it to UltraScale+, against budget.toml.

usage: python delayer-ip/checks/resources_of_ip.py --build DIR [NAME ...]     NAME: a configuration in budget.toml

An estimate without timing, made and counted as the board's (tools/synthesis/yosys.py). Exit code 1 when a
configuration is over its budget, 2 when Yosys fails.
"""

import argparse
import sys
import time
import tomllib
from pathlib import Path

IP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(IP.parent / "tools/synthesis"))

import yosys  # noqa: E402

TOP = "far_memory_delayer_ip"


def measure(folder: Path, parameters: dict[str, int]) -> yosys.Resources:
    """Synthesises the IP block with these parameters."""
    folder.mkdir(parents=True, exist_ok=True)
    values = [word for name, value in parameters.items() for word in ("-G", f"{name}={value}")]
    files = [yosys.inside(path) for path in sorted((IP / "rtl").glob("*.*v"))]
    read = " ".join(["read_slang --threads 1 --keep-hierarchy -DSYNTHESIS --top", TOP, *values, *files])
    statistics, _ = yosys.synthesise(read, TOP, folder)
    return yosys.Resources.of(statistics["design"]["num_cells_by_type"])


def main() -> int:
    parser = argparse.ArgumentParser(description="Resources of the delayer against their budget")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    budget = tomllib.loads(Path(__file__).with_name("budget.toml").read_text())
    if unknown := [name for name in args.names if name not in budget]:
        print(f"resources_of_ip: budget.toml has no configuration {unknown[0]}; it has {', '.join(budget)}", file=sys.stderr)
        return 2
    print(f"{'configuration':16}" + "".join(f"{kind:>10}" for kind in yosys.KINDS) + "   seconds")
    problems: list[str] = []
    for name in args.names or budget:
        begin = time.monotonic()
        try:
            used = measure(args.build.resolve() / "delayer" / "resources" / name, budget[name].get("parameters", {}))
        except yosys.YosysError as error:
            print(f"resources_of_ip: {name}: {error}", file=sys.stderr)
            return 2
        print(f"{name:16}" + "".join(f"{getattr(used, kind):10g}" for kind in yosys.KINDS) + f"{time.monotonic() - begin:10.0f}", flush=True)
        problems += yosys.over_budget(name, used, budget[name])
    for problem in problems:
        print(f"resources_of_ip: over budget: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
