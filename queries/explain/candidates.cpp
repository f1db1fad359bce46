#include "queries/explain/candidates.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

namespace mmaspec::explain {
namespace {

constexpr int kMostPoints = 1024;       // of one unit's table of sums
constexpr int kMostParts = 1024;        // as plan:split-k has them
constexpr int kMostPermuted = 6;        // parts that are added in every order
constexpr int kMostPermutedNarrow = 4;  // where D is of a narrower format than the sums
constexpr int kMostFreeCuts = 512;      // points between which three parts are cut anywhere
constexpr int kMostRests = 64;          // parts of which each has a rest
constexpr int kMostUneven = 16;         // equal parts whose last promotion has fewer products
constexpr std::size_t kFinishKinds = kMostPermuted + 2;

std::size_t next_multiple(std::size_t k, std::size_t of) { return (k + of - 1) / of * of; }

/// The sum of some values in the order of a reduction, by `add`. `start`: what atomic additions
/// begin with.
template <typename T, typename Add>
T reduced(const Finish& finish, std::vector<T> all, const T* start, const Add& add) {
  const std::size_t n = all.size();
  switch (finish.reduce) {
    case Reduce::forward: {
      T sum = all[0];
      for (std::size_t i = 1; i < n; ++i) sum = add(sum, all[i]);
      return sum;
    }
    case Reduce::backward: {
      T sum = all[n - 1];
      for (std::size_t i = n - 1; i-- > 0;) sum = add(sum, all[i]);
      return sum;
    }
    case Reduce::tree:
      while (all.size() > 1) {
        std::vector<T> next;
        for (std::size_t i = 0; i + 1 < all.size(); i += 2) next.push_back(add(all[i], all[i + 1]));
        if (all.size() % 2 == 1) next.push_back(all.back());
        all = std::move(next);
      }
      return all[0];
    case Reduce::halves:
      while (all.size() > 1) {
        const std::size_t half = (all.size() + 1) / 2;
        for (std::size_t i = 0; i + half < all.size(); ++i) all[i] = add(all[i], all[i + half]);
        all.resize(half);
      }
      return all[0];
    case Reduce::atomic: {
      const std::vector<int> order = order_of_parts(static_cast<int>(n), finish.order);
      std::optional<T> sum;
      if (start != nullptr) sum = *start;
      for (const int i : order) {
        const T& next = all[static_cast<std::size_t>(i)];
        sum = sum ? add(*sum, next) : next;
      }
      return *sum;
    }
    case Reduce::atomic_any:
      break;
  }
  throw std::logic_error("no such reduction");
}

/// A sum of two as text, the same in both orders.
std::string sum_text(const std::string& x, const std::string& y) {
  return x < y ? "(" + x + "+" + y + ")" : "(" + y + "+" + x + ")";
}

/// The reductions of so many parts, no two of which add in the same tree.
std::vector<std::pair<Reduce, int>> reductions(int parts, bool from_c) {
  std::vector<std::pair<Reduce, int>> all;
  std::set<std::string> trees;
  const auto add = [&](Reduce reduce, int order) {
    if (parts <= kMostPermuted) {
      std::vector<std::string> leaves;
      for (int i = 0; i < parts; ++i) leaves.push_back(std::to_string(i));
      Finish finish{reduce, order, nullptr, Joins::none, nullptr};
      const std::string c = "c";
      const bool starts = from_c && reduce == Reduce::atomic;
      if (!trees.insert(reduced(finish, leaves, starts ? &c : nullptr, sum_text)).second) return;
    }
    all.emplace_back(reduce, order);
  };
  for (const Reduce r : {Reduce::forward, Reduce::backward, Reduce::tree, Reduce::halves}) {
    if (parts == 1 && r != Reduce::forward) break;
    add(r, 0);
  }
  if (parts < 2) return all;
  if (parts > kMostPermuted && !from_c) return all;
  const int orders = parts <= kMostPermuted ? orders_of_parts(parts) : 1;
  for (int i = 0; i < orders; ++i) add(Reduce::atomic, i);
  if (parts > kMostPermuted && parts <= 12) add(Reduce::atomic, orders_of_parts(parts) - 1);
  return all;
}

}  // namespace

Space::Space(const PreparedUnit& unit, const ProductsOrder& order, std::size_t products, bool has_c,
             std::vector<const Format*> outs, Extent extent)
    : unit_(unit),
      order_(order.permute),
      tile_(order.tile),
      parts_(order.parts),
      k_(products),
      has_c_(has_c),
      outs_(std::move(outs)) {
  const auto step = static_cast<std::size_t>(unit_.unit->k);
  const bool deals = is_dealt();
  const std::size_t of_a_way = step * (deals ? static_cast<std::size_t>(order_->ways) : 1);
  const auto multiple =
      order_ ? static_cast<std::size_t>(permuted_multiple(*order_)) : std::size_t{1};
  whole_k_ = next_multiple(k_, std::lcm(of_a_way, multiple));
  if (tile_ > 0) {
    const int part = static_cast<int>(k_) / parts_;
    for (int i = 0; i < parts_; ++i) {
      for (const int k : rest_first_products({tile_}, part, unit_.unit->k)) {
        products_.push_back(k < 0 ? k : i * part + k);
      }
    }
    whole_k_ = products_.size();
  }
  grain_ = static_cast<int>((steps() + kMostPoints - 1) / kMostPoints);
  points_ = static_cast<int>((steps() + static_cast<std::size_t>(grain_) - 1) /
                             static_cast<std::size_t>(grain_));
  if (order_) {
    products_ = permuted_products(*order_, static_cast<int>(whole_k_));
  } else if (tile_ == 0) {
    products_.resize(whole_k_);
    std::iota(products_.begin(), products_.end(), 0);
  }
  const Format& sums = *unit_.unit->formats.d;
  if (SumArithmetic::has(sums)) arithmetic_.emplace(sums);
  add_shapes(extent);
  for (std::size_t kind = 0; kind < kFinishKinds; ++kind) {
    std::vector<Finish> all;
    const int parts = static_cast<int>(kind) + 1;  // the last kind: more than kMostPermuted
    for (const Format* out : outs_) {
      const bool same = *out == sums;
      std::vector<Joins> joins{Joins::none};
      if (has_c_ && same) joins = {Joins::first, Joins::last};
      if (has_c_ && !same) joins = {Joins::last, Joins::after};
      if (!arithmetic_) joins = {has_c_ ? Joins::first : Joins::none};
      for (const Joins j : joins) {
        for (const auto& [reduce, number] : reductions(parts, j == Joins::first)) {
          // Memory that atomic additions go to holds C, or +0 where an epilogue adds C.
          if (reduce == Reduce::atomic && j == Joins::last && same) continue;
          // Narrow results do not tell so many orders apart.
          if (reduce == Reduce::atomic && !same && parts > kMostPermutedNarrow) continue;
          all.push_back({reduce, number, nullptr, j, out});
          const bool narrow = *out == formats::f16 || *out == formats::bf16;
          if (parts > 1 && !same && narrow && reduce != Reduce::atomic) {
            all.push_back({reduce, number, out, j, out});
          }
        }
      }
    }
    finishes_.push_back(std::move(all));
  }
}

const std::vector<Finish>& Space::finishes(const Shape& shape) const {
  return finishes_[std::min(shape.ends.size(), kFinishKinds) - 1];
}

std::size_t Space::size() const {
  std::size_t all = 0;
  for (const Shape& shape : shapes_) all += finishes(shape).size();
  return all;
}

void Space::add_shapes(Extent extent) {
  std::set<Shape> all;
  const int n = points_;
  const auto add = [&](int every, std::vector<int> ends) {
    if (ends.size() <= static_cast<std::size_t>(kMostParts)) all.insert({every, std::move(ends)});
  };
  if (tile_ > 0) {
    std::vector<int> ends;
    for (int i = 1; i <= parts_; ++i) ends.push_back(n / parts_ * i);
    if (n % parts_ == 0 && (parts_ == 1 || grain_ == 1)) shapes_.push_back({0, std::move(ends)});
    return;
  }
  if (!is_dealt() || extent == Extent::all) add(0, {n});
  if (arithmetic_ && is_dealt()) {
    if (n % order_->ways == 0 && steps() % static_cast<std::size_t>(n) == 0) {
      std::vector<int> ends;
      for (int i = 1; i <= order_->ways; ++i) ends.push_back(n / order_->ways * i);
      add(0, ends);
    }
  }
  if (arithmetic_ && !is_dealt()) {
    for (int every = 1; every < n; ++every) add(every, {n});
  }
  if (arithmetic_ && !is_dealt() && !is_reversed()) {
    const auto with_promotions = [&](const std::vector<int>& ends, int length) {
      add(0, ends);
      const bool all_equal = n % length == 0 && n / length <= kMostUneven;
      for (int every = 1; every < length; ++every) {
        if (length % every == 0 || all_equal) add(every, ends);
      }
    };
    // Equal parts, the last or the first of which may be shorter.
    for (int length = 1; length < n; ++length) {
      std::vector<int> ends;
      for (int end = length; end < n; end += length) ends.push_back(end);
      ends.push_back(n);
      with_promotions(ends, length);
      if (n % length == 0 || extent == Extent::usual) continue;
      ends.clear();
      for (int end = n % length; end <= n; end += length) ends.push_back(end);
      add(0, ends);
    }
    if (order_) {  // parts of other lengths are for the usual order
      shapes_.assign(all.begin(), all.end());
      return;
    }
    // Parts of whole tiles, as equal as can be: some have a tile more than others.
    for (int tile = 1; tile <= 16; tile *= 2) {
      const int tiles = (n + tile - 1) / tile;
      for (int parts = 2; parts <= std::min(tiles, 132); ++parts) {
        if (tiles % parts == 0) continue;
        for (const bool first_more : {true, false}) {
          std::vector<int> ends;
          int end = 0;
          for (int i = 0; i < parts; ++i) {
            const bool more = first_more ? i < tiles % parts : i >= parts - tiles % parts;
            end += (tiles / parts + (more ? 1 : 0)) * tile;
            ends.push_back(std::min(end, n));
          }
          if (ends[ends.size() - 2] < n) add(0, ends);
        }
      }
    }
    // Blocks of a cache's size, of which the last two share what is left (OpenBLAS, level3.c).
    for (int length = 2; 2 * length <= n; ++length) {
      for (const int unroll : {1, 2, 4, 8, 16}) {
        std::vector<int> ends;
        int end = 0;
        while (end < n) {
          const int left = n - end;
          const int half = (left / 2 + unroll - 1) / unroll * unroll;
          end += left >= 2 * length ? length : left > length ? half : left;
          ends.push_back(end);
        }
        if (ends.back() == n) add(0, ends);
      }
    }
    // Two parts and three, cut anywhere.
    for (int first = 1; first < n && extent == Extent::all; ++first) {
      add(0, {first, n});
      if (n > kMostFreeCuts) continue;
      for (int second = first + 1; second < n; ++second) add(0, {first, second, n});
    }
  }
  shapes_.assign(all.begin(), all.end());
}

Space::Needs Space::needs(const std::vector<bool>& alive) const {
  Needs needs;
  needs.last_end.assign(static_cast<std::size_t>(points_), 0);
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    if (!alive[i]) continue;
    const auto& [every, ends] = shapes_[i];
    int first = 0;
    for (const int end : ends) {
      for (int at = first; at < end; at += every == 0 ? end - first : every) {
        int& last = needs.last_end[static_cast<std::size_t>(at)];
        last = std::max(last, every == 0 ? end : std::min(at + every, end));
      }
      if (first == 0 && every == 0 && has_c_) needs.from_c = true;
      first = end;
    }
  }
  return needs;
}

