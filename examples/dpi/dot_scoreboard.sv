// A scoreboard over DPI-C for a dot product of K = 4, and the same as a UVM component. The function `dot` is
// the C file that `mmaspec export NAME --format c --module dot --out dot.c` writes; the simulator compiles dot.c.
//
// With +define+WITH_UVM the package has the class dot_uvm_scoreboard. Connect your monitor's analysis port to
// its `operations`.
package dot_scoreboard_pkg;
`ifdef WITH_UVM
  import uvm_pkg::*;
  `include "uvm_macros.svh"
`endif

  localparam int K = 4;

  // Bit patterns of d = c + a[0] b[0] + ... ; each element is in the lowest bits of a longint.
  import "DPI-C" function longint unsigned dot(
    input longint unsigned a[K], input longint unsigned b[K], input longint unsigned c);

  // One operation as a monitor sees it: operands and result, element 0 in the lowest bits.
`ifdef WITH_UVM
  class dot_operation extends uvm_sequence_item;
    `uvm_object_utils(dot_operation)
`else
  class dot_operation;
`endif
    logic [63:0] a;
    logic [63:0] b;
    logic [31:0] c;
    logic [31:0] d;

    function new(string name = "dot_operation");
`ifdef WITH_UVM
      super.new(name);
`endif
    endfunction

    function logic [31:0] specified();
      longint unsigned x[K];
      longint unsigned y[K];
      longint unsigned result;
      for (int k = 0; k < K; k++) begin
        x[k] = 64'(a[16*k +: 16]);
        y[k] = 64'(b[16*k +: 16]);
      end
      result = dot(x, y, 64'(c));
      return result[31:0];
    endfunction

    // Unknown operand bits have no specified result.
    function bit is_wrong();
      return (^{a, b, c}) === 1'bx || d !== specified();
    endfunction

    function string text();
      return $sformatf("a = %h, b = %h, c = %h: d = %h, specified %h", a, b, c, d, specified());
    endfunction
  endclass

`ifdef WITH_UVM
  class dot_uvm_scoreboard extends uvm_scoreboard;
    `uvm_component_utils(dot_uvm_scoreboard)
    uvm_analysis_imp #(dot_operation, dot_uvm_scoreboard) operations;
    int unsigned compared;

    function new(string name, uvm_component parent);
      super.new(name, parent);
      operations = new("operations", this);
    endfunction

    function void write(dot_operation operation);
      compared++;
      if (operation.is_wrong()) `uvm_error("MMASPEC", operation.text())
    endfunction

    function void report_phase(uvm_phase phase);
      if (compared == 0) `uvm_error("MMASPEC", "no operation was compared")
    endfunction
  endclass
`endif
endpackage
