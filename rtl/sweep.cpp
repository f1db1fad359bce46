#include "rtl/sweep.h"

#include <algorithm>
#include <set>

#include "solver/ask.h"

namespace mmaspec::rtl {
namespace {

/// Seconds for one pair: what is equal by what its neighbours are is found at once.
constexpr double kLocal = 2;
constexpr double kWhole = 5;
constexpr double kSuggested = 60;

/// Pairs tried for one term.
constexpr std::size_t kTries = 3;

bool is_word(unsigned width) { return width > 1; }

}  // namespace

Sweep::Sweep(BvTerms& terms, TermId premise, const Portfolio& solvers)
    : terms_(terms), premise_(premise), solvers_(solvers), simulator_(terms) {}

// Words that differ by a constant, and Booleans that are each other's complement, have one key.
Sweep::Key Sweep::key_of(TermId term, bool is_signed) {
  const unsigned width = terms_.width(term);
  Key key{is_word(width) ? 1 : 0};
  const std::vector<Integer>& values = simulator_(term);
  const auto number = [&](const Integer& x) { return is_signed ? signed_value(x, width) : x; };
  for (std::size_t i = 0; i < key_samples_; ++i) {
    key.push_back(is_word(width) ? Integer(number(values[i]) - number(values[0]))
                                 : Integer(values[i] ^ values[0]));
  }
  return key;
}

void Sweep::remember(TermId first) {
  constexpr std::size_t kMost = 6;  // of equal keys, the first ones
  for (const bool is_signed : {false, true}) {
    if (is_signed && !is_word(terms_.width(first))) continue;
    auto& list = first_by_key_[key_of(first, is_signed)];
    if (list.size() < kMost) list.emplace_back(first, is_signed);
  }
}

std::vector<Sweep::Candidate> Sweep::candidates(TermId second) {
  std::vector<Candidate> all;
  const unsigned width = terms_.width(second);
  const Integer value = simulator_(second)[0];
  for (const bool is_signed : {false, true}) {
    if (is_signed && !is_word(width)) continue;
    const auto found = first_by_key_.find(key_of(second, is_signed));
    if (found == first_by_key_.end()) continue;
    for (const auto& [first, first_signed] : found->second) {
      Candidate c{first, first_signed};
      const unsigned from = terms_.width(first);
      const Integer of_first = simulator_(first)[0];
      if (!is_word(width)) {
        c.negated = of_first != value;
      } else {
        c.plus = (is_signed ? signed_value(value, width) : value) -
                 (first_signed ? signed_value(of_first, from) : of_first);
      }
      all.push_back(c);
    }
  }
  // Equal ones before those that differ by a constant, and of the same width first.
  std::stable_sort(all.begin(), all.end(), [&](const Candidate& x, const Candidate& y) {
    const auto rank = [&](const Candidate& c) {
      return (c.plus != 0 || c.negated ? 2 : 0) + (terms_.width(c.first) != width ? 1 : 0);
    };
    return rank(x) < rank(y);
  });
  return all;
}

TermId Sweep::made_of(const Candidate& c, unsigned width) {
  const unsigned from = terms_.width(c.first);
  if (!is_word(width)) {
    TermId bit = from == 0 ? c.first : terms_.from_bit(c.first);
    if (c.negated) bit = terms_.bool_not(bit);
    return width == 0 ? bit : terms_.to_bit(bit);
  }
  const TermId x = width <= from ? terms_.extract(c.first, width - 1, 0)
                   : c.is_signed ? terms_.sign_extend(c.first, width)
                                 : terms_.zero_extend(c.first, width);
  return terms_.add(x, terms_.constant(c.plus, width));
}

bool Sweep::agrees(TermId second, TermId made) { return simulator_(second) == simulator_(made); }

Answer Sweep::ask(TermId assertion, bool with_premise, double seconds, const Deadline& deadline) {
  Query query{&terms_, {assertion}};
  if (with_premise && terms_[premise_].op != BvOp::bool_constant)
    query.assertions.push_back(premise_);
  return ask_by(earlier(deadline, Deadline::in(seconds)), query, solvers_);
}

Sweep::Outcome Sweep::compare(TermId x, TermId y, double seconds, const Deadline& deadline) {
  const auto differ = [&](TermId p, TermId q) {
    return terms_.width(p) == 0 ? terms_.bool_xor(p, q) : terms_.bool_not(terms_.eq(p, q));
  };
  // What both have in common may be anything: no answer then is one of the question, but a proof.
  Replaced free;
  bool any = false;
  for (const TermId t : shared_terms(terms_, x, y)) {
    if (terms_[t].op == BvOp::variable) continue;
    any = true;
    const unsigned width = terms_.width(t);
    const TermId variable =
        terms_.variable("shared " + std::to_string(free_++), width == 0 ? 1 : width);
    free[t] = width == 0 ? terms_.from_bit(variable) : variable;
  }
  if (any) {
    const TermId p = rewritten(terms_, x, free);
    const TermId q = rewritten(terms_, y, free);
    if (p == q) return Outcome::equal;
    const TermId apart = differ(p, q);
    if (terms_[apart].op != BvOp::bool_constant &&
        ask(apart, false, std::min(seconds, kLocal), deadline).verdict == Verdict::unsatisfiable) {
      return Outcome::equal;
    }
  }
  const TermId apart = differ(x, y);
  if (terms_[apart].op == BvOp::bool_constant) {
    return terms_[apart].value == 0 ? Outcome::equal : Outcome::differs;
  }
  const Answer answer = ask(apart, true, seconds, deadline);
  if (answer.verdict == Verdict::unsatisfiable) return Outcome::equal;
  if (answer.verdict == Verdict::unknown) return Outcome::open;
  simulator_.add_sample(answer.model);
  return Outcome::differs;
}

TermId Sweep::run(TermId first, TermId second, const Deadline& deadline) {
  const std::vector<TermId> of_first = terms_.cone({first, premise_});
  const std::set<TermId> is_first(of_first.begin(), of_first.end());
  key_samples_ = simulator_.samples();
  for (const TermId t : of_first) remember(t);
  Replaced replaced;
  for (const TermId t : terms_.cone({second})) {
    if (is_first.contains(t)) {
      replaced[t] = t;
      continue;
    }
    ++report_.terms;
    const TermId now = remade(terms_, t, replaced);
    replaced[t] = now;
    if (is_first.contains(now) || terms_[now].op == BvOp::constant ||
        terms_[now].op == BvOp::bool_constant) {
      ++report_.identical;
      partners_[t] = now;
      continue;
    }
    if (deadline.passed()) continue;
    const unsigned width = terms_.width(t);
    std::size_t tries = 0;
    const auto try_one = [&](TermId partner, TermId made, double seconds) {
      if (made == now) {
        partners_[t] = partner;
        return true;
      }
      const Outcome outcome = compare(now, made, seconds, deadline);
      (outcome == Outcome::equal     ? report_.proved
       : outcome == Outcome::differs ? report_.refuted
                                     : report_.open) += 1;
      ++tries;
      if (outcome != Outcome::equal) return false;
      replaced[t] = made;
      partners_[t] = partner;
      return true;
    };
    bool done = false;
    const auto [from, to] = suggested_.equal_range(t);
    for (auto it = from; !done && it != to; ++it) {
      for (const bool is_signed : {false, true}) {
        if (done || (width == 0) != (terms_.width(it->second) == 0)) break;
        Candidate c{it->second, is_signed};
        const TermId made = made_of(c, width);
        if (agrees(t, made)) done = try_one(it->second, made, kSuggested);
      }
    }
    if (done) continue;
    for (const Candidate& c : candidates(t)) {
      if (done || tries >= kTries || deadline.passed()) break;
      const TermId made = made_of(c, width);
      if (agrees(t, made)) done = try_one(c.first, made, kWhole);
    }
  }
  return replaced.at(second);
}

std::optional<TermId> Sweep::partner(TermId second) const {
  const auto it = partners_.find(second);
  return it == partners_.end() ? std::nullopt : std::optional(it->second);
}

}  // namespace mmaspec::rtl
