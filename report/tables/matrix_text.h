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
  std::map<std::string, std::size_t> proved;  ///< by what
  std::map<Takes, std::size_t> differ;        ///< by what it takes
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
/// A header and a pair a line, without witnesses; `takes`, `ulp` and `relative` of those that
/// differ.
std::string csv_of(const Matrix& matrix, const MatrixResults& results);
std::string json_of(const Matrix& matrix, const MatrixResults& results);
/// The lines on file that answer these pairs, each once: a file of results without all others.
std::string lines_of(const Matrix& matrix, const MatrixResults& results);
std::string markdown_of(const Matrix& matrix, const MatrixResults& results);
/// One file that needs no other: a map whose cells open their witnesses.
std::string html_of(const Matrix& matrix, const MatrixResults& results);

}  // namespace mmaspec
