#pragma once
/// A random question: as command-line arguments, and as the reference evaluates it.

#include <string>
#include <vector>

#include "tests/fuzz/meaning.h"

namespace mmaspec::fuzz {

struct Question {
  enum class Kind { prove, tightest, diff, maximize } kind = Kind::prove;
  /// Arguments of `mmaspec`, without --where and solver options.
  std::vector<std::string> arguments;
  /// The property; for diff and maximize the two subjects, their formats and conditions, without a
  /// name.
  Property property;

  // diff and maximize
  Inputs inputs = Inputs::finite;
  Difference difference;
  bool match_bits = false;
  bool of_ulp = true;  ///< maximize

  bool of_two() const { return kind == Kind::diff || kind == Kind::maximize; }

  /// The arguments at the end: --where and its conditions.
  std::vector<std::string> conditions() const;
  /// The command for a shell, with other options before the conditions.
  std::string command(const std::vector<std::string>& options = {}) const;
};

/// Draws a question. `quick`: about tiny designs.
Question draw_question(bool quick, Random& random);

}  // namespace mmaspec::fuzz
