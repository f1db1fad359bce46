// EXSDOTP of PULP's cvfpu (fpnew_sdotp_multi), of one pair of formats and without registers, as a dot-add of K = 2:
// d = a[0] b[0] + a[1] b[1] + c. docs/rtl-measured.md says where that unit is found and what is known of it.
//
// SOURCE, RESULT: places in fpnew_pkg::fp_format_e (FP32 0, FP16 2, FP8 3: e5m2, FP16ALT 4: bf16), with their WIDTHs.
// ROUNDING: of fpnew_pkg::roundmode_e (RNE 0, RTZ 1, RDN 2, RUP 3, RMM 4).
module exsdotp #(
  parameter int SOURCE = 2,
  parameter int RESULT = 0,
  parameter int SOURCE_WIDTH = 16,
  parameter int RESULT_WIDTH = 32,
  parameter int ROUNDING = 0
) (
  input  logic [2*SOURCE_WIDTH-1:0] a,
  input  logic [2*SOURCE_WIDTH-1:0] b,
  input  logic [RESULT_WIDTH-1:0]   c,
  output logic [RESULT_WIDTH-1:0]   d
);
  // One bit a format, the first one highest.
  localparam fpnew_pkg::fmt_logic_t SOURCES = 6'b100000 >> SOURCE;
  localparam fpnew_pkg::fmt_logic_t RESULTS = 6'b100000 >> RESULT;
  fpnew_sdotp_multi #(
    .SrcDotpFpFmtConfig(SOURCES), .DstDotpFpFmtConfig(RESULTS), .EnableRSR(1'b0), .NumPipeRegs(0)
  ) unit (
    .clk_i(1'b0), .rst_ni(1'b1), .sdotp_hart_id_i('0),
    .operand_a_i(RESULT_WIDTH'(a[SOURCE_WIDTH-1:0])), .operand_b_i(b[SOURCE_WIDTH-1:0]),
    .operand_c_i(RESULT_WIDTH'(a[2*SOURCE_WIDTH-1:SOURCE_WIDTH])), .operand_d_i(b[2*SOURCE_WIDTH-1:SOURCE_WIDTH]),
    .dst_operands_i(c), .is_boxed_i('1), .rnd_mode_i(fpnew_pkg::roundmode_e'(ROUNDING)), .op_i(fpnew_pkg::SDOTP),
    .op_mod_i(1'b0), .src_fmt_i(fpnew_pkg::fp_format_e'(SOURCE)), .dst_fmt_i(fpnew_pkg::fp_format_e'(RESULT)),
    .tag_i('0), .aux_i('0), .in_valid_i(1'b1), .in_ready_o(), .flush_i(1'b0), .result_o(d), .status_o(),
    .extension_bit_o(), .tag_o(), .aux_o(), .out_valid_o(), .out_ready_i(1'b1), .busy_o()
  );
endmodule
