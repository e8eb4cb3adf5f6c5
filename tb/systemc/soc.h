// SPDX-License-Identifier: Apache-2.0
// The machine as a SystemC module: clock in, RAM and UART on TLM-2.0 sockets.
//
// The RTL within is exact to the cycle; the sockets are loosely timed. The machine's RAM port answers one
// cycle after the access whatever it is bound to (the delay of a DRAM is modelled inside, MEM_LATENCY), so
// delays that a target annotates are ignored. One hart.
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

    // RAM: 8 bytes an access, addresses count from the RAM's first byte, writes have byte enables. Asks for
    // DMI when the target hints that it may (unless `dmi` was false), and then no longer calls it. An error
    // response ends the simulation with a report: the machine answers accesses outside of RAM by itself.
    tlm_utils::simple_initiator_socket<Soc> memory;

    // UART: the machine's bytes leave as writes of one byte to address 0; what is written to uart_rx (any
    // number of bytes) waits until the machine takes it.
    tlm_utils::simple_initiator_socket<Soc> uart_tx;
    tlm_utils::simple_target_socket<Soc> uart_rx;

    // rom: the boot ROM, rom_words of it (at most 64); ram_size in bytes. Reset and the loading of the ROM
    // take the first edges of clk by themselves.
    Soc(const sc_core::sc_module_name &name, const uint64_t *rom, unsigned rom_words, uint64_t ram_size,
        bool dmi = true);
    ~Soc() override;

    // The program has ended (finisher device) and its output has left.
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
    tlm::tlm_dmi dmi_; // what the target lets us touch directly
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
