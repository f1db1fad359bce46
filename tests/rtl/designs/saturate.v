// A saturating sum of two products of s8 numbers in 24 bits, registered in a memory of two words.
module saturate(input clk, input [15:0] a, b, input signed [31:0] c, output reg signed [31:0] d);
  reg signed [15:0] p [0:1];
  reg signed [31:0] c_1;
  wire signed [33:0] sum = p[0] + p[1] + c_1;
  integer i;
  always @(posedge clk) begin
    for (i = 0; i < 2; i = i + 1) p[i] <= $signed(a[8*i +: 8]) * $signed(b[8*i +: 8]);
    c_1 <= c;
`ifdef WRONG
    if (sum > 34'sd2147483647) d <= 32'h7ffffffe;
`else
    if (sum > 34'sd2147483647) d <= 32'h7fffffff;
`endif
    else if (sum < -34'sd2147483648) d <= 32'h80000000;
    else d <= sum[31:0];
  end
endmodule
