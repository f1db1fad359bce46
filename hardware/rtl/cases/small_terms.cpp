#include "hardware/rtl/cases/small_terms.h"

#include <algorithm>

#include "hardware/rtl/equivalence/term_value.h"

namespace mmaspec::rtl {
namespace {

constexpr unsigned kSmallBits = 64;
constexpr std::size_t kColumnBlock = 1024;  // columns that are computed at once

std::uint64_t hash_of(const std::vector<std::uint64_t>& values) {
  std::uint64_t h = 0;
  for (const std::uint64_t x : values) h = (h ^ x) * 0x9e3779b97f4a7c15ULL + (h >> 29);
  return h;
}

}  // namespace

SmallTerms::SmallTerms(BvTerms& terms, const std::vector<TermId>& roots,
                       std::vector<TermId> variables)
    : terms_(terms), variables_(std::move(variables)) {
  const auto is_variable = [&](TermId id) {
    return std::find(variables_.begin(), variables_.end(), id) != variables_.end();
  };
  const std::vector<TermId> cone = terms_.cone(roots);
  for (const TermId id : cone) {
    const BvTerm& t = terms_[id];
    const bool small =
        t.width <= kSmallBits && (t.op != BvOp::variable || is_variable(id)) &&
        std::all_of(t.args.begin(), t.args.end(), [&](TermId a) { return index_.contains(a); });
    if (small) {
      std::vector<std::size_t> places;
      for (const TermId a : t.args) places.push_back(index_.at(a));
      index_.emplace(id, list_.size());
      list_.push_back(id);
      args_.push_back(std::move(places));
    }
  }
  is_used_.assign(list_.size(), false);
  for (const TermId id : cone) {
    if (index_.contains(id)) continue;
    for (const TermId a : terms_[id].args) {
      const auto it = index_.find(a);
      if (it != index_.end()) is_used_[it->second] = true;
    }
  }
  for (const TermId root : roots) {
    const auto it = index_.find(root);
    if (it != index_.end()) is_used_[it->second] = true;
  }
}

void SmallTerms::evaluate(const Column* columns, std::size_t count) {
  values_.resize(list_.size());
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const BvTerm& t = terms_[list_[i]];
    Values& values = values_[i];
    values.resize(count);
    if (t.op == BvOp::constant || t.op == BvOp::bool_constant) {
      std::fill(values.begin(), values.end(), t.value.convert_to<std::uint64_t>());
    } else if (t.op == BvOp::variable) {
      const auto which = static_cast<std::size_t>(
          std::find(variables_.begin(), variables_.end(), list_[i]) - variables_.begin());
      for (std::size_t j = 0; j < count; ++j) values[j] = columns[j][which];
    } else {
      for (std::size_t j = 0; j < count; ++j) {
        values[j] = operation_value<std::uint64_t>(
            terms_, t, [&, i](std::size_t a) { return values_[args_[i][a]][j]; });
      }
    }
  }
}

Replaced SmallTerms::fold(const std::vector<Column>& columns) {
  std::vector<std::size_t> leader(list_.size());
  std::vector<std::uint64_t> first(list_.size());
  std::vector<bool> is_constant(list_.size(), true);
  for (std::size_t from = 0; from < columns.size(); from += kColumnBlock) {
    evaluate(columns.data() + from, std::min(kColumnBlock, columns.size() - from));
    // Terms that had equal values so far are divided by their values in this block.
    std::map<std::pair<std::size_t, std::uint64_t>, std::vector<std::size_t>> parts;
    const std::vector<std::size_t> before = leader;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      const Values& values = values_[i];
      if (from == 0) first[i] = values[0];
      is_constant[i] = is_constant[i] && std::all_of(values.begin(), values.end(),
                                                     [&](auto x) { return x == first[i]; });
      const std::size_t group = from == 0 ? terms_.width(list_[i]) : before[i];
      auto& part = parts[{group, hash_of(values)}];
      const auto same =
          std::find_if(part.begin(), part.end(), [&](auto j) { return values_[j] == values; });
      leader[i] = same == part.end() ? i : *same;
      if (same == part.end()) part.push_back(i);
    }
  }
  Replaced replaced;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const TermId t = list_[i];
    const unsigned width = terms_.width(t);
    if (is_constant[i]) {
      replaced[t] =
          width == 0 ? terms_.boolean(first[i] != 0) : terms_.constant(Integer(first[i]), width);
    } else {
      const auto known = replaced.find(list_[leader[i]]);
      replaced[t] = known == replaced.end() ? remade(terms_, t, replaced) : known->second;
    }
  }
  return replaced;
}

std::optional<std::vector<std::uint64_t>> SmallTerms::values(TermId term,
                                                             const std::vector<Column>& columns) {
  const auto it = index_.find(term);
  if (it == index_.end()) return std::nullopt;
  Values all;
  for (std::size_t from = 0; from < columns.size(); from += kColumnBlock) {
    evaluate(columns.data() + from, std::min(kColumnBlock, columns.size() - from));
    all.insert(all.end(), values_[it->second].begin(), values_[it->second].end());
  }
  return all;
}

std::vector<std::uint64_t> SmallTerms::decisions(const std::vector<Column>& columns) {
  std::vector<std::uint64_t> all;
  for (std::size_t from = 0; from < columns.size(); from += kColumnBlock) {
    const std::size_t count = std::min(kColumnBlock, columns.size() - from);
    evaluate(columns.data() + from, count);
    for (std::size_t j = 0; j < count; ++j) {
      Values booleans;
      for (std::size_t i = 0; i < list_.size(); ++i) {
        if (is_used_[i] && terms_.width(list_[i]) == 0) booleans.push_back(values_[i][j]);
      }
      all.push_back(hash_of(booleans));
    }
  }
  return all;
}

bool SmallTerms::depend_on_sum(const std::vector<Column>& columns) {
  std::vector<std::map<std::uint64_t, std::uint64_t>> by_sum(list_.size());
  for (std::size_t from = 0; from < columns.size(); from += kColumnBlock) {
    const std::size_t count = std::min(kColumnBlock, columns.size() - from);
    evaluate(columns.data() + from, count);
    for (std::size_t i = 0; i < list_.size(); ++i) {
      if (!is_used_[i]) continue;
      for (std::size_t j = 0; j < count; ++j) {
        const Column& c = columns[from + j];
        if (by_sum[i].try_emplace(c[0] + c[1], values_[i][j]).first->second != values_[i][j]) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace mmaspec::rtl
