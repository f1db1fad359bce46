#include "tests/fuzz/meaning.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace mmaspec::fuzz {

using reference::Algorithm;
using reference::Design;
using reference::ExactTerms;
using reference::Format;
using reference::Kind;
using reference::Operands;
using reference::Rational;
using reference::Value;
using reference::Wide;

namespace {

/// The exact sum as a multiple of a unit.
struct Sum {
  Wide units;
  int unit = 0;
};

std::optional<Sum> exact_sum(const Design& formats, const Operands& x) {
  ExactTerms t;
  if (!reference::exact_terms(formats, x, t)) return std::nullopt;
  return Sum{std::accumulate(t.terms.begin(), t.terms.end(), Wide(0)), t.unit};
}

std::uint64_t rounded(const Format& d, const Sum& s, reference::Mode mode) {
  reference::Result result = reference::nearest(d);
  result.round = mode;
  result.overflow = reference::Result::Overflow::directed;
  return reference::rounded(s.units < 0, Wide(abs(s.units)), s.unit, result, {false, true});
}

Rational rational(const Sum& s) { return Rational(s.units) * reference::two_to(s.unit); }

bool is_zero_or_normal(const Format& f, std::uint64_t p) {
  return f.value(p).is_number() && !f.is_subnormal(p);
}

bool products_are_zero(const Design& f, const Operands& x, std::size_t but) {
  for (std::size_t k = 0; k < x.a.size(); ++k) {
    if (k != but && !f.a->value(x.a[k]).is_zero() && !f.b->value(x.b[k]).is_zero()) return false;
  }
  return true;
}

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// 2 for NaN, 1 for infinity, 0 for numbers.
int disorder(const Value& v) { return v.kind == Kind::nan ? 2 : v.kind == Kind::infinity ? 1 : 0; }

int compare_products(const Design& f, const Operands& x, const Operands& y, std::size_t k) {
  const Rational px = f.a->value(x.a[k]).rational() * f.b->value(x.b[k]).rational();
  const Rational py = f.a->value(y.a[k]).rational() * f.b->value(y.b[k]).rational();
  return px < py ? -1 : px == py ? 0 : 1;
}

/// The positions of products at which `x` and `y` differ.
std::vector<std::size_t> unlike(const Operands& x, const Operands& y) {
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < x.a.size(); ++k) {
    if (x.a[k] != y.a[k] || x.b[k] != y.b[k]) all.push_back(k);
  }
  return all;
}

