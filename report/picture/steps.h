#pragma once
/// Steps of rulers, checked while they are built.

#include <stdexcept>
#include <string>
#include <vector>

#include "concrete/dot/marks.h"
#include "report/picture/ruler.h"

namespace mmaspec {

/// Thrown if the terms of a step do not add up to the sum of the specification's evaluation. The
/// step then declines.
class Unexplained : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A dot-add, or a part of one.
struct RulerPart {
  DotFormats formats;
  DotValues values;
  std::vector<int> numbers;   ///< indices of its products in the whole dot-add
  std::string first_c = "c";  ///< the label of its c
};

/// The rounding mode in words: "toward zero", "to nearest even", ...
std::string in_words(Rounding rounding);

/// The products first .. first + count - 1 of a part, added to c. `count` must divide the part's K.
RulerPart slice(const RulerPart& part, int first, int count, const Integer& c,
                const std::string& c_name);

/// True if all operands and scale factors are finite.
bool is_finite(const RulerPart& part);

/// a[k] * b[k] with its scale factors, exact; zero if a factor counts as zero (see `flush`).
PlacedNumber exact_product(const RulerPart& part, std::size_t k, bool flush = false);
/// c, or zero if it is subnormal and `flush`.
PlacedNumber exact_c(const RulerPart& part, bool flush = false);
/// "a[3]*b[3]", with the index in the whole dot-add.
std::string product_label(const RulerPart& part, std::size_t k);

/// A number of this format; 0 if it is subnormal and `flush`.
PlacedNumber flushed(const Format& format, const PlacedNumber& x, bool flush);

/// Adds a term to the step, cut at the exponent with this rounding. A term that is zero is only
/// counted.
void add_cut(RulerStep& step, const std::string& label, const PlacedNumber& exact, int exponent,
             Rounding rounding);
/// Adds a term that does not lose any bits.
void add_exact(RulerStep& step, const std::string& label, const PlacedNumber& exact);
/// Adds a term whose kept part the evaluation gives. Throws Unexplained if that differs from the
/// term by a unit or more.
void add_kept(RulerStep& step, const std::string& label, const PlacedNumber& exact,
              const PlacedNumber& kept);

/// Sets the step's sum, computed from the kept parts of its terms. Throws Unexplained unless it
/// equals `said`.
void set_sum(RulerStep& step, const PlacedNumber& said);

/// The number of a mark. Throws Unexplained if it has no exponent.
PlacedNumber number_of(const MarkedRun& run, std::size_t mark);
/// The mark of the number that is rounded: the one before the last normalized one. Throws
/// Unexplained.
std::size_t last_sum(const MarkedRun& run);
/// The first mark of this role. Throws Unexplained if there is none.
std::size_t first_of(const MarkedRun& run, MarkRole role);
/// The marked patterns, in order.
std::vector<Integer> patterns_of(const MarkedRun& run);

/// Sets the step's result: the pattern to which its sum was rounded. Throws Unexplained if it is
/// not a neighbour of the sum.
void set_result(RulerStep& step, const std::string& label, const Integer& pattern,
                const ResultFormat& result, const std::string& how = "");

/// The exact sum of the terms, rounded once. Throws Unexplained.
RulerStep rounded_step(const std::string& title,
                       const std::vector<std::pair<std::string, PlacedNumber>>& terms,
                       const std::string& label, const Integer& pattern,
                       const ResultFormat& result);

/// A step with operands that are not finite.
RulerStep special_step(const std::string& title, const Format& format, const Integer& d);
/// A step that only shows marks, with patterns as numbers of the format.
RulerStep declining_step(const std::string& title, const MarkedRun& run, const Format& format,
                         const std::string& why);

/// True if the step has at most one term and loses nothing of it.
bool is_dull(const RulerStep& step);

/// `0x3c00 = 0x1p+0 = 1`.
std::string pattern_text(const Format& format, const Integer& pattern);

}  // namespace mmaspec
