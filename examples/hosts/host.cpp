// SPDX-License-Identifier: Apache-2.0
// Runs an example host (HOST, Verilated) with a program, the golden unit beside the unit in every cycle, and
// counts of its own from the trace of what retires.
//
//     host IMAGE [--records FILE] [--cycles N] [--rules NAME[,NAME...]] [--skid N,CYCLES] [--access CYCLES]
//                [--alone] [--speed]
//
// IMAGE: words for $readmemh. --rules: rules of tally_rvfi_check that this core's RVFI is known to break.
// --skid: the most instructions and cycles from the cause of an overflow to its handler; --access: the most
// cycles of an access of the unit. --alone: without the golden unit. --speed: run all cycles and print the
// simulated kHz. Exit status: the program's; 3 a difference, a rule broken, or later than the most, 4 out of
// cycles, 2 wrong use. Built with HOST_TALLY=0 around a host without the unit.

#include "Vhost.h"
#include "Vhost___024root.h"

#include "tally_events.h"
#include "tally_pmu_model.h"
#include "tally_spec.h"
#include "trace.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

enum device { PUTC, EXIT, RESULT_EVENT, RESULT_COUNT, DUMP_START, DUMP_BYTES };

struct Options {
    const char *image = nullptr, *records = nullptr;
    uint64_t cycles = 20000000;
    unsigned rules = 0, skid = ~0u, skid_cycles = ~0u, access = ~0u;
    bool alone = HOST_TALLY == 0, speed = false;
};

// A signal of host_soc in the host's top, HOST
#define JOIN(host, path, name) host##__DOT__u_soc__DOT__##path##name
#define IN_HOST(host, path, name) JOIN(host, path, name)
#if HOST_TALLY
#define PORT(name) rtl_->rootp->IN_HOST(HOST, g_tally__DOT__u_lite__DOT__u_pmu__DOT__, name)
#define BUS(name) rtl_->rootp->IN_HOST(HOST, g_tally__DOT__u_lite__DOT__u_bus__DOT__, name)
#else
#define PORT(name) 0
#define BUS(name) 0
#endif

const char *const rule_names[] = {"ORDER", "TRAP", "MODE", "IXL", "PC", "HALT", "INSN", "LANES"};

std::string rules_text(unsigned bits) {
    std::string text;
    for (unsigned n = 0; n < 8; n++)
        if (bits >> n & 1)
            text += std::string(" ") + rule_names[n];
    return text;
}

// The bits of names with commas between them; 0 if one is no rule
unsigned rules_of(const std::string &names) {
    unsigned bits = 0;
    for (std::size_t at = 0, end; at <= names.size(); at = end + 1) {
        end = std::min(names.find(',', at), names.size());
        unsigned bit = 0;
        for (unsigned n = 0; n < 8; n++)
            bit |= names.substr(at, end - at) == rule_names[n] ? 1u << n : 0;
        if (!bit)
            return 0;
        bits |= bit;
    }
    return bits;
}

class Host {
  public:
    explicit Host(const Options &options) : rtl_(new Vhost), o_(options) {
        gp_config c{};
        c.xlen = 32;
        c.retire_w = c.decode_w = c.evc_w = 1;
        c.hpm_n = 4;
        c.hpm_w = 64;
        c.sscofpmf = c.andes_swrite = c.sspesa = c.small_events = true;
        golden_ = gp_new(&c);
        if (!golden_)
            std::exit(2);
    }

    ~Host() { gp_free(golden_); }

    int run() {
        auto begin = std::chrono::steady_clock::now();
        for (now_ = 0; now_ < o_.cycles && status_ < 0; now_++)
            cycle(now_ < 20);
        std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        if (o_.speed && status_ < 0) {
            std::printf("%.0f kHz\n", static_cast<double>(now_) / took.count() / 1000);
            return 0;
        }
        if (status_ < 0) {
            std::printf("no end within %" PRIu64 " cycles; pc %08x\n", o_.cycles, rtl_->rvfi_pc_rdata);
            return 4;
        }
        std::printf("%" PRIu64
                    " cycles in lockstep; interrupts: at most %u instructions behind the cause, %" PRIu64
                    " cycles; an access of the unit: at most %u cycles\n",
                    now_, skid_max_, skid_cycles_max_, lag_max_);
        if (status_ == 0 &&
            (skid_max_ > o_.skid || skid_cycles_max_ > o_.skid_cycles || lag_max_ > o_.access)) {
            std::printf("later than --skid %u,%u --access %u\n", o_.skid, o_.skid_cycles, o_.access);
            return 3;
        }
        return status_;
    }

