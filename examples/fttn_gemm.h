#pragma once
/// The matrix product of FTTN section V (Li et al., CCGrid 2024) on modeled matrix units: D = C -
/// A*B, with 8192 products in a dot product, in the orders in which a simple program may add them.

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "concrete/dot/model.h"
#include "spec/algorithms/group_pairwise_sum.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec::fttn {

/// One instruction as a function of real numbers. Results are cached.
class Step {
 public:
  explicit Step(const Instruction& instruction)
      : model_(instruction.algorithm, instruction.formats),
        scratch_(model_.evaluator().scratch()) {}

  int k() const { return model_.formats().k; }

  /// c + sum of a[i] * b[i] as the instruction computes it; a and b have k() elements.
  double operator()(double c, const std::vector<double>& a, const std::vector<double>& b) {
    auto [entry, fresh] = known_.try_emplace({c, a, b}, 0.0);
    if (fresh) {
      const DotFormats& f = model_.formats();
      DotValues values;
      for (double x : a) values.a.push_back(pattern(*f.a, x));
      for (double x : b) values.b.push_back(pattern(*f.b, x));
      values.c = pattern(*f.c, c);
      entry->second = decode(*f.d, model_.run(values, scratch_)).value().convert_to<double>();
    }
    return entry->second;
  }

 private:
  static Integer pattern(const Format& format, double x) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%a", x);
    return parse_pattern_of(format, text.data());
  }

  DotModel model_;
  ExactEvaluator::Values scratch_;
  std::map<std::tuple<double, std::vector<double>, std::vector<double>>, double> known_;
};

/// The operands of one element of D; all elements are equal.
struct Problem {
  double c;
  std::vector<double> a;
  std::vector<double> b;
};

/// C = 2^20; a[0] = b[0] = 2^10; a[k] = 2^-2 for odd and 2^-3 for even k; b[k] = `sign` * 2^-3.
inline Problem section_v(double sign, int length = 8192) {
  Problem p{0x1p20, {}, {}};
  for (int k = 0; k < length; ++k) {
    p.a.push_back(k == 0 ? 0x1p10 : k % 2 == 1 ? 0x1p-2 : 0x1p-3);
    p.b.push_back(k == 0 ? 0x1p10 : sign * 0x1p-3);
  }
  return p;
}

/// How a program may combine C and the sum.
enum class Joins {
  after,        ///< D = C - sum, the sum accumulated from zero: alpha * (A*B) + beta * C
  first,        ///< the accumulator starts as C, A negated
  after_tiles,  ///< each tile from zero, the tiles added in f32, then D = C - sum
  tile_by_tile  ///< each tile from zero and subtracted from C in f32
};

/// The order in which a program may visit k.
enum class Walk {
  up,            ///< 0, 1, 2, ...
  down,          ///< the last tile first, upwards within it
  all_down,      ///< ..., 2, 1, 0
  even_odd,      ///< within each 16 the even k before the odd ones
  across_lanes,  ///< within each 16: 0, 4, 8, 12, 1, 5, ...
  halves         ///< within each 16: 0, 8, 1, 9, ...
};

struct Order {
  Joins joins = Joins::after;
  Walk walk = Walk::up;
  int tile = 0;   ///< number of products of a tile; 0: those of one instruction
  int split = 1;  ///< split-K: number of contiguous parts, each summed from zero (the first from C,
                  ///< if Joins::first)
  bool interleaved = false;  ///< for split-K: instruction t belongs to part t mod split
};

inline std::string to_string(const Order& o) {
  static const std::map<Joins, std::string> joins{
      {Joins::after, "A*B from zero, then C - A*B"},
      {Joins::first, "C - A*B from C on"},
      {Joins::after_tiles, "tiles from zero, added, then C - A*B"},
      {Joins::tile_by_tile, "tiles from zero, each subtracted from C"}};
  static const std::map<Walk, std::string> walks{{Walk::up, "k up"},
                                                 {Walk::down, "tiles down"},
                                                 {Walk::all_down, "k down"},
                                                 {Walk::even_odd, "even k first in each 16"},
                                                 {Walk::across_lanes, "k by fours in each 16"},
                                                 {Walk::halves, "k by eights in each 16"}};
  std::string text = joins.at(o.joins) + "; " + walks.at(o.walk);
  if (o.tile > 0) text += "; tiles of " + std::to_string(o.tile);
  if (o.split > 1) {
    text += "; split K in " + std::to_string(o.split) + (o.interleaved ? ", interleaved" : "");
  }
  return text;
}

inline std::vector<int> walk(Walk w, int length, int tile) {
  std::vector<int> ks;
  for (int i = 0; i < length; ++i) {
    const int base = i / 16 * 16;
    const int r = i % 16;
    switch (w) {
      case Walk::up:
        ks.push_back(i);
        break;
      case Walk::down:
        ks.push_back((length / tile - 1 - i / tile) * tile + i % tile);
        break;
      case Walk::all_down:
        ks.push_back(length - 1 - i);
        break;
      case Walk::even_odd:
        ks.push_back(base + (r < 8 ? 2 * r : 2 * (r - 8) + 1));
        break;
      case Walk::across_lanes:
        ks.push_back(base + r % 4 * 4 + r / 4);
        break;
      case Walk::halves:
        ks.push_back(base + r % 2 * 8 + r / 2);
        break;
    }
  }
  return ks;
}

