// Sparse products (PTX mma.sp), as an H100 answered them (tests/data/hardware/sparse): the dense
// instruction of the elements that the metadata selects. Elements of B that are not selected count
// for nothing, not even as NaN or infinity.
#include <gtest/gtest.h>

#include <sstream>

#include "concrete/dot/runner.h"
#include "queries/numbers/exact.h"
#include "util/json.h"
#include "vectors/row.h"

namespace mmaspec::sparse_test {
namespace {

std::vector<Integer> patterns_of(const Json& text) {
  std::istringstream in(text.get<std::string>());
  std::vector<Integer> all;
  for (std::string x; in >> x;) all.emplace_back("0x" + x);
  return all;
}

/// The elements of b that the metadata selects: four bits for each group of four, two for each of
/// its two stored elements.
std::vector<Integer> selected(const std::vector<Integer>& b, const Integer& metadata) {
  std::vector<Integer> chosen;
  for (std::size_t group = 0; group < b.size() / 4; ++group) {
    for (std::size_t s = 0; s < 2; ++s) {
      const Integer place = (metadata >> static_cast<unsigned>(4 * group + 2 * s)) & 3;
      chosen.push_back(b[4 * group + place.convert_to<std::size_t>()]);
    }
  }
  return chosen;
}

TEST(Sparse, IsTheDenseProductOfTheSelectedElements) {
  std::map<std::string, int> rows;
  int beside_nan = 0;
  for_each_line(MMASPEC_TESTS_DIR "/data/hardware/sparse/h100.jsonl.gz", [&](std::string_view line,
                                                                             std::size_t) {
    const Json row = Json::parse(line);
    if (!row.contains("metadata")) return;  // the header, and the counts
    const auto name = row.at("sparse").get<std::string>();
    const bool is_bf16 = name.find("bf16") != std::string::npos;
    const std::string type = is_bf16 ? "bf16" : "f16";
    const Instruction dense =
        find_instruction("hopper/mma.m16n8k16.f32." + type + "." + type + ".f32");
    const std::vector<Integer> b = patterns_of(row.at("b"));
    const std::vector<Integer> chosen = selected(b, patterns_of(row.at("metadata"))[0]);
    const DotValues values{patterns_of(row.at("a")), chosen, patterns_of(row.at("c"))[0], {}, {}};
    DotRunner runner(dense.algorithm, dense.formats);
    const Integer d = patterns_of(row.at("d"))[0];
    EXPECT_EQ(runner.run(values), d) << line;
    ++rows[type];
    const auto is_nan = [&](const Integer& x) { return decode(*dense.formats.b, x).is_nan; };
    beside_nan += std::ranges::any_of(b, is_nan) && std::ranges::none_of(chosen, is_nan) ? 1 : 0;
  });
  EXPECT_EQ(rows["f16"], 512);
  EXPECT_EQ(rows["bf16"], 512);
  EXPECT_GT(beside_nan, 5);
}

}  // namespace
}  // namespace mmaspec::sparse_test
