// mulAddRecFN of Hauser's HardFloat 1 between IEEE 754's encodings, as a dot-add of K = 1: d = a b + c, rounded to
// nearest even. docs/rtl-measured.md says where that unit is found and what is known of it.
module hardfloat_fma #(parameter EXP = 5, parameter SIG = 11) (
  input  [EXP+SIG-1:0] a,
  input  [EXP+SIG-1:0] b,
  input  [EXP+SIG-1:0] c,
  output [EXP+SIG-1:0] d,
  output [4:0] flags  // invalid, divide by zero, overflow, underflow, inexact
);
  wire [EXP+SIG:0] of_a, of_b, of_c, of_d;
  fNToRecFN #(EXP, SIG) recode_a (a, of_a);
  fNToRecFN #(EXP, SIG) recode_b (b, of_b);
  fNToRecFN #(EXP, SIG) recode_c (c, of_c);
  mulAddRecFN #(EXP, SIG) fma (.control(1'b1), .op(2'b00), .a(of_a), .b(of_b), .c(of_c), .roundingMode(3'b000),
                               .out(of_d), .exceptionFlags(flags));
  recFNToFN #(EXP, SIG) encode_d (of_d, d);
endmodule
