#pragma once
/// The cells of a table in a file (queries/results/log.h).

#include <map>
#include <string>

#include "queries/results/log.h"
#include "queries/studies/table/table.h"
#include "util/json.h"

namespace mmaspec {

class TableResults {
 public:
  /// Lines of other versions are ignored. Increase it with every change that may invalidate answers
  /// in files: changes to a property, or to what an algorithm computes with the same parameters.
  static constexpr int kVersion = 1;

  using Use = ResultsLog::Use;

  /// Results in memory only.
  TableResults() = default;
  /// Reads the file. A file for appending may be missing, and it is locked. Throws
  /// std::invalid_argument if it has other content than cells, and std::runtime_error.
  TableResults(const std::string& file, Use use);

  /// A cell with asked = false if the file has no readable cell for this question.
  Cell find(const Property& property, const TableRow& row) const;
  /// The line of the file from which find() reads the cell, with its newline; empty if there is
  /// none.
  std::string line(const Property& property, const TableRow& row) const;

  /// Another answer about a subject, by a question that is not a property; nullptr: none.
  const Json* find(const std::string& question, const std::string& subject) const;
  void add(const std::string& question, const std::string& subject, const Json& answer);

  /// From now on the cells of the file that rest on an analytical proof do not exist.
  void leave_out_arguments();

  /// Throws std::runtime_error if the cell cannot be written.
  void add(const Property& property, const TableRow& row, const Cell& cell);

 private:
  void remember(Json line);

  std::map<std::string, Json> cells_;  ///< by property and design
  ResultsLog log_;
};

}  // namespace mmaspec
