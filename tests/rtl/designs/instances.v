// An array of instances, a function and a task.
module multiplier(input signed [3:0] x, y, output reg signed [7:0] p);
  function signed [7:0] term(input signed [3:0] z, input [1:0] shift, input negative);
    begin
      term = z <<< shift;
      if (negative) term = -term;
    end
  endfunction
  task clear(output signed [7:0] sum);
    sum = 8'sd0;
  endtask
  integer bit_number;
  always @* begin
    clear(p);
    for (bit_number = 0; bit_number < 4; bit_number = bit_number + 1) begin : each
      reg negative;
`ifdef WRONG
      negative = 1'b0;
`else
      negative = bit_number == 3;
`endif
      if (y[bit_number]) p = p + term(x, bit_number[1:0], negative);
    end
  end
endmodule

module instances(input [15:0] a, b, input signed [31:0] c, output signed [31:0] d);
  wire [31:0] p;
  multiplier m [3:0] (.x(a), .y(b), .p(p));
  assign d = c + $signed(p[7:0]) + $signed(p[15:8]) + $signed(p[23:16]) + $signed(p[31:24]);
endmodule
