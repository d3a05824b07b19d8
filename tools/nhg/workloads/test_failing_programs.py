# SPDX-License-Identifier: Apache-2.0
"""Programs that give up: they link on every target, the user is told why in one line, and no record is written."""

from pathlib import Path

import pytest

from nhg import cli, paths, scaffold
from nhg.errors import NhgError

ENDS = {
    "assert.c": ("assert(count == 0)", "aborted: .*probe.c:.*count == 0"),
    "assert.cpp": ("assert(count == 0)", "aborted: .*probe.cpp:.*count == 0"),
    "abort.c": ("abort()", "aborted"),
    "trap.c": ("__builtin_trap()", "trapped|SIGILL"),
}


@pytest.mark.parametrize("name", ENDS)
def test_failure_is_one_line_and_no_record(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    statement, said = ENDS[name]
    monkeypatch.setattr(scaffold, "BENCHMARKS", tmp_path)
    monkeypatch.setattr(paths, "RESULTS", tmp_path / "results")
    folder = scaffold.create("probe")
    source, description = folder / "probe.c", folder / "bench.toml"
    marker = "uint64_t *words = probe_words;"
    text = source.read_text()
    assert marker in text
    source.unlink()
    source = source.with_suffix(Path(name).suffix)
    source.write_text("#include <assert.h>\n#include <stdlib.h>\n" + text.replace(marker, f"{statement};\n  {marker}"))
    description.write_text(description.read_text().replace('"probe.c"', f'"{source.name}"'))
    where = "" if target == "x86" else " on the golden model, SEED=1"
    with pytest.raises(NhgError, match=f"^probe/serial{where}: the program (was ended by )?({said}).*; no record was written$") as error:
        cli.run_command(bench=str(folder), variant="serial", scale="tiny", target=target, out=str(tmp_path / "run.json"))
    assert "\n" not in str(error.value)
    assert not (tmp_path / "results").exists() and not (tmp_path / "run.json").exists()
