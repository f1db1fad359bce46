#pragma once
/// Facts about formats that several analytical proofs use.

#include "queries/theorems/magnitudes.h"
#include "spec/formats/round.h"

namespace mmaspec {

/// True if all numbers of the format are within the other format's range.
inline bool within_range(const Format& f, const Format& of) {
  return largest_number(f) <= largest_number(of);
}

/// Rounding to nearest even, gradual underflow, infinities, all bits kept.
inline bool is_ieee(const ResultFormat& result) { return result == ResultFormat{result.format}; }

}  // namespace mmaspec
