// A Kulisch accumulator of e4m3: K products are added exactly to a fixed-point number of I integer
// bits and 18 fraction bits.
module aligned #(parameter W = 37) (input [7:0] a, b, output signed [W-1:0] y);
  wire [3:0] x = {|a[6:3], a[2:0]};
  wire [3:0] z = {|b[6:3], b[2:0]};
  wire [7:0] m = x * z;
  wire [4:0] shift = (|a[6:3] ? a[6:3] - 4'd1 : 4'd0) + {1'b0, |b[6:3] ? b[6:3] - 4'd1 : 4'd0};
  wire [W-1:0] wide = {{(W-8){1'b0}}, m} << shift;
`ifdef WRONG
  assign y = a[7] ^ b[7] ? ~wide : wide;
`else
  assign y = a[7] ^ b[7] ? -wide : wide;
`endif
endmodule

module kulisch #(parameter I = 23, parameter K = 2) (
    input [8*K-1:0] a, b, input signed [I+17:0] c, output reg signed [I+17:0] d);
  localparam W = I + 18;
  wire [W*K-1:0] y;
  genvar g;
  generate
    for (g = 0; g < K; g = g + 1) begin : product
      aligned #(.W(W)) one(.a(a[8*g +: 8]), .b(b[8*g +: 8]), .y(y[W*g +: W]));
    end
  endgenerate
  integer i;
  always @* begin
    d = c;
    for (i = 0; i < K; i = i + 1) d = d + $signed(y[W*i +: W]);
  end
endmodule
