#include "spec/plans/kernel_schemes.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "spec/formats/convert.h"
#include "spec/formats/unpack.h"

namespace mmaspec {
namespace {

constexpr int kPermuted = 12;
constexpr int kMostOrders = 479001600;  // for this many parts

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
          "the accumulator of " + inner.name + " has another format than its result");
}

/// Adds all to +0. No sum with +0 is -0, and no other sum depends on a zero's sign.
Int atomically(const Format& f, std::vector<Int> sums, int order) {
  const Int minus_zero = with_sign(f, true, 0);
  for (Int& s : sums) s = select(s == minus_zero, Int(0), s);
  std::optional<Int> all;
  for (const int i : order_of_parts(static_cast<int>(sums.size()), order)) {
    const Int next = sums[static_cast<std::size_t>(i)];
    all = all ? plus(f, *all, next) : next;
  }
  return *all;
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
    case Reduce::halves:
      return "halves";
    case Reduce::atomic:
      return "atomic";
    case Reduce::atomic_any:
      return "atomic-any";
  }
  throw std::logic_error("no such reduction");
}

std::string to_string(WholeAccumulator accumulator) {
  return accumulator == WholeAccumulator::last    ? "last"
         : accumulator == WholeAccumulator::first ? "first"
                                                  : "none";
}

std::string to_string(Bias bias) {
  return bias == Bias::no ? "no" : bias == Bias::yes ? "yes" : "after";
}

std::string to_string(const Format* format) {
  return format == nullptr ? "same" : std::string(format->name);
}

DotFormats formats_around(const SplitK& scheme, const Inner& inner, int k) {
  require_same_accumulator(inner);
  const std::string asked = "k=" + std::to_string(k) + " in parts=" + std::to_string(scheme.parts);
  const std::string multiple = " a multiple of " + std::to_string(inner.formats.k);
  if (!scheme.lengths.empty()) {
    int sum = 0;
    for (const int length : scheme.lengths) {
      require(length % inner.formats.k == 0, "lengths=" + to_string(scheme.lengths) + ": " +
                                                 std::to_string(length) + " is not" + multiple);
      sum += length;
    }
    require(sum == k, "lengths=" + to_string(scheme.lengths) + " are " + std::to_string(sum) +
                          " products, and k is " + std::to_string(k));
  } else if (scheme.part == 0) {
    require(k % scheme.parts == 0 && k / scheme.parts % inner.formats.k == 0,
            asked + ": each part must be" + multiple);
  } else {
    const int last = lengths_of_parts(scheme, k).back();
    require(last > 0 && last <= scheme.part, asked + " of part=" + std::to_string(scheme.part) +
                                                 ": the last part would have " +
                                                 std::to_string(last) + " products");
    require(scheme.part % inner.formats.k == 0 && last % inner.formats.k == 0,
            asked + ": part and the rest for the last part must each be" + multiple);
  }
  const bool atomic = scheme.reduce == Reduce::atomic || scheme.reduce == Reduce::atomic_any;
  require(!atomic || scheme.accumulator != WholeAccumulator::first,
          "c_joins=first needs an atomic reduction: it adds to memory that holds c");
  require(atomic || scheme.accumulator != WholeAccumulator::none,
          "c_joins=none needs an atomic reduction: it adds to memory that does not hold c");
  require(scheme.order < (scheme.reduce == Reduce::atomic ? orders_of_parts(scheme.parts) : 1),
          "order=" + std::to_string(scheme.order) + ": reduce=" + to_string(scheme.reduce) +
              " does not have this order");
  require(scheme.partial == nullptr || *inner.formats.d == formats::f32,
          "partial=" + to_string(scheme.partial) + " needs f32 sums; " + inner.name + " computes " +
              std::string(inner.formats.d->name));
  return longer(inner, k);
}

