# SPDX-License-Identifier: Apache-2.0
"""Event lists, reference pages and viewer filters that follow from spec/ (used by scripts/gen_spec.py)."""

import json
import re

from spec_headers import GENERATED
from spec_read import FIELD_TYPES, address_of, bits

NOT_BUILT = "Not built; access is illegal."


def perf_json(spec):
    entries = []
    for event in spec.events.events:
        entry = {
            "EventName": event.name,
            "EventCode": f"0x{event.code:x}",
            "BriefDescription": event.desc[0].upper() + event.desc[1:],
        }
        if event.precise:
            entry["PesaSupported"] = "1"
            entry["PdisSupported"] = "1"
        entries.append(entry)
    return json.dumps(entries, indent=4) + "\n"


# Metrics of `perf stat -M`: name, group, expression over event names, unit, meaning. The first level of top-down adds
# up to all slots: those spent on instructions that are flushed later are bad speculation, too.
METRICS = (
    ("ipc", "", "INST.RET / CYCLES.HART", None, "Instructions retired a cycle"),
    ("branch_mispredicts", "", "INST.MISPRED.RET / INST.BRJMP.RET", "100%",
     "Share of the retired branches and jumps that were mispredicted"),
    ("l1d_misses", "", "CACHE.L1D.RW.MISS.RET / CACHE.L1D.RW.ACCESS.RET", "100%",
     "Share of the L1 D cache references of retired instructions that missed"),
    ("l1i_misses", "", "CACHE.L1I.RD.CODE.MISS / CACHE.L1I.RD.CODE.ACCESS", "100%",
     "Share of the lookups of the L1 I cache that missed"),
    ("dtlb_misses", "", "TLB.L1D.LDST.MISS.RET / TLB.L1D.LDST.ACCESS.RET", "100%",
     "Share of the DTLB lookups of retired instructions that missed"),
    ("itlb_misses", "", "TLB.L1I.CODE.MISS / TLB.L1I.CODE.ACCESS", "100%", "Share of the ITLB lookups that missed"),
    ("retiring", "TopdownL1", "TOPDOWN.RETIRING.SLOTS / TOPDOWN.SLOTS", "100%",
     "Share of the dispatch slots used by instructions that retire"),
    ("frontend_bound", "TopdownL1", "TOPDOWN.FRONTEND_BOUND.SLOTS / TOPDOWN.SLOTS", "100%",
     "Share of the slots in which there was nothing to dispatch"),
    ("backend_bound", "TopdownL1", "TOPDOWN.BACKEND_BOUND.SLOTS / TOPDOWN.SLOTS", "100%",
     "Share of the slots in which the back end took no instruction"),
    ("bad_speculation", "TopdownL1",
     "1 - (TOPDOWN.RETIRING.SLOTS + TOPDOWN.FRONTEND_BOUND.SLOTS + TOPDOWN.BACKEND_BOUND.SLOTS) / TOPDOWN.SLOTS",
     "100%",      "Share of the slots lost to flushes: recovery, and instructions that do not retire"),
)


def perf_metrics(spec):
    names = {event.name for event in spec.events.events}
    entries = []
    for name, group, expression, scale, text in METRICS:
        if not names.issuperset(re.findall(r"[A-Z][A-Z0-9_.]+", expression)):
            continue  # a host that cannot raise an event has deleted it from the list
        entry = {"MetricName": name, "MetricExpr": expression, "BriefDescription": text}
        if group:
            entry["MetricGroup"] = group
        if scale:
            entry["ScaleUnit"] = scale
        entries.append(entry)
    return json.dumps(entries, indent=4) + "\n"


def perf_mapfile(spec):
    ident = {csr.stem: csr.reset for csr in spec.csrs if csr.stem in ("mvendorid", "marchid", "mimpid")}
    return ("#MVENDORID-MARCHID-MIMPID,Version,Filename,EventType\n"
            f"{ident.get('mvendorid', 0):#x}-{ident.get('marchid', 0):#x}-{ident.get('mimpid', 0):#x},"
            "v1,tally/tally,core\n")


def csr_page(csr):
    members = csr.members()
    name = csr.raw_name if csr.range is None else f"{members[0][0]} .. {members[-1][0]}"
    number = f"0x{members[0][1]:03X}" if csr.range is None else f"0x{members[0][1]:03X}..0x{members[-1][1]:03X}"
    high = csr.high_members()
    if high:
        number += f", RV32 high half 0x{high[0][1]:03X}" + (f"..0x{high[-1][1]:03X}" if csr.range else "")
    if csr.base:
        number += f", RV{csr.base} only"
    lines = [f"### `{name}`: {csr.long_name}", "",
             f"{number}; {csr.priv}; {csr.length} bits; {', '.join(csr.defined_by)}", "", csr.description, ""]
    if not csr.built:
        lines += [f"**{NOT_BUILT}**", ""]
    if csr.fields:
        lines += ["| Bits | Field | Type | Reset | Meaning |", "|---|---|---|---|---|"]
        for field in sorted(csr.fields, key=lambda f: -f.msb):
            where = bits(field.lsb, field.msb)
            if field.rv32:
                where += f" (RV32: {bits(*field.rv32)})"
            lines.append(f"| {where} | {field.name} | {field.type} | {field.reset:#x} | {field.description} |")
        lines.append("")
    return lines


