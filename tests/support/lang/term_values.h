#pragma once
/// Formulas on numbers: what their terms are worth, by SMT-LIB's definitions, with no solver.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "encoder/bitvector.h"

namespace mmaspec::lang_test {

/// One value a row.
using Column = std::vector<std::uint64_t>;

/// The value of a term in each row, where `variables` has a column of as many rows for each name
/// that the term depends on. Booleans are 0 and 1. Throws std::invalid_argument for words of more
/// than 64 bits and for variables that have no column.
Column values_of(const BvTerms& terms, TermId root, const std::map<std::string, Column>& variables,
                 std::size_t rows);

}  // namespace mmaspec::lang_test
