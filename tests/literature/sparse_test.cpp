// Sparse products (PTX mma.sp and wgmma.sp), as an H100 answered them (tests/data/hardware/sparse):
// the dense instruction of the elements that the metadata selects. Elements of B that are not
// selected count for nothing, not even as NaN or infinity.
#include <gtest/gtest.h>

#include <map>
#include <memory>
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

/// The elements of b that the metadata selects. Four bits for each group of four elements, two for
/// each of its two stored ones; of TF32 four bits for each group of two, 4 the first and 14 the
/// second.
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
  for (const auto& [name, count] : rows) EXPECT_EQ(count, 128) << name;
  EXPECT_EQ(rows.size(), dense.size());
  EXPECT_GT(beside_nan, 300);
}

}  // namespace
}  // namespace mmaspec::sparse_test
