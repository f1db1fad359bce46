#pragma once
/// Unit propagation that repeatedly visits all clauses, for small formulas.

#include <cstdlib>
#include <vector>

#include "proof/sat/cnf.h"

namespace mmaspec {

enum class Propagated {
  conflict,  ///< a clause is false
  model,     ///< every clause is true
  open,
};

inline Propagated propagate(const Cnf& cnf) {
  std::vector<int> values(static_cast<std::size_t>(cnf.variables) + 1);
  const auto value = [&](CnfLiteral x) {
    const int v = values[static_cast<std::size_t>(std::abs(x))];
    return x > 0 ? v : -v;
  };
  for (bool changed = true; changed;) {
    changed = false;
    bool all_true = true;
    for (std::size_t i = 0; i < cnf.clauses(); ++i) {
      bool is_true = false;
      int open = 0;
      CnfLiteral last = 0;
      for (const CnfLiteral x : cnf.clause(i)) {
        is_true = is_true || value(x) > 0;
        if (value(x) != 0) continue;
        ++open;
        last = x;
      }
      if (is_true) continue;
      if (open == 0) return Propagated::conflict;
      all_true = false;
      if (open > 1) continue;
      values[static_cast<std::size_t>(std::abs(last))] = last > 0 ? 1 : -1;
      changed = true;
    }
    if (all_true) return Propagated::model;
  }
  return Propagated::open;
}

}  // namespace mmaspec
