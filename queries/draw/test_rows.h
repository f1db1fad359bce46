#pragma once
/// Rows for a test of a unit, drawn so that they reach many bins of its cover points.

#include <functional>
#include <string>
#include <vector>

#include "concrete/rows/row.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

struct TestRow {
  VectorRow row;                  ///< with the specified d
  std::vector<std::size_t> bins;  ///< of each cover point; empty: the formats have no cover points
};

struct TestRows {
  struct Point {
    std::string name;
    std::string meaning;
    std::vector<std::string> bins;
    std::vector<std::size_t> hits;  ///< rows in each bin
  };
  std::vector<Point> points;
  std::vector<TestRow> rows;
};

struct TestRowsOptions {
  std::size_t count = 1000;
  unsigned seed = 0;
  /// A condition on operands and the specified result; empty: none.
  std::function<Bool(const DotFormats&, const DotOperands&, Int d)> where = {};
};

/// Draws inputs of kinds that find bugs. Rows of bins with few rows are preferred. Equal seeds give
/// equal rows. Throws std::invalid_argument if too few drawn inputs satisfy `where`.
TestRows draw_test_rows(const Instruction& instruction, const TestRowsOptions& options);

}  // namespace mmaspec
