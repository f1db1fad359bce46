// Conclusions without a solver, about random designs of all parameters and formats and about
// chained and padded ones, compared with inputs: all inputs if there are few, otherwise inputs near
// cuts, ties and limits. Each property is defined here again, on numbers.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "concrete/batch/evaluator.h"
#include "queries/errors/error_analysis.h"
#include "queries/errors/sum_error.h"
#include "queries/theorems/doubling.h"
#include "queries/theorems/known_design.h"
#include "queries/theorems/steps.h"
#include "queries/values/exact_result.h"
#include "spec/formats/text.h"
#include "tests/support/cli/fuzz.h"
#include "tests/support/drawn_designs.h"
#include "tests/support/inputs_near_cuts.h"
#include "tests/support/numeric_reference.h"

namespace mmaspec::conclusions_test {
namespace {

constexpr std::size_t kRows = 1024;

unsigned u(int n) { return static_cast<unsigned>(n); }

std::string described(const Instruction& i) {
  std::string text = i.algorithm.name() + " k=" + std::to_string(i.formats.k) + " of";
  for (const Parameter& p : i.algorithm.parameters()) text += " " + p.key + "=" + p.value;
  return i.name() + " (" + text + ")";
}

/// All inputs of a dot-add of few bits without scale factors, or random ones.
std::vector<DotValues> inputs(const DotFormats& f, int places, unsigned seed) {
  std::vector<DotValues> all;
  const int of_a = f.a->storage_bits;
  const int of_b = f.b->storage_bits;
  if (f.k == 1 && f.scale == nullptr && of_a + of_b + f.c->storage_bits <= 16) {
    for (int x = 0; x < 1 << (of_a + of_b + f.c->storage_bits); ++x) {
      all.push_back({{x % (1 << of_a)}, {(x >> of_a) % (1 << of_b)}, x >> (of_a + of_b), {}, {}});
    }
    return all;
  }
  InputsNearCuts drawn(f, places, seed);
  for (std::size_t i = 0; i < kRows; ++i) all.push_back(drawn.next());
  return all;
}

/// A design, run on many inputs.
class Runs {
 public:
  explicit Runs(const Instruction& i) : formats_(i.formats) {
    const Graph::Building building(graph_);
    const NodeId d = i.algorithm.build(i.formats, dot_inputs(i.formats)).id();
    evaluator_.emplace(graph_, std::vector<NodeId>{d});
  }
  std::vector<Integer> operator()(const std::vector<DotValues>& all) const {
    Lanes in(graph_.inputs().size(), all.size());
    for (std::size_t lane = 0; lane < all.size(); ++lane) {
      const std::vector<Integer> row = in_input_order(all[lane]);
      for (std::size_t i = 0; i < row.size(); ++i) {
        in[i][lane] = row[i].convert_to<std::uint64_t>();
      }
    }
    Lanes out(1, all.size());
    BatchEvaluator::Scratch scratch;
    evaluator_->evaluate(in, out, scratch);
    return {out[0], out[0] + all.size()};
  }

 private:
  DotFormats formats_;
  Graph graph_;
  std::optional<BatchEvaluator> evaluator_;
};

/// The order of numbers, with equal zeros; infinities are at the ends.
Integer order(const Format& f, const Integer& pattern) {
  const Integer sign = power_of_two(u(f.sign_bit()));
  return pattern >= sign ? Integer(sign - pattern) : pattern;
}
/// The number `steps` steps further in this order; nullopt beyond the largest.
std::optional<Integer> moved(const Format& f, const Integer& pattern, int steps) {
  const Integer place = (order(f, pattern) >> u(f.ignored_low_bits)) + steps;
  if (boost::multiprecision::abs(place) > f.largest_finite()) return std::nullopt;
  const Integer size = Integer(boost::multiprecision::abs(place)) << u(f.ignored_low_bits);
  return place < 0 ? Integer(size + power_of_two(u(f.sign_bit()))) : size;
}

bool all_finite(const DotFormats& f, const DotValues& v) {
  const auto finite = [](const Format& format, const std::vector<Integer>& all) {
    return std::all_of(all.begin(), all.end(),
                       [&](const Integer& x) { return decode(format, x).is_finite(); });
  };
  return finite(*f.a, v.a) && finite(*f.b, v.b) && finite(*f.c, {v.c}) &&
         (f.scale == nullptr || (finite(*f.scale, v.scale_a) && finite(*f.scale, v.scale_b)));
}

std::string text(const DotValues& v) {
  std::string all;
  for (const Integer& x : in_input_order(v)) all += " " + to_hex(x);
  return all;
}

/// Compares all conclusions about one design with inputs.
class Attack {
 public:
  Attack(const Instruction& i, unsigned seed, std::map<std::string, int>& argued)
      : i_(i), f_(i.formats), runs_(i), argued_(argued), random_(seed) {
    places_ = f_.d->fraction_bits;
    if (const auto places = alignment_bits(i.algorithm)) places_ = *places;
    for (DotValues& v : inputs(f_, places_, seed)) {
      if (all_finite(f_, v)) given_.push_back(std::move(v));
    }
    d_ = runs_(given_);
  }

