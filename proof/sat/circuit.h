#pragma once
/// Circuits of gates, translated to clauses on construction (Tseitin's translation: a gate's
/// variable equals the gate's output). Gates are hash-consed and simplified.

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "proof/sat/cnf.h"

namespace mmaspec {

class Circuit {
 public:
  /// Variable 1 is the constant true.
  Circuit();

  /// Far below the largest value of a literal.
  static constexpr int kMostVariables = 200'000'000;
  static constexpr CnfLiteral kTrue = 1;
  static constexpr CnfLiteral kFalse = -1;

  /// A new variable. Throws std::length_error if there are kMostVariables; the functions for gates
  /// do so too.
  CnfLiteral input();
  CnfLiteral conjunction(std::vector<CnfLiteral> all);
  CnfLiteral conjunction(CnfLiteral x, CnfLiteral y) {
    return conjunction(std::vector<CnfLiteral>{x, y});
  }
  CnfLiteral disjunction(CnfLiteral x, CnfLiteral y) { return -conjunction(-x, -y); }
  CnfLiteral parity(CnfLiteral x, CnfLiteral y);
  CnfLiteral choice(CnfLiteral condition, CnfLiteral yes, CnfLiteral no);
  /// True if at least two of the three are.
  CnfLiteral majority(CnfLiteral x, CnfLiteral y, CnfLiteral z);

  void assert_true(CnfLiteral x) { add({x}); }

  Cnf& cnf() { return cnf_; }

 private:
  enum Kind : int { kAnd, kParity, kChoice, kMajority };

  void add(std::initializer_list<CnfLiteral> clause) { cnf_.add({clause.begin(), clause.size()}); }
  /// The gate's variable, and whether it is new.
  std::pair<CnfLiteral, bool> gate(Kind kind, const std::vector<CnfLiteral>& inputs);

  struct Hash {
    std::size_t operator()(const std::vector<int>& key) const {
      std::size_t h = 0;
      for (const int x : key) {
        h ^= static_cast<std::size_t>(x) + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
      }
      return h;
    }
  };

  Cnf cnf_;
  std::unordered_map<std::vector<int>, CnfLiteral, Hash> gates_;
};

}  // namespace mmaspec
