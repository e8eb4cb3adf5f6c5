# Sources of the PMU. They include tally_spec.vh and tally_event_fn.vh, which scripts/gen_spec.py generates.
set(TALLY_PMU_SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/tally_pmu.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_csr.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_control.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_counters.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_counters_lazy.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_events.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_lines.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_combine.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_pcrange.v)
