// A user's matrices as dot products.
#include "queries/studies/machines/data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <stdexcept>

#include "queries/studies/machines/machines.h"
#include "util/file.h"

namespace mmaspec::data_test {
namespace {

/// A .npy file of rows of float32, as NEP 1 describes it.
std::string npy_of(const std::string& name, const std::vector<std::vector<float>>& rows,
                   const std::string& dtype = "<f4") {
  std::string header = "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': (" +
                       std::to_string(rows.size()) + ", " + std::to_string(rows.at(0).size()) +
                       "), }";
  header.resize(117, ' ');
  std::string bytes = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n";
  for (const auto& row : rows) {
    for (const float x : row) {
      const auto word = std::bit_cast<std::uint32_t>(x);
      for (int i = 0; i < 4; ++i) bytes += static_cast<char>(word >> 8 * i);
    }
  }
  const std::string file = testing::TempDir() + name;
  write_file(file, bytes);
  return file;
}

class MatrixDataTest : public testing::Test {
 protected:
  const std::string a = npy_of("data-a.npy", {{1, 2, 3, 4, 5}, {-1, 0.5F, 0.1F, 1e6F, 0}});
  const std::string b = npy_of("data-b.npy", {{1}, {2}, {4}, {8}, {16}});
  const DotFormats formats = find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32").formats;
};

TEST_F(MatrixDataTest, AreRowsColumnsAndStretches) {
  const auto all = MatrixData(a, b).products(formats, 100, 0);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].a, (std::vector<Integer>{0x3c00, 0x4000, 0x4200, 0x4400}));
  EXPECT_EQ(all[0].b, (std::vector<Integer>{0x3c00, 0x4000, 0x4400, 0x4800}));
  EXPECT_EQ(all[1].a, (std::vector<Integer>{0x4500, 0, 0, 0}));
  EXPECT_EQ(all[1].b, (std::vector<Integer>{0x4c00, 0, 0, 0}));
  // 0.1 is rounded, and 10^6 is beyond the format.
  EXPECT_EQ(all[2].a, (std::vector<Integer>{0xbc00, 0x3800, 0x2e66, 0x7c00}));
  EXPECT_EQ(all[2].c, 0);
}

TEST_F(MatrixDataTest, AreSampledIfThereAreMore) {
  const MatrixData data(a, b);
  const auto all = data.products(formats, 4, 0);
  const auto drawn = data.products(formats, 3, 7);
  ASSERT_EQ(drawn.size(), 3U);
  for (const DotValues& d : drawn) {
    EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                            [&](const DotValues& x) { return x.a == d.a && x.b == d.b; }));
  }
}

TEST_F(MatrixDataTest, RefuseShapesWithoutAProduct) {
  EXPECT_THROW(MatrixData(b, a), std::invalid_argument);
  EXPECT_THROW(MatrixData(a, "no-such-file.npy"), std::runtime_error);
  const std::string words = npy_of("data-words.npy", {{1, 2, 3, 4, 5}}, "<u4");
  EXPECT_THROW(MatrixData(words, b).products(formats, 10, 0), std::invalid_argument);
}

TEST_F(MatrixDataTest, HaveStatistics) {
  const Pair pair = pair_up(find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32"),
                            find_instruction("cdna3/v_mfma_f32_32x32x8_f16"), {});
  StatisticsOptions options;
  const MatrixData exact(npy_of("data-ones.npy", {{1, 2, 3, 4}}),
                         npy_of("data-column.npy", {{1}, {1}, {1}, {1}}));
  options.data = &exact;
  EXPECT_EQ(statistics(pair, options, 0).results, 1U);
  EXPECT_EQ(statistics(pair, options, 0).differ, 0U);
  // Volta cuts the smaller terms when it aligns them.
  const MatrixData cut(npy_of("data-cut.npy", {{1, 0x1p-12F, 0x1p-12F, 0}}),
                       npy_of("data-cut-b.npy", {{1}, {0x1.8p-12F}, {0x1.8p-12F}, {0}}));
  options.data = &cut;
  const Statistics found = statistics(pair, options, 0);
  EXPECT_EQ(found.differ, 1U);
  EXPECT_GE(found.largest_ulp, 1);
}

}  // namespace
}  // namespace mmaspec::data_test
