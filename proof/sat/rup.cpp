#include "proof/sat/rup.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <unordered_map>

#include "proof/sat/numbers.h"

namespace mmaspec {
namespace {

using Id = std::uint32_t;  // number of a clause; 0: none

/// Learned clauses in sequence, each with the clauses from which it follows.
class Derivation {
 public:
  explicit Derivation(const Cnf& cnf) : cnf_(cnf) {
    const std::size_t n = static_cast<std::size_t>(cnf.variables) + 1;
    values_.resize(2 * n);
    watches_.resize(2 * n);
    reasons_.resize(n);
    units_.resize(n);
    marked_.resize(n);
    for (std::size_t i = 0; i < cnf.clauses(); ++i) {
      const auto clause = cnf.clause(i);
      add(normal({clause.begin(), clause.end()}), {});
    }
    // Learned clauses have higher numbers than all of these.
    for (Id id = 1; id <= cnf.clauses() && empty_ == 0; ++id) attach(id);
  }

  bool is_complete() const { return empty_ != 0; }

  void learn(std::vector<CnfLiteral> literals) {
    literals = normal(std::move(literals));
    if (literals.empty() && empty_ != 0) return;
    const std::size_t root = trail_.size();
    hints_.clear();
    Id conflict = 0;
    for (const CnfLiteral x : literals) {
      if (is_true(x)) return drop(root);  // it is satisfied permanently, and not needed
      if (!is_false(x)) assign(-x, 0);
    }
    conflict = propagate();
    if (conflict == 0) throw std::runtime_error("a clause does not follow by unit propagation");
    explain(conflict, root);
    drop(root);
    attach(add(literals, hints_));
  }

  void forget(std::vector<CnfLiteral> literals) {
    literals = normal(std::move(literals));
    const auto it = by_hash_.find(hash(literals));
    if (it == by_hash_.end()) return;
    std::vector<Id>& ids = it->second;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!is_same(ids[i], literals)) continue;
      clauses_[ids[i] - 1].is_active = false;
      ids[i] = ids.back();
      ids.pop_back();
      return;
    }
  }

  /// The part of the derivation that the empty clause needs, in order and renumbered.
  std::string text() const {
    std::vector<bool> needed(clauses_.size() + 1);
    needed[empty_] = true;
    for (Id id = static_cast<Id>(clauses_.size()); id > cnf_.clauses(); --id) {
      if (!needed[id]) continue;
      const Clause& c = clauses_[id - 1];
      for (std::uint64_t i = c.hints; i < c.hints_end; ++i) needed[all_hints_[i]] = true;
    }
    std::string text;
    std::vector<Id> number(clauses_.size() + 1);
    for (Id id = 1; id <= cnf_.clauses(); ++id) number[id] = id;
    Id last = static_cast<Id>(cnf_.clauses());
    for (Id id = last + 1; id <= clauses_.size(); ++id) {
      if (!needed[id]) continue;
      const Clause& c = clauses_[id - 1];
      number[id] = ++last;
      append_number(text, last, ' ');
      for (std::uint64_t i = c.begin; i < c.end; ++i) append_number(text, literals_[i], ' ');
      text += "0 ";
      for (std::uint64_t i = c.hints; i < c.hints_end; ++i) {
        append_number(text, number[all_hints_[i]], ' ');
      }
      text += "0\n";
      if (id == empty_) break;
    }
    // A clause of the formula is empty: the proof repeats it, because its last line must be empty.
    if (empty_ <= cnf_.clauses()) {
      append_number(text, static_cast<long>(cnf_.clauses()) + 1, ' ');
      text += "0 ";
      append_number(text, empty_, ' ');
      text += "0\n";
    }
    return text;
  }

 private:
  struct Clause {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t hints;
    std::uint64_t hints_end;
    bool is_active = true;
  };
  struct Watch {
    Id clause;
    CnfLiteral other;  ///< if it is true, the clause need not be examined
  };

  static std::size_t at(CnfLiteral x) {
    return 2 * static_cast<std::size_t>(std::abs(x)) + (x < 0 ? 1 : 0);
  }
  static std::size_t variable(CnfLiteral x) { return static_cast<std::size_t>(std::abs(x)); }
  bool is_true(CnfLiteral x) const { return values_[at(x)] != 0; }
  bool is_false(CnfLiteral x) const { return values_[at(-x)] != 0; }

