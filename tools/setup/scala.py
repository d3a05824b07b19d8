# SPDX-License-Identifier: Apache-2.0
"""The Scala and Chisel artefacts that Mill needs and the jars of scalafmt, resolved once and checked against `scala.lock`.

`scala.lock` has one line per jar and pom: sha256 and file name. Mill works
offline from the checked folder afterwards.
"""

import json
import shutil
import tempfile
from pathlib import Path

import downloads
from errors import SetupError, run
from store import REPOSITORY, sha256_of

LOCK = Path(__file__).with_name("scala.lock")
SCALAFMT = "scalafmt.classpath"


def artefacts(cache: Path) -> dict[str, Path]:
    """Jars and poms of a coursier cache by file name."""
    return {path.name: path for path in sorted(cache.rglob("*")) if path.suffix in (".jar", ".pom")}


@downloads.timed()
def resolve(mill: Path, scala_version: str, cache: Path) -> None:
    """Let Mill fetch everything the root build needs into `cache`; its file scalafmt.classpath lists the jars of the formatter."""
    with tempfile.TemporaryDirectory(prefix="nhg-scala-") as scratch:
        for name in ("build.sc", ".mill-jvm-opts"):
            shutil.copy(REPOSITORY / name, scratch)
        environment = {"COURSIER_CACHE": str(cache), "COURSIER_MODE": "missing"}
        targets = " + ".join(
            (
                "__.prepareOffline",
                "__.resolvedRunIvyDeps",
                "hardfloat.sourcesJar",
                "bridgeWorker.scalalibClasspath",
                "bridgeWorker.testrunnerEntrypointClasspath",
                f"bridgeWorker.prepareOfflineCompiler {scala_version} org.scala-lang",
            )
        )
        run(
            [mill, "--no-server", *targets.split()],
            cwd=Path(scratch),
            env=environment,
            what="fetching the Scala libraries (is there a network?)",
            pick=("Resolution failed", "not found", "error:"),
        )
        jars = json.loads(Path(scratch, "out/scalafmt/resolvedRunIvyDeps.json").read_text())["value"]
        names = [Path(jar.rsplit(":", 1)[-1]).relative_to(cache) for jar in jars]
        (cache / SCALAFMT).write_text("".join(f"{name}\n" for name in names))


def verify(cache: Path) -> None:
    """Raise unless every artefact in `cache` is locked and has the locked checksum."""
    locked = {line.split()[1]: line.split()[0] for line in LOCK.read_text().splitlines() if line and line[0] != "#"}
    found = artefacts(cache)
    for name in sorted(locked.keys() - found.keys()):
        raise SetupError(f"{name}: locked in scala.lock and not delivered; repeat, or renew the lock")
    for name, path in found.items():
        if locked.get(name) != sha256_of(path):
            reason = "has a checksum other than the locked one" if name in locked else "is not in scala.lock"
            raise SetupError(f"{name} {reason}; nothing was installed")


def write_lock(cache: Path) -> None:
    lines = [f"{sha256_of(path)}  {name}" for name, path in sorted(artefacts(cache).items())]
    LOCK.write_text("# sha256 and name of every Scala artefact; made by `tools/setup --renew-scala-lock`\n" + "\n".join(lines) + "\n")
