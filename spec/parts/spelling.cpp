// Compares what a user wrote with known names.
#include "spec/parts/spelling.h"

#include <algorithm>

namespace mmaspec {
namespace {

std::size_t edit_distance(std::string_view x, std::string_view y) {
  std::vector<std::size_t> row(y.size() + 1);
  for (std::size_t j = 0; j <= y.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= x.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= y.size(); ++j) {
      const std::size_t replaced = diagonal + (x[i - 1] == y[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::size_t common_start(std::string_view x, std::string_view y) {
  const auto [end, ignored] = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
  return static_cast<std::size_t>(end - x.begin());
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
  const std::string lower = lower_case(name);
  std::string best;
  std::size_t distance = std::max<std::size_t>(3, name.size() / 2);
  for (const std::string& k : known) {
    const std::size_t d = edit_distance(lower, k);
    // Of two with the same distance, the one with the longer common prefix.
    if (d < distance ||
        (d == distance && !best.empty() && common_start(lower, k) > common_start(lower, best))) {
      distance = d;
      best = k;
    }
  }
  return best;
}

}  // namespace mmaspec
