# SPDX-License-Identifier: Apache-2.0
"""tclint over every Tcl and XDC file of the repository, written and generated."""

import subprocess

from conftest import FPGA, ROOT


def lint(*paths) -> subprocess.CompletedProcess:
    command = ["tclint", "-c", str(FPGA / "tclint.toml"), *(str(path) for path in paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_scripts_mock_and_constraints_are_clean(build):
    result = lint(
        *(
            ROOT / folder
            for folder in ("delayer-ip/package", "fpga-vcu128/scripts", "fpga-vcu128/host", "fpga-vcu128/mock", "fpga-vcu128/constraints", "tools/nhg")
        ),
        build / "gen" / "platform.tcl",
        *sorted((build / "gen").glob("*.xdc")),
    )
    assert result.returncode == 0, result.stdout


def test_a_bad_script_is_found(tmp_path):
    script = tmp_path / "bad.tcl"
    script.write_text("set a 1\nif $a { puts x }\nexpr $a + 1\n")
    assert "unbraced-expr" in lint(script).stdout
