#include "spec/plans/operand_schemes.h"

#include <algorithm>
#include <stdexcept>

#include "spec/algorithms/chain_step.h"
#include "spec/formats/convert.h"
#include "spec/formats/unpack.h"
#include "spec/plans/kernel_schemes.h"

namespace mmaspec {
namespace {

constexpr int kLongestGroup = 65536;  // products that are permuted together

void require_operands(bool holds, const std::string& otherwise) {
  if (!holds) throw std::invalid_argument(otherwise);
}

void require_multiple(const Inner& inner, int k) {
  require_operands(
      k % inner.formats.k == 0,
      "k=" + std::to_string(k) + ": expected a multiple of " + std::to_string(inner.formats.k));
  require_operands(k == inner.formats.k || *inner.formats.c == *inner.formats.d,
                   "the accumulator of " + inner.name + " has another format than its result");
}

/// Formats of which an operand may be before it is converted.
std::vector<const Format*> convertible_formats() {
  std::vector<const Format*> all;
  for (const Format* f : all_formats()) {
    if (f->has_sign && f->has_zero && f->storage_bits <= 64) all.push_back(f);
  }
  return all;
}

}  // namespace

DotFormats formats_around(const Convert& scheme, const Inner& inner, int k) {
  require_operands(inner.formats.scale == nullptr, inner.name + " has scale factors");
  require_multiple(inner, k);
  for (const auto& [scale, from] :
       {std::pair(scheme.scale_a, scheme.a), {scheme.scale_b, scheme.b}}) {
    require_operands(
        scale == Convert::kUnscaled || from->storage_bits <= 32,
        "scaled operands are multiplied in f32, which does not represent all numbers of " +
            std::string(from->name));
  }
  DotFormats formats = inner.formats;
  formats.a = scheme.a;
  formats.b = scheme.b;
  formats.k = k;
  return formats;
}

void describe(Convert& scheme, const DotFormats&, ParameterVisitor& visit) {
  auto& [a, b, round, saturate, scale_a, scale_b] = scheme;
  visit.one_of<const Format*>({"a", "format of a before it is converted"}, a,
                              convertible_formats());
  visit.one_of<const Format*>({"b", "format of b before it is converted"}, b,
                              convertible_formats());
  visit.one_of<Rounding>({"round", "rounding of the conversion"}, round,
                         {Rounding::toward_zero, Rounding::nearest_even, Rounding::nearest_away});
  visit.yes_no({"saturate", "numbers beyond the largest are replaced by that; infinities are kept"},
               saturate);
  visit.number({.key = "scale_a",
                .meaning = "factor of each a, in f32, before it is converted",
                .shown = scale_a != Convert::kUnscaled},
               scale_a, formats::f32);
  visit.number(
      {.key = "scale_b", .meaning = "factor of each b", .shown = scale_b != Convert::kUnscaled},
      scale_b, formats::f32);
}

Int converted_operand(const Convert& scheme, const Format& from, Int number, const Format& to,
                      const Integer& scale) {
  if (scale != Convert::kUnscaled) {
    const Format& f32 = formats::f32;
    const Int wide = from == f32 ? number : convert(from, number, f32).pattern;
    return converted_operand(scheme, f32, times(f32, Int(scale), wide), to, Convert::kUnscaled);
  }
  if (from == to) return number;
  return converted({scheme.round, scheme.saturate ? Overflow::saturate : Overflow::to_infinity},
                   from, number, to);
}

Int build_plan(const Convert& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  DotOperands converted = operands;
  for (Int& x : converted.a) {
    x = converted_operand(scheme, *formats.a, x, *inner.formats.a, scheme.scale_a);
  }
  for (Int& x : converted.b) {
    x = converted_operand(scheme, *formats.b, x, *inner.formats.b, scheme.scale_b);
  }
  DotFormats of_inner = formats;
  of_inner.a = inner.formats.a;
  of_inner.b = inner.formats.b;
  return run_inner(inner, of_inner, converted);
}

int plan_step(const Convert&, const Inner& inner) {
  return *inner.formats.c == *inner.formats.d ? chain_step(inner.algorithm, inner.formats) : 0;
}

std::string to_string(ProductOrder order) {
  return order == ProductOrder::interleaved ? "interleaved" : "reversed";
}

int permuted_multiple(const Permute& scheme) {
  const auto& [order, ways, block, within, unroll] = scheme;
  if (order == ProductOrder::reversed) return block;
  if (unroll > 0) return 1;
  return within > 0 ? within : ways * block;
}

std::vector<int> permuted_products(const Permute& scheme, int k) {
  const auto& [order, ways, block, within, unroll] = scheme;
  std::vector<int> products;
  const auto add = [&, block = block](int first) {
    for (int i = first; i < first + block; ++i) products.push_back(i);
  };
  if (order == ProductOrder::reversed) {
    for (int first = k - block; first >= 0; first -= block) add(first);
    return products;
  }
  const int dealt = unroll > 0 ? k / unroll * unroll : k;
  const int group = within > 0 ? within : k;
  for (int start = 0; start < k; start += group) {
    const int end = std::min(start + group, dealt);
    for (int way = 0; way < ways; ++way) {
      for (int first = start + way * block; first < end; first += ways * block) add(first);
      for (int rest = dealt; way == 0 && rest < k; ++rest) products.push_back(rest);
    }
  }
  return products;
}

DotFormats formats_around(const Permute& scheme, const Inner& inner, int k) {
  require_operands(inner.formats.scale == nullptr, inner.name + " has scale factors");
  require_multiple(inner, k);
  require_operands(scheme.within % (scheme.ways * scheme.block) == 0,
                   "within=" + std::to_string(scheme.within) + ": expected a multiple of " +
                       std::to_string(scheme.ways * scheme.block) + ", ways * block");
  require_operands(scheme.unroll % (scheme.ways * scheme.block) == 0,
                   "unroll=" + std::to_string(scheme.unroll) + ": expected a multiple of " +
                       std::to_string(scheme.ways * scheme.block) + ", ways * block");
  const int multiple = permuted_multiple(scheme);
  require_operands(k % multiple == 0, "k=" + std::to_string(k) + ": expected a multiple of " +
                                          std::to_string(multiple));
  DotFormats formats = inner.formats;
  formats.k = k;
  return formats;
}

// A block or a group may be longer than K, which is filled up to whole ones.
void describe(Permute& scheme, const DotFormats&, ParameterVisitor& visit) {
  auto& [order, ways, block, within, unroll] = scheme;
  visit.one_of<ProductOrder>({"order",
                              "interleaved: blocks are assigned to ways in turn, and all blocks of "
                              "the first way come first; reversed: the last block comes first"},
                             order, {ProductOrder::interleaved, ProductOrder::reversed});
  visit.integer({.key = "ways",
                 .meaning = "needs order=interleaved",
                 .shown = order == ProductOrder::interleaved},
                ways, 2, 1024);
  visit.integer({.key = "block", .meaning = "products that stay together", .required = true}, block,
                1, kLongestGroup);
  visit.integer({.key = "within",
                 .meaning = "for order=interleaved: products that are permuted separately; 0: all",
                 .shown = order == ProductOrder::interleaved && within > 0},
                within, 0, kLongestGroup);
  visit.integer({.key = "unroll",
                 .meaning = "for order=interleaved: only whole groups of this many products are "
                            "assigned to ways; the other products follow the first way; 0: all "
                            "products are assigned",
                 .shown = unroll > 0},
                unroll, 0, kLongestGroup);
  visit.require(
      [&order = order, &within = within, &unroll = unroll] {
        return unroll == 0 || (order == ProductOrder::interleaved && within == 0);
      },
      "unroll=" + std::to_string(unroll) + " needs order=interleaved, and excludes within");
}

Int build_plan(const Permute& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  DotOperands permuted = operands;
  std::size_t at = 0;
  for (const int k : permuted_products(scheme, formats.k)) {
    permuted.a[at] = operands.a[static_cast<std::size_t>(k)];
    permuted.b[at++] = operands.b[static_cast<std::size_t>(k)];
  }
  return run_inner(inner, formats, permuted);
}

int plan_step(const Permute&, const Inner&) { return 0; }

std::vector<int> rest_first_products(const RestFirst& scheme, int k, int inner_k) {
  std::vector<int> products;
  const int rest = k % scheme.tile;
  for (int i = 0; i < rest; ++i) products.push_back(i);
  while (static_cast<int>(products.size()) % inner_k != 0) products.push_back(-1);
  for (int i = rest; i < k; ++i) products.push_back(i);
  return products;
}

DotFormats formats_around(const RestFirst& scheme, const Inner& inner, int k) {
  require_operands(inner.formats.scale == nullptr, inner.name + " has scale factors");
  require_operands(*inner.formats.c == *inner.formats.d,
                   "the accumulator of " + inner.name + " has another format than its result");
  require_operands(scheme.tile % inner.formats.k == 0, "tile=" + std::to_string(scheme.tile) +
                                                           ": expected a multiple of " +
                                                           std::to_string(inner.formats.k));
  DotFormats formats = inner.formats;
  formats.k = k;
  return formats;
}

void describe(RestFirst& scheme, const DotFormats&, ParameterVisitor& visit) {
  auto& [tile] = scheme;
  visit.integer({.key = "tile", .meaning = "products of a tile", .required = true}, tile, 1, 65536);
}

Int build_plan(const RestFirst& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  DotOperands filled = operands;
  filled.a.clear();
  filled.b.clear();
  for (const int k : rest_first_products(scheme, formats.k, inner.formats.k)) {
    filled.a.push_back(k < 0 ? Int(0) : operands.a[static_cast<std::size_t>(k)]);
    filled.b.push_back(k < 0 ? Int(0) : operands.b[static_cast<std::size_t>(k)]);
  }
  DotFormats longer = formats;
  longer.k = static_cast<int>(filled.a.size());
  return run_inner(inner, longer, filled);
}

int plan_step(const RestFirst&, const Inner&) { return 0; }

}  // namespace mmaspec
