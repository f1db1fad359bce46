#pragma once
/// --hex and --decimal: how the numbers of CSV files are read.

#include "concrete/rows/csv.h"

namespace mmaspec::cli {

class Command;

struct CsvNumbersOption {
  bool hex = false;
  bool decimal = false;

  void add_to(Command& command);
  /// Throws std::invalid_argument where both are given.
  CsvNumbers value() const;
};

}  // namespace mmaspec::cli
