#pragma once
/// Numbers of bits, as formats have them, for what counts them unsigned.

namespace mmaspec {

/// n, which is not negative.
constexpr unsigned u(int n) { return static_cast<unsigned>(n); }

}  // namespace mmaspec
