#include "tests/fuzz/report.h"

#include <unistd.h>

#include <stdexcept>

#include "util/json.h"

namespace mmaspec::fuzz {

void Log::write(const Json& line) const {
  const std::string text = line.dump(-1, Json::Invalid::replace) + "\n";
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(descriptor_, text.data() + at, text.size() - at);
    if (written < 0) throw std::runtime_error("the log cannot be written");
    at += static_cast<std::size_t>(written);
  }
}

std::string quoted(const std::string& argument) {
  const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,/=:+";
  if (!argument.empty() && argument.find_first_not_of(plain) == std::string::npos) return argument;
  return "'" + argument + "'";
}

}  // namespace mmaspec::fuzz
