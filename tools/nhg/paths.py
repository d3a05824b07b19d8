# SPDX-License-Identifier: Apache-2.0
"""Where things are: the repository, the toolchain, what is built, the records."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("NHG_BUILD", ROOT / "build")).resolve()
RESULTS = Path(os.environ.get("NHG_RESULTS", ROOT / "results")).resolve()
TOOLCHAIN = Path(os.environ.get("NHG_TOOLCHAIN", ROOT / ".toolchain")).resolve()
BENCHMARKS = ROOT / "software/bench"
SELFTEST = ROOT / "software/selftest"  # not among them: it measures the board
PLOTS = Path(os.environ.get("NHG_PLOTS", ROOT / "plots")).resolve()
PLUGIN = BUILD / "compiler/asyncmem.so"
ISS = BUILD / "golden/nhg-iss"
DEFAULT_CORE = "default"
CONFIG = os.environ.get("NHG_CONFIG") or DEFAULT_CORE  # platform.cores()
SIMULATOR = BUILD / ("" if CONFIG == DEFAULT_CORE else CONFIG) / "sim/nhg-sim"
TRACE_SIMULATOR = SIMULATOR.with_name("nhg-sim-trace")
DESIGN = "design.sha256"  # beside simulator and golden model: the hash of what their results follow from (sim/design.py)
GOLDEN_LIBRARY = BUILD / "golden/libgolden.so"
BOARD_SIMULATOR = BUILD / "board/board-sim"
