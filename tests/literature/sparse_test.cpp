// Sparse products (PTX mma.sp and wgmma.sp), recorded on an H100 (tests/data/hardware/sparse): the
// dense instruction on the elements that the metadata selects. Elements of B that are not selected
// have no effect, not even if they are NaN or infinite.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <sstream>

#include "concrete/dot/runner.h"
#include "concrete/rows/row.h"
#include "queries/values/exact_result.h"
#include "util/json.h"

namespace mmaspec::sparse_test {
namespace {

std::vector<Integer> patterns_of(const Json& text) {
  std::istringstream in(text.get<std::string>());
  std::vector<Integer> all;
  for (std::string x; in >> x;) all.emplace_back("0x" + x);
  return all;
}

/// The elements of b that the metadata selects. Four bits for each group of four elements, two for
/// each of its two stored ones; for TF32 four bits for each group of two: 4 for the first, 14 for
/// the second.
std::vector<Integer> selected(const std::vector<Integer>& b, const Integer& metadata,
                              bool one_of_two) {
  std::vector<Integer> chosen;
  const std::size_t size = one_of_two ? 2 : 4;
  for (std::size_t group = 0; group < b.size() / size; ++group) {
    const auto bits =
        Integer((metadata >> static_cast<unsigned>(4 * group)) & 15).convert_to<std::size_t>();
    if (one_of_two) {
      EXPECT_TRUE(bits == 4 || bits == 14) << bits;
      chosen.push_back(b[size * group + (bits == 4 ? 0 : 1)]);
    } else {
      chosen.push_back(b[size * group + bits % 4]);
      chosen.push_back(b[size * group + bits / 4]);
    }
  }
  return chosen;
}

TEST(Sparse, IsTheDenseProductOfTheSelectedElements) {
  std::map<std::string, std::string> dense;  // the dense instruction of a sparse one
  struct Unit {
    Instruction instruction;
    std::unique_ptr<DotRunner> runner;
  };
  std::map<std::string, Unit> units;
  std::map<std::string, int> rows;
  int beside_nan = 0;
  for_each_line(MMASPEC_TESTS_DIR "/data/hardware/sparse/h100.jsonl.gz", [&](std::string_view line,
                                                                             std::size_t) {
    const Json row = Json::parse(line);
    if (!row.contains("sparse")) return;  // the header
    const auto name = row.at("sparse").get<std::string>();
    if (row.contains("dense")) {
      dense[name] = "hopper/" + row.at("dense").get<std::string>();
      EXPECT_EQ(row.at("rows").get<std::int64_t>(), 100'000'000) << name;
      EXPECT_EQ(row.at("differ").get<std::int64_t>(), 0) << name;
      return;
    }
    if (!units.contains(name)) {
      const Instruction made = find_instruction(dense.at(name));
      units.emplace(name, Unit{made, std::make_unique<DotRunner>(made.algorithm, made.formats)});
    }
    const auto& [instruction, runner] = units.at(name);
    const std::vector<Integer> b = patterns_of(row.at("b"));
    const std::vector<Integer> chosen =
        selected(b, patterns_of(row.at("metadata"))[0], name.find("tf32") != std::string::npos);
    const DotValues values{patterns_of(row.at("a")), chosen, patterns_of(row.at("c"))[0], {}, {}};
    ++rows[name];
    EXPECT_EQ(runner->run(values), patterns_of(row.at("d"))[0]) << line;
    const auto is_nan = [&formats = instruction.formats](const Integer& x) {
      return !formats.b->is_integer() && decode(*formats.b, x).is_nan;
    };
    beside_nan += std::ranges::any_of(b, is_nan) && std::ranges::none_of(chosen, is_nan) ? 1 : 0;
  });
  EXPECT_EQ(dense.size(), 24U);
  // Each name stands for that dense instruction and states its evidence.
  for (const auto& [name, of] : dense) {
    const Instruction sparse = find_instruction("hopper/" + name);
    const Instruction expected = find_instruction(of);
    EXPECT_EQ(sparse.algorithm, expected.algorithm) << name;
    EXPECT_EQ(sparse.formats, expected.formats) << name;
    EXPECT_EQ(sparse.provenance.at(0).evidence, Evidence::hardware) << name;
    EXPECT_EQ(find_instruction(sparse.name()).name(), sparse.name());
  }
  for (const auto& [name, count] : rows) EXPECT_EQ(count, 128) << name;
  EXPECT_EQ(rows.size(), dense.size());
  EXPECT_GT(beside_nan, 300);
}

// Instructions without such results have the same meaning, with open evidence.
TEST(Sparse, NamesOfOtherUnitsAreOpen) {
  const std::vector<std::pair<std::string, std::string>> names{
      {"ampere/mma.sp.m16n8k32.f32.f16.f16.f32", "ampere/mma.m16n8k16.f32.f16.f16.f32"},
      {"a100/mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
       "ampere/mma.m16n8k8.f32.f16.f16.f32"},
      {"hopper/wgmma.mma_async.sp.m64n256k32.f32.f16.f16", "hopper/wgmma.m64n8k16.f32.f16.f16"},
      {"hopper/mma.sp.m16n8k64.s32.u8.s8.s32", "hopper/mma.m16n8k32.s32.u8.s8.s32"},
      {"blackwell/tcgen05.mma.sp.m64n8k32.f32.f16.f16",
       "blackwell/tcgen05.mma.m64n8k16.f32.f16.f16"},
      {"mi300x/v_smfmac_f32_16x16x32_f16", "cdna3/v_mfma_f32_16x16x16_f16"},
      {"mi300x/v_smfmac_f32_16x16x64_fp8_bf8", "cdna3/v_mfma_f32_16x16x32_fp8_bf8"},
      {"mi300x/v_smfmac_i32_32x32x32_i8", "cdna3/v_mfma_i32_32x32x16_i8"},
      {"mi355x/v_smfmac_f32_32x32x32_bf16", "cdna4/v_mfma_f32_32x32x16_bf16"},
      {"rdna4/v_swmmac_f32_16x16x32_f16", "rdna4/v_wmma_f32_16x16x16_f16"},
      {"rdna4/v_swmmac_i32_16x16x64_iu4.s4.u4", "rdna4/v_wmma_i32_16x16x32_iu4.s4.u4"}};
  for (const auto& [name, dense] : names) {
    const Instruction sparse = find_instruction(name);
    const Instruction expected = find_instruction(dense);
    EXPECT_EQ(sparse.algorithm, expected.algorithm) << name;
    EXPECT_EQ(sparse.formats, expected.formats) << name;
    const bool recorded = name.starts_with("hopper/wgmma");
    for (const Provenance& p : sparse.provenance) {
      EXPECT_EQ(p.evidence == Evidence::open, !recorded) << name << " " << p.parameter;
    }
  }
  for (const char* name :
       {"volta/mma.sp.m16n8k32.f32.f16.f16.f32", "ampere/wgmma.sp.m64n8k32.f32.f16.f16",
        "hopper/mma.sp.m16n8k30.f32.f16.f16.f32", "hopper/mma.sp.m16n8k32.f64.f64.f64.f64",
        "cdna1/v_smfmac_f32_16x16x32_f16", "mi355x/v_smfmac_f32_16x16x128_fp8_fp8",
        "rdna3/v_swmmac_f32_16x16x32_f16", "h100/mma.sp.m16n8k99999.f32.f16.f16.f32"}) {
    EXPECT_THROW(find_instruction(name), std::invalid_argument) << name;
  }
}

}  // namespace
}  // namespace mmaspec::sparse_test
