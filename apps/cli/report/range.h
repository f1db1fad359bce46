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
  std::size_t name = 0;  ///< which of the names has it
  std::string before;    ///< of that name: what stands before the value, and behind it
  std::string after;

  std::string with(int value) const { return before + std::to_string(value) + after; }
};

/// The range in these names, if one has one. Throws std::invalid_argument for more than one, an
/// empty one, or one of more than 1000 values.
std::optional<ParameterRange> range_in(const std::vector<std::string>& names);

/// What one value's question came to.
struct RangeAnswer {
  enum class Verdict { holds, fails, undecided } verdict = Verdict::undecided;
  std::string how = {};      ///< in words
  std::string witness = {};  ///< fails: as text
  std::string scope = {};    ///< lines: the inputs that the answer is about, and its evidence
  std::string json = {};     ///< the answer as the command gives it for this value alone, or empty
  bool is_asked = true;      ///< false: the time was over before
};

/// Asks for each value in turn, ascending, and prints the answers, those so far where a signal
/// stops it. `ask(value, seconds)` has this many seconds; all together have `seconds`. `wanted`
/// says what holds, in words. Returns the exit status: 0 where the least value for which it holds
/// is known (it fails for all that are less, or there are none), 1 where it fails for all, else 3.
int answer_range(const ParameterRange& range, double seconds, bool json, const std::string& wanted,
                 const std::function<RangeAnswer(int value, double seconds)>& ask);

}  // namespace mmaspec::cli
