#pragma once
/// What the fuzz targets of this folder share. A target is a program: libFuzzer's in a build with
/// MMASPEC_FUZZ, else one that runs the files of its corpus (run_corpus.cpp).

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

/// What a target defines: reads `size` bytes at `data`, and returns 0. Exceptions that its readers
/// do not document leave it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace mmaspec::libfuzzer {

/// Products of a dot product that targets allocate operands for.
inline constexpr int kMostProducts = 64;

/// Ends the program where a reader's result is wrong.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// The text before the first `mark`, and the text after it; without one the second is empty.
inline std::pair<std::string_view, std::string_view> cut(std::string_view text,
                                                         std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + mark.size())};
}

}  // namespace mmaspec::libfuzzer
