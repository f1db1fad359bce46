#include "hardware/rtl/cases/operand_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "hardware/rtl/cases/small_terms.h"
#include "hardware/rtl/equivalence/simulate_terms.h"
#include "solver/ask.h"

namespace mmaspec::rtl {
namespace {

/// Seconds for the equalities of one class.
constexpr double kEqualSeconds = 20;

class Classifier {
 public:
  Classifier(BvTerms& terms, Specializer& specialize, TermId condition, const SplitOperand& operand,
             const Portfolio& solvers, const Deadline& deadline)
      : terms_(terms),
        specialize_(specialize),
        solvers_(solvers),
        deadline_(deadline),
        condition_(condition),
        operand_(operand),
        format_(*operand.format),
        width_(static_cast<unsigned>(format_.storage_bits)),
        fraction_(static_cast<unsigned>(format_.fraction_bits)),
        exponent_(static_cast<unsigned>(format_.exponent_bits)),
        all_(terms.variable(operand.variable, width_)) {}

  std::vector<OperandClass> run() {
    std::vector<OperandClass> classes(1);
    classes[0].text = "any";
    classes[0].premise = terms_.boolean(true);
    const std::vector<TermId> cone = terms_.cone({condition_});
    if (!std::binary_search(cone.begin(), cone.end(), all_)) return classes;

    const TermId none = terms_.constant(0, fraction_);
    const TermId is_top = field_is(top());
    const TermId is_zero = terms_.bool_and({field_is(0), terms_.eq(low(), none)});
    classes.push_back(of_pattern(OperandClass::Kind::top_field, "top exponent field",
                                 pattern(terms_.constant(top(), exponent_), low()), is_top));
    classes.push_back(of_pattern(OperandClass::Kind::zero, "zero",
                                 pattern(terms_.constant(0, exponent_), none), is_zero));
    std::vector<OperandClass> numbers{normal()};
    for (unsigned i = 0; i < fraction_; ++i) numbers.push_back(subnormal(i));
    if (const auto one = unified(numbers)) {
      numbers = {*one};
      numbers[0].premise = terms_.bool_and({terms_.bool_not(is_top), terms_.bool_not(is_zero)});
    }
    classes.insert(classes.end(), numbers.begin(), numbers.end());
    return classes;
  }

 private:
  Integer top() const { return power_of_two(exponent_) - 1; }
  TermId low() { return terms_.extract(all_, fraction_ - 1, 0); }
  TermId field_is(const Integer& value) {
    return terms_.eq(terms_.extract(all_, width_ - 2, fraction_),
                     terms_.constant(value, exponent_));
  }
  TermId pattern(TermId field, TermId significand) {
    return terms_.concat(terms_.extract(all_, width_ - 1, width_ - 1),
                         terms_.concat(field, significand));
  }
  OperandClass of_pattern(OperandClass::Kind kind, std::string text, TermId pattern,
                          TermId premise) const {
    OperandClass x;
    x.kind = kind;
    x.text = std::move(text);
    x.premise = premise;
    x.replaced = {{all_, pattern}};
    return x;
  }

  OperandClass normal() {
    const TermId e = terms_.variable("exponent field of " + operand_.variable, exponent_);
    OperandClass x = of_pattern(
        OperandClass::Kind::number, "normal", pattern(e, low()),
        terms_.bool_and({terms_.bool_not(field_is(0)), terms_.bool_not(field_is(top()))}));
    x.exponent = e;
    x.most = top().convert_to<std::uint64_t>() - 1;
    x.offset = -format_.bias;
    return x;
  }

  /// With bit `i` of the fraction as the leading one.
  OperandClass subnormal(unsigned i) {
    TermId significand = terms_.constant(1, fraction_ - i);
    if (i > 0) significand = terms_.concat(significand, terms_.extract(low(), i - 1, 0));
    const TermId above = terms_.extract(low(), fraction_ - 1, i);
    OperandClass x = of_pattern(
        OperandClass::Kind::number, fmt::format("subnormal with leading bit {}", i),
        pattern(terms_.constant(0, exponent_), significand),
        terms_.bool_and({field_is(0), terms_.eq(above, terms_.constant(1, fraction_ - i))}));
    x.offset = 1 - format_.bias + static_cast<long>(i) - format_.fraction_bits;
    return x;
  }

