// Registers with enables and resets of both kinds.
module enable_reset(input clk, rst_n, clear, en, input signed [7:0] a, b, input signed [31:0] c,
                    output reg signed [31:0] d);
  reg signed [15:0] p;
  reg signed [31:0] c_1;
  reg valid;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      p <= 0;
      c_1 <= 0;
      valid <= 1'b0;
    end else if (en) begin
      p <= a * b;
      c_1 <= c;
      valid <= 1'b1;
    end
  always @(posedge clk)
    if (clear) d <= 0;
`ifdef WRONG
    else if (valid) d <= c_1 - p;
`else
    else if (valid) d <= c_1 + p;
`endif
endmodule
