# SPDX-License-Identifier: Apache-2.0
"""Tests import the modules beside them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
