#include "queries/maximize.h"

#include <algorithm>
#include <chrono>

#include "spec/formats/text.h"

namespace mmaspec {
namespace {

/// Questions that are asked of solvers at most; each halves the ratio of bound and found.
constexpr int kQuestions = 40;

class Maximizer {
 public:
  Maximizer(const Instruction& first, const Instruction& second, DiffOptions options,
            Measure measure, const Portfolio& solvers)
      : first_(first),
        second_(second),
        options_(std::move(options)),
        measure_(measure),
        solvers_(solvers) {
    options_.count = 1;
    options_.shrink = false;
  }

  Maximum run() {
    const auto start = std::chrono::steady_clock::now();
    climb(true);
    climb(false);
    if (best_.witness) {
      simplify();
    } else if (best_.bound) {
      best_.vacuity = vacuity_of(best_.pair, options_, solvers_);
    }
    best_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(best_);
  }

 private:
  /// Looks for larger differences and for bounds, until the largest is known or a question stays
  /// open. By search alone no bound is found: a search that finds nothing proves nothing.
  void climb(bool by_search_alone) {
    std::optional<Rational> open;  // the least bound that stayed open
    bool doubling = true;
    for (int i = 0; i < kQuestions && !best_.unbounded; ++i) {
      if (best_.bound && *best_.bound <= best_.found) return;
      Rational asked = best_.found;
      if (by_search_alone) {
        if (doubling) asked = 2 * best_.found;
      } else if (best_.bound) {
        asked = rounded((best_.found + *best_.bound) / 2);
        if (asked >= *best_.bound) asked = best_.found;
      } else if (i > 0) {
        asked = std::max(Rational(2 * best_.found), open ? Rational(4 * *open) : Rational(0));
      }
      const Verdict verdict = ask(asked, by_search_alone);
      if (verdict == Verdict::unsatisfiable && !by_search_alone) {
        best_.bound = asked;
      } else if (verdict == Verdict::unknown) {
        if (by_search_alone && !doubling) return;
        doubling = false;
        if (by_search_alone) continue;
        // A larger bound may be easier to prove; one below an open one is not.
        if (best_.bound || asked > largest()) return;
        open = asked == 0 ? Rational(1) : asked;
      }
    }
  }

  Verdict ask(const Rational& bound, bool by_search_alone) {
    DiffOptions o = options_;
    o.difference = with_bound(bound);
    const bool search = o.strategies.search;
    if (by_search_alone) {
      if (!search) return Verdict::unknown;
      o.strategies = Strategies::none();
      o.strategies.search = true;
      o.strategies.seed = options_.strategies.seed;
    } else {
      o.strategies.search_work = 0;  // it was searched as far as that
    }
    const DiffResult r = diff(first_, second_, o, by_search_alone ? nobody_ : solvers_);
    best_.pair = r.pair;
    best_.attempts.insert(best_.attempts.end(), r.attempts.begin(), r.attempts.end());
    if (r.verdict == Verdict::satisfiable) take(r.witnesses[0]);
    if (r.verdict == Verdict::unsatisfiable) best_.how = r.how;
    return r.verdict;
  }

  void take(const Witness& w) {
    const Format& f1 = *best_.pair.first.formats.d;
    const Format& f2 = *best_.pair.second.formats.d;
    const Decoded x = decode(f1, *w.row.d);
    const Decoded y = decode(f2, *w.row.d_other);
    best_.witness = w;
    const std::optional<Integer> steps = ulp_distance(f1, *w.row.d, f2, *w.row.d_other);
    if (!steps || (measure_ == Measure::absolute && !(x.is_finite() && y.is_finite()))) {
      best_.unbounded = true;
    } else if (measure_ == Measure::ulp) {
      best_.found = Rational(*steps);
    } else {
      best_.found = boost::multiprecision::abs(Rational(x.value() - y.value()));
    }
  }

  /// The simplest of the inputs that differ as much.
  void simplify() {
    DiffOptions o = options_;
    o.shrink = true;
    o.strategies = Strategies::none();
    if (best_.unbounded) {
      o.difference = with_bound(best_.found);
    } else if (measure_ == Measure::ulp) {
      o.difference.ulp = Integer(numerator(best_.found) - 1);
    } else {
      o.difference.absolute = best_.found * Rational(1 - rational_power_of_two(-30));
    }
    if (!best_.unbounded && best_.found == 0) return;
    best_.witness = shrunk(first_, second_, o, *best_.witness);
  }

  Difference with_bound(const Rational& bound) const {
    Difference d = options_.difference;
    if (measure_ == Measure::ulp) {
      d.ulp = Integer(numerator(bound) / denominator(bound));
    } else {
      d.absolute = bound;
    }
    return d;
  }

  /// Of whole ulp; absolute bounds keep few digits.
  Rational rounded(const Rational& x) const {
    if (measure_ == Measure::ulp) return Rational(numerator(x) / denominator(x));
    if (x == 0) return x;
    const Rational unit = rational_power_of_two(floor_log2(x) - 12);
    const Rational units = x / unit;
    return Rational(numerator(units) / denominator(units)) * unit;
  }

  /// Beyond every difference of two numbers.
  Rational largest() const {
    const Format& f1 = *best_.pair.first.formats.d;
    const Format& f2 = *best_.pair.second.formats.d;
    const int top = std::max(f1.largest_exponent(), f2.largest_exponent());
    if (measure_ == Measure::absolute) return rational_power_of_two(top + 2);
    const int beyond = top - f1.largest_exponent();
    return Rational(2 * f1.largest_finite()) + rational_power_of_two(f1.fraction_bits + beyond + 2);
  }

  const Instruction& first_;
  const Instruction& second_;
  DiffOptions options_;
  const Measure measure_;
  const Portfolio& solvers_;
  const Portfolio nobody_{std::vector<std::unique_ptr<Backend>>(), Limits{}};
  Maximum best_;
};

}  // namespace

Maximum maximize(const Instruction& first, const Instruction& second, const DiffOptions& options,
                 Measure measure, const Portfolio& solvers) {
  return Maximizer(first, second, options, measure, solvers).run();
}

}  // namespace mmaspec
