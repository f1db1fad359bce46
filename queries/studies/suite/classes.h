#pragma once
/// Which expressions of a panel are equal: by inputs that part them, and by proofs.

#include <string>
#include <vector>

#include "queries/ask/vacuity.h"
#include "queries/studies/suite/panel.h"
#include "queries/studies/suite/pool.h"

namespace mmaspec {

/// Two expressions that no input parts: proved equal, or not known to be.
struct AskedPair {
  std::size_t first;
  std::size_t second;
  Verdict verdict;
  std::string how;  ///< who proved it, or why it is unknown
  Vacuity vacuity;
};

/// Asks of expressions that no input of the pool parts whether they are equal, as `diff` does, each
/// pair within the limits of `solvers` and before the deadline. Inputs that part them go to the
/// pool. The answers hold every pair that was proved equal or is not known; what follows of two
/// proofs is not asked.
std::vector<AskedPair> ask_pairs(const std::vector<SuiteDesign>& designs, const Panel& panel,
                                 Pool& pool, const Strategies& strategies,
                                 const Portfolio& solvers);

}  // namespace mmaspec
