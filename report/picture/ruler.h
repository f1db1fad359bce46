#pragma once
/// The alignment ruler: shows what a dot-add does with the bits of its terms.
///
/// A dot-add is a sequence of steps. In each step, terms are placed on one axis of exponents. Bits
/// below the cut line are lost, the rest is summed, and the sum is rounded. This header describes
/// the numbers; draw_ruler.h draws them.
///
/// The numbers are computed twice: the marks of the specification's evaluation
/// (concrete/dot/marks.h) give the sums and their exponents, and the terms, cut as the design says,
/// must add up to them. If they do not, or if only the marks of a design are known, the step
/// declines: it shows the marks and does not claim any loss.

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
  PlacedNumber kept = {};       ///< what the sum uses of it
  std::optional<int> cut = {};  ///< the exponent below which bits are lost; nullopt: none are lost
};

/// The rounded value of a sum.
struct RulerResult {
  std::string label = {};
  std::optional<PlacedNumber> number = {};  ///< nullopt: infinite or NaN
  std::optional<int> last_place = {};  ///< the exponent of the last bit that the rounding keeps
  std::string text = {};               ///< the pattern and the number in words
  std::string how = {};                ///< such as "rounded toward zero"
};

struct RulerStep {
  std::string title = {};
  std::vector<RulerTerm> terms = {};     ///< those that are not zero
  int zero_terms = 0;                    ///< number of zero terms
  std::string cut_how = {};              ///< such as "cut toward zero"
  std::optional<PlacedNumber> sum = {};  ///< of the kept parts of the terms
  std::optional<RulerResult> result = {};
  std::string note = {};  ///< further remarks; for a step that declines: the reason
  /// The terms are marks of the specification in order, and no sum of them is claimed.
  bool declines = false;
};

struct Ruler {
  std::string name = {};  ///< of the design
  std::vector<RulerStep> steps = {};
  int dull_steps = 0;       ///< number of steps left out: they add zeros and lose nothing
  std::string result = {};  ///< the pattern of d, and the number
};

/// The ruler of one dot-add. Throws std::invalid_argument if the values do not fit the formats.
Ruler ruler_of(const Instruction& instruction, const DotValues& values);

}  // namespace mmaspec
