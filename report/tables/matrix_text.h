#pragma once
/// The matrix of pairs as text, comma-separated values, JSON Lines, Markdown and HTML.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "queries/ask/scope.h"
#include "queries/studies/matrix/matrix.h"
#include "report/values.h"

namespace mmaspec {

/// Calls `each` for all rows of the matrix, in its order; nullptr: there is no answer yet.
void for_each_row(const Matrix& matrix, const MatrixResults& results,
                  const std::function<void(const NamedPair&, const PairRow*)>& each);

struct MatrixCounts {
  std::size_t one_expression = 0;
  std::map<std::string, std::size_t> proved;  ///< by kind of proof
  std::map<Takes, std::size_t> differ;        ///< by the inputs that are needed
  std::size_t undecided = 0;
  std::size_t not_asked = 0;
  bool contradiction = false;

  std::size_t equal() const;
  std::size_t all() const;
  void add(const PairRow* row);
};
std::string to_text(const MatrixCounts& counts);

/// For each instruction of the matrix.
std::vector<UnitEvidence> evidence_of(const Matrix& matrix);

std::string text_of(const Matrix& matrix, const MatrixResults& results);
/// A header and one pair per line, without witnesses; `takes`, `ulp` and `relative` for pairs that
/// differ.
std::string csv_of(const Matrix& matrix, const MatrixResults& results);
std::string json_of(const Matrix& matrix, const MatrixResults& results);
/// The lines of the results file for these pairs, each once: a results file without other lines.
std::string lines_of(const Matrix& matrix, const MatrixResults& results);
std::string markdown_of(const Matrix& matrix, const MatrixResults& results);
/// A self-contained file: a map whose cells open their witnesses.
std::string html_of(const Matrix& matrix, const MatrixResults& results);

}  // namespace mmaspec
