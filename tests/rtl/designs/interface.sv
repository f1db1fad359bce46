// A module with an interface as a port, which is refused.
interface dot_if;
  logic [15:0] a, b;
  logic [31:0] c, d;
  modport unit(input a, b, c, output d);
endinterface

module with_interface(input clk, dot_if.unit bus);
  assign bus.d = bus.c + bus.a * bus.b;
endmodule
