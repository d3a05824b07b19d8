# SPDX-License-Identifier: Apache-2.0
"""The last result of each long campaign: lab/campaigns.json, by the command that repeats it."""

import json
import subprocess
import time
from pathlib import Path


def record(root: Path, command: str, result: str, minutes: float) -> None:
    """The last result in place of the one before it; `root` is the checkout."""
    file = root / "lab/campaigns.json"
    results = json.loads(file.read_text()) if file.exists() else {}
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=root, capture_output=True, text=True, check=False).stdout.strip()
    results[command] = {"commit": commit, "date": time.strftime("%Y-%m-%d"), "result": result, "minutes": round(minutes)}
    file.write_text(json.dumps(results, indent=2, sort_keys=True) + "\n")
