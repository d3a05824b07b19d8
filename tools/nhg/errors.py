# SPDX-License-Identifier: Apache-2.0
"""The errors a user sees. `make` reads this before anything is installed: the standard library only."""

from pathlib import Path


class NhgError(Exception):
    """One line: what happened, where, what to do. The command ends with `exit_code`."""

    exit_code = 1


class Interrupted(NhgError):
    """What was under way has not failed: the user ended it."""


def no_space(where: Path) -> NhgError:
    return NhgError(f"no space left on the disk that holds {where}: free some space and repeat")
