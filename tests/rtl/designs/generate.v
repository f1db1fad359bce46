// A generated tree of adders of a width that a parameter chooses.
module product #(parameter W = 8) (input signed [W-1:0] x, y, output signed [2*W-1:0] p);
  assign p = x * y;
endmodule

module generate_tree #(parameter K = 4, parameter SUM = 18) (
    input [8*K-1:0] a, b, input signed [31:0] c, output signed [31:0] d);
  wire signed [SUM-1:0] level [0:2*K-1];
  genvar i;
  generate
    for (i = 0; i < K; i = i + 1) begin : leaf
      wire signed [15:0] p;
      product #(.W(8)) m(.x(a[8*i +: 8]), .y(b[8*i +: 8]), .p(p));
      assign level[K + i] = p;
    end
    for (i = 1; i < K; i = i + 1) begin : node
      assign level[i] = level[2*i] + level[2*i + 1];
    end
    if (SUM < 32) begin : extended
      wire signed [31:0] wide = level[1];
      assign d = wide + c;
    end else begin : whole
      assign d = level[1] + c;
    end
  endgenerate
endmodule
