# SPDX-License-Identifier: Apache-2.0
"""What a job of a cluster does: `python -m nhg.experiment.job FILE` carries one prepared point out, on whichever node.

Nothing is built here. The record goes to results/; of a run that fails the reason goes to results/failed, and the exit code is 1. A job that is
ended from outside leaves neither, and may be begun again.
"""

import pickle
import sys
import time
from pathlib import Path

from nhg.build import sha256_of
from nhg.errors import NhgError
from nhg.experiment.execute import Prepared, attempt, carry_out
from nhg.record import Record
from nhg.run import key_of


def is_here(ready: Prepared) -> bool:
    """Whether this node sees the program and the models that the point was submitted with, and what it is to be found by."""
    programs = ready.program.samples or (ready.program,)
    files = (*((program.file, program.sha256) for program in programs), *ready.models)
    try:
        return all(sha256_of(file) == sha256 for file, sha256 in files) and key_of(ready.point, ready.program) == ready.key
    except (FileNotFoundError, NhgError):
        return False


def checked(ready: Prepared, patience: float) -> Record:
    """The record of a point. Its program and its model may be late on the shared file system."""
    limit = time.monotonic() + patience
    while not is_here(ready):
        if time.monotonic() > limit:
            raise NhgError(f"{ready.point.name}: its program or model is not what was submitted, perhaps built anew since; repeat the command")
        time.sleep(1)
    return carry_out(ready)


def main(file: Path) -> int:
    ready, patience = pickle.loads(file.read_bytes())
    _, reason = attempt(ready.point, lambda: checked(ready, patience))
    print(reason or "verified", file=sys.stderr if reason else sys.stdout)
    return 1 if reason else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
