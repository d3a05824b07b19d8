# SPDX-License-Identifier: Apache-2.0
"""The environment of every program that this project starts: what a user's shell sets for other programs reaches none of them.

`enter()` is the first thing that a command does; an older python3 reads this file too.
"""

import os
import shutil
import sys
from collections.abc import Mapping

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
NEWER = ("python3.13", "python3.12", "python3.11")
# What is kept: the user and the terminal, the network, clusters, Java, licences of vendor tools, and what makes compilers of this machine run at all.
KEPT = """PATH HOME USER LOGNAME SHELL TERM COLORTERM COLUMNS LINES NO_COLOR TMPDIR TZ HOSTNAME DISPLAY XAUTHORITY PYTHONDONTWRITEBYTECODE
  http_proxy https_proxy ftp_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY CURL_CA_BUNDLE REQUESTS_CA_BUNDLE SSL_CERT_FILE
  SSL_CERT_DIR PIP_CERT PIP_CLIENT_CERT PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS PIP_TRUSTED_HOST PIP_PROXY PIP_CONFIG_FILE PIP_RETRIES
  PIP_DEFAULT_TIMEOUT PIP_TIMEOUT COURSIER_REPOSITORIES COURSIER_CREDENTIALS COURSIER_MIRRORS
  JAVA_HOME JAVA_TOOL_OPTIONS LD_LIBRARY_PATH LD_PRELOAD LOCALE_ARCHIVE LM_LICENSE_FILE""".split()
KEPT_BEGINNINGS = "NHG_ GIT_CONFIG_ NIX_ PYENV_ XDG_ SUDO_ SSH_ KRB5 SLURM_ SBATCH_ LSF_ LSB_ PBS_ SGE_ CONDOR_ XILINX".split()


def ours(given: "Mapping[str, str]") -> "dict[str, str]":
    """A user's environment made into ours: English and UTF-8 everywhere, the toolchain first, no module or header from elsewhere."""
    kept = {name: value for name, value in given.items() if name in KEPT or name.startswith(tuple(KEPT_BEGINNINGS))}
    toolchain = os.path.abspath(given.get("NHG_TOOLCHAIN") or os.path.join(ROOT, ".toolchain"))
    own = os.path.join(toolchain, "bin")
    folders = [folder for folder in given.get("PATH", os.defpath).split(os.pathsep) if folder != own]
    return dict(
        kept,
        PATH=os.pathsep.join([own] + folders),
        NHG_TOOLCHAIN=toolchain,
        LC_ALL="C.UTF-8",
        PYTHONUTF8="1",
        PYTHONNOUSERSITE="1",
        PYTHONPATH=os.path.join(ROOT, "tools"),
    )


def misplaced() -> str:
    """Why nothing can be built here, or an empty text: make takes a path apart at spaces."""
    places = [("the path of the checkout", ROOT)] + [(name, os.environ[name]) for name in ("NHG_TOOLCHAIN", "NHG_BUILD") if name in os.environ]
    for what, path in places:
        bad = [letter for letter in path if letter in " \t\n:#$%'\"\\;&|<>()*?[]{}`~!"]
        if bad:
            return "%s, %s, has the character %r, which make cannot handle: choose another place" % (what, path, bad[0])
    return ""


def enter(program: str) -> None:
    """Go on with a Python that is new enough, in an environment of ours: `program`, named in messages, begins anew unless it has both."""
    python = sys.executable
    if sys.version_info < (3, 11):
        python = next(filter(None, map(shutil.which, NEWER)), None)
        if python is None:
            sys.exit(
                "%s: python3 is %d.%d and 3.11 to 3.13 is needed: install python3.11 beside it (Ubuntu 22.04: apt install python3.11, RHEL 8 and 9: "
                "dnf install python3.11), or, without root, put one of conda, uv or your own build on the PATH" % ((program,) + sys.version_info[:2])
            )
    if misplaced():
        sys.exit("%s: %s" % (program, misplaced()))
    wanted = ours(os.environ)
    if python != sys.executable or dict(os.environ) != wanted:
        os.execve(python, [python] + getattr(sys, "orig_argv", ["python3"] + sys.argv)[1:], wanted)
