# SPDX-License-Identifier: Apache-2.0
# Vivado, batch mode: the machine on an Arty A7-100T, to BUILD/fpga/arty/arty.bit.
#
#   vivado -mode batch -source constraints/arty/vivado.tcl -tclargs BUILD
#
# BUILD is a configured build directory in which `make fpga BOARD=arty` has written ram.hex and rom.hex.
if {[llength $argv] != 1} {
  puts "usage: vivado -mode batch -source vivado.tcl -tclargs BUILD"
  exit 2
}
set build [file normalize [lindex $argv 0]]
set here [file dirname [file normalize [info script]]]
set out $build/fpga/arty
foreach file [list $build/generated/board.f $build/generated/includes.f $out/ram.hex $out/rom.hex] {
  if {![file exists $file]} {
    puts "$file is not there: configure, then make fpga BOARD=arty"
    exit 2
  }
}

proc lines {path} {
  set file [open $path]
  set text [string trim [read $file]]
  close $file
  return [split $text "\n"]
}

# Other vendors' tops stand in the same list: they are not below this one and are left out.
set sources {}
foreach source [lines $build/generated/board.f] {
  if {![regexp {tally_(ecp5_pll|ulx3s|orangecrab|icebreaker|hx8k|player)\.v$} $source]} {
    lappend sources $source
  }
}
read_verilog $sources
read_xdc $here/arty.xdc
synth_design -top tally_arty -part xc7a100tcsg324-1 -include_dirs [lines $build/generated/includes.f] \
  -generic CLK_MHZ=40 -generic RAM_WORDS=32768 -generic RAM_FILE=$out/ram.hex -generic ROM_FILE=$out/rom.hex
opt_design
place_design
phys_opt_design
route_design
report_utilization -file $out/utilization.txt
report_timing_summary -file $out/timing.txt
write_bitstream -force $out/arty.bit
