# SPDX-License-Identifier: Apache-2.0
"""Reads an experiment file; an error is one line with the file, the line in it and the nearest legal value."""

from collections.abc import Sequence
from pathlib import Path

import yaml
from pydantic import BaseModel, ValidationError

from nhg.errors import NhgError
from nhg.experiment import schema
from nhg.experiment.grid import Misfit, cases
from nhg.experiment.schema import Experiment

# Of the model's errors: what says the same better than pydantic does.
RANGES = {"greater_than_equal": "ge", "less_than_equal": "le", "greater_than": "gt", "less_than": "lt"}


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
        return f"{name}: {first['input']} is not legal; {schema.nearest(first['input'], legal)}", place
    if kind in RANGES:
        return f"{name}: {first['input']} is out of range; the nearest legal value is {context[RANGES[kind]]:g}", place
    if kind == "missing":
        return f"{name} is missing", place
    said = first["msg"].removeprefix("Value error, ")
    return f"{name}: {said}" if name else said, place


def load(path: Path) -> Experiment:
    """Read and check an experiment file."""
    try:
        text = path.read_text()
        root, content = yaml.compose(text), yaml.safe_load(text)
    except OSError as error:
        raise NhgError(f"EXP={path}: {error.strerror}; give a YAML file of experiments/") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise NhgError(f"{path}:{mark.line + 1 if mark else 1}: not YAML ({str(error).splitlines()[0]}); correct the file") from None
    if not isinstance(content, dict):
        raise NhgError(f"{path}:1: not a YAML mapping; give name, title, figure and sweep (experiments/README.md)")
    try:
        plan = Experiment(**content)
        cases(plan)  # every point can be had
    except ValidationError as error:
        said, place = message(error)
        raise NhgError(f"{path}:{line_of(root, place)}: {said}") from None
    except Misfit as error:
        raise NhgError(f"{path}:{line_of(root, error.place)}: {error}") from None
    except TypeError as error:
        raise NhgError(f"{path}:1: {error}; keys are words") from None
    return plan
