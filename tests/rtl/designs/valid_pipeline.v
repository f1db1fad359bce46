// An integer dot product of two elements as a pipeline with valid signals. The registers of the
// data have no reset, and a bubble may be between two operations.
module valid_pipeline(
    input clk, input rst_n,
    input valid_i, input [15:0] a, input [15:0] b, input [31:0] c,
    output reg valid_o, output reg [31:0] d);
  reg valid_1;
  reg signed [15:0] p0, p1;
  reg [31:0] c_1;
  reg [31:0] total;
  reg valid_2;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) {valid_1, valid_2, valid_o} <= 3'b000;
    else {valid_1, valid_2, valid_o} <= {valid_i, valid_1, valid_2};
  always @(posedge clk) begin
    if (valid_i) begin
      p0 <= $signed(a[7:0]) * $signed(b[7:0]);
      p1 <= $signed(a[15:8]) * $signed(b[15:8]);
      c_1 <= c;
    end
`ifdef STALE
    if (valid_i) total <= c_1 + {{16{p0[15]}}, p0} + {{16{p1[15]}}, p1};  // only behind an operation
`elsif WRONG
    if (valid_1) total <= c_1 + {{16{p0[15]}}, p0} + {16'd0, p1};
`else
    if (valid_1) total <= c_1 + {{16{p0[15]}}, p0} + {{16{p1[15]}}, p1};
`endif
    d <= total;
  end
endmodule
