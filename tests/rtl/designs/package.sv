// Types, parameters and functions of a package: e2m1 products, as quarters, to f16.
package fp4;
  localparam int EXPONENT_BITS = 2;
  typedef struct packed {
    logic sign;
    logic [EXPONENT_BITS-1:0] exponent;
    logic fraction;
  } e2m1_t;

  // Twice the magnitude.
  function automatic logic [3:0] magnitude(e2m1_t x);
    if (x.exponent == 0) magnitude = {3'b0, x.fraction};
`ifdef WRONG
    else magnitude = {2'b0, 1'b1, x.fraction} << x.exponent;
`else
    else magnitude = {2'b0, 1'b1, x.fraction} << (x.exponent - 2'd1);
`endif
  endfunction
endpackage

module package_top import fp4::*; (input e2m1_t a, input e2m1_t b, output logic [15:0] d);
  logic [7:0] quarters;
  logic [2:0] lead;
  logic [10:0] significand;
  always_comb begin
    quarters = magnitude(a) * magnitude(b);
    lead = 0;
    for (int i = 0; i < 8; i++) if (quarters[i]) lead = 3'(i);
    significand = {quarters, 3'b0} << (3'd7 - lead);
    d = quarters == 0 ? 16'd0 : {a.sign ^ b.sign, 5'd13 + {2'b0, lead}, significand[9:0]};
  end
endmodule
