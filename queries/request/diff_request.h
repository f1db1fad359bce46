#pragma once
/// A question about a difference as a user states it: parses the numbers of the options and selects
/// the query that answers it. The command line and the Python package share it, so that both accept
/// and reject the same input.

#include <string>

#include "queries/prove/all_k.h"

namespace mmaspec {

/// A number of ulp. Throws std::invalid_argument that names `option` unless the text is a decimal
/// integer >= 0 with at most 30 digits.
Integer parse_ulp(const std::string& option, const std::string& text);

/// An absolute or relative difference in the syntax of parse_rational(). The error message names
/// `option`.
Rational parse_difference(const std::string& option, const std::string& text);

/// Asks whether two instructions differ. `all_k`: for every K that both have; all options except
/// the class of inputs must then have their default values. Units whose additions happen in any
/// order are compared in all orders. AllK::step_k is 0 unless all_k is set. Throws
/// std::invalid_argument and Contradiction.
AllK ask_diff(const Instruction& first, const Instruction& second, const DiffOptions& options,
              bool all_k, const Portfolio& solvers);

}  // namespace mmaspec
