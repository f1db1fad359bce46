// Runs the scoreboard on examples/rtl/fused_dot_pipelined.v with random operands:
//
//   $ mmaspec export 'design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=4,fraction_bits=25,round=rne)' \
//       --format c --module dot --out dot.c
//   $ verilator --binary --timing -Wno-fatal --top-module bench dot.c dot_scoreboard.sv bench.sv \
//       ../rtl/fused_dot_pipelined.v && obj_dir/Vbench
`timescale 1ns/1ps
module bench;
  import dot_scoreboard_pkg::*;

  localparam int LATENCY = 3;
  localparam int OPERATIONS = 2000;

  logic clk = 0;
  logic [63:0] a = 0;
  logic [63:0] b = 0;
  logic [31:0] c = 0;
  wire [31:0] d;
  always #5 clk = ~clk;

  fused_dot_pipelined dut (.clk(clk), .a(a), .b(b), .c(c), .d(d));

  // An f16 pattern near 1, so that alignment and rounding matter.
  function automatic logic [15:0] half();
    logic [31:0] random = $urandom;
    logic [4:0] exponent = 5'd10 + 5'(random[20:18]);
    return {random[31], exponent, random[9:0]};
  endfunction

  // An f32 pattern near 1 with few significand bits.
  function automatic logic [31:0] single();
    logic [31:0] random = $urandom;
    logic [7:0] exponent = 8'd112 + 8'(random[28:24]);
    return {random[31], exponent, random[3:0], 19'd0};
  endfunction

  logic [159:0] in_flight[LATENCY+1];
  int compared = 0;
  int wrong = 0;

  initial begin
    for (int i = 0; i < OPERATIONS + LATENCY; i++) begin
      @(negedge clk);
      a = {half(), half(), half(), half()};
      b = {half(), half(), half(), half()};
      c = single();
      for (int stage = LATENCY; stage > 0; stage--) in_flight[stage] = in_flight[stage-1];
      in_flight[0] = {a, b, c};
      if (i >= LATENCY) begin
        dot_operation operation = new();
        {operation.a, operation.b, operation.c} = in_flight[LATENCY];
        operation.d = d;
        compared++;
        if (operation.is_wrong()) begin
          wrong++;
          if (wrong <= 3) $display("WRONG %s", operation.text());
        end
      end
    end
    $display("%0d operations, %0d wrong", compared, wrong);
    $finish;
  end
endmodule