void describe(SplitK& scheme, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [parts, reduce, accumulator, order, part, lengths, partial, fan] = scheme;
  visit.integer({.key = "parts", .meaning = "number of parts of K, each a chain from zero"}, parts,
                2, 1024);
  visit.one_of<Reduce>({"reduce", "the order in which partial sums are added"}, reduce,
                       {Reduce::forward, Reduce::backward, Reduce::tree, Reduce::halves,
                        Reduce::atomic, Reduce::atomic_any});
  visit.one_of<WholeAccumulator>(
      {"c_joins",
       "last: the accumulator is added after all parts; first: it is added first (atomic), or the "
       "first part starts from it; none: it is not read"},
      accumulator, {WholeAccumulator::last, WholeAccumulator::first, WholeAccumulator::none});
  visit.integer(
      {.key = "order", .meaning = "the order of atomic additions, as a number, for reduce=atomic"},
      order, 0, kMostOrders - 1);
  visit.integer(
      {.key = "part",
       .meaning = "products of each part except the last, which has the rest; 0: K / parts"},
      part, 0, std::max(formats.k, 1));
  visit.integers({.key = "lengths",
                  .meaning = "products of each part, one by one; replaces parts and part",
                  .shown = !lengths.empty()},
                 lengths, 1, std::max(formats.k, 1));
  visit.require(
      [&, &parts = parts, &part = part, &lengths = lengths] {
        const int count = static_cast<int>(lengths.size());
        return count == 0 || (count > 1 && part == 0 && (parts == 2 || parts == count));
      },
      "lengths=" + to_string(lengths) + " needs two or more parts, and excludes parts and part");
  if (!lengths.empty()) parts = static_cast<int>(lengths.size());
  visit.one_of<const Format*>({"partial",
                               "format to which each partial sum is rounded before the partial "
                               "sums are added; same: they are not rounded"},
                              partial, {nullptr, &formats::f16, &formats::bf16});
  visit.integer(
      {.key = "fan", .meaning = "summands of each sum, for reduce=tree", .shown = fan != 2}, fan, 2,
      1024);
  visit.require([&reduce = reduce, &fan = fan] { return fan == 2 || reduce == Reduce::tree; },
                "fan=" + std::to_string(fan) + " needs reduce=tree");
}

int most_additions(const SplitK& scheme) {
  if (scheme.reduce != Reduce::tree && scheme.reduce != Reduce::halves) return scheme.parts - 1;
  const int fan = scheme.reduce == Reduce::tree ? scheme.fan : 2;
  int additions = 0;
  for (int left = scheme.parts; left > 1; left = (left + fan - 1) / fan) {
    additions += std::min(left, fan) - 1;
  }
  return additions;
}

std::vector<int> lengths_of_parts(const SplitK& scheme, int k) {
  if (!scheme.lengths.empty()) return scheme.lengths;
  std::vector<int> lengths(static_cast<std::size_t>(scheme.parts),
                           scheme.part == 0 ? k / scheme.parts : scheme.part);
  if (scheme.part != 0) {
    // In 64 bits: overflow is refused instead of wrapped.
    const auto before = static_cast<std::int64_t>(scheme.parts - 1) * scheme.part;
    lengths.back() = static_cast<int>(std::max<std::int64_t>(k - before, 0));
  }
  return lengths;
}

int orders_of_parts(int parts) {
  int count = 1;
  for (int n = 2; n <= std::min(parts, kPermuted); ++n) count *= n;
  return count;
}

std::vector<int> order_of_parts(int parts, int number) {
  std::vector<int> order(static_cast<std::size_t>(parts));
  std::iota(order.begin(), order.end(), 0);
  // The digits of `number` in the factorial number system select the next of the remaining parts.
  int permuted = std::min(parts, kPermuted);
  for (auto next = order.end() - permuted; permuted > 1; ++next, --permuted) {
    const int orders_of_rest = orders_of_parts(permuted - 1);
    const auto chosen = next + number / orders_of_rest;
    std::rotate(next, chosen, chosen + 1);
    number %= orders_of_rest;
  }
  return order;
}

