#pragma once
/// Registers and steps of a draft, and sums of registers as steps.

#include <map>
#include <utility>
#include <vector>

#include "concrete/batch/kernels/draft.h"
#include "concrete/batch/kind.h"

namespace mmaspec::batch {

/// x modulo 2^64.
std::uint64_t word_of(const Integer& x);

class DraftBuilder {
 public:
  /// The register that holds x, modulo the kind's width, in all lanes.
  Register constant(const Integer& x, Kind k);

  /// A step's output, of kind `to`. choice.to is set.
  Register emit(Choice choice, Kind to, std::vector<Register> in, std::uint64_t m = 0,
                std::uint64_t m2 = 0);
  /// The same of a step whose inputs and output are of one kind.
  Register emit(Code code, Kind k, std::vector<Register> in, std::uint64_t m = 0);

  /// A register's value in another kind, modulo its width.
  Register cast(Register x, Kind from, Kind to);

  /// value + the positive ones - the negative ones, modulo the width of k; k is not wide.
  Register narrow_sum(std::uint64_t value, std::vector<Register> positive,
                      std::vector<Register> negative, Kind k);
  /// The same, k wide.
  Register wide_sum(const Integer& value, std::vector<Register> positive,
                    const std::vector<Register>& negative, Kind k);

  Draft& draft() { return draft_; }

 private:
  std::map<std::pair<Type, std::vector<std::uint64_t>>, Register> constants_;
  Draft draft_;
};

}  // namespace mmaspec::batch
