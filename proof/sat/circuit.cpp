#include "proof/sat/circuit.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

namespace mmaspec {

Circuit::Circuit() {
  cnf_.variables = 1;
  add({kTrue});
}

CnfLiteral Circuit::input() {
  if (cnf_.variables >= kMostVariables) {
    throw std::length_error("a circuit of more than " + std::to_string(kMostVariables) + " gates");
  }
  return ++cnf_.variables;
}

std::pair<CnfLiteral, bool> Circuit::gate(Kind kind, const std::vector<CnfLiteral>& inputs) {
  std::vector<int> key{kind};
  key.insert(key.end(), inputs.begin(), inputs.end());
  const auto [it, is_new] = gates_.try_emplace(std::move(key), cnf_.variables + 1);
  if (is_new) input();
  return {it->second, is_new};
}

CnfLiteral Circuit::conjunction(std::vector<CnfLiteral> all) {
  // Ordered by variable, so that a literal is next to its negation.
  std::sort(all.begin(), all.end(), [](CnfLiteral x, CnfLiteral y) {
    return std::pair(std::abs(x), x) < std::pair(std::abs(y), y);
  });
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::erase(all, kTrue);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == kFalse || (i > 0 && all[i] == -all[i - 1])) return kFalse;
  }
  if (all.empty()) return kTrue;
  if (all.size() == 1) return all[0];
  const auto [out, is_new] = gate(kAnd, all);
  if (!is_new) return out;
  std::vector<CnfLiteral> some_false{out};
  for (const CnfLiteral x : all) {
    add({-out, x});
    some_false.push_back(-x);
  }
  cnf_.add(some_false);
  return out;
}

CnfLiteral Circuit::parity(CnfLiteral x, CnfLiteral y) {
  if (std::abs(x) > std::abs(y)) std::swap(x, y);
  if (x == kTrue) return -y;
  if (x == kFalse) return y;
  if (x == y) return kFalse;
  if (x == -y) return kTrue;
  const int sign = (x < 0) != (y < 0) ? -1 : 1;
  x = std::abs(x);
  y = std::abs(y);
  const auto [out, is_new] = gate(kParity, {x, y});
  if (is_new) {
    add({-out, x, y});
    add({-out, -x, -y});
    add({out, -x, y});
    add({out, x, -y});
  }
  return sign * out;
}

CnfLiteral Circuit::choice(CnfLiteral condition, CnfLiteral yes, CnfLiteral no) {
  if (condition == kTrue || yes == no) return yes;
  if (condition == kFalse) return no;
  if (condition < 0) return choice(-condition, no, yes);
  if (yes == kTrue || yes == condition) return disjunction(condition, no);
  if (yes == kFalse || yes == -condition) return conjunction(-condition, no);
  if (no == kFalse || no == condition) return conjunction(condition, yes);
  if (no == kTrue || no == -condition) return disjunction(-condition, yes);
  if (yes == -no) return parity(condition, no);
  if (yes < 0) return -choice(condition, -yes, -no);
  const auto [out, is_new] = gate(kChoice, {condition, yes, no});
  if (is_new) {
    add({-condition, -yes, out});
    add({-condition, yes, -out});
    add({condition, -no, out});
    add({condition, no, -out});
    // Redundant clauses that strengthen unit propagation.
    add({-yes, -no, out});
    add({yes, no, -out});
  }
  return out;
}

CnfLiteral Circuit::majority(CnfLiteral x, CnfLiteral y, CnfLiteral z) {
  std::array<CnfLiteral, 3> in{x, y, z};
  std::sort(in.begin(), in.end(), [](CnfLiteral p, CnfLiteral q) {
    return std::pair(std::abs(p), p) < std::pair(std::abs(q), q);
  });
  const auto [p, q, r] = in;
  if (p == kTrue) return disjunction(q, r);
  if (p == kFalse) return conjunction(q, r);
  if (p == q || q == r) return q;
  if (p == -q) return r;
  if (q == -r) return p;
  if (p < 0) return -majority(-p, -q, -r);
  const auto [out, is_new] = gate(kMajority, {p, q, r});
  if (is_new) {
    for (const auto& [s, t] : {std::pair(p, q), std::pair(p, r), std::pair(q, r)}) {
      add({-s, -t, out});
      add({s, t, -out});
    }
  }
  return out;
}

}  // namespace mmaspec
