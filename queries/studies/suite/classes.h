#pragma once
/// Decides which expressions of a panel are equal, by inputs that separate them and by proofs.

#include <string>
#include <vector>

#include "queries/ask/vacuity.h"
#include "queries/studies/suite/panel.h"
#include "queries/studies/suite/pool.h"

namespace mmaspec {

/// Two expressions that no input separates: proved equal, or undecided.
struct AskedPair {
  std::size_t first;
  std::size_t second;
  Verdict verdict;
  std::string how;  ///< what proved it, or why it is unknown
  Vacuity vacuity;
};

/// For expressions that no input of the pool separates, asks whether they are equal, as `diff`
/// does, each pair within the limits of `solvers` and before the deadline. Inputs that separate
/// them are added to the pool. Returns every pair that was proved equal or is undecided; pairs that
/// follow by transitivity are not asked.
std::vector<AskedPair> ask_pairs(const std::vector<SuiteDesign>& designs, const Panel& panel,
                                 Pool& pool, const Strategies& strategies,
                                 const Portfolio& solvers);

}  // namespace mmaspec
