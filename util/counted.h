#pragma once
/// Numbers of things in sentences: `1 row`, `2 rows`.

#include <concepts>
#include <string>
#include <string_view>

namespace mmaspec {

/// `n` and the noun: `one` if n is 1, otherwise `many`, which is `one` with an s by default.
template <std::integral N>
std::string counted(N n, std::string_view one, std::string_view many = "") {
  std::string text = std::to_string(n) + " ";
  if (n == 1) return text.append(one);
  return many.empty() ? text.append(one) + "s" : text.append(many);
}

}  // namespace mmaspec