void Space::keep(const Shape& shape, const SegmentSums& sums, std::uint64_t c, std::uint64_t d,
                 std::vector<Candidate>& candidates) const {
  // The parts' sums: all from +0, and the first one from c.
  const auto& [every, ends] = shape;
  std::vector<std::uint64_t> parts;
  std::uint64_t first_from_c = 0;
  int first = 0;
  for (const int end : ends) {
    if (every == 0) {
      parts.push_back(sums.sum(first, end));
      if (first == 0 && has_c_) first_from_c = sums.sum_from_c(end);
    } else {
      std::uint64_t value = 0;
      std::uint64_t value_from_c = c;
      for (int at = first; at < end; at += every) {
        const std::uint64_t block = sums.sum(at, std::min(at + every, end));
        value = arithmetic_->add(value, block);
        if (first == 0 && has_c_) value_from_c = arithmetic_->add(value_from_c, block);
      }
      parts.push_back(value);
      if (first == 0) first_from_c = value_from_c;
    }
    first = end;
  }
  const Format& format = *unit_.unit->formats.d;
  const auto add = [&](std::uint64_t x, std::uint64_t y) { return arithmetic_->add(x, y); };
  const std::vector<Finish>& all = finishes(shape);
  const auto stored = [&](const Finish& f, std::uint64_t sum) {
    return *f.out == format ? sum
                            : rounded_pattern(*f.out, static_cast<double>(value_of(format, sum)));
  };
  std::size_t kept = 0;
  for (Candidate candidate : candidates) {
    const Finish& f = all[candidate.finish];
    std::vector<std::uint64_t> values = parts;
    const bool atomic = f.reduce == Reduce::atomic;
    if (f.joins == Joins::first && !atomic) values[0] = first_from_c;
    if (f.partial != nullptr) {
      for (std::uint64_t& v : values) {
        const std::uint64_t narrow =
            rounded_pattern(*f.partial, static_cast<double>(value_of(format, v)));
        v = rounded_pattern(format, static_cast<double>(value_of(*f.partial, narrow)));
      }
    }
    std::uint64_t sum =
        reduced(f, std::move(values), atomic && f.joins == Joins::first ? &c : nullptr, add);
    if (f.joins == Joins::last) sum = add(sum, c);
    if (is_nan(*f.out, d)) {  // unknown
      candidates[kept++] = candidate;
      continue;
    }
    const std::uint64_t minus_zero = std::uint64_t{1} << static_cast<unsigned>(format.sign_bit());
    if (f.joins == Joins::none && arithmetic_ && ends.size() > 1 && sum == minus_zero) {
      // A plan that adds c = +0 makes +0 of it, as atomic additions always do.
      if (stored(f, sum) != d) candidate.zeros_as_summed = false;
      if (stored(f, 0) != d) candidate.zeros_as_added = false;
      const bool fits = candidate.zeros_as_added || (candidate.zeros_as_summed && !atomic);
      if (fits) candidates[kept++] = candidate;
      continue;
    }
    std::uint64_t result = stored(f, sum);
    if (f.joins == Joins::after) {
      const float before = value_of(*f.out, result) + value_of(format, c);
      result = rounded_pattern(*f.out, static_cast<double>(before));
    }
    if (result != d) continue;
    candidates[kept++] = candidate;
  }
  candidates.resize(kept);
}

