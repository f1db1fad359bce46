// An integer dot product whose operands are members of an array of structs in a packed struct.
package struct_array_pkg;
  typedef struct packed {
    logic [2:0] tag;
    logic [7:0] a;
    logic [7:0] b;
  } pair_t;
  typedef struct packed { logic valid; pair_t [3:0] vec; logic [31:0] c; } in_t;
endpackage

module struct_array (
  input struct_array_pkg::in_t in,
  output logic [31:0] d
);
  logic signed [31:0] product;
  always_comb begin
    d = in.c;
    for (int i = 0; i < 4; i++) begin
`ifdef WRONG
      product = $signed(in.vec[i].a) * $signed(in.vec[i == 3 ? 2 : i].b);
`else
      product = $signed(in.vec[i].a) * $signed(in.vec[i].b);
`endif
      d += product;
    end
  end
endmodule