bool is_permutation(const Property& p, const Operands& x, const Operands& y) {
  const Design& f = p.formats;
  if (x.c != y.c) return false;
  const int within = p.within > 0 ? p.within : f.k;
  using Product = std::vector<std::uint64_t>;
  const auto products = [&](const Operands& o, int first, int count) {
    std::vector<Product> all;
    for (int k = first; k < first + count; ++k) {
      const auto i = static_cast<std::size_t>(k);
      all.push_back({o.a[i], o.b[i]});
      if (f.scale != nullptr) {
        const auto block = static_cast<std::size_t>(k / f.scale_block);
        all.back().push_back(o.sa[block]);
        all.back().push_back(o.sb[block]);
      }
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  for (int first = 0; first < f.k; first += within) {
    const int count = std::min(within, f.k - first);
    if (products(x, first, count) != products(y, first, count)) return false;
  }
  return true;
}

bool deserves_nan(const Design& f, const Operands& x) {
  bool plus = false;
  bool minus = false;
  const Value c = f.c->value(x.c);
  if (c.kind == Kind::nan) return true;
  if (c.kind == Kind::infinity) (c.negative ? minus : plus) = true;
  for (std::size_t k = 0; k < x.a.size(); ++k) {
    std::vector<Value> factors{f.a->value(x.a[k]), f.b->value(x.b[k])};
    if (f.scale != nullptr) {
      const std::size_t block = k / static_cast<std::size_t>(f.scale_block);
      factors.push_back(f.scale->value(x.sa[block]));
      factors.push_back(f.scale->value(x.sb[block]));
    }
    bool zero = false;
    bool infinite = false;
    for (const Value& v : factors) {
      if (v.kind == Kind::nan) return true;
      zero = zero || v.is_zero();
      infinite = infinite || v.kind == Kind::infinity;
    }
    if (infinite && zero) return true;
    if (infinite) (factors[0].negative != factors[1].negative ? minus : plus) = true;
  }
  return plus && minus;
}

std::string of_integers(const std::string& name, const Design& f, const Operands& x, const Sum& sum,
                        std::uint64_t d) {
  const bool is_preserved = name == "accumulator-preserved";
  if (!is_preserved && name != "exact-when-representable")
    throw std::logic_error("no property of integers: " + name);
  if (is_preserved && !products_are_zero(f, x, kNone)) return "a product is not zero";
  const Wide exact = is_preserved ? Wide(reference::place(*f.c, x.c)) : Wide(sum.units << sum.unit);
  const Wide most = Wide(f.d->largest_pattern());
  const bool held = exact <= most && exact >= (f.d->is_signed ? Wide(-most - 1) : Wide(0));
  if (!held) return "d's format does not hold the exact result";
  return exact == Wide(reference::place(*f.d, d)) ? "d is the exact result" : "";
}

/// Properties of one run: empty if violated.
std::string of_one(const Property& p, const Operands& x, const reference::Outcome& one) {
  const Design& f = p.formats;
  const Format& d = *f.d;
  const Value v = d.value(one.d);
  const std::string& name = p.name;
  if (name == "no-spurious-nan") {
    if (v.kind != Kind::nan) return "d is no NaN";
    return deserves_nan(f, x) ? "the NaN is deserved" : "";
  }
  if (name == "carry-bits") {
    if (!one.all_finite) return "a step has terms that are no numbers";
    return Rational(one.digits_above_point - 1) >= 2 + *p.bound ? "" : "the sum is smaller";
  }
  const auto sum = exact_sum(f, x);
  if (!sum) return "an operand is not a number";
  if (name == "error-bound") {
    const auto error = error_in_ulp(f, x, one.d);
    if (!error) return "d is not a number";
    return *error > *p.bound ? "" : "the error is within the bound";
  }
  if (d.is_integer()) return of_integers(name, f, x, *sum, one.d);
  const std::uint64_t below = rounded(d, *sum, reference::Mode::rd);
  const std::uint64_t above = rounded(d, *sum, reference::Mode::ru);
  const std::uint64_t near = rounded(d, *sum, reference::Mode::rne);
  if (name == "correctly-rounded") {
    return reference::same_value(d, one.d, near) ? "d is the nearest" : "";
  }
  if (name == "faithful") {
    const bool is_one =
        reference::same_value(d, one.d, below) || reference::same_value(d, one.d, above);
    return is_one ? "d is a neighbour" : "";
  }
  const bool held = reference::same_value(d, below, above) && d.value(below).is_number();
  if (name == "exact-when-representable") {
    if (!held) return "d's format does not hold the exact result";
    return reference::same_value(d, one.d, below) ? "d is the exact result" : "";
  }
  if (name == "no-early-overflow") {
    if (v.is_number()) return "d is finite";
    return d.value(near).is_number() ? "" : "the exact result overflows";
  }
  if (name == "accumulator-preserved") {
    if (!products_are_zero(f, x, kNone)) return "a product is not zero";
    const Value c = f.c->value(x.c);
    reference::Result to_d = reference::nearest(d);
    const std::uint64_t in_d =
        reference::rounded(c.negative, Wide(c.digits), c.unit, to_d, {c.negative, true});
    return reference::same_value(d, one.d, in_d) ? "d is c" : "";
  }
  if (name == "subnormal-inputs") {
    if (!v.is_zero()) return "d is not zero";
    const Format& c = *f.c;
    const auto least = [](const Format& of) { return of.least_exponent() - of.fraction_bits; };
    if (products_are_zero(f, x, kNone)) {
      return c.is_subnormal(x.c) && least(c) >= least(d) ? "" : "c is not subnormal";
    }
    if (!products_are_zero(f, x, 0) || !c.value(x.c).is_zero()) return "more than one term";
    if (f.scale != nullptr) return "scale factors make anything small";
    const auto tried = [&](const Format& s, std::uint64_t ps, const Format& o, std::uint64_t po) {
      return s.is_subnormal(ps) && abs(o.value(po).rational()) >= 1 && least(s) >= least(d);
    };
    return tried(*f.a, x.a[0], *f.b, x.b[0]) || tried(*f.b, x.b[0], *f.a, x.a[0])
               ? ""
               : "no subnormal factor beside one of at least 1";
  }
  if (name == "subnormal-results") {
    if (!products_are_zero(f, x, 0)) return "more than one term";
    if (!products_are_zero(f, x, kNone) && !f.c->value(x.c).is_zero()) return "two terms";
    if (!held || !d.is_subnormal(below)) return "the exact result is no subnormal number of d";
    return v.is_zero() ? "" : "d is not zero";
  }
  throw std::logic_error("no property " + name);
}

}  // namespace

std::optional<Rational> error_in_ulp(const Design& formats, const Operands& x, std::uint64_t d) {
  ExactTerms t;
  const Value v = formats.d->value(d);
  if (!v.is_number() || !reference::exact_terms(formats, x, t)) return std::nullopt;
  Wide largest = 0;
  Wide sum = 0;
  for (const Wide& term : t.terms) {
    sum += term;
    largest = std::max(largest, Wide(abs(term)));
  }
  const int least = formats.d->least_exponent();
  const int exponent =
      largest == 0 ? least : std::max(least, t.unit + reference::length(largest) - 1);
  const Rational error = v.rational() - Rational(sum) * reference::two_to(t.unit);
  return Rational(abs(error)) * reference::two_to(formats.d->fraction_bits - exponent);
}

Inputs Property::inputs() const {
  if (name == "no-spurious-nan") return Inputs::any;
  if (name == "scale-invariant") return Inputs::normal;
  return Inputs::finite;
}

bool Property::admits(const Operands& x, std::uint64_t d) const {
  return belongs(inputs(), formats, x) && score(x, d) == 1;
}

double Property::score(const Operands& x, std::uint64_t d) const {
  if (where.empty()) return 1;
  double sum = 0;
  for (const Condition& c : where) sum += c.score(formats, x, d);
  return sum / static_cast<double>(where.size());
}

Subject in_one_piece(const Subject& subject) {
  Subject whole = subject;
  Design& d = whole.design;
  switch (d.algorithm) {
    case Algorithm::fused_dot_add:
    case Algorithm::round_down_dot_add:
    case Algorithm::exact_dot_add:
    case Algorithm::bulk_normalized_dot_add:
    case Algorithm::ones_complement_dot_add:
    case Algorithm::rounded_product_dot_add:
      d.block = d.k;
      break;
    case Algorithm::floored_dot_add:
      d.block = d.k;
      d.halves_alternate = false;
      break;
    case Algorithm::partial_product_dot_add:
    case Algorithm::f32_chain:
      throw std::logic_error("the algorithm has no form in one piece");
    case Algorithm::group_dot_fused_sum:
      break;
    case Algorithm::integer_dot_add:
      d.group = d.k;
      break;
    case Algorithm::sequential_fma:
    case Algorithm::pair_dot_add:
    case Algorithm::group_pairwise_sum:
    case Algorithm::split_fp8:  // the exact sum with the same rounding
      d.algorithm = Algorithm::exact_dot_add;
      d.block = d.k;
      break;
  }
  return whole;
}

std::string why_not_violated(const Property& p, const Runs& runs) {
  const Design& f = p.formats;
  const Format& d = *f.d;
  const std::string& name = p.name;
  const Operands& x = runs.x.at(0);
  if (!belongs(p.inputs(), f, x)) return "the operands are not of the property's class";
  if (p.score(x, runs.d[0]) != 1) return "the condition does not hold";
  if (runs.x.size() == 1) return of_one(p, x, p.first.run(x));
  const Operands& y = runs.x.at(1);
  const Value d0 = d.value(runs.d[0]);
  const Value d1 = d.value(runs.d[1]);
  const bool same = reference::same_value(d, runs.d[0], runs.d[1]);
  const std::string equal = "the results are equal";
  if (name == "equivalent" || name == "single-normalization") {
    if (!(x == y)) return "the operands are not the same";
    return same ? equal : "";
  }
  if (name == "refines") {
    if (!(x == y)) return "the operands are not the same";
    if (disorder(d0) != disorder(d1))
      return disorder(d0) > disorder(d1) ? "" : "the second is worse";
    if (disorder(d0) > 0) return "neither is a number";
    const auto sum = exact_sum(f, x);
    if (!sum) return "an operand is not a number";
    const Rational exact = rational(*sum);
    return abs(Rational(d0.rational() - exact)) > abs(Rational(d1.rational() - exact))
               ? ""
               : "the first is as near";
  }
  if (!belongs(p.inputs(), f, y))
    return "the second run's operands are not of the property's class";
  if (name == "commutative") {
    for (std::size_t k = 0; k < x.a.size(); ++k) {
      const bool kept = x.a[k] == y.a[k] && x.b[k] == y.b[k];
      const bool swapped = x.a[k] == y.b[k] && x.b[k] == y.a[k];
      if (!kept && !swapped) return "not swapped";
    }
    if (x.c != y.c || x.sa != y.sa || x.sb != y.sb) return "c or scale factors differ";
    return same ? equal : "";
  }
  if (name == "permutation-invariant") {
    if (!is_permutation(p, x, y)) return "no permutation";
    return same ? equal : "";
  }
  if (name == "negation-symmetric") {
    Operands n = x;
    for (std::uint64_t& a : n.a) a = f.a->negated(a);
    n.c = f.c->negated(x.c);
    if (!(n == y)) return "not the negated operands";
    return reference::same_value(d, runs.d[0], d.negated(runs.d[1])) ? equal : "";
  }
  if (name == "scale-invariant") {
    for (std::size_t k = 0; k < x.a.size(); ++k) {
      if (f.a->value(y.a[k]).rational() != 2 * f.a->value(x.a[k]).rational())
        return "a not doubled";
      if (x.b[k] != y.b[k]) return "b changed";
    }
    if (f.c->value(y.c).rational() != 2 * f.c->value(x.c).rational()) return "c not doubled";
    for (std::size_t run = 0; run < 2; ++run) {
      if (!is_zero_or_normal(d, runs.d[run])) return "a result is neither zero nor normal";
      ExactTerms t;
      if (!reference::exact_terms(f, runs.x[run], t)) return "an operand is not a number";
      for (const Wide& term : t.terms) {
        if (term == 0) continue;
        const int e = t.unit + reference::length(term) - 1;
        if (e < d.least_exponent() || e > d.largest_exponent()) return "a term is out of d's range";
      }
    }
    return d1.rational() == 2 * d0.rational() ? "the result is doubled" : "";
  }
  const bool c_grows = name == "monotone-c";
  if (!c_grows && name != "monotone-product") throw std::logic_error("no property " + name);
  if (d0.kind == Kind::nan || d1.kind == Kind::nan) return "a result is NaN";
  if (x.sa != y.sa || x.sb != y.sb) return "scale factors differ";
  const std::vector<std::size_t> changed = unlike(x, y);
  if (c_grows) {
    if (!changed.empty()) return "products differ";
    if (f.c->value(x.c).rational() > f.c->value(y.c).rational()) return "c does not grow";
  } else {
    if (x.c != y.c || changed.size() > 1) return "more than one product differs";
    if (changed.empty() || compare_products(f, x, y, changed[0]) > 0) return "no product grows";
  }
  return reference::place(d, runs.d[1]) < reference::place(d, runs.d[0]) ? "" : "the result grows";
}

namespace {

/// The number's index on the format's number line, which continues beyond the largest number in
/// steps of its ulp; for other numbers the index of the nearest one, ties to even.
Wide index_on_line(const Format& f, const Value& v) {
  if (v.digits == 0) return 0;
  const int leading = v.unit + reference::length(Wide(v.digits)) - 1;
  const int e = std::clamp(leading, f.least_exponent(), f.largest_exponent());
  const Rational units = abs(v.rational()) * reference::two_to(f.fraction_bits - e);
  Wide n = numerator(units) / denominator(units);
  const Rational rest = units - Rational(n);
  if (rest > Rational(1, 2) || (rest == Rational(1, 2) && n % 2 == 1)) ++n;
  n += Wide(e - f.least_exponent()) << f.fraction_bits;
  return v.negative ? Wide(-n) : n;
}

}  // namespace

std::optional<Wide> distance_in_ulp(const Format& fx, std::uint64_t x, const Format& fy,
                                    std::uint64_t y) {
  const Value vx = fx.value(x);
  const Value vy = fy.value(y);
  if (vx.kind == Kind::nan || vy.kind == Kind::nan) {
    return vx.kind == vy.kind ? std::optional<Wide>(0) : std::nullopt;
  }
  if (&fx == &fy) return Wide(abs(Wide(reference::place(fx, x)) - reference::place(fy, y)));
  if (!vx.is_number() || !vy.is_number()) {
    const bool same = vx.kind == vy.kind && vx.negative == vy.negative;
    return same ? std::optional<Wide>(0) : std::nullopt;
  }
  return Wide(abs(index_on_line(fx, vx) - index_on_line(fx, vy)));
}

bool differ(const Difference& difference, const Format& fx, std::uint64_t x, const Format& fy,
            std::uint64_t y) {
  const Value vx = fx.value(x);
  const Value vy = fy.value(y);
  const bool nan_x = vx.kind == Kind::nan;
  const bool nan_y = vy.kind == Kind::nan;
  if (nan_x || nan_y) return nan_x != nan_y;
  const bool inf_x = vx.kind == Kind::infinity;
  const bool inf_y = vy.kind == Kind::infinity;
  const bool same = inf_x || inf_y ? inf_x && inf_y && vx.negative == vy.negative
                                   : vx.rational() == vy.rational();
  if (same) return difference.signed_zero && vx.is_zero() && vx.negative != vy.negative;
  if (difference.ulp) {
    const auto distance = distance_in_ulp(fx, x, fy, y);
    if (distance && *distance <= *difference.ulp) return false;
  }
  if (inf_x || inf_y) return true;
  const Rational distance = abs(Rational(vx.rational() - vy.rational()));
  if (difference.absolute && distance <= *difference.absolute) return false;
  return !(difference.relative && distance <= *difference.relative * Rational(abs(vx.rational())));
}

std::optional<Operands> counterpart(const Design& from, const Operands& x, const Design& to) {
  Operands y = x;
  bool held = true;
  const auto change = [&](const Format& f, std::vector<std::uint64_t>& all, const Format& g) {
    for (std::uint64_t& p : all) {
      if (&f == &g) continue;
      std::uint64_t other = 0;
      held = held && g.pattern_of(f.value(p), other);
      p = other;
    }
  };
  std::vector<std::uint64_t> c{x.c};
  change(*from.a, y.a, *to.a);
  change(*from.b, y.b, *to.b);
  change(*from.c, c, *to.c);
  if (from.scale != nullptr) {
    change(*from.scale, y.sa, *to.scale);
    change(*from.scale, y.sb, *to.scale);
  }
  y.c = c[0];
  if (!held) return std::nullopt;
  return y;
}

}  // namespace mmaspec::fuzz
