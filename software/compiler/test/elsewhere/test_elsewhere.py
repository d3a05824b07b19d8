# SPDX-License-Identifier: Apache-2.0
"""No test depends on where the checkout lies: tests of lit and of pytest in a copy whose path is long and has every word that a test refuses to find."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
TOOLCHAIN = Path(os.environ.get("NHG_TOOLCHAIN", ROOT / ".toolchain"))
COMPILER = Path("software/compiler/test")
NAMES = ("coroamu", "asyncmem", "remote")
# Of FileCheck's lines: what may be in a path.
REFUSED = re.compile(r"-NOT: *(.*)")
WORD = re.compile(r"[A-Za-z_][\w.]*")
LEFT_OUT = ("build", ".toolchain", "out", ".git", "__pycache__")
PATH_LENGTH = 2000  # of 4,096 that the system allows, with room for what a test adds


def refused_words() -> list[str]:
    files = [file for suffix in ("c", "cpp", "ll") for file in sorted((ROOT / COMPILER).rglob(f"*.{suffix}"))]
    return list(dict.fromkeys(word for file in files for line in REFUSED.findall(file.read_text()) for word in WORD.findall(line)))


def folders(words: list[str]) -> Path:
    """The words as a path, some to a folder."""
    place, name = Path(*NAMES), ""
    for word in words:
        if len(name) + len(word) > 200:
            place, name = place / name, ""
        name += f".{word}" if name else word
    return place / name


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The sources, and what was built of them."""
    place = tmp_path_factory.mktemp("elsewhere") / folders(refused_words())
    assert len(str(place)) < PATH_LENGTH
    shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
    (place / "build/compiler").mkdir(parents=True)
    for file in ("compiler/asyncmem.so", "compiler/asyncmem-opt.so", "gen", "runtime", "golden"):
        (place / "build" / file).symlink_to(ROOT / "build" / file)
    return place


def run(folder: Path, *command: str) -> str:
    environment = os.environ | {"NHG_TOOLCHAIN": str(TOOLCHAIN), "PYTHONPATH": str(folder / "tools")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:]
    return done.stdout


def test_the_words_are_there(copy):
    assert {"indirectbr", "coroamu"} <= set(refused_words()) and all(name in copy.parts for name in NAMES)


def test_the_shape_of_code(copy):
    said = run(copy, "lit", "-j2", *(str(COMPILER / name) for name in ("ir", "opt")))
    assert re.search(r"Passed: +(\d+)", said) and int(re.search(r"Passed: +(\d+)", said)[1]) >= 40


def test_the_command_line(copy):
    tests = ("tools/nhg/tests/test_programs.py", "tools/nhg/tests/test_benchmark.py", "tools/nhg/tests/experiment/test_refused.py", "tools/setup/tests")
    assert " passed" in run(copy, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
