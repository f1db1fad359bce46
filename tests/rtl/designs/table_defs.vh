// For table.v.
`define DEPTH 16
`ifdef WRONG
`define SQUARE_OF_3 8'd10
`else
`define SQUARE_OF_3 8'd9
`endif