  void all() {
    if (has_rounded_steps(i_) || adds_c_last(i_) || c_outweighs_cuts(i_)) monotone_c();
    if (has_ieee_steps(i_) || rounds_exact_sums(i_) || groups_outweigh_cuts(i_)) monotone_product();
    if (treats_signs_alike(i_)) negated_signs();
    if (keeps_c(i_)) zero_products();
    if (has_ieee_steps(i_)) single_terms();
    if (doubles_with_terms(i_)) doubled();
    if (is_exact_near_overflow(i_) || cannot_overflow(i_)) overflow();
    if (makes_no_nan(i_)) special_values();
    if (adds_pairs(i_, 2)) swapped();
    if (const auto result = only_rounding(i_)) rounded(*result);
    if (const auto bound = error_by_analysis(i_)) errors(*bound, false);
    if (const auto bound = error_by_analysis(i_, ErrorOf::normal_factors)) errors(*bound, true);
    for (const ErrorOf of : {ErrorOf::all, ErrorOf::normal_factors}) {
      const auto bound = sum_error_for_all_k(i_, of);
      if (bound) sum_errors(*bound, of == ErrorOf::normal_factors);
    }
  }

 private:
  void fail(const std::string& what, const DotValues& v, const Integer& d, const Integer& other) {
    ADD_FAILURE() << what << " of " << described(i_) << ":" << text(v) << " gives " << to_hex(d)
                  << " and " << to_hex(other);
  }
  Decoded decoded(const Integer& d) const { return decode(*f_.d, d); }
  bool is_nan(const Integer& d) const { return decoded(d).is_nan; }

  void monotone_c() {
    ++argued_["monotone-c"];
    std::vector<DotValues> next;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const int steps = random_() % 4 == 0 ? 1 + static_cast<int>(random_() % 5) : 1;
      const auto c = moved(*f_.c, given_[i].c, steps);
      if (!c) continue;
      next.push_back(given_[i]);
      next.back().c = *c;
      of.push_back(i);
    }
    const std::vector<Integer> d = runs_(next);
    for (std::size_t i = 0; i < next.size(); ++i) {
      if (is_nan(d[i]) || is_nan(d_[of[i]])) continue;
      if (order(*f_.d, d[i]) < order(*f_.d, d_[of[i]]))
        fail("monotone-c", next[i], d_[of[i]], d[i]);
    }
  }

  void monotone_product() {
    ++argued_["monotone-product"];
    InputsNearCuts drawn(f_, places_, static_cast<unsigned>(random_()));
    std::vector<DotValues> other = given_;
    std::vector<int> sign;
    for (DotValues& v : other) {
      const std::size_t k = random_() % v.a.size();
      const Rational before = product(v, k);
      if (random_() % 2 == 0) v.a[k] = drawn.number(*f_.a);
      v.b[k] = random_() % 2 == 0 ? drawn.number(*f_.b) : Integer(0);
      const Rational after = product(v, k);
      sign.push_back(after > before ? 1 : after < before ? -1 : 0);
    }
    const std::vector<Integer> d = runs_(other);
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (is_nan(d[i]) || is_nan(d_[i])) continue;
      const Integer difference = order(*f_.d, d[i]) - order(*f_.d, d_[i]);
      const bool wrong = sign[i] > 0   ? difference < 0
                         : sign[i] < 0 ? difference > 0
                                       : difference != 0;
      if (wrong) fail("monotone-product", other[i], d_[i], d[i]);
    }
  }

