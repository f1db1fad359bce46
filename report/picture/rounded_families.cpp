// Families that round after every product or sum.

#include <fmt/format.h>

#include "report/picture/families.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

/// A named pattern in the sequence of steps.
struct Value {
  std::string name;
  const Format* format;
  Integer pattern;
  bool flush = false;  ///< a subnormal pattern counts as zero

  bool is_finite() const { return decode(*format, pattern).is_finite(); }
  PlacedNumber number() const { return flushed(*format, placed(*format, pattern), flush); }
};

/// Reads the patterns of an evaluation in the order of their creation.
class Patterns {
 public:
  explicit Patterns(const MarkedRun& run) : all_(patterns_of(run)) {}
  const Integer& next() {
    if (at_ == all_.size()) throw Unexplained("a stage is not marked");
    return all_[at_++];
  }

 private:
  std::vector<Integer> all_;
  std::size_t at_ = 0;
};

/// x + y, rounded once to the pattern.
RulerStep addition(const Value& x, const Value& y, const std::string& label, const Integer& pattern,
                   const ResultFormat& result) {
  const std::string title = x.name + " + " + y.name;
  if (!x.is_finite() || !y.is_finite()) return special_step(title, *result.format, pattern);
  return rounded_step(title, {{x.name, x.number()}, {y.name, y.number()}}, label, pattern, result);
}

/// The product, rounded to the pattern.
RulerStep multiplication(const RulerPart& part, std::size_t k, bool flush, const Integer& pattern,
                         const ResultFormat& result) {
  const std::string name = product_label(part, k);
  return rounded_step(name, {{name, exact_product(part, k, flush)}}, "rounded", pattern, result);
}

}  // namespace

RulerSteps steps_of(const SequentialFma& design, const RulerPart& part, const MarkedRun& run) {
  const auto& [result, flush_inputs, reversed, chains] = design;
  const bool flush_results = flush_inputs && result.underflow == Underflow::gradual;
  const Format& d = *part.formats.d;
  Patterns patterns(run);
  RulerSteps steps;
  const auto chain = [&, &result = result, flush_inputs = flush_inputs, reversed = reversed,
                      chains = chains](std::size_t number, Value from) {
    for (int first = 0; first < part.formats.k; first += reversed) {
      for (int i = reversed; i > 0; --i) {
        const std::size_t k = as_size(first + i - 1);
        if (k % as_size(chains) != number) continue;
        const std::string product = product_label(part, k);
        const std::string title = from.name + " + " + product;
        const Value next{fmt::format("d after k={}", part.numbers[k]), &d, patterns.next(),
                         flush_results};
        steps.push_back(from.is_finite()
                            ? rounded_step(title,
                                           {{product, exact_product(part, k, flush_inputs)},
                                            {from.name, from.number()}},
                                           "d", next.pattern, result)
                            : special_step(title, d, next.pattern));
        from = next;
      }
    }
    return from;
  };
  const Value c{part.first_c, part.formats.c, part.values.c, flush_inputs};
  if (chains == 1) {
    chain(0, c);
    return steps;
  }
  Value dot;
  for (std::size_t number = 0; number < as_size(chains); ++number) {
    Value sum = chain(number, {"0", &d, 0});
    sum.name = fmt::format("chain {}", number);
    if (number == 0) {
      dot = sum;
      continue;
    }
    const Value both{fmt::format("chains to {}", number), &d, patterns.next(), flush_results};
    steps.push_back(addition(dot, sum, "rounded", both.pattern, result));
    dot = both;
  }
  steps.push_back(addition(c, dot, "d", patterns.next(), result));
  return steps;
}

RulerSteps steps_of(const GroupPairwiseSum& design, const RulerPart& part, const MarkedRun& run) {
  const auto& [group, flush_inputs, step, minus_zero_products] = design;
  const Format& f = *step.format;
  Patterns patterns(run);
  RulerSteps steps;
  std::vector<Value> products;
  for (std::size_t k = 0; k < part.values.a.size(); ++k) {
    products.push_back({product_label(part, k), &f, patterns.next()});
    steps.push_back(multiplication(part, k, flush_inputs, products.back().pattern, step));
  }
  const std::function<Value(std::size_t, std::size_t)> pairwise =
      [&, &step = step](std::size_t first, std::size_t count) {
        if (count == 1) return products[first];
        const Value x = pairwise(first, count / 2);
        const Value y = pairwise(first + count / 2, count / 2);
        const Value sum{fmt::format("k={}..{}", first, first + count - 1), &f, patterns.next()};
        steps.push_back(addition(x, y, "rounded", sum.pattern, step));
        return sum;
      };
  Value d{part.first_c, part.formats.c, part.values.c, flush_inputs};
  for (std::size_t first = 0; first < products.size(); first += as_size(group)) {
    const Value sum = pairwise(first, as_size(group));
    if (group == 1) patterns.next();  // the same pattern again
    const Value next{fmt::format("d after k={}", first + as_size(group) - 1), &f, patterns.next()};
    steps.push_back(addition(d, sum, "d", next.pattern, step));
    d = next;
  }
  return steps;
}