  private:
    std::unique_ptr<Vhost> rtl_;
    gp *golden_;
    Options o_;
    Trace trace_{32};
    uint64_t now_ = 0;
    uint32_t inhibit_ = 0, event_ = 0, dump_ = 0;
    int status_ = -1;
    // from an overflow to the first instruction of its handler
    bool late_ = false, trapped_ = false;
    uint64_t since_ = 0, skid_cycles_max_ = 0;
    unsigned skid_ = 0, skid_max_ = 0, lag_ = 0, lag_max_ = 0;
    uint32_t next_ = 0;

    void wrong(const char *what, uint64_t found, uint64_t expected) {
        std::printf("cycle %" PRIu64 ", pc %08x: %s: expected %" PRIx64 ", found %" PRIx64 "\n", now_,
                    rtl_->rvfi_pc_rdata, what, expected, found);
        std::printf("  the unit's access: valid %d num %03x op %d wdata %08x\n", PORT(csr_valid_i),
                    PORT(csr_num_i), PORT(csr_op_i), PORT(csr_wdata_i));
        status_ = 3;
    }

    void cycle(bool reset) {
        rtl_->rst = reset;
        rtl_->clk = 0;
        rtl_->eval();
        gp_in in{};
        if (!reset) {
            if (!o_.alone) {
                drive(&in);
                compare(in);
                follow();
            }
            if (rtl_->write_o)
                write();
            if (rtl_->broken_o & ~o_.rules) {
                std::printf("cycle %" PRIu64 ", pc %08x: RVFI breaks%s (tally_rvfi_check)\n", now_,
                            rtl_->rvfi_pc_rdata, rules_text(rtl_->broken_o & ~o_.rules).c_str());
                status_ = 3;
            }
        }
        rtl_->clk = 1;
        rtl_->eval();
        if (reset)
            gp_reset(golden_);
        else if (!o_.alone)
            gp_clock(golden_, &in);
    }

    void drive(gp_in *in) {
        in->csr.valid = PORT(csr_valid_i);
        in->csr.num = PORT(csr_num_i);
        in->csr.op = PORT(csr_op_i);
        in->csr.priv = PORT(csr_priv_i);
        in->csr.wdata = PORT(csr_wdata_i);
        in->env.lcofip = PORT(env_lcofip_i);
        in->mode.priv = PORT(mode_priv_i);
        in->mode.halted = PORT(mode_halted_i);
        in->ev_retire[0] = PORT(ret_valid_i) ? PORT(ev_retire_i) : 0;
        in->ev_cycle[0] = PORT(ev_cycle_i);
        in->retire[0].valid = PORT(ret_valid_i);
        in->retire[0].mode = PORT(ret_mode_i);
        in->retire[0].pc = PORT(ret_pc_i);
        in->ret_next_pc = PORT(ret_next_pc_i);
    }

    void compare(const gp_in &in) {
        gp_out out;
        gp_eval(golden_, &in, &out);
        if (PORT(irq_lcofi_o) != out.irq_lcofi)
            wrong("irq_lcofi", PORT(irq_lcofi_o), out.irq_lcofi);
        if (in.csr.valid && PORT(csr_rdata_o) != out.csr_rdata)
            wrong("csr_rdata", PORT(csr_rdata_o), out.csr_rdata);
        if (in.csr.valid && (PORT(csr_hit_o) != out.csr_hit || PORT(csr_illegal_o) != out.csr_illegal))
            wrong("csr_hit, csr_illegal", PORT(csr_hit_o) * 2u + PORT(csr_illegal_o),
                  out.csr_hit * 2u + out.csr_illegal);
    }

