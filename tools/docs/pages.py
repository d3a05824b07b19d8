# SPDX-License-Identifier: Apache-2.0
"""What the site of docs/ takes from the sources, as hooks of MkDocs (mkdocs.yml): reference pages, and numbers of the captured sets.

A page says `{{ value("gups", "full", 800) }}` for the speedup over serial in the captured grid, or `{{ value("gups", "full", 800, "cycles") }}`
for any number of the record or quantity of a figure, `{{ mean("full", 800) }}` for the geometric mean over all benchmarks,
`{{ grid("static", "full") }}` for a table of speedups. With `"over_software"` as the last one `value` and `mean` are over the fastest variant without the AMU
instead. A number that no captured set has stops the build. `{{ rivals("kernels") }}` is a table of rivals.py.
"""

import functools
import itertools
import json
import math
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import rivals
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from nhg.record import Record

ROOT = Path(__file__).resolve().parents[2]
TOOLS = [str(ROOT / "tools"), str(ROOT / "tools/platform")]
NUMBER = re.compile(r"\{\{ *(value|mean|grid|rivals)\(([^)]*)\) *\}\}")
REASON = re.compile(r"\s*// REFUSED( only [\w ]+)?: (.*)")
SET = ROOT / "results/captured/grid.csv"
RECORD = ROOT / "tools/nhg/schema/record-2.json"
PLATFORM = ROOT / "tools/platform/platform.toml"
CSRS = ROOT / "tools/platform/csrs.toml"
REFUSED = ROOT / "software/compiler/test/refused"


def on_config(config: object) -> object:
    """MkDocs restores the path of modules behind the import of a hook."""
    sys.path[:0] = [path for path in TOOLS if path not in sys.path]
    return config


@functools.cache
def points() -> dict[tuple[str, str, int], "Record"]:
    """The captured grid, by benchmark, variant and latency; of several numbers of coroutines the fastest."""
    from nhg.experiment import sets

    found = [((record.bench, row["case_variant"], int(record.latency_ns)), record) for row, record in sets.read(SET) if record]
    return dict(sorted(found, key=lambda one: one[1].time or 0.0, reverse=True))


def software() -> list[str]:
    """The variants of the grid that do without the AMU."""
    from nhg.variants import VARIANTS

    return sorted({variant for _, variant, _ in points() if variant in VARIANTS and not VARIANTS[variant].needs_amu})


def value(bench: str, variant: str, latency_ns: int, quantity: str = "speedup") -> float:
    """A quantity of one point of the grid: a ratio is over serial at the same latency, `over_software` over the fastest variant without the AMU."""
    from nhg.experiment.quantities import QUANTITIES

    try:
        record = points()[bench, variant, latency_ns]
        if quantity not in QUANTITIES:
            return float(getattr(record, quantity))
        over = software() if QUANTITIES[quantity].over_software else ["serial"]
        bases = [points()[bench, name, latency_ns] for name in over if (bench, name, latency_ns) in points() or name == "serial"]
        return QUANTITIES[quantity].value(record, min(bases, key=lambda base: base.time or math.inf))
    except KeyError as error:
        raise PluginError(f"{SET.name} has no {error} for {bench} {variant} {latency_ns} ns: capture it, or write another number") from None


def mean(variant: str, latency_ns: int, quantity: str = "speedup") -> float:
    """Geometric mean of the speedups of all benchmarks that the grid has."""
    benches = sorted({bench for bench, _, _ in points()})
    return math.prod(value(bench, variant, latency_ns, quantity) for bench in benches) ** (1 / len(benches))


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
        if match[1] == "rivals":
            return {"kernels": rivals.kernels, "means": rivals.means, "source": rivals.source}[arguments[0]](table)
        return grid(*arguments) if match[1] == "grid" else spelled({"value": value, "mean": mean}[match[1]](*arguments))

    return NUMBER.sub(number, markdown)


def table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
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


def privileged_csrs() -> str:
    """The registers and views of csrs.toml, and those of debug mode."""
    import csrs

    found = tomllib.loads(CSRS.read_text())

    def fields(register: "csrs.Register", names: Sequence[str]) -> str:
        bits = {each.name: f"`{each.name}` {each.lsb if each.lsb == each.msb else f'{each.msb}:{each.lsb}'}" for each in register.fields}
        return ", ".join(bits[name] for name in names if name in bits)

    text = "# CSRs of M and S mode\n\nFrom `tools/platform/csrs.toml`, which core, golden model and tests take them from. "
    text += "A program may change the fields named; after reset all is zero but "
    text += ", ".join(f"`{each.name}.{field}` = {value:#x}" for each in csrs.registers(found) for field, value in each.reset.items())
    text += ". [Modes](../design/core/modes.md) says what they do.\n\n"
    rows = [(each.number, each.name, fields(each, [field.name for field in each.fields])) for each in csrs.registers(found)]
    for each in csrs.views(found):
        changed = "" if each.writable == each.fields else f"; changes only {fields(each.of, each.writable)}"
        rows.append((each.number, each.name, f"of `{each.of.name}`: {fields(each.of, each.fields)}{changed}"))
    text += table(("number", "CSR", "fields and their bits"), [(f"`{number:#x}`", f"`{name}`", what) for number, name, what in sorted(rows)])
    debug = [(f"`{each.number:#x}`", f"`{each.name}`", fields(each, [field.name for field in each.fields])) for each in csrs.debug_registers(found)]
    text += "\n\nOf debug mode, for M mode in code of the boot ROM only:\n\n" + table(("number", "CSR", "fields and their bits"), debug)
    zero = ", ".join(f"`{first:#x}`" + (f" to `{last:#x}`" if last != first else "") for first, last in sorted(csrs.zero_ranges(found).values()))
    return text + f"\n\nZero, whatever is written: {zero}.\n"


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


