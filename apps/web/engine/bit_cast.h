#pragma once
/// std::bit_cast for C++ libraries that lack it, such as emscripten's of Debian 12. It must be
/// included first.

#include <version>

#ifndef __cpp_lib_bit_cast
namespace std {
template <typename To, typename From>
constexpr To bit_cast(const From& x) noexcept {
  return __builtin_bit_cast(To, x);
}
}  // namespace std
#endif
