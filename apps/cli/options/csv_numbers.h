#pragma once
/// --hex and --decimal: how numbers in CSV files are read.

#include "concrete/rows/csv.h"

namespace mmaspec::cli {

class Command;

struct CsvNumbersOption {
  bool hex = false;
  bool decimal = false;

  void add_to(Command& command);
  /// Throws std::invalid_argument if both are given.
  CsvNumbers value() const;
};

}  // namespace mmaspec::cli
