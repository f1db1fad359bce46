#include "util/intern_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "util/split_mix.h"

namespace mmaspec::intern_table_test {
namespace {

TEST(InternTable, FindsNothingWhenEmpty) {
  EXPECT_EQ(InternTable().find(0, [](std::uint32_t) { return true; }), std::nullopt);
}

/// Adds words with the hash that `hash_of` gives them: with any hash, each keeps its number.
template <class HashOf>
void expect_kept(HashOf hash_of) {
  InternTable table;
  std::vector<std::uint64_t> words;
  std::map<std::uint64_t, std::uint32_t> expected;
  SplitMix random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t word = random() % 2000;
    const auto found = table.find(hash_of(word), [&](std::uint32_t n) { return words[n] == word; });
    const auto known = expected.find(word);
    ASSERT_EQ(found.has_value(), known != expected.end()) << word;
    if (found) {
      EXPECT_EQ(*found, known->second);
    } else {
      const auto number = static_cast<std::uint32_t>(words.size());
      table.add(hash_of(word), number);
      expected.emplace(word, number);
      words.push_back(word);
    }
  }
}

TEST(InternTable, KeepsNumbersAsItGrows) {
  expect_kept([](std::uint64_t word) { return word * 0x9e3779b97f4a7c15ULL; });
}

TEST(InternTable, DistinguishesEntriesOfOneHash) {
  expect_kept([](std::uint64_t word) { return word % 3; });
}

TEST(InternTable, DistinguishesHashesThatDifferOnlyInHighBits) {
  expect_kept([](std::uint64_t word) { return word << 52; });
}

}  // namespace
}  // namespace mmaspec::intern_table_test
