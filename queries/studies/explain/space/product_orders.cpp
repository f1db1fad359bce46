#include "queries/studies/explain/space/product_orders.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace mmaspec::explain {
namespace {

constexpr int kMostRests = 64;      // parts of which each has a rest
constexpr int kVectorProducts = 2;  // of an instruction of a vector unit, at most
constexpr int kMostVectorSums = 8;  // of a loop of such instructions
constexpr int kMostUnrolled = 8;    // blocks of one way in an iteration of the loop

std::size_t next_multiple(std::size_t k, std::size_t of) { return (k + of - 1) / of * of; }

}  // namespace

std::vector<ProductsOrder> orders_of_products(int unit_k, std::size_t products, Extent extent) {
  std::vector<ProductsOrder> all{ProductsOrder{}};
  if (products > static_cast<std::size_t>(unit_k) && extent == Extent::all) {
    all.push_back({Permute{ProductOrder::reversed, 2, unit_k, 0}});
  }
  // Parts that are not multiples of the instruction's K.
  const int k = static_cast<int>(products);
  for (int parts = 1; parts <= kMostRests && parts * unit_k <= k; ++parts) {
    const int part = k / parts;
    if (k % parts != 0 || part % unit_k == 0) continue;
    std::set<int> rests;
    for (int tile = std::max(unit_k, 8); tile <= 128; tile *= 2) {
      // A rest that fills one step is what a chain ends with, unless others follow.
      if (tile % unit_k == 0 && part > tile && rests.insert(part % tile).second) {
        all.push_back({{}, tile, parts});
      }
    }
  }
  // Operands that a kernel converts lie in registers as their narrow format wants it: each
  // instruction gets some products of several instructions' (Triton, DotOperandEncodingAttr,
  // kWidth).
  for (const int ways : {2, 4}) {
    const int within = ways * unit_k;
    for (int block = 1; block < unit_k; block *= 2) {
      // With as many products as a block has, or fewer, only the first instruction gets any.
      if (within % (ways * block) != 0 || static_cast<std::size_t>(block) >= products) continue;
      all.push_back({Permute{ProductOrder::interleaved, ways, block, within}});
    }
  }
  for (int ways = 2; ways <= 32; ways *= 2) {
    for (int block = 1; block <= 128; block *= 2) {
      const auto together = static_cast<std::size_t>(ways * std::max(block, unit_k));
      // As many as K has, or more, are the order that there is.
      if (together >= products) continue;
      all.push_back({Permute{ProductOrder::interleaved, ways, block, 0}});
    }
  }
  // Loops of vector instructions with several sums, which are unrolled: what does not fill an
  // iteration goes to the first sum (OpenBLAS, its x86_64 kernels of AVX2 and AVX-512).
  if (unit_k > kVectorProducts) return all;
  const auto whole = static_cast<int>(next_multiple(products, static_cast<std::size_t>(unit_k)));
  for (int ways = 2; ways <= kMostVectorSums; ways *= 2) {
    std::set<int> rests{0, unit_k};  // go to the first way without a loop, too
    const int together = ways * unit_k;
    for (int unroll = together; unroll <= kMostUnrolled * together; unroll *= 2) {
      if (unroll < whole && rests.insert(whole % unroll).second) {
        all.push_back({Permute{ProductOrder::interleaved, ways, unit_k, 0, unroll}});
      }
    }
  }
  return all;
}

std::vector<int> ordered_products(const ProductsOrder& order, int unit_k, std::size_t products) {
  std::vector<int> all;
  if (order.tile > 0) {
    const int part = static_cast<int>(products) / order.parts;
    for (int i = 0; i < order.parts; ++i) {
      for (const int k : rest_first_products({order.tile}, part, unit_k)) {
        all.push_back(k < 0 ? k : i * part + k);
      }
    }
    return all;
  }
  auto multiple = static_cast<std::size_t>(unit_k);
  if (order.permute) {
    const bool fills_ways = order.is_dealt() && !order.is_unrolled();
    const auto ways = fills_ways ? static_cast<std::size_t>(order.permute->ways) : 1;
    multiple =
        std::lcm(multiple * ways, static_cast<std::size_t>(permuted_multiple(*order.permute)));
  }
  const std::size_t whole = next_multiple(products, multiple);
  if (order.permute) return permuted_products(*order.permute, static_cast<int>(whole));
  all.resize(whole);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace mmaspec::explain
