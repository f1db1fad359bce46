// fpnew_fma of OpenHW's cvfpu, of one format and without registers, as a dot-add of K = 1: d = a b + c, rounded to
// nearest even. docs/rtl-measured.md says where that unit is found and what is known of it.
//
// FORMAT: place in fpnew_pkg::fp_format_e (FP32 0, FP16 2, FP8 3: e5m2, FP16ALT 4: bf16), with its WIDTH.
module cvfpu_fma #(
  parameter int FORMAT = 2,
  parameter int WIDTH = 16
) (
  input  logic [WIDTH-1:0] a,
  input  logic [WIDTH-1:0] b,
  input  logic [WIDTH-1:0] c,
  output logic [WIDTH-1:0] d,
  output logic [4:0]       flags  // invalid, divide by zero, overflow, underflow, inexact
);
  fpnew_fma #(.FpFormat(fpnew_pkg::fp_format_e'(FORMAT)), .NumPipeRegs(0)) unit (
    .clk_i(1'b0), .rst_ni(1'b1), .operands_i({c, b, a}), .is_boxed_i('1), .rnd_mode_i(fpnew_pkg::RNE),
    .op_i(fpnew_pkg::FMADD), .op_mod_i(1'b0), .tag_i('0), .mask_i('1), .aux_i('0), .in_valid_i(1'b1), .in_ready_o(),
    .flush_i(1'b0), .result_o(d), .status_o(flags), .extension_bit_o(), .tag_o(), .mask_o(), .aux_o(), .out_valid_o(),
    .out_ready_i(1'b1), .busy_o(), .reg_ena_i('0)
  );
endmodule
