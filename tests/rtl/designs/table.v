// An s4 multiplier by tables of squares, (a + b)^2 - (a - b)^2 = 4 a b: an included file, a memory
// that is read from a file, a table in a parameter, a constant function, defparam, gates.
`default_nettype none
`timescale 1ns/1ps
`include "table_defs.vh"

module tab #(parameter integer DEPTH = 16) (input wire [3:0] i, output wire [7:0] o);
  function integer clog2;
    input integer n;
    begin
      clog2 = 0;
      while ((1 << clog2) < n) clog2 = clog2 + 1;
    end
  endfunction
  localparam A = clog2(DEPTH);
  reg [7:0] mem [0:DEPTH-1];
  initial $readmemh("squares.hex", mem);
  wire [A-1:0] ix = i[A-1:0];
  assign o = mem[ix];
endmodule
module table_top (input wire clk, input wire [3:0] a, b, input wire [31:0] c,
                  output reg [31:0] d = 0);
  wire [4:0] s = {a[3], a} + {b[3], b};
  wire [4:0] t = {a[3], a} - {b[3], b};
  wire [4:0] ms, mt;
  wire n1, n2;
  abs5 u0(s, ms), u1(t, mt);
  localparam [8*17-1:0] SQ = {8'd255, 8'd225, 8'd196, 8'd169, 8'd144, 8'd121, 8'd100, 8'd81, 8'd64,
                              8'd49, 8'd36, 8'd25, 8'd16, `SQUARE_OF_3, 8'd4, 8'd1, 8'd0};
  wire [7:0] q0;
  defparam rom.DEPTH = `DEPTH;
  tab rom(.i(ms[3:0]), .o(q0));
  wire [7:0] q1 = SQ[8*mt +: 8];
  wire [8:0] f0 = ms[4] ? 9'd256 : {1'b0, q0};
  wire [8:0] f1 = mt[4] ? 9'd256 : {1'b0, q1};
  wire [9:0] diff = {1'b0, f0} - {1'b0, f1};
  always @(posedge clk) begin
    d <= c + {{24{diff[9]}}, diff[9:2]};
  end
endmodule
module abs5(input wire [4:0] x, output wire [4:0] y);
  wire [4:0] inverted;
  genvar i;
  generate for (i = 0; i < 5; i = i + 1) begin : g xor gate(inverted[i], x[i], x[4]); end endgenerate
  assign y = inverted + x[4];
endmodule
