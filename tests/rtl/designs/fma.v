// A fused multiply-add, d = a b + c, rounded to nearest even: factors of FA fraction bits, c and d of FC >= FA. All
// formats are those of IEEE 754 with EXP exponent bits. With WRONG_TIES, ties are rounded away from zero.
module fma #(parameter EXP = 5, parameter FA = 2, parameter FC = 10) (
  input  [EXP+FA:0] a,
  input  [EXP+FA:0] b,
  input  [EXP+FC:0] c,
  output [EXP+FC:0] d
);
  localparam BIAS = (1 << (EXP - 1)) - 1;
  localparam W = 3 * FC + 8;  // of the adder
  localparam F = W - 3;       // its fraction bits

  wire [EXP-1:0] top = {EXP{1'b1}};
  wire [EXP-1:0] a_field = a[FA +: EXP];
  wire [EXP-1:0] b_field = b[FA +: EXP];
  wire [EXP-1:0] c_field = c[FC +: EXP];
  wire a_zero = ~|a[EXP+FA-1:0];
  wire b_zero = ~|b[EXP+FA-1:0];
  wire c_zero = ~|c[EXP+FC-1:0];
  wire a_top = a_field == top;
  wire b_top = b_field == top;
  wire c_top = c_field == top;
  wire p_sign = a[EXP+FA] ^ b[EXP+FA];
  wire c_sign = c[EXP+FC];

  // Normalized significands and exponents.
  reg [FA:0] a_sig, b_sig;
  reg [FC:0] c_sig;
  reg signed [EXP+2:0] a_exp, b_exp, c_exp;
  integer i;
  always @* begin
    a_sig = {|a_field, a[FA-1:0]};
    b_sig = {|b_field, b[FA-1:0]};
    c_sig = {|c_field, c[FC-1:0]};
    a_exp = a_field + ~|a_field;
    b_exp = b_field + ~|b_field;
    c_exp = c_field + ~|c_field;
    for (i = 0; i < FA; i = i + 1) if (!a_sig[FA]) begin a_sig = a_sig << 1; a_exp = a_exp - 1; end
    for (i = 0; i < FA; i = i + 1) if (!b_sig[FA]) begin b_sig = b_sig << 1; b_exp = b_exp - 1; end
    for (i = 0; i < FC; i = i + 1) if (!c_sig[FC]) begin c_sig = c_sig << 1; c_exp = c_exp - 1; end
  end
  wire [2*FA+1:0] product = a_sig * b_sig;
  wire signed [EXP+2:0] p_exp = a_exp + b_exp - BIAS;
  wire no_product = a_zero | b_zero;

  // Both summands with the larger exponent; bits shifted out become a sticky bit.
  wire product_leads = c_zero | (!no_product & p_exp >= c_exp);
  wire signed [EXP+2:0] exp = product_leads ? p_exp : c_exp;
  wire [EXP+2:0] distance = product_leads ? p_exp - c_exp : c_exp - p_exp;
  wire [W-1:0] p_wide = no_product ? {W{1'b0}} : product << (F - 2*FA);
  wire [W-1:0] c_wide = c_sig << (F - FC);
  wire [W-1:0] lower = product_leads ? (c_zero ? {W{1'b0}} : c_wide) : p_wide;
  wire [W-1:0] shifted = lower >> distance;
  wire lost = (shifted << distance) != lower;
  wire [W-1:0] high = product_leads ? p_wide : c_wide;
  wire [W-1:0] low = shifted | lost;
  wire high_sign = product_leads ? p_sign : c_sign;
  wire subtract = p_sign ^ c_sign;
  wire [W-1:0] sum = subtract ? high - low : high + low;
  wire negative = subtract & low > high;
  wire [W-1:0] magnitude = negative ? -sum : sum;
  wire is_zero = ~|magnitude;

  // Normalized, or with the exponent of subnormals; then rounded.
  reg [W-1:0] normal;
  reg signed [EXP+2:0] field;
  always @* begin
    normal = magnitude;
    field = exp + 2;
    for (i = 0; i < W; i = i + 1) if (!normal[W-1]) begin normal = normal << 1; field = field - 1; end
  end
  wire tiny = field < 1;
  wire [EXP+2:0] too_far = 1 - field;
  wire [W-1:0] placed = tiny ? normal >> too_far : normal;
  wire sticky_placed = tiny & (placed << too_far) != normal;
  wire guard = placed[W-FC-2];
`ifdef WRONG_TIES
  wire sticky = 1'b1;
`else
  wire sticky = |placed[W-FC-3:0] | sticky_placed;
`endif
  wire [EXP+FC+2:0] truncated = {tiny ? {(EXP+2){1'b0}} : field[EXP+1:0] - 1'b1, {FC{1'b0}}} + placed[W-1 -: FC+1];
  wire [EXP+FC+2:0] rounded = truncated + (guard & (sticky | placed[W-FC-1]));
  wire overflow = rounded >= {top, {FC{1'b0}}};

  wire nan = (a_top & |a[FA-1:0]) | (b_top & |b[FA-1:0]) | (c_top & |c[FC-1:0]) | (a_top & b_zero) | (a_zero & b_top) |
             ((a_top | b_top) & c_top & subtract);
  assign d = nan              ? {1'b0, top, 1'b1, {(FC-1){1'b0}}}
           : a_top | b_top    ? {p_sign, top, {FC{1'b0}}}
           : c_top            ? c
           : is_zero          ? {p_sign & c_sign, {(EXP+FC){1'b0}}}
           : overflow         ? {high_sign ^ negative, top, {FC{1'b0}}}
                              : {high_sign ^ negative, rounded[EXP+FC-1:0]};
endmodule
