#include "queries/request/progress.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace mmaspec {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kWords{{
    {"search", "searching for a witness"},
    {"enumeration", "trying all inputs"},
    {"restrict", "searching among fewer inputs"},
    {"weaken", "proving a simpler statement"},
    {"relax", "proving a simpler statement"},
    {"cut", "proving a simpler statement"},
    {"split", "proving case by case"},
    {"derive", "proving by lemmas"},
    {"steps", "proving from the algorithm's steps"},
}};

bool is_solver(std::string_view name) {
  return name == "z3" || name == "cvc5" || name == "bitwuzla" || name.starts_with("smtlib:");
}

void add_word(std::vector<std::string>& all, std::string_view word) {
  if (std::find(all.begin(), all.end(), word) == all.end()) all.emplace_back(word);
}

std::string joined_words(const std::vector<std::string>& words, const std::string& between) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

}  // namespace

std::string progress_in_words(const std::string& running) {
  std::vector<std::string> does;
  std::vector<std::string> solvers;
  for (std::size_t at = 0; at < running.size();) {
    const std::size_t end = std::min(running.find(", ", at), running.size());
    const std::string_view name = std::string_view(running).substr(at, end - at);
    at = end + 2;
    if (is_solver(name)) {
      add_word(solvers, name);
      continue;
    }
    // Attempts of a strategy have its name, or names that start with it.
    const auto known = std::find_if(kWords.begin(), kWords.end(), [&](const auto& entry) {
      return name == entry.first || name.starts_with(std::string(entry.first) + " ") ||
             name.starts_with(std::string(entry.first) + ":");
    });
    add_word(does, known == kWords.end() ? name : known->second);
  }
  if (!solvers.empty()) does.push_back("asking " + joined_words(solvers, ", "));
  return joined_words(does, "; ");
}

}  // namespace mmaspec
