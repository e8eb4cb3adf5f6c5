// SPDX-License-Identifier: Apache-2.0
// Targets for the machine's sockets: a RAM and a console.
#ifndef TALLY_SYSTEMC_DEVICES_H
#define TALLY_SYSTEMC_DEVICES_H

#include <cstdint>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace tally {

// A memory: bytes of the host behind a socket, with DMI
class Ram : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket<Ram> socket;

    Ram(const sc_core::sc_module_name &name, uint8_t *bytes, uint64_t size);

    uint64_t calls() const { return calls_; } // accesses by b_transport

  private:
    uint8_t *bytes_;
    uint64_t size_;
    uint64_t calls_ = 0;

    void transport(tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
    bool direct(tlm::tlm_generic_payload &p, tlm::tlm_dmi &dmi);
};

// The UART's other end: standard output and input
class Console : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket<Console> from_machine;
    tlm_utils::simple_initiator_socket<Console> to_machine;

    // Polls input every `interval`.
    Console(const sc_core::sc_module_name &name, const sc_core::sc_time &interval);

  private:
    sc_core::sc_time interval_;

    void print(tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
    void look_for_input();
};

} // namespace tally

#endif
