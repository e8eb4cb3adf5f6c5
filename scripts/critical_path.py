# SPDX-License-Identifier: Apache-2.0
"""The slowest path in nextpnr's report, in the names of the sources."""

import re


def short(name):
    """A net or cell of the flattened netlist, as in the sources; its module where fpga.NAMELESS named it."""
    name = name.replace("u_machine.u_soc.", "").replace("g_hart[0].u_hart.", "")
    name = re.sub(r"\._\d+_(\[\d+\])?$", "", name)
    ports = r"(_(SB_\w+|LC|RAM|LUT4|TRELLIS_\w+|PFUMX|L6MUX21|CCU2C|DP16KD|[A-Z]\d?|DI|COUT|BLUT|ALUT|CIN|SD))+(_\d+)?$"
    return re.sub(ports, "", name)


def worst(report):
    """(nanoseconds, logic, routing, [signals on the way]) of the slowest path within the core clock."""
    paths = [p for p in report["critical_paths"] if p["from"] == p["to"] and p["from"].startswith("posedge")]
    if not paths:
        return None
    path = max(paths, key=lambda p: sum(step["delay"] for step in p["path"]))
    logic = sum(s["delay"] for s in path["path"] if s["type"] != "routing")
    routing = sum(s["delay"] for s in path["path"] if s["type"] == "routing")
    way = []
    for step in path["path"]:
        name = short(step.get("net", step["from"]["cell"]))
        if "$" not in name and (not way or way[-1] != name):
            way.append(name)
    end = short(path["path"][-1]["to"]["cell"])
    if "$" not in end and way[-1:] != [end]:
        way.append(end)
    return {"ns": round(logic + routing, 2), "logic": round(logic, 2), "routing": round(routing, 2), "way": way}
