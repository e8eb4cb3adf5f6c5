// tally-systemc: the same machine as a SystemC module, its RAM behind TLM-2.0. One hart; loads what tally-sim
// loads and ends as it does. An example of how to put the machine into a virtual platform, and a smoke test.

#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "Vtally_soc.h"

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <cstring>

extern "C" {
#include "machine.h"
}

namespace {

constexpr unsigned kResetCycles = 8;

// A memory: bytes of the host behind a TLM-2.0 socket
struct Ram : sc_core::sc_module {
    tlm_utils::simple_target_socket<Ram> socket;

    Ram(const sc_core::sc_module_name &name, uint8_t *bytes, uint64_t size)
        : sc_module(name), socket("socket"), bytes_(bytes), size_(size) {
        socket.register_b_transport(this, &Ram::transport);
    }

  private:
    uint8_t *bytes_;
    uint64_t size_;

    void transport(tlm::tlm_generic_payload &p, sc_core::sc_time &) {
        const uint64_t at = p.get_address();
        const unsigned n = p.get_data_length();
        if (at > size_ || n > size_ - at) {
            p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        const unsigned char *enable = p.get_byte_enable_ptr();
        for (unsigned i = 0; i < n; i++) {
            if (p.is_read())
                p.get_data_ptr()[i] = bytes_[at + i];
            else if (!enable || enable[i % p.get_byte_enable_length()])
                bytes_[at + i] = p.get_data_ptr()[i];
        }
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

// The machine with everything around it: clock, reset, boot ROM, the bridge from its memory port to TLM,
// console, end
struct Platform : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Platform> memory;

    Platform(const sc_core::sc_module_name &name, const struct machine &machine)
        : sc_module(name), memory("memory"), machine_(machine), clk_("clk", 10, sc_core::SC_NS), soc_("soc") {
        soc_.clk(clk_);
        soc_.rst(rst_);
        soc_.ram_size_i(ram_size_);
        soc_.mem_en_o(mem_en_);
        soc_.mem_we_o(mem_we_);
        soc_.mem_addr_o(mem_addr_);
        soc_.mem_wdata_o(mem_wdata_);
        soc_.mem_wstrb_o(mem_wstrb_);
        soc_.mem_rdata_i(mem_rdata_);
        soc_.rom_we_i(rom_we_);
        soc_.rom_addr_i(rom_addr_);
        soc_.rom_wdata_i(rom_wdata_);
        soc_.uart_tx_valid_o(tx_valid_);
        soc_.uart_tx_ready_i(tx_ready_);
        soc_.uart_tx_data_o(tx_data_);
        soc_.uart_rx_valid_i(rx_valid_);
        soc_.uart_rx_ready_o(rx_ready_);
        soc_.uart_rx_data_i(rx_data_);
        soc_.exit_valid_o(exit_valid_);
        soc_.exit_kind_o(exit_kind_);
        soc_.exit_code_o(exit_code_);
        rst_.write(true);
        ram_size_.write(machine.memory.size);
        tx_ready_.write(true);
        SC_HAS_PROCESS(Platform);
        SC_METHOD(on_edge);
        sensitive << clk_.posedge_event();
        dont_initialize();
    }

    bool ended = false;
    unsigned kind = 0, code = 0;

  private:
    template <typename T> using Signal = sc_core::sc_signal<T>;
    const struct machine &machine_;
    sc_core::sc_clock clk_;
    Vtally_soc soc_;
    Signal<bool> rst_, mem_en_, mem_we_, rom_we_, tx_valid_, tx_ready_, rx_valid_, rx_ready_, exit_valid_;
    Signal<uint64_t> ram_size_, mem_addr_, mem_wdata_, mem_rdata_, rom_wdata_;
    Signal<uint32_t> mem_wstrb_, rom_addr_, tx_data_, rx_data_, exit_kind_, exit_code_;
    unsigned edges_ = 0;

    // Signals read here are those of the cycle that this edge ends; what is written appears after the edge.
    void on_edge() {
        load_rom();
        if (mem_en_.read())
            access_memory();
        if (tx_valid_.read())
            std::putchar(static_cast<int>(tx_data_.read()));
        if (exit_valid_.read() && !tx_valid_.read()) {
            ended = true;
            kind = exit_kind_.read();
            code = exit_code_.read();
            sc_core::sc_stop();
        }
    }

    void load_rom() {
        if (edges_ > SOC_ROM_WORDS + kResetCycles)
            return;
        const bool loading = edges_ < SOC_ROM_WORDS;
        rom_we_.write(loading);
        rom_addr_.write(edges_);
        rom_wdata_.write(loading ? machine_.rom[edges_] : 0);
        rst_.write(edges_ < SOC_ROM_WORDS + kResetCycles);
        edges_++;
    }

    void access_memory() {
        uint64_t word = mem_wdata_.read();
        unsigned char enable[8];
        for (unsigned i = 0; i < 8; i++)
            enable[i] = mem_wstrb_.read() >> i & 1 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
        tlm::tlm_generic_payload p;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        p.set_command(mem_we_.read() ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        p.set_address(mem_addr_.read());
        p.set_data_ptr(reinterpret_cast<unsigned char *>(&word));
        p.set_data_length(sizeof word);
        p.set_streaming_width(sizeof word);
        p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        if (mem_we_.read()) {
            p.set_byte_enable_ptr(enable);
            p.set_byte_enable_length(sizeof enable);
        }
        memory->b_transport(p, delay);
        if (p.is_response_error())
            SC_REPORT_FATAL("platform", p.get_response_string().c_str());
        if (!mem_we_.read())
            mem_rdata_.write(word);
    }
};

int fail(const struct error &error) {
    std::fprintf(stderr, "tally-systemc: %s\n", error.text);
    return 2;
}

} // namespace

int sc_main(int argc, char **argv) {
    struct options options;
    struct error error;
    static struct machine machine;

    if (!options_parse(&options, argc, argv, &error))
        return fail(error);
    if (options.help || options.harts != 1) {
        std::fprintf(
            stderr,
            "usage: tally-systemc -bios FILE [-kernel FILE ...]: the images of tally-sim, one hart\n");
        return 2;
    }
    if (!machine_load(&machine, &options, TIME_RATIO, &error))
        return fail(error);
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING); // "stopped by user"
    Platform platform("platform", machine);
    Ram ram("ram", machine.memory.bytes, machine.memory.size);
    platform.memory.bind(ram.socket);
    if (options.max_cycles)
        sc_core::sc_start(sc_core::sc_time(10.0 * static_cast<double>(options.max_cycles), sc_core::SC_NS));
    else
        sc_core::sc_start();
    std::fflush(stdout);
    machine_free(&machine);
    if (!platform.ended)
        return 4;
    return platform.kind != 1    ? 0
           : platform.code == 0  ? 1
           : platform.code > 255 ? 255
                                 : static_cast<int>(platform.code);
}
