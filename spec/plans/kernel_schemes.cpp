#include "spec/plans/kernel_schemes.h"

#include <stdexcept>

#include "spec/formats/convert.h"
#include "spec/formats/unpack.h"

namespace mmaspec {
namespace {

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw std::invalid_argument(otherwise);
}

/// The inner's formats with a longer K.
DotFormats longer(const Inner& inner, int k) {
  DotFormats formats = inner.formats;
  formats.k = k;
  return formats;
}

void require_same_accumulator(const Inner& inner) {
  require(*inner.formats.c == *inner.formats.d,
          "the accumulator of " + inner.name + " is of another format than its result");
}

}  // namespace

std::string to_string(Reduce reduce) {
  switch (reduce) {
    case Reduce::forward:
      return "sequential";
    case Reduce::backward:
      return "backward";
    case Reduce::tree:
      return "tree";
  }
  throw std::logic_error("no such reduction");
}

std::string to_string(WholeAccumulator accumulator) {
  return accumulator == WholeAccumulator::last ? "last" : "first";
}

std::string to_string(const Format* format) { return std::string(format->name); }

DotFormats formats_around(const SplitK& scheme, const Inner& inner, int k) {
  require_same_accumulator(inner);
  require(k % scheme.parts == 0 && k / scheme.parts % inner.formats.k == 0,
          "k=" + std::to_string(k) + " in parts=" + std::to_string(scheme.parts) +
              ": each part must be a multiple of " + std::to_string(inner.formats.k));
  return longer(inner, k);
}

void describe(SplitK& scheme, const DotFormats&, ParameterVisitor& visit) {
  auto& [parts, reduce, accumulator] = scheme;
  visit.integer({.key = "parts", .meaning = "equal parts of K, each a chain from zero"}, parts, 2,
                1024);
  visit.one_of<Reduce>({"reduce", "the order in which partial sums are added"}, reduce,
                       {Reduce::forward, Reduce::backward, Reduce::tree});
  visit.one_of<WholeAccumulator>(
      {"c_joins", "the accumulator is added last, or the first part starts from it"}, accumulator,
      {WholeAccumulator::last, WholeAccumulator::first});
}

Int build_plan(const SplitK& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  const auto& [parts, reduce, accumulator] = scheme;
  const Format& f = *formats.d;
  const int length = formats.k / parts;
  std::vector<Int> sums;
  for (int i = 0; i < parts; ++i) {
    const bool takes_c = i == 0 && accumulator == WholeAccumulator::first;
    sums.push_back(
        run_inner(inner, part_of(formats, length),
                  slice(formats, operands, i * length, length, takes_c ? operands.c : Int(0))));
  }
  Int sum = reduce == Reduce::backward ? sums.back() : sums.front();
  switch (reduce) {
    case Reduce::forward:
      for (std::size_t i = 1; i < sums.size(); ++i) sum = plus(f, sum, sums[i]);
      break;
    case Reduce::backward:
      for (std::size_t i = sums.size() - 1; i-- > 0;) sum = plus(f, sum, sums[i]);
      break;
    case Reduce::tree:
      for (; sums.size() > 1;) {
        std::vector<Int> next;
        for (std::size_t i = 0; i + 1 < sums.size(); i += 2) {
          next.push_back(plus(f, sums[i], sums[i + 1]));
        }
        if (sums.size() % 2 == 1) next.push_back(sums.back());
        sums = std::move(next);
      }
      sum = sums.front();
      break;
  }
  return accumulator == WholeAccumulator::last ? plus(f, sum, operands.c) : sum;
}

int plan_step(const SplitK&, const Inner&) { return 0; }

DotFormats formats_around(const Promote& scheme, const Inner& inner, int k) {
  require_same_accumulator(inner);
  require(scheme.every % inner.formats.k == 0, "every=" + std::to_string(scheme.every) +
                                                   ": expected a multiple of " +
                                                   std::to_string(inner.formats.k));
  require(k % scheme.every == 0, "k=" + std::to_string(k) + ": expected a multiple of every=" +
                                     std::to_string(scheme.every));
  return longer(inner, k);
}

void describe(Promote& scheme, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [every] = scheme;
  visit.integer({.key = "every", .meaning = "products between two promotions", .required = true},
                every, 1, std::max(formats.k, 1));
}

Int build_plan(const Promote& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  const auto& [every] = scheme;
  return chain(formats, operands, every, [&](const DotFormats& part, const DotOperands& in) {
    DotOperands from_zero = in;
    from_zero.c = 0;
    return plus(*formats.d, in.c, run_inner(inner, part, from_zero));
  });
}

int plan_step(const Promote& scheme, const Inner&) { return scheme.every; }

DotFormats formats_around(const Epilogue& scheme, const Inner& inner, int k) {
  require_same_accumulator(inner);
  require(*inner.formats.d == formats::f32, "an epilogue is of f32 sums; " + inner.name +
                                                " makes " + std::string(inner.formats.d->name));
  require(k % inner.formats.k == 0,
          "k=" + std::to_string(k) + ": expected a multiple of " + std::to_string(inner.formats.k));
  DotFormats formats = longer(inner, k);
  formats.d = scheme.out;
  return formats;
}

void describe(Epilogue& scheme, const DotFormats&, ParameterVisitor& visit) {
  auto& [alpha, beta, out, fma, saturate] = scheme;
  visit.number({"alpha", "factor of the sum"}, alpha, formats::f32);
  visit.number({"beta", "factor of c; with 0 c is not read"}, beta, formats::f32);
  std::vector<const Format*> results;
  for (const Format* f : all_formats()) {
    const bool says_nan = f->specials == Specials::ieee || f->specials == Specials::nan_all_ones;
    if (f->has_sign && says_nan && f->storage_bits <= 32) results.push_back(f);
  }
  visit.one_of<const Format*>({"out", "format of the result"}, out, results);
  visit.yes_no({"fma", "alpha * sum is not rounded before beta * c is added"}, fma);
  visit.yes_no({"saturate", "numbers beyond the largest become that; infinities stay"}, saturate);
}

Int build_plan(const Epilogue& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  const auto& [alpha, beta, out, fma, saturate] = scheme;
  const Format& f32 = formats::f32;
  DotFormats of_sum = formats;
  of_sum.d = &f32;
  DotOperands from_zero = operands;
  from_zero.c = 0;
  const Int sum = run_inner(inner, of_sum, from_zero);
  const bool without_c = beta % power_of_two(31) == 0;
  const Int of_c = without_c ? Int(0) : times(f32, beta, operands.c);
  const Int result = without_c ? times(f32, alpha, sum)
                     : fma     ? fused(f32, alpha, sum, of_c)
                               : plus(f32, times(f32, alpha, sum), of_c);
  const Int stored = convert(f32, result, *out).pattern;
  if (!saturate || *out == f32) return stored;
  const Unpacked x = unpack(f32, result);
  const Unpacked y = unpack(*out, stored);
  const Bool overflowed = x.is_finite() && !y.is_finite();
  const Integer largest = out->largest_finite() << static_cast<unsigned>(out->ignored_low_bits);
  return select(overflowed, with_sign(*out, x.sign, largest), stored);
}

int plan_step(const Epilogue&, const Inner&) { return 0; }

}  // namespace mmaspec
