// SPDX-License-Identifier: Apache-2.0
// Situations that a run must have: rules of docs/rulings.md, "Event-based branches", that meet in one cycle.
#ifndef EBB_SITUATIONS_H
#define EBB_SITUATIONS_H

#define EBB_SITUATIONS(X)                                                                                    \
    X(routed_overflow_with_pme, "a routed overflow makes an event")                                          \
    X(routed_overflow_without_pme, "a routed overflow finds PME 0")                                          \
    X(by_an_instruction, "... its cause retires")                                                            \
    X(by_a_later_lane, "... in a lane behind others (RETIRE_W > 1)")                                         \
    X(beside_an_instruction, "... no instruction causes it, one retires")                                    \
    X(by_nothing, "... nothing retires")                                                                     \
    X(by_nothing_after_a_flush, "... with the pipeline empty after a flush")                                 \
    X(cause_of_another_mode, "... the pc is not of U-mode (RETIRE_W > 1)")                                   \
    X(two_events, "two routed overflows in a cycle")                                                         \
    X(beside_lcofi, "a routed and an unrouted overflow in a cycle")                                          \
    X(beside_andes, "... with mcounterinen (ANDES)")                                                         \
    X(routed_in_mcounterinen, "a routed overflow of a counter in mcounterinen (ANDES)")                      \
    X(second_overflow, "a routed counter wraps with OF 1")                                                   \
    X(ubescr_written_by_an_event, "ubescr is written in the cycle of an event")                              \
    X(pme_cleared_by_an_event, "... PME from 1 to 0 by software, too")                                       \
    X(pmeo_cleared_by_an_event, "... PMEO cleared by software")                                              \
    X(pme_meets_flag, "PME from 0 to 1 with OF 1")                                                           \
    X(pme_meets_new_flag, "... OF of that cycle alone")                                                      \
    X(pme_meets_no_flag, "PME from 0 to 1 without a flag")                                                   \
    X(pme_meets_unrouted_flag, "... with a flag of a counter that is not routed")                            \
    X(pme_again_with_flag, "PME written 1 where it is 1, with OF 1")                                         \
    X(spc_written_by_an_event, "uebbspc is written in the cycle of an event (SSPESA)")                       \
    X(flag_cleared_by_its_wrap, "uebbovf, CSRRC, clears OF in the cycle of the wrap")                        \
    X(other_flag_cleared_by_wrap, "... of another counter")                                                  \
    X(other_flag_set_by_wrap, "uebbovf, CSRRS, in the cycle of a wrap that it does not name")                \
    X(flags_written_by_wrap, "uebbovf, CSRRW, overwrites the flag of its cycle")                             \
    X(flag_cleared_elsewhere, "another view clears OF in the cycle of the wrap of a routed counter")         \
    X(event_written_by_wrap, "mhpmevent, CSRRW, in that cycle")                                              \
    X(count_written_by_wrap, "uebbcnt is written where the counter would wrap")                              \
    X(count_written_elsewhere, "another view of a routed counter is")                                        \
    X(count_of_no_route, "uebbcnt is written, and the selected counter is not routed")                       \
    X(freeze_holds, "FZ holds a routed counter")                                                             \
    X(inhibit_holds, "uebbinh holds a routed counter")                                                       \
    X(inhibit_kept, "uebbinh of a counter that is not routed, which counts")                                 \
    X(mode_holds, "a routed counter has an event outside of U-mode")                                         \
    X(route_closed_by_event, "sebbctl closes the route in the cycle of the event")                           \
    X(route_opened_by_wrap, "sebbctl opens a route in the cycle of the wrap")                                \
    X(route_kept_undelegated, "sebbctl keeps a route without delegation")                                    \
    X(route_kept_closed, "sebbctl keeps a route while S-mode's gate is closed")                              \
    X(routed_without_en, "a routed overflow with EN 0")                                                      \
    X(routed_without_sstateen, "... with sstateen0.C 0 (SMSTATEEN)")                                         \
    X(delivered, "a branch is delivered")                                                                    \
    X(delivered_by_event, "... in the cycle of an event")                                                    \
    X(delivered_by_missed, "... of a routed overflow with PME 0")                                            \
    X(ack_without_request, "ebb_ack_i without ebb_req_o")                                                    \
    X(waits_for_user_mode, "GE and PMEO outside of U-mode")                                                  \
    X(waits_in_debug_mode, "... in U-mode, in Debug Mode")                                                   \
    X(waits_for_the_gate, "... in U-mode, the gate closed")                                                  \
    X(uebret_0, "uebret 0")                                                                                  \
    X(uebret_1_delivers, "uebret 1 with PMEO 1")                                                             \
    X(uebret_by_event, "uebret is the cause of an event")                                                    \
    X(stopcount_holds, "stopcount holds a routed counter in U-mode")

#endif