def commands() -> str:
    """The commands of make with their options, from their one declaration."""
    from nhg import options

    text = "# Commands\n\nA command is called as `make COMMAND NAME=value …`. From `tools/nhg/options.py`; `make` alone prints the same.\n"
    for command, (about, taken) in options.COMMANDS.items():
        text += f"\n## make {command}\n\n{sentence(about)}\n"
        rows = [(f"`{each.name}={each.form}`", each.about, f"`{each.default}`" if each.default else "") for each in taken]
        text += f"\n{table(('option', 'meaning', 'default'), rows)}\n" if rows else ""
    variables = [(f"`{name}`", about) for name, about in options.VARIABLES.items()]
    return f"{text}\n## Variables\n\nFrom the environment, or after `make`, for every command.\n\n{table(('variable', 'meaning'), variables)}\n"


def sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def refusals() -> str:
    """Why loops stay serial: what the compiler says of the loops that its tests have for each reason."""
    text = "# Refusals\n\nEvery reason for which the compiler leaves a marked loop serial, from `software/compiler/test/refused/`. The file has a loop for"
    text += (
        " each: read it to see what is meant. Names in quotes are those of the loops there. [Cures](../guide/loops.md) for the commonest are in the guide.\n"
    )
    for source in sorted(path for path in REFUSED.iterdir() if path.suffix in (".c", ".cpp")):
        lines = source.read_text().splitlines()
        about = " ".join(line[3:] for line in itertools.takewhile(lambda line: not line.startswith(("// RUN", "// CONFIGURATIONS")), lines[1:]))
        reasons = dict.fromkeys(match[2] for line in lines if (match := REASON.match(line)))
        text += f"\n## {source.name}\n\n{about}\n\n" + "".join(f"- {reason}\n" for reason in reasons)
    return text


def experiment_keys() -> str:
    """The keys of an experiment and its axes, from the models that read it."""
    from nhg.experiment import schema

    text = (
        "# Keys of an experiment\n\nWhat a file in `experiments/` may say, from `tools/nhg/experiment/schema.py`. [Run a sweep](../guide/experiments.md) has an"
    )
    text += " example.\n"
    for title, model in (("Of the file", schema.Experiment), ("Of figure", schema.Figure), ("Of variants", schema.CompilerFlags)):
        fields = model.model_json_schema()["properties"]
        needed = model.model_json_schema().get("required", [])
        rows = [
            (f"`{name}`", field["description"], " ".join(field.get("enum", [])), "needed" if name in needed else default(field))
            for name, field in fields.items()
        ]
        text += f"\n## {title}\n\n{table(('key', 'meaning', 'values', 'default'), rows)}\n"
    axes = schema.Axes.model_json_schema()["properties"]
    each_axis = [(f"`{name}`", axes[name]["description"], spelled_default(schema.DEFAULTS.get(name, "needed"))) for name in schema.AXES]
    text += (
        "\n## Axes\n\nIn `sweep` every value meets every other; in a group of `zip` values go in step; `keep` and `drop` name values of axes, and `because`."
    )
    text += f" A single value needs no brackets.\n\n{table(('axis', 'meaning', 'default'), each_axis)}\n"
    return f"{text}\n## Quantities\n\n" + " ".join(f"`{each}`" for each in schema.QUANTITIES) + "\n"


def default(field: dict) -> str:
    return spelled_default(field["default"]) if field.get("default") not in (None, [], {}) else ""


def spelled_default(value: object) -> str:
    return "" if value is None else "needed" if value == "needed" else f"`{json.dumps(value)}`".replace('"', "")


GENERATED = {
    "reference/commands.md": commands,
    "reference/refusals.md": refusals,
    "reference/experiment-keys.md": experiment_keys,
    "reference/memory-map.md": memory_map,
    "reference/csrs.md": privileged_csrs,
    "reference/record.md": record_fields,
}


def on_files(files: Files, config: object, **_: object) -> Files:
    for name, make in GENERATED.items():
        files.append(File.generated(config, name, content=make()))
    return files
