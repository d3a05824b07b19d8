# SPDX-License-Identifier: Apache-2.0
"""The hash by which runs of a model are found again: of what its results follow from, and of nothing else."""

import subprocess
import sys

import pytest

from nhg import paths

TOOL = paths.ROOT / "sim/design.py"
FILES = {
    "Core.sv": "module Core;\n  wire a = 8'h20 + '0;\t// Core.scala:3:1\n  /* a\n comment */ initial $error(\"// said\");\nendmodule\n",
    "shell.sv": "module shell /*verilator public*/;\nendmodule\n",
    "main.cc": "int quote = '\"', slash = '/'; // \"comment\nint million = 1'000'000;\n",
}


@pytest.fixture
def hashed(tmp_path):
    """Hash the files in a new folder, changed as asked for."""
    folders = iter(range(100))

    def run(*tools, **changed):
        folder = tmp_path / str(next(folders))
        folder.mkdir()
        files = {**FILES, **{name.replace("_", "."): text for name, text in changed.items()}}
        for name, text in files.items():
            (folder / name).write_text(text)
        command = [sys.executable, TOOL, folder / "out", *tools, "--", *(folder / name for name in reversed(files))]
        subprocess.run(command, check=True)
        return (folder / "out").read_text()

    return run


def test_folder_order_comments_and_layout_do_not_count(hashed):
    plain = hashed("tool 1")
    assert len(plain) == 65 and hashed("tool 1") == plain
    text = FILES["Core.sv"]
    assert hashed("tool 1", Core_sv=text.replace("Core.scala:3:1", "Core.scala:4:1")) == plain, "where in the Chisel sources a line comes from"
    assert hashed("tool 1", Core_sv="// a\n\n" + text.replace("\n", "  \n")) == plain
    assert hashed("tool 1", main_cc=FILES["main.cc"].replace("comment", "other")) == plain


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("Core.sv", "8'h20", "8'h21"),
        ("Core.sv", "// said", "// other"),
        ("Core.sv", "wire a", "wirea"),
        ("shell.sv", "public", "public_flat"),
        ("main.cc", "1'000'000", "1'000'001"),
        ("main.cc", "'/'", "'+'"),
    ],
)
def test_what_the_design_says_counts(hashed, file, old, new):
    assert hashed("tool 1", **{file.replace(".", "_"): FILES[file].replace(old, new)}) != hashed("tool 1")


def test_tools_and_names_count(hashed):
    assert len({hashed("tool 1"), hashed("tool 2"), hashed("tool 1", added_sv="")}) == 3


def test_a_missing_file_is_an_error_in_one_line(tmp_path):
    done = subprocess.run([sys.executable, TOOL, tmp_path / "out", "--", tmp_path / "none.sv"], capture_output=True, text=True)
    assert done.returncode == 1 and "none.sv: No such file" in done.stderr and done.stderr.count("\n") == 1 and not (tmp_path / "out").exists()
