#pragma once
/// Converts numbers of bits, which formats store as int, to unsigned.

namespace mmaspec {

/// Converts n, which must not be negative.
constexpr unsigned u(int n) { return static_cast<unsigned>(n); }

}  // namespace mmaspec
