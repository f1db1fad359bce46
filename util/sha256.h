#pragma once
/// SHA-256 (FIPS 180-4): names of contents, as `sha256sum` prints them.

#include <string>
#include <string_view>

namespace mmaspec {

/// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace mmaspec
