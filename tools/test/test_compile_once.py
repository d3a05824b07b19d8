# SPDX-License-Identifier: Apache-2.0
"""Verilator's own sources are compiled once for models of other names, and anew for other flags, texts and profiles; the headers of
chiseltest's models likewise; all else is compiled as it stands."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("compile_once.py")
COMPILER = """#!/bin/sh
echo "$*" >> {calls}
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; source=$1; shift; done
grep -q wrong "$source" && exit 3
cp "$source" "$out"
"""


@pytest.fixture
def compiler(tmp_path):
    """Compiles by copying: compiler(source, *flags) -> (exit code, what it was called with since)."""
    program, calls, kept = tmp_path / "c++", tmp_path / "calls", tmp_path / "kept"
    program.write_text(COMPILER.format(calls=calls))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def run(source: Path, *flags: str, model: str = "one") -> tuple[int, list[str]]:
        calls.unlink(missing_ok=True)
        folder = tmp_path / model
        folder.mkdir(exist_ok=True)
        named = [*flags, f"-DTOP_TYPE=V{model}", "-include", f"V{model}.h", "-c", "-o", f"{source.stem}.o", str(source)]
        done = subprocess.run([sys.executable, "-S", "-E", PROGRAM, kept, program, *named], cwd=folder, check=False)
        assert done.returncode or (folder / f"{source.stem}.o").read_text() == source.read_text()
        return done.returncode, calls.read_text().splitlines() if calls.exists() else []

    return run


@pytest.fixture
def source(tmp_path):
    file = tmp_path / "include" / "verilated.cpp"
    file.parent.mkdir()
    file.write_text("text SLOW")
    (file.parent / "verilated.h").write_text("header")
    return file


def test_a_second_model_takes_the_firsts(compiler, source):
    code, (call,) = compiler(source, "-Os")
    assert code == 0 and "Vone" not in call and "-Os" in call
    assert compiler(source, "-Os", model="two") == (0, [])
    assert compiler(source, "-DUNIT=3", "-Os", model="three") == (0, []), "a macro that the text has not"


def test_other_flags_texts_and_headers_are_compiled_anew(compiler, source):
    compiler(source, "-Os")
    assert len(compiler(source, "-O0")[1]) == 1
    assert len(compiler(source, "-Os", "-DSLOW=1")[1]) == 1
    _, (call,) = compiler(source, "-Os", "-D_GLIBCXX_USE_CXX11_ABI=0")
    assert "ABI=0" in call, "the library's macros are in no text of Verilator's, and make another object"
    source.write_text("other text")
    assert len(compiler(source, "-Os")[1]) == 1
    source.with_name("verilated.h").write_text("other header")
    assert len(compiler(source, "-Os")[1]) == 1
    assert compiler(source, "-Os")[1] == []


def test_a_model_and_what_a_profile_guides_are_compiled_as_they_stand(compiler, source):
    model = source.with_name("Vone.cpp")
    model.write_text("model")
    for file, flag in ((model, "-Os"), (source, "-fprofile-use=counts")):
        for _ in range(2):
            _, (call,) = compiler(file, flag)
            assert "-include Vone.h" in call


def test_what_does_not_compile_is_not_kept(compiler, source):
    source.write_text("wrong")
    assert [code for code, _ in (compiler(source), compiler(source))] == [3, 3]
    assert not list(source.parents[1].glob("kept/*"))


def test_a_compiler_is_found_on_the_path(compiler, source, tmp_path, monkeypatch):
    compiler(source)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    command = ["c++", "-c", "-o", "x.o", str(source)]
    assert subprocess.run([sys.executable, PROGRAM, tmp_path / "kept", *command], cwd=tmp_path, check=False).returncode == 0
    assert (tmp_path / "x.o").read_text() == source.read_text()


def test_models_of_chiseltest_read_verilators_headers_precompiled(compiler, source, tmp_path):
    source.with_name("verilated_cov.h").write_text("coverage")
    folder = f"-I{source.parent}"
    harness = tmp_path / "harness.cpp"
    harness.write_text("model")
    _, (headers, call) = compiler(harness, folder, "-Os")
    assert "c++-header" in headers and "Vone.h" not in headers and "harness" not in headers
    header = Path(call.split()[1])
    assert header.with_name(f"{header.name}.gch").exists() and "verilated.h" in header.read_text() and "-include Vone.h" in call
    _, (call,) = compiler(harness, folder, "-Os", model="two")
    assert str(header) in call, "the same for a model of another name"
    assert len(compiler(harness, folder, "-O0")[1]) == 2
    stamp = header.stat().st_mtime_ns
    header.with_name(f"{header.name}.gch").unlink()
    assert len(compiler(harness, folder, "-Os")[1]) == 2 and header.stat().st_mtime_ns == stamp, "another process may be precompiling it"
    source.with_name("verilated.h").write_text("other header")
    assert len(compiler(harness, folder, "-Os")[1]) == 2
    _, (call,) = compiler(harness, folder, "-Os", model="one__pch")
    assert "headers" not in call, "Verilator precompiles what larger models read"
