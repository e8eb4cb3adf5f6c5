# GTKWave: the signals worth seeing first, with names instead of numbers.
#
#   TALLY_FILTERS=build/generated/gtkwave gtkwave --script sim/waves.tcl build/sort.fst
#
# A row: group, end of the signal's name, filter file (or none). Every signal of the wave file that ends so is shown.
set rows {
  {machine  u_pmu.clk                {}}
  {machine  u_pmu.rst                {}}
  {mode     u_pmu.mode_priv_i        priv.txt}
  {mode     u_pmu.mode_halted_i      {}}
  {retire   u_pmu.ret_valid_i        {}}
  {retire   u_pmu.ret_pc_i           {}}
  {retire   u_pmu.ret_next_pc_i      {}}
  {csr      u_pmu.csr_valid_i        {}}
  {csr      u_pmu.csr_num_i          csr.txt}
  {csr      u_pmu.csr_op_i           {}}
  {csr      u_pmu.csr_wdata_i        {}}
  {csr      u_pmu.csr_rdata_o        {}}
  {csr      u_pmu.csr_illegal_o      {}}
  {traps    u_csr.mcause_q           cause.txt}
  {traps    u_csr.scause_q           cause.txt}
  {traps    u_pmu.irq_lcofi_o        {}}
  {events   u_pmu.ev_retire_i        {}}
  {events   u_pmu.ev_cycle_i         {}}
}

set names {}
for {set i 0} {$i < [gtkwave::getNumFacs]} {incr i} {
  lappend names [gtkwave::getFacName $i]
}

set group ""
foreach row $rows {
  lassign $row title suffix filter
  if {$title ne $group} {
    set group $title
    gtkwave::/Edit/Insert_Comment $title
  }
  foreach name $names {
    if {![regexp "(^|\\.)[string map {. \\.} $suffix](\\\[.*)?$" $name]} {
      continue
    }
    gtkwave::addSignalsFromList [list $name]
    if {$filter ne "" && [info exists ::env(TALLY_FILTERS)]} {
      gtkwave::/Edit/UnHighlight_All
      gtkwave::highlightSignalsFromList [list $name]
      gtkwave::installFileFilter [gtkwave::setCurrentTranslateFile $::env(TALLY_FILTERS)/$filter]
      gtkwave::/Edit/UnHighlight_All
    }
  }
}
gtkwave::/Time/Zoom/Zoom_Best_Fit
