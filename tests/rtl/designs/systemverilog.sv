// always_ff, always_comb, enumerations, unique case.
module classify (input logic [7:0] x, output logic [1:0] kind);
  typedef enum logic [1:0] {ZERO, SUBNORMAL, NORMAL, NOT_A_NUMBER} kind_t;
  kind_t k;
  always_comb begin
    unique case (x[6:3])
      4'd0: k = x[2:0] == 0 ? ZERO : SUBNORMAL;
`ifdef WRONG
      4'd15: k = NOT_A_NUMBER;
`else
      4'd15: k = x[2:0] == 7 ? NOT_A_NUMBER : NORMAL;
`endif
      default: k = NORMAL;
    endcase
  end
  assign kind = k;
endmodule

module systemverilog (input logic clk, input logic [7:0] a, input logic [7:0] b,
                      output logic [15:0] d);
  logic [1:0] kind_a, kind_b;
  classify u_a (.x(a), .kind(kind_a));
  classify u_b (.x(b), .kind(kind_b));
  logic [7:0] product_q;
  logic [5:0] sum_q;
  logic sign_q, nan_q;
  always_ff @(posedge clk) begin
    product_q <= {kind_a == 2, a[2:0]} * {kind_b == 2, b[2:0]};
    sum_q <= a[6:3] + (kind_a != 2) + b[6:3] + (kind_b != 2);
    sign_q <= a[7] ^ b[7];
    nan_q <= kind_a == 3 || kind_b == 3;
  end
  logic [2:0] lead;
  logic [7:0] normal;
  logic signed [7:0] exponent;
  always_comb begin
    lead = '0;
    for (int i = 0; i < 8; i++) if (product_q[i]) lead = i;
    normal = product_q << (7 - lead);
    exponent = $signed({2'b0, sum_q}) + $signed({5'b0, lead}) - 8'sd20;
    d = '0;
    if (nan_q) d = 16'h7fff;
    else if (product_q != 0) begin
      if (exponent > 15) d = {sign_q, 15'h7c00};
      else if (exponent < -14) d = {sign_q, 15'd0} | ({5'd0, normal, 3'd0} >> (-14 - exponent));
      else d = {sign_q, 5'(exponent + 15), normal[6:0], 3'd0};
    end
  end
endmodule
