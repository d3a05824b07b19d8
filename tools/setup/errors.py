# SPDX-License-Identifier: Apache-2.0
"""The one error type of the installer and the way child processes are run.

Every failure a user can meet becomes a SetupError whose text is one line:
what happened, where, what to do.
"""

import errno
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

NO_TRUST = (
    " - Java does not know the authority behind this network's certificates: name a key store that has it with "
    "JAVA_TOOL_OPTIONS=-Djavax.net.ssl.trustStore=FILE"
)


class SetupError(Exception):
    """A failure that ends the installation of one part with one line."""


def disk_message(where: Path) -> str:
    return f"no space left on the disk that holds {where}: free some space and repeat"


def from_os_error(error: OSError, where: Path) -> SetupError:
    """Turn an operating-system error into one line."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return SetupError(disk_message(where))
    return SetupError(f"{error.strerror or error} ({error.filename or where})")


def run(command: Sequence[str | Path], *, what: str, cwd: Path | None = None, env: dict[str, str] | None = None, pick: Sequence[str] = ()) -> str:
    """Run a command quietly and return its output; on failure raise one line.

    `what` names the action for the user. `pick` lists line prefixes that carry
    the cause in this tool's output, the most telling first; without a match the
    last line is shown.
    """
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            cwd=cwd,
            env={**os.environ, "LC_ALL": "C", **(env or {})},
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except FileNotFoundError:
        raise SetupError(f"{what}: the program `{words[0]}` is missing on this machine; install it and repeat") from None
    if done.returncode == 0:
        return done.stdout
    if "No space left on device" in done.stdout or "disk full" in done.stdout.lower():
        raise SetupError(f"{what}: {disk_message(cwd or Path.cwd())}")
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    causes = [line for prefix in pick for line in lines if line.startswith(prefix)]
    cause = (causes or lines[-1:] or [f"exit code {done.returncode}"])[0]
    raise SetupError(f"{what}: {cause[:300]}{NO_TRUST if 'PKIX path' in done.stdout else ''}")
