# SPDX-License-Identifier: Apache-2.0
"""Reads an experiment file; an error is one line with the file, the line in it and the nearest legal value."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import yaml
from pydantic import BaseModel, ValidationError

from nhg.errors import NhgError
from nhg.experiment import schema
from nhg.experiment.grid import Misfit, cases, check_figure
from nhg.experiment.schema import Experiment

# Of the model's errors: what says the same better than pydantic does.
RANGES = {"greater_than_equal": "ge", "less_than_equal": "le", "greater_than": "gt", "less_than": "lt"}
KINDS = {"int_type": "whole number", "int_from_float": "whole number", "string_type": "text; write it in quotation marks", "bool_type": "true or false"}
DEEPEST = 8  # of a file's brackets; the keys need five


class Loader(yaml.SafeLoader):
    """YAML as experiments have it: a key once, no aliases, few levels. As in YAML 1.2 `1e9` is a number, `no` and a date are words."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
        self.depth += 1
        if self.check_event(yaml.AliasEvent):
            self.refuse(mark, "an experiment has no aliases; write the values out")
        if self.depth > DEEPEST:
            self.refuse(mark, f"nested deeper than {DEEPEST} levels; no key needs that")
        node = super().compose_node(parent, index)
        self.depth -= 1
        keys: list[object] = []
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if key.value in keys:
                self.refuse(key.start_mark, f"{key.value} stands twice; leave one")
            keys.append(key.value)
        return node

    def refuse(self, mark: yaml.Mark, why: str) -> NoReturn:
        raise NhgError(f"{self.name}:{mark.line + 1}: {why}")


BOOLEAN, FLOAT = "tag:yaml.org,2002:bool", "tag:yaml.org,2002:float"
Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in (BOOLEAN, "tag:yaml.org,2002:timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver(BOOLEAN, re.compile("true|false"), list("tf"))
Loader.add_implicit_resolver(FLOAT, re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+$"), list("-+0123456789"))


def parsed(path: Path, data: bytes) -> tuple[yaml.Node | None, object]:
    """The nodes of a file, which know their lines, and what it says."""
    try:
        text = data.decode("utf-8-sig")
        loader = Loader(text)
        loader.name = str(path)
        root = loader.get_single_node()
        return root, None if root is None else loader.construct_document(root)
    except UnicodeDecodeError as error:
        before = data[: error.start].count(b"\n")
        raise NhgError(f"{path}:{before + 1}: byte {data[error.start]:#x} is not UTF-8; save the file as UTF-8") from None
    except yaml.reader.ReaderError as error:
        before = text[: error.position].count("\n")
        raise NhgError(f"{path}:{before + 1}: character {error.character:#x} is not allowed in YAML; correct the file") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise NhgError(f"{path}:{mark.line + 1 if mark else 1}: not YAML ({error.problem}); correct the file") from None
    except ValueError as error:
        raise NhgError(f"{path}:1: {error}; correct the file") from None


def line_of(root: yaml.Node | None, place: Sequence[int | str]) -> int:
    """Line, counted from 1, of the deepest node of the file on the way to a place."""
    node, line = root, 1 if root is None else root.start_mark.line + 1
    for step in place:
        if isinstance(node, yaml.MappingNode):
            pairs = [(key, value) for key, value in node.value if key.value == str(step)]
            if not pairs:
                continue
            node, line = pairs[0][1], pairs[0][0].start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line + 1
    return line


def fields_at(place: Sequence[int | str]) -> list[str]:
    """Keys that the mapping which holds this place may have."""
    models: dict[str, type[BaseModel]] = {
        "figure": schema.Figure,
        "sweep": schema.Axes,
        "zip": schema.Zip,
        "keep": schema.Filter,
        "drop": schema.Filter,
        "variants": schema.CompilerFlags,
        "coroutines": schema.Best,
    }
    known = [models[step] for step in place[:-1] if isinstance(step, str) and step in models]
    return list((known[-1] if known else Experiment).model_fields)


def message(error: ValidationError) -> tuple[str, tuple[int | str, ...]]:
    """The first error in words with the nearest legal value, and its place."""
    first = error.errors()[0]
    place, kind = first["loc"], first["type"]
    context = first.get("ctx", {})
    name = ".".join(str(step) for step in place)
    if kind == "extra_forbidden":
        return f"{name} is no key; {schema.nearest(place[-1], fields_at(place))}", place
    if kind == "literal_error":
        legal = [word.strip("'") for word in context["expected"].replace(" or ", ", ").split(", ")]
        return f"{name}: {schema.shown(first['input'])} is not legal; {schema.nearest(first['input'], legal)}", place
    if kind in RANGES:
        return f"{name}: {first['input']} is out of range; the nearest legal value is {context[RANGES[kind]]:g}", place
    if kind == "missing":
        return f"{name} is missing", place
    if kind in KINDS:
        return f"{name}: {schema.shown(first['input'])} is no {KINDS[kind]}", place
    if kind == "string_pattern_mismatch":
        return f"{name}: {schema.shown(first['input'])} has other characters than letters, digits, _ and -", place
    said = first["msg"].removeprefix("Value error, ")
    return f"{name}: {said}" if name else said, place


def load(path: Path) -> Experiment:
    """Read and check an experiment file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NhgError(f"EXP={path}: {error.strerror}; give a YAML file of experiments/") from None
    root, content = parsed(path, data)
    if not isinstance(content, dict):
        raise NhgError(f"{path}:1: not a YAML mapping; give name, title, figure and sweep (experiments/README.md)")
    try:
        plan = Experiment.model_validate(content)
        check_figure(plan, cases(plan))  # every point can be had, and drawn
    except ValidationError as error:
        said, place = message(error)
        raise NhgError(f"{path}:{line_of(root, place)}: {said}") from None
    except Misfit as error:
        raise NhgError(f"{path}:{line_of(root, error.place)}: {error}") from None
    return plan