std::vector<int> Space::lengths(const Shape& shape) const {
  // In products: as many as the unit's whole steps have.
  std::vector<int> all;
  int before = 0;
  const int step = unit_.unit->k * grain_;
  for (const int end : shape.ends) {
    const int at = std::min(end * step, static_cast<int>(whole_k_));
    all.push_back(at - before);
    before = at;
  }
  return all;
}

bool Space::takes(const Candidate& candidate, std::size_t name) const {
  const int k = unit_.unit->names[name].second;
  const Shape& shape = shapes_[candidate.shape];
  if (tile_ > 0) return k == unit_.unit->k;
  if (static_cast<int>(whole_k_) % k != 0) return false;
  if (shape.every * unit_.unit->k * grain_ % k != 0) return false;
  const std::vector<int> all = lengths(shape);
  return std::all_of(all.begin(), all.end(), [k](int length) { return length % k == 0; });
}

std::string Space::name(const Candidate& candidate, std::size_t number) const {
  const Shape& shape = shapes_[candidate.shape];
  const Finish& f = finishes(shape)[candidate.finish];
  const auto& [unit, unit_k] = unit_.unit->names[number];
  const Format& sums = *unit_.unit->formats.d;
  const std::string k = std::to_string(k_);
  const std::string run_k = order_ ? std::to_string(whole_k_) : k;  // of a rest, k itself
  const int every = shape.every * unit_.unit->k * grain_;
  std::string text = unit;
  bool is_plan = false;
  if (tile_ > 0) {
    text = "rest-first(" + unit + ",k=" + std::to_string(static_cast<int>(k_) / parts_) +
           ",tile=" + std::to_string(tile_) + ")";
    is_plan = true;
  }
  if (tile_ > 0 && shape.ends.size() == 1) {
    // No promotions, no parts.
  } else if (shape.ends.size() == 1) {
    if (every > 0) {
      text = "promote(" + unit + ",k=" + run_k + ",every=" + std::to_string(every) + ")";
      is_plan = true;
    } else if (std::to_string(unit_k) != run_k) {
      text = "chain(" + unit + ",k=" + run_k + ")";
      is_plan = true;
    }
  } else {
    std::vector<int> all = lengths(shape);
    std::string inner = text;
    if (tile_ > 0) std::fill(all.begin(), all.end(), static_cast<int>(k_) / parts_);
    if (every > 0) {
      const std::string e = std::to_string(every);
      const bool has_rest = all.front() % every != 0;  // then all are equal
      inner = "promote(" + unit + ",k=" + (has_rest ? std::to_string(all.front()) : e) +
              ",every=" + e + ")";
      if (!has_rest)
        all.back() = static_cast<int>(
            next_multiple(static_cast<std::size_t>(all.back()), static_cast<std::size_t>(every)));
    }
    const int part = all.front();
    const bool equal_but_last =
        std::all_of(all.begin(), all.end() - 1, [&](int n) { return n == part; }) &&
        all.back() <= part;
    text = "split-k(" + inner + ",k=" + run_k;
    if (equal_but_last) {
      text += ",parts=" + std::to_string(all.size());
      if (all.back() != part || std::to_string(static_cast<int>(all.size()) * part) != run_k) {
        text += ",part=" + std::to_string(part);
      }
    } else {
      text += ",lengths=" + to_string(all);
    }
    if (f.reduce != Reduce::forward) text += ",reduce=" + to_string(f.reduce);
    if (f.reduce == Reduce::atomic && f.order != 0) text += ",order=" + std::to_string(f.order);
    if (f.partial != nullptr) text += ",partial=" + to_string(f.partial);
    const bool from_first = f.joins == Joins::first && f.reduce != Reduce::atomic;
    const bool unread = f.joins == Joins::none && !candidate.zeros_as_added;
    if (from_first || (unread && f.reduce != Reduce::atomic)) text += ",c_joins=first";
    text += ")";
    is_plan = true;
  }
  if (order_) {
    text = "permute(" + text + ",k=" + k + ",order=" + to_string(order_->order) +
           (order_->order == ProductOrder::interleaved ? ",ways=" + std::to_string(order_->ways)
                                                       : "") +
           ",block=" + std::to_string(order_->block) +
           (order_->within > 0 ? ",within=" + std::to_string(order_->within) : "") + ")";
    is_plan = true;
  }
  if (unit_.converts()) {
    text = "convert(" + text + ",k=" + k + ",a=" + std::string(unit_.a->name) +
           ",b=" + std::string(unit_.b->name) + ",round=" + to_string(unit_.round) + ")";
    is_plan = true;
  }
  const bool c_after_chain = f.joins == Joins::last && shape.ends.size() == 1;
  if (!(*f.out == sums) || c_after_chain) {
    text = "epilogue(" + text + ",k=" + k;
    if (f.joins == Joins::none) text += ",beta=0";
    if (f.joins == Joins::after) text += ",bias=after";
    if (!(*f.out == sums)) text += ",out=" + std::string(f.out->name);
    text += ")";
    is_plan = true;
  }
  return is_plan ? "plan:" + text : text;
}

