#include "report/text/sum_error_text.h"

#include <fmt/format.h>

#include "queries/ask/scope.h"
#include "report/values.h"
#include "util/json.h"

namespace mmaspec {
namespace {

constexpr const char* kHow =
    "by the bound of a step and induction: each step's error is bounded by what it cuts and rounds "
    "of its inputs";

int k_of(const Instruction& i) { return i.formats.k; }

/// In u, half an ulp of 1 in d's format; as doubles, for people.
double in_u(const Instruction& i, const BoundInK& b) {
  return Rational(b.error.at(k_of(i)) * rational_power_of_two(i.formats.d->fraction_bits + 1))
      .convert_to<double>();
}

std::string inputs_of(const BoundInK& b) {
  const std::string operands =
      b.error.least_operand
          ? fmt::format("operands a and b whose magnitude is zero or at least 2^{}",
                        *b.error.least_operand)
      : b.normal_factors ? "operands a and b that are not subnormal"
                         : "all finite operands";
  return operands + (b.error.only_zero_c ? ", c = 0" : "");
}

/// The unit of R(K).
std::string times_of(const Instruction& i, const BoundInK& b) {
  const int least = i.formats.d->least_exponent();
  if (b.error.sums == 0) return fmt::format("max(|c| + sum |a[k] b[k]|, 2^{})", least);
  const std::string count = b.error.sums_per == 0
                                ? std::to_string(b.error.sums)
                                : fmt::format("{}*K/{}", b.error.sums, b.error.sums_per);
  return fmt::format("(|c| + sum |a[k] b[k]| + {}*2^{})", count, least);
}

}  // namespace

bool has_bounds_in_k(const Property& property, const Subject& subject,
                     const std::vector<std::string>& where) {
  const Algorithm& algorithm = subject.first.algorithm;
  return property.name() == "error-bound" && !subject.parameter && where.empty() &&
         (algorithm.as<Chained>() != nullptr || algorithm.as<Composed>() != nullptr);
}

std::vector<BoundInK> bounds_in_k(const Instruction& instruction) {
  std::vector<BoundInK> bounds;
  const auto all = sum_error_for_all_k(instruction, ErrorOf::all);
  const auto normal = sum_error_for_all_k(instruction, ErrorOf::normal_factors);
  const int k = k_of(instruction);
  if (normal && (!all || normal->at(k) < all->at(k))) bounds.push_back({*normal, true});
  if (all) bounds.push_back({*all, false});
  return bounds;
}

std::string text_of(const Instruction& i, const std::vector<BoundInK>& bounds) {
  if (bounds.empty()) {
    return fmt::format("undecided: error-bound of {}: no bound is known for one of its steps\n",
                       i.label());
  }
  std::string text = fmt::format("proved: error-bound of {} ({})\n", i.label(), kHow);
  for (const BoundInK& b : bounds) {
    text += fmt::format(
        "for every K that is a multiple of {}, {}, finite d:\n"
        "  |d - exact| <= R(K) {}\n"
        "  R(K) = {}\n"
        "  R({}) = {:.6g} u, u = 2^-{}\n",
        b.error.step_k, inputs_of(b), times_of(i, b), b.error.formula(), k_of(i), in_u(i, b),
        i.formats.d->fraction_bits + 1);
  }
  return text + evidence_line(weakest_evidence({i}));
}

std::string json_of(const Instruction& i, const std::vector<BoundInK>& bounds) {
  Json object{{"property", "error-bound"},
              {"instr", i.name()},
              {"verdict", bounds.empty() ? "undecided" : "proved"},
              {"by", bounds.empty() ? Json() : Json("argument")},
              {"how", bounds.empty() ? "no bound is known for one of its steps" : kHow}};
  object["evidence"] = evidence_json(weakest_evidence({i}));
  object["bounds"] = Json::array();
  for (const BoundInK& b : bounds) {
    object["bounds"].push_back(
        {{"of", inputs_of(b)},
         {"formula", b.error.formula()},
         {"times", times_of(i, b)},
         {"multiples_of", b.error.step_k},
         {"k", k_of(i)},
         {"at_k", b.error.at(k_of(i)).convert_to<double>()},
         {"at_k_in_u", in_u(i, b)},
         {"u", rational_power_of_two(-i.formats.d->fraction_bits - 1).convert_to<double>()}});
  }
  return to_text(object, 2);
}

}  // namespace mmaspec
