// A clock gate whose enable is constant, and a product by sign and magnitude.
module gated(input clk, input test, input [7:0] a, b, input [31:0] c, output reg [31:0] d);
  wire enabled = test | 1'b1;
  wire gated_clock = clk & enabled;
  wire [7:0] x = a[7] ? -a : a;
  wire [7:0] y = b[7] ? -b : b;
  wire [15:0] p = x * y;
`ifdef WRONG
  wire [31:0] q = {18'd0, p[13:0]};
`else
  wire [31:0] q = {16'd0, p};
`endif
  always @(posedge gated_clock) d <= c + (a[7] ^ b[7] ? -q : q);
endmodule
