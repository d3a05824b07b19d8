# SPDX-License-Identifier: Apache-2.0
"""What the site of docs/ takes from the sources, as hooks of MkDocs (mkdocs.yml): reference pages, and numbers of the captured sets.

A page says `{{ value("gups", "full", 800) }}` for the speedup over serial in the captured grid, or `{{ value("gups", "full", 800, "cycles") }}`
for any number of the record, `{{ mean("full", 800) }}` for the geometric mean over all benchmarks, `{{ grid("static", "full") }}` for a table of
speedups. A number that no captured set has stops the build.
"""

import functools
import json
import math
import re
import sys
import tomllib
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
NUMBER = re.compile(r"\{\{ *(value|mean|grid)\(([^)]*)\) *\}\}")
SET = ROOT / "results/captured/grid.csv"
RECORD = ROOT / "tools/nhg/schema/record-2.json"
PLATFORM = ROOT / "tools/platform/platform.toml"


@functools.cache
def points() -> dict[tuple[str, str, int], dict[str, float]]:
    """The captured grid, by benchmark, variant and latency."""
    from nhg.experiment import sets

    return {(record.bench, row["case_variant"], int(record.latency_ns)): record.model_dump() for row, record in sets.read(SET) if record}


def value(bench: str, variant: str, latency_ns: int, quantity: str = "speedup") -> float:
    """A number of one point of the grid; `speedup` is over serial at the same latency."""
    try:
        row = points()[bench, variant, latency_ns]
        if quantity != "speedup":
            return float(row[quantity])
        return float(points()[bench, "serial", latency_ns]["cycles"]) / float(row["cycles"])
    except KeyError as error:
        raise PluginError(f"{SET.name} has no {error} for {bench} {variant} {latency_ns} ns: capture it, or write another number") from None


def mean(variant: str, latency_ns: int) -> float:
    """Geometric mean of the speedups of all benchmarks that the grid has."""
    benches = sorted({bench for bench, _, _ in points()})
    return math.prod(value(bench, variant, latency_ns) for bench in benches) ** (1 / len(benches))


def grid(*variants: str) -> str:
    """A row per benchmark, a column per latency; a cell has the speedup of each variant."""
    latencies_ns = sorted({latency_ns for _, _, latency_ns in points()})
    rows = [
        (bench, *(" · ".join(spelled(value(bench, variant, latency_ns)) for variant in variants) for latency_ns in latencies_ns))
        for bench in sorted({bench for bench, _, _ in points()}, key=lambda bench: value(bench, variants[-1], latencies_ns[-1]))
    ]
    rows.append(("**mean**", *(" · ".join(spelled(mean(variant, latency_ns)) for variant in variants) for latency_ns in latencies_ns)))
    header = " · ".join(f"`{variant}`" for variant in variants)
    return f"Each cell: {header}.\n\n" + table(("", *(f"{latency_ns} ns" for latency_ns in latencies_ns)), rows)


def spelled(number: float) -> str:
    """Three significant digits, or a whole number with separators."""
    return f"{number:,.0f}" if number >= 1000 else f"{number:.3g}"


def on_page_markdown(markdown: str, page: object, **_: object) -> str:
    def number(match: re.Match[str]) -> str:
        arguments = json.loads(f"[{match[2]}]")
        return grid(*arguments) if match[1] == "grid" else spelled({"value": value, "mean": mean}[match[1]](*arguments))

    return NUMBER.sub(number, markdown)


def table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def memory_map() -> str:
    """The regions and the registers of platform.toml."""
    platform = tomllib.loads(PLATFORM.read_text())
    regions = platform["regions"]
    text = "# Memory map\n\nFrom `tools/platform/platform.toml`, which every consumer takes it from. Registers are 64 bits wide.\n\n"
    text += table(
        ("region", "base", "size", "what"),
        [(f"`{name}`", f"`{region['base']:#x}`", f"`{region['size']:#x}`", region["doc"]) for name, region in regions.items()],
    )
    for name, registers in platform["registers"].items():
        text += f"\n\n## Registers of `{name}`\n\n"
        text += table(
            ("register", "offset", "what"),
            [(f"`{each}`", f"`{register['offset']:#x}`", register.get("doc", "")) for each, register in registers.items()],
        )
    return text + "\n"


def type_of(field: dict) -> str:
    if "anyOf" in field:
        return " or ".join(type_of(each) for each in field["anyOf"])
    if "enum" in field:
        return " ".join(f"`{each}`" for each in field["enum"])
    if "$ref" in field:
        return field["$ref"].rsplit("/", 1)[1]
    if field.get("type") == "array":
        return f"list of {type_of(field['items'])}" if "items" in field else "list"
    return str(field.get("type", "any"))


def record_fields() -> str:
    """The fields of a record, from its schema."""
    schema = json.loads(RECORD.read_text())
    text = f"# Record fields\n\n{schema['description']} The schema is `tools/nhg/schema/record-2.json`.\n\n"
    return (
        text
        + table(("field", "type", "what"), [(f"`{name}`", type_of(each), each.get("description", "")) for name, each in schema["properties"].items()])
        + "\n"
    )


GENERATED = {"reference/memory-map.md": memory_map, "reference/record.md": record_fields}


def on_files(files: Files, config: object, **_: object) -> Files:
    for name, make in GENERATED.items():
        files.append(File.generated(config, name, content=make()))
    return files
