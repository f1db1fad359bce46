// Packed arrays of two dimensions, and a sum in a loop.
module packed_arrays #(parameter int K = 3) (
    input logic [K-1:0][7:0] a, input logic [K-1:0][7:0] b, input logic signed [31:0] c,
    output logic signed [31:0] d);
  logic [K-1:0][15:0] p;
  always_comb begin
    d = c;
    for (int i = 0; i < K; i++) begin
      p[i] = $signed(a[i]) * $signed(b[i]);
`ifdef WRONG
      d += p[i];
`else
      d += 32'($signed(p[i]));
`endif
    end
  end
endmodule
