# SPDX-License-Identifier: Apache-2.0
# Parameters of the machine. Here, because more folders than the simulator's ask for them.
set(TALLY_MEM_LATENCY 40 CACHE STRING "core cycles from a RAM request to its first beat")
set(TALLY_TIME_RATIO 10 CACHE STRING "core cycles a tick of mtime")
set(TALLY_HPM_N 29 CACHE STRING "programmable counters of a hart; 0 to see what they cost (make bench)")
option(TALLY_SAMPLING "precise sampling in the machine: Sspesa and Smpdis (docs/sampling.md)" ON)
option(TALLY_EBB "event-based branches in the machine (docs/rulings.md)" ON)
option(TALLY_COUNTER_RAM "counters of the machine in a RAM, as on the boards (docs/pmu.md)" OFF)
option(TALLY_GUIDED "compile the simulator of one hart for what its workloads do (Clang; docs/performance.md)" OFF)
set(TALLY_HART_SIZES "" CACHE STRING "sizes of the harts, NAME=VALUE;... (parameters of rtl/hart/tally_hart.v)")