Int combine(const SplitK& scheme, const Format& f, std::vector<Int> sums, Int c) {
  const auto& [parts, reduce, accumulator, order, part, lengths, partial, fan] = scheme;
  require(reduce != Reduce::atomic_any,
          "reduce=atomic-any has many results: 'diff PLAN PLAN' decides whether two runs can "
          "differ; reduce=atomic,order=N selects one order");
  if (partial != nullptr) {
    for (Int& s : sums) s = convert(*partial, convert(f, s, *partial).pattern, f).pattern;
  }
  Int sum = reduce == Reduce::backward ? sums.back() : sums.front();
  switch (reduce) {
    case Reduce::atomic:
    case Reduce::atomic_any:
      if (accumulator == WholeAccumulator::none) return atomically(f, sums, order);
      sum = c;
      for (const int i : order_of_parts(parts, order)) {
        sum = plus(f, sum, sums[static_cast<std::size_t>(i)]);
      }
      return sum;
    case Reduce::forward:
      for (std::size_t i = 1; i < sums.size(); ++i) sum = plus(f, sum, sums[i]);
      break;
    case Reduce::backward:
      for (std::size_t i = sums.size() - 1; i-- > 0;) sum = plus(f, sum, sums[i]);
      break;
    case Reduce::tree:
      for (; sums.size() > 1;) {
        std::vector<Int> next;
        for (std::size_t i = 0; i < sums.size(); ++i) {
          if (i % static_cast<std::size_t>(fan) == 0) {
            next.push_back(sums[i]);
          } else {
            next.back() = plus(f, next.back(), sums[i]);
          }
        }
        sums = std::move(next);
      }
      sum = sums.front();
      break;
    case Reduce::halves:
      for (; sums.size() > 1;) {
        const std::size_t half = (sums.size() + 1) / 2;
        for (std::size_t i = 0; i + half < sums.size(); ++i)
          sums[i] = plus(f, sums[i], sums[i + half]);
        sums.erase(sums.begin() + static_cast<std::ptrdiff_t>(half), sums.end());
      }
      sum = sums.front();
      break;
  }
  return accumulator == WholeAccumulator::last ? plus(f, sum, c) : sum;
}

Int build_plan(const SplitK& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  std::vector<Int> sums;
  int first = 0;
  for (const int length : lengths_of_parts(scheme, formats.k)) {
    const bool takes_c = first == 0 && scheme.accumulator == WholeAccumulator::first;
    sums.push_back(
        run_inner(inner, part_of(formats, length),
                  slice(formats, operands, first, length, takes_c ? operands.c : Int(0))));
    first += length;
  }
  return combine(scheme, *formats.d, std::move(sums), operands.c);
}

int plan_step(const SplitK&, const Inner&) { return 0; }

DotFormats formats_around(const Promote& scheme, const Inner& inner, int k) {
  require_same_accumulator(inner);
  require(scheme.every % inner.formats.k == 0, "every=" + std::to_string(scheme.every) +
                                                   ": expected a multiple of " +
                                                   std::to_string(inner.formats.k));
  require(k % scheme.every == 0, "k=" + std::to_string(k) + ": expected a multiple of every=" +
                                     std::to_string(scheme.every));
  DotFormats formats = longer(inner, k);
  if (scheme.scales) {
    require(formats.scale == nullptr, inner.name + " has scale factors already");
    require(*formats.d == formats::f32, "scales=yes needs f32 sums; " + inner.name + " computes " +
                                            std::string(formats.d->name));
    formats.scale = &formats::f32;
    formats.scale_block = scheme.every;
  }
  return formats;
}

void describe(Promote& scheme, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [every, scales, fma] = scheme;
  visit.integer({.key = "every", .meaning = "products between two promotions", .required = true},
                every, 1, std::max(formats.k, 1));
  visit.yes_no({"scales", "each block of a and of b has a scale factor in f32"}, scales);
  visit.yes_no({"fma", "scales * accumulator is not rounded before it is added"}, fma);
}

Int build_plan(const Promote& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  const auto& [every, scales, fma] = scheme;
  return chain(formats, operands, every,
               [&, scales = scales, fma = fma](DotFormats part, const DotOperands& in) {
                 const Format& d = *formats.d;
                 DotOperands from_zero = in;
                 from_zero.c = 0;
                 if (!scales) return plus(d, in.c, run_inner(inner, part, from_zero));
                 part.scale = nullptr;
                 part.scale_block = 0;
                 from_zero.scale_a.clear();
                 from_zero.scale_b.clear();
                 const Int scale = times(d, in.scale_a.at(0), in.scale_b.at(0));
                 const Int sum = run_inner(inner, part, from_zero);
                 return fma ? fused(d, scale, sum, in.c) : plus(d, times(d, scale, sum), in.c);
               });
}

