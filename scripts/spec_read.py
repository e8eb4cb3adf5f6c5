# SPDX-License-Identifier: Apache-2.0
"""spec/ read and checked (used by scripts/gen_spec.py): CSRs, events, traps, encodings, the sample record."""

import re
import sys

try:
    import yaml
except ImportError:
    sys.exit("spec_read.py: PyYAML is missing: run scripts/setup and use .venv/bin/python")

PRIV_OF_ADDRESS = {0: "U", 1: "S", 2: "VS", 3: "M"}
LENGTHS = (32, 64, "MXLEN", "SXLEN", "XLEN")
FIELD_TYPES = {
    "RO": "read-only constant",
    "RO-H": "read-only, changed by hardware",
    "RW": "read-write",
    "RW-R": "read-write, legal values only (WARL)",
    "RW-H": "read-write, changed by hardware",
    "RW-RH": "read-write, legal values only (WARL), changed by hardware",
}
CSR_KEYS = {"name", "long_name", "address", "high", "range", "priv_mode", "length", "base", "definedBy",
            "description", "fields", "built"}
FIELD_KEYS = {"location", "location_rv32", "location_rv64", "type", "reset_value", "description"}
EVENT_KEYS = {"name", "code", "index", "kind", "from", "when", "unless", "precise", "sbi", "desc"}
RECORD_KEYS = {"select", "bytes", "words", "types", "transfers", "selections", "sources", "fields"}
KINDS = ("retire", "cycle", "internal")
RETIRE_INDICES = range(1, 64)
CYCLE_INDICES = range(64, 128)
SELECTOR_BITS = 56
TYPE_LSB = 16


class SpecError(Exception):
    """Something in the specification that must be corrected there."""


class Report:
    """Collects errors, so that one run names them all."""

    def __init__(self):
        self.errors = []

    def error(self, where, what):
        self.errors.append(f"{where}: {what}")

    def finish(self):
        if self.errors:
            raise SpecError("\n".join(self.errors))


class UniqueLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """YAML in which a key may be there only once (plain YAML lets the last one win)."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                line = key_node.start_mark.line + 1
                raise SpecError(f"{key_node.start_mark.name}:{line}: key '{key}' is there twice")
            seen.add(key)
        return super().construct_mapping(node, deep)


def load_yaml(path):
    try:
        with open(path, encoding="utf-8") as stream:
            return yaml.load(stream, UniqueLoader)
    except OSError as err:
        raise SpecError(f"{path}: {err.strerror}") from err
    except yaml.YAMLError as err:
        raise SpecError(f"{path}: not YAML: {err}") from err


def macro(name):
    """A name of the specification as a part of a macro name."""
    return re.sub(r"[^A-Za-z0-9]", "_", name).upper()


def bits(lsb, msb):
    return str(lsb) if lsb == msb else f"{msb}:{lsb}"


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


# ---------------------------------------------------------------------------------------------------------- CSRs


class Field:
    """A field of a CSR: bits `lsb`..`msb`, with XLEN 32 perhaps elsewhere."""

    def __init__(self, name, raw, lsb, msb, rv32):
        self.name = name
        self.lsb = lsb
        self.msb = msb
        self.rv32 = rv32  # (lsb, msb) where XLEN = 32 differs, or None
        self.type = raw["type"]
        self.reset = raw["reset_value"]
        self.description = raw.get("description", "")

    @property
    def mask(self):
        return ((1 << (self.msb - self.lsb + 1)) - 1) << self.lsb

    @property
    def writable(self):
        return self.type.startswith("RW")


class Csr:
    """One entry of spec/csr: a register, or an array of registers (range n = first..last)."""

    def __init__(self, raw, where):
        self.where = where
        self.raw_name = raw["name"]
        self.long_name = raw["long_name"]
        self.priv = raw["priv_mode"]
        self.length = raw["length"]
        self.base = raw.get("base")
        self.defined_by = raw["definedBy"] if isinstance(raw["definedBy"], list) else [raw["definedBy"]]
        self.description = " ".join(str(raw["description"]).split())
        self.built = raw.get("built", True)
        self.range = None
        self.address = raw["address"]
        self.high = raw.get("high")
        self.fields = []

    @property
    def stem(self):
        """The name without an array's index."""
        return self.raw_name.replace("{n}", "")

    @property
    def reset(self):
        return sum(f.reset << f.lsb for f in self.fields)

    @property
    def write_mask(self):
        return sum(f.mask for f in self.fields if f.writable)

    def members(self):
        """(name, number, index) of every register; the high halves of RV32 are not among them."""
        if self.range is None:
            return [(self.raw_name, address_of(self.address, 0), None)]
        first, last = self.range
        return [(self.raw_name.replace("{n}", str(n)), address_of(self.address, n), n)
                for n in range(first, last + 1)]

    def high_members(self):
        if self.high is None:
            return []
        if self.range is None:
            return [(self.raw_name + "h", address_of(self.high, 0), None)]
        first, last = self.range
        return [(self.raw_name.replace("{n}", str(n)) + "h", address_of(self.high, n), n)
                for n in range(first, last + 1)]