  struct OwnTerms {
    std::vector<TermId> all;       ///< terms that depend on this operand alone
    std::vector<TermId> frontier;  ///< those that other terms use
  };
  OwnTerms own_terms(TermId root) const {
    std::set<TermId> own;
    std::set<TermId> used;
    for (const TermId id : terms_.cone({root})) {
      const BvTerm& t = terms_[id];
      const auto is_own = [&](TermId a) {
        return own.contains(a) || terms_[a].op == BvOp::constant ||
               terms_[a].op == BvOp::bool_constant;
      };
      if (id == all_ || (!t.args.empty() && std::all_of(t.args.begin(), t.args.end(), is_own))) {
        own.insert(id);
        continue;
      }
      for (const TermId a : t.args) {
        if (own.contains(a)) used.insert(a);
      }
    }
    return {{own.begin(), own.end()}, {used.begin(), used.end()}};
  }

  std::vector<Column> fields(std::uint64_t most) const {
    std::vector<Column> columns;
    for (std::uint64_t e = 1; e <= most; ++e) columns.push_back({e, 0});
    return columns;
  }

  /// Terms in a class, in one form.
  std::vector<TermId> in_class(const std::vector<TermId>& list, const OperandClass& x) {
    constexpr int kMostPasses = 3;
    std::vector<TermId> now;
    for (const TermId t : list) now.push_back(specialize_(t, x.replaced));
    for (int pass = 0; x.exponent && pass < kMostPasses; ++pass) {
      const Replaced folded = SmallTerms(terms_, now, {*x.exponent}).fold(fields(x.most));
      for (TermId& t : now) t = specialize_(t, folded);
    }
    for (TermId& t : now) t = specialize_.canonical(t);
    return now;
  }

  bool is_constant(TermId t) const {
    return terms_[t].op == BvOp::constant || terms_[t].op == BvOp::bool_constant;
  }
  TermId constant_like(TermId t, const Integer& value) {
    const unsigned width = terms_.width(t);
    return width == 0 ? terms_.boolean(value != 0) : terms_.constant(value, width);
  }
  /// The value if all variables are 0.
  Integer value_at_zero(TermId t) const {
    TermSimulator simulator(terms_);
    simulator.add_sample({});
    return simulator(t)[0];
  }
  /// Operands with few and with many ones in the fraction, and exponent fields of normal numbers.
  void add_samples(TermSimulator& simulator, const OperandClass& normal) const {
    std::mt19937_64 random(1);
    const auto add = [&](const Integer& low, std::uint64_t field) {
      const Integer sign = (random() & 1) == 0 ? Integer(0) : power_of_two(width_ - 1);
      simulator.add_sample(
          {{operand_.variable, sign | low}, {terms_[*normal.exponent].name, Integer(field)}});
    };
    for (unsigned i = 0; i <= fraction_; ++i) {
      add(power_of_two(i) - 1, 1);
      add(power_of_two(i) - 1, normal.most);
      add(power_of_two(i) & (power_of_two(fraction_) - 1), 1 + random() % normal.most);
      add(Integer(random()) & (power_of_two(fraction_) - 1), 1 + random() % normal.most);
    }
  }
  /// Whether a solver proves that the pairs are equal if the premises hold.
  bool are_equal(const std::vector<std::pair<TermId, TermId>>& pairs,
                 const std::vector<TermId>& premises) {
    std::vector<TermId> equal;
    for (const auto& [x, y] : pairs) {
      if (x == y) continue;
      equal.push_back(terms_.width(x) == 0 ? terms_.bool_not(terms_.bool_xor(x, y))
                                           : terms_.eq(x, y));
    }
    const TermId differ = terms_.bool_not(terms_.bool_and(equal));
    if (is_constant(differ)) return terms_[differ].value == 0;
    const Deadline soon = earlier(deadline_, Deadline::in(kEqualSeconds));
    std::vector<TermId> assertions = premises;
    assertions.push_back(differ);
    return ask_by(soon, {&terms_, assertions}, solvers_).verdict == Verdict::unsatisfiable;
  }

