# SPDX-License-Identifier: Apache-2.0
"""The recipes of CONTRIBUTING.md as patches: each applies and changes few files, and what it adds is built and passes its tests.

Golden model and contract in each run; the plugin and the core, which a copy builds anew (three minutes each), in `make test LENGTH=n`.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from nhg.paths import ROOT, TOOLCHAIN

HERE = Path(__file__).parent
FILES_MAX = {"clause": 8, "counter": 8, "instruction": 12}
LEFT_OUT = ("results", "plots", "lab")


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


@pytest.mark.parametrize("name", FILES_MAX)
def test_a_recipe_changes_few_files(name: str) -> None:
    changed = run("git", "apply", "--numstat", HERE / f"{name}.patch", folder=ROOT).splitlines()
    assert 0 < len(changed) <= FILES_MAX[name]
    assert f"`tools/recipes/{name}.patch`" in (ROOT / "CONTRIBUTING.md").read_text()


def test_every_recipe_has_a_limit() -> None:
    assert {path.stem for path in HERE.glob("*.patch")} == FILES_MAX.keys()


@pytest.fixture(scope="module")
def patched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with all recipes carried out."""
    copy = tmp_path_factory.mktemp("patched")
    for name in run("git", "ls-files", folder=ROOT).splitlines():
        if not name.startswith(LEFT_OUT) and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
            (copy / name).chmod((ROOT / name).stat().st_mode)
    (copy / ".toolchain").symlink_to(TOOLCHAIN)
    for name in FILES_MAX:
        run("git", "apply", HERE / f"{name}.patch", folder=copy)
    return copy


def test_the_golden_model_has_the_instruction(patched: Path) -> None:
    run("make", "-s", "-C", "sim/golden", folder=patched)
    said = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "sim/tests/test_golden.py", "-k", "adrop", folder=patched)
    assert "passed" in said


@pytest.mark.long
def test_the_pragma_has_the_clause(patched: Path) -> None:
    run("make", "-s", "-f", "tools/models.mk", "golden", "runtime", "plugin", folder=patched)
    run("lit", "software/compiler/test/diag/near_clause.c", folder=patched)


def test_the_contract_states_the_instruction(patched: Path) -> None:
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tools/nhg/tests/test_one_truth.py", "-k", "contract", folder=patched)


@pytest.mark.long
def test_the_core_has_the_counter_and_the_instruction(patched: Path) -> None:
    run("make", "-s", "-C", "sim/harness", f"{patched}/build/sim/nhg_probes.svh", folder=patched)
    assert '"device_accesses",' in (patched / "build/sim/nhg_probes.inc").read_text().splitlines()
    run("mill", "--no-server", "amu.test.testOnly", "amu.GroupTableTest", "amu.RequestCheckTest", folder=patched)
