
package kinds;
  typedef struct packed { logic sign; logic [30:0] rest; } number_t;
endpackage
module top #(parameter type T = logic) (input T a, input T b, input kinds::number_t c,
                                        output kinds::number_t d);
  assign d = '{sign: ~c.sign, rest: c.rest};
endmodule
module wrapper(input logic [15:0] a, b, input logic [31:0] c, output logic [31:0] d);
  top #(.T(logic [15:0])) unit(.*);
endmodule
