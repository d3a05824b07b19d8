# SPDX-License-Identifier: Apache-2.0
"""Single jars from the Maven repository, fetched by Apache Ivy and checked against the lock.

Ivy (a Debian package of one jar) knows the public repository by default;
NHG_IVY_SETTINGS names an Ivy settings file for a machine that must use a mirror.
"""

import os
import tempfile
from pathlib import Path

import downloads
from errors import SetupError, run
from store import sha256_of


@downloads.timed()
def fetch(ivy: Path, coordinate: str, sha256: str, into: Path) -> Path:
    """Download `group:name:version` as a jar; a wrong checksum raises and leaves nothing."""
    group, name, version = coordinate.split(":")
    into.mkdir(parents=True, exist_ok=True)
    settings = os.environ.get("NHG_IVY_SETTINGS")
    with tempfile.TemporaryDirectory(dir=into, prefix=".ivy-") as scratch:
        run(
            [
                "java",
                "-jar",
                ivy,
                *(["-settings", settings] if settings else []),
                "-cache",
                f"{scratch}/cache",
                "-dependency",
                group,
                name,
                version,
                "-notransitive",
                "-types",
                "jar",
                "-retrieve",
                f"{scratch}/jar/[artifact].[ext]",
            ],
            what=f"fetching {coordinate} from the Maven repository (is there a network?)",
            pick=("Server access error", "SERVER ERROR", "Exception", "java.", "module not found", "problem"),
        )
        jars = list(Path(scratch, "jar").glob("*.jar"))
        if len(jars) != 1:
            raise SetupError(f"{coordinate}: the Maven repository did not deliver it (is there a network?); repeat")
        found = sha256_of(jars[0])
        if found != sha256:
            raise SetupError(
                f"{coordinate}: checksum {found[:16]}... is not the locked {sha256[:16]}...; the download is broken or was replaced, nothing was installed"
            )
        return jars[0].rename(into / f"{name}-{version}.jar")
