# SPDX-License-Identifier: Apache-2.0
"""lab/campaigns.json: of each campaign, by its command, the last result with commit, day and minutes."""

import json
import subprocess
import time

from nhg import paths


def record(command: str, result: str, minutes: float) -> None:
    file = paths.ROOT / "lab/campaigns.json"
    results = json.loads(file.read_text()) if file.exists() else {}
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=paths.ROOT, capture_output=True, text=True, check=False).stdout.strip()
    results[command] = {"commit": commit, "date": time.strftime("%Y-%m-%d"), "result": result, "minutes": round(minutes)}
    file.write_text(json.dumps(results, indent=2, sort_keys=True) + "\n")
