# SPDX-License-Identifier: Apache-2.0
"""Each tool finds a file that breaks its rules and names it; what can be corrected is."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import lines
import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BAD = {
    "scalafmt": ("Bad.scala", "object Bad   {\n    val a=1\n}\n"),
    "clang-format": ("bad.cc", "int  main( ){return 0;}\n"),
    "ruff": ("bad.py", "import sys\nimport os\nprint(os, sys)\n"),
    "ruff-format": ("bad.py", "a = {'b':1}\n"),
}


@pytest.fixture
def folder() -> Iterator[Path]:
    """Inside the repository, as the tools look for their configuration above a file."""
    place = ROOT / "build/style-test"
    place.mkdir(parents=True, exist_ok=True)
    yield place
    shutil.rmtree(place)


def style(*arguments: str | Path) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, str(HERE), *map(str, arguments)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("tool", BAD)
def test_a_badly_laid_out_file_is_found_named_and_corrected(folder, tool):
    name, content = BAD[tool]
    file = folder / name
    file.write_text(content)
    found = style("check", "--tool", tool, file)
    assert found.returncode == 1 and name in found.stdout and "make format" in found.stdout and file.read_text() == content
    assert style("fix", "--tool", tool, file).returncode == 0
    assert file.read_text() != content
    assert style("check", "--tool", tool, file).stdout.endswith("1 passed\n")


def test_the_compilers_tests_keep_their_columns(folder):
    test = min((ROOT / "software/compiler/test/diag").glob("*.c"))
    before = test.read_text()
    assert style("fix", "--tool", "clang-format", test).returncode == 0 and test.read_text() == before


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.md", "x" * 161 + "\n", "a.md:1: 161 characters"),
        ("a.md", "é" * 160 + "\n", ""),
        ("a.py", "x \n", "a.py:1: white space at the end"),
        ("a.py", "x", "a.py: no line end at the end of the file"),
        ("software/compiler/test/diag/a.c", "// CHECK-DAG: " + "x" * 161 + "\n", ""),
        ("software/compiler/test/diag/a.c", "int " + "x" * 161 + ";\n", "software/compiler/test/diag/a.c:1: 166 characters"),
    ],
)
def test_long_lines(name, content, problem):
    assert lines.problems(name, content.encode()) == [problem] * bool(problem)