/// One element of D. Sums outside the instruction are f32 additions, to nearest even.
inline double run(Step& step, const Problem& p, const Order& order) {
  const int length = static_cast<int>(p.a.size());
  const int tile = std::max(order.tile, step.k());
  const std::vector<int> ks = walk(order.walk, length, tile);
  const double sign_of_a = order.joins == Joins::first ? -1 : 1;
  const auto instruction = [&](int t, double c) {
    std::vector<double> a;
    std::vector<double> b;
    for (int i = t * step.k(); i < (t + 1) * step.k(); ++i) {
      a.push_back(sign_of_a * p.a[static_cast<std::size_t>(ks[static_cast<std::size_t>(i)])]);
      b.push_back(p.b[static_cast<std::size_t>(ks[static_cast<std::size_t>(i)])]);
    }
    return step(c, a, b);
  };
  const int instructions = length / step.k();

  if (order.joins == Joins::after_tiles || order.joins == Joins::tile_by_tile) {
    const int in_tile = tile / step.k();
    float sum = order.joins == Joins::tile_by_tile ? static_cast<float>(p.c) : 0.0F;
    for (int first = 0; first < instructions; first += in_tile) {
      double part = 0;
      for (int t = first; t < first + in_tile; ++t) part = instruction(t, part);
      sum += static_cast<float>(order.joins == Joins::tile_by_tile ? -part : part);
    }
    return order.joins == Joins::tile_by_tile ? sum : static_cast<float>(p.c) - sum;
  }

  std::vector<double> parts(static_cast<std::size_t>(order.split), 0.0);
  if (order.joins == Joins::first) parts[0] = p.c;
  for (int t = 0; t < instructions; ++t) {
    const int part = order.interleaved ? t % order.split : t / (instructions / order.split);
    double& sum = parts[static_cast<std::size_t>(part)];
    sum = instruction(t, sum);
  }
  float sum = 0.0F;
  for (double part : parts) sum += static_cast<float>(part);
  return order.joins == Joins::first ? sum : static_cast<float>(p.c) - sum;
}

/// Every order that the search tries.
inline std::vector<Order> plausible_orders() {
  std::vector<Order> orders;
  for (Joins joins : {Joins::after, Joins::first, Joins::after_tiles, Joins::tile_by_tile}) {
    const bool tiled = joins == Joins::after_tiles || joins == Joins::tile_by_tile;
    for (Walk w :
         {Walk::up, Walk::down, Walk::all_down, Walk::even_odd, Walk::across_lanes, Walk::halves}) {
      if (tiled) {
        for (int tile : {0, 16, 32, 64, 128, 256}) orders.push_back({joins, w, tile, 1, false});
        continue;
      }
      orders.push_back({joins, w, 0, 1, false});
      for (int split : {2, 4, 8, 16, 32, 64, 128, 256}) {
        orders.push_back({joins, w, 0, split, false});
        orders.push_back({joins, w, 0, split, true});
      }
    }
  }
  return orders;
}

/// A GPU of the paper, the instructions that its program may use, and the published result.
struct Gpu {
  std::string name;
  std::vector<std::string> instructions;  ///< the first one implements m16n16k16 fragments
  double published;
};

inline std::vector<Gpu> gpus() {
  return {{"V100", {"v100/mma.m8n8k4.f32.f16.f16.f32"}, 0},
          {"A100", {"a100/mma.m16n8k16.f32.f16.f16.f32", "a100/mma.m16n8k8.f32.f16.f16.f32"}, 0},
          {"H100",
           {"h100/mma.m16n8k16.f32.f16.f16.f32", "h100/mma.m16n8k8.f32.f16.f16.f32",
            "h100/wgmma.m64n8k16.f32.f16.f16"},
           191.875},
          {"MI100",
           {"mi100/v_mfma_f32_16x16x16f16", "mi100/v_mfma_f32_32x32x8f16",
            "mi100/v_mfma_f32_4x4x4f16", "mi100/v_mfma_f32_16x16x16f16@mma-sim-2025"},
           255.875},
          {"MI250X",
           {"mi250x/v_mfma_f32_16x16x16f16", "mi250x/v_mfma_f32_32x32x8f16",
            "mi250x/v_mfma_f32_4x4x4f16"},
           0}};
}

/// MI250X's instruction with groups of `group` products that are summed pairwise before c is added;
/// the catalogue has 4.
inline Instruction mi250x_with_group(int group) {
  Instruction instruction = find_instruction("mi250x/v_mfma_f32_16x16x16f16");
  const Format* f32 = instruction.formats.d;
  instruction.algorithm =
      GroupPairwiseSum{group, true, {f32, Rounding::nearest_even, Underflow::flush}};
  return instruction;
}

}  // namespace mmaspec::fttn