def address_of(expression, n):
    """A number, or 'number + n'. None if it is neither."""
    if is_int(expression):
        return expression
    match = re.fullmatch(r"(0x[0-9A-Fa-f]+|\d+)\s*\+\s*n", str(expression))
    return int(match.group(1), 0) + n if match else None


def parse_location(text):
    """(lsb, msb) of '7' or '11-8'; None if it is neither."""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", str(text))
    if not match:
        return None
    msb = int(match.group(1))
    lsb = int(match.group(2)) if match.group(2) else msb
    return (lsb, msb) if lsb <= msb else None


def parse_field(report, where, name, raw, csr):
    if not isinstance(raw, dict):
        report.error(where, "field is not a mapping")
        return None
    for key in sorted(set(raw) - FIELD_KEYS):
        report.error(where, f"unknown key '{key}'")
    missing = [key for key in ("type", "reset_value") if key not in raw]
    both = "location_rv32" in raw and "location_rv64" in raw
    if not both and "location" not in raw:
        missing.append("location")
    if missing:
        report.error(where, "missing: " + ", ".join(missing))
        return None
    if raw["type"] not in FIELD_TYPES:
        report.error(where, f"type '{raw['type']}' is none of {', '.join(FIELD_TYPES)}")
        return None
    location = parse_location(raw["location_rv64"] if both else raw["location"])
    rv32 = parse_location(raw["location_rv32"]) if both else None
    if location is None or (both and rv32 is None):
        report.error(where, "location is neither a bit nor 'msb-lsb'")
        return None
    width = 32 if csr.length == 32 or csr.base == 32 else 64
    if location[1] >= width or (rv32 and rv32[1] >= 32):
        report.error(where, f"bit {max(location[1], rv32[1] if rv32 else 0)} is outside the register")
        return None
    size = location[1] - location[0] + 1
    if not is_int(raw["reset_value"]) or not 0 <= raw["reset_value"] < 1 << size:
        report.error(where, f"reset value {raw['reset_value']} does not fit into {size} bits")
        return None
    return Field(name, raw, *location, rv32)


def parse_csr(report, raw, where):
    if not isinstance(raw, dict):
        report.error(where, "entry is not a mapping")
        return None
    where = f"{where}: {raw.get('name', '?')}"
    for key in sorted(set(raw) - CSR_KEYS):
        report.error(where, f"unknown key '{key}'")
    missing = sorted(CSR_KEYS - {"high", "range", "base", "built"} - set(raw))
    if missing:
        report.error(where, "missing: " + ", ".join(missing))
        return None
    csr = Csr(raw, where)
    if csr.length not in LENGTHS:
        report.error(where, f"length '{csr.length}' is none of {', '.join(map(str, LENGTHS))}")
        return None
    if not isinstance(csr.built, bool):
        report.error(where, f"built '{csr.built}' is neither yes nor no")
        return None
    if ("range" in raw) != ("{n}" in str(csr.raw_name)):
        report.error(where, "an array needs both a range and {n} in its name")
        return None
    if "range" in raw:
        last_first = re.fullmatch(r"(\d+)-(\d+)", str(raw["range"]))
        if not last_first or int(last_first.group(1)) > int(last_first.group(2)):
            report.error(where, "range is not 'first-last'")
            return None
        csr.range = (int(last_first.group(1)), int(last_first.group(2)))
    if not re.fullmatch(r"[a-z][a-z0-9_]*(\{n\})?", str(csr.raw_name)):
        report.error(where, "name is not in lower case, digits and underscores")
        return None
    if address_of(csr.address, 0) is None or (csr.high is not None and address_of(csr.high, 0) is None):
        report.error(where, "address is neither a number nor 'number + n'")
        return None
    for name, raw_field in (raw["fields"] or {}).items():
        field = parse_field(report, f"{where}.{name}", name, raw_field, csr)
        if field:
            csr.fields.append(field)
    return csr


