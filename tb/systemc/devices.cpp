// SPDX-License-Identifier: Apache-2.0
#include "devices.h"

extern "C" {
#include "terminal.h"
}

namespace tally {

Ram::Ram(const sc_core::sc_module_name &name, uint8_t *bytes, uint64_t size)
    : sc_module(name), socket("socket"), bytes_(bytes), size_(size) {
    socket.register_b_transport(this, &Ram::transport);
    socket.register_get_direct_mem_ptr(this, &Ram::direct);
}

void Ram::transport(tlm::tlm_generic_payload &p, sc_core::sc_time &) {
    const uint64_t at = p.get_address();
    const unsigned n = p.get_data_length();
    calls_++;
    if (at > size_ || n > size_ - at) {
        p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    const unsigned char *enable = p.get_byte_enable_ptr();
    for (unsigned i = 0; i < n; i++) {
        if (enable && enable[i % p.get_byte_enable_length()] != TLM_BYTE_ENABLED)
            continue;
        if (p.is_read())
            p.get_data_ptr()[i] = bytes_[at + i];
        else
            bytes_[at + i] = p.get_data_ptr()[i];
    }
    p.set_dmi_allowed(true);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
}

bool Ram::direct(tlm::tlm_generic_payload &, tlm::tlm_dmi &dmi) {
    dmi.set_dmi_ptr(bytes_);
    dmi.set_start_address(0);
    dmi.set_end_address(size_ - 1);
    dmi.allow_read_write();
    return true;
}

Console::Console(const sc_core::sc_module_name &name, const sc_core::sc_time &interval)
    : sc_module(name), from_machine("from_machine"), to_machine("to_machine"), interval_(interval) {
    from_machine.register_b_transport(this, &Console::print);
    SC_HAS_PROCESS(Console);
    SC_THREAD(look_for_input);
}

void Console::print(tlm::tlm_generic_payload &p, sc_core::sc_time &) {
    if (!p.is_write()) {
        p.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
        return;
    }
    for (unsigned i = 0; i < p.get_data_length(); i++)
        terminal_put(p.get_data_ptr()[i]);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
}

void Console::look_for_input() {
    for (;;) {
        uint8_t bytes[64];
        wait(interval_);
        terminal_flush();
        if (terminal_interrupted())
            sc_core::sc_stop();
        const unsigned n = terminal_read(bytes, sizeof bytes);
        if (!n)
            continue;
        tlm::tlm_generic_payload p;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        p.set_command(tlm::TLM_WRITE_COMMAND);
        p.set_address(0);
        p.set_data_ptr(bytes);
        p.set_data_length(n);
        p.set_streaming_width(n);
        p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        to_machine->b_transport(p, delay);
        if (p.is_response_error())
            SC_REPORT_FATAL(this->name(), p.get_response_string().c_str());
    }
}

} // namespace tally