std::string Space::tree(const Candidate& candidate) const {
  const Shape& shape = shapes_[candidate.shape];
  const Finish& f = finishes(shape)[candidate.finish];
  const std::vector<int> all = lengths(shape);
  // A promotion's register is a sum of its own. That it starts from +0, and that +0 is added to a
  // sum, matters to the sign of a zero alone, which the last such addition decides.
  const int every = shape.every * unit_.unit->k * grain_;
  const bool atomic_c = f.reduce == Reduce::atomic && f.joins == Joins::first;
  const bool from_c = f.joins == Joins::first && !atomic_c;
  const std::string c = "c";
  const Finish one_by_one{Reduce::forward, 0, nullptr, Joins::none, f.out};
  std::vector<std::string> leaves;
  int first = 0;
  for (const int length : all) {
    const bool takes_c = from_c && first == 0;
    const int block = every == 0 ? length : every;
    std::vector<std::string> blocks;
    if (takes_c && every > 0) blocks.push_back(c);
    for (int at = first; at < first + length; at += block) {
      blocks.push_back((takes_c && every == 0 ? c : "") + std::to_string(at) + ".." +
                       std::to_string(std::min(at + block, first + length)));
    }
    const std::string sum =
        reduced(one_by_one, std::move(blocks), static_cast<std::string*>(nullptr), sum_text);
    leaves.push_back(f.partial == nullptr ? sum : to_string(f.partial) + "(" + sum + ")");
    first += length;
  }
  return reduced(f, std::move(leaves), atomic_c ? &c : nullptr, sum_text);
}

