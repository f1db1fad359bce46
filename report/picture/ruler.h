#pragma once
/// The alignment ruler: what a dot-add does with the bits of its terms.
///
/// A dot-add is a row of steps. In each, terms stand on one axis of exponents; what lies below the
/// cut line is lost, the rest is summed, and the sum is rounded. This header says it in numbers;
/// draw_ruler.h draws them.
///
/// The numbers are taken twice: the marks of the specification's run (concrete/dot/marks.h) say
/// where sums stand and what they are, and the terms, cut as the design says, must add up to them.
/// Where they do not, or where nothing is known of a design but its marks, the step declines: it
/// shows the marks and claims no loss.

#include <optional>
#include <string>
#include <vector>

#include "report/picture/placed_number.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

struct DotValues;

/// A summand of a step.
struct RulerTerm {
  std::string label = {};
  PlacedNumber exact = {};
  PlacedNumber kept = {};       ///< what the sum takes of it
  std::optional<int> cut = {};  ///< the exponent below which bits are lost; none: nothing is
};

/// What a sum is rounded to.
struct RulerResult {
  std::string label = {};
  std::optional<PlacedNumber> number = {};  ///< none: infinite or NaN
  std::optional<int> last_place = {};  ///< the exponent of the last bit that the rounding keeps
  std::string text = {};               ///< the pattern and the number in words
  std::string how = {};                ///< such as "rounded toward zero"
};

struct RulerStep {
  std::string title = {};
  std::vector<RulerTerm> terms = {};     ///< those that are not zero
  int zero_terms = 0;                    ///< the others
  std::string cut_how = {};              ///< such as "cut toward zero"
  std::optional<PlacedNumber> sum = {};  ///< of what is kept of the terms
  std::optional<RulerResult> result = {};
  std::string note = {};  ///< what else is to be known; of a step that declines: why
  /// The terms are marks of the specification as they come, and no sum is claimed of them.
  bool declines = false;
};

struct Ruler {
  std::string name = {};  ///< of the design
  std::vector<RulerStep> steps = {};
  int dull_steps = 0;       ///< left out: they add zeros and lose nothing
  std::string result = {};  ///< the pattern of d, and the number
};

/// The ruler of one dot-add. Throws std::invalid_argument if the values do not fit the formats.
Ruler ruler_of(const Instruction& instruction, const DotValues& values);

}  // namespace mmaspec
