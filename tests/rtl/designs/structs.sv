// An integer dot product whose operands and result are members of packed structs, in a package.
package dot_pkg;
  typedef struct packed {
    logic [1:0] tag;
    logic [7:0] a;
    logic [7:0] b;
  } pair_t;
  typedef struct packed { pair_t first; pair_t second; logic valid; logic [31:0] sum; } in_t;
  typedef struct packed { logic [31:0] sum; logic [3:0] tag; } out_t;
endpackage

module structs #(parameter INVERT = 0) (
  input dot_pkg::in_t in, /* the operands, */ output dot_pkg::out_t out  // and the result
);
  wire signed [15:0] first = $signed(in.first.a) * $signed(in.first.b);
  wire signed [15:0] second = $signed(in.second.a) * $signed(in.second.b);
  wire [31:0] sum = in.sum + {{16{first[15]}}, first} + {{16{second[15]}}, second};
  assign out = {INVERT ? ~sum : sum, in.first.tag, in.second.tag};
endmodule
