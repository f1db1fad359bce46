#include "queries/studies/explain/space/part_sums.h"

#include <algorithm>
#include <set>

#include "queries/studies/explain/arithmetic.h"

namespace mmaspec::explain {
namespace {

constexpr int kMostPermuted = 6;        // parts for which every order is tried
constexpr int kMostPermutedNarrow = 4;  // usually, if D's format is narrower than the sums'
constexpr int kManyParts = 32;          // represents all larger numbers

/// The reductions of this many parts that differ in the tree of additions; only their order is
/// given.
std::vector<Finish> reductions(int parts, bool from_c, Extent extent) {
  std::vector<Finish> all;
  std::set<std::string> trees;
  const auto add = [&](Reduce reduce, int order = 0, int fan = 2) {
    Finish finish{.reduce = reduce, .order = order, .out = nullptr, .fan = fan};
    if (parts <= kMostPermuted) {
      std::vector<std::string> leaves;
      for (int i = 0; i < parts; ++i) leaves.push_back(std::to_string(i));
      const std::string c = "c";
      const bool starts = from_c && reduce == Reduce::atomic;
      if (!trees.insert(reduced(finish, leaves, starts ? &c : nullptr, sum_text)).second) return;
    }
    all.push_back(finish);
  };
  add(Reduce::forward);
  if (parts > 1) {
    for (const Reduce r : {Reduce::backward, Reduce::tree, Reduce::halves}) add(r);
  }
  if (extent == Extent::all) {
    for (const int fan : {3, 4, 8, 16}) {
      if (fan < parts) add(Reduce::tree, 0, fan);
    }
  }
  if (parts < 2) return all;
  if (parts > kMostPermuted && !from_c) return all;
  const int orders = parts <= kMostPermuted ? orders_of_parts(parts) : 1;
  for (int i = 0; i < orders; ++i) add(Reduce::atomic, i);
  return all;
}

/// Where C may be added, for sums that are stored unchanged, or not.
std::vector<Joins> joins_of_c(const PreparedUnit& unit, bool has_c, bool are_stored_as_they_are) {
  if (!has_c) return {Joins::none};
  if (!SumArithmetic::has(*unit.unit->formats.d)) return {Joins::first};
  if (unit.beta != kUnscaled) return {Joins::last};
  if (unit.scales_result() || !are_stored_as_they_are) return {Joins::last, Joins::after};
  return {Joins::first, Joins::last};
}

std::vector<Finish> finishes_of(int parts, const PreparedUnit& unit, const ResultChoices& choices) {
  const Format& sums = *unit.unit->formats.d;
  std::vector<Finish> all;
  const auto add = [&](Finish finish, const Format& out) {
    all.push_back(finish);
    // The product with a power of two is exact.
    if (finish.joins == Joins::last && !unit.factors.empty() &&
        (unit.factors.back() & 0x7fffffU) != 0) {
      finish.fma = false;
      all.push_back(finish);
      finish.fma = true;
    }
    const bool saturates = std::any_of(choices.saturated.begin(), choices.saturated.end(),
                                       [&](const Format* f) { return *f == out; });
    if (!saturates || out == sums) return;
    finish.saturate = true;
    all.push_back(finish);
  };
  for (const Format* out : choices.outs) {
    const bool same = *out == sums;
    for (const Joins j : joins_of_c(unit, choices.has_c, same)) {
      for (Finish finish : reductions(parts, j == Joins::first, choices.extent)) {
        const bool atomic = finish.reduce == Reduce::atomic;
        // The memory of atomic additions holds C, or +0 if an epilogue adds C.
        if (atomic && j == Joins::last && same && !unit.scales_result()) continue;
        // Few narrow results do not distinguish this many orders.
        const bool many_orders = parts > kMostPermutedNarrow && choices.extent == Extent::usual;
        if (atomic && !same && many_orders) continue;
        finish.joins = j;
        finish.out = out;
        add(finish, *out);
        const bool narrow = *out == formats::f16 || *out == formats::bf16;
        if (parts > 1 && !same && narrow && !atomic) {
          finish.partial = out;
          add(finish, *out);
        }
      }
    }
  }
  return all;
}

}  // namespace

std::string sum_text(const std::string& x, const std::string& y) {
  return x < y ? "(" + x + "+" + y + ")" : "(" + y + "+" + x + ")";
}

Finishes::Finishes(const PreparedUnit& unit, const ResultChoices& choices) {
  for (int parts = 1; parts <= kMostPermuted; ++parts) {
    by_parts_.push_back(finishes_of(parts, unit, choices));
  }
  by_parts_.push_back(finishes_of(kManyParts, unit, choices));
}

const std::vector<Finish>& Finishes::of_parts(std::size_t parts) const {
  return by_parts_[std::min(parts, by_parts_.size()) - 1];
}

}  // namespace mmaspec::explain
