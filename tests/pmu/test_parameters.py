# SPDX-License-Identifier: Apache-2.0
"""Parameters of tally_pmu that are out of range, or that exclude each other, stop elaboration with a message that names
the rule (rtl/pmu/tally_pmu_check.v), in one tool: every rule with the checking module alone, some with the whole unit,
which hands it every parameter.

Usage: test_parameters.py BUILD verilator|iverilog|yosys
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECK = ROOT / "rtl/pmu/tally_pmu_check.v"

# Parameters -> the rule that they break
BROKEN = {
    "XLEN=48": "XLEN_is_32_or_64",
    "RETIRE_W=0": "RETIRE_W_is_1_to_8",
    "RETIRE_W=9": "RETIRE_W_is_1_to_8",
    "DECODE_W=0": "DECODE_W_is_1_to_8",
    "DECODE_W=9": "DECODE_W_is_1_to_8",
    "HPM_N=30": "HPM_N_is_0_to_29",
    "HPM_W=0": "HPM_W_is_1_to_64",
    "HPM_W=65": "HPM_W_is_1_to_64",
    "EVC_W=0": "EVC_W_is_1_to_8",
    "EVC_W=9": "EVC_W_is_1_to_8",
    "EVR_N=3": "EVR_N_is_not_to_be_set",
    "EVC_N=3": "EVC_N_is_not_to_be_set",
    "COMB_N=30": "COMB_N_is_0_to_29",
    "PDIS_MEM=3": "PDIS_MEM_is_0_1_or_2",
    "PDIS_ACC=3": "PDIS_ACC_is_0_1_or_2",
    "PDIS_QUEUE=3": "PDIS_QUEUE_is_2_4_8_or_16",
    "SMCSRIND=0": "SMCDELEG_needs_SMCSRIND",
    "SSCOFPMF=0 SSPESA=1": "SSPESA_needs_SSCOFPMF",
    "SSCOFPMF=0 SMPDIS=1": "SMPDIS_needs_SSCOFPMF",
    "SMCSRIND=0 SMCDELEG=0 SMPDIS=1": "SMPDIS_needs_SMCSRIND",
    "SSCOFPMF=0 EBB=1": "EBB_needs_SSCOFPMF",
    "SMCDELEG=0 EBB=1": "EBB_needs_SMCDELEG",
    "SMALL_EVENTS=1 COMB_N=1": "SMALL_EVENTS_excludes_COMB_N",
} | {f"{switch}=2": f"{switch}_is_0_or_1" for switch in (
    "SSCOFPMF", "SMCNTRPMF", "SMCSRIND", "SMCDELEG", "SMSTATEEN", "HYP", "ANDES", "ANDES_SILICON", "ANDES_SWRITE",
    "SWEVENT", "SMALL_EVENTS", "PCRANGE", "SSPESA", "SPESA_NEXT", "SMPDIS", "EBB", "CSR_PIPELINE",
    "COUNTER_RAM")}
# In the whole unit these could stop elaboration elsewhere before the rule is named.
WHOLE = ["XLEN=48", "RETIRE_W=9", "HPM_N=30", "HPM_W=0", "PDIS_QUEUE=3", "SMCSRIND=0 SMCDELEG=0 SMPDIS=1"]
ALLOWED = ["", "XLEN=32 SMCSRIND=0 SMCDELEG=0 SSCOFPMF=0", "HPM_N=0 RETIRE_W=8 SMPDIS=1 PDIS_QUEUE=16"]


def command(tool, build, params, whole):
    """The tool's command that elaborates the unit, or its check alone, with these parameters."""
    generated = build / "generated"
    includes = [f"-I{name}" for name in (generated / "includes.f").read_text().split()]
    sources = (generated / "pmu.f").read_text().split() if whole else [str(CHECK)]
    top = "tally_pmu" if whole else "tally_pmu_check"
    if tool == "yosys":
        chosen = " ".join("-chparam " + param.replace("=", " ") for param in params)
        return ["yosys", "-q", "-p", f"read_verilog -defer {' '.join(includes)} {' '.join(sources)}; "
                f"hierarchy -check -top {top} {chosen}"]
    if tool == "verilator":
        return ["verilator", "--lint-only", "-Wno-fatal", "--top-module", top, *includes,
                *(f"-G{param}" for param in params), *sources]
    return ["iverilog", "-g2005", "-t", "null", "-s", top, *includes,
            *(f"-P{top}.{param}" for param in params), *sources]


def main():
    build, tool = pathlib.Path(sys.argv[1]), sys.argv[2]
    failures = []
    rules = set(re.findall(r"tally_pmu_error_(\w+) u_error", CHECK.read_text()))
    if rules != set(BROKEN.values()):
        failures.append(f"rules without a test, or tests without a rule: {sorted(rules ^ set(BROKEN.values()))}")
    unit = (ROOT / "rtl/pmu/tally_pmu.v").read_text()
    parameters = set(re.findall(r"^ *parameter (\w+)", unit, re.M))
    handed = set(re.findall(r"\.(\w+)\(\1\)", re.search(r"tally_pmu_check #\((.*?)\) u_check", unit, re.S)[1]))
    if parameters != handed:
        failures.append(f"parameters that the check does not get: {sorted(parameters ^ handed)}")
    for chosen, whole in [*((c, False) for c in [*ALLOWED, *BROKEN]), *((c, True) for c in ["", *WHOLE])]:
        done = subprocess.run(command(tool, build, chosen.split(), whole), text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        rule = BROKEN.get(chosen)
        where = f"{tool}, {'unit' if whole else 'check alone'}, '{chosen}'"
        if rule is None and done.returncode:
            failures.append(f"{where} is refused:\n{done.stdout[-2000:]}")
        elif rule and (not done.returncode or f"tally_pmu_error_{rule}" not in done.stdout):
            failures.append(f"{where}: status {done.returncode}, no message {rule}:\n{done.stdout[-2000:]}")
    print("\n".join(failures) or f"{tool}: {len(BROKEN)} sets of parameters refused")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
