# SPDX-License-Identifier: Apache-2.0
"""`make new-benchmark NAME=x`: a directory that already builds and runs in every variant."""

import re
import shutil
from pathlib import Path

from nhg.benchmark import available
from nhg.errors import NhgError
from nhg.paths import BENCHMARKS

TEMPLATE = Path(__file__).with_name("template")
NAME = re.compile(r"^[a-z][a-z0-9_]*$")


def create(name: str) -> Path:
    """Copy the template to software/bench/<name> with its names replaced."""
    if not NAME.match(name):
        raise NhgError(f"NAME={name} is not usable: small letters, digits and _ only, a letter first")
    place = BENCHMARKS / name
    if name in available() or place.exists():
        raise NhgError(f"NAME={name}: {place} exists already; choose another name")
    temporary = place.with_name(f".{name}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        shutil.copytree(TEMPLATE, temporary)
        for file in temporary.iterdir():
            file.write_text(file.read_text().replace("@NAME@", name).replace("@UPPER@", name.upper()))
            file.rename(file.with_name(file.name.replace("NAME", name)))
        temporary.rename(place)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return place
