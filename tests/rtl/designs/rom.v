// A table as a memory with initial values: products of e2m1 numbers, as quarters.
module rom(input [3:0] a, b, output [15:0] d);
  reg [8:0] products [0:255];
  reg [3:0] twice [0:7];
  integer i, j;
  initial begin
    twice[0] = 0; twice[1] = 1; twice[2] = 2; twice[3] = 3;
    twice[4] = 4; twice[5] = 6; twice[6] = 8; twice[7] = 12;
    for (i = 0; i < 16; i = i + 1)
      for (j = 0; j < 16; j = j + 1)
        products[16 * i + j] =
            {i[3] ^ j[3], 8'd0} | ((i[2:0] == 0 ? 0 : i[2:0] == 1 ? 1 : i[2:0] == 2 ? 2 :
              i[2:0] == 3 ? 3 : i[2:0] == 4 ? 4 : i[2:0] == 5 ? 6 : i[2:0] == 6 ? 8 : 12) *
             (j[2:0] == 0 ? 0 : j[2:0] == 1 ? 1 : j[2:0] == 2 ? 2 :
              j[2:0] == 3 ? 3 : j[2:0] == 4 ? 4 : j[2:0] == 5 ? 6 : j[2:0] == 6 ? 8 : 12));
`ifdef WRONG
    products[8'h3d] = 9'h10;
`endif
  end
  wire [8:0] p = products[{a, b}];
  reg [2:0] lead;
  always @* begin
    lead = 0;
    for (i = 0; i < 8; i = i + 1) if (p[i]) lead = i;
  end
  wire [10:0] significand = {p[7:0], 3'b0} << (7 - lead);
  assign d = p[7:0] == 0 ? 16'd0 : {p[8], 5'd13 + {2'b0, lead}, significand[9:0]};
endmodule
