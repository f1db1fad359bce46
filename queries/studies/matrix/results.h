#pragma once
/// The rows of a matrix in a file (queries/results/log.h).

#include <map>
#include <string>
#include <vector>

#include "queries/results/log.h"
#include "queries/studies/matrix/plan.h"
#include "queries/studies/matrix/row.h"
#include "util/json.h"

namespace mmaspec {

/// A pair, with the names under which it is asked.
struct NamedPair {
  std::string first;
  std::string second;
  const MatrixDesign* first_design;
  const MatrixDesign* second_design;
};

/// The two instructions with equal K, under their names.
Pair pair_of(const NamedPair& named);

class MatrixResults {
 public:
  /// Rows of other versions are ignored. Increase it with every change that may invalidate rows in
  /// files.
  static constexpr int kVersion = 1;

  using Use = ResultsLog::Use;

  /// Results in memory only.
  MatrixResults() = default;
  /// As for ResultsLog.
  MatrixResults(const std::string& file, Use use);

  /// nullopt if the file has no readable row for these names and designs.
  std::optional<PairRow> find(const NamedPair& pair) const;
  /// The line of the file from which find() reads the row, with its newline; empty if find()
  /// returns nullopt.
  std::string line(const NamedPair& pair) const;

  /// From now on the rows of the file that rest on an analytical proof do not exist.
  void leave_out_arguments();

  struct Added {
    NamedPair pair;
    PairRow row;
  };
  /// Throws std::runtime_error if the rows cannot be written.
  void add(const std::vector<Added>& rows);

 private:
  void remember(Json line);

  std::map<std::string, Json> rows_;  ///< keys are the names
  ResultsLog log_;
};

}  // namespace mmaspec
