// Expands ranges and alternatives in a design's name.
#include "queries/studies/explore/expand.h"

#include <fmt/format.h>

#include <regex>
#include <stdexcept>

namespace mmaspec {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// For `13..16|20`: 13, 14, 15, 16, 20.
std::vector<std::string> values_of(const std::string& text, std::size_t most) {
  static const std::regex range("(-?[0-9]{1,6})\\.\\.(-?[0-9]{1,6})");
  std::vector<std::string> values;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('|', start), text.size());
    const std::string one = trimmed(text.substr(start, end - start));
    start = end + 1;
    std::smatch found;
    if (!std::regex_match(one, found, range)) {
      values.push_back(one);
      continue;
    }
    const int low = std::stoi(found[1]);
    const int high = std::stoi(found[2]);
    if (high < low || static_cast<std::size_t>(high - low) >= most) {
      throw std::invalid_argument(
          fmt::format("{}: expected LOW..HIGH with 1 to {} values", one, most));
    }
    for (int value = low; value <= high; ++value) values.push_back(std::to_string(value));
  }
  return values;
}

}  // namespace

std::vector<Expanded> expand(const std::string& pattern, std::size_t most) {
  std::vector<Expanded> all{{"", {}}};
  const auto append = [&all](const std::string& text) {
    for (Expanded& e : all) e.name += text;
  };
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t equals = pattern.find('=', at);
    if (equals == std::string::npos) {
      append(pattern.substr(at));
      break;
    }
    append(pattern.substr(at, equals + 1 - at));
    const std::size_t begin = pattern.find_last_of("(,", equals);
    const std::string key =
        trimmed(pattern.substr(begin == std::string::npos ? 0 : begin + 1,
                               equals - (begin == std::string::npos ? 0 : begin + 1)));
    at = std::min(pattern.find_first_of(",()", equals), pattern.size());
    const std::vector<std::string> values =
        values_of(pattern.substr(equals + 1, at - equals - 1), most);
    if (values.size() * all.size() > most) {
      throw std::invalid_argument(fmt::format("the pattern stands for more than {} designs", most));
    }
    std::vector<Expanded> more;
    for (const Expanded& e : all) {
      for (const std::string& value : values) {
        more.push_back(e);
        more.back().name += value;
        if (values.size() > 1) more.back().chosen.emplace_back(key, value);
      }
    }
    all = std::move(more);
  }
  return all;
}

}  // namespace mmaspec
