# SPDX-License-Identifier: Apache-2.0
"""tally_pmu as place and route for an ECP5 gets it, as Verilog: netlist_ecp5.py BUILD NETLIST.v PARAMETER=VALUE...

The steps are those of scripts/fpga.py: the family's own forms, its synthesis, carry cells without constants.
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import fpga  # noqa: E402  pylint: disable=wrong-import-position

BOARD = {"name": "tally_pmu", "family": "ecp5", "top": "tally_pmu"}


def main(build, netlist, *values):
    out = netlist.with_suffix("")
    out.mkdir(parents=True, exist_ok=True)
    sets = " ".join(f"-set {value.replace('=', ' ')}" for value in values)
    script = fpga.read_design(build, "pmu") + fpga.read_forms(BOARD) + [f"chparam {sets} tally_pmu"]
    fpga.examine(BOARD, script + fpga.mapping(BOARD, out), out / "yosys.log")
    fpga.finish_netlist(out / "netlist.json", "tally_pmu")
    # Every net becomes a wire of its own: the simulator would see loops through vectors that are none.
    fpga.yosys([f"read_json {out}/netlist.json", "opt_clean -purge", "splitnets", "opt_clean -purge",
                f"write_verilog -noattr {netlist}"], out / "verilog.log")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), *sys.argv[3:])
