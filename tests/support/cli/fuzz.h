#pragma once
/// Malformed texts for parsers, the same in every run.

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace mmaspec::cli_test {

/// `usual`, or the value of MMASPEC_FUZZ_COUNT (fewer with sanitizers, more in nightly runs).
std::size_t fuzz_count(std::size_t usual);

class Mutator {
 public:
  /// `words`: texts to insert, in addition to those that are difficult for every parser.
  Mutator(unsigned seed, std::vector<std::string> words);

  /// `text` with one to four changes: characters are changed, removed, doubled or inserted;
  /// sometimes very long or deeply nested parts are inserted.
  std::string mutate(std::string text);

  std::size_t below(std::size_t bound) { return random_() % bound; }
  const std::string& one_of(const std::vector<std::string>& texts) {
    return texts[below(texts.size())];
  }

 private:
  std::mt19937_64 random_;
  std::vector<std::string> words_;
};

}  // namespace mmaspec::cli_test
