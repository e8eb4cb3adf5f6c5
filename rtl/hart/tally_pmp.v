// tally_pmp - physical memory protection: may this access be made?
//
// Eight entries, OFF/TOR/NA4/NAPOT, granule 4 bytes (Privileged ISA, "Physical Memory Protection";
// docs/hart.md). The lowest-numbered entry that matches any byte of the access decides, and an entry that
// matches only some of its bytes fails it. An access spans at most two adjacent 4-byte words: first and
// last byte are all that must be looked at. Combinational.

`default_nettype none

module tally_pmp (
    input  wire [63:0]     cfg_i,        // pmpcfg0: entry n in byte n (L - - A A X W R)
    input  wire [8*54-1:0] addr_flat_i,  // pmpaddr n in bits 54n+53:54n
    input  wire [55:0]     paddr_i,      // first byte of the access
    input  wire [55:0]     last_i,       // last byte of the access
    input  wire [1:0]      priv_i,       // 3 M, 1 S, 0 U
    input  wire [1:0]      op_i,         // 0 read, 1 write, 2 execute
    output reg             fail_o
);

  localparam [1:0] A_OFF = 2'd0, A_TOR = 2'd1, A_NA4 = 2'd2;

  wire [53:0] first = paddr_i[55:2];
  wire [53:0] last  = last_i[55:2];

  // The byte within the word and the reserved bits of a configuration play no part.
  wire unused_ok = &{1'b0, paddr_i[1:0], last_i[1:0], cfg_i, 1'b0};

  reg         decided;
  reg         lock;
  reg  [1:0]  mode;
  reg  [2:0]  xwr;
  reg  [53:0] addr, prev, care;
  reg         hit_first, hit_last, permitted;
  integer     n;

  always @* begin
    fail_o    = priv_i != 2'd3;  // no match: M passes, S and U fail
    decided   = 1'b0;
    lock      = 1'b0;
    mode      = A_OFF;
    xwr       = 3'd0;
    addr      = 54'd0;
    prev      = 54'd0;
    care      = 54'd0;
    hit_first = 1'b0;
    hit_last  = 1'b0;
    permitted = 1'b0;
    for (n = 0; n < 8; n = n + 1) begin
      lock = cfg_i[8*n+7];
      mode = cfg_i[8*n+3 +: 2];
      xwr  = cfg_i[8*n +: 3];
      addr = addr_flat_i[54*n +: 54];
      if (mode != A_OFF && !decided) begin
        if (mode == A_TOR) begin
          hit_first = first >= prev && first < addr;
          hit_last  = last >= prev && last < addr;
        end else begin
          // NAPOT: the ones at the low end of the address, and the zero above them, are not compared
          care      = (mode == A_NA4) ? {54{1'b1}} : ~(addr ^ (addr + 54'd1));
          hit_first = ((first ^ addr) & care) == 54'd0;
          hit_last  = ((last ^ addr) & care) == 54'd0;
        end
        if (hit_first || hit_last) begin
          decided   = 1'b1;
          permitted = op_i == 2'd0 ? xwr[0] : op_i == 2'd1 ? xwr[1] : xwr[2];
          fail_o    = !(hit_first && hit_last) || (!permitted && (priv_i != 2'd3 || lock));
        end
      end
      prev = addr;
    end
  end

endmodule

`default_nettype wire
