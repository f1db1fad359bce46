// Division and remainder by constants, signed and unsigned: the products of s8 numbers digit by digit
// to the base 3, and a sum of quotients.
module division(input signed [7:0] a, b, input signed [31:0] c, output signed [31:0] d);
  integer quotient, remainder;
  reg signed [15:0] p;
  reg [15:0] m, n;
  always @* begin
    quotient = a / 3;
    remainder = a % 3;
    p = (3 * quotient + remainder) * b;
    m = p;
    n = (m / 10) * 10 + m % 10;
`ifdef WRONG
    if (p / -4 == -4000) n = n + 1;
`else
    if (p / -4 == -5000) n = n + 1;
`endif
  end
  assign d = c + $signed(n);
endmodule
