#include "hardware/rtl/equivalence/sweep.h"

#include <algorithm>

#include "hardware/rtl/equivalence/enumerate_terms.h"
#include "hardware/rtl/equivalence/term_value.h"
#include "solver/ask.h"

namespace mmaspec::rtl {
namespace {

/// Seconds for one pair: what is equal by what its neighbours are is found at once.
constexpr double kLocal = 2;
constexpr double kAlone = 20;
constexpr double kWhole = 5;
constexpr double kSuggested = 60;

/// Terms asked about at once, as long as the answer is that all are equal.
constexpr std::size_t kTogether = 32;

/// Evaluations of terms up to which all values of an assertion's variables are tried before
/// solvers are asked: some hundredths of a second of one pair among others, a second of one alone.
constexpr std::size_t kTriedTogether = std::size_t{1} << 25;
constexpr std::size_t kTriedAlone = std::size_t{1} << 30;

/// Pairs tried for one term.
constexpr std::size_t kTries = 3;

bool is_word(unsigned width) { return width > 1; }

}  // namespace

Sweep::Sweep(BvTerms& terms, TermId premise, const Portfolio& solvers)
    : terms_(terms),
      premise_(premise),
      solvers_(solvers),
      simulator_(terms),
      arithmetic_(terms, [this](TermId condition) { return holds(condition); }) {}

void Sweep::add_shifts(const std::vector<Encoder::Shift>& shifts) {
  for (const Encoder::Shift& s : shifts) {
    shifts_.emplace(s.result, s);
    arithmetic_.is_shift(s.result, s.shifted, s.amount);
  }
}

// Of exponents, so that a product in it may be anything.
bool Sweep::holds(TermId condition) {
  Replaced free;
  for (const TermId t : terms_.cone({condition})) {
    const BvTerm& x = terms_[t];
    const auto is_constant = [&](TermId arg) { return terms_[arg].op == BvOp::constant; };
    if (x.op != BvOp::mul || is_constant(x.args[0]) || is_constant(x.args[1])) continue;
    free[t] = terms_.variable("product " + std::to_string(t), terms_.width(t));
  }
  const TermId fails = terms_.bool_not(rewritten(terms_, condition, free));
  if (terms_[fails].op == BvOp::bool_constant) return terms_[fails].value == 0;
  if (const auto tried = enumerate(fails, kTriedTogether, deadline_)) {
    return tried->verdict == Verdict::unsatisfiable;
  }
  return ask(fails, false, kLocal, deadline_).verdict == Verdict::unsatisfiable;
}

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

std::optional<Answer> Sweep::enumerate(TermId assertion, std::size_t work,
                                       const Deadline& deadline) {
  const auto known = enumerated_.find(assertion);
  if (known != enumerated_.end()) return known->second;
  const auto answer = enumerate_terms(terms_, assertion, work, deadline);
  if (answer) enumerated_.emplace(assertion, *answer);
  return answer;
}

Answer Sweep::ask(TermId assertion, bool with_premise, double seconds, const Deadline& deadline) {
  Query query{&terms_, {assertion}};
  if (with_premise && terms_[premise_].op != BvOp::bool_constant)
    query.assertions.push_back(premise_);
  return ask_by(earlier(deadline, Deadline::in(seconds)), query, solvers_);
}

TermId Sweep::differ(TermId x, TermId y) {
  return terms_.width(x) == 0 ? terms_.bool_xor(x, y) : terms_.bool_not(terms_.eq(x, y));
}

// What both have in common may be anything: an answer then is none of the question, but a proof is.
TermId Sweep::freely_differ(TermId x, TermId y) {
  if (arithmetic_.equal(x, y)) return terms_.boolean(false);
  Replaced free;
  for (const TermId t : shared_terms(terms_, x, y)) {
    if (terms_[t].op == BvOp::variable) continue;
    const unsigned width = terms_.width(t);
    const TermId variable = terms_.variable("shared " + std::to_string(t), width == 0 ? 1 : width);
    free[t] = width == 0 ? terms_.from_bit(variable) : variable;
  }
  const TermId p = rewritten(terms_, x, free);
  const TermId q = rewritten(terms_, y, free);
  return differ(p, q);
}

Sweep::Outcome Sweep::compare(TermId x, TermId y, double seconds, const Deadline& deadline) {
  const TermId free = freely_differ(x, y);
  const TermId apart = differ(x, y);
  const auto is_false = [&](TermId t) {
    return terms_[t].op == BvOp::bool_constant && terms_[t].value == 0;
  };
  if (is_false(free) || is_false(apart)) return Outcome::equal;
  if (free != apart) {
    const auto tried = enumerate(free, kTriedAlone, deadline);
    const Answer freely = tried ? *tried : ask(free, false, std::max(seconds, kAlone), deadline);
    if (freely.verdict == Verdict::unsatisfiable) return Outcome::equal;
  }
  // Where the premise does not hold they may differ.
  auto tried = enumerate(apart, kTriedAlone, deadline);
  if (tried && tried->verdict == Verdict::satisfiable) {
    tried = enumerate(terms_.bool_and({apart, premise_}), kTriedAlone, deadline);
  }
  const Answer answer = tried ? *tried : ask(apart, true, seconds, deadline);
  if (answer.verdict == Verdict::unsatisfiable) return Outcome::equal;
  if (answer.verdict == Verdict::unknown) return Outcome::open;
  simulator_.add_sample(answer.model);
  return Outcome::differs;
}

/// A term of the second side, made of what it is known to be made of.
TermId Sweep::now_of(TermId term) {
  const BvTerm t = terms_[term];
  if (t.op == BvOp::extract) {
    // Bits of a word that is unknown, of which a longer low part is known, or assumed to be as long
    // as both are in one question.
    const auto [from, to] = low_parts_.equal_range(t.args[0]);
    for (auto part = from; part != to; ++part) {
      const auto known = replaced_.find(part->second);
      if (known == replaced_.end()) continue;
      const TermId low = known->second;
      if (terms_.width(low) < t.low + t.width) continue;
      if (low == remade(terms_, part->second, replaced_)) continue;  // nothing is known of it
      return terms_.extract(low, t.low + t.width - 1, t.low);
    }
  }
  return remade(terms_, term, replaced_);
}

/// Whether there is nothing to prove of a term: it is one of the first side by now.
bool Sweep::settled(TermId term, TermId now) {
  replaced_[term] = now;
  const auto shift = shifts_.find(term);
  if (shift != shifts_.end()) {
    // The amount may be no term of the list: a shifter takes its bits, out of what it is a part of.
    Replaced copies = replaced_;
    const auto by_now = [&](TermId t) { return rewritten(terms_, t, copies); };
    if (arithmetic_.is_shift(now, by_now(shift->second.shifted), by_now(shift->second.amount))) {
      new_shifts_.push_back(now);
    }
  }
  if (!is_first_.contains(now) && terms_[now].op != BvOp::constant &&
      terms_[now].op != BvOp::bool_constant) {
    return false;
  }
  partners_[term] = now;
  return true;
}

/// What a term may be, and of which term of the first side that is made.
std::vector<std::pair<TermId, TermId>> Sweep::suggestions(TermId second) {
  std::vector<std::pair<TermId, TermId>> all;
  // A bit of a word is known by its word: another one for it hides whose bit it is.
  const BvTerm& t = terms_[second];
  const bool is_bit =
      (t.op == BvOp::extract && t.width == 1) ||
      (t.op == BvOp::eq && terms_[t.args[0]].op == BvOp::extract && terms_.width(t.args[0]) == 1);
  const unsigned width = terms_.width(second);
  const auto add = [&](const Candidate& c) {
    const TermId made = made_of(c, width);
    if (!agrees(second, made)) return;
    if (is_bit && !arithmetic_.equal(now_of(second), made)) return;
    all.emplace_back(made, c.first);
  };
  const auto [from, to] = suggested_.equal_range(second);
  for (auto it = from; it != to; ++it) {
    if ((width == 0) != (terms_.width(it->second) == 0)) continue;
    for (const bool is_signed : {false, true}) add({it->second, is_signed});
  }
  for (const Candidate& c : candidates(second)) {
    if (all.size() >= kTries) break;
    add(c);
  }
  return all;
}

/// Proves list[from .. to) equal to what each may be, all in one question: each as if those before
/// were equal, which the same answer says. If it is not a proof, some of them alone.
void Sweep::prove(const std::vector<TermId>& list, std::size_t from, std::size_t to,
                  const Deadline& deadline) {
  if (from >= to) return;
  if (to - from == 1) return prove_alone(list[from], deadline);
  std::vector<Pending> pending;
  std::vector<TermId> freely;
  std::optional<std::size_t> differing;  // in `list`: this pair differs where all else is free
  new_shifts_.clear();
  for (std::size_t i = from; i < to; ++i) {
    const TermId t = list[i];
    const TermId now = now_of(t);
    if (settled(t, now) || deadline.passed()) continue;
    const auto found = suggestions(t);
    if (found.empty()) continue;
    const auto& [made, partner] = found.front();
    pending.push_back({t, now, made, partner});
    freely.push_back(freely_differ(now, made));
    replaced_[t] = made;
    const auto tried = enumerate(freely.back(), kTriedTogether, deadline);
    if (tried && tried->verdict == Verdict::unsatisfiable) freely.back() = terms_.boolean(false);
    if (tried && tried->verdict == Verdict::satisfiable) {
      differing = i;
      break;
    }
  }
  if (pending.empty()) return;
  std::vector<TermId> none;
  for (const TermId f : freely) none.push_back(terms_.bool_not(f));
  const TermId any = terms_.bool_not(terms_.bool_and(none));
  Answer answer;
  if (differing) {
    answer.verdict = Verdict::satisfiable;
  } else if (terms_[any].op == BvOp::bool_constant && terms_[any].value == 0) {
    answer.verdict = Verdict::unsatisfiable;
  } else if (!deadline.passed()) {
    answer = ask(any, false, kLocal, deadline);
  }
  if (answer.verdict == Verdict::unsatisfiable) {
    for (const Pending& p : pending) partners_[p.term] = p.partner;
    report_.proved += pending.size();
    return;
  }
  // Nothing of it is known.
  for (std::size_t i = from; i < to; ++i) {
    replaced_.erase(list[i]);
    partners_.erase(list[i]);
  }
  arithmetic_.forget(new_shifts_);
  std::size_t middle = differing.value_or(from + (to - from) / 2);
  if (answer.verdict == Verdict::satisfiable) {
    TermSimulator model(terms_);
    model.add_sample(answer.model);
    for (std::size_t i = 0; !differing && i < pending.size(); ++i) {
      if (model(freely[i])[0] == 0) continue;
      middle = static_cast<std::size_t>(
          std::find(list.begin() + static_cast<std::ptrdiff_t>(from), list.end(), pending[i].term) -
          list.begin());
      break;
    }
    prove(list, from, middle, deadline);
    prove(list, middle, middle + 1, deadline);
    return prove(list, middle + 1, to, deadline);
  }
  prove(list, from, middle, deadline);
  prove(list, middle, to, deadline);
}

void Sweep::prove_alone(TermId t, const Deadline& deadline) {
  const TermId now = now_of(t);
  if (settled(t, now)) return;
  const bool suggested = suggested_.contains(t);
  for (const auto& [made, partner] : suggestions(t)) {
    if (deadline.passed()) return;
    const Outcome outcome = made == now
                                ? Outcome::equal
                                : compare(now, made, suggested ? kSuggested : kWhole, deadline);
    (outcome == Outcome::equal     ? report_.proved
     : outcome == Outcome::differs ? report_.refuted
                                   : report_.open) += 1;
    if (outcome != Outcome::equal) continue;
    replaced_[t] = made;
    partners_[t] = partner;
    return;
  }
}

TermId Sweep::run(TermId first, TermId second, const Deadline& deadline) {
  deadline_ = deadline;
  const std::vector<TermId> of_first = terms_.cone({first, premise_});
  is_first_ = {of_first.begin(), of_first.end()};
  key_samples_ = simulator_.samples();
  for (const TermId t : of_first) remember(t);
  std::vector<TermId> list;
  for (const TermId t : terms_.cone({second})) {
    if (is_first_.contains(t)) continue;
    list.push_back(t);
    const BvTerm& x = terms_[t];
    if (x.op == BvOp::extract && x.low == 0) low_parts_.emplace(x.args[0], t);
  }
  report_.terms = list.size();
  for (std::size_t from = 0; from < list.size(); from += kTogether) {
    prove(list, from, std::min(from + kTogether, list.size()), deadline);
  }
  report_.identical = partners_.size() - report_.proved;
  return replaced_.at(second);
}

std::optional<TermId> Sweep::partner(TermId second) const {
  const auto it = partners_.find(second);
  return it == partners_.end() ? std::nullopt : std::optional(it->second);
}

}  // namespace mmaspec::rtl
