#pragma once
/// A question about a difference as a user states it: the numbers of the options, and which query
/// answers it. The command line and the Python package share it, so that both accept and refuse the
/// same.

#include <string>

#include "queries/prove/all_k.h"

namespace mmaspec {

/// A number of ulp. Throws std::invalid_argument that names `option` unless the text is a decimal
/// integer from 0 on with at most 30 digits.
Integer parse_ulp(const std::string& option, const std::string& text);

/// An absolute or a relative difference, as parse_rational() reads it; the message of its error
/// names `option`.
Rational parse_difference(const std::string& option, const std::string& text);

/// Asks whether two instructions differ. `all_k`: for every K that both have; the question must
/// then leave all options but the class of the inputs as they are. Units whose additions happen in
/// any order are compared in all orders. The step of the result is 0 unless all_k is set. Throws
/// std::invalid_argument, Contradiction.
AllK ask_diff(const Instruction& first, const Instruction& second, const DiffOptions& options,
              bool all_k, const Portfolio& solvers);

}  // namespace mmaspec