  /// One class of all numbers, if the terms of the frontier depend in one way on the normalized
  /// significand and the exponent.
  std::optional<OperandClass> unified(const std::vector<OperandClass>& numbers) {
    OperandClass all = numbers[0];
    all.text = "number";
    // Pairs of terms that must be equal for subnormals.
    std::vector<std::vector<std::pair<TermId, TermId>>> pairs(numbers.size());
    const std::vector<TermId> own = own_terms(condition_).all;
    const std::vector<TermId> own_if_normal = in_class(own, numbers[0]);
    std::vector<std::vector<TermId>> own_if_subnormal;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
      own_if_subnormal.push_back(in_class(own, numbers[i]));
    }
    TermSimulator simulator(terms_);
    add_samples(simulator, numbers[0]);
    std::vector<std::pair<TermId, TermId>> constants;
    for (std::size_t t = 0; t < own.size(); ++t) {
      const std::vector<Integer>& values = simulator(own_if_normal[t]);
      const auto has_value = [&](TermId x) {
        const std::vector<Integer>& of_x = simulator(x);
        return std::all_of(of_x.begin(), of_x.end(),
                           [&](const Integer& v) { return v == values[0]; });
      };
      const bool same =
          !is_constant(own[t]) && has_value(own_if_normal[t]) &&
          std::all_of(own_if_subnormal.begin(), own_if_subnormal.end(),
                      [&](const std::vector<TermId>& terms) { return has_value(terms[t]); });
      if (!same) continue;
      const TermId value = constant_like(own[t], values[0]);
      constants.emplace_back(own[t], value);
      pairs[0].emplace_back(own_if_normal[t], value);
      for (std::size_t i = 1; i < numbers.size(); ++i) {
        pairs[i].emplace_back(own_if_subnormal[i - 1][t], value);
      }
    }
    all.constants = {constants.begin(), constants.end()};

    const std::vector<TermId> list = own_terms(specialize_(condition_, all.constants)).frontier;
    std::vector<std::vector<TermId>> terms;
    for (const OperandClass& x : numbers) terms.push_back(in_class(list, x));
    all.replaced.clear();
    // 1 for the least subnormal, up to the largest normal number.
    all.most = fraction_ + numbers[0].most;
    all.offset = -format_.bias - format_.fraction_bits;
    unsigned bits = 1;
    while (power_of_two(bits) <= all.most) ++bits;
    all.exponent = terms_.variable("exponent of " + operand_.variable, bits);
    // Sign and normalized fraction, where the operand has sign and fraction.
    const TermId normalized = terms_.variable("normalized " + operand_.variable, width_);
    SmallTerms small(terms_, terms[0], {*numbers[0].exponent});
    for (std::size_t t = 0; t < list.size(); ++t) {
      const TermId of_normal = terms[0][t];
      if (const auto values = small.values(of_normal, fields(numbers[0].most))) {
        std::vector<std::uint64_t> of_exponent;
        for (std::size_t i = 1; i < numbers.size(); ++i) {
          const TermId value = constant_like(of_normal, value_at_zero(terms[i][t]));
          pairs[i].emplace_back(terms[i][t], value);
          of_exponent.push_back(terms_[value].value.convert_to<std::uint64_t>());
        }
        of_exponent.insert(of_exponent.end(), values->begin(), values->end());
        all.replaced[list[t]] = function(*all.exponent, of_exponent, terms_.width(of_normal));
        continue;
      }
      const std::vector<TermId> cone = terms_.cone({of_normal});
      if (std::binary_search(cone.begin(), cone.end(), *numbers[0].exponent)) {
        return std::nullopt;
      }
      for (unsigned i = 0; i < fraction_; ++i) {
        pairs[i + 1].emplace_back(terms[i + 1][t], of_fraction(of_normal, i));
      }
      all.replaced[list[t]] = specialize_(of_normal, {{all_, normalized}});
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::vector<TermId> premises;
      if (numbers[i].exponent) {
        for (const Integer& field : {Integer(0), top()}) {
          premises.push_back(
              terms_.bool_not(terms_.eq(*numbers[i].exponent, terms_.constant(field, exponent_))));
        }
      }
      if (!are_equal(pairs[i], premises)) return std::nullopt;
    }
    return all;
  }