RulerSteps steps_of(const PairDotAdd& design, const RulerPart& part, const MarkedRun& run) {
  const auto& [fused, flush_inputs, step] = design;
  const Format& f = *step.format;
  const bool flush_results = flush_inputs && step.underflow == Underflow::gradual;
  Patterns patterns(run);
  RulerSteps steps;
  Value d{part.first_c, part.formats.c, part.values.c, flush_inputs};
  for (std::size_t k = 0; k < part.values.a.size(); k += 2) {
    Value pair{fmt::format("k={}..{}", k, k + 1), &f, 0, flush_results};
    if (fused) {
      pair.pattern = patterns.next();
      steps.push_back(
          rounded_step(pair.name,
                       {{product_label(part, k), exact_product(part, k, flush_inputs)},
                        {product_label(part, k + 1), exact_product(part, k + 1, flush_inputs)}},
                       "rounded", pair.pattern, step));
    } else {
      const Value x{product_label(part, k), &f, patterns.next(), flush_results};
      steps.push_back(multiplication(part, k, flush_inputs, x.pattern, step));
      const Value y{product_label(part, k + 1), &f, patterns.next(), flush_results};
      steps.push_back(multiplication(part, k + 1, flush_inputs, y.pattern, step));
      pair.pattern = patterns.next();
      steps.push_back(addition(x, y, "rounded", pair.pattern, step));
    }
    const Value next{fmt::format("d after k={}", k + 1), &f, patterns.next(), flush_results};
    steps.push_back(addition(d, pair, "d", next.pattern, step));
    d = next;
  }
  return steps;
}

RulerSteps steps_of(const SplitFp8& design, const RulerPart& part, const MarkedRun& run) {
  const auto& [half_design, chained_halves] = design;
  const DotFormats& f = part.formats;
  RulerSteps steps;
  const auto half = [&, &half_design = half_design](std::size_t number, const Integer& c,
                                                    const std::string& name) {
    RulerPart in{half_formats(f), {{}, {}, c, {}, {}}, {}, name};
    for (std::size_t k = 0; k < part.values.a.size(); ++k) {
      if (k % 4 / 2 != number) continue;
      in.values.a.push_back(round_pattern(*f.a, part.values.a[k], *in.formats.a));
      in.values.b.push_back(round_pattern(*f.b, part.values.b[k], *in.formats.b));
      in.numbers.push_back(part.numbers[k]);
    }
    FusedDotAdd step = half_design;
    step.block = in.formats.k;
    const MarkedRun of_half = marked_run(step, in.formats, in.values);
    const std::string title =
        number == 0 ? "first half: k mod 4 in {0, 1}" : "second half: k mod 4 in {2, 3}";
    if (!is_finite(in)) {
      steps.push_back(special_step(title, *f.d, of_half.d));
      return of_half.d;
    }
    for (RulerStep& s : steps_of(step, in, of_half)) {
      s.title = s.title.empty() ? title : title + ", " + s.title;
      steps.push_back(std::move(s));
    }
    return of_half.d;
  };
  const ResultFormat nearest{f.d, Rounding::nearest_even};
  const Integer low = half(0, 0, "0");
  const Integer high = chained_halves ? half(1, low, "first half") : half(1, 0, "0");
  Value both{"halves", f.d, high};
  if (!chained_halves) {
    both.pattern = patterns_of(run).back();
    steps.push_back(addition({"first half", f.d, low}, {"second half", f.d, high}, "sum",
                             both.pattern, nearest));
  }
  steps.push_back(addition(both, {part.first_c, f.c, part.values.c}, "d", run.d, nearest));
  return steps;
}

}  // namespace mmaspec
