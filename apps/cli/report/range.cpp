#include "apps/cli/report/range.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <stdexcept>

#include "apps/cli/command.h"
#include "report/colour.h"
#include "report/values.h"
#include "util/deadline.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

using RangeVerdict = RangeAnswer::Verdict;

constexpr int kMostValues = 1000;

/// The minimum time for each value as long as time is left: most refutations need less. Dividing
/// the time evenly among many values could leave all of them undecided.
constexpr double kLeastSeconds = 0.5;

const char* word(RangeVerdict verdict) {
  return verdict == RangeVerdict::holds   ? "holds"
         : verdict == RangeVerdict::fails ? "fails"
                                          : "undecided";
}

Colour colour(RangeVerdict verdict) {
  return verdict == RangeVerdict::holds   ? Colour::good
         : verdict == RangeVerdict::fails ? Colour::bad
                                          : Colour::open;
}

struct RangeSummary {
  std::optional<int> least;       ///< the least value for which it holds, if known
  std::optional<int> holds_from;  ///< the least value for which it is proved
  bool fails_for_all = true;
};

RangeSummary summary_of(const ParameterRange& range, const std::vector<RangeAnswer>& answers) {
  RangeSummary s;
  bool all_fail = true;  // all smaller values fail
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const RangeVerdict v = answers[i].verdict;
    const int value = range.low + static_cast<int>(i);
    if (v == RangeVerdict::holds && !s.holds_from) {
      s.holds_from = value;
      if (all_fail) s.least = value;
    }
    all_fail = all_fail && v == RangeVerdict::fails;
  }
  s.fails_for_all = all_fail;
  return s;
}

std::string text_of(const ParameterRange& range, const std::vector<RangeAnswer>& answers,
                    const RangeSummary& s, const std::string& wanted) {
  std::string text;
  const auto asked = static_cast<std::size_t>(
      std::ranges::count_if(answers, [](const RangeAnswer& a) { return a.is_asked; }));
  for (std::size_t i = 0; i < asked; ++i) {
    const RangeAnswer& a = answers[i];
    text += fmt::format("{}={:<6} {}{} {}\n", range.key, range.low + static_cast<int>(i),
                        in_colour(colour(a.verdict), word(a.verdict)),
                        std::string(10 - std::string_view(word(a.verdict)).size(), ' '), a.how);
  }
  if (asked < answers.size()) {
    text += fmt::format("{}={} to {}: not asked, the time limit was reached\n", range.key,
                        range.low + static_cast<int>(asked), range.high);
  }
  // The witness for the largest failing value.
  for (std::size_t i = answers.size(); i > 0; --i) {
    if (answers[i - 1].verdict != RangeVerdict::fails) continue;
    text += fmt::format("{}={} fails here:\n{}", range.key, range.low + static_cast<int>(i) - 1,
                        answers[i - 1].witness);
    break;
  }
  if (s.least) {
    text += fmt::format("the least {} for which {}: {}\n", range.key, wanted, *s.least);
    std::string gaps;
    for (std::size_t i = static_cast<std::size_t>(*s.least - range.low); i < answers.size(); ++i) {
      if (answers[i].verdict == RangeVerdict::holds) continue;
      gaps += fmt::format("{}{} ({})", gaps.empty() ? "" : ", ", range.low + static_cast<int>(i),
                          word(answers[i].verdict));
    }
    if (!gaps.empty()) text += "but not for all above: " + gaps + "\n";
  } else if (s.fails_for_all) {
    text += fmt::format("for no {} from {} to {}: {}\n", range.key, range.low, range.high, wanted);
  } else {
    text += fmt::format("undecided which is the least {} for which {}{}\n", range.key, wanted,
                        s.holds_from ? fmt::format("; it holds for {}", *s.holds_from) : "");
  }
  if (asked > 0) text += answers[asked - 1].scope;
  return text;
}

std::string json_of(const ParameterRange& range, const std::vector<RangeAnswer>& answers,
                    const RangeSummary& s) {
  Json object;
  object["parameter"] = range.key;
  object["low"] = range.low;
  object["high"] = range.high;
  object["verdict"] = s.least ? "least" : s.fails_for_all ? "none" : "undecided";
  object["least"] = s.least ? Json(*s.least) : Json();
  object["values"] = Json::array();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Json entry{{"value", range.low + static_cast<int>(i)}, {"verdict", word(answers[i].verdict)}};
    if (!answers[i].json.empty()) entry["answer"] = Json::parse(answers[i].json);
    object["values"].push_back(std::move(entry));
  }
  return to_text(object, 2);
}

}  // namespace

std::optional<ParameterRange> range_in(const std::vector<std::string>& names) {
  static const std::regex pattern("([a-z_]+)=(-?[0-9]{1,6})\\.\\.(-?[0-9]{1,6})");
  std::optional<ParameterRange> range;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].starts_with("design:") && !names[i].starts_with("plan:")) continue;
    std::string rest = names[i];
    std::string before;
    for (std::smatch found; std::regex_search(rest, found, pattern); rest = found.suffix()) {
      if (range) throw std::invalid_argument("only one parameter may be a range LOW..HIGH");
      before += found.prefix();
      range = {found[1],
               std::stoi(found[2]),
               std::stoi(found[3]),
               i,
               before + std::string(found[1]) + "=",
               found.suffix()};
    }
  }
  if (range && (range->high < range->low || range->high - range->low >= kMostValues)) {
    throw std::invalid_argument(fmt::format("{}={}..{}: expected LOW..HIGH with 1 to {} values",
                                            range->key, range->low, range->high, kMostValues));
  }
  return range;
}

int answer_range(const ParameterRange& range, double seconds, bool json, const std::string& wanted,
                 const std::function<RangeAnswer(int value, double seconds)>& ask) {
  const Deadline deadline = Deadline::in(seconds);
  std::vector<RangeAnswer> answers;
  for (int value = range.low; value <= range.high; ++value) {
    const double left = deadline.left();
    if (left <= 0 && !answers.empty()) {
      answers.push_back({.how = "out of time", .is_asked = false});
      continue;
    }
    const double share = left / (range.high - value + 1);
    answers.push_back(ask(value, std::min(std::max(share, kLeastSeconds), left)));
  }
  const RangeSummary s = summary_of(range, answers);
  print(json ? json_of(range, answers, s) : text_of(range, answers, s, wanted));
  if (s.least) return kDone;
  return s.fails_for_all ? kWitness : kUndecided;
}

}  // namespace mmaspec::cli