  /// A term with the fraction bits of a subnormal number, normalized.
  TermId of_fraction(TermId term, unsigned i) {
    TermId significand = terms_.constant(0, fraction_ - i);
    if (i > 0) significand = terms_.concat(terms_.extract(low(), i - 1, 0), significand);
    const TermId with = pattern(terms_.extract(all_, width_ - 2, fraction_), significand);
    return specialize_.canonical(specialize_(term, {{all_, with}}));
  }

  /// The function of x with these values for x = 1, 2...
  TermId function(TermId x, const std::vector<std::uint64_t>& values, unsigned width) {
    const std::uint64_t mask =
        width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << std::max(width, 1U)) - 1;
    const auto steps = [&](std::uint64_t step) {
      for (std::size_t i = 1; i < values.size(); ++i) {
        if (((values[i - 1] + step) & mask) != values[i]) return false;
      }
      return true;
    };
    if (width > 1 && steps(1)) {
      const unsigned of_x = terms_.width(x);
      const TermId resized =
          width < of_x ? terms_.extract(x, width - 1, 0) : terms_.zero_extend(x, width);
      return terms_.add(resized, terms_.constant(Integer(values[0]) - 1, width));
    }
    return choice(x, terms_.width(x), 0, values, width);
  }

  /// The same by the bits of x: of the values from x = `from` on, as many as `bits` bits choose.
  TermId choice(TermId x, unsigned bits, std::size_t from, const std::vector<std::uint64_t>& values,
                unsigned width) {
    const std::size_t count = std::size_t{1} << bits;
    const auto value = [&](std::size_t i) {
      return values[std::clamp<std::size_t>(i, 1, values.size()) - 1];
    };
    bool is_constant = true;
    for (std::size_t i = from; i < from + count; ++i) {
      is_constant = is_constant && value(i) == value(from);
    }
    if (is_constant) {
      return width == 0 ? terms_.boolean(value(from) != 0)
                        : terms_.constant(Integer(value(from)), width);
    }
    const TermId bit = terms_.from_bit(terms_.extract(x, bits - 1, bits - 1));
    return terms_.ite(bit, choice(x, bits - 1, from + count / 2, values, width),
                      choice(x, bits - 1, from, values, width));
  }

  BvTerms& terms_;
  Specializer& specialize_;
  const Portfolio& solvers_;
  const Deadline deadline_;
  const TermId condition_;
  const SplitOperand& operand_;
  const Format& format_;
  const unsigned width_;
  const unsigned fraction_;
  const unsigned exponent_;
  const TermId all_;
};

}  // namespace

bool can_split(const Format& f) {
  return f.has_sign && f.exponent_bits > 1 && f.fraction_bits > 0 && f.ignored_low_bits == 0 &&
         f.ignored_high_bits == 0 && !f.twos_complement &&
         f.storage_bits == 1 + f.exponent_bits + f.fraction_bits;
}

std::vector<OperandClass> classes_of(BvTerms& terms, Specializer& specialize, TermId condition,
                                     const SplitOperand& operand, const Portfolio& solvers,
                                     const Deadline& deadline) {
  return Classifier(terms, specialize, condition, operand, solvers, deadline).run();
}

}  // namespace mmaspec::rtl
