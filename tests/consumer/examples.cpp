// The examples of the installed headers and of docs/cpp.md: documented.py looks for each of them
// here.

#include <mmaspec/mmaspec.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "require.h"

namespace {

void formats() {
  const mmaspec::Format f16("f16");
  require(f16.encode(1.0) == 0x3c00);
  require(f16.encode(0.1) == 0x2e66);        // rounded to nearest, ties to even
  require(f16.value(0x2e66) == 0x1.998p-4);  // exact
  require(f16.parse("-0x1.8p-3") == 0xb200);
  require(f16.decimal(0x2e66) == "0.1");
}

void units() {
  const mmaspec::Unit unit = mmaspec::find_unit("h100/mma.m16n8k16.f32.f16.f16.f32");
  require(unit.name() == "hopper/mma.m16n8k16.f32.f16.f16.f32");
  require(unit.formats().k == 16);
  require(unit.formats().a == mmaspec::Format("f16"));
  for (const mmaspec::Parameter& p : unit.parameters()) {
    std::printf("%s = %s: %s\n", p.key.c_str(), p.value.c_str(), p.meaning.c_str());
  }
  for (const mmaspec::UnitEvidence& e : unit.evidence()) {
    std::printf("%s: %s\n", e.unit.c_str(), mmaspec::to_string(e.weakest).c_str());
  }
}

void designs() {
  const std::string design = mmaspec::design_name(
      "fused-dot-add", {{"k", "4"}, {"fraction_bits", "24"}, {"round", "rne"}});
  const std::string plan = mmaspec::plan_name("split-k", "hopper/mma.m16n8k16.f32.f16.f16.f32",
                                              {{"k", "64"}, {"parts", "2"}});
  require(mmaspec::find_unit(design).algorithm() == "fused-dot-add");
  require(mmaspec::find_unit(plan).formats().k == 64);
}

void evaluation() {
  const mmaspec::Unit unit = mmaspec::find_unit("hopper/mma.m16n8k16.f32.f16.f16.f32");
  mmaspec::DotProduct x;
  x.a.assign(16, 0x3c00);  // 1.0
  x.b.assign(16, 0x3c00);
  x.c = 0x3f000000;                                   // 0.5
  require(mmaspec::evaluate(unit, x) == 0x41840000);  // 16.5
  require(!mmaspec::trace(unit, x).empty());

  const std::vector<std::uint16_t> a(64 * 32, 0x3c00);
  const std::vector<std::uint16_t> b(32 * 48, 0x3c00);
  std::vector<std::uint32_t> d(64 * 48);
  mmaspec::MatrixOperands operands;
  operands.a = mmaspec::row_major(a.data(), 64, 32);
  operands.b = mmaspec::row_major(b.data(), 32, 48);
  mmaspec::multiply(unit, {{operands, mmaspec::row_major(d.data(), 64, 48)}});
  require(d[0] == 0x42000000);  // 32

  d[5] += 1;  // one ulp
  const mmaspec::Comparison found =
      mmaspec::compare_results(unit, {{operands, mmaspec::row_major(d.data(), 64, 48)}});
  require(found.elements == 64 * 48 && found.differing == 1);
  require(found.largest_ulp == "1" && found.worst[0].column == 5);

  // The same matrices stored by columns, and another unit.
  operands.b = mmaspec::column_major(b.data(), 32, 48);
  const mmaspec::Unit other = mmaspec::find_unit("mi300x/v_mfma_f32_32x32x8_f16");
  require(mmaspec::compare(unit, other, {operands}).differing == 0);
}

void difference() {
  const mmaspec::Unit volta = mmaspec::find_unit("volta/mma.m8n8k4.f32.f16.f16.f32");
  const mmaspec::Unit hopper = mmaspec::find_unit("hopper/mma.m16n8k16.f32.f16.f16.f32");
  const mmaspec::DiffAnswer answer = mmaspec::diff(volta, hopper);
  require(answer.verdict == mmaspec::Verdict::refuted);
  const mmaspec::Witness& w = answer.witnesses[0];
  require(mmaspec::evaluate(answer.first, w.operands) == w.d);
  require(mmaspec::evaluate(answer.second, w.operands) == w.d_other);
}

void equality() {
  mmaspec::DiffOptions options;
  options.where = {"c == 0"};
  options.ask.seconds = 30;
  const mmaspec::DiffAnswer answer =
      mmaspec::diff(mmaspec::find_unit("hopper/mma.m16n8k16.f32.f16.f16.f32"),
                    mmaspec::find_unit("h100/wgmma.m64n8k16.f32.f16.f16"), options);
  require(answer.verdict == mmaspec::Verdict::proved);
  require(answer.inputs == "finite, where c == 0");
  std::printf("%s: %s\n", answer.by.c_str(), answer.how.c_str());
}

void proof() {
  const mmaspec::Unit unit = mmaspec::find_unit("hopper/mma.m16n8k16.f32.f16.f16.f32");
  require(mmaspec::prove("commutative", unit).verdict == mmaspec::Verdict::proved);
  const mmaspec::ProofAnswer refuted = mmaspec::prove("correctly-rounded", unit);
  require(refuted.verdict == mmaspec::Verdict::refuted);
  for (const mmaspec::ProofRun& run : refuted.runs) {
    require(mmaspec::evaluate(run.unit, run.operands) == run.d);
  }
}

void verification() {
  const mmaspec::Row row = mmaspec::parse_row(
      R"({"instr": "volta/mma.m8n8k4.f32.f16.f16.f32", "a": "3c00 3c00 0000 0000",)"
      R"( "b": "3c00 3c00 0000 0000", "c": "3f000000", "d": "40200000"})");
  require(row.d == 0x40200000);  // 2.5
  const mmaspec::VerifyReport report = mmaspec::verify_rows({row});
  require(report.passed == 1 && report.failed == 0);

  std::ofstream("rows.jsonl") << mmaspec::to_json(row) << '\n';
  require(mmaspec::verify({"rows.jsonl"}).passed == 1);
}

void errors() {
  try {
    mmaspec::find_unit("hoper/mma.m16n8k16.f32.f16.f16.f32");
    require(false);
  } catch (const mmaspec::BadInput& error) {
    std::printf("%s\n", error.what());  // names the nearest existing name
  }
}

}  // namespace

int main() {
  formats();
  units();
  designs();
  evaluation();
  difference();
  equality();
  proof();
  verification();
  errors();
  return 0;
}
