#pragma once
/// A drawn question: as the command line takes it, and as the reference understands it.

#include <string>
#include <vector>

#include "tests/fuzz/meaning.h"

namespace mmaspec::fuzz {

struct Question {
  enum class Kind { prove, tightest, diff, maximize } kind = Kind::prove;
  /// `mmaspec` and these, without --where and the options of solving.
  std::vector<std::string> arguments;
  /// The property; of diff and maximize: the two subjects, their formats and conditions, unnamed.
  Property property;

  // diff and maximize
  Inputs inputs = Inputs::finite;
  Difference difference;
  bool match_bits = false;
  bool of_ulp = true;  ///< maximize

  bool of_two() const { return kind == Kind::diff || kind == Kind::maximize; }

  /// What stands behind the arguments: --where and its words.
  std::vector<std::string> conditions() const;
  /// The command as a shell takes it, with other options before the conditions.
  std::string command(const std::vector<std::string>& options = {}) const;
};

/// Draws a question of designs of this size.
Question draw_question(bool quick, Random& random);

}  // namespace mmaspec::fuzz
