#include "queries/studies/explain/space/k_shapes.h"

#include <algorithm>
#include <set>

#include "queries/studies/explain/segment_sums.h"

namespace mmaspec::explain {
namespace {

constexpr int kMostParts = 1024;    // as plan:split-k has them
constexpr int kMostFreeCuts = 512;  // points between which three parts are cut anywhere
constexpr int kMostUneven = 16;     // equal parts whose last promotion has fewer products
constexpr int kMostEvenParts = 132;
constexpr int kMostTile = 16;

/// Collects the shapes of `n` points, each once.
class Shapes {
 public:
  explicit Shapes(int n) : n_(n) {}

  void whole() { add(0, {n_}); }

  void parts(int count) {
    std::vector<int> ends;
    for (int i = 1; i <= count; ++i) ends.push_back(n_ / count * i);
    add(0, std::move(ends));
  }

  /// Parts of equal length, of which the first has `rest` points more.
  void longer_first_part(int count, int rest) {
    std::vector<int> ends;
    for (int i = 1; i <= count; ++i) ends.push_back((n_ - rest) / count * i + rest);
    add(0, std::move(ends));
  }

  void promotions() {
    for (int every = 1; every < n_; ++every) add(every, {n_});
  }

  /// Equal parts, the last of which may be shorter, each with promotions.
  void equal_parts() {
    for (int length = 1; length < n_; ++length) {
      std::vector<int> ends;
      for (int end = length; end < n_; end += length) ends.push_back(end);
      ends.push_back(n_);
      const bool all_equal = n_ % length == 0 && n_ / length <= kMostUneven;
      for (int every = 1; every < length; ++every) {
        if (length % every == 0 || all_equal) add(every, ends);
      }
      add(0, std::move(ends));
    }
  }

  void shorter_first_part() {
    for (int length = 1; length < n_; ++length) {
      if (n_ % length == 0) continue;
      std::vector<int> ends;
      for (int end = n_ % length; end <= n_; end += length) ends.push_back(end);
      add(0, std::move(ends));
    }
  }

  /// Parts of whole tiles, as equal as can be: some have a tile more than others.
  void even_parts() {
    for (int tile = 1; tile <= kMostTile; tile *= 2) {
      const int tiles = (n_ + tile - 1) / tile;
      for (int parts = 2; parts <= std::min(tiles, kMostEvenParts); ++parts) {
        if (tiles % parts == 0) continue;
        for (const bool first_more : {true, false}) {
          std::vector<int> ends;
          int end = 0;
          for (int i = 0; i < parts; ++i) {
            const bool more = first_more ? i < tiles % parts : i >= parts - tiles % parts;
            end += (tiles / parts + (more ? 1 : 0)) * tile;
            ends.push_back(std::min(end, n_));
          }
          if (ends[ends.size() - 2] < n_) add(0, std::move(ends));
        }
      }
    }
  }

  /// Blocks of a cache's size, of which the last two share what is left (OpenBLAS, level3.c).
  void cache_blocks() {
    for (int length = 2; 2 * length <= n_; ++length) {
      for (const int unroll : {1, 2, 4, 8, 16}) {
        std::vector<int> ends;
        int end = 0;
        while (end < n_) {
          const int left = n_ - end;
          const int half = (left / 2 + unroll - 1) / unroll * unroll;
          end += left >= 2 * length ? length : left > length ? half : left;
          ends.push_back(end);
        }
        if (ends.back() == n_) add(0, std::move(ends));
      }
    }
  }

  /// Two parts and three, cut anywhere.
  void free_cuts() {
    for (int first = 1; first < n_; ++first) {
      add(0, {first, n_});
      if (n_ > kMostFreeCuts) continue;
      for (int second = first + 1; second < n_; ++second) add(0, {first, second, n_});
    }
  }

  std::vector<Shape> sorted() const { return {all_.begin(), all_.end()}; }

 private:
  void add(int every, std::vector<int> ends) {
    if (ends.size() <= static_cast<std::size_t>(kMostParts)) all_.insert({every, std::move(ends)});
  }

  int n_;
  std::set<Shape> all_;
};

}  // namespace

std::vector<Shape> shapes_of_k(const ProductsOrder& order, std::size_t steps, int grain, bool adds,
                               Extent extent) {
  const bool all = extent == Extent::all;
  const auto n = static_cast<int>(points_between(steps, grain));
  Shapes shapes(n);
  if (order.tile > 0) {
    if (order.parts == 1 || (grain == 1 && n % order.parts == 0)) shapes.parts(order.parts);
    return shapes.sorted();
  }
  if (order.is_dealt()) {
    if (all) shapes.whole();
    if (order.is_unrolled()) {
      const int unit_k = order.permute->block;  // a block is a step
      const int rest = n % (order.permute->unroll / unit_k);
      if (adds && grain == 1) shapes.longer_first_part(order.permute->ways, rest);
      return shapes.sorted();
    }
    const bool divides = steps % static_cast<std::size_t>(n) == 0 && n % order.permute->ways == 0;
    if (adds && divides) shapes.parts(order.permute->ways);
    return shapes.sorted();
  }
  shapes.whole();
  if (!adds) return shapes.sorted();
  shapes.promotions();
  if (order.is_reversed()) return shapes.sorted();
  shapes.equal_parts();
  if (all) shapes.shorter_first_part();
  if (order.permute) return shapes.sorted();
  shapes.even_parts();
  shapes.cache_blocks();
  if (all) shapes.free_cuts();
  return shapes.sorted();
}

}  // namespace mmaspec::explain