  static std::vector<CnfLiteral> normal(std::vector<CnfLiteral> literals) {
    std::sort(literals.begin(), literals.end());
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    return literals;
  }
  static std::uint64_t hash(const std::vector<CnfLiteral>& literals) {
    std::uint64_t h = literals.size();
    for (const CnfLiteral x : literals) {
      h = (h ^ static_cast<std::uint64_t>(static_cast<std::uint32_t>(x))) * 0x9e3779b97f4a7c15ULL;
      h ^= h >> 29;
    }
    return h;
  }
  bool is_same(Id id, const std::vector<CnfLiteral>& sorted) const {
    const Clause& c = clauses_[id - 1];
    if (c.end - c.begin != sorted.size()) return false;
    std::vector<CnfLiteral> own(literals_.begin() + static_cast<std::ptrdiff_t>(c.begin),
                                literals_.begin() + static_cast<std::ptrdiff_t>(c.end));
    std::sort(own.begin(), own.end());
    return own == sorted;
  }

  void assign(CnfLiteral x, Id reason) {
    values_[at(x)] = 1;
    reasons_[variable(x)] = reason;
    trail_.push_back(x);
  }
  void drop(std::size_t root) {
    while (trail_.size() > root) {
      values_[at(trail_.back())] = 0;
      trail_.pop_back();
    }
    head_ = root;
  }

  Id add(const std::vector<CnfLiteral>& literals, const std::vector<Id>& hints) {
    if (clauses_.size() >= 0xfffffff0U) throw std::runtime_error("too long a proof");
    const auto begin = static_cast<std::uint64_t>(literals_.size());
    literals_.insert(literals_.end(), literals.begin(), literals.end());
    const auto first = static_cast<std::uint64_t>(all_hints_.size());
    all_hints_.insert(all_hints_.end(), hints.begin(), hints.end());
    clauses_.push_back({begin, static_cast<std::uint64_t>(literals_.size()), first,
                        static_cast<std::uint64_t>(all_hints_.size())});
    return static_cast<Id>(clauses_.size());
  }

  /// Adds a clause, and assigns the literals that it permanently implies.
  void attach(Id id) {
    const Clause& c = clauses_[id - 1];
    const std::uint64_t begin = c.begin;
    const auto first = literals_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end = literals_.begin() + static_cast<std::ptrdiff_t>(c.end);
    const std::vector<CnfLiteral> literals(first, end);
    by_hash_[hash(literals)].push_back(id);
    const bool is_tautology = std::any_of(literals.begin(), literals.end(), [&](CnfLiteral x) {
      return x > 0 && std::binary_search(literals.begin(), literals.end(), -x);
    });
    if (is_tautology) return;
    // Literals that are not false come first.
    const auto rest = std::partition(first, end, [&](CnfLiteral x) { return !is_false(x); });
    const auto open = rest - first;
    if (literals.size() > 1) {
      watches_[at(literals_[begin])].push_back({id, literals_[begin + 1]});
      watches_[at(literals_[begin + 1])].push_back({id, literals_[begin]});
    }
    if (literals.empty()) {
      empty_ = id;
    } else if (open == 0) {
      end_with(id);
    } else if (open == 1 && !is_true(literals_[begin])) {
      const std::size_t root = trail_.size();
      assign(literals_[begin], id);
      const Id conflict = propagate();
      fix(root);
      if (conflict != 0) end_with(conflict);
    }
  }

  /// Makes literals assigned since `root` permanent: each becomes a unit clause.
  void fix(std::size_t root) {
    for (std::size_t i = root; i < trail_.size(); ++i) {
      const CnfLiteral x = trail_[i];
      const Id reason = reasons_[variable(x)];
      const Clause c = clauses_[reason - 1];
      if (c.end - c.begin == 1) {
        units_[variable(x)] = reason;
        continue;
      }
      std::vector<Id> hints;
      for (std::uint64_t k = c.begin; k < c.end; ++k) {
        if (literals_[k] != x) hints.push_back(units_[variable(literals_[k])]);
      }
      hints.push_back(reason);
      units_[variable(x)] = add({x}, hints);
    }
  }

  /// All of the clause's literals are permanently false.
  void end_with(Id conflict) {
    if (empty_ != 0) return;
    std::vector<Id> hints;
    const Clause& c = clauses_[conflict - 1];
    for (std::uint64_t k = c.begin; k < c.end; ++k) {
      hints.push_back(units_[variable(literals_[k])]);
    }
    hints.push_back(conflict);
    empty_ = add({}, hints);
  }

