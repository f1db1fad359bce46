// d = round(c + a[0] b[0] + ... + a[3] b[3]), terms cut toward zero to F bits below the largest exponent, the sum
// rounded to nearest even: design:fused-dot-add(a=..,b=..,c=f32,d=f32,k=4,fraction_bits=F,round=rne). Three registers
// stand between operands and result (--latency 3), and a new dot product may begin at every clock. Positive and
// negative terms are added apart; what rounding needs of the bits that it drops is a guard and a sticky bit.
//
// EXP, FRAC, IEEE: as in fused_dot.v.
module fused_dot_pipelined #(
  parameter EXP = 5,
  parameter FRAC = 10,
  parameter IEEE = 1,
  parameter F = 25
) (
  input  wire clk,
  input  wire [4*(1+EXP+FRAC)-1:0] a,
  input  wire [4*(1+EXP+FRAC)-1:0] b,
  input  wire [31:0] c,
  output reg  [31:0] d
);
  localparam N = 1 + EXP + FRAC;
  localparam BIAS = (1 << (EXP - 1)) - 1;
  localparam M = F + 2;   // a term's magnitude: two bits before the point, F behind it
  localparam S = M + 3;   // of five of them

  // 1. Products, exponents (biased by 160; a zero's is c's least one), and the largest of these.
  reg [9:0] e [0:4];
  reg [M-1:0] magnitude [0:4];
  reg [4:0] negative;
  reg nan, some_plus, some_minus;
  reg [N-1:0] x, y;
  reg x_special, y_special, x_infinite, y_infinite;
  reg [2*FRAC+1:0] significand;
  reg [9:0] e_max;
  integer k;
  always @* begin
    nan = &c[30:23] & |c[22:0];
    some_plus = &c[30:23] & ~|c[22:0] & ~c[31];
    some_minus = &c[30:23] & ~|c[22:0] & c[31];
    for (k = 0; k < 4; k = k + 1) begin
      x = a[k*N +: N];
      y = b[k*N +: N];
      x_special = &x[FRAC +: EXP] & (IEEE != 0 | &x[FRAC-1:0]);
      y_special = &y[FRAC +: EXP] & (IEEE != 0 | &y[FRAC-1:0]);
      x_infinite = x_special & IEEE != 0 & ~|x[FRAC-1:0];
      y_infinite = y_special & IEEE != 0 & ~|y[FRAC-1:0];
      negative[k] = x[N-1] ^ y[N-1];
      nan = nan | (x_special & ~x_infinite) | (y_special & ~y_infinite)
          | (x_infinite & ~|y[N-2:0]) | (y_infinite & ~|x[N-2:0]);
      some_plus = some_plus | ((x_infinite | y_infinite) & ~negative[k]);
      some_minus = some_minus | ((x_infinite | y_infinite) & negative[k]);
      significand = {|x[FRAC +: EXP], x[FRAC-1:0]} * {|y[FRAC +: EXP], y[FRAC-1:0]};
      magnitude[k] = {significand, {(F-2*FRAC){1'b0}}};
      e[k] = x[FRAC +: EXP] + y[FRAC +: EXP] + (~|x[FRAC +: EXP] & 1'b1) + (~|y[FRAC +: EXP] & 1'b1)
           + (160 - 2*BIAS);
      if (significand == 0) e[k] = 10'd34;
    end
    magnitude[4] = {|c[30:23], c[22:0], {(F-23){1'b0}}};
    negative[4] = c[31];
    e[4] = |c[30:0] ? {2'b0, c[30:23]} + {9'b0, ~|c[30:23]} + 10'd33 : 10'd34;
    e_max = e[0];
    for (k = 1; k < 5; k = k + 1) if (e[k] > e_max) e_max = e[k];
    nan = nan | (some_plus & some_minus);
  end

  reg [9:0] distance_1 [0:4];
  reg [M-1:0] magnitude_1 [0:4];
  reg [4:0] negative_1;
  reg [9:0] e_1;
  reg nan_1, plus_1, minus_1;
  always @(posedge clk) begin
    for (k = 0; k < 5; k = k + 1) begin
      distance_1[k] <= e_max - e[k];
      magnitude_1[k] <= magnitude[k];
    end
    negative_1 <= negative;
    e_1 <= e_max;
    nan_1 <= nan;
    plus_1 <= some_plus;
    minus_1 <= some_minus;
  end

  // 2. Alignment, and two sums: of positive and of negative terms.
  reg [S-1:0] plus, minus;
  reg [M-1:0] cut [0:4];
  integer i;
  always @* begin
    plus = 0;
    minus = 0;
    for (i = 0; i < 5; i = i + 1) begin
      cut[i] = magnitude_1[i] >> distance_1[i];
      if (negative_1[i]) minus = minus + cut[i];
      else plus = plus + cut[i];
    end
  end

  reg [S-1:0] plus_2, minus_2;
  reg [9:0] e_2;
  reg nan_2, some_plus_2, some_minus_2;
  always @(posedge clk) begin
    plus_2 <= plus;
    minus_2 <= minus;
    e_2 <= e_1;
    nan_2 <= nan_1;
    some_plus_2 <= plus_1;
    some_minus_2 <= minus_1;
  end

  // 3. The difference, its leading bit to the top, and rounding. The top bit has the field e_2 + S - 1 - F - 33.
  wire sign = plus_2 < minus_2;
  wire [S-1:0] difference = sign ? minus_2 - plus_2 : plus_2 - minus_2;
  reg [5:0] zeros;
  integer j;
  always @* begin
    zeros = S;
    for (j = 0; j < S; j = j + 1) if (difference[j]) zeros = S - 1 - j;
  end
  wire [11:0] field = {2'b0, e_2} + (S - 1 - F) - 12'd33 - {6'b0, zeros};
  wire tiny = field[11] | field == 0;
  wire [S-1:0] normal = difference << zeros;
  wire [11:0] too_far = 12'd1 - field;
  wire [S-1:0] shifted = normal >> too_far;
  wire [S-1:0] kept = tiny ? shifted : normal;
  wire lost = tiny & (shifted << too_far) != normal;
  wire guard = kept[S-25];
  wire sticky = |kept[S-26:0] | lost;
  wire [30:0] packed_number = {tiny ? 8'd0 : field[7:0], kept[S-2 -: 23]};
  // A carry out of the fraction goes into the exponent, which is what it is to do.
  wire [30:0] rounded = packed_number + {30'd0, guard & (sticky | kept[S-24])};
  wire overflow = ~field[11] & field > 12'd254;

  reg nan_3, some_plus_3, some_minus_3, sign_3, none_3, overflow_3;
  reg [30:0] rounded_3;
  always @(posedge clk) begin
    nan_3 <= nan_2;
    some_plus_3 <= some_plus_2;
    some_minus_3 <= some_minus_2;
    sign_3 <= sign;
    none_3 <= ~|difference;
    overflow_3 <= overflow;
    rounded_3 <= rounded;
  end

  always @* begin
    d = none_3 ? 32'd0 : overflow_3 ? {sign_3, 31'h7f800000} : {sign_3, rounded_3};
    if (some_plus_3) d = 32'h7f800000;
    if (some_minus_3) d = 32'hff800000;
    if (nan_3) d = 32'h7fffffff;
  end
endmodule
