# SPDX-License-Identifier: Apache-2.0
"""`make new-benchmark NAME=x` or `DIR=folder`: a directory that already builds and runs in every variant."""

import re
import shutil
from pathlib import Path

from nhg.benchmark import available
from nhg.errors import NhgError
from nhg.paths import BENCHMARKS

TEMPLATE = Path(__file__).with_name("template")
NAME = re.compile(r"^[a-z][a-z0-9_]*$")


def create(name: str, directory: str = "") -> Path:
    """Copy the template, with its names replaced, to software/bench/<name> or to a directory anywhere, whose own name it has unless one is given."""
    place = Path(directory).expanduser().absolute() if directory else BENCHMARKS / name
    name = name or Path(directory).name
    if not NAME.match(name):
        raise NhgError(f"NAME={name} is not usable: small letters, digits and _ only, a letter first")
    if place.exists() or (not directory and name in available()):
        raise NhgError(f"{f'DIR={directory}' if directory else f'NAME={name}: {place}'} exists already; choose another")
    temporary = place.with_name(f".{place.name}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(TEMPLATE, temporary)
        for file in temporary.iterdir():
            file.write_text(file.read_text().replace("@NAME@", name).replace("@UPPER@", name.upper()))
            file.rename(file.with_name(file.name.replace("NAME", name)))
        temporary.rename(place)
    except OSError as error:
        raise NhgError(f"cannot make {place}: {error.strerror}; choose another place with DIR=folder") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return place
