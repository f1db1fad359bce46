// A pipeline whose registers are all in submodules, and whose clock passes through wires, a buffer
// and two inverters.
module multiply_stage(input ck, input signed [7:0] x, y, input [31:0] z, output reg [15:0] p,
                      output reg [31:0] z_1);
  always @(posedge ck) begin
    p <= x * y;
    z_1 <= z;
  end
endmodule

module add_stage(input clock_n, input [15:0] p, input [31:0] z, output reg [31:0] s);
  wire inner = ~clock_n;
`ifdef WRONG
  wire [31:0] wide = {16'd0, p};
`else
  wire [31:0] wide = {{16{p[15]}}, p};
`endif
  always @(posedge inner) s <= wide + z;
endmodule

module hierarchy(input clk, input [7:0] a, b, input [31:0] c, output [31:0] d);
  wire ck = clk;
  wire buffered;
  buf tree(buffered, ck);
  wire [15:0] p;
  wire [31:0] z;
  multiply_stage first(.ck(buffered), .x(a), .y(b), .z(c), .p(p), .z_1(z));
  add_stage second(.clock_n(~buffered), .p(p), .z(z), .s(d));
endmodule
