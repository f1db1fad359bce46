#include "tests/support/cli/fuzz.h"

#include <algorithm>
#include <cstdlib>

namespace mmaspec::cli_test {
namespace {

constexpr std::size_t kRarely = 5000;  // one of this many mutations is very long
constexpr std::size_t kHuge = 100000;

const std::vector<std::string> kStumblingBlocks{"\"",
                                                "\\",
                                                "\\u0000",
                                                "\\ud800",
                                                "{",
                                                "}",
                                                "[",
                                                "]",
                                                ",",
                                                ":",
                                                " ",
                                                "\n",
                                                "\r",
                                                "\t",
                                                "-",
                                                "+",
                                                ".",
                                                "0x",
                                                "0X",
                                                "p",
                                                "e",
                                                "e+",
                                                "1e999",
                                                "1e-999",
                                                "-0",
                                                "null",
                                                "true",
                                                "nan",
                                                "inf",
                                                "NaN",
                                                "0",
                                                "9",
                                                "f",
                                                "g",
                                                "@",
                                                "/",
                                                "=",
                                                "(",
                                                ")",
                                                "%s",
                                                "\xff",
                                                "\xc3(",
                                                "\xc0\x80",
                                                "\xed\xa0\x80",
                                                "\xf4\x90\x80\x80",
                                                "\xe2\x80\xa8",
                                                "\x7f",
                                                "\x1b[",
                                                "{\"a\":",
                                                "[[[[[[",
                                                "99999999999999999999",
                                                "ffffffffffffffffffff",
                                                "2147483648"};

}  // namespace

std::size_t fuzz_count(std::size_t usual) {
  const char* count = std::getenv("MMASPEC_FUZZ_COUNT");
  return count == nullptr ? usual : std::strtoull(count, nullptr, 10);
}

Mutator::Mutator(unsigned seed, std::vector<std::string> words)
    : random_(seed), words_(std::move(words)) {
  words_.insert(words_.end(), kStumblingBlocks.begin(), kStumblingBlocks.end());
  words_.emplace_back(1, '\0');
}

std::string Mutator::mutate(std::string text) {
  const std::size_t changes = 1 + below(4);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(below(8) == 0 ? below(60) : below(3), text.size() - at);
    if (below(kRarely) == 0) {
      std::string huge;
      const std::string& part = one_of(words_);
      while (huge.size() < kHuge) huge += part;
      text.insert(at, huge);
      continue;
    }
    switch (below(6)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(at, length));
        break;
      case 4:
        text.replace(at, length, one_of(words_));
        break;
      default:
        text.insert(at, one_of(words_));
    }
  }
  return text;
}

}  // namespace mmaspec::cli_test
