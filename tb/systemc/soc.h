// SPDX-License-Identifier: Apache-2.0
// The machine as a SystemC module: clock in, RAM and UART on TLM-2.0 sockets.
//
// The RTL is exact to the cycle; the sockets are loosely timed. The machine's RAM port always answers one
// cycle after the access (MEM_LATENCY models the delay of a DRAM inside), so delays that a target annotates
// are ignored. One hart.
#ifndef TALLY_SYSTEMC_SOC_H
#define TALLY_SYSTEMC_SOC_H

#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

class Vtally_soc;

namespace tally {

class Soc : public sc_core::sc_module {
  public:
    sc_core::sc_in<bool> clk;

    // RAM: 8 bytes an access, addresses count from the RAM's first byte, writes have byte enables. Requests
    // DMI when the target hints that it is allowed (unless `dmi` was false), and then no longer calls the
    // target. An error response ends the simulation with a report: the machine answers accesses outside of
    // RAM by itself.
    tlm_utils::simple_initiator_socket<Soc> memory;

    // UART: the machine's bytes are writes of one byte to address 0; bytes written to uart_rx (any number)
    // wait until the machine reads them.
    tlm_utils::simple_initiator_socket<Soc> uart_tx;
    tlm_utils::simple_target_socket<Soc> uart_rx;

    // rom: the boot ROM, rom_words of it (at most 64); ram_size in bytes. Reset and the loading of the ROM
    // use the first edges of clk.
    Soc(const sc_core::sc_module_name &name, const uint64_t *rom, unsigned rom_words, uint64_t ram_size,
        bool dmi = true);
    ~Soc() override;

    // The program has ended (finisher device) and its output is complete.
    const sc_core::sc_event &ended_event() const { return ended_event_; }
    bool ended() const { return exit_seen_ && drain_ == 0; }
    unsigned exit_kind() const { return kind_; } // 0 pass, 1 fail, 2 reset
    unsigned exit_code() const { return code_; }
    uint64_t cycles() const { return cycles_; } // core cycles since reset; they stop at the program's end
    uint64_t reset_edges() const;               // edges of clk before the first of these cycles

  private:
    struct Pins;
    std::unique_ptr<Vtally_soc> rtl_;
    std::unique_ptr<Pins> pins_;
    const uint64_t *rom_;
    unsigned rom_words_;
    bool dmi_wanted_;
    tlm::tlm_dmi dmi_; // memory that the target allows direct access to
    bool dmi_held_ = false;
    std::deque<uint8_t> rx_;
    uint64_t edge_ = 0, cycles_ = 0;
    unsigned drain_; // edges left for the output after the program's end
    bool exit_seen_ = false;
    unsigned kind_ = 0, code_ = 0;
    sc_core::sc_event ended_event_;

    void on_edge();
    void reset_step();
    void watch_end();
    void access_memory();
    bool access_directly(uint64_t at, bool write, uint64_t &word, unsigned strobes);
    void access_by_call(uint64_t at, bool write, uint64_t &word, unsigned strobes);
    void serve_uart();
    void receive(tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
    void invalidate_dmi(sc_dt::uint64 first, sc_dt::uint64 last);
};

} // namespace tally

#endif
