#pragma once
/// Steps of rulers, checked as they are made.

#include <stdexcept>
#include <string>
#include <vector>

#include "concrete/dot/marks.h"
#include "report/picture/ruler.h"

namespace mmaspec {

/// The terms of a step do not add up to what the specification's run says. The step then declines.
class Unexplained : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A dot-add, or a part of one.
struct RulerPart {
  DotFormats formats;
  DotValues values;
  std::vector<int> numbers;   ///< of its products, in the whole
  std::string first_c = "c";  ///< what its c is called
};

/// `design` in words: "toward zero", "to nearest even", ...
std::string in_words(Rounding rounding);

/// The products first .. first + count - 1 of a part, added to c. `count` divides the part's K.
RulerPart slice(const RulerPart& part, int first, int count, const Integer& c,
                const std::string& c_name);

/// All operands and scale factors are finite.
bool is_finite(const RulerPart& part);

/// a[k] * b[k] with its scale factors, exact; a zero if either counts as one (see `flush`).
PlacedNumber exact_product(const RulerPart& part, std::size_t k, bool flush = false);
/// c, or zero where it is subnormal and such count as zeros.
PlacedNumber exact_c(const RulerPart& part, bool flush = false);
/// "a[3]*b[3]", by its number in the whole.
std::string product_label(const RulerPart& part, std::size_t k);

/// A number of this format, 0 where it is subnormal and `flush`.
PlacedNumber flushed(const Format& format, const PlacedNumber& x, bool flush);

/// Adds a term to the step, cut at the exponent so; it counts as a zero term if it is zero.
void add_cut(RulerStep& step, const std::string& label, const PlacedNumber& exact, int exponent,
             Rounding rounding);
/// Adds a term of which nothing is lost.
void add_exact(RulerStep& step, const std::string& label, const PlacedNumber& exact);
/// Adds a term of which the run says what is kept. Throws Unexplained if that is a unit or more
/// away.
void add_kept(RulerStep& step, const std::string& label, const PlacedNumber& exact,
              const PlacedNumber& kept);

/// Sets the step's sum, of what is kept of its terms. Throws Unexplained unless it is `said`.
void set_sum(RulerStep& step, const PlacedNumber& said);

/// The number that a mark says. Throws Unexplained if it has no exponent.
PlacedNumber number_of(const MarkedRun& run, std::size_t mark);
/// The mark of what is rounded: the one before the last that is normalised. Throws Unexplained.
std::size_t last_sum(const MarkedRun& run);
/// The first mark of this role. Throws Unexplained if there is none.
std::size_t first_of(const MarkedRun& run, MarkRole role);
/// The patterns that are marked, in order.
std::vector<Integer> patterns_of(const MarkedRun& run);

/// Sets the step's result: the pattern that its sum was rounded to. Throws Unexplained if it is no
/// neighbour of the sum.
void set_result(RulerStep& step, const std::string& label, const Integer& pattern,
                const ResultFormat& result, const std::string& how = "");

/// The exact sum of the terms, rounded once. Throws Unexplained.
RulerStep rounded_step(const std::string& title,
                       const std::vector<std::pair<std::string, PlacedNumber>>& terms,
                       const std::string& label, const Integer& pattern,
                       const ResultFormat& result);

/// A step of operands that are not finite.
RulerStep special_step(const std::string& title, const Format& format, const Integer& d);
/// A step that shows marks alone, patterns as numbers of the format.
RulerStep declining_step(const std::string& title, const MarkedRun& run, const Format& format,
                         const std::string& why);

/// One term at most, and nothing of it lost.
bool is_dull(const RulerStep& step);

/// `0x3c00 = 0x1p+0 = 1`.
std::string pattern_text(const Format& format, const Integer& pattern);

}  // namespace mmaspec
