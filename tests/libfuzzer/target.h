#pragma once
/// Common parts of the fuzz targets in this folder. A target is a program: with libFuzzer in a
/// build with MMASPEC_FUZZ, otherwise one that runs the files of its corpus (run_corpus.cpp).

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

/// Defined by each target: reads `size` bytes at `data` and returns 0. Exceptions that its readers
/// do not document are not caught.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace mmaspec::libfuzzer {

/// The largest number of products of a dot product for which targets allocate operands.
inline constexpr int kMostProducts = 64;

/// Ends the program if a reader's result is wrong.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// The text before the first `mark`, and the text after it. Without a mark the second is empty.
inline std::pair<std::string_view, std::string_view> cut(std::string_view text,
                                                         std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + mark.size())};
}

}  // namespace mmaspec::libfuzzer