def record_page(record):
    lines = ["## Sample record", "",
             f"RV64 {record.bytes['rv64']} bytes, RV32 {record.bytes['rv32']}; "
             f"as registers at select {record.select:#x}.", "",
             "| RV64 | RV32 | Word | |", "|---|---|---|---|"]
    lines += [f"| +{word['rv64']} | +{word['rv32']} | {word['name']} | {word['desc']} |" for word in record.words]
    for name, fields in record.fields.items():
        if fields:
            lines += ["", f"### {name}", "", "| Bits | Field | Of | Meaning |", "|---|---|---|---|"]
            lines += [f"| {bits(f.lsb, f.msb)} | {f.name} | {f.of} | {f.desc} |" for f in fields]
    lines += ["", "### TYPE", "", "| Code | Instruction |", "|---|---|"]
    lines += [f"| {kind['code']} | {kind['desc']} |" for kind in record.types]
    lines += ["", "### itype", "", "| Code | Control transfer |", "|---|---|"]
    lines += [f"| {kind['code']} | {kind['desc']} |" for kind in record.transfers]
    lines += ["", "### DSRC of the reference hart", "", "| Code | Data came from |", "|---|---|"]
    lines += [f"| {source['code']} | {source['desc']} |" for source in record.sources]
    return lines + [""]


def reference_page(spec):
    lines = ["# CSRs and events", "", GENERATED, "", "Types of fields:", ""]
    lines += [f"- {name}: {meaning}" for name, meaning in FIELD_TYPES.items()]
    lines += ["", "Bits that are in no field read 0 and ignore writes.", "", "## CSRs", ""]
    for csr in sorted(spec.csrs, key=lambda csr: address_of(csr.address, 0)):
        lines += csr_page(csr)
    lines += record_page(spec.record)
    for group, title in (("selects", "Values of siselect"), ("instructions", "Instructions")):
        lines += [f"## {title}", "", "| Number | Name | |", "|---|---|---|"]
        lines += [f"| {number:#x} | {name} | {desc} |" for name, number, desc in spec.encodings[group]] + [""]
    lines += ["## Event selectors (`mhpmevent`, bits 55:0)", "",
              "| Selector | Index | Event | Precise | SBI name | Counts |", "|---|---|---|---|---|---|"]
    for event in spec.events.events:
        lines.append(f"| 0x{event.code:X} | {event.index} | {event.name} | {'yes' if event.precise else ''} | "
                     f"{event.sbi} | {event.desc} |")
    lines += ["", "### Layout of the selector", "", "| Bits | Field | Meaning |", "|---|---|---|"]
    lines += [f"| {bits(lsb, msb)} | {name} | {desc} |" for name, lsb, msb, desc in spec.events.selector_fields]
    for kind, title in (("retire", "Retire wires: one bit a retire lane"), ("cycle", "Cycle wires: one count a cycle"),
                        ("internal", "Counts of the unit's own")):
        lines += ["", f"### {title}", "", "| Number | Wire | Meaning |", "|---|---|---|"]
        lines += [f"| {i} | {name} | {desc} |" for i, (name, desc) in enumerate(spec.events.wires[kind])]
    for group in ("exceptions", "interrupts"):
        lines += ["", f"## {group.capitalize()}", "", "| Code | Name | Meaning |", "|---|---|---|"]
        lines += [f"| {number} | {name} | {desc} |" for name, number, desc in spec.traps[group]]
    return "\n".join(lines + [""])


def gtkwave_filters(spec):
    """File name -> text. GTKWave compares the displayed text (hexadecimal, with leading zeros), so widths matter."""
    csrs = sorted((number, name) for csr in spec.csrs for name, number, _ in csr.members() + csr.high_members())
    events = sorted(spec.events.events, key=lambda event: event.index)
    interrupts = [(n, name) for name, n, _ in spec.traps["interrupts"]]
    exceptions = [(n, name) for name, n, _ in spec.traps["exceptions"]]
    cause = [(f"{n:016X}", name) for n, name in exceptions]
    cause += [(f"{1 << 63 | n:016X}", f"irq {name}") for n, name in interrupts]
    tables = {
        "priv.txt": [(f"{n:X}", name) for name, n, _ in spec.traps["modes"]],
        "csr.txt": [(f"{number:03X}", name) for number, name in csrs],
        "exception4.txt": [(f"{n:X}", name) for n, name in exceptions if n < 16],  # signals of four bits
        "exception.txt": [(f"{n:02X}", name) for n, name in exceptions],
        "interrupt.txt": [(f"{n:02X}", name) for n, name in interrupts],
        "cause.txt": cause,
        "event_index.txt": [("00", "none")] + [(f"{e.index:02X}", e.name) for e in events],
        "event_selector.txt": [(f"{e.code:014X}", e.name) for e in spec.events.events],
    }
    return {name: "".join(f"{value} {label}\n" for value, label in table) for name, table in tables.items()}