  void negated_signs() {
    ++argued_["negation-symmetric"];
    std::vector<DotValues> other = given_;
    for (DotValues& v : other) {
      for (Integer& a : v.a) a = negated(*f_.a, a);
      v.c = negated(*f_.c, v.c);
    }
    const std::vector<Integer> d = runs_(other);
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (is_nan(d[i]) != is_nan(d_[i]) ||
          (!is_nan(d[i]) && order(*f_.d, d[i]) != -order(*f_.d, d_[i]))) {
        fail("negation-symmetric", other[i], d_[i], d[i]);
      }
    }
  }

  void zero_products() {
    ++argued_["accumulator-preserved"];
    std::vector<DotValues> other = given_;
    for (DotValues& v : other) {
      for (std::size_t k = 0; k < v.a.size(); ++k) (random_() % 2 == 0 ? v.a : v.b)[k] = 0;
    }
    const std::vector<Integer> d = runs_(other);
    for (std::size_t i = 0; i < other.size(); ++i) {
      expect_rounded("accumulator-preserved", other[i], ResultFormat{f_.d}, d[i]);
    }
  }

  /// One term, which d holds, is the result: subnormal operands and results are kept.
  void single_terms() {
    ++argued_["subnormal-results"];
    std::vector<DotValues> other = given_;
    for (DotValues& v : other) {
      const std::size_t kept = random_() % (v.a.size() + 1);
      for (std::size_t k = 0; k < v.a.size(); ++k) {
        if (k != kept) v.a[k] = 0;
      }
      if (kept < v.a.size()) v.c = 0;
      const int e = f_.d->least_exponent() - static_cast<int>(random_() % 12);
      if (f_.scale == nullptr || kept == v.a.size() || random_() % 4 == 0) continue;
      // A result near the least normal number.
      const std::size_t i = kept / static_cast<std::size_t>(f_.scale_block);
      const auto power = [&f = *f_.scale](int exponent) {
        const int field = std::clamp(exponent, f.least_exponent(), f.largest_exponent()) + f.bias;
        return Integer(Integer(field) << u(f.fraction_bits + f.ignored_low_bits));
      };
      v.scale_a[i] = power(e / 2);
      v.scale_b[i] = power(e - e / 2);
    }
    const std::vector<Integer> d = runs_(other);
    for (std::size_t i = 0; i < other.size(); ++i) {
      const Rational exact = *exact_dot(f_, other[i]);
      const Decoded nearest = decoded(numeric::round_to(ResultFormat{f_.d}, exact));
      if (!nearest.is_finite() || nearest.value() != exact) continue;
      expect_rounded("subnormal-results", other[i], ResultFormat{f_.d}, d[i]);
    }
  }

  void expect_rounded(const char* what, const DotValues& v, const ResultFormat& result,
                      const Integer& d) {
    const Integer wanted = numeric::round_to(result, *exact_dot(f_, v));
    if (is_nan(wanted) != is_nan(d) || (!is_nan(d) && order(*f_.d, wanted) != order(*f_.d, d))) {
      fail(what, v, d, wanted);
    }
  }

  void rounded(const ResultFormat& result) {
    ++argued_["rounds once"];
    for (std::size_t i = 0; i < given_.size(); ++i) {
      expect_rounded("rounds once", given_[i], result, d_[i]);
    }
  }

  /// Zero, or a normal number of the format that remains finite when doubled.
  static bool may_double(const Format& f, const Integer& pattern) {
    const Decoded x = decode(f, pattern);
    return x.significand == 0 ||
           (abs(x.value()) >= rational_power_of_two(f.least_exponent()) &&
            decode(f, pattern + power_of_two(u(f.fraction_bits + f.ignored_low_bits)))
                .is_finite() &&
            abs(x.value()) < rational_power_of_two(f.largest_exponent()));
  }
  static Integer twice(const Format& f, const Integer& pattern) {
    const bool zero = decode(f, pattern).significand == 0;
    return zero ? pattern
                : Integer(pattern + power_of_two(u(f.fraction_bits + f.ignored_low_bits)));
  }
  static Rational abs(const Rational& x) { return boost::multiprecision::abs(x); }
  bool is_zero_or_normal(const Rational& x) const {
    return x == 0 ||
           (abs(x) >= rational_power_of_two(f_.d->least_exponent()) &&
            abs(x) <= decode(*f_.d, f_.d->largest_finite() << u(f_.d->ignored_low_bits)).value());
  }
  bool terms_are_normal(const DotValues& v) const {
    const auto terms = exact_terms(f_, v);
    return std::all_of(terms->begin(), terms->end(),
                       [&](const Rational& t) { return is_zero_or_normal(t); });
  }

  void doubled() {
    ++argued_["scale-invariant"];
    std::vector<DotValues> other;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      DotValues v = given_[i];
      const auto normal = [](const Format& f, const Integer& x) {
        const Decoded n = decode(f, x);
        return n.significand == 0 || abs(n.value()) >= rational_power_of_two(f.least_exponent());
      };
      bool suits = may_double(*f_.c, v.c) && terms_are_normal(v);
      for (const Integer& a : v.a) suits = suits && may_double(*f_.a, a);
      for (const Integer& b : v.b) suits = suits && normal(*f_.b, b);
      if (!suits) continue;
      for (Integer& a : v.a) a = twice(*f_.a, a);
      v.c = twice(*f_.c, v.c);
      if (!terms_are_normal(v)) continue;
      other.push_back(std::move(v));
      of.push_back(i);
    }
    const std::vector<Integer> d = runs_(other);
    for (std::size_t i = 0; i < other.size(); ++i) {
      const Decoded one = decoded(d_[of[i]]);
      const Decoded two = decoded(d[i]);
      if (!one.is_finite() || !two.is_finite() || !is_zero_or_normal(one.value()) ||
          !is_zero_or_normal(two.value())) {
        continue;
      }
      if (two.value() != 2 * one.value()) fail("scale-invariant", other[i], d_[of[i]], d[i]);
    }
  }

  void overflow() {
    ++argued_["no-early-overflow"];
    for (std::size_t i = 0; i < given_.size(); ++i) {
      if (decoded(d_[i]).is_finite()) continue;
      const Integer nearest = numeric::round_to({f_.d}, *exact_dot(f_, given_[i]));
      if (decoded(nearest).is_finite()) fail("no-early-overflow", given_[i], d_[i], nearest);
    }
  }

  /// Some operands are infinite: the terms' values decide whether d may be NaN.
  void special_values() {
    ++argued_["no-spurious-nan"];
    const auto infinity = [&](const Format& f, Integer& x) {
      if (!f.has_infinity() || random_() % 3 != 0) return;
      x = f.first_non_finite() << u(f.ignored_low_bits);
      if (random_() % 2 == 0) x += power_of_two(u(f.sign_bit()));
    };
    std::vector<DotValues> other = given_;
    for (DotValues& v : other) {
      infinity(*f_.c, v.c);
      const std::size_t k = random_() % v.a.size();
      infinity(*f_.a, v.a[k]);
      infinity(*f_.b, v.b[k]);
    }
    const std::vector<Integer> d = runs_(other);
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (!is_nan(d[i])) continue;
      const auto real = [](const Format& f, const Integer& x) {
        const Decoded n = decode(f, x);
        const double size = n.is_infinite ? HUGE_VAL : n.value().convert_to<double>();
        return n.negative && n.is_infinite ? -size : size;
      };
      double sum = real(*f_.c, other[i].c);
      for (std::size_t k = 0; k < other[i].a.size(); ++k) {
        sum += real(*f_.a, other[i].a[k]) * real(*f_.b, other[i].b[k]);
      }
      if (!std::isnan(sum)) fail("no-spurious-nan", other[i], d[i], d[i]);
    }
  }

  void swapped() {
    ++argued_["permutation-invariant"];
    std::vector<DotValues> other = given_;
    for (DotValues& v : other) {
      const std::size_t k = random_() % v.a.size() / 2 * 2;
      std::swap(v.a[k], v.a[k + 1]);
      std::swap(v.b[k], v.b[k + 1]);
    }
    const std::vector<Integer> d = runs_(other);
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (!same_value(*f_.d, d[i], d_[i])) fail("permutation-invariant", other[i], d_[i], d[i]);
    }
  }

  bool has_subnormal_factors(const DotValues& v) const {
    for (std::size_t k = 0; k < v.a.size(); ++k) {
      if (is_subnormal(*f_.a, v.a[k]) || is_subnormal(*f_.b, v.b[k])) return true;
    }
    return false;
  }

  /// `normal_factors`: only for inputs without subnormal factors.
  void errors(const Rational& bound, bool normal_factors) {
    if (!normal_factors) ++argued_["error-bound"];
    for (std::size_t i = 0; i < given_.size(); ++i) {
      if (normal_factors && has_subnormal_factors(given_[i])) continue;
      const auto error = error_in_ulp(f_, given_[i], d_[i]);
      if (error && *error > bound) {
        fail("error-bound " + bound.str() + " (" + error->str() + ")", given_[i], d_[i], d_[i]);
      }
    }
  }

  /// Relative to the terms' magnitudes; `normal_factors`: see errors().
  void sum_errors(const SumError& bound, bool normal_factors) {
    if (!normal_factors) ++argued_["sum-error-bound"];
    const Rational r = bound.at(f_.k);
    const Rational least = rational_power_of_two(f_.d->least_exponent());
    for (std::size_t i = 0; i < given_.size(); ++i) {
      if (normal_factors && has_subnormal_factors(given_[i])) continue;
      const auto terms = exact_terms(f_, given_[i]);
      const Decoded d = decode(*f_.d, d_[i]);
      if (!terms || !d.is_finite()) continue;
      Rational sum = 0;
      Rational size = 0;
      for (const Rational& t : *terms) {
        sum += t;
        size += abs(t);
      }
      const Rational limit = bound.sums == 0 ? Rational(r * std::max(size, least))
                                             : Rational(r * (size + bound.sums_at(f_.k) * least));
      if (abs(Rational(d.value() - sum)) > limit) fail("sum-error", given_[i], d_[i], d_[i]);
    }
  }

  static bool is_subnormal(const Format& f, const Integer& x) {
    const Decoded n = decode(f, x);
    return n.significand != 0 &&
           static_cast<int>(bit_length(n.significand)) - 1 + n.exponent < f.least_exponent();
  }

  Rational product(const DotValues& v, std::size_t k) const {
    return decode(*f_.a, v.a[k]).value() * decode(*f_.b, v.b[k]).value();
  }

  const Instruction& i_;
  const DotFormats& f_;
  Runs runs_;
  std::map<std::string, int>& argued_;
  std::mt19937_64 random_;
  int places_ = 0;
  std::vector<DotValues> given_;
  std::vector<Integer> d_;
};

