# SPDX-License-Identifier: Apache-2.0
"""Import paths of the Python tests: `nhg` as a package, the installer's modules by name."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "setup"), str(HERE / "style")]