int plan_step(const Promote& scheme, const Inner&) { return scheme.every; }

DotFormats formats_around(const Epilogue& scheme, const Inner& inner, int k) {
  require_same_accumulator(inner);
  require(*inner.formats.d == formats::f32, "an epilogue needs f32 sums; " + inner.name +
                                                " computes " + std::string(inner.formats.d->name));
  require(k % inner.formats.k == 0,
          "k=" + std::to_string(k) + ": expected a multiple of " + std::to_string(inner.formats.k));
  require(scheme.bias == Bias::no || scheme.beta == 0x3f800000,
          "bias=" + to_string(scheme.bias) + ": beta must be 1, because C is the bias");
  DotFormats formats = longer(inner, k);
  formats.d = scheme.out;
  return formats;
}

void describe(Epilogue& scheme, const DotFormats&, ParameterVisitor& visit) {
  auto& [alpha, beta, out, bias, fma, saturate] = scheme;
  visit.number({"alpha", "factor of the sum"}, alpha, formats::f32);
  visit.number({"beta", "factor of c; with 0, c is not read"}, beta, formats::f32);
  std::vector<const Format*> results;
  for (const Format* f : all_formats()) {
    const bool says_nan = f->specials == Specials::ieee || f->specials == Specials::nan_all_ones;
    if (f->has_sign && says_nan && f->storage_bits <= 32) results.push_back(f);
  }
  visit.one_of<const Format*>({"out", "format of the result"}, out, results);
  visit.one_of<Bias>({"bias", "c is a bias; after: added to the result by another kernel"}, bias,
                     {Bias::no, Bias::yes, Bias::after});
  visit.yes_no({"fma", "alpha * sum is not rounded before beta * c is added"}, fma);
  visit.yes_no({"saturate", "numbers beyond the largest are replaced by that; infinities are kept"},
               saturate);
}

namespace {

/// An f32 number in the format of the results.
Int store(const Epilogue& scheme, Int number) {
  const Format& f32 = formats::f32;
  const Format& out = *scheme.out;
  const Int stored = convert(f32, number, out).pattern;
  if (!scheme.saturate || out == f32) return stored;
  const Unpacked x = unpack(f32, number);
  const Unpacked y = unpack(out, stored);
  const Bool overflowed = x.is_finite() && !y.is_finite();
  const Integer largest = out.largest_finite() << static_cast<unsigned>(out.ignored_low_bits);
  return select(overflowed, with_sign(out, x.sign, largest), stored);
}

}  // namespace

Int finish(const Epilogue& scheme, Int sum, Int c) {
  const auto& [alpha, beta, out, bias, fma, saturate] = scheme;
  const Format& f32 = formats::f32;
  const bool without_c = bias == Bias::after || beta % power_of_two(31) == 0;
  const Int of_c = without_c ? Int(0) : times(f32, beta, c);
  // 1 * sum is exact, fused or not: both are one expression.
  const Int result = without_c             ? times(f32, alpha, sum)
                     : alpha == 0x3f800000 ? plus(f32, sum, of_c)
                     : fma                 ? fused(f32, alpha, sum, of_c)
                                           : plus(f32, times(f32, alpha, sum), of_c);
  const Int stored = store(scheme, result);
  if (bias != Bias::after) return stored;
  return store(scheme, plus(f32, convert(*out, stored, f32).pattern, c));
}

Int build_plan(const Epilogue& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  DotFormats of_sum = formats;
  of_sum.d = &formats::f32;
  DotOperands from_zero = operands;
  from_zero.c = 0;
  return finish(scheme, run_inner(inner, of_sum, from_zero), operands.c);
}

int plan_step(const Epilogue&, const Inner&) { return 0; }

}  // namespace mmaspec
