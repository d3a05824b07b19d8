# SPDX-License-Identifier: Apache-2.0
"""`make bitstream` with the mock in Vivado's place: manifest, resumption, and the failures before Vivado starts."""

import hashlib
import json
import os
import shutil
import subprocess
import sys

import pytest

from conftest import FPGA


@pytest.fixture
def checkout(tmp_path, build):
    """A small git checkout with the flow in it, and a build folder beside it."""
    root = tmp_path / "checkout"
    shutil.copytree(FPGA, root / "fpga-vcu128", ignore=shutil.ignore_patterns("__pycache__", "test"))
    shutil.copytree(FPGA.parent / "shell", root / "shell", ignore=shutil.ignore_patterns("__pycache__"))
    (root / ".gitignore").write_text("__pycache__/\n")
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", "start"]):
        subprocess.run(["git", "-C", str(root), *command], check=True)
    folder = tmp_path / "build"
    shutil.copytree(build / "gen", folder / "gen")
    shutil.copytree(build / "fpga", folder / "fpga")
    return root


def bitstream(checkout, *arguments, faults: str = "", vivado: bool = True) -> subprocess.CompletedProcess:
    path = os.environ["PATH"]
    if vivado:
        path = f"{checkout / 'fpga-vcu128' / 'mock'}:{path}"
    environment = os.environ | {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1"} | ({"NHG_MOCK_FAULT": faults} if faults else {})
    command = [sys.executable, str(checkout / "fpga-vcu128" / "bitstream.py"), "--build", str(checkout.parent / "build"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def manifest(checkout) -> dict:
    return json.loads((checkout.parent / "build" / "bitstream" / "manifest.json").read_text())


def test_manifest_of_a_good_run(checkout):
    result = bitstream(checkout)
    assert result.returncode == 0, result.stderr
    written = manifest(checkout)
    head = subprocess.run(["git", "-C", str(checkout), "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout
    assert written["commit"] == head[:8] and written["clean"] is True and written["violations"] == []
    bit = checkout.parent / "build" / "bitstream" / "vcu128_top.bit"
    assert written["outputs_sha256"]["vcu128_top.bit"] == hashlib.sha256(bit.read_bytes()).hexdigest()
    assert written["ip"]["ip_hbm"] == "xilinx.com:ip:hbm:1.0" and float(written["wns_ns"]) > 0
    assert written["core_khz"] == 50_000 and written["counters"][:3] == ["cycles", "instret", "far_reads"]
    probes = (checkout.parent / "build" / "fpga" / "nhg_probes.inc").read_text()
    assert written["counters"][-1] == probes.split('"')[-2] and len(set(written["counters"])) == len(written["counters"])


def test_manifest_of_a_violated_run(checkout):
    result = bitstream(checkout, faults="hold")
    assert result.returncode == 16
    written = manifest(checkout)
    assert any("hold" in violation for violation in written["violations"])
    assert "vcu128_top.VIOLATED.bit" in written["outputs_sha256"] and "vcu128_top.bit" not in written["outputs_sha256"]


def test_no_vivado(checkout):
    result = bitstream(checkout, vivado=False)
    assert result.returncode == 10 and result.stderr.startswith("bitstream: vivado is not on the PATH")
    assert len(result.stderr.splitlines()) == 1


def test_a_changed_tree_is_refused_and_has_no_commit_when_forced(checkout):
    (checkout / "fpga-vcu128" / "README.md").write_text("changed")
    result = bitstream(checkout)
    assert result.returncode == 14 and "1 files differ" in result.stderr and "fpga-vcu128/README.md" in result.stderr
    assert not (checkout.parent / "build" / "bitstream").exists()
    assert bitstream(checkout, "--allow-dirty").returncode == 0
    assert manifest(checkout)["commit"] == "00000000" and manifest(checkout)["clean"] is False


def test_the_commit_of_a_repository_around_the_checkout_is_not_its_own(checkout):
    (checkout / ".git").rename(checkout.parent / ".git")
    result = bitstream(checkout)
    assert result.returncode == 14 and "build from a git checkout" in result.stderr and len(result.stderr.splitlines()) == 1


def test_a_missing_input(checkout):
    (checkout.parent / "build" / "gen" / "pins.xdc").unlink()
    result = bitstream(checkout)
    assert result.returncode == 18 and "pins.xdc is missing" in result.stderr


def test_the_clock_of_pcie_can_be_chosen(checkout):
    def pins() -> str:
        return (checkout.parent / "build" / "bitstream" / "checkpoints" / "route.dcp").read_text()

    assert bitstream(checkout, "--pcie").returncode == 0
    assert "pcie_refclk_p AR15" in pins() and "pcie_refclk_n AR14" in pins()
    result = bitstream(checkout, "--pcie", "--pcie-refclk", "AL15")
    assert result.returncode == 0 and "going on" not in result.stdout
    assert "pcie_refclk_p AL15" in pins() and "pcie_refclk_n AL14" in pins()
    result = bitstream(checkout, "--pcie", "--pcie-refclk", "BH51")
    assert result.returncode == 2 and "one of AL15, AR15" in result.stderr and len(result.stderr.splitlines()) == 1


def test_an_interrupted_run_goes_on(checkout):
    assert bitstream(checkout, faults="fail=route_design").returncode == 17
    result = bitstream(checkout)
    assert result.returncode == 0 and "going on after place" in result.stdout and ", synth" not in result.stdout
    assert manifest(checkout)["ip"]["ip_hbm"] == "xilinx.com:ip:hbm:1.0"


def kept_ip(result) -> list[str]:
    """Modules of IP that an earlier run had finished."""
    return [line.split()[1] for line in result.stdout.splitlines() if line.endswith("as an earlier run synthesised it")]


def test_ip_that_is_finished_is_not_made_again(checkout):
    ips = checkout.parent / "build" / "bitstream" / "ip"
    result = bitstream(checkout, faults="fail_ip=ip_jtag_axi")
    assert result.returncode == 17 and "synth_ip of ip_jtag_axi was told to fail" in result.stderr
    made = (ips / "ip_hbm" / "ip_hbm.xci").stat().st_mtime_ns
    result = bitstream(checkout)
    assert result.returncode == 0 and kept_ip(result) == ["ip_clocks", "ip_hbm"]
    assert (ips / "ip_hbm" / "ip_hbm.xci").stat().st_mtime_ns == made
    assert len(manifest(checkout)["ip"]) == 5


def test_ip_is_made_again_when_it_would_be_another(checkout):
    everything = ["ip_clocks", "ip_hbm", "ip_jtag_axi", "ip_uart", "ip_ddr4"]
    assert kept_ip(bitstream(checkout)) == []
    result = bitstream(checkout, "--hbm-xsdb", "0")
    assert result.returncode == 0 and kept_ip(result) == ["ip_clocks", "ip_jtag_axi", "ip_uart", "ip_ddr4"]
    pins = checkout.parent / "build" / "gen" / "pins.xdc"
    pins.write_text(pins.read_text() + "# another\n")
    assert kept_ip(bitstream(checkout, "--hbm-xsdb", "0")) == everything
    pins.write_text(pins.read_text() + "# another\n")
    assert kept_ip(bitstream(checkout, "--hbm-xsdb", "0", faults="version=2024.1")) == []


def test_an_estimate_comes_from_the_last_run(checkout):
    assert "left if" not in bitstream(checkout).stdout
    shutil.rmtree(checkout.parent / "build" / "bitstream")
    lines = [line for line in bitstream(checkout).stdout.splitlines() if line.startswith("build: step")]
    assert len(lines) == 7 and all("left if it goes as the last time" in line for line in lines)


def test_half_a_checkpoint_is_not_one(checkout):
    assert bitstream(checkout, faults="fail=report_utilization").returncode == 17
    assert bitstream(checkout, faults="fail=route_design").returncode == 17
    checkpoints = checkout.parent / "build" / "bitstream" / "checkpoints"
    (checkpoints / "place.dcp").rename(checkpoints / "place.partial.dcp")
    result = bitstream(checkout)
    assert result.returncode == 0 and "going on after opt" in result.stdout


@pytest.mark.parametrize(
    ("changed", "after"),
    [
        ("scripts/endpoints.tcl", "route"),
        ("scripts/gates.tcl", "route"),
        ("scripts/output.tcl", "route"),
        ("constraints/pcie.xdc", "route"),  # of another design
        ("scripts/route.tcl", "place"),
        ("--route-directive", "place"),
        ("scripts/place.tcl", "opt"),
        ("--place-directive", "opt"),
        ("scripts/opt.tcl", "synth"),
        ("scripts/synth.tcl", None),
        ("constraints/vcu128.xdc", None),
        ("--hbm-xsdb", None),
    ],
)
def test_a_step_is_kept_until_what_it_reads_changes(checkout, changed, after):
    assert bitstream(checkout, "--allow-dirty").returncode == 0
    options = {"--hbm-xsdb": ["--hbm-xsdb", "0"]}.get(changed, [changed, "Explore"]) if changed.startswith("--") else []
    if not options:
        file = checkout / "fpga-vcu128" / changed
        file.write_text(file.read_text() + "# another\n")
    result = bitstream(checkout, "--allow-dirty", *options)
    assert result.returncode == 0, result.stderr
    assert f"going on after {after}" in result.stdout if after else "going on" not in result.stdout


def test_a_commit_of_a_document_keeps_every_step(checkout):
    assert bitstream(checkout).returncode == 0
    before = manifest(checkout)
    (checkout / "fpga-vcu128/README.md").write_text("changed")
    subprocess.run(["git", "-C", str(checkout), "-c", "user.name=x", "-c", "user.email=x", "commit", "-qam", "document"], check=True)
    platform = checkout.parent / "build/gen/platform.tcl"
    platform.write_text(platform.read_text().replace("vivado_newest {2025.1}", "vivado_newest {2026.1}"))
    result = bitstream(checkout)
    assert result.returncode == 0 and "going on after route" in result.stdout
    assert manifest(checkout)["commit"] != before["commit"] and manifest(checkout)["inputs_sha256"] == before["inputs_sha256"]
    assert manifest(checkout)["ip"] == before["ip"]


def test_the_routed_design_is_looked_at_once_more(checkout):
    result = bitstream(checkout, "--recheck")
    assert result.returncode == 18 and "no design was routed here" in result.stderr
    assert bitstream(checkout, faults="no_clock=ddr4/inst/x<clocks/clk_out1").returncode == 16
    out = checkout.parent / "build/bitstream"
    before = {path: path.stat().st_mtime_ns for path in out.glob("vcu128_top*")} | {out / "manifest.json": (out / "manifest.json").stat().st_mtime_ns}
    synth = checkout / "fpga-vcu128/scripts/synth.tcl"
    synth.write_text(synth.read_text() + "# changed since\n")
    result = bitstream(checkout, "--recheck", faults="hold")
    assert result.returncode == 16 and "hold slack" in result.stderr and "the routed design is not met" in result.stderr
    assert {path: path.stat().st_mtime_ns for path in before} == before
    result = bitstream(checkout, "--recheck")
    assert result.returncode == 0 and "the routed design meets everything" in result.stdout


def test_a_directive_that_vivado_does_not_know_is_refused_before_anything_runs(checkout):
    result = bitstream(checkout, "--place-directive", "Explode")
    assert result.returncode == 2 and "place_directive=Explode: one of Default Explore" in result.stderr and "step 1" not in result.stdout
    assert bitstream(checkout, "--place-directive", "SSI_SpreadSLLs", "--route-directive", "AggressiveExplore").returncode == 0
    assert manifest(checkout)["place_directive"] == "SSI_SpreadSLLs" and manifest(checkout)["route_directive"] == "AggressiveExplore"


def test_a_changed_input_starts_afresh(checkout):
    assert bitstream(checkout, faults="fail=route_design").returncode == 17
    pins = checkout.parent / "build" / "gen" / "pins.xdc"
    pins.write_text(pins.read_text() + "# another\n")
    result = bitstream(checkout)
    assert result.returncode == 0 and "going on" not in result.stdout and "step 3 of 7, synth" in result.stdout


@pytest.mark.parametrize(("faults", "code"), [("version=2018.3", 11), ("no_part", 12), ("licence_synth", 13)])
def test_vivados_failures_come_through(checkout, faults, code):
    result = bitstream(checkout, faults=faults)
    assert result.returncode == code and result.stderr.strip().splitlines()[-1].startswith("build: ")