  /// Returns a clause whose literals are all false; 0: none.
  Id propagate() {
    while (head_ < trail_.size()) {
      const CnfLiteral made_false = -trail_[head_++];
      std::vector<Watch>& watches = watches_[at(made_false)];
      std::size_t kept = 0;
      for (std::size_t i = 0; i < watches.size(); ++i) {
        const Watch w = watches[i];
        if (is_true(w.other)) {
          watches[kept++] = w;
          continue;
        }
        const Clause& c = clauses_[w.clause - 1];
        if (!c.is_active) continue;
        CnfLiteral* literals = literals_.data() + c.begin;
        if (literals[0] == made_false) std::swap(literals[0], literals[1]);
        if (is_true(literals[0])) {
          watches[kept++] = {w.clause, literals[0]};
          continue;
        }
        const auto size = c.end - c.begin;
        std::uint64_t k = 2;
        while (k < size && is_false(literals[k])) ++k;
        if (k < size) {
          std::swap(literals[1], literals[k]);
          watches_[at(literals[1])].push_back({w.clause, literals[0]});
          continue;
        }
        watches[kept++] = {w.clause, literals[0]};
        if (is_false(literals[0])) {
          for (++i; i < watches.size(); ++i) watches[kept++] = watches[i];
          watches.resize(kept);
          head_ = trail_.size();
          return w.clause;
        }
        assign(literals[0], w.clause);
      }
      watches.resize(kept);
    }
    return 0;
  }

  /// The clauses that lead to the conflict, in the order in which each becomes a unit clause.
  void explain(Id conflict, std::size_t root) {
    std::vector<Id> units;
    std::vector<Id> steps{conflict};
    const auto mark = [&](Id id, CnfLiteral but) {
      const Clause& c = clauses_[id - 1];
      for (std::uint64_t k = c.begin; k < c.end; ++k) {
        const CnfLiteral x = literals_[k];
        if (x == but || marked_[variable(x)]) continue;
        marked_[variable(x)] = true;
        touched_.push_back(x);
      }
    };
    mark(conflict, 0);
    for (std::size_t i = trail_.size(); i-- > root;) {
      const CnfLiteral x = trail_[i];
      const Id reason = reasons_[variable(x)];
      if (!marked_[variable(x)] || reason == 0) continue;
      steps.push_back(reason);
      mark(reason, x);
    }
    for (const CnfLiteral x : touched_) {
      marked_[variable(x)] = false;
      // Assigned permanently, not by an assumption.
      if (units_[variable(x)] != 0) units.push_back(units_[variable(x)]);
    }
    touched_.clear();
    hints_ = std::move(units);
    hints_.insert(hints_.end(), steps.rbegin(), steps.rend());
  }

  const Cnf& cnf_;
  std::vector<CnfLiteral> literals_;
  std::vector<Id> all_hints_;
  std::vector<Clause> clauses_;
  std::unordered_map<std::uint64_t, std::vector<Id>> by_hash_;
  std::vector<std::vector<Watch>> watches_;  ///< by literal: clauses to examine when it becomes
                                             ///< false
  std::vector<char> values_;                 ///< by literal: whether it is true
  std::vector<Id> reasons_;                  ///< by variable
  std::vector<Id> units_;                    ///< by variable: the unit clause, if it is assigned
                                             ///< permanently
  std::vector<char> marked_;
  std::vector<CnfLiteral> touched_;
  std::vector<CnfLiteral> trail_;
  std::size_t head_ = 0;
  std::vector<Id> hints_;
  Id empty_ = 0;
};

/// A literal in binary DRAT: 2|x|, plus one if it is negative, with seven bits in each byte.
CnfLiteral next_literal(std::string_view text, std::size_t& at, int variables) {
  std::uint64_t x = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (at == text.size() || shift > 35) throw std::runtime_error("a broken proof");
    const auto byte = static_cast<unsigned char>(text[at++]);
    x |= static_cast<std::uint64_t>(byte & 127U) << shift;
    if (byte < 128) break;
  }
  if (x == 1) throw std::runtime_error("a broken proof");
  if (x >> 1 > static_cast<std::uint64_t>(variables)) {
    throw std::runtime_error("a proof with new variables");
  }
  const auto variable = static_cast<CnfLiteral>(x >> 1);
  return (x & 1) != 0 ? -variable : variable;
}

}  // namespace

std::string to_lrat(const Cnf& cnf, std::string_view drup, const std::function<bool()>& stop) {
  Derivation derivation(cnf);
  std::size_t at = 0;
  while (at < drup.size() && !derivation.is_complete()) {
    const char kind = drup[at++];
    if (kind != 'a' && kind != 'd') throw std::runtime_error("a broken proof");
    std::vector<CnfLiteral> literals;
    while (const CnfLiteral x = next_literal(drup, at, cnf.variables)) literals.push_back(x);
    if (kind == 'a') {
      if (stop && stop()) throw Stopped("the conversion was stopped");
      derivation.learn(std::move(literals));
    } else {
      derivation.forget(std::move(literals));
    }
  }
  if (!derivation.is_complete()) throw std::runtime_error("a proof without an end");
  return derivation.text();
}

std::optional<std::string> lrat_by_propagation(const Cnf& cnf) {
  const Derivation derivation(cnf);
  return derivation.is_complete() ? std::optional(derivation.text()) : std::nullopt;
}

}  // namespace mmaspec