def check_overlap(report, csr, spans, which):
    owner = {}
    for name, lsb, msb in spans:
        for bit in range(lsb, msb + 1):
            if bit in owner:
                report.error(csr.where, f"fields {owner[bit]} and {name} overlap in bit {bit}{which}")
                return
            owner[bit] = name


def check_csr(report, csr, numbers, names):
    check_overlap(report, csr, [(f.name, f.lsb, f.msb) for f in csr.fields], "")
    rv32 = [(f.name, *f.rv32) if f.rv32 else (f.name, f.lsb, f.msb) for f in csr.fields]
    check_overlap(report, csr, rv32, " (RV32)")
    for name, number, _ in csr.members() + csr.high_members():
        if not 0 <= number <= 0xFFF:
            report.error(csr.where, f"{name}: number {number:#x} has more than 12 bits")
            continue
        if PRIV_OF_ADDRESS[number >> 8 & 3] != csr.priv:
            report.error(csr.where, f"{name}: number {number:#05x} belongs to mode {PRIV_OF_ADDRESS[number >> 8 & 3]}, "
                                    f"priv_mode is {csr.priv}")
        if number in numbers:
            report.error(csr.where, f"{name}: number {number:#05x} is already that of {numbers[number]}")
        if name in names:
            report.error(csr.where, f"{name} is already defined in {names[name]}")
        numbers[number] = name
        names[name] = csr.where


def load_csrs(report, directory):
    files = sorted(directory.glob("*.yaml"))
    if not files:
        report.error(directory, "no CSR files")
    csrs, numbers, names = [], {}, {}
    for path in files:
        entries = load_yaml(path)
        if not isinstance(entries, list):
            report.error(path.name, "is not a list of registers")
            continue
        for raw in entries:
            csr = parse_csr(report, raw, path.name)
            if csr:
                check_csr(report, csr, numbers, names)
                csrs.append(csr)
    return csrs


# -------------------------------------------------------------------------------------------------------- events


class Event:
    """One value of mhpmevent's selector."""

    def __init__(self, raw):
        self.name = raw["name"]
        self.code = raw["code"]
        self.index = raw["index"]
        self.kind = raw["kind"]
        self.wires = raw["from"]
        self.when = raw.get("when", [])
        self.unless = raw.get("unless", [])
        self.precise = raw["precise"]
        self.sbi = raw.get("sbi", "")
        self.desc = raw["desc"]


class Events:
    """spec/events.yaml: wires by kind (name, description), selector layout, events."""

    def __init__(self):
        self.wires = {kind: [] for kind in KINDS}
        self.small = {kind: [] for kind in KINDS}
        self.selector_fields = []
        self.selector_types = {}
        self.events = []

    def position(self, kind, wire):
        return [name for name, _ in self.wires[kind]].index(wire)

    def is_small(self, event):
        """It can happen in a core that has the small wires alone."""
        here = set(self.small[event.kind])
        return bool(here & set(event.wires)) and (not event.when or bool(here & set(event.when)))

    def mask(self, kind, names):
        return sum(1 << self.position(kind, name) for name in names)


def parse_wires(report, kind, entries):
    wires = []
    for entry in entries or []:
        name = entry.get("name") if isinstance(entry, dict) else None
        if not name or "desc" not in entry:
            report.error(f"events.yaml: {kind} wires", f"entry {entry} needs name and desc")
        elif name in [n for n, _ in wires]:
            report.error(f"events.yaml: {kind} wires", f"{name} is there twice")
        else:
            wires.append((name, entry["desc"]))
    if len(wires) > 64:
        report.error(f"events.yaml: {kind} wires", "more than 64")
    return wires


# A counter stores eight bits of a selector: the type's low bit and seven bits of the code. A selector is then its own
# number with zeros in between, and neither direction needs a table.
SHORT_TYPES, SHORT_CODE_BITS = 2, 7
SHORT_WORDS = (("tally_lines_low", 0x00, "selectors 0x00 to 0x3F"), ("tally_lines_mid", 0x40, "selectors 0x40 to 0x7F"),
               ("tally_lines_cache", 0x80, "selectors 0x10000 to 0x1003F"))


