#pragma once
/// The recorded vectors, row by row, as the device programs read them.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "hardware/replay/device/common/packing.h"
#include "hardware/replay/device/common/rows.h"

namespace mmaspec::replay {

/// Fails the test unless every row of the files in $MMASPEC_VECTORS can be packed, except rows of
/// other vendors' instructions. find(name) is the index of an instruction in the program's list, -2
/// for another vendor's instruction, another negative number for an unknown one; layout(index) is
/// its layout.
template <typename Find, typename Layout>
void expect_every_recorded_row_packs(const Find& find, const Layout& layout) {
  const char* const folder = std::getenv("MMASPEC_VECTORS");
  if (!folder || !*folder) GTEST_SKIP() << "MMASPEC_VECTORS names no folder of vectors";
  std::size_t rows = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      Row row;
      ASSERT_EQ(scan_row(line, row), "") << entry.path();
      const int found = find(row.instr);
      if (found == -2) continue;
      ASSERT_GE(found, 0) << row.instr;
      const OperandLayout& operands = layout(static_cast<std::size_t>(found));
      std::vector<std::uint32_t> words(static_cast<std::size_t>(operands.words()));
      ASSERT_EQ(pack_row(row, operands, words.data()), "") << entry.path() << ": " << row.instr;
      ++rows;
    }
  }
  EXPECT_GT(rows, 0u);
}

}  // namespace mmaspec::replay