/// For how many designs each kind of conclusion was made.
std::map<std::string, int> attacked(std::size_t count, DrawnOf kind) {
  std::map<std::string, int> argued;
  for (std::size_t n = 0; n < count && !testing::Test::HasFailure(); ++n) {
    DrawnDesigns designs(static_cast<unsigned>(n));
    const Instruction i = drawn(designs, kind);
    Attack(i, static_cast<unsigned>(n), argued).all();
  }
  for (const auto& [property, times] : argued) {
    std::printf("%-24s %d designs\n", property.c_str(), times);
  }
  return argued;
}

TEST(FuzzConclusions, AreContradictedByNoInput) {
  EXPECT_EQ(attacked(cli_test::fuzz_count(250), DrawnOf::matrix_units).size(),
            12U);  // every kind was drawn
}

TEST(FuzzConclusions, OfVectorUnitsAreContradictedByNoInput) {
  EXPECT_GE(attacked(cli_test::fuzz_count(200), DrawnOf::vector_units)["error-bound"], 50);
}

TEST(FuzzConclusions, OfScalesAndPartsAreContradictedByNoInput) {
  const auto argued = attacked(cli_test::fuzz_count(600), DrawnOf::scales_or_parts);
  EXPECT_GE(argued.at("monotone-c"), 50);
  EXPECT_GE(argued.at("error-bound"), 50);
  for (const char* property : {"monotone-product", "negation-symmetric", "accumulator-preserved",
                               "scale-invariant", "no-early-overflow", "subnormal-results"}) {
    EXPECT_GE(argued.count(property), 1U) << property;
  }
}

}  // namespace
}  // namespace mmaspec::conclusions_test
