#pragma once
/// SHA-256 (FIPS 180-4) of contents, as `sha256sum` prints it.

#include <string>
#include <string_view>

namespace mmaspec {

/// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

/// The first 16 digits, which name the files of what has this digest.
std::string short_digest(const std::string& digest);

}  // namespace mmaspec