def short_number(event):
    """The eight bits, or None if the selector does not fit."""
    kind, code = divmod(event.code, 1 << TYPE_LSB)
    short = kind << SHORT_CODE_BITS | code
    in_range = kind < SHORT_TYPES and code < 1 << SHORT_CODE_BITS
    return short if in_range and any(0 <= short - base < 64 for _, base, _ in SHORT_WORDS) else None


def check_event_wires(report, where, event, wires):
    known = [name for name, _ in wires[event.kind]]
    for name in event.wires + event.when + event.unless:
        if name not in known:
            report.error(where, f"unknown {event.kind} wire '{name}'")
    if not event.wires:
        report.error(where, "no wire in 'from'")
    if event.kind != "retire" and (len(event.wires) != 1 or event.when or event.unless):
        report.error(where, f"a {event.kind} event takes exactly one wire")
    if event.precise != (event.kind == "retire"):
        report.error(where, "events are precise if and only if their kind is retire")


def parse_event(report, raw, wires, taken):
    where = f"events.yaml: {raw.get('name', '?') if isinstance(raw, dict) else raw}"
    if not isinstance(raw, dict):
        report.error(where, "entry is not a mapping")
        return None
    for key in sorted(set(raw) - EVENT_KEYS):
        report.error(where, f"unknown key '{key}'")
    missing = sorted(EVENT_KEYS - {"when", "unless", "sbi"} - set(raw))
    if missing:
        report.error(where, "missing: " + ", ".join(missing))
        return None
    event = Event(raw)
    if event.kind not in KINDS:
        report.error(where, f"kind '{event.kind}' is none of {', '.join(KINDS)}")
        return None
    if not is_int(event.code) or not 0 < event.code < 1 << SELECTOR_BITS:
        report.error(where, f"code {event.code} is no selector")
        return None
    if short_number(event) is None:
        report.error(where, f"code {event.code:#x} is outside what a counter can store: "
                            "0x01 to 0x7F, 0x10000 to 0x1003F")
        return None
    indices = RETIRE_INDICES if event.kind == "retire" else CYCLE_INDICES
    if event.index not in indices:
        report.error(where, f"index {event.index} of a {event.kind} event is outside {indices[0]}..{indices[-1]}")
        return None
    for key, value in (("name", macro(event.name)), ("code", event.code), ("index", event.index)):
        if (key, value) in taken:
            shown = f"{value:#x}" if key == "code" else value
            report.error(where, f"{key} {shown} is already that of {taken[key, value]}")
        taken[key, value] = event.name
    check_event_wires(report, where, event, wires)
    return event


def load_events(report, path):
    raw = load_yaml(path)
    result = Events()
    if not isinstance(raw, dict) or not {"wires", "internal", "selector", "events"} <= set(raw):
        report.error(path.name, "needs wires, internal, selector and events")
        return result
    result.wires["retire"] = parse_wires(report, "retire", raw["wires"].get("retire"))
    result.wires["cycle"] = parse_wires(report, "cycle", raw["wires"].get("cycle"))
    result.wires["internal"] = parse_wires(report, "internal", raw["internal"])
    for kind in KINDS:
        result.small[kind] = raw.get("small", {}).get(kind, [])
        for name in set(result.small[kind]) - {wire for wire, _ in result.wires[kind]}:
            report.error("events.yaml: small", f"{name} is no {kind} wire")
    for field in raw["selector"]["fields"]:
        location = parse_location(field["location"])
        if location is None or location[1] >= SELECTOR_BITS:
            report.error("events.yaml: selector", f"field {field['name']} has no legal location")
        else:
            result.selector_fields.append((field["name"], *location, field["desc"]))
    result.selector_types = raw["selector"]["types"]
    taken = {}
    for entry in raw["events"]:
        event = parse_event(report, entry, result.wires, taken)
        if event:
            result.events.append(event)
    result.events.sort(key=lambda event: event.code)
    return result


# --------------------------------------------------------------------------------------------- traps, encodings


def load_numbers(report, path, groups):
    """By group: lists of (name, number, description). `groups` has the bits of each group's numbers."""
    raw = load_yaml(path)
    result = {}
    for group, width in groups.items():
        result[group] = []
        seen = {}
        for entry in raw.get(group, []) if isinstance(raw, dict) else []:
            name, number = entry.get("name"), entry.get("number")
            if not name or not is_int(number) or "desc" not in entry:
                report.error(f"{path.name}: {group}", f"entry {entry} needs name, number and desc")
                continue
            if not 0 <= number < 1 << width:
                report.error(f"{path.name}: {group}", f"{number:#x} of {name} has more than {width} bits")
            for key in (name, number):
                if key in seen:
                    report.error(f"{path.name}: {group}", f"{key} of {name} is already that of {seen[key]}")
                seen[key] = name
            result[group].append((name, number, entry["desc"]))
        if not result[group]:
            report.error(path.name, f"no {group}")
    return result


