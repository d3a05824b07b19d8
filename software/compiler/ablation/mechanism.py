# SPDX-License-Identifier: Apache-2.0
"""The mechanisms of mechanisms.toml, and the plugin without one of them."""

import hashlib
import shutil
import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from nhg import build, paths
from nhg.errors import NhgError
from nhg.programs import call

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent
LIB = SOURCES / "lib"
FOLDERS = ("choice", "requests", "transform", "tasks")


class Change(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    file: str
    text: str
    becomes: str


class Mechanism(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    about: str
    files: tuple[str, ...]
    paper: str
    keeps: str = ""
    options: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()

    @property
    def can_be_off(self) -> bool:
        return bool(self.options or self.changes)

    @property
    def sources(self) -> list[Path]:
        return sorted(path for pattern in self.files for path in LIB.glob(pattern))

    @property
    def lines(self) -> int:
        return sum(len(path.read_text().splitlines()) for path in self.sources)

    def changed(self) -> dict[str, str]:
        """Files of lib/ that are others without it."""
        texts: dict[str, str] = {}
        for change in self.changes:
            text = texts.get(change.file) or (LIB / change.file).read_text()
            if text.count(change.text) != 1:
                raise NhgError(
                    f"mechanisms.toml: {self.name}: {change.text.strip()[:60]!r} is there {text.count(change.text)} times in {change.file}, not once"
                )
            texts[change.file] = text.replace(change.text, change.becomes)
        return texts


def listed() -> list[Mechanism]:
    found = tomllib.loads((HERE / "mechanisms.toml").read_text())["mechanism"]
    return [Mechanism(**each) for each in found]


class Compiler:
    """A copy of the plugin's sources and objects below `out`, in which one mechanism after the other is off."""

    def __init__(self, out: Path) -> None:
        self.copy, self.built, self.plugins = out / "compiler", out / "compiler/built", out / "plugins"
        build.build_models("sim", with_plugin=True)
        self.plugins.mkdir(parents=True, exist_ok=True)
        if not self.copy.exists():
            self.take()

    def take(self) -> None:
        """What is up to date stays so: times are kept, and the lists of what objects depend on name the copy."""
        new = self.copy.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        shutil.copytree(LIB, new / "lib")
        for name in ("Makefile", "precompiled.h"):
            shutil.copy2(SOURCES / name, new)
        shutil.copytree(paths.PLUGIN.parent, new / "built", ignore=shutil.ignore_patterns("test", "*.so"))
        for list_ in new.glob("built/**/*.d"):
            list_.write_text(list_.read_text().replace(str(paths.PLUGIN.parent), str(self.built)).replace(f"{SOURCES}/", f"{self.copy}/"))
        new.rename(self.copy)

    def without(self, mechanism: Mechanism) -> Path:
        """The plugin without a mechanism; made once for these sources."""
        if not mechanism.changes:
            return paths.PLUGIN
        changed = mechanism.changed()
        wanted = {str(path.relative_to(LIB)): path.read_text() for path in sorted(LIB.rglob("*")) if path.is_file()} | changed
        digest = hashlib.sha256("".join(f"{name}\0{text}\0" for name, text in wanted.items()).encode()).hexdigest()[:16]
        plugin = self.plugins / f"{digest}.so"
        if not plugin.exists():
            for name, text in wanted.items():
                place = self.copy / "lib" / name
                if not place.exists() or place.read_text() != text:
                    place.write_text(text)
            goal = self.built / "asyncmem.so"
            places = {"ROOT": paths.ROOT, "BUILD": paths.BUILD, "HERE": self.copy, "OUT": self.built, "NHG_TOOLCHAIN": paths.TOOLCHAIN}
            where = [f"{name}={value}" for name, value in places.items()]
            call(["make", "-s", "-j2", "-f", self.copy / "Makefile", *where, goal], what=f"building the plugin without {mechanism.name}")
            shutil.copy2(goal, plugin)
        return plugin
