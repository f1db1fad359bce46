#pragma once
/// The rows of a matrix on file (queries/results/log.h).

#include <map>
#include <string>
#include <vector>

#include "queries/results/log.h"
#include "queries/studies/matrix/plan.h"
#include "queries/studies/matrix/row.h"
#include "util/json.h"

namespace mmaspec {

/// A pair by the names under which it is asked.
struct NamedPair {
  std::string first;
  std::string second;
  const MatrixDesign* first_design;
  const MatrixDesign* second_design;
};

/// The two brought to one K, under their names.
Pair pair_of(const NamedPair& named);

class MatrixResults {
 public:
  /// Of rows of another version none is used. To be raised with every change by which a row on file
  /// may have become wrong.
  static constexpr int kVersion = 1;

  using Use = ResultsLog::Use;

  /// Kept in memory alone.
  MatrixResults() = default;
  /// As ResultsLog's.
  MatrixResults(const std::string& file, Use use);

  /// Nothing if the file has none of these names and designs, or none that can be read.
  std::optional<PairRow> find(const NamedPair& pair) const;
  /// The line on file that find() takes it from, with its line's end; empty where find() has
  /// nothing.
  std::string line(const NamedPair& pair) const;

  /// From now on the rows of the file that rest on an analytical proof do not exist.
  void leave_out_arguments();

  struct Added {
    NamedPair pair;
    PairRow row;
  };
  /// Throws std::runtime_error if they cannot be written.
  void add(const std::vector<Added>& rows);

 private:
  void remember(Json line);

  std::map<std::string, Json> rows_;  ///< by names
  ResultsLog log_;
};

}  // namespace mmaspec
