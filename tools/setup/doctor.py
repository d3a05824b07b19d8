# SPDX-License-Identifier: Apache-2.0
"""`make doctor`: what is here, what is missing, what each missing thing would enable."""

import glob
import os
import shutil

from parts import RECIPES, is_current, own_program
from store import Store

HOST = {
    "make": ("make", "every command of the Makefile"),
    "ld": ("gcc", "linking the simulator, the golden model, the compiler plugin"),
    "java": ("openjdk-17-jdk-headless", "building the hardware"),
    "git": ("git", "the origin of a run in its record"),
}
OPTIONAL = {
    "vivado": "the FPGA bitstream (`make bitstream`); get it from AMD, version 2020.2 or newer",
    "vivado_lab": "a board over JTAG (`make run TARGET=fpga`); Vivado does, too; get Vivado Lab Edition from AMD",
    "hw_server": "a cable on this machine; it comes with Vivado Lab Edition",
}
XDMA_DEVICES = "/dev/xdma*_h2c_0"


def report(store: Store, lock: dict[str, dict]) -> int:
    """Print one line per thing; 0 if nothing that the simulator path needs is missing."""
    missing = 0
    for program, (package, enables) in HOST.items():
        here = shutil.which(program)
        missing += here is None
        print(f"{'here   ' if here else 'MISSING'}  {program:10} " + (here or f"enables {enables}; install {package}"))
    archive = os.environ.get("NHG_DEBIAN_MIRROR") or shutil.which("apt-get")
    missing += not archive
    print(
        f"{'here   ' if archive else 'MISSING'}  {'archive':10} "
        + (archive or "enables setting up the toolchain; name a Debian archive with NHG_DEBIAN_MIRROR")
    )
    for name, entry in lock.items():
        own = own_program(store, entry)
        installed = own is not None or (is_current(store, name, entry) and all((store.bin / p).exists() for p in RECIPES[name].programs))
        optional = entry.get("optional", False)
        missing += not installed and not optional
        print(
            f"{'here   ' if installed else 'absent ' if optional else 'MISSING'}  {name:10} "
            + (own or str(store.part(name)) if installed else f"enables {entry['enables']}; run {f'python3 tools/setup {name}' if optional else 'make setup'}")
        )
    for program, enables in OPTIONAL.items():
        here = shutil.which(program)
        print(f"{'here   ' if here else 'absent '}  {program:10} " + (here or f"enables {enables}"))
    devices = sorted(glob.glob(XDMA_DEVICES))
    print(
        f"{'here   ' if devices else 'absent '}  xdma       "
        + (" ".join(devices) or f"enables a board over PCIe; load AMD's xdma driver, which makes {XDMA_DEVICES}")
    )
    print("everything needed is here" if not missing else f"{missing} missing: `make setup` installs the toolchain parts")
    return 1 if missing else 0