    // The trace, and how late interrupts are
    void follow() {
        if (!inhibit_)
            trace_.cycle(rtl_->rvfi_valid && !rtl_->rvfi_trap);
        if (rtl_->rvfi_valid && !inhibit_) {
            if (rtl_->rvfi_intr && !trapped_)
                trace_.interrupt();
            if (rtl_->rvfi_trap)
                trace_.trap();
            else
                trace_.add(rtl_->rvfi_insn, rtl_->rvfi_pc_rdata, rtl_->rvfi_pc_wdata);
        }
        if (rtl_->rvfi_valid) {
            if (late_ && (trapped_ || rtl_->rvfi_pc_rdata != next_)) {
                late_ = false;
                skid_max_ = skid_ > skid_max_ ? skid_ : skid_max_;
                skid_cycles_max_ = now_ - since_ > skid_cycles_max_ ? now_ - since_ : skid_cycles_max_;
            }
            skid_ += late_ && !rtl_->rvfi_trap;
            next_ = rtl_->rvfi_pc_wdata;
            trapped_ =
                rtl_->rvfi_trap; // SERV reports the instruction that an interrupt replaces as one that traps
        }
        if (PORT(irq_lcofi_o) && !late_) {
            late_ = true;
            skid_ = 0;
            since_ = now_;
        }
        lag_ = BUS(req_valid_i) ? lag_ + 1 : 0;
        if (BUS(rsp_valid_o)) {
            lag_max_ = lag_ > lag_max_ ? lag_ : lag_max_;
            lag_ = 0;
        }
        if (PORT(csr_valid_i) && PORT(csr_num_i) == TALLY_CSR_MCOUNTINHIBIT && PORT(csr_op_i) == GP_WRITE) {
            if (inhibit_ && !PORT(csr_wdata_i))
                trace_.clear();
            inhibit_ = PORT(csr_wdata_i);
        }
    }

    void write() {
        uint32_t data = rtl_->wdata_o;
        switch (rtl_->device_o) {
        case PUTC:
            std::putchar(static_cast<int>(data & 0xff));
            break;
        case EXIT:
            if (status_ < 0)
                status_ = static_cast<int>(data);
            break;
        case RESULT_EVENT:
            event_ = data;
            break;
        case RESULT_COUNT:
            if (!o_.alone && data != static_cast<uint32_t>(trace_.of(event_)))
                wrong(name_of(event_).c_str(), data, trace_.of(event_));
            break;
        case DUMP_START:
            dump_ = data;
            break;
        case DUMP_BYTES:
            dump(data);
            break;
        default:
            wrong("a write to no device", rtl_->device_o, 0);
        }
    }

    void dump(uint32_t bytes) {
        if (!o_.records)
            return;
        std::FILE *file = std::fopen(o_.records, "wb");
        if (!file) {
            std::perror(o_.records);
            status_ = 2;
            return;
        }
        for (uint32_t at = dump_; at < dump_ + bytes; at++) {
            uint32_t word = rtl_->rootp->IN_HOST(HOST, u_ram__DOT__, ram)[at / 4 % 65536];
            std::fputc(static_cast<int>(word >> at % 4 * 8 & 0xff), file);
        }
        std::fclose(file);
    }
};

} // namespace

int main(int argc, char **argv) {
    Options o;
    bool good = true;
    for (int i = 1; i < argc && good; i++) {
        std::string arg = argv[i];
        if (arg == "--alone")
            o.alone = true;
        else if (arg == "--speed")
            o.speed = true;
        else if (arg == "--records" && i + 1 < argc)
            o.records = argv[++i];
        else if (arg == "--cycles" && i + 1 < argc)
            o.cycles = std::strtoull(argv[++i], nullptr, 0);
        else if (arg == "--rules" && i + 1 < argc)
            good = (o.rules = rules_of(argv[++i])) != 0;
        else if (arg == "--skid" && i + 1 < argc)
            good = std::sscanf(argv[++i], "%u,%u", &o.skid, &o.skid_cycles) == 2;
        else if (arg == "--access" && i + 1 < argc)
            good = std::sscanf(argv[++i], "%u", &o.access) == 1;
        else if (!o.image && arg[0] != '-')
            o.image = argv[i];
        else
            good = false;
    }
    if (!good || !o.image) {
        std::fprintf(stderr,
                     "usage: %s IMAGE [--records FILE] [--cycles N] [--rules NAME[,NAME...]] "
                     "[--skid N,CYCLES] [--access CYCLES] [--alone] [--speed]\nrules:%s\n",
                     argv[0], rules_text(0xff).c_str());
        return 2;
    }
    std::string plus = "+image=" + std::string(o.image);
    const char *args[] = {argv[0], plus.c_str()};
    Verilated::commandArgs(2, args);
    return Host(o).run();
}
