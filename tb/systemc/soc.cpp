// SPDX-License-Identifier: Apache-2.0
#include "soc.h"

#include "Vtally_soc.h"

#include <cstring>

namespace tally {

namespace {
constexpr unsigned kResetEdges = 8;  // after the ROM has been loaded
constexpr unsigned kDrainEdges = 64; // after the program's end, in which the UART empties
constexpr unsigned kBytes = 8;       // of a word of the RAM port
} // namespace

struct Soc::Pins {
    template <typename T> using Signal = sc_core::sc_signal<T>;
    Signal<bool> rst, mem_en, mem_we, rom_we, tx_valid, tx_ready, rx_valid, rx_ready, exit_valid;
    Signal<bool> host_en, host_we; // no host device here
    Signal<uint64_t> ram_size, mem_addr, mem_wdata, mem_rdata, rom_wdata, host_wdata, host_rdata;
    Signal<uint32_t> mem_wstrb, rom_addr, tx_data, rx_data, host_addr, host_size, exit_kind, exit_code;

    explicit Pins(Vtally_soc &soc) {
        soc.rst(rst);
        soc.ram_size_i(ram_size);
        soc.mem_en_o(mem_en);
        soc.mem_we_o(mem_we);
        soc.mem_addr_o(mem_addr);
        soc.mem_wdata_o(mem_wdata);
        soc.mem_wstrb_o(mem_wstrb);
        soc.mem_rdata_i(mem_rdata);
        soc.rom_we_i(rom_we);
        soc.rom_addr_i(rom_addr);
        soc.rom_wdata_i(rom_wdata);
        soc.uart_tx_valid_o(tx_valid);
        soc.uart_tx_ready_i(tx_ready);
        soc.uart_tx_data_o(tx_data);
        soc.uart_rx_valid_i(rx_valid);
        soc.uart_rx_ready_o(rx_ready);
        soc.uart_rx_data_i(rx_data);
        soc.host_en_o(host_en);
        soc.host_we_o(host_we);
        soc.host_addr_o(host_addr);
        soc.host_size_o(host_size);
        soc.host_wdata_o(host_wdata);
        soc.host_rdata_i(host_rdata);
        soc.exit_valid_o(exit_valid);
        soc.exit_kind_o(exit_kind);
        soc.exit_code_o(exit_code);
    }
};

Soc::Soc(const sc_core::sc_module_name &name, const uint64_t *rom, unsigned rom_words, uint64_t ram_size,
         bool dmi)
    : sc_module(name), clk("clk"), memory("memory"), uart_tx("uart_tx"), uart_rx("uart_rx"),
      rtl_(new Vtally_soc("rtl")), pins_(new Pins(*rtl_)), rom_(rom), rom_words_(rom_words), dmi_wanted_(dmi),
      drain_(kDrainEdges) {
    rtl_->clk(clk);
    pins_->rst.write(true);
    pins_->ram_size.write(ram_size);
    pins_->tx_ready.write(true);
    memory.register_invalidate_direct_mem_ptr(this, &Soc::invalidate_dmi);
    uart_rx.register_b_transport(this, &Soc::receive);
    SC_HAS_PROCESS(Soc);
    SC_METHOD(on_edge);
    sensitive << clk.pos();
    dont_initialize();
}

Soc::~Soc() = default;

// Writes at an edge are visible at the next one.
uint64_t Soc::reset_edges() const { return rom_words_ + kResetEdges + 1; }

// Reads give signals of the cycle that this edge ends; writes are visible after the edge.
void Soc::on_edge() {
    if (edge_ < reset_edges())
        reset_step();
    if (pins_->mem_en.read())
        access_memory();
    serve_uart();
    edge_++;
    if (edge_ > reset_edges())
        watch_end();
}

// The ROM is written while reset is on.
void Soc::reset_step() {
    const bool loading = edge_ < rom_words_;
    const uint64_t word = edge_;

    pins_->rom_we.write(loading);
    pins_->rom_addr.write(static_cast<uint32_t>(word));
    pins_->rom_wdata.write(loading ? rom_[word] : 0);
    pins_->rst.write(edge_ < rom_words_ + kResetEdges);
}

void Soc::watch_end() {
    if (exit_seen_) {
        if (drain_ && --drain_ == 0)
            ended_event_.notify(sc_core::SC_ZERO_TIME);
        return;
    }
    cycles_ = edge_ - reset_edges();
    exit_seen_ = pins_->exit_valid.read();
    if (exit_seen_) {
        kind_ = pins_->exit_kind.read();
        code_ = pins_->exit_code.read();
    }
}

// --- RAM ---------------------------------------------------------------------------------------------

void Soc::access_memory() {
    const bool write = pins_->mem_we.read();
    const uint64_t at = pins_->mem_addr.read();
    const unsigned strobes = pins_->mem_wstrb.read();
    uint64_t word = pins_->mem_wdata.read();

    if (!access_directly(at, write, word, strobes))
        access_by_call(at, write, word, strobes);
    if (!write)
        pins_->mem_rdata.write(word);
}

bool Soc::access_directly(uint64_t at, bool write, uint64_t &word, unsigned strobes) {
    if (!dmi_held_ || at < dmi_.get_start_address() || at + kBytes - 1 > dmi_.get_end_address() ||
        !(write ? dmi_.is_write_allowed() : dmi_.is_read_allowed()))
        return false;
    unsigned char *bytes = dmi_.get_dmi_ptr() + (at - dmi_.get_start_address());
    if (!write) {
        std::memcpy(&word, bytes, kBytes);
        return true;
    }
    unsigned char data[kBytes];
    std::memcpy(data, &word, kBytes);
    for (unsigned i = 0; i < kBytes; i++)
        if (strobes >> i & 1)
            bytes[i] = data[i];
    return true;
}

void Soc::access_by_call(uint64_t at, bool write, uint64_t &word, unsigned strobes) {
    unsigned char enable[kBytes];
    for (unsigned i = 0; i < kBytes; i++)
        enable[i] = strobes >> i & 1 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    tlm::tlm_generic_payload p;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    p.set_address(at);
    p.set_data_ptr(reinterpret_cast<unsigned char *>(&word));
    p.set_data_length(kBytes);
    p.set_streaming_width(kBytes);
    if (write) {
        p.set_byte_enable_ptr(enable);
        p.set_byte_enable_length(kBytes);
    }
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    memory->b_transport(p, delay);
    if (p.is_response_error())
        SC_REPORT_FATAL(name(), ("RAM: " + p.get_response_string()).c_str());
    if (dmi_wanted_ && p.is_dmi_allowed())
        dmi_held_ = memory->get_direct_mem_ptr(p, dmi_);
}

void Soc::invalidate_dmi(sc_dt::uint64 first, sc_dt::uint64 last) {
    if (first <= dmi_.get_end_address() && last >= dmi_.get_start_address())
        dmi_held_ = false;
}

// --- UART --------------------------------------------------------------------------------------------

void Soc::serve_uart() {
    if (pins_->tx_valid.read()) {
        unsigned char byte = static_cast<unsigned char>(pins_->tx_data.read());
        tlm::tlm_generic_payload p;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        p.set_command(tlm::TLM_WRITE_COMMAND);
        p.set_address(0);
        p.set_data_ptr(&byte);
        p.set_data_length(1);
        p.set_streaming_width(1);
        p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        uart_tx->b_transport(p, delay);
        if (p.is_response_error())
            SC_REPORT_FATAL(name(), ("UART: " + p.get_response_string()).c_str());
    }
    if (pins_->rx_valid.read() && pins_->rx_ready.read()) // accepted at this edge
        rx_.pop_front();
    pins_->rx_valid.write(!rx_.empty());
    pins_->rx_data.write(rx_.empty() ? 0 : rx_.front());
}

void Soc::receive(tlm::tlm_generic_payload &p, sc_core::sc_time &) {
    if (!p.is_write() || p.get_byte_enable_ptr()) {
        p.set_response_status(p.is_write() ? tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE
                                           : tlm::TLM_COMMAND_ERROR_RESPONSE);
        return;
    }
    rx_.insert(rx_.end(), p.get_data_ptr(), p.get_data_ptr() + p.get_data_length());
    p.set_response_status(tlm::TLM_OK_RESPONSE);
}

} // namespace tally
