# SPDX-License-Identifier: Apache-2.0
"""The packages of nhg import each other in one direction."""

import ast

from nhg.paths import ROOT

HERE = ROOT / "tools/nhg"


def packages(folder: str) -> set[str]:
    """The packages of nhg whose modules a folder's modules import."""
    trees = [ast.parse(file.read_text()) for file in (HERE / folder).glob("*.py")]
    imported = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    modules = [f"{node.module}.{alias.name}" for node in imported for alias in node.names]
    return {name.split(".")[1] for name in modules if name.startswith("nhg.") and (HERE / name.split(".")[1]).is_dir()} - {folder}


def test_no_two_packages_import_each_other():
    graph = {folder.name: packages(folder.name) for folder in HERE.iterdir() if (folder / "__init__.py").exists()}
    assert "experiment" in graph["figures"], "the imports are read"
    pairs = [(one, other) for one, others in graph.items() for other in others if one in graph.get(other, ())]
    assert pairs == []
