// Families that align terms to a largest exponent and sum them in fixed point.

#include <fmt/format.h>

#include "report/picture/families.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

std::string cut_words(Rounding rounding) { return "cut " + in_words(rounding); }

/// Adds the products, each cut at the exponent.
void add_products(RulerStep& step, const RulerPart& part, int exponent, Rounding rounding,
                  bool flush = false) {
  for (std::size_t k = 0; k < part.values.a.size(); ++k) {
    add_cut(step, product_label(part, k), exact_product(part, k, flush), exponent, rounding);
  }
  step.cut_how = cut_words(rounding);
}

std::string through_f32_words(const ResultFormat& result, bool through_f32) {
  if (!through_f32) return "";
  return "rounded to f32 " + in_words(result.rounding) + ", of which the high half is kept";
}

/// Throws Unexplained if a product counts as infinite.
void require_no_overflow(const RulerPart& part, int exponent, bool flush = false) {
  for (std::size_t k = 0; k < part.values.a.size(); ++k) {
    if (!is_below(exact_product(part, k, flush), exponent)) {
      throw Unexplained("a product counts as infinite");
    }
  }
}

}  // namespace

RulerSteps steps_of(const FusedDotAdd& design, const RulerPart& part, const MarkedRun& run) {
  if (design.product_overflow) {
    require_no_overflow(part, *design.product_overflow, design.flush_inputs);
  }
  const PlacedNumber last = number_of(run, last_sum(run));
  const PlacedNumber c = exact_c(part, design.flush_inputs);
  RulerSteps steps(1);
  if (design.c_joins == AccumulatorJoins::late) {
    const PlacedNumber dot = number_of(run, first_of(run, MarkRole::sum));
    add_products(steps[0], part, dot.exponent, design.align_rounding, design.flush_inputs);
    set_sum(steps[0], dot);
    steps.push_back({.title = "with " + part.first_c});
    steps[1].cut_how = cut_words(design.align_rounding);
    add_cut(steps[1], "products", dot, last.exponent, design.align_rounding);
  } else {
    add_products(steps[0], part, last.exponent, design.align_rounding, design.flush_inputs);
  }
  add_cut(steps.back(), part.first_c, c, last.exponent, design.align_rounding);
  set_sum(steps.back(), last);
  set_result(steps.back(), "d", run.d, design.result);
  return steps;
}

RulerSteps steps_of(const GroupDotFusedSum& design, const RulerPart& part, const MarkedRun& run) {
  const PlacedNumber said = number_of(run, last_sum(run));
  RulerStep step{.cut_how = cut_words(Rounding::toward_zero)};
  for (int first = 0; first < part.formats.k; first += design.group) {
    std::vector<PlacedNumber> products;
    for (int k = first; k < first + design.group; ++k) {
      products.push_back(exact_product(part, as_size(k)));
    }
    add_cut(step, fmt::format("k={}..{}", first, first + design.group - 1), sum(products),
            said.exponent, Rounding::toward_zero);
  }
  add_cut(step, part.first_c, exact_c(part), said.exponent, Rounding::toward_zero);
  step.note = fmt::format("blocks of {} products are summed exactly first", design.group);
  set_sum(step, said);
  set_result(step, "d", run.d, design.result);
  return {step};
}

RulerSteps steps_of(const RoundDownDotAdd& design, const RulerPart& part, const MarkedRun& run) {
  const auto& [block, groups, product_bits, sum_bits, sum_rounding, c_bits, c_rounding, c_reach,
               product_overflow, zero_terms, zero_exponent, result, normalized_bits,
               overflow_joins] = design;
  require_no_overflow(part, product_overflow);
  const std::size_t k_all = part.values.a.size();
  const std::size_t dot_mark = k_all + as_size(groups);
  const PlacedNumber dot = number_of(run, dot_mark);
  RulerSteps steps;
  std::vector<PlacedNumber> sums;
  for (std::size_t group = 0; group < as_size(groups); ++group) {
    sums.push_back(number_of(run, k_all + group));
    RulerStep step{.cut_how = cut_words(Rounding::toward_zero)};
    if (groups > 1) step.title = fmt::format("group {}: k mod {} = {}", group, groups, group);
    for (std::size_t k = group; k < k_all; k += as_size(groups)) {
      add_cut(step, product_label(part, k), exact_product(part, k), sums.back().exponent,
              Rounding::toward_zero);
    }
    set_sum(step, sums.back());
    steps.push_back(std::move(step));
  }
  if (groups > 1) {
    RulerStep step{.title = "the groups' sums", .cut_how = cut_words(sum_rounding)};
    for (std::size_t group = 0; group < sums.size(); ++group) {
      add_cut(step, fmt::format("group {}", group), sums[group], dot.exponent, sum_rounding);
    }
    set_sum(step, dot);
    steps.push_back(std::move(step));
  }
  RulerStep step{.title = "with " + part.first_c};
  step.cut_how =
      fmt::format("products' sum {}, c {}", cut_words(sum_rounding), in_words(c_rounding));
  add_kept(step, "products", dot, number_of(run, dot_mark + 1));
  const PlacedNumber c = exact_c(part);
  const PlacedNumber kept_c = number_of(run, dot_mark + 2);
  if (c_reach && kept_c.is_zero() && !c.is_zero()) {
    step.terms.push_back({part.first_c, c, kept_c, kept_c.exponent});  // out of reach
  } else {
    add_kept(step, part.first_c, c, kept_c);
  }
  set_sum(step, number_of(run, dot_mark + 3));
  if (normalized_bits) {
    RulerStep last{.title = "the sum",
                   .cut_how = fmt::format("normalised, {}", cut_words(sum_rounding))};
    const PlacedNumber cut = number_of(run, dot_mark + 4);
    add_kept(last, "sum", number_of(run, dot_mark + 3), cut);
    set_sum(last, cut);
    steps.push_back(std::move(step));
    step = std::move(last);
  }
  set_result(step, "d", run.d, result);
  steps.push_back(std::move(step));
  return steps;
}

