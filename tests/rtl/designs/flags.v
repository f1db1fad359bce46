// d = a * b for e5m2 (IEEE 754's encodings), rounded to nearest even, with exception flags. Tininess is detected
// after rounding. WRONG_OVERFLOW: the overflow flag is not raised for a carry out of the largest binade.
module flags(input [7:0] a, input [7:0] b, output reg [7:0] d, output reg nv, output wire dz, output reg of,
             output reg uf, output reg nx);
  assign dz = 1'b0;
  wire a_special = &a[6:2];
  wire b_special = &b[6:2];
  wire a_nan = a_special & |a[1:0];
  wire b_nan = b_special & |b[1:0];
  wire a_zero = ~|a[6:0];
  wire b_zero = ~|b[6:0];
  wire sign = a[7] ^ b[7];
  // The exact product in units of 2^-32.
  wire [5:0] significand = {|a[6:2], a[1:0]} * {|b[6:2], b[1:0]};
  wire [6:0] shift = (|a[6:2] ? a[6:2] : 5'd1) + (|b[6:2] ? b[6:2] : 5'd1);
  wire [69:0] product = {64'd0, significand} << (shift - 7'd2);
  integer i;
  reg [6:0] length, cut, cut_unbounded;
  reg [69:0] kept, rest, kept_unbounded, rest_unbounded;
  reg up, up_unbounded;
  reg [3:0] rounded, rounded_unbounded;
  reg [6:0] field;
  always @* begin
    length = 0;
    for (i = 0; i < 70; i = i + 1) if (product[i]) length = i + 1;
    cut = length > 19 ? length - 3 : 16;  // the unit of subnormals is 2^-16
    kept = product >> cut;
    rest = product & ((70'd1 << cut) - 70'd1);
    up = (rest << 1) > (70'd1 << cut) | ((rest << 1) == (70'd1 << cut) & kept[0]);
    rounded = kept[3:0] + {3'd0, up};
    // With unbounded exponent, for tininess.
    cut_unbounded = length > 3 ? length - 3 : 0;
    kept_unbounded = product >> cut_unbounded;
    rest_unbounded = product & ((70'd1 << cut_unbounded) - 70'd1);
    up_unbounded = cut_unbounded != 0 & ((rest_unbounded << 1) > (70'd1 << cut_unbounded)
        | ((rest_unbounded << 1) == (70'd1 << cut_unbounded) & kept_unbounded[0]));
    rounded_unbounded = kept_unbounded[3:0] + {3'd0, up_unbounded};
    field = rounded[3] ? cut - 7'd14 : rounded[2] ? cut - 7'd15 : 7'd0;
    nv = 0; of = 0; uf = 0; nx = 0;
    if (a_nan | b_nan) begin
      d = 8'h7f;
      nv = (a_nan & ~a[1]) | (b_nan & ~b[1]);
    end else if (a_special | b_special) begin
      nv = a_zero | b_zero;
      d = nv ? 8'h7f : {sign, 7'h7c};
    end else begin
`ifdef WRONG_OVERFLOW
      of = length > 48;
`else
      of = field > 30;
`endif
      nx = |rest | field > 30;
      uf = nx & (length < 18 | (length == 18 & ~rounded_unbounded[3]));
      d = field > 30 ? {sign, 7'h7c} : rounded[3] ? {sign, field[4:0], 2'd0} : {sign, field[4:0], rounded[1:0]};
    end
  end
endmodule
