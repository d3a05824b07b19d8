# SPDX-License-Identifier: Apache-2.0
"""A user's environment that is against us reaches no tool that we start."""

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import environment
from nhg import paths
from nhg.origin import git_state

SETUP = paths.ROOT / "tools/setup"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Modules, headers, options of pip and of compilers, variables of makefiles, another repository, and a locale that is not UTF-8."""
    folder = tmp_path_factory.mktemp("hostile")
    for name in ("json", "pydantic", "rich", "yaml", "numpy"):
        (folder / f"{name}.py").write_text("raise SystemExit('a module of the user')\n")
    for name in ("stdint.h", "stdbool.h", "stddef.h", "stdlib.h", "string.h"):
        (folder / name).write_text("#error a header of the user\n")
    variables = {name: str(folder) for name in ("PYTHONPATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GIT_DIR", "PIP_TARGET", "COURSIER_CACHE")}
    variables |= dict.fromkeys(("CC", "CXX", "AR", "LD", "PYTHON", "CLANG"), "/bin/false") | dict.fromkeys(("CFLAGS", "CXXFLAGS", "LDFLAGS"), "-not-an-option")
    variables |= {"BUILD": "/nonexistent", "CONFIG": "huge", "DEBUG": "1", "TARGET": "none", "ROOT": "/", "MAKEFILES": str(folder / "stdint.h")}
    variables |= {"PIP_USER": "1", "PYTHONHOME": "/nonexistent", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "gbk"}
    return {"PATH": os.environ["PATH"], "HOME": str(folder), **variables, **locale(folder)}


def locale(folder):
    """One of ISO-8859-1, where this machine can make it, otherwise ASCII."""
    made = subprocess.run(["sh", "-c", f"localedef -i en_US -f ISO-8859-1 {folder}/en_US.ISO-8859-1"], capture_output=True, check=False)
    return {"LC_ALL": "C"} if made.returncode else {"LC_ALL": "en_US.ISO-8859-1", "LOCPATH": str(folder)}


def start(variables, *words):
    del_makefiles = {name: value for name, value in variables.items() if name != "MAKEFILES"}  # make itself reads them
    return subprocess.run(["make", "-C", paths.ROOT, *words], capture_output=True, check=False, env=del_makefiles)


def test_ours_is_ours_whatever_is_given(hostile):
    ours = environment.ours(hostile)
    assert environment.ours(ours) == ours and set(ours) == {"PATH", "HOME", "NHG_TOOLCHAIN", "LC_ALL", "PYTHONUTF8", "PYTHONNOUSERSITE", "PYTHONPATH"}
    assert ours["LC_ALL"] == "C.UTF-8" and ours["PYTHONPATH"] == str(paths.ROOT / "tools")
    assert (
        environment.ours({"http_proxy": "x", "NHG_BUILD": "y", "SLURM_CONF": "z"}).items() >= {"http_proxy": "x", "NHG_BUILD": "y", "SLURM_CONF": "z"}.items()
    )


def test_programs_are_built_and_run(hostile, tmp_path):
    """The runtime and a program of a benchmark, from nothing, for both targets."""
    own = {"NHG_TOOLCHAIN": str(paths.TOOLCHAIN), "NHG_BUILD": str(tmp_path / "build"), "NHG_RESULTS": str(tmp_path / "results")}
    out = tmp_path / "run.json"
    done = start(hostile | own, "run", "TARGET=x86", "VARIANT=tuned", "SCALE=tiny", f"OUT={out}")
    assert done.returncode == 0, done.stderr.decode()
    record = json.loads(out.read_text())
    assert record["verified"] is True and record["git_commit"] == git_state()[0]
    assert (tmp_path / "build/runtime/riscv/libnhg.a").exists(), "its headers are not this machine's"
    assert "CONFIG of the environment is not used" in done.stderr.decode()
    assert "┃" in done.stdout.decode("utf-8")


def test_a_page_is_the_utf_8_that_it_says(hostile, tmp_path):
    page = tmp_path / "page.html"
    own = {"NHG_TOOLCHAIN": str(paths.TOOLCHAIN), "NHG_PLOTS": str(tmp_path / "plots")}
    done = start(hostile | own, "report", "EXP=experiments/quick.yaml", f"OUT={page}")
    assert done.returncode == 0, done.stderr.decode()
    text = page.read_bytes().decode("utf-8")
    assert 'charset="utf-8"' in text and "×" in text


def wheel(folder: Path) -> Path:
    """A package to install."""
    file = folder / "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("tiny.py", "")
        archive.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        archive.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("tiny-1.0.dist-info/RECORD", "tiny.py,,\ntiny-1.0.dist-info/METADATA,,\ntiny-1.0.dist-info/WHEEL,,\ntiny-1.0.dist-info/RECORD,,\n")
    return file


INSTALL = """
import sys
from pathlib import Path
sys.path += {paths!r}
import environment
environment.enter("setup")
import python_env
python_env.make_venv(Path("venv"), Path({wheels!r}), Path("lock.txt"))
"""


def test_the_environment_holds_what_is_locked_whatever_the_user_has_installed(hostile, tmp_path):
    """A package of the locked version in the user's PYTHONPATH is not the environment's."""
    sys.path.append(str(SETUP))
    import python_env

    with zipfile.ZipFile(wheel(tmp_path)) as archive:
        archive.extractall(tmp_path / "users")
    digest = hashlib.sha256((tmp_path / "tiny-1.0-py3-none-any.whl").read_bytes()).hexdigest()
    lock = tmp_path / "lock.txt"
    lock.write_text(f"tiny==1.0 \\\n    --hash=sha256:{digest}\n")
    script = tmp_path / "install.py"
    script.write_text(INSTALL.format(paths=[str(SETUP), str(paths.ROOT / "tools")], wheels=str(paths.TOOLCHAIN / "base/usr/share/python-wheels")))
    own = {"PYTHONPATH": str(tmp_path / "users"), "PIP_FIND_LINKS": str(tmp_path), "PIP_INDEX_URL": "http://127.0.0.1:9", "NHG_TOOLCHAIN": str(paths.TOOLCHAIN)}
    given = {name: value for name, value in hostile.items() if name != "PYTHONHOME"}  # without which no Python starts
    done = subprocess.run([sys.executable, script], cwd=tmp_path, env=given | own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert python_env.missing(tmp_path / "venv", lock) == []
    lock.write_text("tiny==1.1 \\\n    --hash=sha256:aa\nother_one==2\n")
    assert python_env.missing(tmp_path / "venv", lock) == ["tiny==1.1", "other_one==2"]


@pytest.mark.parametrize("letter", [" ", "#", "$"])
def test_a_path_that_make_cannot_handle_is_one_line(tmp_path, letter):
    place = tmp_path / f"my{letter}checkout"
    (place / "tools").mkdir(parents=True)
    for name in ("Makefile", "tools/start.py", "tools/environment.py"):
        (place / name).write_bytes((paths.ROOT / name).read_bytes())
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(["make", "run"], cwd=place, capture_output=True, text=True, check=False, env=inherited)
    lines = [line for line in done.stderr.splitlines() if not line.startswith("make: ***") or "path" in line]
    assert done.returncode == 2 and len(lines) == 1 and str(place) in lines[0] and "choose another place" in lines[0], done.stderr
    done = subprocess.run(["make", "-C", paths.ROOT, "doctor"], capture_output=True, text=True, check=False, env=inherited | {"NHG_TOOLCHAIN": str(place)})
    assert done.returncode == 2 and "NHG_TOOLCHAIN, " in done.stderr and "choose another place" in done.stderr
