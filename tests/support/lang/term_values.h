#pragma once
/// Evaluates formulas on numbers according to SMT-LIB, without a solver.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "encoder/bitvector.h"

namespace mmaspec::lang_test {

/// One value per row.
using Column = std::vector<std::uint64_t>;

/// The value of a term in each row. `variables` has a column of `rows` values for each name on
/// which the term depends. Booleans are 0 and 1. Throws std::invalid_argument for words of more
/// than 64 bits and for variables without a column.
Column values_of(const BvTerms& terms, TermId root, const std::map<std::string, Column>& variables,
                 std::size_t rows);

}  // namespace mmaspec::lang_test
