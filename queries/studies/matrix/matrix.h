#pragma once
/// The matrix of pairs: which designs are equal, and on which inputs the others differ.

#include <functional>
#include <string>
#include <vector>

#include "queries/results/shard.h"
#include "queries/studies/matrix/plan.h"
#include "queries/studies/matrix/results.h"

namespace mmaspec {

struct Matrix {
  std::vector<MatrixDesign> designs;
  std::vector<Unit> units;
  bool by_name = false;  ///< true: a row for each pair of names; false: for each pair of designs

  bool has_one_design_pairs = true;  ///< whether pairs_of_one_design() have rows

  /// The rows that belong to a pair of designs.
  std::vector<NamedPair> named(const DesignPair& pair) const;
  /// Pairs of names of the same design. Empty unless by_name.
  std::vector<NamedPair> pairs_of_one_design() const;
};

Matrix matrix_of(const std::vector<Instruction>& instructions, bool by_name);

/// Removes everything outside the shard. Units are never divided, so that each row is the same in
/// any partition. Pairs of one design belong to the first shard.
void keep_shard(Matrix& matrix, const Shard& shard);

struct MatrixOptions {
  double timeout = 60;  ///< seconds for each pair that tried inputs do not separate
  /// Seconds, out of `timeout`, for solvers to prove what an analytical proof would. Pairs in the
  /// results that an analytical proof decided are asked again with this time.
  double before_arguments = 0;
  bool no_trust = false;  ///< no pair is answered by an analytical proof
  std::string solver = "auto";
  unsigned seed = 0;
  int jobs = 0;  ///< parallel processes; 0: as many as the machine has cores
  /// Called with the number of pairs done, the number of all pairs, and what is being asked (empty
  /// at the end).
  std::function<void(std::size_t, std::size_t, const std::string&)> progress = {};
};

/// Asks the pairs that `results` lacks, and adds them. An undecided pair is asked again only with
/// more time or another solver; a pair with an analytical proof only with more time before such
/// proofs. Stops if stop_work() is called. Throws Contradiction.
void fill(const Matrix& matrix, const MatrixOptions& options, MatrixResults& results);

}  // namespace mmaspec
