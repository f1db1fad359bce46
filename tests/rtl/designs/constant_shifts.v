// Shifts by amounts that are negative constants in an unrolled loop: as unsigned numbers they are
// larger than any width, and shift everything out. d = c + a * b.
module constant_shifts(input signed [7:0] a, b, input [31:0] c, output reg [31:0] d);
  wire signed [15:0] p = a * b;
  integer i;
  always @* begin
    d = c;
    // Byte by byte; for i = 2 the first amount is negative and for i = 0 the second.
    for (i = 0; i < 3; i = i + 1) begin
`ifdef WRONG
      d = d + (({{16{p[15]}}, p} & (i == 2 ? 32'hffff0000 : 32'h000000ff << 8 * i)) << (i - 1));
`else
      d = d + (({{16{p[15]}}, p} & (i == 2 ? 32'hffff0000 : 32'h000000ff << 8 * i)));
`endif
      d = d ^ (c >> (i - 3));
      d = d ^ (c << (-1 - i));
    end
  end
endmodule
