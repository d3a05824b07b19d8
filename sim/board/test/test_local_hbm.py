# SPDX-License-Identifier: Apache-2.0
"""The design with all memory in HBM (LOCAL=hbm): the host's accesses to memory, with a traffic generator in the core's place, which is built in seconds."""

import os
import subprocess
import sys
from pathlib import Path

from nhg import paths

HERE = Path(__file__).resolve().parent
TESTS = "test_identity_and_memory or test_nothing_there_is_an_error or test_fill or test_a_reset_of_pcie_alone"


def test_memory():
    folder = paths.BUILD / "board-hbm"
    make = ["make", "-s", "-C", HERE.parent, "LOCAL=hbm", f"CORE_DIR={paths.ROOT / 'sim/harness/test'}", f"SIM_DIR={folder}", f"BUILD={paths.BUILD}"]
    built = subprocess.run(make, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[-3000:]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE / "test_board.py", HERE / "test_resets.py", "-k", TESTS],
        env=os.environ | {"NHG_BOARD_SIM": str(folder / "board-sim"), "NHG_BOARD_LOCAL": "hbm"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "6 passed" in done.stdout, done.stdout[-3000:]
