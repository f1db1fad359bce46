#pragma once
/// The matrix of pairs: which designs are equal, and on what the others differ.

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
  bool by_name = false;  ///< each pair of names has a row; otherwise each pair of designs

  bool has_one_design_pairs = true;  ///< pairs_of_one_design() are among its rows

  /// The rows that a pair of designs stands for.
  std::vector<NamedPair> named(const DesignPair& pair) const;
  /// Pairs of names that are one design: none unless by_name.
  std::vector<NamedPair> pairs_of_one_design() const;
};

Matrix matrix_of(const std::vector<Instruction>& instructions, bool by_name);

/// Leaves what the shard does. Units are never divided, so that each row
/// is the same in any partition. Pairs of one design are the first shard's.
void keep_shard(Matrix& matrix, const Shard& shard);

struct MatrixOptions {
  double timeout = 60;  ///< seconds of each pair that inputs do not part
  /// Seconds, of `timeout`, in which solvers are to prove what an argument would; pairs of the
  /// results that an argument decided are asked so again.
  double before_arguments = 0;
  bool no_trust = false;  ///< no pair is answered by an analytical proof
  std::string solver = "auto";
  unsigned seed = 0;
  int jobs = 0;  ///< processes at once; 0: as many as the machine has cores
  /// Pairs done and in all, and what is being asked; empty at the end.
  std::function<void(std::size_t, std::size_t, const std::string&)> progress = {};
};

/// Asks the pairs that `results` lacks, and adds them to it. What is undecided is asked again only
/// with more time or another solver, what an argument decided only with more time before it. Stops
/// where stop_work() is called. Throws Contradiction.
void fill(const Matrix& matrix, const MatrixOptions& options, MatrixResults& results);

}  // namespace mmaspec
