// s8 by u8: an unsigned operand makes a whole expression unsigned.
module signed_mix(input signed [7:0] a, input [7:0] b, input [31:0] c, output [31:0] d);
`ifdef WRONG
  wire [31:0] p = a * b;
`else
  wire signed [16:0] p = a * $signed({1'b0, b});
`endif
  assign d = c + {{15{p[16]}}, p[16:0]};
endmodule
