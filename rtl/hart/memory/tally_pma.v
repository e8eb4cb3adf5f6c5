// SPDX-License-Identifier: Apache-2.0
// tally_pma - physical memory attributes of an access (privileged manual, Physical Memory Attributes): main
// memory or device, and whether the access is possible there. The memory map is QEMU's "virt".
//
// Main memory accepts every access, devices loads and stores, no LR, SC or AMO, and the ROM no stores.
//
// Combinational.

`default_nettype none

module tally_pma #(
    parameter [55:0] RAM_BASE = 56'h8000_0000,
    parameter        MEM_W    = 36                 // main memory ends below 2^MEM_W
) (
    input  wire [55:0] ram_size_i,                 // bytes
    input  wire [55:0] addr_i,
    input  wire [1:0]  size_i,
    input  wire        store_i,
    input  wire        atomic_i,                   // LR, SC or AMO
    output wire        ram_o,                      // main memory
    output wire        fail_o                      // access fault
);

  wire [55:0] ram_end   = RAM_BASE + ram_size_i;
  wire        in_rom    = addr_i[55:16] == 40'h0 && addr_i[15:12] != 4'd0;
  wire        in_aclint = addr_i[55:16] == 40'h200;
  wire        in_plic   = addr_i[55:26] == 30'h3;
  // A store retires before the device sees it and could refuse it, so the widths that these two accept are
  // checked here.
  wire        bad_size  = (in_aclint && !size_i[1]) || (in_plic && size_i != 2'd2);
  wire        in_dev    = in_rom
                          || addr_i[55:12] == 44'h100         // finisher
                          || in_aclint || in_plic
                          || addr_i[55:8] == 48'h10_0000      // UART
                          || addr_i[55:13] == 43'h8008;       // host device (docs/host.md)

  assign ram_o  = addr_i >= RAM_BASE && addr_i < ram_end && ~|addr_i[55:MEM_W];
  assign fail_o = !ram_o && (!in_dev || atomic_i || bad_size || (store_i && in_rom));

endmodule

`default_nettype wire
