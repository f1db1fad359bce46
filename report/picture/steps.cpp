#include "report/picture/steps.h"

#include <fmt/format.h>

#include <numeric>

#include "spec/formats/text.h"

namespace mmaspec {
namespace {

bool all_finite(const Format* format, const std::vector<Integer>& patterns) {
  for (const Integer& p : patterns) {
    if (!decode(*format, p).is_finite()) return false;
  }
  return true;
}

/// |x - y| < 2^exponent.
bool are_near(const PlacedNumber& x, const PlacedNumber& y, int exponent) {
  return is_below(sum({x, negative(y)}), exponent);
}

/// The reason why a sum is not next to its result; empty: unknown.
std::string beyond_range(const PlacedNumber& sum, const PlacedNumber& result,
                         const Format& format) {
  if (result.is_zero() && is_below(sum, format.least_exponent())) return "flushed to zero";
  const bool too_large = !is_below(sum, format.largest_exponent());
  if (too_large && !is_below(result, format.largest_exponent())) return "overflow: saturated";
  return "";
}

}  // namespace

std::string in_words(Rounding rounding) {
  switch (rounding) {
    case Rounding::toward_zero:
      return "toward zero";
    case Rounding::nearest_even:
      return "to nearest even";
    case Rounding::down:
      return "down";
    case Rounding::up:
      return "up";
    case Rounding::nearest_away:
      return "to nearest, ties away";
    case Rounding::to_odd:
      break;
  }
  return "to odd";
}

RulerPart slice(const RulerPart& part, int first, int count, const Integer& c,
                const std::string& c_name) {
  const DotFormats& f = part.formats;
  const auto of = [&](const auto& all) {
    return std::decay_t<decltype(all)>(all.begin() + first, all.begin() + first + count);
  };
  RulerPart result{part_of(f, count),
                   {of(part.values.a), of(part.values.b), c, {}, {}},
                   of(part.numbers),
                   c_name};
  if (first > 0) result.formats.c = f.d;
  if (f.scale == nullptr) return result;
  for (int k = first; k < first + count; k += result.formats.scale_block) {
    const auto index = static_cast<std::size_t>(k / f.scale_block);
    result.values.scale_a.push_back(part.values.scale_a[index]);
    result.values.scale_b.push_back(part.values.scale_b[index]);
  }
  return result;
}

bool is_finite(const RulerPart& part) {
  const auto& [formats, values, numbers, name] = part;
  return all_finite(formats.a, values.a) && all_finite(formats.b, values.b) &&
         all_finite(formats.c, {values.c}) && all_finite(formats.scale, values.scale_a) &&
         all_finite(formats.scale, values.scale_b);
}

PlacedNumber flushed(const Format& format, const PlacedNumber& x, bool flush) {
  return flush && is_below(x, format.least_exponent()) ? PlacedNumber{0, x.exponent} : x;
}

PlacedNumber exact_product(const RulerPart& part, std::size_t k, bool flush) {
  const DotFormats& f = part.formats;
  const PlacedNumber p = product(flushed(*f.a, placed(*f.a, part.values.a[k]), flush),
                                 flushed(*f.b, placed(*f.b, part.values.b[k]), flush));
  if (f.scale == nullptr) return p;
  const std::size_t block = k / static_cast<std::size_t>(f.scale_block);
  return product(p, product(placed(*f.scale, part.values.scale_a[block]),
                            placed(*f.scale, part.values.scale_b[block])));
}

PlacedNumber exact_c(const RulerPart& part, bool flush) {
  return flushed(*part.formats.c, placed(*part.formats.c, part.values.c), flush);
}

std::string product_label(const RulerPart& part, std::size_t k) {
  return fmt::format("a[{0}]*b[{0}]", part.numbers[k]);
}

void add_cut(RulerStep& step, const std::string& label, const PlacedNumber& exact, int exponent,
             Rounding rounding) {
  if (exact.is_zero()) {
    ++step.zero_terms;
    return;
  }
  step.terms.push_back({label, exact, cut(exact, exponent, rounding), exponent});
}

void add_exact(RulerStep& step, const std::string& label, const PlacedNumber& exact) {
  if (exact.is_zero()) {
    ++step.zero_terms;
    return;
  }
  step.terms.push_back({label, exact, exact, {}});
}

void add_kept(RulerStep& step, const std::string& label, const PlacedNumber& exact,
              const PlacedNumber& kept) {
  if (exact.is_zero() && kept.is_zero()) {
    ++step.zero_terms;
    return;
  }
  // Rounding changes a number by less than a unit; a ones' complement by up to a whole unit.
  if (!are_near(exact, kept, kept.exponent) && !are_near(exact, kept, kept.exponent + 1)) {
    throw Unexplained(label + " is replaced by another number");
  }
  step.terms.push_back({label, exact, kept, kept.exponent});
}

void set_sum(RulerStep& step, const PlacedNumber& said) {
  std::vector<PlacedNumber> kept;
  for (const RulerTerm& t : step.terms) kept.push_back(t.kept);
  if (!equal_values(sum(kept), said)) throw Unexplained("the terms do not add up to the sum");
  step.sum = said;
}

PlacedNumber number_of(const MarkedRun& run, std::size_t mark) {
  if (mark >= run.marks.size() || !run.marks[mark].exponent) {
    throw Unexplained("a stage is not marked");
  }
  return {run.marks[mark].integer, *run.marks[mark].exponent};
}

std::size_t last_sum(const MarkedRun& run) {
  for (std::size_t i = run.marks.size(); i > 1; --i) {
    if (run.marks[i - 1].role == MarkRole::normalized) return i - 2;
  }
  throw Unexplained("no rounding is marked");
}

std::size_t first_of(const MarkedRun& run, MarkRole role) {
  for (std::size_t i = 0; i < run.marks.size(); ++i) {
    if (run.marks[i].role == role) return i;
  }
  throw Unexplained("a stage is not marked");
}

std::vector<Integer> patterns_of(const MarkedRun& run) {
  std::vector<Integer> patterns;
  for (const MarkValue& m : run.marks) {
    if (m.role == MarkRole::pattern) patterns.push_back(m.integer);
  }
  return patterns;
}

void set_result(RulerStep& step, const std::string& label, const Integer& pattern,
                const ResultFormat& result, const std::string& how) {
  const Format& f = *result.format;
  RulerResult r{label,
                {},
                {},
                pattern_text(f, pattern),
                how.empty() ? "rounded " + in_words(result.rounding) : how};
  const Decoded d = decode(f, pattern);
  if (!d.is_finite()) {
    if (is_below(*step.sum, f.largest_exponent()))
      throw Unexplained("a finite sum is not a number");
    r.how = "overflow";
    step.result = std::move(r);
    return;
  }
  r.number = placed(f, pattern);
  r.last_place = d.exponent + f.fraction_bits - result.fraction_bits();
  if (equal_values(*r.number, *step.sum)) {
    r.how = "exact";
  } else if (!are_near(*r.number, *step.sum, *r.last_place)) {
    r.how = beyond_range(*step.sum, *r.number, f);
    if (r.how.empty()) throw Unexplained("the result is not a neighbour of the sum");
  }
  step.result = std::move(r);
}

RulerStep rounded_step(const std::string& title,
                       const std::vector<std::pair<std::string, PlacedNumber>>& terms,
                       const std::string& label, const Integer& pattern,
                       const ResultFormat& result) {
  RulerStep step{.title = title};
  std::vector<PlacedNumber> numbers;
  for (const auto& [name, number] : terms) {
    add_exact(step, name, number);
    numbers.push_back(number);
  }
  step.sum = sum(numbers);
  set_result(step, label, pattern, result);
  return step;
}

RulerStep special_step(const std::string& title, const Format& format, const Integer& d) {
  RulerStep step{.title = title};
  step.note = "an operand is infinite or NaN, so nothing is aligned; the result is " +
              pattern_text(format, d);
  step.declines = true;
  return step;
}

RulerStep declining_step(const std::string& title, const MarkedRun& run, const Format& format,
                         const std::string& why) {
  RulerStep step{.title = title};
  step.declines = true;
  step.note = why + ": the stages that the specification marks; lost bits are not shown";
  for (const MarkValue& m : run.marks) {
    std::optional<PlacedNumber> number;
    if (m.exponent) number = {m.integer, *m.exponent};
    if (m.role == MarkRole::pattern && decode(format, m.integer).is_finite()) {
      number = placed(format, m.integer);
    }
    if (number) add_exact(step, m.label, *number);
  }
  return step;
}

bool is_dull(const RulerStep& step) {
  if (step.declines || step.terms.size() > 1) return false;
  for (const RulerTerm& t : step.terms) {
    if (!equal_values(t.exact, t.kept)) return false;
  }
  if (!step.result) return true;
  return step.result->number && equal_values(*step.result->number, *step.sum);
}

std::string pattern_text(const Format& format, const Integer& pattern) {
  const auto digits = static_cast<unsigned>(format.hex_digits());
  return fmt::format("0x{} = {} = {}", to_hex(pattern, digits), to_hex_float(format, pattern),
                     to_decimal(format, pattern));
}

}  // namespace mmaspec
