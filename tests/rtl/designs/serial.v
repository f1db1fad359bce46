// An integer dot product of four elements, one in each cycle from `start` on. A reset makes it idle.
module serial(
    input clk, input rst,
    input start, input signed [7:0] x, input signed [7:0] y, input [31:0] c,
    output reg done, output reg [31:0] sum);
  reg [1:0] count;
  reg busy;
  wire signed [15:0] product = x * y;
  wire [31:0] wide = {{16{product[15]}}, product};
  wire first = start & ~busy;
  always @(posedge clk) begin
    done <= 0;
    if (rst) begin
      busy <= 0;
      count <= 0;
    end else if (first) begin
      sum <= c + wide;
      busy <= 1;
      count <= 1;
    end else if (busy) begin
      sum <= sum + wide;
      count <= count + 1;
`ifdef WRONG
      if (count == 2) begin  // one element too early
`else
      if (count == 3) begin
`endif
        busy <= 0;
        done <= 1;
      end
    end
  end
endmodule
