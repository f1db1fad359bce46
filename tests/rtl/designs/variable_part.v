// Normalisation by a part select with a variable index; an integer that is negative where it is not
// used.
module variable_part(input [7:0] a, b, output reg [15:0] d);
  wire [2:0] fraction_a = {|a[6:2], a[1:0]};
  wire [2:0] fraction_b = {|b[6:2], b[1:0]};
  wire [5:0] product = fraction_a * fraction_b;
  integer lead, exponent, i;
  reg [15:0] wide;
  always @* begin
    lead = -1;
    for (i = 0; i < 6; i = i + 1) if (product[i]) lead = i;
    exponent = a[6:2] + (a[6:2] == 0) + b[6:2] + (b[6:2] == 0) - 34 + lead;
    wide = {product, 10'd0};
    d = 16'h0000;
    if (&a[6:2] | &b[6:2]) begin
      d = {a[7] ^ b[7], 15'h7c00};
      if ((&a[6:2] && a[1:0] != 0) || (&b[6:2] && b[1:0] != 0) || (&a[6:2] && b[6:0] == 0) ||
          (&b[6:2] && a[6:0] == 0))
        d = 16'h7fff;
    end else if (lead >= 0) begin
      if (exponent > 15) d = {a[7] ^ b[7], 15'h7c00};
      else if (exponent >= -14) begin
        d[15:10] = {a[7] ^ b[7], exponent[4:0] + 5'd15};
`ifdef WRONG
        d[9:0] = wide[lead + 1 +: 10];
`else
        d[9:0] = wide[lead +: 10];
`endif
      end
      else begin
        // Below 2^-24: rounded to nearest even.
        wide = ({product, 10'd0} >> lead) | 16'd0;
        d = rounded(wide[10:0], -14 - exponent);
        d[15] = a[7] ^ b[7];
      end
    end
  end

  function [15:0] rounded(input [10:0] x, input [31:0] distance);
    reg [10:0] kept;
    reg [10:0] half;
    reg [21:0] both;
    begin
      both = {x, 11'd0} >> (distance > 13 ? 13 : distance);
      kept = both[21:11];
      rounded = kept;
      if (both[10] && (both[9:0] != 0 || kept[0])) rounded = kept + 1;
    end
  endfunction
endmodule
