// SPDX-License-Identifier: Apache-2.0
// tally_fetch_on - whether fetch goes on to the next group while this one leaves (F1 of tally_frontend).
//
// All memories that F1 reads wait for it, and it for what the cache's tags are, last: the boundary stays, so
// that a mapper puts them last.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_fetch_on #(
    parameter WAYS = 4
) (
    input  wire            any_i,    // it goes on whatever the cache has,
    input  wire            if_i,     // or if the cache has the word
    input  wire            taken_i,  // ... and it does not branch
    input  wire            buf_i,    // the line buffer has it,
    input  wire            err_i,    // but as an error
    input  wire            sound_i,  // what the ways say holds
    input  wire [WAYS-1:0] same_i,   // late: they have it
    output wire            out_o
);
  wire next   = if_i & ~taken_i;
  wire buffer = any_i | next & buf_i & ~err_i;
  wire way    = next & ~err_i & sound_i;
  assign out_o = buffer | way & |same_i;
endmodule

`default_nettype wire
