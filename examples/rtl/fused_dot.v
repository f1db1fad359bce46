// d = round(c + a[0] b[0] + ... + a[K-1] b[K-1]) as tensor cores fuse it: every term is cut toward zero to F bits
// below the largest exponent, the cut terms are added exactly, and the sum is rounded once, toward zero, to f32.
// It is design:fused-dot-add(a=..,b=..,c=f32,d=f32,k=K,fraction_bits=F,round=rz), written in another way: terms are
// aligned in a tree, each pair to the larger of its two exponents, so that no shifter waits for the largest of all.
//
// EXP, FRAC: bits of the factors' exponent and fraction fields. IEEE: an exponent field of ones stands for infinity
// and NaN; else (E4M3) only the pattern of all ones, for NaN. LEAVES: the least power of two above K.
module fused_dot #(
  parameter K = 4,
  parameter EXP = 5,
  parameter FRAC = 10,
  parameter IEEE = 1,
  parameter F = 25,
  parameter LEAVES = 8
) (
  input  wire [K*(1+EXP+FRAC)-1:0] a,
  input  wire [K*(1+EXP+FRAC)-1:0] b,
  input  wire [31:0] c,
  output wire [31:0] d
);
  localparam N = 1 + EXP + FRAC;
  localparam BIAS = (1 << (EXP - 1)) - 1;
  localparam M = F + 2;        // a term's magnitude: two bits before the point, F behind it
  localparam E = 10;           // exponents, biased by 160, so that none is negative; 0: of a zero
  localparam S = M + 5;        // the sum, with its sign

  // Leaf i is node LEAVES + i, the parent of nodes 2n and 2n + 1 is n, the root is 1.
  wire [E-1:0] e [1:2*LEAVES-1];
  wire [M-1:0] leaf [0:LEAVES-1];
  wire [LEAVES-1:0] negative;
  wire [K-1:0] nan_product, plus_product, minus_product;

  genvar k, n, i;
  generate
    for (k = 0; k < K; k = k + 1) begin : product
      wire [N-1:0] x = a[k*N +: N];
      wire [N-1:0] y = b[k*N +: N];
      wire [EXP-1:0] x_field = x[FRAC +: EXP];
      wire [EXP-1:0] y_field = y[FRAC +: EXP];
      wire [2*FRAC+1:0] significand = {{(FRAC+1){1'b0}}, |x_field, x[FRAC-1:0]}
                                    * {{(FRAC+1){1'b0}}, |y_field, y[FRAC-1:0]};
      wire x_special = &x_field & (IEEE != 0 | &x[FRAC-1:0]);
      wire y_special = &y_field & (IEEE != 0 | &y[FRAC-1:0]);
      wire x_infinite = x_special & IEEE != 0 & ~|x[FRAC-1:0];
      wire y_infinite = y_special & IEEE != 0 & ~|y[FRAC-1:0];
      wire infinite = x_infinite | y_infinite;
      wire sign = x[N-1] ^ y[N-1];
      assign nan_product[k] = (x_special & ~x_infinite) | (y_special & ~y_infinite)
                            | (x_infinite & ~|y[N-2:0]) | (y_infinite & ~|x[N-2:0]);
      assign plus_product[k] = infinite & ~sign;
      assign minus_product[k] = infinite & sign;
      // A subnormal number has the exponent of field 1.
      wire [E-1:0] x_e = {{(E-EXP){1'b0}}, x_field} + {{(E-1){1'b0}}, ~|x_field};
      wire [E-1:0] y_e = {{(E-EXP){1'b0}}, y_field} + {{(E-1){1'b0}}, ~|y_field};
      assign e[LEAVES+k] = |significand ? x_e + y_e + 160 - 2*BIAS : {E{1'b0}};
      assign leaf[k] = {significand, {(F-2*FRAC){1'b0}}};
      assign negative[k] = sign;
    end
    for (k = K + 1; k < LEAVES; k = k + 1) begin : nothing
      assign e[LEAVES+k] = {E{1'b0}};
      assign leaf[k] = {M{1'b0}};
      assign negative[k] = 1'b0;
    end
  endgenerate

  wire [7:0] c_field = c[30:23];
  wire [23:0] c_significand = {|c_field, c[22:0]};
  wire c_special = &c_field;
  assign e[LEAVES+K] = |c_significand ? {2'b0, c_field} + {9'b0, ~|c_field} + 33 : {E{1'b0}};
  assign leaf[K] = {1'b0, c_significand, {(F-23){1'b0}}};
  assign negative[K] = c[31];

  generate
    for (n = 1; n < LEAVES; n = n + 1) begin : larger
      assign e[n] = e[2*n] < e[2*n+1] ? e[2*n+1] : e[2*n];
    end
    // A leaf is cut on its way to the root; what two cuts leave is what one of both would.
    for (i = 0; i < LEAVES; i = i + 1) begin : term
      wire [M-1:0] at_2 = leaf[i] >> (e[(LEAVES+i)/2] - e[LEAVES+i]);
      wire [M-1:0] at_4 = LEAVES > 2 ? at_2 >> (e[(LEAVES+i)/4] - e[(LEAVES+i)/2]) : at_2;
      wire [M-1:0] at_8 = LEAVES > 4 ? at_4 >> (e[LEAVES > 4 ? (LEAVES+i)/8 : 1] - e[(LEAVES+i)/4]) : at_4;
      wire [M-1:0] cut = LEAVES > 8 ? at_8 >> (e[LEAVES > 8 ? (LEAVES+i)/16 : 1] - e[LEAVES > 8 ? (LEAVES+i)/8 : 1]) : at_8;
      wire [S-1:0] wide = {{(S-M){1'b0}}, cut};
      wire [S-1:0] value = negative[i] ? -wide : wide;
    end
  endgenerate

  // The sum, pairs first.
  wire [S-1:0] node [1:2*LEAVES-1];
  generate
    for (i = 0; i < LEAVES; i = i + 1) begin : into
      assign node[LEAVES+i] = term[i].value;
    end
    for (n = 1; n < LEAVES; n = n + 1) begin : pair
      assign node[n] = node[2*n] + node[2*n+1];
    end
  endgenerate
  wire [S-1:0] sum = node[1];
  wire [S-1:0] magnitude = sum[S-1] ? -sum : sum;

  // The leading bit to the top; no lower than the least exponent lets it.
  reg [5:0] zeros;
  integer j;
  always @* begin
    zeros = S;
    for (j = 0; j < S; j = j + 1) if (magnitude[j]) zeros = S - 1 - j;
  end
  // The top bit has the exponent e + S - 1 - F, whose field is e - 160 + 127 + S - 1 - F.
  wire [E+1:0] top_field = {2'b0, e[1]} + (S - 1 - F) - 33;
  wire [E+1:0] field = top_field - {{(E-4){1'b0}}, zeros};
  wire tiny = field[E+1] | ~|field;
  // A number below the least normal one is shifted until its field would be 1.
  wire [S-1:0] normal = magnitude << zeros;
  wire [E+1:0] too_far = 12'd1 - field;
  wire [S-1:0] kept = tiny ? normal >> too_far : normal;
  wire overflow = ~field[E+1] & field > 254;
  wire [30:0] finite = {tiny ? 8'd0 : field[7:0], kept[S-2 -: 23]};
  wire none = ~|magnitude;

  wire some_plus = |plus_product | (c_special & ~|c[22:0] & ~c[31]);
  wire some_minus = |minus_product | (c_special & ~|c[22:0] & c[31]);
  wire nan = |nan_product | (c_special & |c[22:0]) | (some_plus & some_minus);
  assign d = nan        ? 32'h7fffffff
           : some_minus ? 32'hff800000
           : some_plus  ? 32'h7f800000
           : none       ? 32'h00000000
           : overflow   ? {sum[S-1], 31'h7f800000}
                        : {sum[S-1], finite};
endmodule
