#include "apps/cli/command_line.h"

#include <string_view>
#include <vector>

namespace mmaspec::cli {
namespace {

std::vector<std::string>& words() {
  static std::vector<std::string> all;
  return all;
}

std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

void remember_command_line(int argc, char** argv) { words().assign(argv + 1, argv + argc); }

std::string command_line() {
  std::string text = "mmaspec";
  for (std::size_t i = 0; i < words().size(); ++i) {
    const std::string& word = words()[i];
    if (word == "--html" || word == "--picture") {
      ++i;
      continue;
    }
    if (word.starts_with("--html=") || word.starts_with("--picture=")) continue;
    text += " " + quoted(word);
  }
  return text;
}

}  // namespace mmaspec::cli