PlanParts Space::parts(const Candidate& candidate, std::size_t name) const {
  const Finish& f = finishes(shapes_[candidate.shape])[candidate.finish];
  PlanParts parts;
  parts.instruction = unit_.unit->names[name].first;
  parts.operands = std::string(unit_.a->name) + " and " + std::string(unit_.b->name);
  if (unit_.converts()) {
    parts.operands +=
        " to " + std::string(unit_.unit->formats.a->name) + ", " + to_string(unit_.round);
  }
  parts.products = "ascending";
  if (order_) {
    parts.products = to_string(order_->order) + ", blocks of " + std::to_string(order_->block);
    if (order_->order == ProductOrder::interleaved) {
      parts.products += " to " + std::to_string(order_->ways) + " ways";
    }
    if (order_->within > 0) parts.products += " within " + std::to_string(order_->within);
  }
  if (tile_ > 0) parts.products = "the rest of " + std::to_string(tile_) + " first";
  parts.sums = tree(candidate);
  parts.result = std::string(f.out->name);
  if (f.joins == Joins::last) parts.result += ", C added to the sum";
  if (f.joins == Joins::after) parts.result += ", C added to the stored result";
  return parts;
}

std::string Space::key(const Candidate& candidate) const {
  const Shape& shape = shapes_[candidate.shape];
  const Finish& f = finishes(shape)[candidate.finish];
  std::string text = tree(candidate);
  text += " out " + std::string(f.out->name);
  text += f.joins == Joins::last ? " +c" : f.joins == Joins::after ? " after" : "";
  const bool adds_zero = shape.ends.size() > 1 ? candidate.zeros_as_added : shape.every > 0;
  if (f.joins == Joins::none && adds_zero) text += " +0";
  text += " unit " + std::to_string(reinterpret_cast<std::uintptr_t>(unit_.unit.get()));
  text += " from " + std::string(unit_.a->name) + std::string(unit_.b->name);
  if (unit_.converts()) text += to_string(unit_.round);
  if (order_) {
    text += " order " + to_string(order_->order) + std::to_string(order_->ways) + "/" +
            std::to_string(order_->block) + "/" + std::to_string(order_->within);
  }
  if (tile_ > 0) {
    const int part = static_cast<int>(k_) / parts_;
    text += " rest " + std::to_string(part % tile_) + " of " + std::to_string(part);
  }
  return text;
}