# -------------------------------------------------------------------------------------------------- sample record


class RecordField:
    """A field of a word of the sample record; `of` is 'memory', 'transfer' or '' for every instruction."""

    def __init__(self, raw, lsb, msb):
        self.name = raw["name"]
        self.lsb = lsb
        self.msb = msb
        self.of = raw.get("of", "")
        self.desc = raw["desc"]

    def meets(self, other):
        apart = self.of and other.of and self.of != other.of
        return not apart and self.lsb <= other.msb and other.lsb <= self.msb


class Record:
    """spec/record.yaml: words (name, offsets, description), fields by word."""

    def __init__(self, raw):
        self.select = raw["select"]
        self.bytes = raw["bytes"]
        self.words = raw["words"]
        self.types = raw["types"]
        self.transfers = raw["transfers"]
        self.selections = raw["selections"]
        self.sources = raw["sources"]
        self.fields = {word["name"]: [] for word in raw["words"]}


def parse_record_field(report, where, raw):
    location = parse_location(raw.get("location")) if isinstance(raw, dict) else None
    if location is None or location[1] > 63 or set(raw) - {"of"} != {"name", "location", "desc"}:
        report.error(where, f"field {raw} needs name, location (bits of 64) and desc")
        return None
    if raw.get("of", "memory") not in ("memory", "transfer"):
        report.error(where, f"{raw['name']}: of is memory or transfer")
        return None
    return RecordField(raw, *location)


def load_record(report, path):
    raw = load_yaml(path)
    if not isinstance(raw, dict) or set(raw) != RECORD_KEYS:
        report.error(path.name, "needs select, bytes, words, types, transfers, selections, sources and fields, no more")
        return None
    for codes in ("types", "transfers", "selections"):
        if any(set(entry) != {"name", "code", "desc"} for entry in raw[codes]):
            report.error(path.name, f"{codes}: an entry needs name, code and desc, no more")
            return None
    codes = [entry["code"] for entry in raw["transfers"]]
    if any(not isinstance(code, int) or not 0 <= code < 16 for code in codes) or codes != sorted(set(codes)):
        report.error(path.name, "transfers: codes ascend, each once, and four bits hold them")
        return None
    for codes in ("types", "selections"):
        if [entry["code"] for entry in raw[codes]] != list(range(len(raw[codes]))) or len(raw[codes]) > 8:
            report.error(path.name, f"{codes}: codes count from 0, and three bits hold them")
            return None
    if any(set(source) != {"name", "code", "text", "desc"} for source in raw["sources"]):
        report.error(path.name, "a source needs name, code, text and desc, no more")
        return None
    if [source["code"] for source in raw["sources"]] != list(range(len(raw["sources"]))) or len(raw["sources"]) > 16:
        report.error(path.name, "sources: codes count from 0, and four bits hold them")
        return None
    if any(set(word) != {"name", "rv32", "rv64", "desc"} for word in raw["words"]):
        report.error(path.name, "a word needs name, rv32, rv64 and desc, no more")
        return None
    record = Record(raw)
    for word, fields in raw["fields"].items():
        where = f"{path.name}: {word}"
        if word not in record.fields:
            report.error(where, "no such word")
            continue
        for raw_field in fields:
            field = parse_record_field(report, where, raw_field)
            if field is None:
                continue
            for other in record.fields[word]:
                if field.meets(other):
                    report.error(where, f"fields {other.name} and {field.name} overlap")
            record.fields[word].append(field)
    return record


class Spec:
    """Everything in spec/, checked."""

    def __init__(self, directory):
        report = Report()
        self.csrs = load_csrs(report, directory / "csr")
        self.events = load_events(report, directory / "events.yaml")
        self.traps = load_numbers(report, directory / "traps.yaml", {"modes": 2, "exceptions": 6, "interrupts": 6})
        self.encodings = load_numbers(report, directory / "encodings.yaml", {"selects": 12, "instructions": 32})
        self.record = load_record(report, directory / "record.yaml")
        report.finish()