RulerSteps steps_of(const ExactDotAdd& design, const RulerPart& part, const MarkedRun& run) {
  RulerStep step;
  std::vector<PlacedNumber> terms;
  for (std::size_t k = 0; k < part.values.a.size(); ++k) {
    terms.push_back(exact_product(part, k));
    add_exact(step, product_label(part, k), terms.back());
  }
  terms.push_back(exact_c(part));
  add_exact(step, part.first_c, terms.back());
  set_sum(step, number_of(run, last_sum(run)));
  step.sum = sum(terms);  // the same, without positions below every term
  set_result(step, "d", run.d, design.result);
  return {step};
}

RulerSteps steps_of(const BulkNormalizedDotAdd& design, const RulerPart& part,
                    const MarkedRun& run) {
  const auto& [block, guard_bits, dot_rule, result, flush_c, numbers_alone] = design;
  const std::size_t k_all = part.values.a.size();
  const PlacedNumber said = number_of(run, first_of(run, MarkRole::sum));
  RulerStep step;
  add_products(step, part, said.exponent, Rounding::to_odd);
  for (std::size_t k = 0; k < k_all; ++k) number_of(run, k_all + 1 + k);  // each of them is marked
  set_sum(step, said);
  const std::vector<Integer> patterns = patterns_of(run);
  if (patterns.empty()) throw Unexplained("a stage is not marked");
  const bool by_pseudo_code = dot_rule == BulkResult::pseudo_code;
  set_result(step, "products", patterns[0], result,
             by_pseudo_code ? "rounded by the manual's pseudo-code" : "");
  if (!step.result->number) {
    return {step, special_step("with " + part.first_c, *result.format, run.d)};
  }
  return {step, rounded_step("with " + part.first_c,
                             {{"products", placed(*result.format, patterns[0])},
                              {part.first_c, exact_c(part, flush_c)}},
                             "d", run.d, result)};
}

RulerSteps steps_of(const OnesComplementDotAdd& design, const RulerPart& part,
                    const MarkedRun& run) {
  const auto& [block, product_bits, c_bits, zero_c_counts, through_f32, result] = design;
  const auto below_f32 = [](const Format& f) {
    return f.least_exponent() <= formats::f32.least_exponent();
  };
  const DotFormats& f = part.formats;
  const std::size_t k_all = part.values.a.size();
  // Numbers are relative to c's sign: a negative c negates all of them.
  const bool negated = decode(*f.c, part.values.c).negative;
  const auto seen = [&](std::size_t mark) {
    const PlacedNumber x = number_of(run, mark);
    return negated ? negative(x) : x;
  };
  RulerStep step{.cut_how = "cut as ones' complement numbers, aligned to c"};
  for (std::size_t k = 0; k <= k_all; ++k) {
    PlacedNumber exact = exact_c(part, below_f32(*f.c));
    if (k < k_all) {
      exact = product(flushed(*f.a, placed(*f.a, part.values.a[k]), below_f32(*f.a)),
                      flushed(*f.b, placed(*f.b, part.values.b[k]), below_f32(*f.b)));
    }
    add_kept(step, k < k_all ? product_label(part, k) : part.first_c, exact, seen(k_all + 2 + k));
  }
  // If all terms are zeros so is the result, whatever their complements are.
  bool all_zero = true;
  for (const RulerTerm& t : step.terms) all_zero = all_zero && t.exact.is_zero();
  if (all_zero) {
    RulerStep zeros{.zero_terms = static_cast<int>(k_all) + 1};
    zeros.sum = PlacedNumber{};
    set_result(zeros, "d", run.d, result);
    return {zeros};
  }
  set_sum(step, seen(2 * k_all + 3));
  set_result(step, "d", run.d, result, through_f32_words(result, through_f32));
  return {step};
}

RulerSteps steps_of(const FlooredDotAdd& design, const RulerPart& part, const MarkedRun& run) {
  const auto& [block, group, product_bits, c_bits, halves_alternate, through_f32, result] = design;
  const std::size_t k_all = part.values.a.size();
  const std::size_t size = as_size(group);
  RulerSteps steps;
  RulerStep last{.title = "with " + part.first_c, .cut_how = cut_words(Rounding::down)};
  const std::size_t e_max = first_of(run, MarkRole::largest_exponent);
  const PlacedNumber said = number_of(run, e_max + 2);
  for (std::size_t first = 0; first < k_all; first += size) {
    const PlacedNumber dot = number_of(run, k_all + first / size);
    RulerStep step{.title = fmt::format("group {}", first / size),
                   .cut_how = cut_words(Rounding::down)};
    for (std::size_t k = first; k < first + size; ++k) {
      add_cut(step, product_label(part, k), exact_product(part, k), dot.exponent, Rounding::down);
    }
    set_sum(step, dot);
    steps.push_back(std::move(step));
    add_cut(last, fmt::format("group {}", first / size), dot, said.exponent, Rounding::down);
  }
  add_kept(last, part.first_c, exact_c(part), number_of(run, e_max + 1));
  set_sum(last, said);
  set_result(last, "d", run.d, result, through_f32_words(result, through_f32));
  steps.push_back(std::move(last));
  return steps;
}

}  // namespace mmaspec
