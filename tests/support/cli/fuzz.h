#pragma once
/// Text broken in the ways that break parsers, the same on every run.

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace mmaspec::cli_test {

/// `usual`, or what MMASPEC_FUZZ_COUNT says (a sanitizer's run takes fewer, a night's run more).
std::size_t fuzz_count(std::size_t usual);

class Mutator {
 public:
  /// `words`: what to splice in beside what all parsers stumble over.
  Mutator(unsigned seed, std::vector<std::string> words);

  /// `text` with one to four changes: characters flipped, cut out, doubled, put in; now and then
  /// with very long or deeply nested parts.
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
