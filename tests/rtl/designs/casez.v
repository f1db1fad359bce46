// An e4m3 multiplier with a leading-zero count by casez: d in f16.
module casez_top(input [7:0] a, b, output reg [15:0] d);
  function [2:0] zeros(input [7:0] x);
    casez (x)
      8'b1???????: zeros = 0;
      8'b01??????: zeros = 1;
`ifdef WRONG
      8'b00??????: zeros = 2;
`endif
      8'b001?????: zeros = 2;
      8'b0001????: zeros = 3;
      8'b00001???: zeros = 4;
      8'b000001??: zeros = 5;
      8'b0000001?: zeros = 6;
      default: zeros = 7;
    endcase
  endfunction
  wire [3:0] significand_a = {|a[6:3], a[2:0]};
  wire [3:0] significand_b = {|b[6:3], b[2:0]};
  wire [7:0] product = significand_a * significand_b;
  wire signed [6:0] exponent = {3'd0, a[6:3]} + {6'd0, ~|a[6:3]} + {3'd0, b[6:3]} +
                               {6'd0, ~|b[6:3]} - 7'd13 - {4'd0, zeros(product)};
  wire [7:0] normal = product << zeros(product);
  always @* begin
    case (1'b1)
      &a[6:0] | &b[6:0]: d = 16'h7fff;
      ~|product: d = 16'h0000;
      exponent > 15: d = {a[7] ^ b[7], 15'h7c00};
      exponent >= -14: d = {a[7] ^ b[7], exponent[4:0] + 5'd15, normal[6:0], 3'd0};
      default: d = {a[7] ^ b[7], 15'd0} | ({5'd0, normal, 3'd0} >> (-14 - exponent));
    endcase
  end
endmodule