int Space::complexity(const Candidate& candidate) const {
  const Shape& shape = shapes_[candidate.shape];
  const Finish& f = finishes(shape)[candidate.finish];
  const std::vector<int> all = lengths(shape);
  const bool even = std::all_of(all.begin(), all.end(), [&](int n) { return n == all.front(); });
  const bool equal_but_last =
      std::all_of(all.begin(), all.end() - 1, [&](int n) { return n == all.front(); });
  int cost = all.size() == 1 ? 0 : even ? 10 : equal_but_last ? 12 : 40;
  // Promotions are usual of 8-bit operands, every few hundred products.
  if (shape.every > 0) {
    const bool often = shape.every * unit_.unit->k * grain_ <= 512;
    cost += unit_.unit->formats.a->storage_bits == 8 && often ? 5 : 15;
  }
  if (order_) cost += 30;
  if (tile_ > 0) cost += 8;
  cost += f.reduce == Reduce::forward ? 0 : f.reduce == Reduce::atomic ? 8 : 4;
  if (f.partial != nullptr) cost += 6;
  if (unit_.converts()) cost += *unit_.unit->formats.a == formats::tf32 ? 2 : 4;
  // Lengths that kernels have are multiples of large powers of two.
  int common = 0;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) common = std::gcd(common, all[i]);
  if (shape.every > 0) common = std::gcd(common, shape.every * unit_.unit->k * grain_);
  while (common > 0 && common % 2 == 0 && common <= 128) {
    --cost;
    common /= 2;
  }
  return cost;
}

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
      if (within % (ways * block) != 0 || static_cast<std::size_t>(within) > products) continue;
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
  return all;
}

}  // namespace mmaspec::explain
