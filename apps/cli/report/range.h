#pragma once
/// One question over a range of a design's parameter: the least value for which it holds.

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mmaspec::cli {

/// `key=LOW..HIGH` in a name of design: or plan:.
struct ParameterRange {
  std::string key;
  int low = 0;
  int high = 0;
  std::size_t name = 0;  ///< index of the name that contains it
  std::string before;    ///< the parts of that name before and after the value
  std::string after;

  std::string with(int value) const { return before + std::to_string(value) + after; }
};

/// The range in these names, if there is one. Throws std::invalid_argument for several ranges, an
/// empty one, or one of more than 1000 values.
std::optional<ParameterRange> range_in(const std::vector<std::string>& names);

/// The answer for one value.
struct RangeAnswer {
  enum class Verdict { holds, fails, undecided } verdict = Verdict::undecided;
  std::string how = {};      ///< in words
  std::string witness = {};  ///< for fails: as text
  std::string scope = {};    ///< lines: the inputs that the answer covers, and its evidence
  std::string json = {};     ///< the answer for this value as the command's JSON, or empty
  bool is_asked = true;      ///< false: the time was used up before
};

/// Asks for each value in ascending order and prints the answers, or those so far if a signal stops
/// it. `ask(value, seconds)` may take this many seconds, and all together `seconds`. `wanted`
/// describes the question. Returns the exit status: 0 if the least value for which it holds is
/// known (it fails for all smaller ones, or there are none), 1 if it fails for all, otherwise 3.
int answer_range(const ParameterRange& range, double seconds, bool json, const std::string& wanted,
                 const std::function<RangeAnswer(int value, double seconds)>& ask);

}  // namespace mmaspec::cli
