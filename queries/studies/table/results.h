#pragma once
/// The cells of a table on file (queries/results/log.h).

#include <map>
#include <string>

#include "queries/results/log.h"
#include "queries/studies/table/table.h"
#include "util/json.h"

namespace mmaspec {

class TableResults {
 public:
  /// Of lines of another version none is used. To be raised with every change by which an answer on
  /// file may have become wrong: of what a property says, or of what an algorithm computes with the
  /// same parameters.
  static constexpr int kVersion = 1;

  using Use = ResultsLog::Use;

  /// Kept in memory alone.
  TableResults() = default;
  /// Reads the file; to be appended to, it may be missing, and is locked. Throws
  /// std::invalid_argument if it holds anything but cells, std::runtime_error.
  TableResults(const std::string& file, Use use);

  /// Not asked if the file has none, or none that can be read.
  Cell find(const Property& property, const TableRow& row) const;
  /// The line on file that find() takes it from, with its line's end; empty where find() has
  /// nothing.
  std::string line(const Property& property, const TableRow& row) const;

  /// From now on the cells of the file that rest on an analytical proof do not exist.
  void leave_out_arguments();

  /// Throws std::runtime_error if it cannot be written.
  void add(const Property& property, const TableRow& row, const Cell& cell);

 private:
  void remember(Json line);

  std::map<std::string, Json> cells_;  ///< by property and design
  ResultsLog log_;
};

}  // namespace mmaspec
