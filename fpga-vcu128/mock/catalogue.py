# SPDX-License-Identifier: Apache-2.0
"""The mock's catalogue (catalogue.toml), expanded, and as Tcl for the mock itself.

properties(ip)       property -> {"values": [...]} or {"range": [low, high]}, "default" and perhaps "needs"
ports(ip, config)    port -> Port of the IP configured so
as_tcl(catalogue)    the dictionaries `catalogue::*` that the Tcl part of the mock reads
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("catalogue.toml")
CHANNEL_KEY = "{w}"


@dataclass(frozen=True)
class Port:
    direction: str  # "input" or "output"
    width: int
    kind: str  # "clock", "reset_low", "reset_high" or "data"
    range_mhz: tuple[float, float] | None  # of a clock input
    mhz: float | None  # of a clock output
    told_mhz: float | None  # of a clock input: what the IP is configured to expect
    clock: str | None  # of a reset: the clock port it is released in, None for an asynchronous one
    tied: bool  # a reset that may be left inactive


def load() -> dict:
    return tomllib.loads(SOURCE.read_text())


def _expanded(entries: dict) -> dict[str, dict]:
    """Repeated keys written out, and what names others of the same number with them; a key may have several ranges of numbers."""
    out: dict[str, dict] = {}
    for key, entry in ((key, one) for key, some in entries.items() for one in (some if isinstance(some, list) else [some])):
        if "channels" in entry:
            out |= {key.replace(CHANNEL_KEY, channel): entry for channel in entry["channels"]}
        elif "from" in entry:
            for n in range(entry["from"], entry["to"] + 1):
                one = dict(entry)
                one |= {name: one[name].format(n=n) for name in ("when", "clock", "frequency", "needs") if name in one}
                out[key.format(n=n)] = one
        else:
            out[key] = entry
    return out


def properties(ip: dict) -> dict[str, dict]:
    return _expanded(ip["config"])


def _number(value: object, config: dict[str, str]) -> float:
    """A number, a property's name, or a property divided by a number."""
    if not isinstance(value, str):
        return float(value)
    name, _, divisor = value.partition("/")
    return float(config.get(name, name)) / float(divisor or 1)


def ports(entry: dict, config: dict[str, str]) -> dict[str, Port]:
    """Ports of an IP or primitive; `config` holds every property's value."""
    out: dict[str, Port] = {}
    for name, port in _expanded(entry["ports"]).items():
        if "when" in port:
            key, value = port["when"].split("=")
            if config[key].lower() != value.lower():
                continue
        out[name] = Port(
            direction=port["dir"],
            width=int(_number(port.get("width", 1), config)),
            kind=port.get("type", "data"),
            range_mhz=tuple(port["range_mhz"]) if "range_mhz" in port else None,
            mhz=_number(port["mhz"], config) if "mhz" in port else None,
            told_mhz=_number(port["frequency"], config) if "frequency" in port else None,
            clock=port.get("clock"),
            tied=port.get("tied", False),
        )
    return out


def _tcl(words: list[str]) -> str:
    return " ".join("{" + word + "}" for word in words)


def as_tcl(catalogue: dict) -> str:
    lines = ["namespace eval catalogue {"]
    lines.append(f"    variable parts [list {_tcl(list(catalogue['part']))}]")
    lines.append(f"    variable pins [list {_tcl(catalogue['pins']['names'])}]")
    lines.append("    variable refclks [dict create]")
    for pin, clock in catalogue["pins"]["refclks"].items():
        lines.append(f"    dict set refclks {pin} {{n {clock['n']} quad {clock['quad']}}}")
    lines.append(f"    variable standards [list {_tcl(catalogue['pins']['standards'])}]")
    lines.append("    variable versions [dict create]")
    lines.append("    variable properties [dict create]")
    for name, ip in catalogue["ip"].items():
        lines.append(f"    dict set versions {name} [list {_tcl(ip['versions'])}]")
        for key, rule in properties(ip).items():
            legal = f"values {_brace(rule['values'])}" if "values" in rule else f"range {_brace(rule['range'])}"
            needs = f" needs {_brace(rule['needs'].split('='))}" if "needs" in rule else ""
            lines.append(f"    dict set properties {name} {key} {{{legal} default {{{rule['default']}}}{needs}}}")
    return "\n".join(lines + ["}", ""])


def _brace(items: list) -> str:
    return "{" + " ".join(str(item) for item in items) + "}"
