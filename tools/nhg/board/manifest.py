# SPDX-License-Identifier: Apache-2.0
"""The manifest of the bitstream that the board should have: written by `make bitstream` beside the bitstream.

BITSTREAM names it; without it build/bitstream/manifest.json is taken, if there is one. A board that says anything else of
itself than its manifest, or whose manifest lists violations, is refused: docs/reference/host-interface.md, exit code 4.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from nhg import paths
from nhg.board.access import WrongBitstream
from nhg.board.control import Identity
from nhg.errors import NhgError

DEFAULT = paths.BUILD / "bitstream/manifest.json"
BITSTREAM = "vcu128_top.bit"


@dataclass(frozen=True)
class Manifest:
    """What the flow put into the bitstream; `sha256` is the bitstream file's."""

    path: Path
    identity: Identity
    violations: tuple[str, ...]
    sha256: str


def read(path: Path) -> Manifest:
    try:
        content = json.loads(path.read_text())
        identity = Identity(content["commit"], content["core_khz"], tuple(content["counters"]))
        violations = tuple(content["violations"])
        return Manifest(path, identity, violations, "" if violations else content["outputs_sha256"][BITSTREAM])
    except OSError as error:
        raise NhgError(f"BITSTREAM={path}: {error.strerror}; give the manifest.json that make bitstream wrote") from None
    except (ValueError, KeyError, TypeError) as error:
        raise NhgError(
            f"{path} is not a manifest of make bitstream ({type(error).__name__}: {error}); build the bitstream again or give another BITSTREAM"
        ) from None


def expected(simulated: bool) -> Manifest | None:
    """The manifest to compare with; a simulated board has one only when it is named."""
    if named := os.environ.get("NHG_BITSTREAM"):
        return read(Path(named))
    return read(DEFAULT) if DEFAULT.exists() and not simulated else None


def check(board: str, found: Identity, manifest: Manifest) -> None:
    """Raise unless the board says what its manifest says. `board`: its name."""
    for what, here, there in (
        ("commit", found.commit, manifest.identity.commit),
        ("core clock in kHz", found.core_khz, manifest.identity.core_khz),
        ("number of counters", len(found.counters), len(manifest.identity.counters)),
        ("counters", _first_unlike(found, manifest.identity), _first_unlike(manifest.identity, found)),
    ):
        if here != there:
            raise WrongBitstream(
                f"{board}: wrong bitstream for this host program: its {what} is {here}, that of {manifest.path} "
                f"is {there}; program the board with {BITSTREAM} beside it, or give the right BITSTREAM"
            )
    if manifest.violations:
        raise WrongBitstream(
            f"{board}: wrong bitstream for this host program: {manifest.path} lists {manifest.violations[0]}"
            f" ({len(manifest.violations)} in all); a design that misses timing gives no results, build it again"
        )


def _first_unlike(one: Identity, other: Identity) -> str:
    return next((name for name, against in zip(one.counters, other.counters, strict=False) if name != against), "")
