// A product of two e2m1 numbers: operands and the result have a port for each field, and a flag
// says that the result is zero.
module split_ports(
    input a_sign, input [1:0] a_exponent, input a_fraction,
    input b_sign, input [1:0] b_exponent, input b_fraction,
    output sign, output [4:0] exponent, output [9:0] fraction, output zero);
  wire [3:0] x = a_exponent == 0 ? {3'd0, a_fraction} : {2'b0, 1'b1, a_fraction} << (a_exponent - 2'd1);
  wire [3:0] y = b_exponent == 0 ? {3'd0, b_fraction} : {2'b0, 1'b1, b_fraction} << (b_exponent - 2'd1);
  wire [7:0] product = x * y;  // times 1/4
  reg [4:0] high;
  integer i;
  always @* begin
    high = 0;
    for (i = 0; i < 8; i = i + 1) if (product[i]) high = i;
  end
  wire [10:0] significand = {3'd0, product} << (5'd10 - high);
  assign zero = product == 0;
`ifdef WRONG
  assign sign = a_sign ^ b_sign;  // the sum of a zero product and +0 is +0
`else
  assign sign = (a_sign ^ b_sign) & ~zero;
`endif
  assign exponent = zero ? 5'd0 : 5'd13 + high;
  assign fraction = zero ? 10'd0 : significand[9:0];
endmodule
