#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The waveforms of a document are what the unit does: waveforms.py DOCUMENT GENERATED SOURCE...

Each drawing is run in Icarus Verilog, on tally_pmu alone or in the example host, and compared cycle by cycle. On the
unit alone the rows of inputs are driven, in the host everything is only looked at: there a program brings it about.
SCENARIOS has the context of each drawing: parameters, earlier writes, the meaning of its words.

A cell is a number (in rows of addresses and CSR numbers a hexadecimal one), a word of the scenario, `-` for anything,
or a word of no meaning: any value, the same at each place of the word in the row. Text two spaces behind the last
cell is a remark.
"""

import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))

import ports as rtl  # noqa: E402  pylint: disable=wrong-import-position

MODES = {"M": 3, "S": 1, "U": 0}
HEX = ("csr_num_i", "rec_addr_o", "xlat_vaddr_o", "xlat_paddr_i", "spdisambaddr", "shpmspc")
HANDLER = 1024  # number of its first instruction


def counter(number, unit="u"):
    return f"{unit}.u_counting.g_plain.u_counters.g_counter[{number}].count"


def csr(name):
    return f"`TALLY_CSR_{name}"


@dataclasses.dataclass
class Scenario:
    heading: str
    params: dict = dataclasses.field(default_factory=dict)
    ties: dict = dataclasses.field(default_factory=dict)     # inputs that are not 0 and not drawn
    setup: list = dataclasses.field(default_factory=list)    # lines of Verilog before the first column
    program: list = None                                     # the host's, in the place of all that
    handler: list = dataclasses.field(default_factory=list)
    start: str = ""                                          # the host's first column
    signals: dict = dataclasses.field(default_factory=dict)  # rows that are no ports; a port's name: it is driven
    words: dict = dataclasses.field(default_factory=dict)    # row (or None: any): words and their values
    lanes: tuple = ()                                        # rows of binary numbers
    checks: list = dataclasses.field(default_factory=list)   # column, expression, value: what a remark says


# ------------------------------------------------------------------------------------------------ drawings


@dataclasses.dataclass
class Drawing:
    heading: str
    line: int
    columns: int
    rows: list   # name, cells (None where nothing is drawn)


def cells_of(line, places):
    cells = []
    for place, end in zip(places, places[1:] + [None]):
        if line[place:place + 1] != "|" or not line[place + 1:place + 2].strip():
            cells.append(None)
        elif end:
            cells.append(line[place + 1:end].strip())
            if "|" in cells[-1]:
                sys.exit(f"a cell that is not below the clock's edge: {line}")
        else:
            cells.append(re.split(r"\s{2,}|\|", line[place + 1:])[0].strip())
    return cells


def drawings(text):
    found, heading, drawing = [], "", None
    for number, line in enumerate(text.splitlines(), 1):
        clock = re.match(r" {4,}clk +(_.*)$", line)
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif clock:
            places = [m.start() for m in re.finditer("/", line)]
            drawing = Drawing(heading, number, len(places), [])
            found.append(drawing)
        elif not line.strip():
            drawing = None
        elif drawing:
            name = line[:places[0]].strip()
            if not name or line[places[0]] != "|":
                sys.exit(f"line {number}: a row begins with a name, and its cells below the clock's edges")
            drawing.rows.append((name, cells_of(line, places)))
    return found


# ------------------------------------------------------------------------------------------------ benches


def number_of(scenario, name, cell):
    """The value of a cell, or None if it is no number."""
    for words in (scenario.words.get(name, {}), scenario.words.get(None, {}), MODES if "priv" in name else {}):
        if cell in words:
            return words[cell]
    try:
        return int(cell, 16 if name in HEX else 2 if name in scenario.lanes else 10)
    except ValueError:
        return None


def watched(scenario, drawing, prefix):
    """Expressions of the rows, then those of the checks."""
    known = {name for name, _, _ in rtl.ports()}
    found = []
    for name, _ in drawing.rows:
        signal = scenario.signals.get(name, name)
        if name not in known and name not in scenario.signals:
            sys.exit(f"line {drawing.line}: there is no port {name}, and the scenario does not say what it is")
        found.append(prefix + signal if signal in known else signal)
    return found + [expression for _, expression, _ in scenario.checks]


def displays(expressions):
    lines = [f'      $display("cell %0d {row} %b", column, {expression});'
             for row, expression in enumerate(expressions)]
    return "\n".join(["  task sample(input integer column);", "    begin", *lines, "    end", "  endtask"])


def unit_bench(scenario, drawing):
    inputs = [name for name, direction, _ in rtl.ports() if direction == "input" and name not in ("clk", "rst")]
    lines = ["`include \"tally_spec.vh\"", "module bench;"]
    for name, default in rtl.parameters():
        lines.append(f"  localparam {name} = {scenario.params.get(name, default)};")
    lines.append("  reg clk = 1'b0, rst = 1'b1;")
    for name, direction, width in rtl.ports()[2:]:
        lines.append(f"  {'reg' if direction == 'input' else 'wire'} [{width}-1:0] {name};")
    params = ", ".join(f".{name}({name})" for name, _ in rtl.parameters())
    connections = ", ".join(f".{name}({name})" for name, _, _ in rtl.ports())
    lines.append(f"  tally_pmu #({params}) u ({connections});")
    lines.append(displays(watched(scenario, drawing, "")))
    lines.append("""
  task tick;
    begin
      #5 clk = 1'b1;
      #5 clk = 1'b0;
    end
  endtask
  task write(input [11:0] num, input [XLEN-1:0] data);
    begin
      {csr_num_i, csr_op_i, csr_wdata_i, csr_priv_i} = {num, 2'd1, data, 2'd3};
      #1;
      while (ret_max_o == 4'd0) tick;
      csr_valid_i = 1'b1;
      tick;
      {csr_valid_i, csr_num_i, csr_op_i} = 15'd0;
    end
  endtask
  initial begin""")
    lines += [f"    {name} = {scenario.ties.get(name, 0)};" for name in inputs]
    lines += ["    tick;", "    rst = 1'b0;"] + [f"    {line}" for line in scenario.setup]
    for column in range(drawing.columns):
        for name, cells in drawing.rows:
            port = scenario.signals.get(name, name)
            if port in inputs and cells[column] not in (None, "-"):
                value = number_of(scenario, name, cells[column])
                if value is None:
                    sys.exit(f"line {drawing.line}: what is {cells[column]} in the row {name}?")
                lines.append(f"    {port} = {'-' if value < 0 else ''}64'd{abs(value)};")
        lines += ["    #4;", f"    sample({column});", "    tick;"]
    return "\n".join(lines + ["    $finish;", "  end", "endmodule", ""])


def host_bench(scenario, drawing):
    kinds = {"work": 0, "csr": 1, "mret": 2, "wfi": 3}
    lines = ["`include \"tally_spec.vh\"", "module bench;", "  reg clk = 1'b0, rst = 1'b1;",
             "  reg [1:0] kind [0:2047], op [0:2047];", "  reg [11:0] num [0:2047];", "  reg [63:0] data [0:2047];",
             "  wire [63:0] pc, result;", "  wire retire, trap;", "  wire [10:0] at = pc[12:2];"]
    params = ", ".join(f".{name}({value})" for name, value in scenario.params.items())
    lines.append(f"  example_host #({params}) host (.clk(clk), .rst(rst), .pc_q(pc), .insn_kind_i(kind[at]), "
                 ".insn_num_i(num[at]), .insn_op_i(op[at]), .insn_data_i(data[at]), .result_o(result), "
                 ".retire_o(retire), .trap_o(trap));")
    lines.append(displays(watched(scenario, drawing, "host.u_pmu.")))
    lines += ["  integer i;", "  initial begin",
              "    for (i = 0; i < 2048; i = i + 1) {kind[i], op[i], num[i], data[i]} = 80'd0;"]
    for place, program in ((0, scenario.program), (HANDLER, scenario.handler)):
        for number, (_, kind, *access) in enumerate(program, place):
            name, op, data = access or ("12'd0", 0, 0)
            lines.append(f"    {{kind[{number}], num[{number}], op[{number}]}} = {{2'd{kinds[kind]}, {name}, "
                         f"2'd{op}}}; data[{number}] = {data};")
    lines += ["    #5 clk = 1'b1;", "    #5 clk = 1'b0;", "    rst = 1'b0;", "    i = 0;", "    #4;",
              f"    while (!({scenario.start}) && i < 500) begin",
              "      #1 clk = 1'b1;", "      #5 clk = 1'b0;", "      #4 i = i + 1;", "    end"]
    for column in range(drawing.columns):
        lines += [f"    sample({column});", "    #1 clk = 1'b1;", "    #5 clk = 1'b0;", "    #4;"]
    return "\n".join(lines + ["    $finish;", "  end", "endmodule", ""])


# ------------------------------------------------------------------------------------------------ comparison


def simulate(bench, generated, sources, folder):
    (folder / "bench.v").write_text(bench)
    image = folder / "bench.vvp"
    folder_of_unit = pathlib.Path(rtl.SOURCE).parent
    include = [f"-I{generated}", f"-I{folder_of_unit}", f"-I{folder_of_unit.parent / 'prim'}"]
    subprocess.run(["iverilog", "-g2005", *include, "-s", "bench", "-o", image, folder / "bench.v",
                    HERE / "example_host.v", *sources], check=True)
    done = subprocess.run(["vvp", "-n", image], check=True, capture_output=True, text=True)
    return {(int(row), int(column)): bits
            for column, row, bits in re.findall(r"^cell (\d+) (\d+) (\S+)$", done.stdout, re.M)}


def holds(scenario, name, cell, bits, bound):
    if cell is None or cell == "-" and number_of(scenario, name, cell) is None:
        return True
    if set(bits) - {"0", "1"}:
        return False
    value, expected = int(bits, 2), number_of(scenario, name, cell)
    if expected is None:
        expected = bound.setdefault(cell, value)
    return value == expected % (1 << len(bits))


def compare(scenario, drawing, seen):
    """Rows that are drawn wrong."""
    wrong = []
    for row, (name, cells) in enumerate(drawing.rows):
        bound = {}
        if not all(holds(scenario, name, cell, seen[row, column], bound) for column, cell in enumerate(cells)):
            values = [seen[row, column] for column in range(drawing.columns)]
            shown = [f"{int(bits, 2):x}" if not set(bits) - {"0", "1"} else bits for bits in values]
            wrong.append(f"  {name}: drawn {' '.join(str(cell) for cell in cells)}; is (hex) {' '.join(shown)}")
    for number, (column, expression, value) in enumerate(scenario.checks, len(drawing.rows)):
        bits = seen[number, column]
        if set(bits) - {"0", "1"} or int(bits, 2) != value % (1 << len(bits)):
            wrong.append(f"  column {column}: {expression} is {bits}, not {value}")
    return wrong


# ------------------------------------------------------------------------------------------------ scenarios


def instructions(program, handler=()):
    """For rows of what retires: the words of the program, `-` for none."""
    words = {"-": -1}
    for place, part in ((0, program), (HANDLER, handler)):
        words.update({label: 4 * number for number, (label, *_) in enumerate(part, place) if label})
    return words


RETIRES = "host.retire_o ? host.pc_q : 64'hFFFF_FFFF_FFFF_FFFF"
READ, WRITE, SET, CLEAR = range(4)
EVENT_INST, EVENT_BUS, EVENT_CYCLES = (f"`TALLY_EV_{name}" for name in ("INST_RET", "CYCLES_BUS", "CYCLES_HART"))
NOT_SU = "64'h1 << `TALLY_MHPMEVENT_SINH_LSB | 64'h1 << `TALLY_MHPMEVENT_UINH_LSB"
GE_PME = "64'h1 << `TALLY_UBESCR_GE_LSB | 64'h1 << `TALLY_UBESCR_PME_LSB"
LCOFI, CDE = "64'h1 << `TALLY_INT_LCOFI", "64'h1 << `TALLY_MENVCFG_CDE_LSB"
CYCLE_WIRE = "1 << `TALLY_EVC_CYCLE"
CYCLE_OF_HOST = "host.ev_cycle[`TALLY_EVC_CYCLE]"


def at(program, label):
    """The first cycle of an instruction in which it may retire."""
    number = [entry[0] for entry in program].index(label)
    return f"pc == {4 * number} && retire"


def host(heading, program, start, handler=(), **rest):
    words = {"retires": instructions(program, handler), **rest.pop("words", {})}
    signals = {"retires": RETIRES, **rest.pop("signals", {})}
    return Scenario(heading, program=program, handler=list(handler), start=at(program, start), words=words,
                    signals=signals, **rest)


def mode():
    program = [("", "csr", csr("MHPMEVENT3"), WRITE, f"{EVENT_INST} | {NOT_SU}"),
               ("", "csr", csr("MSTATUS"), WRITE, 0), ("", "csr", csr("MEPC"), WRITE, "64'd24"),
               ("", "csr", csr("MHPMCOUNTER3"), WRITE, 5),
               ("addi", "work"), ("mret", "mret"), ("nop", "work")]
    return host("mode", program, "addi", signals={"counter 3": counter(3, "host.u_pmu")})


def overflow():
    program = [("", "csr", csr("MHPMEVENT3"), WRITE, EVENT_INST), ("", "csr", csr("MSTATUS"), WRITE, "64'h1808"),
               ("", "csr", csr("MHPMCOUNTER3"), WRITE, "-64'd2"), ("a", "work"), ("b", "work")]
    return host("irq", program, "a", [("h0", "work")],
                signals={"counter 3": counter(3, "host.u_pmu"), "trap": "host.trap_o",
                         "OF, LCOFIP": "{host.u_pmu.flags[3], host.lcofip_q}"},
                words={"counter 3": {"..FE": -2, "..FF": -1}, "OF, LCOFIP": {"1": 3}},
                checks=[(3, "host.mepc_q", 4 * len(program))])


def environment():
    """S-mode is refused what it needs CDE for; the handler opens it and returns to the same instruction."""
    program = [("", "csr", csr("MSTATUS"), WRITE, "64'h0800"), ("", "csr", csr("MEPC"), WRITE, "64'd12"),
               ("", "mret"), ("csrr", "csr", csr("SCOUNTINHIBIT"), READ, 0)]
    handler = [("csrw", "csr", csr("MENVCFG"), WRITE, CDE), ("mret", "mret")]
    scenario = host("env", program, "csrr", handler, signals={"trap": "host.trap_o"})
    scenario.start = "trap"
    return scenario


def together():
    """Interrupts are off, and LCOFIP is 1 already."""
    program = [("", "csr", csr("MIP"), SET, LCOFI), ("", "csr", csr("MHPMEVENT3"), WRITE, EVENT_INST),
               ("", "csr", csr("MHPMCOUNTER3"), WRITE, "-64'd2"), ("a", "work"),
               ("csrc", "csr", csr("MIP"), CLEAR, LCOFI), ("b", "work"),
               ("csrc'", "csr", csr("MIP"), CLEAR, LCOFI), ("c", "work")]
    return host("irq", program, "a", signals={"counter 3": counter(3, "host.u_pmu"), "OF": "host.u_pmu.flags[3]",
                                              "LCOFIP": "host.lcofip_q"})


def branch():
    """M-mode opens event-based branches, routes counter 3 and goes to U-mode."""
    program = [("", "csr", csr("MCOUNTEREN"), WRITE, 8), ("", "csr", csr("MENVCFG"), WRITE, CDE),
               ("", "csr", csr("MSTATEEN0"), WRITE, 1), ("", "csr", csr("MEBBCTL"), WRITE, 1),
               ("", "csr", csr("SEBBCTL"), WRITE, 9), ("", "csr", csr("MHPMEVENT3"), WRITE, EVENT_INST),
               ("", "csr", csr("UEBBHR"), WRITE, 4 * HANDLER), ("", "csr", csr("UBESCR"), WRITE, GE_PME),
               ("", "csr", csr("MSTATUS"), WRITE, 0), ("", "csr", csr("MEPC"), WRITE, 48),
               ("", "csr", csr("MHPMCOUNTER3"), WRITE, "-64'd2"), ("", "mret"), ("a", "work"), ("b", "work"),
               ("c", "work")]
    handler = [("csrc", "csr", csr("UBESCR"), CLEAR, 1), ("uebret", "mret", "12'd0", 1, 1)]
    status = "host.u_pmu.g_ebb.u_ebb.u_status"
    return host("Event-based branches: ebb", program, "a", handler,
                signals={"counter 3": counter(3, "host.u_pmu"), "OF": "host.u_pmu.flags[3]", "GE": f"{status}.ge_q",
                         "PME": f"{status}.pme_q", "PMEO": f"{status}.pmeo_q"},
                checks=[(3, "host.ebb_return", 4 * (len(program) - 1))])


def asleep():
    program = [("", "csr", csr("MHPMEVENT4"), WRITE, EVENT_BUS), ("", "csr", csr("MSTATUS"), WRITE, "64'h1808"),
               ("", "csr", csr("MHPMCOUNTER4"), WRITE, "-64'd6"), ("", "csr", csr("MCYCLE"), WRITE, 100),
               ("wfi", "wfi"), ("nop", "work")]
    return host("mode", program, "wfi", [("h0", "work"), ("h1", "work")],
                signals={"counter 4": counter(4, "host.u_pmu"), "mcycle": counter(0, "host.u_pmu"),
                         "LCOFIP": "host.lcofip_q", "trap": "host.trap_o", "ev_cycle_i CYCLE": CYCLE_OF_HOST},
                checks=[(6, "host.mepc_q", 4 * program.index(("nop", "work")))])


# ------------------------------------------------------------------------------------------------ the unit's


BUFFER = 0x80000000


def one_page():
    """A buffer of one page, which is where it says."""
    return [f"write({csr('SPDISAMBADDR')}, 64'h8000_0000);", f"write({csr('SPDISAMBCS')}, 1);",
            "while (!xlat_req_o) tick;", "{xlat_done_i, xlat_paddr_i} = {1'b1, 56'h8000_0000};", "tick;",
            "xlat_done_i = 1'b0;"]


def sampling(heading, setup=(), **rest):
    """The next instruction that is decoded is the sample."""
    ties = {"dec_mode_i": 3, "dec_pc_i": "64'h1000"}
    setup = [*one_page(),
             f"write({csr('MPDISCTL')}, 64'h1 << `TALLY_MPDISCTL_MEM_LSB | 64'h1 << `TALLY_MPDISCTL_M_LSB);",
             f"write({csr('SPDISCOUNTER')}, 64'hFFFF_FFFF);", *setup]
    return Scenario(heading, params={"SMPDIS": 1}, ties=ties, setup=setup, **rest)


def latencies(valid, oldest, execution, issue, dispatch, total):
    return sum(value << lsb for value, lsb in
               ((valid, 60), (oldest, 48), (execution, 36), (issue, 24), (dispatch, 12), (total, 0)))


def record():
    words = {f"+{offset:02X}": BUFFER + offset for offset in range(0, 72, 8)}
    return sampling(MEMORY, ["dec_valid_i = 1'b1;", "tick;", "dec_valid_i = 1'b0;", "trk_retired_i = 1'b1;", "tick;",
                              "trk_retired_i = 1'b0;", "tick;"],
                    signals={"spdisambaddr": "u.ambaddr"},
                    words={"rec_addr_o": words, "spdisambaddr": words, "rec_data_o": {"pc": 0x1000}})


def translation():
    pages = {"p0": BUFFER, "p1": BUFFER + 0x1000}
    return Scenario(MEMORY, params={"SMPDIS": 1}, ties={"env_pdiss_i": 1},
                    setup=[f"write({csr('SPDISAMBADDR')}, 64'h8000_0000);",
                           f"write({csr('SPDISAMBCS')}, 1 | 1 << `TALLY_SPDISAMBCS_SIZE_LSB);"],
                    signals={"TF": "u.ambcs[1]"},
                    words={"xlat_vaddr_o": pages, "xlat_paddr_i": {"q0": 0x1000, "q1": 0x7000}})


def lanes():
    events = [f"ev_retire_i[{lane}*EVR_N+`TALLY_EVR_INST] = 1'b1;" for lane in range(4)]
    return Scenario("More than one lane", params={"RETIRE_W": 4, "SSPESA": 1},
                    ties={"ret_pc_i": "{64'h10C, 64'h108, 64'h104, 64'h100}"},
                    setup=[*events, f"write({csr('MHPMEVENT3')}, {EVENT_INST});",
                           f"write({csr('MHPMCOUNTER3')}, -64'd6);"],
                    signals={"counter 3": counter(3), "shpmspc": "u.pesa_pc"}, lanes=("ret_valid_i",))


def waits(heading, **params):
    return Scenario(heading, params=params, ties={"csr_priv_i": 3, "ev_cycle_i": CYCLE_WIRE},
                    setup=[f"write({csr('MCOUNTINHIBIT')}, 64'h18);", f"write({csr('MHPMCOUNTER3')}, 100);",
                           f"write({csr('MHPMCOUNTER4')}, 200);"])


SAMPLING, MEMORY, WAITS = "In a week: sampling", "rec and xlat", "Accesses that wait"
SCENARIOS = [
    Scenario("csr", ties={"ev_cycle_i": CYCLE_WIRE},
             setup=[f"write({csr('MHPMEVENT3')}, {EVENT_CYCLES});", f"write({csr('MHPMCOUNTER3')}, 100);"],
             signals={"counter 3": counter(3)}),
    mode(),
    asleep(),
    together(),
    overflow(),
    environment(),
    sampling(SAMPLING, checks=[(5, "u.u_sampling.g_pdis.u_pdis.u_track.lat_o", latencies(0xF, 2, 1, 1, 1, 4))]),
    record(),
    translation(),
    lanes(),
    waits(WAITS, CSR_PIPELINE=1),
    waits(WAITS, COUNTER_RAM=1),
    branch(),
]


def main():
    document, generated, *sources = sys.argv[1:]
    found = drawings(pathlib.Path(document).read_text(encoding="utf-8"))
    have, want = [d.heading for d in found], [s.heading for s in SCENARIOS]
    if have != want:
        sys.exit(f"{document}: waveforms below {have}, scenarios for {want}")
    errors = 0
    with tempfile.TemporaryDirectory() as folder:
        for drawing, scenario in zip(found, SCENARIOS):
            bench = (host_bench if scenario.program else unit_bench)(scenario, drawing)
            wrong = compare(scenario, drawing, simulate(bench, generated, sources, pathlib.Path(folder)))
            if wrong:
                print(f"{document}:{drawing.line}: the waveform below {drawing.heading!r}", *wrong, sep="\n")
                errors += 1
    print(f"{len(found) - errors} of {len(found)} waveforms of {document} are what the unit does")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
