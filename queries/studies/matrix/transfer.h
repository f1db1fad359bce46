#pragma once
/// Inputs on which the same two algorithms differ in other formats.

#include "queries/studies/matrix/matrix.h"

namespace mmaspec {

/// The pair's row, if its designs differ on the witness of another pair in `results`: one with the
/// same K in which one design has only other formats. The pair's formats must hold the witness's
/// values. nullopt: none is found.
std::optional<PairRow> differs_as_in_other_formats(const Matrix& matrix, const DesignPair& pair,
                                                   const MatrixResults& results);

}  // namespace mmaspec
