#pragma once
/// SHA-256 (FIPS 180-4) of contents, as `sha256sum` prints it.

#include <string>
#include <string_view>

namespace mmaspec {

/// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace mmaspec
