# SPDX-License-Identifier: Apache-2.0
"""tclint over every Tcl and XDC file, written and generated."""

import subprocess

from conftest import FPGA


def lint(*paths) -> subprocess.CompletedProcess:
    command = ["tclint", "-c", str(FPGA / "tclint.toml"), *(str(path) for path in paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_scripts_mock_and_constraints_are_clean(build):
    result = lint(FPGA / "scripts", FPGA / "mock", FPGA / "constraints", build / "gen" / "platform.tcl", build / "gen" / "pins.xdc",
                  build / "gen" / "pcie_pins.xdc")
    assert result.returncode == 0, result.stdout


def test_a_bad_script_is_found(tmp_path):
    script = tmp_path / "bad.tcl"
    script.write_text("set a 1\nif $a { puts x }\nexpr $a + 1\n")
    assert "unbraced-expr" in lint(script).stdout
